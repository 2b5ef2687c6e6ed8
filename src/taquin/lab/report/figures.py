"""The figures of a report, made from records: points, axes and captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from taquin.lab.report import measures
from taquin.lab.report.document import Axis, Figure, FigureKind, Point, Series
from taquin.lab.report.grouping import Grouping, heading, label_of, printed_figure, solved_by_both
from taquin.lab.report.measures import Measure, Style
from taquin.lab.report.spec import ErrorBars, FigureSpec, ReportSpec
from taquin.lab.report.tables import LIMITS_APART, field_of, span_in_words
from taquin.lab.run.record import Record
from taquin.lab.study.toml_table import is_number

_MOST_BINS = 60
_MOST_STEPS = 500

_Parts = tuple[Axis, Axis, list[Series], str]
"""The horizontal axis, the vertical axis, the series, and the text of the caption."""


def figure_of(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return the figure of `spec`; raise UnsuitableError for a key that no record has."""
    shown, common = grouping.where(spec.where), ""
    if not spec.pool_limits:
        shown = shown.apart(spec.series, *([spec.x] if _MAKERS[spec.kind] is _plot else []))
    if spec.common:
        shown, common = shown.common()
    x, y, series, words = _MAKERS[spec.kind](spec, shown, report)
    return Figure(
        name=name,
        kind=spec.kind,
        title=spec.title,
        x=x,
        y=y,
        series=tuple(series),
        caption=_join(spec.caption, words, common, LIMITS_APART if shown.has_limits_apart else ""),
    )


