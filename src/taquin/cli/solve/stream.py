"""`taquin solve --many`: solve a stream of boards, print the answers, and a summary at the end.

    batches of `engine/many.py` ──► worker processes, one batch each ──► texts, printed in order

The GIL limits how many boards the threads of one process can read, solve and print. For a long
stream worker processes do for each batch what this one does for a short stream, on one thread.

The summary goes to the error stream, and only if that is a screen:

    30 boards: 29 solved, 1 unsolvable, in 0.4 s. Moves: 12 to 31, mean 22.3, median 22.
    12–15  ████████ 4
    16–19  ██████ 3
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain, count, repeat
from queue import SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING, Self, TypeAlias

import click

from taquin.analysis.isolated import checked
from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED
from taquin.cli.options import like_json, likeness_named
from taquin.cli.output import STATUS, csv_record, print_csv, print_json, result_line
from taquin.cli.running import live_line, solve_task
from taquin.cli.screen import clear_status_line, columns, is_terminal, paragraph, say
from taquin.engine.many import Answer, Batch, Many, Remote
from taquin.engine.task import Wishes
from taquin.errors import MachineError, NotationError, TaquinError, with_notes
from taquin.heuristics.base import holds_user_code
from taquin.notation import write_moves
from taquin.search.control import INTERRUPTED
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.formatting import counted, seconds_in_words
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.jobs import End, JobEnding, JobProcess, Link, Text
from taquin.system.machine import HAS_THREADS, process_memory, usable_cores

if TYPE_CHECKING:
    from taquin.cli.options import BoardArguments
    from taquin.search.run import Algorithm


_OUTCOMES = {
    Outcome.SOLVED: "solved",
    Outcome.UNSOLVABLE: "unsolvable",
    Outcome.LIMIT_REACHED: "ended by a limit",
    Outcome.STOPPED: "stopped",
    None: "faulty",
}
"""The outcomes in words; None stands for a line that is not a board or cannot be searched."""


@dataclass(slots=True)
class StreamSummary:
    """How the boards of a stream ended."""

    outcomes: Counter[Outcome | None] = field(default_factory=Counter)
    """How many ended in each way; None stands for a faulty line."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many solutions have each length."""

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        if isinstance(answer, TaquinError):
            self.outcomes[None] += 1
            return
        self.outcomes[answer.outcome] += 1
        if answer.cost is not None:
            self.lengths[answer.cost] += 1

    def update(self, other: StreamSummary) -> None:
        """Count what another one counted."""
        self.outcomes.update(other.outcomes)
        self.lengths.update(other.lengths)


@dataclass(frozen=True, slots=True)
class Printed:
    """The answers to a batch, as a worker has printed them."""

    texts: list[Text]
    summary: StreamSummary

    def write(self) -> None:
        """Print them here."""
        for text in self.texts:
            if text.is_error:
                clear_status_line()
                click.echo(paragraph(text.text, err=True), nl=False, err=True)
            else:
                sys.stdout.write(text.text)


@dataclass(frozen=True, slots=True)
class BoardStream:
    """The boards of `--many`, and how they are answered."""

    problem: BoardArguments
    lines: Iterable[str]
    algorithm: Algorithm | None
    limits: Limits
    writer: Callable[[int], Writer]
    """Returns a writer, given the number of the first answer."""

    def tasks(self) -> Iterator[Task | TaquinError]:
        """Yield the tasks, and the faults between them."""
        problem = self.problem
        for entry in problem.checked(problem.boards_in(self.lines)):
            if isinstance(entry, TaquinError):
                yield entry
            else:
                yield Task(*entry, self.algorithm, self.limits)


def solve_many(stream: BoardStream, many: Many) -> int:
    """Print an answer to each board as it is found; return the worst exit status.

    A summary follows on the error stream, if that is a screen.
    """
    summary, began = StreamSummary(), perf_counter()
    threads = many.wishes.threads or usable_cores()
    with Processes(stream.writer, threads) as processes:
        many.notice, many.watching, many.submit_remote = say, live_line, processes.submit
        _print_answers(stream, many, summary)
    outcomes = summary.outcomes
    if is_terminal(sys.stderr) and outcomes.total() > 1:
        for line in _summary(outcomes, [*summary.lengths.elements()], perf_counter() - began):
            say(line)
    if not many.is_complete and Outcome.STOPPED not in outcomes:
        # No answer says so.
        raise KeyboardInterrupt
    statuses = {STATUS[outcome] if outcome else BAD_INPUT for outcome in outcomes}
    return next((status for status in (BAD_INPUT, STOPPED, REFUTED) if status in statuses), OK)


