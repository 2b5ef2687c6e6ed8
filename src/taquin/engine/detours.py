"""Find detours in a sequence of moves, and shorten it window by window.

A detour is a part of the sequence that is longer than the distance between its ends. Let d(i, j) be
the distance from the board after i moves to the one after j. As j grows by one, d grows by at most
one, so j - i - d(i, j) never falls; the same holds as i falls. So a linear scan finds the first j
that ends a detour, and bisection the last i that begins it; no part of that detour is a detour.

    moves   1 2 3 4 5 6 7 8 9 …
              └──────────┘            a detour: six moves that four can replace
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
    """Fewer moves between the same boards; empty if the detour is a loop."""


def detours(
    start: Board, moves: Sequence[Move], metric: Metric, window: int, solve: Solve
) -> Iterator[Detour]:
    """Yield disjoint detours of up to `window` moves in order.

    A window that `solve` leaves unsolved counts as no detour.
    """
    boards = list(accumulate(moves, Board.apply, initial=start))

    def shortcut(first: int, last: int) -> tuple[Move, ...] | None:
        """Return a shortest path between two boards; None if the moves are one."""
        puzzle = Puzzle(Goal(boards[last].grid, boards[last].cells), metric)
        path = solve(Task(puzzle, boards[first], AStar(LinearConflict()))).moves
        return path if path is not None and len(path) < last - first else None

    first = 0
    for last in range(1, len(boards)):
        first = max(first, last - window)
        if shortcut(first, last) is None:
            continue
        place = bisect_left(
            range(first, last), True, key=lambda index: shortcut(index, last) is None
        )
        first += place - 1
        path = shortcut(first, last)
        assert path is not None, "bisection stops at the last index that begins the detour"
        yield Detour(first + 1, last, tuple(moves[first:last]), path)
        first = last


def replaced(moves: Sequence[Move], parts: Sequence[Detour]) -> tuple[Move, ...]:
    """Return the moves with these detours replaced."""
    kept = list(moves)
    for detour in reversed(parts):
        kept[detour.first - 1 : detour.last] = detour.shorter
    return tuple(kept)
