"""The figures of a report, made from records: points, axes and captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from taquin.lab.report import inference
from taquin.lab.report.document import Axis, Figure, FigureKind, Point, Series
from taquin.lab.report.grouping import Grouping, heading, label_of, printed_figure
from taquin.lab.report.measures import Measure, spread_of
from taquin.lab.report.spec import ErrorBars, FigureSpec, ReportSpec
from taquin.lab.report.tables import field_of, select, span_text
from taquin.lab.run.record import Record
from taquin.notation.fields import NUMBER

_MOST_BINS = 60
_MOST_STEPS = 500

_BARS = {
    ErrorBars.RANGE: ("low", "high", "reach from the lowest to the highest"),
    ErrorBars.QUARTILES: ("lower_quartile", "upper_quartile", "span the middle half"),
}
"""The fields of a spread at the ends of error bars, and what the bars do."""

_Parts = tuple[Axis, Axis, list[Series], str]
"""The horizontal axis, the vertical axis, the series, and the text of the caption."""


def figure_of(spec: FigureSpec, grouping: Grouping, report: ReportSpec, name: str) -> Figure:
    """Return the figure of `spec`; raise UnsuitableError for a key that no record has."""
    make = _MAKERS[spec.kind]
    shown, remarks = select(spec, grouping, spec.series, *([spec.x] if make is _plot else []))
    x, y, series, text = make(spec, shown, report)
    caption = " ".join(filter(None, [spec.caption, text, *remarks]))
    return Figure(name, spec.kind, spec.title, x, y, tuple(series), caption)


def _plot(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return the parts of lines or bars: a statistic of each group over `x`."""
    groups = grouping.groups(spec.series, spec.x)
    places = grouping.ordered(spec.x, (x for _, x in groups))
    numeric = spec.kind is FigureKind.LINES and all(type(place) in NUMBER for place in places)
    series, counts = [], set()
    for head in grouping.ordered(spec.series, (head for head, _ in groups)):
        points = []
        for number, place in enumerate(places):
            records = groups.get((head, place), [])
            if spread := spread_of(spec.value, records):
                counts.add(spread.count)
                x = float(place) if numeric else float(number)
                y, is_open = spread.statistic(field := field_of(spec.value, spec.statistic))
                if y is None:
                    continue
                low = high = None
                if spec.bars is ErrorBars.CONFIDENCE:
                    ends = inference.interval(_values(spec.value, records), field)
                    low, high = (min(ends[0], y), max(ends[1], y)) if ends else (None, None)
                elif spec.bars in _BARS and not (spec.value.is_share or spread.single):
                    low, high = (getattr(spread, name) for name in _BARS[spec.bars][:2])
                points.append(Point(x, y, low, high, printed_figure(records), is_open))
        series.append(Series(label_of(head), tuple(points)))
    sentences = [spec.value.defined]
    if counts - {1}:
        sentences.append(_group_sentence(spec, span_text(counts)))
    all_points = [point for line in series for point in line.points]
    if any(point.printed is not None for point in all_points):
        sentences.append("Diamonds are the figures printed in the source.")
    if any(point.open for point in all_points):
        sentences.append("An upward arrow marks a lower bound: a limit ended runs.")
    share = spec.value.is_share
    return (
        Axis(
            spec.label or heading(spec.x, report.headings),
            log="x" in spec.log and numeric,
            names=() if numeric else tuple(label_of(place) for place in places),
        ),
        Axis(spec.value.axis_label, log="y" in spec.log and not share, share=share),
        series,
        " ".join(sentences),
    )


def _group_sentence(spec: FigureSpec, runs: str) -> str:
    if spec.value.is_share:
        sentence = f"Each point stands for {runs} runs."
    else:
        noun = "bar" if spec.kind is FigureKind.BARS else "point"
        lines = f"; thin lines {_BARS[spec.bars][2]}" if spec.bars in _BARS else ""
        sentence = f"Each {noun} is {spec.statistic.phrase} of {runs} runs{lines}."
    if spec.bars is not ErrorBars.CONFIDENCE:
        return sentence
    bars = "Thin lines are 95 % confidence intervals, by bootstrap."
    return f"{sentence} {inference.missing() or bars}"


def _cactus(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return the number of runs solved within each effort, one series per search."""
    groups, series = grouping.by(spec.series), []
    for head, records in groups.items():
        efforts = sorted(_values(spec.value, [record for record in records if record.solved]))
        # At most as many steps as a plot can show.
        last = len(efforts) - 1
        kept = [*range(0, last, max(1, len(efforts) // _MOST_STEPS)), last] if efforts else []
        points = tuple(Point(efforts[index], index + 1) for index in kept)
        series.append(Series(label_of(head), points))
    total = max(map(len, groups.values()), default=0)
    return (
        Axis(spec.value.axis_label, log="x" in spec.log),
        Axis(f"runs solved (of {total:,})"),
        series,
        f"How many runs each search solved within a number of {spec.value.unit} "
        f"({spec.value.definition}); further up and to the left is better.",
    )


def _scatter(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return a point for each board that both searches solved."""
    across, up = spec.against
    pairs = inference.solved_by_both(grouping.records, spec.against, spec.value)
    log = bool(spec.log)
    return (
        Axis(f"{spec.value.axis_label}, {across}", log=log),
        Axis(f"{spec.value.axis_label}, {up}", log=log),
        [Series("boards", tuple(Point(x, y) for x, y in pairs))],
        f"Each point is a board that both searches solved, {len(pairs):,} in all; on the line "
        f"both are equal. {up} is lower on {sum(y < x for x, y in pairs):,}, {across} on "
        f"{sum(y > x for x, y in pairs):,}. {spec.value.defined}",
    )


def _histogram(spec: FigureSpec, grouping: Grouping, report: ReportSpec) -> _Parts:
    """Return how often each whole number, or each range of numbers, occurs."""
    values = {
        head: _values(spec.value, records) for head, records in grouping.by(spec.series).items()
    }
    width = _bin_width([value for numbers in values.values() for value in numbers])
    series = []
    for head, numbers in values.items():
        counts = Counter(value // width * width for value in numbers)
        points = tuple(Point(x, counts[x]) for x in sorted(counts))
        series.append(Series(f"{label_of(head)} ({len(numbers):,})", points))
    noun = "each length" if width == 1 else f"each interval of {width:g}"
    return (
        Axis(spec.label or spec.value.axis_label),
        Axis("runs"),
        series,
        f"The number of runs for {noun}; the total is behind each name. {spec.value.defined}",
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
