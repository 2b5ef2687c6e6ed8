"""`taquin solve --many`: read many boards, print an answer to each, and a summary at the end.

The summary goes to the error stream, and only if that is a screen:

    30 boards: 29 solved, 1 unsolvable, in 0.4 s. Moves: 12 to 31, mean 22.3, median 22.
    12–15  ████████ 4
    16–19  ██████ 3
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import click

from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED
from taquin.cli.results import STATUS, result_json
from taquin.cli.running import live_line, solve_or_settle
from taquin.cli.screen import columns, is_terminal, say
from taquin.cli.searches import like_json
from taquin.cli.table import print_csv, print_json
from taquin.engine.gpu.engine import Gpu
from taquin.engine.seam import Engine
from taquin.errors import NotationError, TaquinError, with_notes
from taquin.notation import write_moves
from taquin.search.control import Control
from taquin.search.result import Outcome, Result, Stats, Task
from taquin.system.words import counted, seconds_in_words

if TYPE_CHECKING:
    from taquin.search.likeness import Likeness

_BATCH = 20_000
"""Boards that a GPU solves together."""
_MAX_BARS = 12
"""Lines of the longest histogram; more lengths share bars."""
_LONGEST_BAR = 50
_COLUMNS = (
    *("start", "outcome", "cost", "lower_bound", "optimal", "moves", "algorithm", "engine"),
    "reason",
)
"""The columns of CSV before the counters."""
_OUTCOMES = {
    Outcome.SOLVED: "solved",
    Outcome.UNSOLVABLE: "unsolvable",
    Outcome.LIMIT_REACHED: "ended by a limit",
    Outcome.STOPPED: "stopped",
}


class Writer(Protocol):
    """How answers are printed."""

    def result(self, result: Result) -> None:
        """Print the result for a board."""

    def fault(self, error: TaquinError) -> None:
        """Print the error in a line."""


@dataclass(frozen=True, slots=True)
class JsonLines:
    """One JSON object for each board."""

    likeness: Likeness | None

    def result(self, result: Result) -> None:
        """Print all fields of a result."""
        print_json(result_json(result) | like_json(self.likeness, result))

    def fault(self, error: TaquinError) -> None:
        """Print the error and the number of its line."""
        line = error.line if isinstance(error, NotationError) else None
        print_json({"error": with_notes(error), "line": line})


@dataclass(slots=True)
class CsvRows:
    """One row of comma-separated values for each board, below a line of headings."""

    likeness: Likeness | None
    _is_begun: bool = False

    def result(self, result: Result) -> None:
        """Print a row."""
        metric = result.puzzle.metric
        record = result_json(result) | {
            "start": result.start.text(),
            "moves": None if result.moves is None else write_moves(result.moves, metric),
        }
        count = like_json(self.likeness, result).get("like", {}).get("value")
        self._print({key: record[key] for key in _COLUMNS}, result.stats, count)

    def fault(self, error: TaquinError) -> None:
        """Print a row with the error as its reason."""
        reason = {"outcome": "error", "reason": with_notes(error)}
        self._print(dict.fromkeys(_COLUMNS) | reason, None, None)

    def _print(self, record: dict[str, object], stats: Stats | None, count: object) -> None:
        counters = asdict(stats) if stats else dict.fromkeys(asdict(Stats()))
        like = {self.likeness.count: count} if self.likeness else {}
        print_csv([record | counters | like], heading=not self._is_begun)
        self._is_begun = True


@dataclass(slots=True)
class Styled:
    """Each solution in the `--style` asked for; errors go to the error stream."""

    show: Callable[[Result], None]
    """Prints one result."""
    in_lines: bool
    """Whether each result takes one line, which is empty for a board without a solution."""
    _boards: int = 0

    def result(self, result: Result) -> None:
        """Print a result; name the board if it has no solution."""
        if self._boards and not self.in_lines:
            click.echo()
        self._boards += 1
        if self.in_lines and result.outcome is not Outcome.SOLVED:
            say(f"Board {self._boards}, {result.start.text()}:")
        if self.in_lines and result.moves is None:
            click.echo()
        self.show(result)

    def fault(self, error: TaquinError) -> None:
        """Print the error in a line."""
        self._boards += 1
        say(f"Error: {with_notes(error)}")
        if self.in_lines:
            click.echo()


@dataclass(slots=True)
class Tally:
    """The totals over all boards."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Boards by their outcome."""
    faults: int = 0
    """Lines that are not boards, and boards that cannot be searched."""
    lengths: list[int] = field(default_factory=list)
    """The number of moves of each solution."""
    seconds: float = 0.0

    @property
    def boards(self) -> int:
        """All boards and faulty lines so far."""
        return self.outcomes.total() + self.faults

    def add(self, result: Result | TaquinError) -> None:
        """Count one more result or error."""
        if isinstance(result, TaquinError):
            self.faults += 1
            return
        self.outcomes[result.outcome] += 1
        self.seconds += result.stats.seconds
        if result.cost is not None:
            self.lengths.append(result.cost)

    @property
    def status(self) -> int:
        """The worst exit status of all boards."""
        if self.faults:
            return BAD_INPUT
        statuses = {STATUS[outcome] for outcome in self.outcomes}
        return next((status for status in (STOPPED, REFUTED) if status in statuses), OK)

    def lines(self, width: int) -> Iterator[str]:
        """Yield the summary: a sentence, and a histogram of the lengths."""
        counts = {words: self.outcomes[outcome] for outcome, words in _OUTCOMES.items()}
        counts["faulty"] = self.faults
        parts = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
        seconds = seconds_in_words(self.seconds)
        head = f"{counted(self.boards, 'board')}: {parts}, in {seconds}."
        if not self.lengths:
            yield head
            return
        # Only a summary needs it, and importing it costs every start-up.
        from statistics import fmean, median

        low, high = min(self.lengths), max(self.lengths)
        mean, middle = fmean(self.lengths), median(self.lengths)
        span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        yield f"{head} Moves: {span}, mean {mean:,.1f}, median {middle:,.10g}."
        if low < high:
            yield from histogram(self.lengths, width)


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


def solve_many(tasks: Iterator[Task | TaquinError], engine: Engine, writer: Writer) -> int:
    """Print an answer to each task as it is found; return the worst exit status.

    A summary follows on the error stream, if that is a screen.
    """
    tally = Tally()
    for result in _answers(tasks, engine):
        tally.add(result)
        if isinstance(result, TaquinError):
            writer.fault(result)
            continue
        writer.result(result)
        sys.stdout.flush()
        if result.outcome is Outcome.STOPPED:
            break
    if is_terminal(sys.stderr) and tally.boards > 1:
        for line in tally.lines(columns()):
            say(line)
    return tally.status


def _answers(tasks: Iterator[Task | TaquinError], engine: Engine) -> Iterator[Result | TaquinError]:
    """Yield the result or the error of each task; a GPU solves them in batches."""
    if not isinstance(engine, Gpu):
        for task in tasks:
            yield _answer(task, engine)
        return
    while batch := list(islice(tasks, _BATCH)):
        sound = [task for task in batch if isinstance(task, Task)]
        if len(sound) < 2 or not engine.can_batch(sound):
            yield from (_answer(task, engine) for task in batch)
            continue
        with live_line() as progress:
            results = iter(engine.solve_many(sound, Control(progress=progress, notice=say)))
        yield from (next(results) if isinstance(task, Task) else task for task in batch)


def _answer(task: Task | TaquinError, engine: Engine) -> Result | TaquinError:
    try:
        return task if isinstance(task, TaquinError) else solve_or_settle(task, engine)
    except TaquinError as error:
        return error