def _print_answers(stream: BoardStream, many: Many, summary: StreamSummary) -> None:
    """Print answers to the boards until the stream ends or the user stops."""
    is_own = holds_user_code(stream.algorithm)
    write = stream.writer(1)
    for answer in _answers_of_user_code(stream, many) if is_own else many.answers(stream.tasks()):
        if is_own and isinstance(answer, Result):
            answer = checked(answer)
            if answer.outcome is Outcome.STOPPED:
                many.end(INTERRUPTED)
        # An answer is written to its end, and those that are found when Ctrl-C comes, too.
        with DeferredInterrupts() as block:
            if isinstance(answer, Remote):
                answer.value.write()
                summary.update(answer.value.summary)
                write = stream.writer(summary.outcomes.total() + 1)
            else:
                write(answer)
                summary.add(answer)
            sys.stdout.flush()
        if block.is_interrupted:
            many.end(INTERRUPTED)


def _answers_of_user_code(stream: BoardStream, many: Many) -> Iterator[Answer]:
    """Yield an answer to each board from a worker process, which is replaced when it was killed."""
    many.is_complete = False
    for task in stream.tasks():
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


class Processes:
    """Worker processes for the batches of a long stream, and a thread that waits for each."""

    def __init__(self, writer: Callable[[int], Writer], threads: int) -> None:
        self._writer, self._threads = writer, threads
        self._workers: list[JobProcess] = []
        self._idle: SimpleQueue[JobProcess] = SimpleQueue()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self._workers:
            worker.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.reap()

    def submit(self, batch: Batch) -> Future[Remote] | None:
        """Have a batch solved by a process; None where processes are not worth it."""
        assert batch.kind is not None, "only batches of a kind are solved in threads"
        count = worthwhile_workers(self._threads, batch.kind.task.limits.memory)
        if count < 2 or is_terminal(sys.stdout):
            return None
        if self._pool is None:
            self._pool = ThreadPoolExecutor(count)
            self._workers = [JobProcess() for _ in range(count)]
            for worker in self._workers:
                self._idle.put(worker)
        return self._pool.submit(self._ask, batch)

    def _ask(self, batch: Batch) -> Remote:
        """Return the answers of the next idle process to a batch."""
        wishes = batch.wishes
        if hasattr(wishes.engine, "threads"):
            wishes = replace(wishes, engine=replace(wishes.engine, threads=1))  # type: ignore[type-var]
        worker = self._idle.get()
        job = print_answers, wishes, batch.entries, self._writer, batch.first
        texts: list[Text] = []
        try:
            for message in worker.messages(*job, stopping=lambda: batch.control.reason):
                if isinstance(message, Text):
                    texts.append(message)
                elif isinstance(message, JobEnding):
                    ending = message
        finally:
            self._idle.put(worker)
        if ending.how is End.STOPPED:
            return Remote(Printed([], StreamSummary()), is_complete=False)
        if ending.how is not End.DONE:
            raise MachineError(f"a worker failed: {ending.value}")
        summary, is_complete = ending.value
        return Remote(Printed(texts, summary), is_complete)


def print_answers(
    link: Link,
    wishes: Wishes,
    entries: list[Task | TaquinError],
    writer: Callable[[int], Writer],
    first: int,
) -> tuple[StreamSummary, bool]:
    """Print the answers to a batch, in a worker; return a summary, and whether it is all."""
    # As in the process of a command: results are no garbage before they are written.
    gc.set_threshold(100_000)
    many = Many(wishes, notice=say, stop=lambda: link.stop_reason)
    write, summary = writer(first), StreamSummary()
    for answer in many.answers(entries):
        assert not isinstance(answer, Remote), "it stays in this process"
        write(answer)
        summary.add(answer)
    return summary, many.is_complete


def worthwhile_workers(threads: int, memory: int | None) -> int:
    """Return how many processes to use in place of threads; less than 2 for none.

    Each holds about as much as this process does, and the limit on memory holds for all together.
    """
    if not HAS_THREADS:
        return 0
    return threads if memory is None else min(threads, memory // max(1, process_memory()))


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
