"""The live line: how a long search is doing, on the screen's last line, gone when it is over."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from taquin.cli.screen import columns, is_terminal
from taquin.search.driver import Progress
from taquin.search.result import Counters

_PATIENCE = 0.4
"""Seconds before a line appears: nobody needs to be told about a search that is over at once."""
_INTERVAL = 0.1
"""Seconds between two drawings."""
_ERASE = "\r\x1b[K"


@contextmanager
def live_line(label: str = "") -> Iterator[Progress | None]:
    """Yield what draws the line, and erase it in the end; None where nobody watches.

    `label` says what is running. The line goes to the error stream, never into a pipe.
    """
    if not is_terminal(sys.stderr):
        yield None
        return
    drawn = 0.0

    def draw(counters: Counters, seconds: float) -> None:
        nonlocal drawn
        # A search of several stages starts its clock anew with each.
        if not counters.stage and (seconds < _PATIENCE or 0 <= seconds - drawn < _INTERVAL):
            return
        drawn = max(seconds, _INTERVAL)
        sys.stderr.write(_ERASE + describe(counters, seconds, columns() - 1, label))
        sys.stderr.flush()

    try:
        yield draw
    finally:
        if drawn:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()


@contextmanager
def stage_line() -> Iterator[Callable[[str], None]]:
    """Yield what shows one line about long work where someone watches, and erase it in the end."""
    watched = is_terminal(sys.stderr)

    def draw(text: str) -> None:
        if watched:
            sys.stderr.write(_ERASE + text[: columns() - 1])
            sys.stderr.flush()

    try:
        yield draw
    finally:
        draw("")


@contextmanager
def busy(text: str) -> Iterator[None]:
    """Show `text` where someone watches, for as long as something runs that cannot report."""
    shown = is_terminal(sys.stderr)
    if shown:
        sys.stderr.write(text[: columns() - 1])
        sys.stderr.flush()
    try:
        yield
    finally:
        if shown:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()


def describe(counters: Counters, seconds: float, width: int, label: str = "") -> str:
    """Return as much as fits into `width` characters, the most telling first.

    >>> describe(Counters(expanded=1_234_567, frontier=900_000, bound=41), 10, 60)
    '10 s · 1.2M nodes · 123k/s · bound 41 · frontier 900k'
    """
    # A compiled search counts what it generates, the glass box also what it expands.
    nodes = counters.expanded or counters.generated
    parts = [
        f"{label}: {seconds:.0f} s" if label else f"{seconds:.0f} s",
        counters.stage or f"{short_number(nodes)} nodes",
    ]
    if counters.stage:
        return " · ".join(parts)[:width]
    parts += [
        f"{short_number(nodes / seconds if seconds else 0)}/s",
        f"bound {counters.bound:.0f}",
    ]
    if counters.frontier:
        parts.append(f"frontier {short_number(counters.frontier)}")
    line = parts[0]
    for part in parts[1:]:
        if len(line) + len(part) + 3 > width:
            break
        line += f" · {part}"
    return line[:width]


def short_number(number: float) -> str:
    """Return a number in at most four characters and a unit.

    >>> [short_number(number) for number in (999, 1_234, 56_789, 1_234_567, 2_345_678_901)]
    ['999', '1.2k', '57k', '1.2M', '2.3G']
    """
    for unit in ("", "k", "M", "G"):
        if number < 999.5 or unit == "G":
            break
        number /= 1000
    return f"{number:.1f}{unit}" if unit and number < 9.95 else f"{number:.0f}{unit}"
