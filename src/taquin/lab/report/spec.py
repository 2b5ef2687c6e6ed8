"""The `[report]` table of a study file: the tables and figures of its report.

    value, pool_limits, headings, printed       see `ReportSpec`
    [[report.sections]]                         see `SectionSpec`
    [[report.sections.tables]]                  see `TableSpec`
    [[report.sections.figures]]                 see `FigureSpec`

The keys of the tables are the fields of these classes; docs/lab.md has examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, TypeVar

from taquin.lab.report.document import FigureKind
from taquin.lab.report.measures import MEASURES, Measure, check_key
from taquin.lab.study.definition import COLUMN_TYPES, ColumnValue, Study
from taquin.notation.fields import NUMBER, Fields
from taquin.system.formatting import unknown

Where = Mapping[str, list[ColumnValue]]
"""The records to show: keys with their allowed values."""


class TableKind(Enum):
    """The kind of a table."""

    PRINTED = "printed"
    """The figures of the source document, each above the measured one."""
    PIVOT = "pivot"
    """One statistic in rows and columns."""
    SPREAD = "spread"
    """The lowest, the quartiles, the highest and the mean, one line for each group."""
    OVERVIEW = "overview"
    """One line for each search: solved, length, nodes, seconds."""
    RATIO = "ratio"
    """Two searches on the boards that both solved, and the quotient of their numbers."""
    CONFIDENCE = "confidence"
    """Mean, standard deviation and median, with their confidence intervals."""
    PAIRED = "paired"
    """Every pair of searches, or the pair in `against`, with tests of significance."""


class Statistic(Enum):
    """One number for several runs; each is a field of `Spread`."""

    MEDIAN = "median"
    MEAN = "mean"
    LOW = "low"
    HIGH = "high"
    DEVIATION = "deviation"
    COUNT = "count"

    @property
    def phrase(self) -> str:
        """Its name in a caption."""
        names = {"low": "lowest", "high": "highest", "deviation": "standard deviation"}
        return f"the {'number' if self is Statistic.COUNT else names.get(self.value, self.value)}"


class ErrorBars(Enum):
    """The extent of error bars."""

    RANGE = "range"
    """From the lowest to the highest."""
    QUARTILES = "quartiles"
    """The middle half of the runs."""
    CONFIDENCE = "confidence"
    """The confidence interval of the mean or of the median."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Spec:
    """The keys that tables and figures have in common."""

    value: Measure
    title: str = ""
    statistic: Statistic = Statistic.MEDIAN
    against: tuple[str, ...] = ()
    """The two searches of a ratio or of a scatter plot, the horizontal one first."""
    where: Where = field(default_factory=dict)
    common: bool = False
    """Whether to show only boards that every search solved."""
    pool_limits: bool = False
    """Whether runs of one search with different limits are one group."""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class TableSpec(Spec):
    """The specification of a table."""

    kind: TableKind = TableKind.PIVOT
    rows: str = "search"
    columns: str = "board"


@dataclass(frozen=True, slots=True)
class FigureSpec(Spec):
    """The specification of a figure."""

    kind: FigureKind = FigureKind.LINES
    x: str = "board"
    series: str = "search"
    log: str = ""
    """The logarithmic axes: `x`, `y`, `xy` or none."""
    bars: ErrorBars = ErrorBars.RANGE
    label: str = ""
    """The label of the horizontal axis; by default the heading of `x`."""


