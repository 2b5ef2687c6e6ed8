"""The parts of a report (sections of text, tables and figures), and a report as plain text.

    Report ── Section ─┬─ BoardDrawing               a board or a goal
                       ├─ Table ── Row ── Entry      a number with a mark: as printed, or not
                       └─ Figure ── Series           points with their spread

Text, page and plots are made from these values; none of them reads a record. `to_text` is for files
and pipes; `highlighted` styles its result for terminals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from textwrap import wrap

from taquin.system import formatting
from taquin.system.formatting import COLUMN_GAP


class Mark(Enum):
    """How a measured number compares with the printed one; `_MEANINGS` explains the marks."""

    NONE = ""
    EQUAL = "="
    DIFFERENT = "≠"
    INSIDE = "∈"
    OUTSIDE = "∉"


_MEANINGS = {
    Mark.EQUAL: "as printed",
    Mark.DIFFERENT: "not as printed",
    Mark.INSIDE: "the printed figure lies within the range of the runs",
    Mark.OUTSIDE: "the printed figure lies outside the range of the runs",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell of a table."""

    text: str
    value: float | None = None
    """The number behind it; None for text without one."""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    labels: tuple[str, ...]
    """One for each of the table's headings."""
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers in rows and columns."""

    title: str
    headings: tuple[str, ...]
    """The headings of the row labels."""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    over: str = ""
    """The heading of the column labels; may be empty."""
    caption: str = ""
    """The definition of the numbers, and how to read them."""

    def entry(self, row: str | tuple[str, ...], column: str) -> Entry:
        """Return the cell of a row and a column by their labels; raise KeyError if missing."""
        labels = (row,) if isinstance(row, str) else row
        for line in self.rows:
            if line.labels == labels and column in self.columns:
                return line.entries[self.columns.index(column)]
        raise KeyError((labels, column))

    @property
    def legend(self) -> str:
        """The meaning of its marks; empty for a table without any."""
        used = {entry.mark for row in self.rows for entry in row.entries}
        meanings = ((mark, text) for mark, text in _MEANINGS.items() if mark in used)
        return "; ".join(f"{mark.value} {text}" for mark, text in meanings)


class FigureKind(Enum):
    """The kind of a figure."""

    LINES = "lines"
    """Points joined by lines, with bars for their spread."""
    BARS = "bars"
    """Bars side by side, grouped by the horizontal axis."""
    CACTUS = "cactus"
    """The number of runs solved within each effort."""
    SCATTER = "scatter"
    """One search against another, a point for each board."""
    HISTOGRAM = "histogram"
    """How often each value occurs."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a figure."""

    x: float
    """The horizontal position; the number of the category if the axis has names."""
    y: float
    low: float | None = None
    high: float | None = None
    """The ends of its spread; None for no spread."""
    printed: float | None = None
    """The figure that the source document prints here."""
    open: bool = False
    """Whether `y` is only a lower bound, because limits ended runs."""


@dataclass(frozen=True, slots=True)
class Series:
    """Points with one label and one colour."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a figure."""

    label: str
    """The quantity with its unit."""
    log: bool = False
    """Whether it is logarithmic."""
    names: tuple[str, ...] = ()
    """The categories 0, 1, 2 …; empty for a scale of numbers."""
    share: bool = False
    """Whether it shows shares from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The data of a plot."""

    name: str
    """The name of its file, without the suffix, which no other figure of the report has."""
    kind: FigureKind
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    caption: str
    """The definition of the numbers, the number of runs, and the meaning of the error bars."""

    @property
    def points(self) -> list[Point]:
        """The points of all series."""
        return [point for series in self.series for point in series.points]


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board or a goal with its label."""

    label: str
    cells: tuple[tuple[str, ...], ...]
    """The text of each cell, row by row: a tile, `#` for a wall, or empty."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report with a heading."""

    title: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    boards: tuple[BoardDrawing, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a study, ready to be shown."""

    name: str
    title: str
    description: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    """Remarks on the whole study, such as errata of the source document."""
    origin: str = ""
    """The number of runs, the version of the code and the machines."""
    damaged: int = 0
    """The number of records that cannot be read, which the notes list."""

    @property
    def tables(self) -> Iterator[Table]:
        """Every table."""
        return (table for section in self.sections for table in section.tables)

    @property
    def figures(self) -> Iterator[Figure]:
        """Every figure."""
        return (figure for section in self.sections for figure in section.figures)


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
    return formatting.side_by_side(blocks, width, _BOARD_GAP, at_bottom=True)


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
    """Yield the table line by line: labels to the left, numbers to the right."""
    yield from _prose(table.title, width)
    for part in parts_of(table, table_width):
        yield ""
        label_widths, entry_widths = _widths(part)
        widths = [*label_widths, *entry_widths]
        if part.over:
            yield " " * (sum(label_widths) + COLUMN_GAP * len(label_widths)) + part.over
        rows: list[list[str]] = []
        group = ""
        for row in part.rows:
            labels = list(row.labels)
            if len(labels) > 1 and labels[0] == group:
                labels[0] = ""
            elif len(labels) > 1 and group:
                rows.append([""] * len(widths))
            group = row.labels[0]
            rows.append([*labels, *map(_entry_text, row.entries)])
        headings = enumerate([*part.headings, *part.columns])
        columns = [
            formatting.TextColumn(text, [row[index] for row in rows], index < len(label_widths))
            for index, text in headings
        ]
        yield from formatting.heading_lines(columns, widths)
        yield formatting.rule(widths)
        yield from formatting.row_lines(columns, widths)
    if table.caption or table.legend:
        yield ""
    for text in (table.caption, table.legend):
        yield from _prose(text, width)


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
    for part in formatting.column_groups(entries, rest, COLUMN_GAP) if entries else [slice(0)]:
        rows = tuple(Row(row.labels, row.entries[part]) for row in table.rows)
        yield replace(table, columns=table.columns[part], rows=rows)
