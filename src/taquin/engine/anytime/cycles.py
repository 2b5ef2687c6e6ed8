"""Undo the last cycles of a board: a few tiles each of which is where another of them belongs.

A blank that comes, works in a small region and leaves by the way it came makes an even permutation
there. So a cycle of an odd number of tiles can be undone where it is. One of an even number cannot,
only two of them together, when they are near each other. Two that are far apart are brought nearer:
the first is undone, and two tiles on the way to the other are exchanged for it.

    . . . .        The blank walks in the board and in the goal together, so that at the end of a
    . 6 7 .        walk they differ by the cycles alone. When they are the same, the blank walks
    . 3 2 .        back, which leads to the real goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.arrays import (
    Moves,
    PuzzleArrays,
    Tiles,
    blank_of,
    cycles_of,
    follow,
    without_returns,
)
from taquin.engine.anytime.beam import Beam

_LARGEST_REGION = 8
"""Rows and columns of the largest region in which two cycles are undone at once."""
_STEP = 4
"""How far a cycle is brought towards another at once."""
_MOST_OTHERS, _MOST_PAIRS = 2, 3
"""How many other cycles are tried with one, and how many exchanges on the way to each."""
_MOST_CYCLES = 40
"""Cycles that are undone at most: where there are more, a beam was cut short."""


@dataclass(slots=True)
class _Work:
    """A board on the way to its goal."""

    puzzle: PuzzleArrays
    board: Tiles
    goal: Tiles
    """The goal after the blank's walks."""
    moves: list[int]
    """All moves so far."""
    walks: list[int]
    """The blank's walks so far."""

    def walk(self, directions: list[int]) -> None:
        """Walk the blank in board and goal."""
        near, moves = self.puzzle.near, np.array(directions, np.int8)
        self.board, self.goal = follow(self.board, moves, near), follow(self.goal, moves, near)
        self.moves += directions
        self.walks += directions


def undo_cycles(
    puzzle: PuzzleArrays, board: Tiles, beam: Beam, keep_going: Callable[[], bool]
) -> Moves | None:
    """Return the blank's directions from a board to the goal; None where no way was found."""
    work = _begin(puzzle, board)
    for _ in range(_MOST_CYCLES):
        cycles = _cycles(work.board, work.goal)
        if not cycles:
            back = [3 - direction for direction in reversed(without_returns(work.walks))]
            return np.array(work.moves + back, np.int8)
        # The blank walks to the nearest cycle, but not into it.
        blank, cells = blank_of(work.board), [cell for cycle in cycles for cell in cycle]
        target = min(cells, key=lambda cell: _apart(puzzle, [cell], [blank]))
        work.walk(puzzle.steps_between(blank, target)[:-1])
        if not keep_going() or not _undo_nearest(work, beam, keep_going):
            return None
    return None


def _begin(puzzle: PuzzleArrays, board: Tiles) -> _Work:
    """Return the board with the goal whose blank has gone where the board's is."""
    solved = puzzle.goal
    choices = []
    for is_row_first in (True, False):
        walk = puzzle.steps_between(blank_of(solved), blank_of(board), is_row_first=is_row_first)
        goal = follow(solved, np.array(walk, np.int8), puzzle.near)
        choices.append((int((goal != board).sum()), walk, goal))
    _, walk, goal = min(choices, key=lambda choice: choice[0])
    return _Work(puzzle, board, goal, [], walk)


def _undo_nearest(work: _Work, beam: Beam, keep_going: Callable[[], bool]) -> bool:
    """Undo the cycle nearest to the blank, alone, with another, or for an exchange farther on."""
    cycles = _cycles(work.board, work.goal)
    if not cycles:
        return True
    for cells, contents in _targets(work, cycles):
        target = work.board.copy()
        target[cells] = contents
        towards = work.puzzle.towards(target)
        for margin in (1, 2):
            is_open = _box(work.puzzle, [*cells, blank_of(target)], margin)
            walk = beam.walk(towards, work.board, keep_going, is_open=is_open, spread=margin > 1)
            if walk.solved:
                work.moves += walk.moves.tolist()
                work.board = target
                return True
    return False


def _targets(work: _Work, cycles: list[list[int]]) -> Iterator[tuple[list[int], Tiles]]:
    """Yield cells and what to bring into them, so that the cycle next to the blank is gone."""
    puzzle, goal, blank = work.puzzle, work.goal, blank_of(work.board)
    nearest = min(cycles, key=lambda cycle: _apart(puzzle, cycle, [blank]))
    if len(nearest) % 2:
        yield nearest, goal[nearest]
        return
    others = [cycle for cycle in cycles if cycle is not nearest and len(cycle) % 2 == 0]
    others.sort(key=lambda cycle: _apart(puzzle, nearest, cycle))
    for other in others[:_MOST_OTHERS]:
        rows, columns = np.divmod([blank, *nearest, *other], puzzle.columns)
        if max(np.ptp(rows), np.ptp(columns)) < _LARGEST_REGION:
            yield [*nearest, *other], goal[[*nearest, *other]]
        occupied = {blank, *(cell for cycle in cycles for cell in cycle)}
        for pair in _pairs_towards(puzzle, nearest, other, occupied):
            yield [*nearest, *pair], goal[[*nearest, *pair[::-1]]]


def _cycles(board: Tiles, goal: Tiles) -> list[list[int]]:
    """Return the cells of each cycle, in its order."""
    wrong = np.flatnonzero(board != goal)
    belongs = np.argsort(goal)[board[wrong]]
    return cycles_of(dict(zip(wrong.tolist(), belongs.tolist(), strict=True)))


def _pairs_towards(
    puzzle: PuzzleArrays, cycle: list[int], other: list[int], occupied: set[int]
) -> list[list[int]]:
    """Return neighbouring cells of no cycle, some steps from a cycle on the way to another."""
    source, target = min(
        ((one, two) for one in cycle for two in other),
        key=lambda ends: _apart(puzzle, ends[:1], ends[1:]),
    )
    place = source
    for direction in puzzle.steps_between(source, target)[:_STEP]:
        place = int(puzzle.near[place, direction])
    pairs = [
        [cell, int(beside)]
        for cell in range(puzzle.size)
        if cell not in occupied and _apart(puzzle, [cell], [place]) <= 2
        for beside in puzzle.near[cell, 2:]
        if beside >= 0 and beside not in occupied
    ]
    return sorted(pairs, key=lambda pair: _apart(puzzle, pair, [place]))[:_MOST_PAIRS]


def _apart(puzzle: PuzzleArrays, cells: Iterable[int], others: Iterable[int]) -> int:
    """Return the least distance between two sets of cells."""
    columns = puzzle.columns
    others = list(others)
    return min(
        abs(one // columns - two // columns) + abs(one % columns - two % columns)
        for one in cells
        for two in others
    )


def _box(puzzle: PuzzleArrays, cells: list[int], margin: int) -> NDArray[np.bool_]:
    """Return for each cell whether it is in the box around some, with a margin."""
    rows, columns = np.divmod(cells, puzzle.columns)
    is_open = np.zeros((puzzle.rows, puzzle.columns), np.bool_)
    top, left = max(0, rows.min() - margin), max(0, columns.min() - margin)
    is_open[top : rows.max() + margin + 1, left : columns.max() + margin + 1] = True
    return is_open.ravel()