def _plot(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return the parts of lines or bars: a statistic of each group over `x`."""
    groups = grouping.groups(spec.series, spec.x)
    spreads = grouping.spreads(spec.value, spec.series, spec.x)
    places = grouping.ordered(spec.x, (x for _, x in groups))
    numeric = spec.kind is FigureKind.LINES and all(is_number(place) for place in places)
    series = []
    for head in grouping.ordered(spec.series, (head for head, _ in groups)):
        points = []
        for number, place in enumerate(places):
            spread = spreads.get((head, place))
            if spread is not None:
                x = float(place) if numeric else float(number)
                points.append(_point(x, spec, spread, groups[(head, place)]))
        series.append(Series(label_of(head), tuple(points)))
    shares = spec.value.style is Style.SHARE
    words = _points_words(spec, {spread.count for spread in spreads.values()})
    return (
        Axis(
            spec.label or heading(spec.x, report.headings),
            log="x" in spec.log and numeric,
            names=() if numeric else tuple(label_of(place) for place in places),
        ),
        Axis(_unit(spec.value), log="y" in spec.log and not shares, share=shares),
        series,
        _join(spec.value.defined, words, _extras(series)),
    )


def _point(x: float, spec: FigureSpec, spread: measures.Spread, records: list[Record]) -> Point:
    low = high = None
    if spec.value.style is not Style.SHARE and not spread.single:
        if spec.bars is ErrorBars.RANGE:
            low, high = spread.low, spread.high
        elif spec.bars is ErrorBars.QUARTILES:
            low, high = spread.lower_quartile, spread.upper_quartile
    y, is_open = spread.statistic(field_of(spec.value, spec.statistic))
    return Point(x, y, low, high, printed_figure(records), is_open)


def _cactus(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return the number of runs solved within each effort, one series per search."""
    groups = grouping.groups(spec.series)
    series = []
    for head in grouping.ordered(spec.series, (head for (head,) in groups)):
        solved = [record for record in groups[(head,)] if record.solved]
        efforts = sorted(_values(spec.value, solved))
        # Every step, but no more of them than a plot can show.
        last = len(efforts) - 1
        kept = [*range(0, last, max(1, len(efforts) // _MOST_STEPS)), last] if efforts else []
        points = tuple(Point(efforts[at], at + 1) for at in kept)
        series.append(Series(label_of(head), points))
    total = max(map(len, groups.values()), default=0)
    return (
        Axis(_unit(spec.value), log="x" in spec.log),
        Axis(f"runs solved (of {total:,})"),
        series,
        f"How many runs each search solved with at most so many {spec.value.unit} "
        f"({spec.value.definition}); further up and to the left is better.",
    )


def _scatter(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return a point for each board that both searches solved."""
    across, up = spec.against
    pairs = solved_by_both(grouping.records, spec.against, spec.value)
    log = bool(spec.log)
    return (
        Axis(f"{_unit(spec.value)}, {across}", log=log),
        Axis(f"{_unit(spec.value)}, {up}", log=log),
        [Series("boards", tuple(Point(x, y) for x, y in pairs))],
        f"Each point is a board that both searches solved, {len(pairs):,} in all; on the line "
        f"both are equal. {up} is lower on {sum(y < x for x, y in pairs):,}, {across} on "
        f"{sum(y > x for x, y in pairs):,}. {spec.value.defined}",
    )


def _histogram(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return how often each whole number, or each range of numbers, occurs."""
    groups = grouping.groups(spec.series)
    values = {
        head: _values(spec.value, groups[(head,)])
        for head in grouping.ordered(spec.series, (head for (head,) in groups))
    }
    width = _bin_width([value for numbers in values.values() for value in numbers])
    series = []
    for head, numbers in values.items():
        counts = Counter(value // width * width for value in numbers)
        points = tuple(Point(x, counts[x]) for x in sorted(counts))
        series.append(Series(f"{label_of(head)} ({len(numbers):,})", points))
    each = "each length" if width == 1 else f"each stretch of {width:g}"
    return (
        Axis(spec.label or _unit(spec.value)),
        Axis("runs"),
        series,
        f"How many runs gave {each}; the number of runs stands behind each name. "
        f"{spec.value.defined}",
    )


# New figures go here

_MAKERS: dict[FigureKind, Callable[[FigureSpec, Grouping, ReportSpec], _Parts]] = {
    FigureKind.LINES: _plot,
    FigureKind.BARS: _plot,
    FigureKind.CACTUS: _cactus,
    FigureKind.SCATTER: _scatter,
    FigureKind.HISTOGRAM: _histogram,
}


def _values(measure: Measure, records: Sequence[Record]) -> list[float]:
    return [value for record in records if (value := measure.of(record)) is not None]


def _bin_width(values: list[float]) -> float:
    """Return a width among 1, 2, 5, 10, 20 … that gives at most _MOST_BINS bins."""
    span = max(values) - min(values) if values else 0
    width = 1.0
    for step in (2, 2.5, 2) * 8:
        if span / width < _MOST_BINS:
            break
        width *= step
    return width


def _points_words(spec: FigureSpec, runs: set[int]) -> str:
    if not runs - {1}:
        return ""
    many = span_in_words(runs)
    if spec.value.style is Style.SHARE:
        return f"Each point stands for {many} runs."
    thing = "bar" if spec.kind is FigureKind.BARS else "point"
    lines = {
        ErrorBars.RANGE: "; thin lines reach from the lowest to the highest",
        ErrorBars.QUARTILES: "; thin lines span the middle half",
        ErrorBars.NONE: "",
    }
    return f"Each {thing} is {spec.statistic.words} of {many} runs{lines[spec.bars]}."


def _extras(series: list[Series]) -> str:
    points = [point for line in series for point in line.points]
    sentences = []
    if any(point.printed is not None for point in points):
        sentences.append("Diamonds are the figures printed in the source.")
    if any(point.open for point in points):
        sentences.append("An arrow upwards: a limit ended runs, which would have taken more.")
    return " ".join(sentences)


def _unit(measure: Measure) -> str:
    return {
        Style.SECONDS: measure.unit,
        Style.BYTES: f"{measure.unit} (bytes)",
        Style.SHARE: f"{measure.unit} (%)",
    }.get(measure.style, measure.unit)


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)
