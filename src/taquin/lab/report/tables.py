"""Tables made from records: each kind that a study file can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import exp, fsum, log

from taquin.lab.report.document import Entry, Mark, Row, Table
from taquin.lab.report.grouping import (
    Grouping,
    Spread,
    heading,
    label_of,
    ordered,
    solved_by_both,
    spread_of,
)
from taquin.lab.report.measures import MEASURES, Measure, Style
from taquin.lab.report.spec import ReportSpec, Statistic, TableSpec, Tabling
from taquin.lab.run.record import Record
from taquin.lab.study.study import Cell

_NONE = Entry("–")
"""A cell without a number."""

_SPREAD_COLUMNS = {
    "lowest": "low",
    "lower quartile": "lower_quartile",
    "median": "median",
    "upper quartile": "upper_quartile",
    "highest": "high",
}
"""The columns of a spread with the fields they show."""


def table_of(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    """Return the table that `spec` asks for; raise UnsuitableError for a key no record has."""
    return _MAKERS[spec.kind](spec, grouping.where(spec.where), report)


def _printed(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    groups = grouping.groups(spec.rows, spec.columns)
    names = [label_of(value) for value in ordered(column for _, column in groups)]
    # Boards that only the source has come last.
    names += [name for words in report.printed.values() for name in words]
    columns = tuple(dict.fromkeys(names))
    rows: list[Row] = []
    for head in ordered(row for row, _ in groups):
        cells = {label_of(column): found for (row, column), found in groups.items() if row == head}
        rows += _printed_rows(label_of(head), cells, columns, spec.value, report.printed)
    return Table(
        title=spec.title,
        headings=(heading(spec.rows, report.headings), ""),
        columns=columns,
        rows=tuple(rows),
        over=heading(spec.columns, report.headings),
        caption=_caption(spec, rows, spec.value.defined),
    )


def _printed_rows(
    label: str,
    cells: Mapping[str, list[Record]],
    columns: Sequence[str],
    measure: Measure,
    printed: Mapping[str, Mapping[str, str | float]],
) -> list[Row]:
    """Return the rows of one search: what is printed, then what was measured."""
    words = printed.get(label, {})
    figures: dict[str, float] = {}
    for column, records in cells.items():
        known = {record.run.printed for record in records if record.run.printed is not None}
        if len(known) == 1:
            figures[column] = known.pop()
    figures |= {column: word for column, word in words.items() if not isinstance(word, str)}
    spreads = {column: spread_of(measure, records) for column, records in cells.items()}
    runs = max((spread.count for spread in spreads.values() if spread), default=0)

    def measured(field: str, against: Mapping[str, float]) -> tuple[Entry, ...]:
        return tuple(
            _measured(measure, spreads.get(column), field, against.get(column))
            for column in columns
        )

    rows = []
    if figures or words:
        shown = [
            Entry(word)
            if isinstance(word := words.get(column), str)
            else _entry(measure, figures.get(column))
            for column in columns
        ]
        rows.append(Row((label, "printed"), tuple(shown)))
    name = f"median of {runs}" if runs > 1 else "measured"
    rows.append(Row((label, name), measured("median", figures)))
    if runs > 1:
        rows.append(Row((label, "lowest"), measured("low", {})))
        rows.append(Row((label, "highest"), measured("high", {})))
    return rows


def _measured(measure: Measure, spread: Spread | None, field: str, printed: float | None) -> Entry:
    if spread is None:
        return _NONE
    value: float = getattr(spread, field)
    mark = Mark.NONE
    if printed is not None and spread.single and not spread.open_runs:
        mark = Mark.EQUAL if value == printed else Mark.DIFFERENT
    elif printed is not None:
        reached = printed <= spread.high or spread.is_open(spread.high)
        mark = Mark.INSIDE if spread.low <= printed and reached else Mark.OUTSIDE
    return _entry(measure, value, mark, opened=spread.is_open(value))


def _pivot(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    spreads = grouping.spreads(spec.value, spec.rows, spec.columns)
    columns = ordered(column for _, column in spreads)
    rows = [
        Row(
            (label_of(row),),
            tuple(_statistic(spec, spreads.get((row, column))) for column in columns),
        )
        for row in ordered(row for row, _ in spreads)
    ]
    runs = {spread.count for spread in spreads.values()}
    words = spec.value.defined
    if spec.value.style is not Style.SHARE and runs - {1}:
        words += f" Each is {spec.statistic.words} of {span_in_words(runs)} runs."
    return _simple(spec, report, [label_of(column) for column in columns], rows, words)


def _statistic(spec: TableSpec, spread: Spread | None) -> Entry:
    if spread is None:
        return _NONE
    if spec.statistic is Statistic.COUNT:
        return _count(spread.count)
    value, opened = picked(spec.value, spec.statistic, spread)
    return _entry(spec.value, value, opened=opened)


def _spread(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    spreads = grouping.spreads(spec.value, spec.rows)
    rows = []
    for head in ordered(row for (row,) in spreads):
        spread = spreads[(head,)]
        numbers = [getattr(spread, field) for field in _SPREAD_COLUMNS.values()]
        entries = [
            _count(spread.count),
            *(_entry(spec.value, value, opened=spread.is_open(value)) for value in numbers),
            _entry(spec.value, spread.mean, opened=spread.mean_is_open),
        ]
        rows.append(Row((label_of(head),), tuple(entries)))
    return _simple(spec, report, ["runs", *_SPREAD_COLUMNS, "mean"], rows, spec.value.defined)


def _overview(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    unit = spec.value.unit
    shown = {
        "solved": MEASURES["solved"],
        "proven shortest": MEASURES["optimal"],
        "length": MEASURES["cost"],
        unit: spec.value,
        "seconds": MEASURES["seconds"],
    }
    rows = []
    for (head,), records in grouping.groups(spec.rows).items():
        entries = [_count(len(records))]
        for measure in shown.values():
            spread = spread_of(measure, records)
            if spread is None:
                entries.append(_NONE)
            else:
                value, opened = picked(measure, Statistic.MEDIAN, spread)
                entries.append(_entry(measure, value, opened=opened))
        rows.append(Row((label_of(head),), tuple(entries)))
    words = f"Length, {unit} and seconds are medians; {unit}: {spec.value.definition}."
    return _simple(spec, report, ["runs", *shown], rows, words)


def _ratio(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    found: dict[Cell, list[tuple[float, float]]] = {}
    for (head,), records in grouping.groups(spec.rows).items():
        if pairs := solved_by_both(records, spec.against, spec.value):
            found[head] = pairs
    rows = []
    for head in ordered(found):
        middle = [
            Spread.of((value, False) for value in values)
            for values in zip(*found[head], strict=True)
        ]
        quotients = [one / other for one, other in found[head] if one > 0 and other > 0]
        ratio = exp(fsum(map(log, quotients)) / len(quotients)) if quotients else None
        entries = [
            _count(len(found[head])),
            *(_entry(spec.value, spread.median if spread else None) for spread in middle),
            _NONE if ratio is None else Entry(f"{ratio:,.2f}", ratio),
        ]
        rows.append(Row((label_of(head),), tuple(entries)))
    words = (
        f"Medians of {spec.value.unit} ({spec.value.definition}) over the boards that both "
        f"searches solved; the quotient is the geometric mean over those boards."
    )
    return _simple(spec, report, ["boards", *spec.against, "quotient"], rows, words)


_MAKERS: dict[Tabling, Callable[[TableSpec, Grouping, ReportSpec], Table]] = {
    Tabling.PRINTED: _printed,
    Tabling.PIVOT: _pivot,
    Tabling.SPREAD: _spread,
    Tabling.OVERVIEW: _overview,
    Tabling.RATIO: _ratio,
}


def picked(measure: Measure, statistic: Statistic, spread: Spread) -> tuple[float, bool]:
    """Return a statistic, and whether it is only a lower bound; of shares it is the mean."""
    if measure.style is Style.SHARE or statistic is Statistic.MEAN:
        return spread.mean, spread.mean_is_open
    value: float = getattr(spread, statistic.value)
    return value, spread.is_open(value)


def span_in_words(counts: Iterable[int]) -> str:
    """Return the lowest and the highest of some counts in words.

    >>> span_in_words([3, 1200]), span_in_words([5])
    ('3 to 1,200', '5')
    """
    found = sorted({*counts})
    return f"{found[0]:,}" if len(found) == 1 else f"{found[0]:,} to {found[-1]:,}"


def _simple(
    spec: TableSpec, report: ReportSpec, columns: Sequence[str], rows: Sequence[Row], words: str
) -> Table:
    """Return a table whose rows have one label each."""
    return Table(
        title=spec.title,
        headings=(heading(spec.rows, report.headings),),
        columns=tuple(columns),
        rows=tuple(rows),
        over=heading(spec.columns, report.headings) if spec.kind is Tabling.PIVOT else "",
        caption=_caption(spec, rows, words),
    )


def _caption(spec: TableSpec, rows: Sequence[Row], words: str) -> str:
    said = [spec.caption, words]
    if any(entry.text.startswith("≥") for row in rows for entry in row.entries):
        said.append("≥: a limit ended runs, which would have taken at least that many.")
    return " ".join(part for part in said if part)


def _count(count: int) -> Entry:
    return Entry(f"{count:,}", count)


def _entry(
    measure: Measure, value: float | None, mark: Mark = Mark.NONE, opened: bool = False
) -> Entry:
    text = measure.text(value)
    return Entry(f"≥ {text}" if opened else text, value, mark)
