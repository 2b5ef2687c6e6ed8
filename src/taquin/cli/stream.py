"""A stream of boards: its lines, how they ended, and what worker processes are told of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from taquin.errors import TaquinError
from taquin.search.result import Outcome, Task

if TYPE_CHECKING:
    from taquin.engine.base import Engine
    from taquin.engine.many import Answer

Writer: TypeAlias = "Callable[[Answer], None]"
"""Prints an answer."""
STOP = "stop"
"""What a worker process is sent in place of a batch, to end."""


class Lines(Iterator[str]):
    """The lines of a stream, which can be paused, and take lines back."""

    def __init__(self, lines: Iterable[str], is_ready: Callable[[], bool]) -> None:
        self._lines = iter(lines)
        self._returned: deque[str] = deque()
        self._is_ready = is_ready
        self.taken = 0
        """How many were taken."""
        self.is_paused = False
        """Whether it pretends to be at its end."""
        self.is_over = False
        """Whether it is at its end."""

    def __next__(self) -> str:
        if self.is_paused or self.is_over:
            raise StopIteration
        if self._returned:
            line = self._returned.popleft()
        else:
            try:
                line = next(self._lines)
            except StopIteration:
                self.is_over = True
                raise
        self.taken += 1
        return line

    @property
    def is_ready(self) -> bool:
        """Whether the next line is there already."""
        return bool(self._returned) or self._is_ready()

    def take_back(self, lines: list[str]) -> None:
        """Take back the last lines."""
        self._returned.extendleft(reversed(lines))
        self.taken -= len(lines)
        self.is_over = self.is_over and not self._returned


@dataclass(slots=True)
class Tally:
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

    def update(self, other: Tally) -> None:
        """Count what another one counted."""
        self.outcomes.update(other.outcomes)
        self.lengths.update(other.lengths)


@dataclass(frozen=True, slots=True)
class BatchSpec:
    """What all boards of a spec have in common, for worker processes."""

    task: Task
    """One of the boards."""
    engine: Engine
    """The engine, with one thread."""
    writer: Callable[[int], Writer]
    """Returns a writer, given the number of the first answer."""
    classic: bool
    """Whether the boards have the tiles 1, 2, 3 …"""
    columns: int
    """The width of the screen."""
    has_screen: bool
    """Whether the error stream is a screen."""


@dataclass(frozen=True, slots=True)
class LineBatch:
    """Some lines of a spec."""

    lines: list[str]
    number: int
    """The number of the first line."""
    answer: int
    """The number of the first answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a worker process answers to a batch."""

    pieces: list[tuple[bool, str]]
    """What to print: whether it is for the error stream, and the text."""
    tally: Tally
    taken: int
    """How many lines were dealt with; the next one is not of this spec."""
