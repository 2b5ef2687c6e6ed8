"""What `taquin solve --many` prints: answers in any form, and histograms."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, TypeAlias

import click

from taquin.cli.options import like_json, likeness_named
from taquin.cli.output import csv_record, print_csv, print_json, result_line
from taquin.cli.screen import say
from taquin.errors import NotationError, TaquinError, with_notes
from taquin.notation import write_moves
from taquin.search.result import Outcome, Result

if TYPE_CHECKING:
    from taquin.engine.many import Answer

_MAX_BARS = 12
"""Lines of the longest histogram; more lengths share bars."""
_LONGEST_BAR = 50
_COLUMNS = (
    *("start", "outcome", "cost", "lower_bound", "optimal", "assumes", "moves", "algorithm"),
    *("engine", "reason"),
)
"""The columns of CSV before the counters."""
Writer: TypeAlias = "Callable[[Answer], None]"
"""Prints an answer."""


def json_writer(like: str | None, first: int) -> Writer:
    """Return a writer of one JSON object for each board or fault, in the counts of a source."""
    likeness = likeness_named(like)

    def write(answer: Answer) -> None:
        if isinstance(answer, Result):
            sys.stdout.write(f"{result_line(answer, like_json(likeness, answer))}\n")
        else:
            line = answer.line if isinstance(answer, NotationError) else None
            print_json({"error": with_notes(answer), "line": line})

    return write


def csv_writer(like: str | None, first: int) -> Writer:
    """Return a writer of one row of CSV for each board or fault, in the counts of a source.

    Headings come before the answer with the number 1, if `first` is that.
    """
    likeness = likeness_named(like)
    headings = chain([first == 1], repeat(False))

    def write(answer: Answer) -> None:
        tally = None
        if isinstance(answer, Result):
            record = csv_record(_COLUMNS, answer) | {"start": answer.start.text()}
            if answer.moves is not None:
                record["moves"] = write_moves(answer.moves, answer.puzzle.metric)
            tally = likeness and likeness.counter(answer.algorithm, answer.stats)
        else:
            fault = {"outcome": "error", "reason": with_notes(answer)}
            record = csv_record(_COLUMNS, None) | fault
        if likeness:
            record[likeness.count] = tally
        print_csv([record], heading=next(headings))

    return write


def styled_writer(show: Callable[[Result], None], in_lines: bool, first: int) -> Writer:
    """Return a writer that shows solutions; with `in_lines`, an empty line where there is none."""
    numbers = count(first)

    def write(answer: Answer) -> None:
        number = next(numbers)
        if isinstance(answer, TaquinError):
            say(f"Error: {with_notes(answer)}")
            if in_lines:
                click.echo()
            return
        if number > 1 and not in_lines:
            click.echo()
        if in_lines and answer.outcome is not Outcome.SOLVED:
            say(f"Board {number}, {answer.start.text()}:")
        if in_lines and answer.moves is None:
            click.echo()
        show(answer)

    return write


def histogram(numbers: Sequence[int], width: int) -> Iterator[str]:
    r"""Yield a bar for each range of numbers, in lines of at most `width` characters.

    >>> print(*histogram([2, 2, 2, 3, 5], 20), sep="\n")
    2  ███ 3
    3  █ 1
    4   0
    5  █ 1
    """
    low, high = min(numbers), max(numbers)
    step = -(-(high - low + 1) // _MAX_BARS)
    counts = Counter((number - low) // step for number in numbers)
    labels = [
        f"{first:,}" if step == 1 else f"{first:,}–{min(first + step - 1, high):,}"
        for first in range(low, high + 1, step)
    ]
    label_width, most = max(map(len, labels)), max(counts.values())
    longest = max(1, min(_LONGEST_BAR, most, width - label_width - len(f"{most:,}") - 3))
    for index, label in enumerate(labels):
        bar = "█" * -(-counts[index] * longest // most)
        yield f"{label.rjust(label_width)}  {bar} {counts[index]:,}"
