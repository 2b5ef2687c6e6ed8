"""How one thread hunts for ever better solutions: a narrow beam, wider ones, then shorter detours.

    0 ms     constructed line by line: long, but there
    20 ms    a narrow beam
    …        a wider one, and then one as wide as there is time for; each with turns on its way
             that undo what it left
    the rest the end of the best solution, or a stretch of it, is searched anew, over and over

The threads share nothing but the best solution. Every second one searches from the goal to the
start, which is as good a sample as another from the start would be.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, repeat
from threading import Lock
from time import perf_counter

import numpy as np

from taquin.engine.anytime.beam import Beam
from taquin.engine.anytime.constructive import construct
from taquin.engine.anytime.field import LARGEST_BEAM, SCALE, Field, Moves, field_of, follow
from taquin.engine.anytime.rings import undo_rings
from taquin.engine.anytime.turns import with_turns, wrong_tiles
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space

_NARROW = 75
"""Boards that the first beam keeps."""
_SHARES, _SHARE_ANEW = (0.15, 0.6), 0.15
"""Shares of the time left that the second and the third beam may take, and each for a part."""
_MUCH = 1.3
"""How many times as wide as the last a beam must be to be worth its time."""
_STRETCH = (40, 160)
"""Moves of the stretches that are searched anew, from the shortest to the longest."""
_TO_THE_END = 0.6
"""How often the whole end of a solution is searched anew, not a stretch."""
_FINISH_WIDTH = 1_000
"""Boards that a beam keeps at most that puts the last tiles right; four times those of the beam
before it."""


@cache
def warm_up(is_classic: bool) -> None:
    """Make the kernels ready, which should not count as time of a search."""
    if not is_classic:
        # Tiles that are alike: any solution will do.
        alike = Puzzle(Goal.parse("1 1 2 / 2 3 0"))
        other = field_of(Space(alike, Board(alike.grid, (1, 1, 0, 2, 3, 2))))
        Beam(2, other.size).walk(other, other.start, lambda: True)
        return
    puzzle = Puzzle(Goal.blank_last(2, 3))
    tiny = field_of(Space(puzzle, Board(puzzle.grid, (1, 2, 0, 4, 5, 3))))
    found = Beam(2, tiny.size).walk(tiny, tiny.start, lambda: True)
    assert len(construct(tiny, follow(tiny.start, found.moves, tiny.near))) == 0
    ring = field_of(Space(puzzle, Board(puzzle.grid, (1, 3, 5, 4, 2, 0))))
    with_turns(ring, ring.start, found.moves[:0], lambda: True)


@dataclass(slots=True)
class Best:
    """The best solution that any thread has found."""

    by_slides: bool = False
    """Whether moves in the same direction, one after the other, count once."""
    moves: Moves | None = None
    """The directions of the blank; None before the first."""
    _lock: Lock = field(default_factory=Lock)

    def offer(self, moves: Moves) -> None:
        """Keep a solution if it costs less than all before."""
        with self._lock:
            if self.moves is None or self.cost(moves) < self.cost(self.moves):
                self.moves = moves

    def cost(self, moves: Moves) -> int:
        """Return what a solution costs."""
        turns = int(np.count_nonzero(np.diff(moves))) if self.by_slides else len(moves) - 1
        return turns + 1 if len(moves) else 0


@dataclass(slots=True)
class Hunter:
    """One thread's part of the hunt."""

    puzzle: Field
    """What to solve."""
    best: Best
    """Where solutions go."""
    until: float
    """When to end, by `perf_counter`."""
    room: int
    """Bytes that its beams may take."""
    number: int = 0
    """Which thread this is; those with odd numbers search backwards where that can be."""
    stopped: bool = False
    """Set from outside to end it early."""
    _beam: Beam | None = None
    _counted: int = 0

    @property
    def generated(self) -> int:
        """Return how many boards it has generated so far."""
        return self._counted + (0 if self._beam is None else self._beam.generated)

    def run(self) -> None:
        """Hunt until the time is over."""
        if self.puzzle.is_classic and not self._backwards:
            self._offer(construct(self.puzzle, self.puzzle.start))
        if self.puzzle.size > LARGEST_BEAM:
            return
        if self._backwards:
            self.puzzle = _reversed(self.puzzle)
        began, width = perf_counter(), _NARROW
        moves = self._attempt(width, is_first=True)
        # Without a construction there may be no solution yet, and then only wider beams help.
        for share in chain(_SHARES, () if self.puzzle.is_classic else repeat(_SHARES[-1])):
            if not self._goes_on():
                return
            length = 4 * self.puzzle.size if moves is None else len(moves)
            wider = self._affordable(self._rate(began), share, length)
            if moves is None:
                wider = max(2 * width, wider)
            elif wider < _MUCH * width:
                continue
            width = wider
            moves = self._attempt(width)
        chance = random.Random(self.number)
        while self._goes_on():
            self._search_anew(chance, self._rate(began))

    def _rate(self, began: float) -> float:
        """Return the boards generated a second so far."""
        return self.generated / (perf_counter() - began)

    def _goes_on(self) -> bool:
        return not self.stopped and perf_counter() < self.until

    @property
    def _backwards(self) -> bool:
        return self.number % 2 == 1 and self.puzzle.is_classic

    def _affordable(self, rate: float, share: float, length: int) -> int:
        """Return the width of a beam that takes a share of the time left, and its memory only."""
        seconds = share * max(0.0, self.until - perf_counter())
        most = self.room // (4 * length + 4 * self.puzzle.size + 250)
        return max(_NARROW, min(int(seconds * rate / (2 * length)), most))

    def _offer(self, moves: Moves) -> None:
        self.best.offer(3 - moves[::-1] if self._backwards else moves)

    def _known(self) -> Moves:
        """Return the best solution so far, as this thread searches."""
        assert self.best.moves is not None, "a beam has solved it before"
        return 3 - self.best.moves[::-1] if self._backwards else self.best.moves

    def _attempt(self, width: int, *, is_first: bool = False) -> Moves | None:
        """Offer what a beam finds, and return it; None for a puzzle that it does not solve."""
        found = self._new_beam(width).walk(self.puzzle, self.puzzle.start, self._goes_on)
        if not (found.solved or self.puzzle.is_classic):
            return None
        moves = self._finished(found.moves, width)
        self._offer(moves)
        if is_first or found.solved or found.ended:
            return moves
        return self._with_turns(found.moves, width)

    def _new_beam(self, width: int) -> Beam:
        self._counted, self._beam = self.generated, None
        self._beam = Beam(width, self.puzzle.size)
        return self._beam

    def _finished(self, moves: Moves, width: int) -> Moves:
        """Return moves from the start of a classic puzzle and what leads on from there to the goal.

        What is left are rings of a few tiles, unless the beam of that width was cut short.
        """
        puzzle = self.puzzle
        board = follow(puzzle.start, moves, puzzle.near)
        if not puzzle.is_classic or not wrong_tiles(puzzle, board):
            return moves
        beam = self._new_beam(min(_FINISH_WIDTH, 4 * width))
        end = undo_rings(puzzle, board, beam, self._goes_on)
        return np.concatenate([moves, construct(puzzle, board) if end is None else end])

    def _with_turns(self, moves: Moves, width: int) -> Moves:
        """Offer the moves of a beam with turns on the way, and return them, finished."""
        moves = with_turns(self.puzzle, self.puzzle.start, moves, self._goes_on)
        moves = self._finished(moves, width)
        self._offer(moves)
        return moves

    def _search_anew(self, chance: random.Random, rate: float) -> None:
        """Search the end of the best solution anew, or a stretch of it; keep what is shorter."""
        puzzle, moves = self.puzzle, self._known()
        begin = chance.randrange(len(moves)) if len(moves) > 1 else 0
        end = min(len(moves), begin + chance.randint(*_STRETCH))
        if chance.random() < _TO_THE_END:
            end = len(moves)
        board = follow(puzzle.start, moves[:begin], puzzle.near)
        if end < len(moves):
            puzzle = puzzle.towards(follow(board, moves[begin:end], puzzle.near))
        beam = self._new_beam(self._affordable(rate, _SHARE_ANEW, end - begin))
        found = beam.walk(
            puzzle,
            board,
            self._goes_on,
            conflict=SCALE * chance.randint(2, 6),
            longest=max(1, end - begin - 1),
        )
        shorter = np.concatenate([moves[:begin], found.moves, moves[end:]])
        if found.solved:
            self._offer(shorter)
        elif puzzle.is_classic and end == len(moves) and not found.ended:
            self._with_turns(shorter, beam.width)


def _reversed(puzzle: Field) -> Field:
    """Return the puzzle from the goal to the start."""
    goal = np.empty_like(puzzle.start)
    goal[puzzle.homes] = np.arange(puzzle.size)
    return replace(puzzle.towards(puzzle.start), start=goal)
