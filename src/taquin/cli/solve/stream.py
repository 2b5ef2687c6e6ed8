"""`taquin solve --many`: print an answer to each board of a stream, in order.

The summary goes to the error stream, and only if that is a screen:

    30 boards: 29 solved, 1 unsolvable, in 0.4 s. Moves: 12 to 31, mean 22.3, median 22.
    12–15  ████████ 4
    16–19  ██████ 3
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import click

from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED
from taquin.cli.options import like_json
from taquin.cli.output import STATUS, csv_record, print_csv, print_json, result_line
from taquin.cli.running import live_line, solve_task
from taquin.cli.screen import columns, is_terminal, say
from taquin.engine.many import Answer, Many
from taquin.errors import NotationError, TaquinError, with_notes
from taquin.notation import write_moves
from taquin.search.control import INTERRUPTED
from taquin.search.result import Outcome, Result, Task
from taquin.system.formatting import counted, seconds_in_words
from taquin.system.interrupts import DeferredInterrupts

if TYPE_CHECKING:
    from taquin.analysis.likeness import Likeness

Writer: TypeAlias = "Callable[[Answer], None]"
"""Prints an answer."""
_OUTCOMES = {
    Outcome.SOLVED: "solved",
    Outcome.UNSOLVABLE: "unsolvable",
    Outcome.LIMIT_REACHED: "ended by a limit",
    Outcome.STOPPED: "stopped",
    None: "faulty",
}
"""The outcomes in words; None stands for a line that is not a board or cannot be searched."""

_MAX_BARS = 12
"""Lines of the longest histogram; more lengths share bars."""
_LONGEST_BAR = 50
_COLUMNS = (
    *("start", "outcome", "cost", "lower_bound", "optimal", "assumes", "moves", "algorithm"),
    *("engine", "reason"),
)
"""The columns of CSV before the counters."""


def solve_many(
    tasks: Iterable[Task | TaquinError], runs_user_code: bool, many: Many, write: Writer
) -> int:
    """Print an answer to each task as it is found; return the worst exit status.

    A summary follows on the error stream, if that is a screen.
    """
    outcomes: Counter[Outcome | None] = Counter()
    lengths: Counter[int] = Counter()
    began = perf_counter()
    many.notice, many.watching = say, live_line
    for answer in _answers_of_user_code(tasks, many) if runs_user_code else many.answers(tasks):
        # An answer is written to its end, and those that are found when Ctrl-C comes, too.
        with DeferredInterrupts() as block:
            write(answer)
            sys.stdout.flush()
            outcomes[answer.outcome if isinstance(answer, Result) else None] += 1
            if isinstance(answer, Result) and answer.cost is not None:
                lengths[answer.cost] += 1
        if block.is_interrupted:
            many.end(INTERRUPTED)
    if is_terminal(sys.stderr) and outcomes.total() > 1:
        for line in _summary(outcomes, [*lengths.elements()], perf_counter() - began):
            say(line)
    if not many.is_complete and Outcome.STOPPED not in outcomes:
        # No answer says so.
        raise KeyboardInterrupt
    statuses = {STATUS[outcome] if outcome else BAD_INPUT for outcome in outcomes}
    return next((status for status in (BAD_INPUT, STOPPED, REFUTED) if status in statuses), OK)


def _answers_of_user_code(tasks: Iterable[Task | TaquinError], many: Many) -> Iterator[Answer]:
    """Yield an answer to each board from a worker process, which is replaced when it was killed."""
    many.is_complete = False
    for task in tasks:
        if isinstance(task, TaquinError):
            yield task
            continue
        try:
            answer = solve_task(task, many.wishes)
        except TaquinError as error:
            yield error
            continue
        yield answer
        if answer.outcome is Outcome.STOPPED or many.is_over:
            return
    many.is_complete = True


def _summary(
    outcomes: Counter[Outcome | None], lengths: Sequence[int], seconds: float
) -> Iterator[str]:
    """Yield a sentence on all boards, and a histogram of the lengths of their solutions."""
    counts = {words: outcomes[outcome] for outcome, words in _OUTCOMES.items()}
    parts = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    boards = counted(outcomes.total(), "board")
    head = f"{boards}: {parts}, in {seconds_in_words(seconds)}."
    if not lengths:
        yield head
        return
    from statistics import fmean, median

    low, high = min(lengths), max(lengths)
    span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    mean, middle = fmean(lengths), median(lengths)
    yield f"{head} Moves: {span}, mean {mean:,.1f}, median {middle:,.10g}."
    if low < high:
        yield from histogram(lengths, columns())


def json_writer(likeness: Likeness | None) -> Writer:
    """Return a writer of one JSON object for each board or fault, in the counts of a source."""

    def write(answer: Answer) -> None:
        if isinstance(answer, Result):
            sys.stdout.write(f"{result_line(answer, like_json(likeness, answer))}\n")
        else:
            line = answer.line if isinstance(answer, NotationError) else None
            print_json({"error": with_notes(answer), "line": line})

    return write


def csv_writer(likeness: Likeness | None) -> Writer:
    """Return a writer of headings, and a row of CSV for each board or fault, as `json_writer`."""
    headings = chain([True], repeat(False))

    def write(answer: Answer) -> None:
        nodes = None
        if isinstance(answer, Result):
            record = csv_record(_COLUMNS, answer) | {"start": answer.start.text()}
            if answer.moves is not None:
                record["moves"] = write_moves(answer.moves, answer.puzzle.metric)
            nodes = likeness and likeness.counter(answer.algorithm, answer.stats)
        else:
            fault = {"outcome": "error", "reason": with_notes(answer)}
            record = csv_record(_COLUMNS, None) | fault
        if likeness:
            record[likeness.count] = nodes
        print_csv([record], heading=next(headings))

    return write


def styled_writer(show: Callable[[Result], None], in_lines: bool) -> Writer:
    """Return a writer that shows solutions; with `in_lines`, an empty line where there is none."""
    numbers = count(1)

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
