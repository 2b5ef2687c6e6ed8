"""The worker process of a long stream of boards: it reads, solves and writes batches of lines.

    standard input    pickled: a `BatchSpec`, then batches of lines, and perhaps STOP
    standard output   pickled: True when it is ready, then an `Answered` for each batch

What would go to the screen is collected, for the parent to print in the order of the stream.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from queue import SimpleQueue
from typing import Any

from taquin.cli.screen import say
from taquin.cli.stream import STOP, Answered, BatchSpec, LineBatch, Tally
from taquin.engine.many import Many
from taquin.errors import TaquinError
from taquin.notation import read_many
from taquin.search.control import INTERRUPTED
from taquin.search.result import Task
from taquin.system.workers import receive_requests


class _Collector(io.StringIO):
    """A stream whose text is kept with that of another one, in order."""

    def __init__(self, pieces: list[tuple[bool, str]], is_error: bool, has_screen: bool) -> None:
        super().__init__()
        self._pieces, self._is_error, self._has_screen = pieces, is_error, has_screen

    def write(self, text: str) -> int:
        """Keep a text; raise TypeError for bytes, by which Click tells streams apart."""
        if not isinstance(text, str):
            raise TypeError("expected a text")
        self._pieces.append((self._is_error, text))
        return len(text)

    def isatty(self) -> bool:
        """Return whether the text ends up on a screen, and is wrapped."""
        return self._has_screen


class _Inbox:
    """What the parent sends."""

    def __init__(self) -> None:
        self.requests: SimpleQueue[Any] = SimpleQueue()
        self.many: Many | None = None
        """The boards under way."""
        self.is_stopped = False

    def receive(self, request: Any) -> None:
        """Take a request; STOP at once, in the middle of another."""
        if request == STOP:
            self.is_stopped = True
            if self.many is not None:
                self.many.end(INTERRUPTED)
        else:
            self.requests.put(request)


def main() -> None:
    """Answer batches until there are no more."""
    inbox = _Inbox()
    answers = receive_requests(inbox.receive)

    def send(answer: object) -> None:
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()

    send(True)
    spec: BatchSpec = inbox.requests.get()
    os.environ["COLUMNS"] = str(spec.columns)
    # As in the process of a command: results are no garbage before they are written.
    gc.set_threshold(100_000)
    while True:
        send(_answered(inbox.requests.get(), spec, inbox))


def _answered(batch: LineBatch, spec: BatchSpec, inbox: _Inbox) -> Answered:
    """Return the answers to the lines of a batch, as far as they are of the spec."""
    entries, taken = _entries(batch, spec)
    tally = Tally()
    many = inbox.many = Many(spec.engine, notice=say)
    with _collecting(spec.has_screen) as pieces:
        if not inbox.is_stopped:
            write = spec.writer(batch.answer)
            for answer in many.answers(entries):
                write(answer)
                tally.add(answer)
    texts = [
        (is_error, "".join(text for _, text in group))
        for is_error, group in groupby(pieces, itemgetter(0))
    ]
    return Answered(texts, tally, taken if many.is_complete else 0)


def _entries(batch: LineBatch, spec: BatchSpec) -> tuple[list[Task | TaquinError], int]:
    """Return the tasks and faults of a batch, and how many of its lines they are."""
    task, entries, taken = spec.task, list[Task | TaquinError](), 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for line in batch.lines:
            taken += 1
            yield line

    for board in read_many(lines(), spec.classic, batch.number):
        if isinstance(board, TaquinError):
            entries.append(board)
            continue
        if board.grid != task.puzzle.grid:
            return entries, taken - 1
        try:
            task.puzzle.check(board)
        except TaquinError as error:
            entries.append(error)
        else:
            entries.append(Task(task.puzzle, board, task.algorithm, task.limits))
    return entries, taken


@contextmanager
def _collecting(has_screen: bool) -> Iterator[list[tuple[bool, str]]]:
    """Collect what is printed in the block."""
    pieces: list[tuple[bool, str]] = []
    streams = sys.stdout, sys.stderr
    sys.stdout = _Collector(pieces, is_error=False, has_screen=False)
    sys.stderr = _Collector(pieces, is_error=True, has_screen=has_screen)
    try:
        yield pieces
    finally:
        sys.stdout, sys.stderr = streams
