"""Undo the last rings of a board: a few tiles each of which is where another of them belongs.

A blank that comes, works in a small region and leaves by the way it came makes an even permutation
there. So a ring of an odd number of tiles can be undone where it is; one of an even number cannot,
only two of them together, when they are near each other. Two that are far apart are brought nearer:
the first is undone, and two tiles on the way to the other are exchanged for it.

    . . . .        b, the board as it is, and g, the goal as the blank's ways leave it: both take
    . 6 7 .        each way together, so that at its end they differ by the rings alone. When they
    . 3 2 .        are the same, the ways lead back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.beam import Beam
from taquin.engine.anytime.field import Field, Moves, Neighbours, Tiles, blank_of

_TOGETHER = 8
"""Rows and columns of the largest region in which two rings are undone at once."""
_STEP = 4
"""How far a ring is brought towards another at once."""
_OTHERS, _PAIRS = 2, 3
"""How many other rings are tried with one, and how many exchanges on the way to each."""
_MOST = 40
"""Rings that are undone at most: where there are more, a beam was cut short."""


@dataclass(slots=True)
class _Work:
    """A board on the way to its goal."""

    puzzle: Field
    board: Tiles
    goal: Tiles
    moves: list[int]
    """All moves so far."""
    way: list[int]
    """The blank's ways so far, without what leads back at once: the goal has taken them too."""

    def walk(self, directions: Iterable[int]) -> None:
        """Take the blank along in board and goal."""
        for direction in directions:
            for cells in (self.board, self.goal):
                _slide(cells, self.puzzle.near, direction)
            self.moves.append(direction)
            _append(self.way, direction)


def undo_rings(puzzle: Field, board: Tiles, beam: Beam, go_on: Callable[[], bool]) -> Moves | None:
    """Return the blank's directions from a board to the goal, or None where it comes to nothing."""
    work = _begin(puzzle, board)
    for _ in range(_MOST):
        rings = _rings(work.board, work.goal)
        if not rings:
            return np.array([*work.moves, *(3 - each for each in reversed(work.way))], np.int8)
        work.walk(_way_to(puzzle, work.board, rings))
        if not go_on() or not _undo_nearest(work, beam, go_on):
            return None
    return None


def _begin(puzzle: Field, board: Tiles) -> _Work:
    """Return the board with the goal whose blank has gone where the board's is."""
    found = []
    solved = np.empty_like(board)
    solved[puzzle.homes] = np.arange(puzzle.size)
    for is_row_first in (True, False):
        goal = solved.copy()
        way = _between(puzzle, blank_of(goal), blank_of(board), is_row_first)
        for direction in way:
            _slide(goal, puzzle.near, direction)
        found.append((int((goal != board).sum()), way, goal))
    _, way, goal = min(found, key=lambda each: each[0])
    return _Work(puzzle, board.copy(), goal, [], list(way))


def _undo_nearest(work: _Work, beam: Beam, go_on: Callable[[], bool]) -> bool:
    """Undo the ring nearest to the blank, alone, with another, or for an exchange farther on."""
    rings = _rings(work.board, work.goal)
    if not rings:
        return True
    for cells, contents in _plans(work, rings):
        target = work.board.copy()
        target[cells] = contents
        towards = work.puzzle.towards(target)
        for margin in (1, 2):
            is_open = _box(work.puzzle, [*cells, blank_of(target)], margin)
            found = beam.walk(towards, work.board, go_on, is_open=is_open, spread=margin > 1)
            if found.solved:
                work.moves += found.moves.tolist()
                work.board = target
                return True
    return False


def _plans(work: _Work, rings: list[list[int]]) -> Iterator[tuple[list[int], Tiles]]:
    """Yield cells and what to bring into them: ways to be rid of the ring next to the blank."""
    puzzle, goal, blank = work.puzzle, work.goal, blank_of(work.board)
    ring = min(rings, key=lambda each: _apart(puzzle, each, [blank]))
    if len(ring) % 2:
        yield ring, goal[ring]
        return
    others = [each for each in rings if each is not ring and len(each) % 2 == 0]
    for other in sorted(others, key=lambda each: _apart(puzzle, ring, each))[:_OTHERS]:
        if max(_extent(puzzle, [blank, *ring, *other])) <= _TOGETHER:
            yield [*ring, *other], goal[[*ring, *other]]
        taken = {blank, *(cell for each in rings for cell in each)}
        for pair in _pairs_towards(puzzle, ring, other, taken):
            yield [*ring, *pair], goal[[*ring, *pair[::-1]]]


