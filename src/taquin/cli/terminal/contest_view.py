"""A contest as a page: the current board of each search, and bars on a common scale."""

from __future__ import annotations

from collections.abc import Iterator

import click

from taquin.cli.running import short_number
from taquin.cli.terminal import drawing
from taquin.cli.terminal.drawing import Scale, bar, centred, clip, padded
from taquin.search.contest import By, Contest, Runner, place_of
from taquin.search.result import Outcome
from taquin.system.layout import side_by_side, text_width
from taquin.system.words import counted, seconds_in_words

_NARROWEST = 24
"""Columns of a search's part of the window."""
_GAP = 2
_NUMBER = 5


def page(contest: Contest, speed: str, size: tuple[int, int]) -> list[str]:
    """Return the lines of a window of `size` columns and lines; `speed` is shown in words."""
    wide, high = size
    most = max(runner.spent for runner in contest.runners)
    spent = counted(int(most), "expansion")
    if contest.by is By.TIME:
        spent = seconds_in_words(most)
    title = click.style(f"race  {contest.puzzle.grid}", bold=True)
    keys = ["q quit"]
    if contest.running:
        keys = ["space pause", "n one each", "+ - speed", "end full speed", *keys]
    state = click.style(speed if contest.running else "all have ended", dim=True)
    foot = [centred(state, wide), *drawing.keys_help(keys, wide)]
    left = high - len(foot) - 3
    for lines in _bodies(contest, wide):
        if len(lines) <= left:
            head = drawing.apart(title, f"{spent} each", wide)
            return [head, "", *lines, *[""] * (left - len(lines)), "", *foot]
    return drawing.too_small(wide, high, _NARROWEST, len(contest.runners) + len(foot) + 3)


def _bodies(contest: Contest, wide: int) -> Iterator[list[str]]:
    """Yield the searches at every scale, the largest first."""
    count = len(contest.runners)
    across = max(1, min(count, (wide + _GAP) // (_NARROWEST + _GAP)))
    # Rows of equal length look better than a full one and a rest.
    across = -(-count // -(-count // across))
    width = min(40, (wide + _GAP) // across - _GAP)
    for scale in (Scale.BOXED, Scale.PLAIN, None):
        if scale is None or scale.size(contest.runners[0].board)[0] <= width:
            blocks = [_block(runner, contest, scale, width) for runner in contest.runners]
            bands = side_by_side(blocks, wide, _GAP, equal=True)
            yield [line for band in bands for line in (*band, "")][:-1]
    yield [_line(runner, contest, wide) for runner in contest.runners]


def _block(runner: Runner, contest: Contest, scale: Scale | None, width: int) -> list[str]:
    name = runner.name if text_width(runner.name) <= width else f"{clip(runner.name, width - 1)}…"
    lines = [padded(click.style(name, bold=True), width)]
    if scale is not None:
        lines += drawing.draw_tiles(runner.board, scale, contest.puzzle.goal)
    for measure in ("expanded", "frontier", "depth"):
        value = getattr(runner, measure)
        largest = max(getattr(rival, measure) for rival in contest.runners)
        drawn = bar(value, largest, width - 9 - _NUMBER - 1)
        number = short_number(value).rjust(_NUMBER)
        lines.append(f"{click.style(measure.ljust(9), dim=True)}{drawn} {number}")
    return [*lines, _status(runner, contest)]


def _line(runner: Runner, contest: Contest, wide: int) -> str:
    largest = max(rival.expanded for rival in contest.runners)
    status = _status(runner, contest)
    name = padded(runner.name, min(wide // 2, max(len(rival.name) for rival in contest.runners)))
    number = short_number(runner.expanded).rjust(_NUMBER)
    left = wide - text_width(name) - _NUMBER - text_width(status) - 3
    drawn = f" {bar(runner.expanded, largest, min(20, left))}" if left >= 4 else ""
    return clip(f"{name}{drawn} {number} {status}", wide)


def _status(runner: Runner, contest: Contest) -> str:
    """Return the state of a search, or how it ended."""
    result = runner.result
    if result is None:
        return click.style("searching", dim=True)
    if result.outcome is not Outcome.SOLVED or result.cost is None:
        return result.outcome.value
    place = place_of(runner, contest.runners)
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(place or 0, f"{place}th")
    proven = ", shortest" if result.optimal else ""
    status = f"{ordinal}: {counted(result.cost, 'move')}{proven}"
    return click.style(status, fg="green", bold=True)
