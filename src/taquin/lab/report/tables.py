"""The tables of a report, made from records: one function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import exp, fsum, log

from taquin.lab.report import measures
from taquin.lab.report.document import Entry, Mark, Row, Table
from taquin.lab.report.grouping import Grouping, heading, label_of, printed_figure, solved_by_both
from taquin.lab.report.measures import Measure, Style
from taquin.lab.report.spec import ReportSpec, Statistic, TableKind, TableSpec
from taquin.lab.run.record import Ending, Record
from taquin.lab.study.study import ColumnValue

LIMITS_APART = "≤: runs of one search with different limits are shown apart."
"""Added to the caption if labels of groups include limits."""
_NONE = Entry("–")
"""A cell without a number."""

_SPREAD_COLUMNS = {
    "runs": "count",
    "lowest": "low",
    "lower quartile": "lower_quartile",
    "median": "median",
    "upper quartile": "upper_quartile",
    "highest": "high",
    "mean": "mean",
}
"""The columns of a spread, with the fields that they show."""

_Parts = tuple[Sequence[str], list[Row], str]
"""The columns of a table, its rows, and the text of the caption."""


def table_of(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    """Return the table of `spec`; raise UnsuitableError for a key that no record has."""
    over = spec.kind in (TableKind.PRINTED, TableKind.PIVOT)
    shown, common = grouping.where(spec.where), ""
    if not spec.pool_limits:
        shown = shown.apart(spec.rows, *([spec.columns] if over else []))
    if spec.common:
        shown, common = shown.common()
    columns, rows, words = _MAKERS[spec.kind](spec, shown, report)
    said = [spec.caption, words, common]
    if shown.has_limits_apart:
        said.append(LIMITS_APART)
    if any(entry.text.startswith("≥") for row in rows for entry in row.entries):
        said.append("≥: a limit ended runs, which would have taken at least that many.")
    return Table(
        title=spec.title,
        headings=(
            heading(spec.rows, report.headings),
            *([""] if spec.kind is TableKind.PRINTED else []),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
        over=heading(spec.columns, report.headings) if over else "",
        caption=" ".join(part for part in said if part),
    )


def _printed(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    groups = grouping.groups(spec.rows, spec.columns)
    found = grouping.ordered(spec.columns, (column for _, column in groups))
    names = [label_of(value) for value in found]
    # Boards that only the source has are last.
    names += [name for words in report.printed.values() for name in words]
    columns = list(dict.fromkeys(names))
    rows: list[Row] = []
    for head in grouping.ordered(spec.rows, (row for row, _ in groups)):
        cells = {label_of(column): found for (row, column), found in groups.items() if row == head}
        # The source knows the search by its label, without limits.
        of_search = [records[0].search for records in cells.values() if spec.rows == "search"]
        words = report.printed.get(next(iter(of_search), label_of(head)), {})
        rows += _printed_rows(label_of(head), cells, columns, spec.value, words)
    return columns, rows, spec.value.defined


def _printed_rows(
    label: str,
    cells: Mapping[str, list[Record]],
    columns: Sequence[str],
    measure: Measure,
    words: Mapping[str, str | float],
) -> list[Row]:
    """Return the rows of one search: the printed figures, then the measured ones."""
    known = {column: printed_figure(records) for column, records in cells.items()}
    figures = {column: figure for column, figure in known.items() if figure is not None}
    figures |= {column: word for column, word in words.items() if not isinstance(word, str)}
    spreads = {column: measures.spread_of(measure, records) for column, records in cells.items()}
    runs = max((spread.count for spread in spreads.values() if spread), default=0)

    def measured(name: str, field: str, against: Mapping[str, float]) -> Row:
        entries = [
            _entry(measure, spreads.get(column), field, against.get(column)) for column in columns
        ]
        return Row((label, name), tuple(entries))

    rows = []
    if figures or words:
        shown = [
            Entry(word)
            if isinstance(word := words.get(column), str)
            else Entry(measure.text(figures.get(column)), figures.get(column))
            for column in columns
        ]
        rows.append(Row((label, "printed"), tuple(shown)))
    rows.append(measured(f"median of {runs}" if runs > 1 else "measured", "median", figures))
    if runs > 1:
        rows += [measured("lowest", "low", {}), measured("highest", "high", {})]
    return rows


def _pivot(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    groups = grouping.groups(spec.rows, spec.columns)
    spreads = grouping.spreads(spec.value, spec.rows, spec.columns)
    columns = grouping.ordered(spec.columns, (column for _, column in groups))
    field = field_of(spec.value, spec.statistic)

    def entry(place: tuple[ColumnValue, ColumnValue]) -> Entry:
        endings = {record.ending for record in groups.get(place, [])}
        if endings == {Ending.UNSOLVABLE} and place not in spreads:
            return Entry("no solution")
        return _entry(spec.value, spreads.get(place), field)

    rows = [
        _row(row, [entry((row, column)) for column in columns])
        for row in grouping.ordered(spec.rows, (row for row, _ in groups))
    ]
    runs = {spread.count for spread in spreads.values()}
    words = spec.value.defined
    if spec.value.style is not Style.SHARE and runs - {1}:
        words += f" Each is {spec.statistic.words} of {span_in_words(runs)} runs."
    return [label_of(column) for column in columns], rows, words


def _spread(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    spreads = grouping.spreads(spec.value, spec.rows)
    rows = [
        _row(
            head,
            [_entry(spec.value, spreads[(head,)], field) for field in _SPREAD_COLUMNS.values()],
        )
        for head in grouping.ordered(spec.rows, (row for (row,) in spreads))
    ]
    return list(_SPREAD_COLUMNS), rows, spec.value.defined


def _overview(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    all_measures = measures.MEASURES
    columns = {
        "solved": all_measures["solved"],
        "proven shortest": all_measures["optimal"],
        "length": all_measures["cost"],
        spec.value.unit: spec.value,
        "CPU time": all_measures["cpu_seconds"],
        "wall time": all_measures["seconds"],
        "largest frontier": all_measures["max_frontier"],
        "peak memory": all_measures["peak_memory"],
    }
    if list(columns.values()).count(spec.value) > 1:
        del columns[spec.value.unit]
    rows = []
    groups = grouping.groups(spec.rows)
    for head in grouping.ordered(spec.rows, (head for (head,) in groups)):
        records = groups[(head,)]
        entries = [
            _entry(
                measure, measures.spread_of(measure, records), field_of(measure, Statistic.MEDIAN)
            )
            for measure in columns.values()
        ]
        rows.append(_row(head, [_count(len(records)), *entries]))
    names = ("solved", "cpu_seconds", "seconds", "max_frontier", "peak_memory")
    defined = [spec.value, *(all_measures[name] for name in names)]
    words = (
        f"All but the shares are medians: the length over the runs that found a solution, the "
        f"others over all runs. {' '.join(dict.fromkeys(measure.defined for measure in defined))}"
    )
    return ["runs", *columns], rows, words


def _ratio(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    pairs = {
        head: solved_by_both(records, spec.against, spec.value)
        for (head,), records in grouping.groups(spec.rows).items()
    }
    rows = []
    for head in grouping.ordered(spec.rows, (head for head, both in pairs.items() if both)):
        middle = [
            _entry(spec.value, measures.Spread.of((value, False) for value in values), "median")
            for values in zip(*pairs[head], strict=True)
        ]
        quotients = [first / second for first, second in pairs[head] if first > 0 and second > 0]
        ratio = exp(fsum(map(log, quotients)) / len(quotients)) if quotients else None
        last = _NONE if ratio is None else Entry(f"{ratio:,.2f}", ratio)
        rows.append(_row(head, [_count(len(pairs[head])), *middle, last]))
    words = (
        f"Medians of {spec.value.unit} ({spec.value.definition}) over the boards that both "
        f"searches solved; the quotient is the geometric mean over those boards."
    )
    return ["boards", *spec.against, "quotient"], rows, words


_MAKERS: dict[TableKind, Callable[[TableSpec, Grouping, ReportSpec], _Parts]] = {
    TableKind.PRINTED: _printed,
    TableKind.PIVOT: _pivot,
    TableKind.SPREAD: _spread,
    TableKind.OVERVIEW: _overview,
    TableKind.RATIO: _ratio,
}


def field_of(measure: Measure, statistic: Statistic) -> str:
    """Return the field of a spread for a statistic; for shares it is always the mean."""
    is_share = measure.style is Style.SHARE and statistic is not Statistic.COUNT
    return Statistic.MEAN.value if is_share else statistic.value


def span_in_words(counts: Collection[int]) -> str:
    """Return the lowest and the highest of some counts in words.

    >>> span_in_words([3, 1200]), span_in_words([5])
    ('3 to 1,200', '5')
    """
    lowest, highest = min(counts), max(counts)
    return f"{lowest:,}" if lowest == highest else f"{lowest:,} to {highest:,}"


def _row(head: ColumnValue, entries: Sequence[Entry]) -> Row:
    return Row((label_of(head),), tuple(entries))


def _count(count: int) -> Entry:
    return Entry(f"{count:,}", count)


def _entry(
    measure: Measure, spread: measures.Spread | None, field: str, printed: float | None = None
) -> Entry:
    """Return a field of a spread, marked by its comparison with the printed figure."""
    if spread is None:
        return _NONE
    if field == "count":
        return _count(spread.count)
    value, is_open = spread.statistic(field)
    mark = Mark.NONE
    if printed is not None and spread.single and not spread.open_runs:
        mark = Mark.EQUAL if value == printed else Mark.DIFFERENT
    elif printed is not None:
        reached = printed <= spread.high or spread.statistic("high")[1]
        mark = Mark.INSIDE if spread.low <= printed and reached else Mark.OUTSIDE
    text = measure.text(value)
    return Entry(f"≥ {text}" if is_open else text, value, mark)
