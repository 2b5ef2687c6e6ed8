"""The parts of a report: sections of text, tables and figures.

    Report ── Section ─┬─ BoardDrawing               a board or a goal
                       ├─ Table ── Row ── Entry      a number with a mark: as printed, or not
                       └─ Figure ── Series           points with their spread

The text, the page and the plots are made from these values; none of them reads a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


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