def _rings(board: Tiles, goal: Tiles) -> list[list[int]]:
    """Return the cells of each ring, in its order."""
    place = np.empty_like(goal)
    place[goal] = np.arange(len(goal))
    left = set(np.flatnonzero(board != goal).tolist())
    found = []
    while left:
        ring = [min(left)]
        while (cell := int(place[board[ring[-1]]])) != ring[0]:
            ring.append(cell)
        left.difference_update(ring)
        found.append(ring)
    return found


def _way_to(puzzle: Field, board: Tiles, rings: list[list[int]]) -> list[int]:
    """Return the blank's way to the nearest ring, but not into it."""
    blank = blank_of(board)
    cells = [cell for ring in rings for cell in ring]
    goal = min(cells, key=lambda cell: _apart(puzzle, [cell], [blank]))
    return _between(puzzle, blank, goal, True)[:-1]


def _between(puzzle: Field, source: int, target: int, is_row_first: bool) -> list[int]:
    """Return directions from a cell to another."""
    (row, column), (to_row, to_column) = (divmod(each, puzzle.columns) for each in (source, target))
    vertical = [3 if to_row > row else 0] * abs(to_row - row)
    across = [2 if to_column > column else 1] * abs(to_column - column)
    return vertical + across if is_row_first else across + vertical


def _pairs_towards(
    puzzle: Field, ring: list[int], other: list[int], taken: set[int]
) -> list[list[int]]:
    """Return neighbouring cells of no ring, some steps from a ring on the way to another."""
    one, two = min(
        ((one, two) for one in ring for two in other),
        key=lambda each: _apart(puzzle, each[:1], each[1:]),
    )
    place = one
    for direction in _between(puzzle, one, two, True)[:_STEP]:
        place = int(puzzle.near[place, direction])
    pairs = [
        [cell, int(beside)]
        for cell in range(puzzle.size)
        if cell not in taken and _apart(puzzle, [cell], [place]) <= 2
        for beside in puzzle.near[cell, 2:]
        if beside >= 0 and beside not in taken
    ]
    return sorted(pairs, key=lambda pair: _apart(puzzle, pair, [place]))[:_PAIRS]


def _apart(puzzle: Field, cells: Iterable[int], others: Iterable[int]) -> int:
    """Return the least distance between cells of one kind and of another."""
    columns = puzzle.columns
    others = list(others)
    return min(
        abs(one // columns - two // columns) + abs(one % columns - two % columns)
        for one in cells
        for two in others
    )


def _extent(puzzle: Field, cells: list[int]) -> tuple[int, int]:
    """Return rows and columns of the smallest box around cells."""
    rows, columns = np.divmod(cells, puzzle.columns)
    return int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1


def _box(puzzle: Field, cells: list[int], margin: int) -> NDArray[np.bool_]:
    """Return for each cell whether it is in the box around some, with a margin."""
    rows, columns = np.divmod(cells, puzzle.columns)
    is_open = np.zeros((puzzle.rows, puzzle.columns), np.bool_)
    top, left = max(0, rows.min() - margin), max(0, columns.min() - margin)
    is_open[top : rows.max() + margin + 1, left : columns.max() + margin + 1] = True
    return is_open.ravel()


def _slide(cells: Tiles, near: Neighbours, direction: int) -> None:
    blank = blank_of(cells)
    other = near[blank, direction]
    cells[blank], cells[other] = cells[other], 0


def _append(way: list[int], direction: int) -> None:
    """Make a way longer by a step, or shorter where it leads back."""
    if way and way[-1] + direction == 3:
        way.pop()
    else:
        way.append(direction)
