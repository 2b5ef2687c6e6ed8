"""A report as plain text for files and pipes, which `highlighted` styles for terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from taquin.lab.report.document import BoardDrawing, Entry, Mark, Report, Row, Table
from taquin.system import layout
from taquin.system.layout import COLUMN_GAP

_BOARD_GAP = 4
_LABEL_WIDTH = 16
"""The most characters in a line of the label of a board."""
_CELL_TEXTS = {"": "·", "#": "█"}
"""The text of cells without a tile."""
_LEAST_WIDTH = 24
_HEADING = r"(?m)^.+\n[=-]+$"
_AGREEING = Mark.EQUAL.value + Mark.INSIDE.value
_MARKED_NUMBER = rf"\d\S* ([{''.join(mark.value for mark in Mark)}])(?=\s)"


def to_text(report: Report, width: int = 100, *, cut: bool = True) -> str:
    """Return the report as plain text, prose in lines of at most `width` characters.

    Unless `cut` is false, wider tables are split into parts, each with the row labels.
    """
    table_width = width if cut else 10**6
    blocks = [_heading(report.title, "="), _prose(report.description, width)]
    for section in report.sections:
        blocks += [_heading(section.title, "-"), _prose(section.text, width)]
        blocks += _boards(section.boards, width)
        if section.figures and not section.tables:
            titles = "; ".join(figure.title for figure in section.figures if figure.title)
            hint = f"{titles or 'A figure'}: drawn by --html FILE, or --plots FOLDER."
            blocks.append(_prose(hint, width))
        blocks += [list(_table(table, width, table_width)) for table in section.tables]
        blocks += [_prose(note, width, "• ") for note in section.notes]
    if report.notes:
        notes = [line for note in report.notes for line in _prose(note, width, "• ")]
        blocks += [_heading("Notes", "-"), notes]
    blocks.append(_prose(report.origin, width))
    return "\n\n".join(_joined(block) for block in blocks if block).rstrip() + "\n"


def table_text(table: Table, width: int = 100) -> str:
    """Return one table of a report as plain text, split into parts if wider than `width`."""
    return _joined(_table(table, width, width)) + "\n"


def highlighted(text: str, style: Callable[[str, str], str]) -> str:
    """Return the text of a report with headings and marked numbers passed through `style`.

    `style` takes a text and its kind: "heading", "good" for a number that agrees with the printed
    one, or "odd" for another.
    """
    text = re.sub(_HEADING, lambda match: style(match[0], "heading"), text)
    return re.sub(
        _MARKED_NUMBER,
        lambda match: style(match[0], "good" if match[1] in _AGREEING else "odd"),
        text,
    )


def _joined(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines)


def _heading(title: str, underline: str) -> list[str]:
    return [title, underline * len(title)]


def _boards(boards: Sequence[BoardDrawing], width: int) -> list[list[str]]:
    """Return rows of boards side by side, as many as fit, each below its label."""
    blocks = []
    for board in boards:
        cell_width = max([1, *(len(cell) for row in board.cells for cell in row)])
        rows = (
            " ".join(_CELL_TEXTS.get(cell, cell).rjust(cell_width) for cell in row)
            for row in board.cells
        )
        blocks.append([*wrap(board.label, _LABEL_WIDTH), *rows])
    # Aligned at the bottom, because labels may have several lines.
    return layout.side_by_side(blocks, width, _BOARD_GAP, at_bottom=True)


def _prose(text: str, width: int, bullet: str = "") -> list[str]:
    """Return the lines of a text; each line of the text is a paragraph, behind the bullet."""
    return [
        line
        for paragraph in text.strip().splitlines()
        for line in wrap(
            paragraph,
            max(width, _LEAST_WIDTH),
            initial_indent=bullet,
            subsequent_indent=" " * len(bullet),
            break_on_hyphens=False,
        )
    ]


def _table(table: Table, width: int, table_width: int) -> Iterator[str]:
    yield from _prose(table.title, width)
    for part in parts_of(table, table_width):
        yield ""
        yield from _table_lines(part)
    if table.caption or table.legend:
        yield ""
    for text in (table.caption, table.legend):
        yield from _prose(text, width)


def _table_lines(table: Table) -> Iterator[str]:
    """Yield the table line by line: labels to the left, numbers to the right."""
    label_widths, entry_widths = _widths(table)
    widths = [*label_widths, *entry_widths]
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
        rows.append([*labels, *map(_entry_text, row.entries)])
    columns = [
        layout.TextColumn(heading, [row[index] for row in rows], left=index < len(label_widths))
        for index, heading in enumerate([*table.headings, *table.columns])
    ]
    yield from layout.heading_lines(columns, widths)
    yield layout.rule(widths)
    yield from layout.row_lines(columns, widths)


def _entry_text(entry: Entry) -> str:
    return f"{entry.text} {entry.mark.value}".rstrip()


def _widths(table: Table) -> tuple[list[int], list[int]]:
    """Return the widths of the labels and of the columns; headings of columns are wrapped."""
    labels = [
        max(map(len, [heading, *(row.labels[index] for row in table.rows)]))
        for index, heading in enumerate(table.headings)
    ]
    entries = [
        max(map(len, [*column.split(), *(_entry_text(row.entries[index]) for row in table.rows)]))
        for index, column in enumerate(table.columns)
    ]
    return labels, entries


def parts_of(table: Table, width: int) -> Iterator[Table]:
    """Yield the table split into parts that fit `width` characters."""
    labels, entries = _widths(table)
    rest = width - sum(labels) - COLUMN_GAP * len(labels)
    for part in layout.column_groups(entries, rest, COLUMN_GAP) if entries else [slice(0)]:
        rows = tuple(Row(row.labels, row.entries[part]) for row in table.rows)
        yield replace(table, columns=table.columns[part], rows=rows)