AnySpec = TypeVar("AnySpec", bound=Spec)


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """The specification of a section."""

    title: str
    text: str = ""
    tables: tuple[TableSpec, ...] = ()
    figures: tuple[FigureSpec, ...] = ()
    notes: tuple[str, ...] = ()
    boards: bool = False
    """Whether the boards and their goals are drawn."""


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """The whole `[report]` table."""

    value: Measure = MEASURES["generated"]
    """The default measure of tables and figures."""
    pool_limits: bool = False
    sections: tuple[SectionSpec, ...] = ()
    printed: Mapping[str, Mapping[str, str | float]] = field(default_factory=dict)
    """By label of the search, then of the board or column: texts, or figures without a run."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """The headings of keys: `width of the grid` for `width`."""


def read_report(content: Mapping[str, Any], study: Study | None = None) -> ReportSpec:
    """Return the parsed `[report]` table, checked against the columns and searches of a `study`.

    Raise TaquinError that names the key at fault.
    """
    table = Fields(content, "report")
    value = _measure(table, "value", MEASURES["generated"])
    pool = table.flag("pool_limits")
    defaults = TableSpec(value, pool_limits=pool), FigureSpec(value, pool_limits=pool)
    sections = tuple(_section(entry, *defaults, study) for entry in _listed(table, "sections"))
    expected = "a number or a text"
    printed = {
        search: Fields(texts, f"report.printed.{search}").free((*NUMBER, str), expected)
        for search, texts in table.table("printed").free().items()
    }
    headings = table.table("headings").free((str,), "a text in quotes")
    table.finish()
    return ReportSpec(value, pool, sections, printed, headings)


def _listed(table: Fields, key: str) -> list[Fields]:
    return table.tables(key) if key in table else []


def _section(
    section: Fields, table: TableSpec, figure: FigureSpec, study: Study | None
) -> SectionSpec:
    spec = SectionSpec(
        title=section.required_text("title"),
        text=section.text("text", ""),
        tables=tuple(_read_spec(entry, table, study) for entry in _listed(section, "tables")),
        figures=tuple(_read_spec(entry, figure, study) for entry in _listed(section, "figures")),
        notes=tuple(section.texts("notes")),
        boards=section.flag("boards"),
    )
    section.finish()
    return spec


def _read_spec(table: Fields, default: AnySpec, study: Study | None) -> AnySpec:
    """Return `default` with the values of the table, read by the types of the defaults."""
    values: dict[str, Any] = {}
    for name in (entry.name for entry in fields(default)):
        value = getattr(default, name)
        if isinstance(value, Measure):
            values[name] = _measure(table, name, value)
        elif isinstance(value, Enum):
            values[name] = table.member(name, type(value), value)
        elif isinstance(value, bool):
            values[name] = table.flag(name, value)
        elif isinstance(value, str):
            values[name] = table.text(name, value)
        elif isinstance(value, tuple):
            values[name] = tuple(table.texts(name))
        else:
            where, expected = table.table(name), "a text, a number, or a list of them"
            values[name] = {key: where.several(key, COLUMN_TYPES, expected) for key in where.free()}
    table.finish()
    pairs = {TableKind.RATIO: "a ratio", FigureKind.SCATTER: "a scatter plot"}
    if values["kind"] in pairs and len(values["against"]) != 2:
        noun = pairs[values["kind"]]
        raise table.error("against", f"{noun} needs the labels of two searches")
    if values["kind"] is TableKind.PAIRED and len(values["against"]) not in (0, 2):
        raise table.error("against", "a paired test needs the labels of two searches, or none")
    statistics = (Statistic.MEAN, Statistic.MEDIAN)
    if values.get("bars") is ErrorBars.CONFIDENCE and values["statistic"] not in statistics:
        raise table.error("bars", "confidence intervals need the statistic mean or median")
    if set(values.get("log", "")) - {"x", "y"}:
        raise table.error("log", f'expected "x", "y" or "xy", found {values["log"]!r}')
    if study is not None:
        columns = [name for case in study.cases for name in case.columns]
        columns += [name for search in study.searches for name in search.columns]
        names = [name for name in ("rows", "columns", "x", "series") if name in values]
        keys = [(name, values[name]) for name in names]
        for name, key in [*keys, *(("where", key) for key in values["where"])]:
            with table.blaming(name):
                check_key(key, dict.fromkeys(columns))
        labels = [search.label for search in study.searches]
        for label in values["against"]:
            if label not in labels:
                raise table.error("against", unknown("search", label, labels))
    return replace(default, **values)


def _measure(table: Fields, key: str, default: Measure) -> Measure:
    name = table.text(key, default.name)
    if name not in MEASURES:
        raise table.error(key, unknown("measure", name, MEASURES))
    return MEASURES[name]
