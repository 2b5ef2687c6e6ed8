"""Tables made from records: each kind that a study file can ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, fsum, log

from taquin.lab.grouping import Grouping, heading, ordered, spread_of
from taquin.lab.measure import MEASURES, Measure, Style
from taquin.lab.record import Cell, Record
from taquin.lab.report import Entry, Mark, Row, Table
from taquin.lab.report_spec import ReportSpec, Statistic, TableSpec, Tabling
from taquin.lab.spread import Spread

EMPTY = Entry("–")
"""A cell without a number."""

_SPREAD_COLUMNS = (
    "runs",
    "lowest",
    "lower quartile",
    "median",
    "upper quartile",
    "highest",
    "mean",
)


def table_of(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    """Return the table that `spec` asks for; raise UnsuitableError for a key no record has."""
    return _MAKERS[spec.kind](spec, grouping.where(spec.where), report)


def label_of(value: Cell) -> str:
    """Return how a group is called: numbers with their thousands told apart."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else value


def called(key: str, report: ReportSpec) -> str:
    """Return what the study calls a key."""
    return report.headings.get(key) or heading(key)


def _printed(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    groups = grouping.groups(spec.rows, spec.columns)
    names = [label_of(value) for value in ordered(column for _, column in groups)]
    names += [
        name for words in report.printed.values() for name in words if name not in names
    ]  # boards that only the source has
    columns = tuple(dict.fromkeys(names))
    rows: list[Row] = []
    for head in ordered(row for row, _ in groups):
        label = label_of(head)
        cells = {label_of(column): found for (row, column), found in groups.items() if row == head}
        rows += _printed_rows(label, cells, columns, spec.value, report.printed.get(label, {}))
    caption = _sentences(
        spec.caption, f"{_capital(spec.value.unit)}: {spec.value.definition}.", _open_note(rows)
    )
    return Table(
        title=spec.title,
        headings=(called(spec.rows, report), ""),
        columns=columns,
        rows=tuple(rows),
        over=called(spec.columns, report),
        caption=caption,
    )


def _printed_rows(
    label: str,
    cells: Mapping[str, list[Record]],
    columns: Sequence[str],
    measure: Measure,
    words: Mapping[str, str | float],
) -> list[Row]:
    """Return the rows of one search: what is printed, then what was measured."""
    figures: dict[str, float] = {}
    for column, records in cells.items():
        known = {record.printed for record in records if record.printed is not None}
        if len(known) == 1:
            figures[column] = known.pop()
    figures |= {column: word for column, word in words.items() if not isinstance(word, str)}
    spreads = {column: spread_of(measure, records) for column, records in cells.items()}
    runs = max((spread.count for spread in spreads.values() if spread), default=0)
    rows = []
    if figures or words:
        printed = []
        for column in columns:
            word = words.get(column)
            if isinstance(word, str):
                printed.append(Entry(word))
            else:
                printed.append(_entry(measure, figures.get(column)))
        rows.append(Row((label, "printed"), tuple(printed)))
    if runs <= 1:
        rows.append(
            Row(
                (label, "measured"),
                tuple(
                    _measured(measure, spreads.get(column), "median", figures.get(column))
                    for column in columns
                ),
            )
        )
        return rows
    for name, field in (("median", "median"), ("lowest", "low"), ("highest", "high")):
        entries = []
        for column in columns:
            against = figures.get(column) if field == "median" else None
            entries.append(_measured(measure, spreads.get(column), field, against))
        shown = f"median of {runs}" if field == "median" else name
        rows.append(Row((label, shown), tuple(entries)))
    return rows


def _measured(
    measure: Measure, spread: Spread | None, statistic: str, printed: float | None
) -> Entry:
    if spread is None:
        return EMPTY
    value: float = getattr(spread, statistic)
    mark = Mark.NONE
    if printed is not None and spread.single and not spread.open_runs:
        mark = Mark.EQUAL if value == printed else Mark.DIFFERENT
    elif printed is not None:
        reached = printed <= spread.high or spread.is_open(spread.high)
        mark = Mark.INSIDE if spread.low <= printed and reached else Mark.OUTSIDE
    return _entry(measure, value, mark, opened=spread.is_open(value))


def _pivot(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    spreads = grouping.spreads(spec.value, spec.rows, spec.columns)
    rows_of = ordered(row for row, _ in spreads)
    columns = ordered(column for _, column in spreads)
    rows = tuple(
        Row(
            (label_of(row),),
            tuple(_statistic(spec, spreads.get((row, column))) for column in columns),
        )
        for row in rows_of
    )
    runs = sorted({spread.count for spread in spreads.values()})
    return Table(
        title=spec.title,
        headings=(called(spec.rows, report),),
        columns=tuple(label_of(column) for column in columns),
        rows=rows,
        over=called(spec.columns, report),
        caption=_sentences(
            spec.caption,
            _statistic_words(spec.value, spec.statistic, runs),
            _open_note(rows),
        ),
    )


def _statistic(spec: TableSpec, spread: Spread | None) -> Entry:
    if spread is None:
        return EMPTY
    if spec.statistic is Statistic.COUNT:
        return Entry(f"{spread.count:,}", spread.count)
    if spec.value.style is Style.SHARE or spec.statistic is Statistic.MEAN:
        return _entry(spec.value, spread.mean, opened=spread.mean_is_open)
    value: float = getattr(spread, spec.statistic.value)
    return _entry(spec.value, value, opened=spread.is_open(value))


def _spread(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    spreads = grouping.spreads(spec.value, spec.rows)
    rows = []
    for head in ordered(row for (row,) in spreads):
        spread = spreads[(head,)]
        numbers = [
            _entry(spec.value, value, opened=spread.is_open(value))
            for value in (
                spread.low,
                spread.lower_quartile,
                spread.median,
                spread.upper_quartile,
                spread.high,
            )
        ]
        mean = _entry(spec.value, spread.mean, opened=spread.mean_is_open)
        entries = (Entry(f"{spread.count:,}", spread.count), *numbers, mean)
        rows.append(Row((label_of(head),), entries))
    return Table(
        title=spec.title,
        headings=(called(spec.rows, report),),
        columns=_SPREAD_COLUMNS,
        rows=tuple(rows),
        caption=_sentences(
            spec.caption, f"{_capital(spec.value.unit)}: {spec.value.definition}.", _open_note(rows)
        ),
    )


def _overview(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    shown = (
        ("solved", MEASURES["solved"]),
        ("proven shortest", MEASURES["optimal"]),
        ("length", MEASURES["cost"]),
        (spec.value.unit, spec.value),
        ("seconds", MEASURES["seconds"]),
    )
    rows = []
    for (head,), records in grouping.groups(spec.rows).items():
        entries = [Entry(f"{len(records):,}", len(records))]
        for _, measure in shown:
            spread = spread_of(measure, records)
            if spread is None:
                entries.append(EMPTY)
            elif measure.style is Style.SHARE:
                entries.append(_entry(measure, spread.mean))
            else:
                opened = spread.is_open(spread.median)
                entries.append(_entry(measure, spread.median, opened=opened))
        rows.append(Row((label_of(head),), tuple(entries)))
    return Table(
        title=spec.title,
        headings=(called(spec.rows, report),),
        columns=("runs", *(name for name, _ in shown)),
        rows=tuple(rows),
        caption=_sentences(
            spec.caption,
            f"Length, {spec.value.unit} and seconds are medians; {spec.value.unit}: "
            f"{spec.value.definition}.",
            _open_note(rows),
        ),
    )


def _ratio(spec: TableSpec, grouping: Grouping, report: ReportSpec) -> Table:
    first, second = spec.against
    pairs: dict[Cell, list[tuple[float, float]]] = {}
    for (head,), records in grouping.groups(spec.rows).items():
        numbers: dict[str, dict[str, float]] = {first: {}, second: {}}
        for record in records:
            value = spec.value.of(record)
            if record.search in numbers and record.solved and value is not None:
                numbers[record.search][record.board] = value
        both = [board for board in numbers[first] if board in numbers[second]]
        if both:
            pairs[head] = [(numbers[first][board], numbers[second][board]) for board in both]
    rows = []
    for head in ordered(pairs):
        one, other = zip(*pairs[head], strict=True)
        quotients = [a / b for a, b in pairs[head] if a > 0 and b > 0]
        middle = [Spread.of((value, False) for value in values) for values in (one, other)]
        ratio = exp(fsum(log(value) for value in quotients) / len(quotients)) if quotients else None
        rows.append(
            Row(
                (label_of(head),),
                (
                    Entry(f"{len(one):,}", len(one)),
                    *(_entry(spec.value, spread.median if spread else None) for spread in middle),
                    EMPTY if ratio is None else Entry(f"{ratio:,.2f}", ratio),
                ),
            )
        )
    return Table(
        title=spec.title,
        headings=(called(spec.rows, report),),
        columns=("boards", first, second, "quotient"),
        rows=tuple(rows),
        caption=_sentences(
            spec.caption,
            f"Medians of {spec.value.unit} ({spec.value.definition}) over the boards that both "
            f"searches solved; the quotient is the geometric mean over those boards.",
        ),
    )


_MAKERS: dict[Tabling, Callable[[TableSpec, Grouping, ReportSpec], Table]] = {
    Tabling.PRINTED: _printed,
    Tabling.PIVOT: _pivot,
    Tabling.SPREAD: _spread,
    Tabling.OVERVIEW: _overview,
    Tabling.RATIO: _ratio,
}


def _entry(
    measure: Measure, value: float | None, mark: Mark = Mark.NONE, opened: bool = False
) -> Entry:
    text = measure.text(value)
    return Entry(f"≥ {text}" if opened else text, value, mark)


def _statistic_words(measure: Measure, statistic: Statistic, runs: list[int]) -> str:
    what = f"{_capital(measure.unit)}: {measure.definition}"
    if measure.style is Style.SHARE or runs in ([], [1]):
        return f"{what}."
    shown = f"{runs[0]:,}" if len(runs) == 1 else f"{runs[0]:,} to {runs[-1]:,}"
    names = {
        Statistic.MEDIAN: "Each is the median",
        Statistic.MEAN: "Each is the mean",
        Statistic.LOW: "Each is the lowest",
        Statistic.HIGH: "Each is the highest",
        Statistic.COUNT: "Each is the number",
    }
    return f"{what}. {names[statistic]} of {shown} runs."


def _open_note(rows: Sequence[Row]) -> str:
    if any(entry.text.startswith("≥") for row in rows for entry in row.entries):
        return "≥: a limit ended runs, which would have taken at least that many."
    return ""


def _sentences(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
