"""The kinds of plots: how each draws its points on the axes of Matplotlib.

Matplotlib is imported within the functions that need it, so that importing this costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING

from taquin.lab.report import Axis, Figure, Kind, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#2f7fc1", "#e07b28", "#2e9d6b", "#c2559d", "#8b6fd6", "#b48a1a", "#4fa3b0", "#d1495b")
"""Told apart by those who see few colours, on light and on dark; every series also has its own
marker and its own dashes."""

_MARKERS = "os^Dv<>P"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2)))
_TICK_LETTERS = 13


def _lines(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    for number, series in enumerate(figure.series):
        colour = COLOURS[number % len(COLOURS)]
        x, y = [point.x for point in series.points], [point.y for point in series.points]
        axes.plot(
            x,
            y,
            color=colour,
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=4.5,
            linewidth=1.4,
            linestyle=_DASHES[number % len(_DASHES)],
            label=series.label,
        )
        still = [0.0] * len(x)
        _spread(axes, series, still, colour)
        _printed(axes, series, still, colour)
        _open(axes, series, still, colour)
    _ticks(axes, figure.x)
    _legend(axes, figure, ink)


def _bars(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    many = len(figure.series)
    room = 0.8 / max(many, 1)
    alone = many == 1
    for number, series in enumerate(figure.series):
        colour = COLOURS[number % len(COLOURS)]
        shift = (number - (many - 1) / 2) * room
        x = [point.x + shift for point in series.points]
        axes.bar(
            x,
            [point.y for point in series.points],
            width=room * 0.92,
            color=[COLOURS[int(point.x) % len(COLOURS)] for point in series.points]
            if alone
            else colour,
            label=series.label,
        )
        shifts = [shift] * len(x)
        _spread(axes, series, shifts, ink)
        _printed(axes, series, shifts, ink)
        _open(axes, series, shifts, ink)
    axes.grid(visible=False, axis="x")
    _ticks(axes, figure.x)
    if not alone or _has_printed(figure):
        _legend(axes, figure, ink, names=not alone)


def _cactus(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    for number, series in enumerate(figure.series):
        axes.plot(
            [point.x for point in series.points],
            [point.y for point in series.points],
            color=COLOURS[number % len(COLOURS)],
            linestyle=_DASHES[number % len(_DASHES)],
            linewidth=1.6,
            drawstyle="steps-post",
            label=f"{series.label} ({len(series.points) and int(series.points[-1].y):,})",
        )
    axes.set_ylim(bottom=0)
    _legend(axes, figure, ink)


def _scatter(axes: Axes, figure: Figure, ink: str) -> None:
    _scales(axes, figure)
    points = figure.series[0].points
    axes.scatter(
        [point.x for point in points],
        [point.y for point in points],
        s=20,
        color=COLOURS[0],
        alpha=0.75,
        linewidths=0,
    )
    if points:
        ends = [
            min(min(point.x, point.y) for point in points),
            max(max(point.x, point.y) for point in points),
        ]
        axes.plot(ends, ends, color=ink, linewidth=0.9, linestyle="--", alpha=0.6)
        axes.annotate("equal", (ends[1], ends[1]), ha="right", va="bottom", fontsize=8)


def _histogram(axes: Axes, figure: Figure, ink: str) -> None:
    from matplotlib.ticker import MaxNLocator

    places = sorted({point.x for series in figure.series for point in series.points})
    step = min((b - a for a, b in pairwise(places)), default=1.0)
    many = max(len(figure.series), 1)
    width = step * 0.86 / many
    for number, series in enumerate(figure.series):
        shift = (number - (many - 1) / 2) * width
        axes.bar(
            [point.x + shift for point in series.points],
            [point.y for point in series.points],
            width=width,
            color=COLOURS[number % len(COLOURS)],
            label=series.label,
        )
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _legend(axes, figure, ink)


DRAWERS: dict[Kind, Callable[[Axes, Figure, str], None]] = {
    Kind.LINES: _lines,
    Kind.BARS: _bars,
    Kind.CACTUS: _cactus,
    Kind.SCATTER: _scatter,
    Kind.HISTOGRAM: _histogram,
}
"""What draws each kind; the last argument is the colour of lines and letters."""


# --- parts of figures ----------------------------------------------------------------------------


def _scales(axes: Axes, figure: Figure) -> None:
    axes.margins(y=0.1)
    points = [point for series in figure.series for point in series.points]
    # Logarithms need something above 0 to show.
    if figure.x.log and any(point.x > 0 for point in points):
        axes.set_xscale("log")
    if figure.y.log and any(point.y > 0 for point in points):
        axes.set_yscale("log")
    _numbers(axes, figure)


def _numbers(axes: Axes, figure: Figure) -> None:
    """Write 10,000 rather than 10⁴, and shares in percent."""
    from matplotlib.ticker import FuncFormatter, NullFormatter, PercentFormatter

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
    from matplotlib.ticker import MaxNLocator

    if axis.names:
        longest = max(len(name) for name in axis.names)
        crowded = min(longest, _TICK_LETTERS) * len(axis.names) > 80
        axes.set_xticks(
            range(len(axis.names)),
            [fill(name, _TICK_LETTERS, break_long_words=False) for name in axis.names],
            rotation=30 if crowded else 0,
            ha="right" if crowded else "center",
        )
    elif not axis.log:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _spread(axes: Axes, series: Series, shifts: list[float], colour: str) -> None:
    for point, shift in zip(series.points, shifts, strict=True):
        if point.low is not None and point.high is not None:
            axes.errorbar(
                [point.x + shift],
                [point.y],
                yerr=[[point.y - point.low], [point.high - point.y]],
                fmt="none",
                ecolor=colour,
                elinewidth=1,
                capsize=2.5,
                alpha=0.85,
            )


def _printed(axes: Axes, series: Series, shifts: list[float], colour: str) -> None:
    found = [
        (point.x + shift, point.printed)
        for point, shift in zip(series.points, shifts, strict=True)
        if point.printed is not None
    ]
    if found:
        axes.plot(
            [x for x, _ in found],
            [y for _, y in found],
            linestyle="none",
            marker="D",
            markersize=7.5,
            markerfacecolor="none",
            markeredgecolor=colour,
            markeredgewidth=1.2,
            zorder=5,
        )


def _open(axes: Axes, series: Series, shifts: list[float], colour: str) -> None:
    found = [
        (point.x + shift, point.y)
        for point, shift in zip(series.points, shifts, strict=True)
        if point.open
    ]
    for x, y in found:
        axes.annotate(
            "",
            (x, y),
            xytext=(0, 15),
            textcoords="offset points",
            arrowprops={"arrowstyle": "<-", "color": colour, "lw": 1.3},
            annotation_clip=False,
        )


def _has_printed(figure: Figure) -> bool:
    return any(point.printed is not None for series in figure.series for point in series.points)


def _legend(axes: Axes, figure: Figure, ink: str, *, names: bool = True) -> None:
    """Put the names beside the picture, where they hide nothing."""
    from matplotlib.lines import Line2D

    handles, labels = axes.get_legend_handles_labels() if names else ([], [])
    if len(labels) == 1 and not _has_printed(figure):
        return
    if _has_printed(figure):
        diamond = Line2D(
            [], [], linestyle="none", marker="D", markerfacecolor="none", markeredgecolor=ink
        )
        handles, labels = [*handles, diamond], [*labels, "printed in the source"]
    if len(labels) == 1:
        axes.legend(handles, labels, loc="best")
    else:
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.0))
