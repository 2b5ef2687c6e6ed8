"""How a study wants to be shown: the `[report]` table of its file.

[report]
value = "dequeued"                      what is counted, unless a table or figure says otherwise
pool_limits = false                     whether runs with different limits go into one group

[[report.sections]]
title = "Nodes by width"

[[report.sections.tables]]
kind = "printed"                        printed | pivot | spread | overview | ratio
columns = "width"

[[report.sections.figures]]
kind = "lines"                          lines | bars | cactus | scatter | histogram
x = "width"
log = "y"

[[report.sections]]
title = "Boards"
boards = true                           draw the boards and their goals

[report.printed."DFS"]                  what the source prints besides figures, or for boards
"W = 6" = "out of memory"               that the study does not have
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, TypeVar

from taquin.lab.report.document import FigureKind
from taquin.lab.report.measures import MEASURES, Measure
from taquin.lab.study.study import ColumnValue
from taquin.lab.study.toml_table import TomlTable, is_number
from taquin.system.words import unknown

Where = Mapping[str, ColumnValue | list[ColumnValue]]
"""Which records to show: a key with the value, or one of the values, it must have."""


class TableKind(Enum):
    """What a table shows."""

    PRINTED = "printed"
    """The figures of the source document, and below each what was measured."""
    PIVOT = "pivot"
    """One statistic in rows and columns."""
    SPREAD = "spread"
    """The lowest, the quartiles, the highest and the mean, a line for each group."""
    OVERVIEW = "overview"
    """Each search on a line: solved, length, nodes, seconds."""
    RATIO = "ratio"
    """Two searches on the same boards, and the quotient of their numbers."""


class Statistic(Enum):
    """One number for several runs; each is a field of `Spread`."""

    MEDIAN = "median"
    MEAN = "mean"
    LOW = "low"
    HIGH = "high"
    COUNT = "count"

    @property
    def words(self) -> str:
        """Return what a caption calls it."""
        return f"the {_WORDS.get(self, self.value)}"


_WORDS = {Statistic.LOW: "lowest", Statistic.HIGH: "highest", Statistic.COUNT: "number"}


class ErrorBars(Enum):
    """What error bars reach over."""

    RANGE = "range"
    """From the lowest to the highest."""
    QUARTILES = "quartiles"
    """The middle half of the runs."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table to make."""

    kind: TableKind
    value: Measure
    title: str = ""
    rows: str = "search"
    columns: str = "board"
    statistic: Statistic = Statistic.MEDIAN
    against: tuple[str, ...] = ()
    """The two searches of a ratio."""
    where: Where = field(default_factory=dict)
    common: bool = False
    """Whether only boards count that every search solved."""
    pool_limits: bool = False
    """Whether runs of one search with different limits go into one group."""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """One figure to make."""

    kind: FigureKind
    value: Measure
    title: str = ""
    x: str = "board"
    series: str = "search"
    statistic: Statistic = Statistic.MEDIAN
    log: str = ""
    """The axes on which each step multiplies: `x`, `y`, `xy` or none."""
    bars: ErrorBars = ErrorBars.RANGE
    against: tuple[str, ...] = ()
    """The two searches of a scatter plot, the horizontal one first."""
    where: Where = field(default_factory=dict)
    common: bool = False
    """Whether only boards count that every search solved."""
    pool_limits: bool = False
    """Whether runs of one search with different limits go into one group."""
    caption: str = ""
    label: str = ""
    """What the horizontal axis says; the heading of `x` where empty."""


Asked = TypeVar("Asked", TableSpec, FigureSpec)


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """One section to make."""

    title: str
    text: str = ""
    tables: tuple[TableSpec, ...] = ()
    figures: tuple[FigureSpec, ...] = ()
    notes: tuple[str, ...] = ()
    boards: bool = False
    """Whether the boards are drawn."""


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """The whole `[report]` table."""

    value: Measure = MEASURES["generated"]
    """What is counted where a table or a figure does not say."""
    pool_limits: bool = False
    """Whether runs of one search with different limits go into one group."""
    sections: tuple[SectionSpec, ...] = ()
    printed: Mapping[str, Mapping[str, str | float]] = field(default_factory=dict)
    """By label of the search, then of the board or column: words, or figures without a run."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """What to write for a key: `width` may be called `width of the grid`."""


def read_report(content: Mapping[str, Any]) -> ReportSpec:
    """Return what `content` asks for; raise TaquinError that names the key at fault."""
    table = TomlTable(content, "report")
    value = _measure(table, "value", MEASURES["generated"])
    pool = table.flag("pool_limits")
    sections = tuple(_section(section, value, pool) for section in _listed(table, "sections"))
    printed = {
        search: TomlTable(figures, f"report.printed.{search}").free(
            lambda found: isinstance(found, str) or is_number(found), "a number or a text"
        )
        for search, figures in table.table("printed").free().items()
    }
    headings = table.table("headings").free(
        lambda found: isinstance(found, str), "a text in quotes"
    )
    table.finish()
    return ReportSpec(value, pool, sections, printed, headings)


def _listed(table: TomlTable, key: str) -> list[TomlTable]:
    return table.tables(key) if key in table else []


def _section(section: TomlTable, value: Measure, pool: bool) -> SectionSpec:
    spec = SectionSpec(
        title=section.text("title"),
        text=section.text("text", ""),
        tables=tuple(_table(each, value, pool) for each in _listed(section, "tables")),
        figures=tuple(_figure(each, value, pool) for each in _listed(section, "figures")),
        notes=tuple(section.texts("notes")),
        boards=section.flag("boards"),
    )
    section.finish()
    return spec


def _table(table: TomlTable, value: Measure, pool: bool) -> TableSpec:
    spec = _laid_over(table, TableSpec(TableKind.PIVOT, value, pool_limits=pool))
    if spec.kind is TableKind.RATIO and len(spec.against) != 2:
        raise table.error("against", "a ratio is of two searches: give both labels")
    return spec


def _figure(table: TomlTable, value: Measure, pool: bool) -> FigureSpec:
    spec = _laid_over(table, FigureSpec(FigureKind.LINES, value, pool_limits=pool))
    if spec.kind is FigureKind.SCATTER and len(spec.against) != 2:
        raise table.error("against", "a scatter plot is of two searches: give both labels")
    if set(spec.log) - {"x", "y"}:
        raise table.error("log", f'expected "x", "y" or "xy", found {spec.log!r}')
    return spec


def _laid_over(table: TomlTable, usual: Asked) -> Asked:
    """Return `usual` with what the table says; each field is read as what it usually holds."""
    given: dict[str, Any] = {}
    for name in (each.name for each in fields(usual)):
        value = getattr(usual, name)
        if isinstance(value, Measure):
            given[name] = _measure(table, name, value)
        elif isinstance(value, Enum):
            given[name] = table.member(name, type(value), value)
        elif isinstance(value, bool):
            given[name] = table.flag(name, value)
        elif isinstance(value, str):
            given[name] = table.text(name, value)
        elif isinstance(value, tuple):
            given[name] = tuple(table.texts(name))
        else:
            given[name] = _where(table.table(name))
    table.finish()
    return replace(usual, **given)


def _measure(table: TomlTable, key: str, usual: Measure) -> Measure:
    name = table.text(key, usual.name)
    if name not in MEASURES:
        raise table.error(key, unknown("measure", name, MEASURES))
    return MEASURES[name]


def _where(table: TomlTable) -> Where:
    def suits(found: Any) -> bool:
        values = found if isinstance(found, list) else [found]
        return all(isinstance(value, ColumnValue) for value in values)

    return table.free(suits, "a text, a number, or a list of them")
