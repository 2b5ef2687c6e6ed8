"""How one thread hunts for ever better solutions: a narrow beam, wider ones, then shorter detours.

    0 ms     constructed line by line: long, but there
    20 ms    a narrow beam
    …        a wider one, and then one as wide as there is time for
    the rest the end of the best solution, or a stretch of it, is searched anew, over and over

The threads share nothing but the best solution. Every second one searches from the goal to the
start, which is as good a sample as another from the start would be.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, repeat
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from taquin.engine.anytime.beam import Beam, Found
from taquin.engine.anytime.constructive import construct, lines_of
from taquin.engine.anytime.field import LARGEST_BEAM, SCALE, Field, field_of
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space
from taquin.system.native import kernel

_NARROW = 100
"""Boards that the first beam keeps."""
_SHARES, _SHARE_ANEW = (0.15, 0.6), 0.15
"""Shares of the time left that the second and the third beam may take, and each for a part."""
_STRETCH = (40, 160)
"""Moves of the stretches that are searched anew, from the shortest to the longest."""
_TO_THE_END = 0.6
"""How often the whole end of a solution is searched anew, not a stretch."""
_EMPHASIS = 4
"""How much more the tiles of a line count than others while the line goes home."""
_FINISH_WIDTH, _DETOUR, _TROUBLES = 600, 40, 3
"""Boards that a beam keeps that puts the last tiles right, levels that it goes on without getting
better, and how many of the nearest such tiles are tried."""
_PATIENT_WIDTH, _PATIENCE = 3_000, 200
"""Boards and levels of a beam that is tried when nothing else has helped."""
_NO_WAY = np.empty(0, np.int8)


@kernel()
def follow(start: Any, moves: Any, near: Any) -> Any:
    """Return the board that the blank's directions lead to."""
    board = start.copy()
    blank = 0
    while board[blank] != 0:
        blank += 1
    for direction in moves:
        cell = near[blank, direction]
        board[blank] = board[cell]
        board[cell] = 0
        blank = cell
    return board


@cache
def warm_up() -> None:
    """Make the kernels ready, which should not count as time of a search."""
    puzzle = Puzzle(Goal.blank_last(2, 3))
    tiny = field_of(Space(puzzle, Board(puzzle.grid, (1, 2, 0, 4, 5, 3))))
    found = Beam(2, tiny.size).walk(tiny, tiny.start, lambda: True)
    assert len(construct(tiny, follow(tiny.start, found.moves, tiny.near))) == 0


