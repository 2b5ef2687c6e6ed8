"""The tables of a report, built from records: one function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, product
from math import exp, fsum, log

from taquin.lab.report.document import Entry, Mark, Row, Table
from taquin.lab.report.measures import (
    INTERVAL,
    MEASURES,
    Grouping,
    Measure,
    PairedComparison,
    Spread,
    comparison_of,
    confidence_interval,
    heading,
    holm,
    label_of,
    printed_figure,
    scipy_advice,
    solved_by_both,
    spread_of,
    wilcoxon,
)
from taquin.lab.report.spec import ReportSpec, Spec, Statistic, TableKind, TableSpec
from taquin.lab.run.database import Ending, Record
from taquin.lab.study.definition import ColumnValue

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
    "standard deviation": "deviation",
}
"""The columns of a spread and their fields."""

_PAIRED_COLUMNS = (
    *("cases", "both solved", "first less", "second less", "quotient", "p (Wilcoxon)"),
    *("first only", "second only", "p (McNemar)"),
)

_METHODS = {
    "exact": "exact in every row",
    "asymptotic": (
        "by the normal approximation in every row, as a row has more than 50 differences or ties"
    ),
}
"""The method of Wilcoxon's test in the caption."""

_Parts = tuple[Sequence[str], list[Row], str]
"""The columns of a table, its rows, and the text of the caption."""


