"""The figures of a report: points, axes and captions made from records, and their plots.

`figure_of` makes a figure from records. `draw`, `to_svg` and `to_png` plot it with Matplotlib,
which is imported late. A plot for a page is SVG whose lines and text have the colour of the
surrounding text, so that it suits light and dark pages. The SVG of a figure is reproducible.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

from taquin.errors import UnsuitableError
from taquin.lab.report.document import Axis, Figure, FigureKind, Point, Series
from taquin.lab.report.measures import (
    Grouping,
    Measure,
    confidence_interval,
    heading,
    label_of,
    printed_figure,
    scipy_advice,
    solved_by_both,
    spread_of,
)
from taquin.lab.report.spec import ErrorBars, FigureSpec, ReportSpec
from taquin.lab.report.tables import field_of, select, span_text
from taquin.lab.run.database import Record
from taquin.notation.fields import NUMBER
from taquin.system.lazy import not_installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

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
                    ends = confidence_interval(_values(spec.value, records), field)
                    low, high = (min(ends[0], y), max(ends[1], y)) if ends else (None, None)
                elif spec.bars in _BARS and not (spec.value.is_share or spread.single):
                    low, high = (getattr(spread, name) for name in _BARS[spec.bars][:2])
                points.append(Point(x, y, low, high, printed_figure(records), is_open))
        series.append(Series(label_of(head), tuple(points)))
    sentences = [spec.value.defined]
    if counts - {1}:
        runs = span_text(counts)
        if spec.value.is_share:
            sentences.append(f"Each point stands for {runs} runs.")
        else:
            noun = "bar" if spec.kind is FigureKind.BARS else "point"
            lines = f"; thin lines {_BARS[spec.bars][2]}" if spec.bars in _BARS else ""
            sentences.append(f"Each {noun} is {spec.statistic.phrase} of {runs} runs{lines}.")
        if spec.bars is ErrorBars.CONFIDENCE:
            bars = "Thin lines are 95 % confidence intervals, by bootstrap."
            sentences.append(scipy_advice() or bars)
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
    pairs = solved_by_both(grouping.records, spec.against, spec.value)
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


_INK = "#1b1f24"
_PAGE_INK = "#010203"
"""A unique colour, which on a page is replaced by the colour of the text."""
COLOURS = ("#2f7fc1", "#e07b28", "#2e9d6b", "#c2559d", "#8b6fd6", "#b48a1a", "#4fa3b0", "#d1495b")
"""Distinguishable for colour-blind readers, on light and on dark; dashes and markers differ too."""
_MARKERS = "os^Dv<>P"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)))
_HATCHES = ("", "///", "...", "xxx")
_ABREAST = 3
"""The most series of a histogram side by side; more get a panel each."""
_STYLE = resources.files("taquin.lab.report") / "plots.mplstyle"
_SIZE = (7.4, 4.3)
_CAPTION_LETTERS = 108
_TICK_LETTERS = 13
_ID = re.compile(r'(\bid="|url\(#|href="#)')


def available() -> bool:
    """Return whether Matplotlib is installed, without loading it."""
    return find_spec("matplotlib") is not None


def to_svg(figure: Figure, *, caption: bool = True, page: bool = False) -> str:
    """Return the figure as SVG: a document, or an element of a `page`; see `draw`."""
    text = _saved(figure, "svg", caption, page=page).decode("utf-8")
    if not page:
        return text
    # Only the element, with unique ids and the colour of the surrounding text.
    element = text[text.index("<svg") :].strip()
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.DOTALL)
    element = _ID.sub(lambda match: f"{match[1]}{figure.name}-", element)
    # The page decides the width; the plot keeps its proportions.
    head, _, rest = element.replace(_PAGE_INK, "currentColor").partition(">")
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    return f'{head} role="img" aria-labelledby="{figure.name}-caption">{rest}'


def to_png(figure: Figure, *, caption: bool = True, dpi: int = 150) -> bytes:
    """Return the figure as a PNG image; see `draw`."""
    return _saved(figure, "png", caption, dpi)


def check_available() -> None:
    """Raise UnsuitableError if Matplotlib is not installed."""
    if not available():
        raise UnsuitableError(not_installed("plots need Matplotlib", "plots"))


def to_file(figures: Sequence[Figure], kind: str) -> bytes:
    """Return line figures side by side as one SVG, PNG or PDF; see `draw`."""
    check_available()
    from matplotlib.figure import Figure as Drawing

    buffer = BytesIO()
    with _styled(_INK):
        drawing = Drawing(figsize=(_SIZE[0] * 1.5, _SIZE[1]), layout="constrained")
        for number, figure in enumerate(figures, 1):
            axes = drawing.add_subplot(1, len(figures), number)
            _lines(axes, figure, _INK)
            axes.set(title=figure.title, xlabel=figure.x.label, ylabel=figure.y.label)
            if number < len(figures) and (legend := axes.get_legend()):
                legend.remove()
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        drawing.savefig(buffer, format=kind, dpi=150, metadata=dates.get(kind))
    return buffer.getvalue()


def draw(figure: Figure, *, title: bool = True, caption: bool = False, ink: str = _INK) -> Drawing:
    """Return the figure as a Matplotlib figure; raise UnsuitableError if Matplotlib is missing."""
    check_available()
    from matplotlib.figure import Figure as Drawing

    with _styled(ink):
        if figure.kind is FigureKind.HISTOGRAM and len(figure.series) > _ABREAST:
            drawing = _panels(figure, title)
        else:
            drawing = Drawing(figsize=_SIZE, layout="constrained")
            axes = drawing.add_subplot()
            _DRAWERS[figure.kind](axes, figure, ink)
            axes.set_title(figure.title if title else "")
            axes.set_xlabel(figure.x.label)
            axes.set_ylabel(figure.y.label)
        if caption:
            drawing.supxlabel(
                fill(figure.caption, _CAPTION_LETTERS), x=0.01, ha="left", fontsize=8, color=ink
            )
    return drawing


def _saved(
    figure: Figure, kind: Literal["svg", "png"], caption: bool, dpi: int = 150, page: bool = False
) -> bytes:
    ink = _PAGE_INK if page else _INK
    # On a page the title is in the caption.
    drawing = draw(figure, title=not page, caption=caption, ink=ink)
    for patch in (drawing.patch, *(axes.patch for axes in drawing.axes)):
        patch.set_alpha(0.0 if page else 1.0)
    # Dates and names of programs would make the file irreproducible.
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    buffer = BytesIO()
    with _styled(ink, figure.name):
        drawing.savefig(buffer, format=kind, dpi=dpi, metadata=metadata)
    return buffer.getvalue()


@contextmanager
def _styled(ink: str, salt: str = "taquin") -> Iterator[None]:
    """Set the style of Matplotlib for the block; `salt` makes the ids of an SVG reproducible."""
    from matplotlib import rc_context

    inked = (
        *("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor"),
        *("xtick.color", "ytick.color", "grid.color"),
    )
    settings: Any = {**dict.fromkeys(inked, ink), "svg.hashsalt": salt}
    with resources.as_file(_STYLE) as file, rc_context(settings, file):
        yield


def _lines(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    for number, series in enumerate(figure.series):
        axes.plot(*_xy(series), label=series.label, **_stroke(number, 1.4, has_marker=True))
        for point in series.points:
            _extras(axes, point, point.x, _colour(number))
    _ticks(axes, figure.x)
    _legend(axes, figure, ink)


def _bars(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    is_single = len(figure.series) == 1
    _side_by_side(axes, figure, 0.8, 0.92, ink)
    if is_single:
        for point, bar in zip(figure.points, axes.patches, strict=True):
            bar.set_facecolor(_colour(int(point.x)))
    _ticks(axes, figure.x)
    _legend(axes, figure, ink, names=not is_single)


def _draw_cactus(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    for number, series in enumerate(figure.series):
        label = f"{series.label} ({len(series.points) and int(series.points[-1].y):,})"
        axes.plot(*_xy(series), drawstyle="steps-post", label=label, **_stroke(number, 1.6))
    axes.set_ylim(bottom=0)
    _legend(axes, figure, ink)


def _draw_scatter(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    x, y = _xy(figure.series[0])
    axes.scatter(x, y, s=20, color=COLOURS[0], alpha=0.75, linewidths=0)
    if x:
        ends = [min(x + y), max(x + y)]
        axes.plot(ends, ends, color=ink, linewidth=0.9, linestyle="--", alpha=0.6)
        axes.annotate("equal", (ends[1], ends[1]), ha="right", va="bottom", fontsize=8)


def _draw_histogram(axes: Axes, figure: Figure, ink: str) -> None:
    _side_by_side(axes, figure, _step(figure) * 0.86, 1.0, ink)
    _whole_numbers(axes.xaxis, axes.yaxis)
    _legend(axes, figure, ink)


def _panels(figure: Figure, title: bool) -> Drawing:
    """Return a histogram of many series, each in its own panel, all on one scale."""
    from matplotlib.figure import Figure as Drawing

    total = len(figure.series)
    across = 2 if total <= 4 else 3
    down = -(-total // across)
    drawing = Drawing(figsize=(_SIZE[0], 1.0 + 1.35 * down), layout="constrained")
    panels = drawing.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes in panels.flat[total:]:
        axes.set_visible(False)
    for number, (series, axes) in enumerate(zip(figure.series, panels.flat, strict=False)):
        axes.bar(*_xy(series), width=_step(figure) * 0.86, color=_colour(number))
        axes.grid(visible=False, axis="x")
        axes.set_title(series.label, fontsize=8.5, fontweight="normal")
        _whole_numbers(axes.xaxis, axes.yaxis)
        if number + across >= total:
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(figure.x.label)
        if number % across == 0:
            axes.set_ylabel(figure.y.label)
    if title:
        drawing.suptitle(figure.title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return drawing


def _step(figure: Figure) -> float:
    """Return the distance between the bins of a histogram."""
    places = sorted({point.x for point in figure.points})
    return min((right - left for left, right in pairwise(places)), default=1.0)


def _whole_numbers(*sides: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    for side in sides:
        side.set_major_locator(MaxNLocator(integer=True))


# New plots go here

_DRAWERS: dict[FigureKind, Callable[[Axes, Figure, str], None]] = {
    FigureKind.LINES: _lines,
    FigureKind.BARS: _bars,
    FigureKind.CACTUS: _draw_cactus,
    FigureKind.SCATTER: _draw_scatter,
    FigureKind.HISTOGRAM: _draw_histogram,
}
"""The function that draws each kind; the last argument is the colour of lines and text."""


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _stroke(number: int, width: float, *, has_marker: bool = False) -> dict[str, Any]:
    """Return the style of a line; if colours repeat, dashes and markers differ."""
    shifted = (number + number // len(COLOURS)) % len(_DASHES)
    look = {"color": _colour(number), "linestyle": _DASHES[shifted], "linewidth": width}
    return look | ({"marker": _MARKERS[shifted], "markersize": 4.5} if has_marker else {})


def _side_by_side(axes: Axes, figure: Figure, total: float, part: float, ink: str) -> None:
    """Draw bars that share the `total` width at each place; each fills a `part` of its share."""
    share = total / max(len(figure.series), 1)
    for number, series in enumerate(figure.series):
        shift = (number - (len(figure.series) - 1) / 2) * share
        hatch = _HATCHES[number // len(COLOURS) % len(_HATCHES)]
        axes.bar(
            *_xy(series, shift),
            width=share * part,
            color=_colour(number),
            label=series.label,
            hatch=hatch,
            edgecolor=ink if hatch else None,
            linewidth=0,
        )
        for point in series.points:
            _extras(axes, point, point.x + shift, ink)
    axes.grid(visible=False, axis="x")


def _scales(axes: Axes, figure: Figure) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter, PercentFormatter

    axes.margins(y=0.1)
    # A logarithmic axis needs a number above 0.
    if figure.x.log and any(point.x > 0 for point in figure.points):
        axes.set_xscale("log")
    if figure.y.log and any(point.y > 0 for point in figure.points):
        axes.set_yscale("log")
    # 10,000 rather than 10⁴, and shares in percent.
    for axis, side in ((axes.xaxis, figure.x), (axes.yaxis, figure.y)):
        if side.share:
            axis.set_major_formatter(PercentFormatter(1.0))
        elif not side.names:
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
        if side.log:
            axis.set_minor_formatter(NullFormatter())
    if figure.y.share:
        axes.set_ylim(-0.03, 1.05)


def _ticks(axes: Axes, axis: Axis) -> None:
    if axis.names:
        crowded = min(max(map(len, axis.names)), _TICK_LETTERS) * len(axis.names) > 80
        axes.set_xticks(
            range(len(axis.names)),
            [fill(name, _TICK_LETTERS, break_long_words=False) for name in axis.names],
            rotation=30 if crowded else 0,
            ha="right" if crowded else "center",
        )
    elif not axis.log:
        _whole_numbers(axes.xaxis)


def _xy(series: Series, shift: float = 0.0) -> tuple[list[float], list[float]]:
    return [point.x + shift for point in series.points], [point.y for point in series.points]


def _extras(axes: Axes, point: Point, x: float, colour: str) -> None:
    """Draw the error bar of a point, its printed figure, and an arrow if it is a lower bound."""
    if point.low is not None and point.high is not None:
        axes.errorbar(
            [x],
            [point.y],
            yerr=[[point.y - point.low], [point.high - point.y]],
            fmt="none",
            ecolor=colour,
            elinewidth=1,
            capsize=2.5,
            alpha=0.85,
        )
    if point.printed is not None:
        axes.plot([x], [point.printed], markersize=7.5, zorder=5, **_diamond(colour))
    if point.open:
        axes.annotate(
            "",
            (x, point.y),
            xytext=(0, 15),
            textcoords="offset points",
            arrowprops={"arrowstyle": "<-", "color": colour, "lw": 1.3},
            annotation_clip=False,
        )


def _diamond(colour: str) -> dict[str, Any]:
    return {
        "linestyle": "none",
        "marker": "D",
        "markerfacecolor": "none",
        "markeredgecolor": colour,
        "markeredgewidth": 1.2,
    }


def _legend(axes: Axes, figure: Figure, ink: str, *, names: bool = True) -> None:
    """Put the legend beside the plot; a single series needs none."""
    from matplotlib.lines import Line2D

    handles, labels = axes.get_legend_handles_labels() if names else ([], [])
    if any(point.printed is not None for point in figure.points):
        handles = [*handles, Line2D([], [], **_diamond(ink))]
        labels = [*labels, "printed in the source"]
        if len(labels) == 1:
            axes.legend(handles, labels, loc="best")
            return
    if len(labels) > 1:
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.0))