@dataclass(slots=True)
class Best:
    """The best solution that any thread has found."""

    moves: Any = None
    """The directions of the blank; None before the first."""
    _lock: Lock = field(default_factory=Lock)

    def offer(self, moves: Any) -> None:
        """Keep a solution if it is shorter than all before."""
        with self._lock:
            if self.moves is None or len(moves) < len(self.moves):
                self.moves = moves


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
        # Without a construction there may be no solution yet, and then only wider beams help.
        for share in chain(_SHARES, () if self.puzzle.is_classic else repeat(_SHARES[-1])):
            moves = self._attempt(width)
            if not self._goes_on():
                return
            length = 4 * self.puzzle.size if moves is None else len(moves)
            wider = self._affordable(self._rate(began), share, length)
            width = max(width, wider) if moves is not None else max(2 * width, wider)
        self._attempt(width)
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

    def _offer(self, moves: Any) -> None:
        self.best.offer(3 - moves[::-1] if self._backwards else moves)

    def _known(self) -> Any:
        """Return the best solution so far, as this thread searches."""
        return 3 - self.best.moves[::-1] if self._backwards else self.best.moves

    def _attempt(self, width: int) -> Any:
        """Offer what a beam finds, and return it; None for a puzzle that it does not solve."""
        found = self._new_beam(width).walk(self.puzzle, self.puzzle.start, self._goes_on)
        if not (found.solved or self.puzzle.is_classic):
            return None
        moves = found.moves if found.solved else self._finish(self.puzzle, found)
        self._offer(moves)
        return moves

    def _new_beam(self, width: int) -> Beam:
        self._counted, self._beam = self.generated, None
        self._beam = Beam(width, self.puzzle.size)
        return self._beam

    def _finish(self, puzzle: Field, found: Found) -> Any:
        """Go on from the best board of a beam that came to nothing.

        What is left are a few tiles here and there. The blank is taken to the nearest, and a beam
        that looks at nothing else gets over what the wide one would not: tiles that have to leave
        their places for a while. Rings that can only be undone together need a patient beam. Where
        that does not help either, or the time is over, the rest is brought home line by line.
        """
        parts, value = [found.moves], found.value
        board = follow(puzzle.start, found.moves, puzzle.near)
        while not found.solved:
            for way, tried in self._detours(puzzle, board):
                if tried.solved or tried.value < value:
                    found, value = tried, tried.value
                    parts += [way, found.moves]
                    board = follow(board, np.concatenate(parts[-2:]), puzzle.near)
                    break
            else:
                rest = self._line_by_line(puzzle, board), construct(puzzle, board)
                parts.append(min(rest, key=len))
                break
        return np.concatenate(parts)

    def _detours(self, puzzle: Field, board: Any) -> Iterator[tuple[Any, Found]]:
        """Yield ways of the blank and what beams found from there, the cheapest first."""
        beam = self._new_beam(_FINISH_WIDTH)
        for way in _ways_to_trouble(puzzle, board):
            there = follow(board, way, puzzle.near)
            yield way, beam.walk(puzzle, there, self._goes_on, spread=False, patience=_DETOUR)
        beam = self._new_beam(_PATIENT_WIDTH)
        yield _NO_WAY, beam.walk(puzzle, board, self._goes_on, patience=_PATIENCE)

    def _line_by_line(self, puzzle: Field, board: Any) -> Any:
        """Bring the lines home one after the other, by beams that care for one line above all.

        Once the time is over, what is left is constructed.
        """
        # Beams know only the goal itself, the lines one with its blank in the last corner.
        lines, _ = lines_of(puzzle.rows, puzzle.columns)
        beam = self._new_beam(_FINISH_WIDTH)
        is_open = np.ones(puzzle.size, np.bool_)
        parts = []
        for number, line in enumerate(lines if puzzle.homes[0] == puzzle.size - 1 else ()):
            goal = _for_line(puzzle, line.cells)
            if not self._goes_on():
                break
            tried = beam.walk(goal, board, self._goes_on, is_open=is_open)
            moves = tried.moves if tried.solved else construct(puzzle, board, number + 1)
            parts.append(moves)
            board = follow(board, moves, puzzle.near)
            is_open[line.cells] = False
        return np.concatenate([*parts, construct(puzzle, board)])

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
        if found.solved and len(found.moves) < end - begin:
            self._offer(np.concatenate([moves[:begin], found.moves, moves[end:]]))


def _reversed(puzzle: Field) -> Field:
    """Return the puzzle from the goal to the start."""
    goal = np.empty_like(puzzle.start)
    goal[puzzle.homes] = np.arange(puzzle.size)
    return replace(puzzle.towards(puzzle.start), start=goal)


def _ways_to_trouble(puzzle: Field, board: Any) -> Iterator[Any]:
    """Yield the blank's ways to the nearest tiles that are not at home, the nearest first."""
    columns = puzzle.columns
    blank = int(np.flatnonzero(board == 0)[0])
    wrong = np.flatnonzero((puzzle.homes[board] != np.arange(puzzle.size)) & (board != 0))
    row, column = divmod(blank, columns)
    down, right = wrong // columns - row, wrong % columns - column
    for each in np.argsort(abs(down) + abs(right), kind="stable")[:_TROUBLES]:
        vertical = np.full(abs(down[each]), 3 if down[each] > 0 else 0, np.int8)
        across = np.full(abs(right[each]), 2 if right[each] > 0 else 1, np.int8)
        yield np.concatenate([vertical, across])


def _for_line(puzzle: Field, cells: Any) -> Field:
    """Return a puzzle that is solved when one line is, and cares for its tiles above all."""
    wrong = np.zeros_like(puzzle.wrong)
    wrong[:, cells] = puzzle.wrong[:, cells]
    weights = puzzle.weights.copy()
    weights[np.isin(puzzle.homes, cells)] *= _EMPHASIS
    return replace(puzzle, wrong=wrong, weights=weights)
