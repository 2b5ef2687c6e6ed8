"""Find detours in a sequence of moves, and shorten it window by window.

A detour is a part of the sequence whose ends are nearer to each other than the part is long. Let
d(i, j) be the distance from the board after i moves to the one after j. As j grows by one, d grows
by one at most, so j - i - d(i, j) never falls; the same holds as i falls. So the first j that
shows a detour is found by walking, the last i that still shows it by bisection, and between the two
lies a detour of which no part is one.

    moves   1 2 3 4 5 6 7 8 9 …
              └──────────┘            eight moves that four replace
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import AStar
from taquin.search.result import Result, Task

Solve: TypeAlias = Callable[[Task], Result]
"""Finds a shortest solution of a task."""


@dataclass(frozen=True, slots=True)
class Detour:
    """A part of a sequence that can be shorter."""

    first: int
    """The number of its first move, from 1."""
    last: int
    moves: tuple[Move, ...]
    """The moves as they are."""
    shorter: tuple[Move, ...]
    """Fewer moves between the same boards; none where the moves lead back to where they began."""


def detours(
    start: Board, moves: Sequence[Move], metric: Metric, window: int, solve: Solve
) -> Iterator[Detour]:
    """Yield detours of up to `window` moves that do not overlap, in their order.

    A window that `solve` leaves unsolved is taken for no detour.
    """
    boards = list(accumulate(moves, Board.apply, initial=start))

    def shorter_way(first: int, last: int) -> tuple[Move, ...] | None:
        """Return a shortest way between two boards; None if the moves are as short."""
        puzzle = Puzzle(Goal(boards[last].grid, boards[last].cells), metric)
        way = solve(Task(puzzle, boards[first], AStar(LinearConflict()))).moves
        return way if way is not None and len(way) < last - first else None

    first = 0
    for last in range(1, len(boards)):
        first = max(first, last - window)
        if shorter_way(first, last) is None:
            continue
        place = bisect_left(
            range(first, last), True, key=lambda index: shorter_way(index, last) is None
        )
        first += place - 1
        way = shorter_way(first, last)
        assert way is not None, "bisection stops at the last index that shows the detour"
        yield Detour(first + 1, last, tuple(moves[first:last]), way)
        first = last


def without(moves: Sequence[Move], parts: Sequence[Detour]) -> tuple[Move, ...]:
    """Return the moves with each of these detours replaced."""
    kept = list(moves)
    for detour in reversed(parts):
        kept[detour.first - 1 : detour.last] = detour.shorter
    return tuple(kept)
