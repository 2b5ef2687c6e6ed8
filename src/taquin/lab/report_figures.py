"""Figures made from records, as data: which points, on which axes, and what the caption says."""

from __future__ import annotations

from collections.abc import Callable

from taquin.lab.grouping import Grouping, ordered
from taquin.lab.measure import Measure, Style
from taquin.lab.record import Cell, Record
from taquin.lab.report import Axis, Figure, Kind, Point, Series
from taquin.lab.report_spec import Bars, FigureSpec, ReportSpec, Statistic
from taquin.lab.report_tables import called, label_of
from taquin.lab.spread import Spread


def figure_of(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return the figure that `spec` asks for; raise UnsuitableError for a key no record has."""
    return _MAKERS[spec.kind](spec, grouping.where(spec.where), report, name)


def _plot(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return lines or bars: a statistic of each group over `x`."""
    groups = grouping.groups(spec.series, spec.x)
    spreads = grouping.spreads(spec.value, spec.series, spec.x)
    places = ordered(x for _, x in groups)
    numeric = spec.kind is Kind.LINES and all(_is_number(place) for place in places)
    series = []
    for head in ordered(head for head, _ in groups):
        points = []
        for number, place in enumerate(places):
            spread = spreads.get((head, place))
            if spread is not None:
                x = float(place) if numeric else float(number)
                points.append(_point(x, spec, spread, groups[(head, place)]))
        series.append(Series(label_of(head), tuple(points)))
    runs = sorted({spread.count for spread in spreads.values()})
    shares = spec.value.style is Style.SHARE
    return Figure(
        name=name,
        kind=spec.kind,
        title=spec.title,
        x=Axis(
            spec.label or called(spec.x, report),
            log="x" in spec.log and numeric,
            names=() if numeric else tuple(label_of(place) for place in places),
        ),
        y=Axis(_unit(spec.value), log="y" in spec.log and not shares, share=shares),
        series=tuple(series),
        caption=_join(
            spec.caption,
            f"{_capital(spec.value.unit)}: {spec.value.definition}.",
            _points_words(spec, runs),
            _extras(series),
        ),
    )


def _point(x: float, spec: FigureSpec, spread: Spread, records: list[Record]) -> Point:
    mean = spec.statistic is Statistic.MEAN or spec.value.style is Style.SHARE
    low = high = None
    if spec.value.style is not Style.SHARE and spread.count > 1 and not spread.single:
        if spec.bars is Bars.RANGE:
            low, high = spread.low, spread.high
        elif spec.bars is Bars.QUARTILES:
            low, high = spread.lower_quartile, spread.upper_quartile
    printed = {record.printed for record in records if record.printed is not None}
    y = spread.mean if mean else getattr(spread, spec.statistic.value)
    return Point(
        x=x,
        y=y,
        low=low,
        high=high,
        printed=printed.pop() if len(printed) == 1 else None,
        open=spread.mean_is_open if mean else spread.is_open(y),
    )


def _cactus(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return how many runs are solved within each effort, a line for each search."""
    series = []
    total = 0
    for (head,), records in grouping.groups(spec.series).items():
        total = max(total, len(records))
        efforts = sorted(
            value
            for record in records
            if record.solved and (value := spec.value.of(record)) is not None
        )
        # Every step of the stairs, but no more of them than a picture can show.
        every = max(1, len(efforts) // 500)
        kept = [*range(0, len(efforts), every)]
        if efforts and kept[-1] != len(efforts) - 1:
            kept.append(len(efforts) - 1)
        points = tuple(Point(efforts[at], at + 1) for at in kept)
        series.append(Series(label_of(head), points))
    return Figure(
        name=name,
        kind=Kind.CACTUS,
        title=spec.title,
        x=Axis(_unit(spec.value), log="x" in spec.log),
        y=Axis(f"runs solved (of {total:,})"),
        series=tuple(series),
        caption=_join(
            spec.caption,
            f"How many runs each search solved with at most so many {spec.value.unit} "
            f"({spec.value.definition}); further up and to the left is better.",
        ),
    )


def _scatter(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return a point for each board that both searches solved."""
    across, up = spec.against
    numbers: dict[str, dict[str, float]] = {across: {}, up: {}}
    for record in grouping.records:
        value = spec.value.of(record)
        if record.search in numbers and record.solved and value is not None:
            numbers[record.search][record.board] = value
    points = tuple(
        Point(numbers[across][board], numbers[up][board])
        for board in numbers[across]
        if board in numbers[up]
    )
    below = sum(point.y < point.x for point in points)
    above = sum(point.y > point.x for point in points)
    log = bool(spec.log)
    return Figure(
        name=name,
        kind=Kind.SCATTER,
        title=spec.title,
        x=Axis(f"{_unit(spec.value)}, {across}", log=log),
        y=Axis(f"{_unit(spec.value)}, {up}", log=log),
        series=(Series("boards", points),),
        caption=_join(
            spec.caption,
            f"Each point is one of the {len(points):,} boards that both searches solved; on the "
            f"line both are equal. {up} is lower on {below:,}, {across} on {above:,}. "
            f"{_capital(spec.value.unit)}: {spec.value.definition}.",
        ),
    )


def _histogram(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return how often each whole number comes, or each stretch of numbers."""
    values: dict[Cell, list[float]] = {}
    for (head,), records in grouping.groups(spec.series).items():
        values[head] = [value for record in records if (value := spec.value.of(record)) is not None]
    everything = [value for found in values.values() for value in found]
    width = _bin_width(everything)
    series = []
    for head, found in values.items():
        counts: dict[float, int] = {}
        for value in found:
            place = value // width * width
            counts[place] = counts.get(place, 0) + 1
        points = tuple(Point(x, counts[x]) for x in sorted(counts))
        series.append(Series(f"{label_of(head)} ({len(found):,})", points))
    each = "each length" if width == 1 else f"each stretch of {width:g}"
    return Figure(
        name=name,
        kind=Kind.HISTOGRAM,
        title=spec.title,
        x=Axis(spec.label or _unit(spec.value)),
        y=Axis("runs"),
        series=tuple(series),
        caption=_join(
            spec.caption,
            f"How many runs gave {each}; the number of runs stands behind each name. "
            f"{_capital(spec.value.unit)}: {spec.value.definition}.",
        ),
    )


_MAKERS: dict[Kind, Callable[[FigureSpec, Grouping, ReportSpec, str], Figure]] = {
    Kind.LINES: _plot,
    Kind.BARS: _plot,
    Kind.CACTUS: _cactus,
    Kind.SCATTER: _scatter,
    Kind.HISTOGRAM: _histogram,
}

_MOST_BINS = 60


def _bin_width(values: list[float]) -> float:
    """Return 1, 2, 5, 10, 20 … so that there are few enough bins."""
    span = max(values) - min(values) if values else 0
    width = 1.0
    for step in (2, 2.5, 2) * 8:
        if span / width < _MOST_BINS:
            break
        width *= step
    return width


def _points_words(spec: FigureSpec, runs: list[int]) -> str:
    if not runs or runs == [1]:
        return ""
    many = f"{runs[0]:,}" if len(runs) == 1 else f"{runs[0]:,} to {runs[-1]:,}"
    if spec.value.style is Style.SHARE:
        return f"Each point stands for {many} runs."
    words = {
        Statistic.MEDIAN: "the median",
        Statistic.MEAN: "the mean",
        Statistic.LOW: "the lowest",
        Statistic.HIGH: "the highest",
        Statistic.COUNT: "the number",
    }[spec.statistic]
    said = f"Each {'bar' if spec.kind is Kind.BARS else 'point'} is {words} of {many} runs"
    if spec.bars is Bars.RANGE:
        return f"{said}; thin lines reach from the lowest to the highest."
    if spec.bars is Bars.QUARTILES:
        return f"{said}; thin lines span the middle half."
    return f"{said}."


def _extras(series: list[Series]) -> str:
    points = [point for each in series for point in each.points]
    said = []
    if any(point.printed is not None for point in points):
        said.append("Diamonds are the figures printed in the source.")
    if any(point.open for point in points):
        said.append("An arrow upwards: a limit ended runs, which would have taken more.")
    return " ".join(said)


def _unit(measure: Measure) -> str:
    return {
        Style.SECONDS: "time (s)",
        Style.BYTES: f"{measure.unit} (bytes)",
        Style.SHARE: f"{measure.unit} (%)",
    }.get(measure.style, measure.unit)


def _is_number(value: Cell) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
