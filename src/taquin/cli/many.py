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
from dataclasses import dataclass, replace
from itertools import chain, count, repeat
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED
from taquin.cli.results import STATUS, csv_record, result_line
from taquin.cli.running import live_line, solve_or_settle
from taquin.cli.screen import clear_status_line, columns, is_terminal, say
from taquin.cli.searches import like_json, likeness_named
from taquin.cli.stream import BatchSpec, Lines, Tally, Writer
from taquin.cli.table import print_csv, print_json
from taquin.engine.checking import checked
from taquin.errors import MachineError, NotationError, TaquinError, with_notes
from taquin.heuristics.own import holds_own_code
from taquin.model.grid import Grid
from taquin.model.puzzle import Puzzle
from taquin.notation import read_many, write_moves
from taquin.search.control import INTERRUPTED
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.machine import usable_cores
from taquin.system.words import counted, seconds_in_words

if TYPE_CHECKING:
    from taquin.cli.options import Problem
    from taquin.engine.base import Engine
    from taquin.engine.many import Answer, Many
    from taquin.search.run import Algorithm

_MAX_BARS = 12
"""Lines of the longest histogram; more lengths share bars."""
_LONGEST_BAR = 50
_COLUMNS = (
    *("start", "outcome", "cost", "lower_bound", "optimal", "assumes", "moves", "algorithm"),
    *("engine", "reason"),
)
"""The columns of CSV before the counters."""
_OUTCOMES = {
    Outcome.SOLVED: "solved",
    Outcome.UNSOLVABLE: "unsolvable",
    Outcome.LIMIT_REACHED: "ended by a limit",
    Outcome.STOPPED: "stopped",
    None: "faulty",
}
"""The outcomes in words; None stands for a line that is not a board or cannot be searched."""


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


@dataclass(frozen=True, slots=True)
class BoardStream:
    """The boards of `--many`, and how they are answered."""

    problem: Problem
    lines: Lines
    algorithm: Algorithm | None
    limits: Limits
    writer: Callable[[int], Writer]
    """Returns a writer, given the number of the first answer."""
    puzzle_on: Callable[[Grid], Puzzle]
    """The puzzle on a grid, which is read once: the goal may come from standard input."""

    def tasks(self) -> Iterator[Task | TaquinError]:
        """Yield the tasks, and the faults between them, of the lines that are left."""
        problem, lines = self.problem, self.lines
        if lines.taken == 0:
            boards = problem.boards_in(lines)
        else:
            boards = read_many(lines, problem.is_classic, lines.taken + 1)
        for entry in problem.checked(boards, self.puzzle_on):
            if isinstance(entry, TaquinError):
                yield entry
            else:
                yield Task(*entry, self.algorithm, self.limits)


def solve_many(stream: BoardStream, many: Many) -> int:
    """Print an answer to each board as it is found; return the worst exit status.

    A summary follows on the error stream, if that is a screen.
    """
    tally, lines = Tally(), stream.lines
    specs: list[BatchSpec] = []
    workers = 0

    def hand_over(task: Task, engine: Engine) -> bool:
        # Imported late: processes are not for a few boards.
        from taquin.cli.stream_workers import worthwhile_workers

        nonlocal workers
        threads = getattr(engine, "threads", 1) or usable_cores()
        workers = worthwhile_workers(threads, task.limits.memory)
        if workers < 2 or is_terminal(sys.stdout) or not lines.is_ready:
            return False
        lines.is_paused = True
        alone: Any = replace(engine, threads=1)  # type: ignore[type-var]
        classic, has_screen = stream.problem.is_classic, is_terminal(sys.stderr)
        specs.append(BatchSpec(task, alone, stream.writer, classic, columns(), has_screen))
        return True

    many.notice, many.watching, many.hand_over = say, live_line, hand_over
    began = perf_counter()
    while True:
        _answer_here(stream, many, tally)
        if not (specs and many.is_complete):
            break
        lines.is_paused = False
        if not _answer_elsewhere(stream, workers, specs.pop(), tally):
            many.end(INTERRUPTED)
            many.is_complete = False
            break
    outcomes = tally.outcomes
    if is_terminal(sys.stderr) and outcomes.total() > 1:
        for line in _summary(outcomes, [*tally.lengths.elements()], perf_counter() - began):
            say(line)
    if not many.is_complete and Outcome.STOPPED not in outcomes:
        # No answer says so.
        raise KeyboardInterrupt
    statuses = {STATUS[outcome] if outcome else BAD_INPUT for outcome in outcomes}
    return next((status for status in (BAD_INPUT, STOPPED, REFUTED) if status in statuses), OK)


def _answer_here(stream: BoardStream, many: Many, tally: Tally) -> None:
    """Print answers to the boards that are left, until they are handed over or the user stops."""
    write = stream.writer(tally.outcomes.total() + 1)
    is_own = holds_own_code(stream.algorithm)
    answers = _answers_of_user_code(stream, many) if is_own else many.answers(stream.tasks())
    for answer in answers:
        if is_own and isinstance(answer, Result):
            answer = checked(answer)
            if answer.outcome is Outcome.STOPPED:
                many.end(INTERRUPTED)
        # An answer is written to its end, and those that are found when Ctrl-C comes, too.
        with DeferredInterrupts() as block:
            write(answer)
            sys.stdout.flush()
        if block.is_interrupted:
            many.end(INTERRUPTED)
        tally.add(answer)


def _answers_of_user_code(stream: BoardStream, many: Many) -> Iterator[Answer]:
    """Yield an answer to each board from a worker process, which is replaced when it was killed."""
    many.is_complete = False
    for task in stream.tasks():
        if isinstance(task, TaquinError):
            yield task
            continue
        try:
            answer = solve_or_settle(task, many.engine)
        except TaquinError as error:
            yield error
            continue
        yield answer
        if answer.outcome is Outcome.STOPPED or many.is_over:
            return
    many.is_complete = True


def _answer_elsewhere(stream: BoardStream, workers: int, spec: BatchSpec, tally: Tally) -> bool:
    """Print answers of worker processes while boards are alike; return whether to go on."""
    from taquin.cli.stream_workers import StretchWorkers

    with StretchWorkers(workers, spec) as processes:
        try:
            for answered in processes.answered(stream.lines, tally.outcomes.total() + 1):
                with DeferredInterrupts() as block:
                    for is_error, text in answered.pieces:
                        if is_error:
                            clear_status_line()
                        (sys.stderr if is_error else sys.stdout).write(text)
                    sys.stdout.flush()
                tally.update(answered.tally)
                if block.is_interrupted:
                    processes.stop()
        except MachineError as error:
            say(f"Note: {error}. Its boards are solved in this process.")
    return not processes.is_stopped