def table_of(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    """Return the table of `spec`; raise UnsuitableError for a key that no record has."""
    over = spec.kind in (TableKind.PRINTED, TableKind.PIVOT)
    keys = ["search"] if spec.kind is TableKind.PAIRED else [spec.rows]
    shown, remarks = select(spec, grouping, *keys, *([spec.columns] if over else []))
    columns, rows, text = _MAKERS[spec.kind](spec, shown, report)
    if any(entry.text.startswith("≥") for row in rows for entry in row.entries):
        remarks.append("≥: a lower bound, as a limit ended runs.")
    is_paired = spec.kind is TableKind.PAIRED
    row_heading = "first / second" if is_paired else heading(spec.rows, report.headings)
    return Table(
        title=spec.title,
        headings=(row_heading, "") if spec.kind is TableKind.PRINTED else (row_heading,),
        columns=tuple(columns),
        rows=tuple(rows),
        over=heading(spec.columns, report.headings) if over else "",
        caption=" ".join(filter(None, [spec.caption, text, *remarks])),
    )


def select(spec: Spec, grouping: Grouping, *keys: str) -> tuple[Grouping, list[str]]:
    """Return the records of a table or a figure by `keys`, and remarks on them for its caption."""
    shown, remarks = grouping.where(spec.where), []
    if not spec.pool_limits:
        shown = shown.split_by_limits(*keys)
    if spec.common:
        shown, sentence = shown.common()
        remarks.append(sentence)
    if shown.is_split:
        remarks.append("≤: runs of one search with different limits are shown separately.")
    return shown, remarks


def _printed(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    groups = grouping.groups(spec.rows, spec.columns)
    values = grouping.ordered(spec.columns, (column for _, column in groups))
    # Boards that only the source has are last.
    others = (name for texts in report.printed.values() for name in texts)
    columns = list(dict.fromkeys([*map(label_of, values), *others]))
    rows: list[Row] = []
    for head in grouping.ordered(spec.rows, (row for row, _ in groups)):
        cells = {label_of(place[1]): cell for place, cell in groups.items() if place[0] == head}
        # The source names the search by its label, without limits.
        record = next(iter(cells.values()))[0]
        label = record.search if spec.rows == "search" else label_of(head)
        texts = report.printed.get(label, {})
        rows += _printed_rows(label_of(head), cells, columns, spec, texts)
    text = spec.value.defined
    if spec.statistic is Statistic.MEAN:
        text += " Of printed: the measured mean in per cent of the printed figure."
    return columns, rows, text


def _printed_rows(
    label: str,
    cells: Mapping[str, list[Record]],
    columns: Sequence[str],
    spec: TableSpec,
    texts: Mapping[str, str | float],
) -> list[Row]:
    """Return the rows of one search: the printed figures, then the measured ones.

    A printed mean is not marked as equal or different, because it is one of other boards.
    """
    measure, field = spec.value, field_of(spec.value, spec.statistic)
    known = {column: printed_figure(records) for column, records in cells.items()}
    known |= {column: text for column, text in texts.items() if not isinstance(text, str)}
    figures = {column: figure for column, figure in known.items() if figure is not None}
    spreads = {column: spread_of(measure, records) for column, records in cells.items()}
    runs = max((spread.count for spread in spreads.values() if spread), default=0)

    def measured(name: str, field: str, against: Mapping[str, float]) -> Row:
        entries = (_entry(measure, spreads.get(at), field, against.get(at)) for at in columns)
        return Row((label, name), tuple(entries))

    rows = []
    if figures or texts:
        printed = (
            Entry(text)
            if isinstance(text := texts.get(column), str)
            else Entry(measure.text(figures.get(column)), figures.get(column))
            for column in columns
        )
        rows.append(Row((label, "printed"), tuple(printed)))
    is_mean = spec.statistic is Statistic.MEAN
    name = f"{spec.statistic.phrase.removeprefix('the ')} of {runs}" if runs > 1 else "measured"
    rows.append(measured(name, field, {} if is_mean else figures))
    if is_mean and figures:
        shares = []
        for column in columns:
            spread, figure = spreads.get(column), figures.get(column)
            share = 100 * spread.mean / figure if spread and figure else None
            at_least = "≥ " if spread and spread.open_runs else ""
            shares.append(_NONE if share is None else Entry(f"{at_least}{share:.1f} %", share))
        rows.append(Row((label, "of printed"), tuple(shares)))
    if runs > 1:
        rows += [measured("lowest", "low", {}), measured("highest", "high", {})]
    return rows


def _pivot(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    groups = grouping.groups(spec.rows, spec.columns)
    spreads = {place: spread_of(spec.value, records) for place, records in groups.items()}
    columns = grouping.ordered(spec.columns, (column for _, column in groups))
    field = field_of(spec.value, spec.statistic)

    def entry(*place: ColumnValue) -> Entry:
        spread = spreads.get(place)
        endings = {record.ending for record in groups.get(place, [])}
        if spread is None and endings == {Ending.UNSOLVABLE}:
            return Entry("no solution")
        return _entry(spec.value, spread, field)

    rows = [
        _row(row, [entry(row, column) for column in columns])
        for row in grouping.ordered(spec.rows, (row for row, _ in groups))
    ]
    runs = {spread.count for spread in spreads.values() if spread}
    text = spec.value.defined
    if not spec.value.is_share and runs - {1}:
        text += f" Each is {spec.statistic.phrase} of {span_text(runs)} runs."
    return [label_of(column) for column in columns], rows, text


def _spread(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    rows = [
        _row(head, [_entry(spec.value, spread, field) for field in _SPREAD_COLUMNS.values()])
        for head, records in grouping.by(spec.rows).items()
        if (spread := spread_of(spec.value, records)) is not None
    ]
    return list(_SPREAD_COLUMNS), rows, spec.value.defined


def _overview(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    columns = {
        "solved": MEASURES["solved"],
        "proven shortest": MEASURES["optimal"],
        "length": MEASURES["cost"],
        spec.value.unit: spec.value,
        "CPU time": MEASURES["cpu_seconds"],
        "wall time": MEASURES["seconds"],
        "largest frontier": MEASURES["max_frontier"],
        "peak memory": MEASURES["peak_memory"],
    }
    if list(columns.values()).count(spec.value) > 1:
        del columns[spec.value.unit]
    shown: list[tuple[str, Measure, Statistic]] = []
    for name, measure in columns.items():
        shown.append((name, measure, Statistic.MEDIAN))
        if measure in (MEASURES["cost"], spec.value) and not measure.is_share:
            # Papers print means.
            shown.append((f"mean {name}", measure, Statistic.MEAN))
    rows = []
    for head, records in grouping.by(spec.rows).items():
        entries = [
            _entry(measure, spread_of(measure, records), field_of(measure, statistic))
            for _, measure, statistic in shown
        ]
        rows.append(_row(head, [_count(len(records)), *entries]))
    names = ("solved", "cpu_seconds", "seconds", "max_frontier", "peak_memory")
    defined = dict.fromkeys([spec.value.defined, *(MEASURES[name].defined for name in names)])
    text = (
        f"All but the shares and the means are medians: the length over the runs that found a "
        f"solution, the others over all runs. {' '.join(defined)}"
    )
    return ["runs", *(name for name, _, _ in shown)], rows, text


def _ratio(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    rows = []
    for head, records in grouping.by(spec.rows).items():
        pairs = solved_by_both(records, spec.against, spec.value)
        if not pairs:
            continue
        medians = [
            _entry(spec.value, Spread.of((value, False) for value in values), "median")
            for values in zip(*pairs, strict=True)
        ]
        rows.append(_row(head, [_count(len(pairs)), *medians, _quotient(pairs)]))
    text = (
        f"Medians of {spec.value.unit} ({spec.value.definition}) over the boards that both "
        f"searches solved; the quotient is the geometric mean over those boards."
    )
    return ["boards", *spec.against, "quotient"], rows, text


def _quotient(pairs: Sequence[tuple[float, float]]) -> Entry:
    """Return the geometric mean of the quotients of pairs."""
    logs = [log(first / second) for first, second in pairs if first > 0 and second > 0]
    if not logs:
        return _NONE
    ratio = exp(fsum(logs) / len(logs))
    return Entry(f"{ratio:,.2f}", ratio)


def _confidence(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    measure, rows = spec.value, []
    # The median of a share is 0 or 1.
    statistics = ["mean"] if measure.is_share else ["mean", "median"]
    for head, records in grouping.by(spec.rows).items():
        spread = spread_of(measure, records)
        if spread is None:
            continue
        values = [value for record in records if (value := measure.of(record)) is not None]
        entries = [_count(spread.count), _entry(measure, spread, "deviation")]
        for statistic in statistics:
            ends = confidence_interval(values, statistic) or (None, None)
            is_open = statistic == "mean" and spread.open_runs > 0
            entries += [
                _entry(measure, spread, statistic),
                *(
                    _bounded(measure, end, is_open or (end or 0) >= spread.open_from)
                    for end in ends
                ),
            ]
        rows.append(_row(head, entries))
    columns = [f"{name}{end}" for name in statistics for end in ("", ", lower", ", upper")]
    text = f"{measure.defined} {scipy_advice() or INTERVAL}"
    return ["runs", "standard deviation", *columns], rows, text


def _paired(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in grouping.records:
        groups.setdefault((record.search, grouping.limits_of(record)), []).append(record)
    searches = spec.against or tuple(dict.fromkeys(search for search, _ in groups))
    comparisons: dict[str, PairedComparison] = {}
    for pair in combinations(searches, 2):
        limits = [[text for search, text in groups if search == name] for name in pair]
        # Runs with different limits are compared only if no limits are shared.
        shared = [(text, text) for text in limits[0] if text in limits[1]]
        for places in shared or product(*limits):
            sides = list(zip(pair, places, strict=True))
            first, second = (groups[side] for side in sides)
            label = " / ".join(", ".join(filter(None, side)) for side in sides)
            comparisons[label] = comparison_of(first, second, spec.value)
    compared = list(comparisons.values())
    differing, method = wilcoxon(compared)
    p_values = zip(
        holm(differing), holm([comparison.mcnemar for comparison in compared]), strict=True
    )
    rows = []
    for (label, comparison), probabilities in zip(comparisons.items(), p_values, strict=True):
        pairs = comparison.pairs
        counts = [
            comparison.cases,
            len(pairs),
            sum(first < second for first, second in pairs),
            sum(first > second for first, second in pairs),
        ]
        tests = [_NONE if p is None else Entry(f"{p:.2g}", p) for p in probabilities]
        only = map(_count, (comparison.only_first, comparison.only_second))
        entries = [*map(_count, counts), _quotient(pairs), tests[0], *only, tests[1]]
        rows.append(_row(label, entries))
    text = (
        f"Each pair of searches on the same cases. Less, the quotient (the geometric mean of first "
        f"by second) and Wilcoxon's signed-rank test, {_METHODS[method]}, are in {spec.value.unit} "
        f"({spec.value.definition}) over the cases that both solved. Only: cases that only one of "
        f"the searches solved, compared by McNemar's exact test. The p-values of each column are "
        f"adjusted for the number of its tests by Holm's method. {scipy_advice()}"
    )
    return _PAIRED_COLUMNS, rows, text.strip()


_MAKERS: dict[TableKind, Callable[[TableSpec, Grouping, ReportSpec], _Parts]] = {
    TableKind.PRINTED: _printed,
    TableKind.PIVOT: _pivot,
    TableKind.SPREAD: _spread,
    TableKind.OVERVIEW: _overview,
    TableKind.RATIO: _ratio,
    TableKind.CONFIDENCE: _confidence,
    TableKind.PAIRED: _paired,
}


def field_of(measure: Measure, statistic: Statistic) -> str:
    """Return the field of a spread for a statistic; for shares it is always the mean."""
    is_mean = measure.is_share and statistic is not Statistic.COUNT
    return Statistic.MEAN.value if is_mean else statistic.value


def span_text(counts: Collection[int]) -> str:
    """Return the range of some counts as text.

    >>> span_text([3, 1200]), span_text([5])
    ('3 to 1,200', '5')
    """
    return " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))


def _row(head: ColumnValue, entries: Sequence[Entry]) -> Row:
    return Row((label_of(head),), tuple(entries))


def _count(count: int) -> Entry:
    return Entry(f"{count:,}", count)


def _entry(
    measure: Measure, spread: Spread | None, field: str, printed: float | None = None
) -> Entry:
    """Return a field of a spread, marked by its comparison with the printed figure."""
    if spread is None:
        return _NONE
    if field == "count":
        return _count(spread.count)
    value, is_open = spread.statistic(field)
    if value is None:
        return _NONE
    mark = Mark.NONE
    if printed is not None and spread.single and not spread.open_runs:
        mark = Mark.EQUAL if value == printed else Mark.DIFFERENT
    elif printed is not None:
        reached = printed <= spread.high or spread.statistic("high")[1]
        mark = Mark.INSIDE if spread.low <= printed and reached else Mark.OUTSIDE
    return _bounded(measure, value, is_open, mark)


def _bounded(measure: Measure, value: float | None, is_open: bool, mark: Mark = Mark.NONE) -> Entry:
    """Return a number as a cell, with `≥` if it is only a lower bound."""
    if value is None:
        return _NONE
    text = measure.text(value)
    return Entry(f"≥ {text}" if is_open else text, value, mark)
