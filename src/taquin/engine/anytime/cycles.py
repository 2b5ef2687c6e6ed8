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
from operator import ne

from taquin.engine.anytime.beam import Beam, Window
from taquin.engine.anytime.puzzle_arrays import (
    Moves,
    PuzzleArrays,
    Tiles,
    blank_of,
    cycles_of,
    follow,
    reversed_moves,
    without_returns,
)
from taquin.engine.anytime.value import Box, is_viewable

_LARGEST_REGION = 8
"""Rows and columns of the largest region in which two cycles are undone at once."""
_STEP = 4
"""How far a cycle is brought towards another at once."""
_MOST_OTHERS, _MOST_PAIRS = 2, 3
"""How many other cycles are tried with one, and how many exchanges on the way to each."""
_MOST_CYCLES, _CELLS_A_CYCLE = 40, 20
"""Cycles that are undone at most, or one for so many cells of a large board: where there are more,
a beam was cut short."""


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
        near, moves = self.puzzle.near, bytes(directions)
        self.board, self.goal = follow(self.board, moves, near), follow(self.goal, moves, near)
        self.moves += directions
        self.walks += directions


def undo_cycles(
    puzzle: PuzzleArrays, board: Tiles, beam: Beam, keep_going: Callable[[], bool]
) -> Moves | None:
    """Return the blank's directions from a board to the goal; None where no way was found."""
    work = _begin(puzzle, board)
    for _ in range(max(_MOST_CYCLES, puzzle.size // _CELLS_A_CYCLE)):
        cycles = _cycles(work.board, work.goal)
        if not cycles:
            return bytes(work.moves) + reversed_moves(without_returns(work.walks))
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
        goal = follow(solved, bytes(walk), puzzle.near)
        choices.append((sum(map(ne, goal, board)), walk, goal))
    _, walk, goal = min(choices, key=lambda choice: choice[0])
    return _Work(puzzle, board, goal, [], walk)


def _undo_nearest(work: _Work, beam: Beam, keep_going: Callable[[], bool]) -> bool:
    """Undo the cycle nearest to the blank, alone, with another, or for an exchange farther on."""
    cycles = _cycles(work.board, work.goal)
    if not cycles:
        return True
    for cells, contents in _targets(work, cycles):
        target = work.board.copy()
        for cell, number in zip(cells, contents, strict=True):
            target[cell] = number
        towards = work.puzzle.towards(target)
        for margin in (1, 2):
            box = _box(work.puzzle, [*cells, blank_of(target)], margin)
            if not is_viewable(work.puzzle, box):
                continue
            walk = beam.walk(towards, work.board, keep_going, window=Window(box), spread=margin > 1)
            if walk.solved:
                work.moves += walk.moves
                work.board = target
                return True
    return False


def _targets(work: _Work, cycles: list[list[int]]) -> Iterator[tuple[list[int], Tiles]]:
    """Yield cells and what to bring into them, so that the cycle next to the blank is gone."""
    puzzle, goal, blank = work.puzzle, work.goal, blank_of(work.board)
    nearest = min(cycles, key=lambda cycle: _apart(puzzle, cycle, [blank]))
    if len(nearest) % 2:
        yield nearest, [goal[cell] for cell in nearest]
        return
    others = [cycle for cycle in cycles if cycle is not nearest and len(cycle) % 2 == 0]
    others.sort(key=lambda cycle: _apart(puzzle, nearest, cycle))
    for other in others[:_MOST_OTHERS]:
        box = _box(puzzle, [blank, *nearest, *other], 0)
        if max(box.bottom - box.top, box.right - box.left) <= _LARGEST_REGION:
            yield [*nearest, *other], [goal[cell] for cell in (*nearest, *other)]
        occupied = {blank, *(cell for cycle in cycles for cell in cycle)}
        for pair in _pairs_towards(puzzle, nearest, other, occupied):
            yield [*nearest, *pair], [goal[cell] for cell in (*nearest, *pair[::-1])]


def _cycles(board: Tiles, goal: Tiles) -> list[list[int]]:
    """Return the cells of each cycle, in its order."""
    place = {number: cell for cell, number in enumerate(goal)}
    numbers = enumerate(board)
    return cycles_of({cell: place[number] for cell, number in numbers if number != goal[cell]})


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
        place = puzzle.near[place, direction]
    pairs = [
        [cell, beside]
        for cell in range(puzzle.size)
        if cell not in occupied and _apart(puzzle, [cell], [place]) <= 2
        for beside in puzzle.near[cell][2:]
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


def _box(puzzle: PuzzleArrays, cells: list[int], margin: int) -> Box:
    """Return the box around some cells, with a margin."""
    rows, columns = zip(*(divmod(cell, puzzle.columns) for cell in cells), strict=True)
    box = Box(min(rows), min(columns), max(rows) + 1, max(columns) + 1)
    return box.with_margin(margin, puzzle.rows, puzzle.columns)
