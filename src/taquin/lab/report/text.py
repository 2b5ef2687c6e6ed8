"""A report as text: plain lines for files and pipes, with colours on a screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from taquin.lab.report.document import Drawn, Entry, Mark, Report, Row, Section, Table
from taquin.system.layout import (
    COLUMN_GAP,
    TextColumn,
    column_groups,
    heading_lines,
    row_lines,
    rule,
    side_by_side,
)

_BOARD_GAP = 4
_BOARD_LETTERS = 16
_SHOWN = {"": "·", "#": "█"}
"""How cells are shown that hold no tile."""
_NARROWEST = 24
_HEADING = r"(?m)^.+\n[=-]+$"
_GOOD = Mark.EQUAL.value + Mark.INSIDE.value
_ODD = Mark.DIFFERENT.value + Mark.OUTSIDE.value


def to_text(report: Report, width: int = 100, *, cut: bool = True) -> str:
    """Return the report as plain text, prose in lines of at most `width` characters.

    A table that is wider is cut into parts, each with the labels of its rows, unless `cut` is
    false.
    """
    table_width = width if cut else 10**6
    lines = [report.title, "=" * len(report.title), ""]
    if report.description:
        lines += [*_prose(report.description, width), ""]
    for section in report.sections:
        lines += [section.title, "-" * len(section.title), ""]
        if section.text:
            lines += [*_prose(section.text, width), ""]
        lines += _boards(section.boards, width)
        if section.figures and not section.tables:
            lines += [*_prose(_pointer(section), width), ""]
        for table in section.tables:
            lines += [*_table(table, width, table_width), ""]
        for note in section.notes:
            lines += [*_prose(note, width, "• "), ""]
    if report.notes:
        lines += ["Notes", "-----", ""]
        for note in report.notes:
            lines += _prose(note, width, "• ")
        lines.append("")
    if report.origin:
        lines += _prose(report.origin, width)
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _pointer(section: Section) -> str:
    """Return where to look for what a text cannot show."""
    titles = "; ".join(figure.title for figure in section.figures if figure.title)
    return f"{titles or 'A figure'}: drawn by --html FILE, or --plots FOLDER."


def _boards(boards: Sequence[Drawn], width: int) -> Iterator[str]:
    """Yield the boards side by side, as many as fit, each below its label."""
    blocks = []
    for board in boards:
        width_of_cell = max([1, *(len(cell) for row in board.cells for cell in row)])
        rows = (
            " ".join(_SHOWN.get(cell, cell).rjust(width_of_cell) for cell in row)
            for row in board.cells
        )
        blocks.append([*wrap(board.label, _BOARD_LETTERS), *rows])
    # Boards stand on one line, however many lines their labels take.
    for band in side_by_side(blocks, width, _BOARD_GAP, at_bottom=True):
        yield from [*band, ""]


def table_text(table: Table, width: int = 100) -> str:
    """Return one table of a report as plain text, cut into parts where it is wider."""
    return "\n".join(line.rstrip() for line in _table(table, width, width)) + "\n"


def highlighted(text: str, style: Callable[[str, str], str]) -> str:
    """Return the text of a report with headings and marked numbers passed through `style`.

    `style` takes a text and what it is: "heading", "good" for a number that agrees with the
    printed one, or "odd" for one that does not.
    """
    text = re.sub(_HEADING, lambda match: style(match[0], "heading"), text)
    for marks, kind in ((_GOOD, "good"), (_ODD, "odd")):
        number = rf"\d\S* [{marks}](?=\s)"
        text = re.sub(number, lambda match, kind=kind: style(match[0], kind), text)  # type: ignore[misc]
    return text


def _prose(text: str, width: int, bullet: str = "") -> list[str]:
    """Return a text in lines, each of its own lines a paragraph, or all of it behind a bullet."""
    return [
        line
        for paragraph in text.strip().splitlines()
        for line in wrap(
            paragraph,
            max(width, _NARROWEST),
            initial_indent=bullet,
            subsequent_indent=" " * len(bullet),
            break_on_hyphens=False,
        )
    ]


def _table(table: Table, width: int, table_width: int) -> Iterator[str]:
    if table.title:
        yield from _prose(table.title, width)
    for part in parts_of(table, table_width):
        yield ""
        yield from _lines(part)
    if table.caption or table.legend:
        yield ""
    for line in (table.caption, table.legend):
        if line:
            yield from _prose(line, width)


def _lines(table: Table) -> Iterator[str]:
    """Yield the table line by line: labels to the left, numbers to the right."""
    label_widths = _label_widths(table)
    widths = [*label_widths, *_entry_widths(table)]
    if table.over:
        yield " " * (sum(label_widths) + COLUMN_GAP * len(label_widths)) + table.over
    rows: list[list[str]] = []
    group = ""
    for row in table.rows:
        labels = list(row.labels)
        if len(labels) > 1 and labels[0] == group:
            labels[0] = ""
        elif len(labels) > 1 and group:
            rows.append([""] * len(widths))
        group = row.labels[0]
        rows.append([*labels, *map(shown, row.entries)])
    columns = [
        TextColumn(heading, [row[index] for row in rows], left=index < len(label_widths))
        for index, heading in enumerate([*table.headings, *table.columns])
    ]
    yield from [*heading_lines(columns, widths), rule(widths), *row_lines(columns, widths)]


def shown(entry: Entry) -> str:
    """Return an entry with its mark behind it."""
    return f"{entry.text} {entry.mark.value}" if entry.mark.value else entry.text


def _label_widths(table: Table) -> list[int]:
    return [
        max(map(len, [heading, *(row.labels[at] for row in table.rows)]))
        for at, heading in enumerate(table.headings)
    ]


def _entry_widths(table: Table) -> list[int]:
    return [
        max(map(len, [*column.split(), *(shown(row.entries[at]) for row in table.rows)]))
        for at, column in enumerate(table.columns)
    ]


def parts_of(table: Table, width: int) -> Iterator[Table]:
    """Yield the table cut into as many parts as it takes to fit `width` characters."""
    rest = width - sum(_label_widths(table)) - COLUMN_GAP * len(table.headings)
    for band in (
        column_groups(_entry_widths(table), rest, COLUMN_GAP) if table.columns else [slice(0)]
    ):
        rows = tuple(Row(row.labels, row.entries[band]) for row in table.rows)
        yield replace(table, columns=table.columns[band], rows=rows)
