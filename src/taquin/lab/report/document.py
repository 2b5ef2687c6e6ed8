"""What a report is, whatever shows it: sections of words, tables and figures.

    Report ── Section ─┬─ Drawn                      a board, or what it is to become
                       ├─ Table ── Row ── Entry      a number with a mark: as printed, or not
                       └─ Figure ── Series           points with their spread

The terminal, the page and the plots are made from these values; none of them looks at a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Mark(Enum):
    """How a measured number stands to the printed one."""

    NONE = ""
    """There is none to compare with."""
    EQUAL = "="
    """It is the same."""
    DIFFERENT = "≠"
    """It is another."""
    INSIDE = "∈"
    """The printed one lies between the lowest and the highest of the runs."""
    OUTSIDE = "∉"
    """The printed one lies outside what the runs gave."""


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
    """What is shown."""
    value: float | None = None
    """The number behind it; None for words."""
    mark: Mark = Mark.NONE
    """How it stands to the printed figure."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    labels: tuple[str, ...]
    """What stands at its head: one label for each of the table's headings."""
    entries: tuple[Entry, ...]
    """One for each column."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers in rows and columns."""

    title: str
    headings: tuple[str, ...]
    """What the labels of its rows are."""
    columns: tuple[str, ...]
    """The labels of its columns."""
    rows: tuple[Row, ...]
    over: str = ""
    """What the labels of its columns are; empty where they speak for themselves."""
    caption: str = ""
    """What was counted, and how to read it."""

    def entry(self, row: str | tuple[str, ...], column: str) -> Entry:
        """Return the cell at a row, named by its labels, and a column; raise KeyError for none."""
        labels = (row,) if isinstance(row, str) else row
        for each in self.rows:
            if each.labels == labels:
                if column in self.columns:
                    return each.entries[self.columns.index(column)]
                break
        raise KeyError((labels, column))

    @property
    def legend(self) -> str:
        """Return what its marks mean; empty for a table without any."""
        used = {entry.mark for row in self.rows for entry in row.entries}
        return "; ".join(
            f"{mark.value} {meaning}" for mark, meaning in _MEANINGS.items() if mark in used
        )


class FigureKind(Enum):
    """What a figure looks like."""

    LINES = "lines"
    """Points joined by lines, with bars for their spread."""
    BARS = "bars"
    """ErrorBars side by side, grouped by what stands below them."""
    CACTUS = "cactus"
    """Runs solved against the effort each was allowed."""
    SCATTER = "scatter"
    """One search against another, a point for each board."""
    HISTOGRAM = "histogram"
    """How often each value comes."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a figure."""

    x: float
    """Where it stands; the number of its category where the axis has names."""
    y: float
    low: float | None = None
    """Lower end of its spread; None for no spread."""
    high: float | None = None
    """Upper end of its spread."""
    printed: float | None = None
    """The figure that the source document prints here."""
    open: bool = False
    """Whether `y` is only a lower bound, as limits cut runs short."""


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """One side of a figure."""

    label: str
    """What it shows, with the unit."""
    log: bool = False
    """Whether each step multiplies."""
    names: tuple[str, ...] = ()
    """The categories 0, 1, 2 …; empty for a scale of numbers."""
    share: bool = False
    """Whether it shows parts of a whole, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, as data."""

    name: str
    """What its file is called, without the ending; no two figures of a report share one."""
    kind: FigureKind
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    caption: str
    """What was counted, over how many runs, and what the bars mean."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board or a goal, as it is drawn."""

    label: str
    cells: tuple[tuple[str, ...], ...]
    """What each cell shows, row by row: a tile, a wall `#`, or nothing."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under its own heading."""

    title: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    boards: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a study found, ready to be shown."""

    name: str
    """Name of the study."""
    title: str
    description: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    """Remarks on the whole, such as errata of the source document."""
    origin: str = ""
    """How many runs, by which code, on which machines."""

    @property
    def tables(self) -> Iterator[Table]:
        """Yield every table."""
        for section in self.sections:
            yield from section.tables

    @property
    def figures(self) -> Iterator[Figure]:
        """Yield every figure."""
        for section in self.sections:
            yield from section.figures
