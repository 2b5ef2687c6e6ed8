"""Undo the last cycles of a board: tiles that stand on each other's goal cells.

A blank that comes, works in a small region and leaves by the way it came makes an even permutation
there. So a cycle of an odd number of tiles can be undone where it is. One of an even number cannot,
only two of them together, when they are near each other. Two that are far apart are brought nearer:
the first is undone, and two tiles on the way to the other are exchanged for it. A cycle of dozens
is mostly a path of tiles one step from home: where the blank has walked. From beside it, a search
in windows (`windows.py`) finds that walking there again pays; from a distance, the heuristic
overestimates the detour.

    . . . .        The blank walks in the board and in the goal together, so that they still differ
    . 6 7 .        by the cycles alone. When they are equal, the blank walks back, which leads to
    . 3 2 .        the real goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import ne

from taquin.engine.anytime.beam import CpuBeam, Window
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
from taquin.engine.anytime.windows import Windows

_LARGEST_REGION = 8
"""Rows and columns of the largest region in which two cycles are undone at once."""
_LONGEST_CYCLE = 50
"""The most tiles of a cycle that is undone directly; windows split longer ones."""
_STEP = 4
"""The distance by which a cycle moves towards another in one step."""
_MOST_OTHERS, _MOST_PAIRS = 2, 3
"""The number of cycles to try as partners of one, and of exchanges on the way to each."""
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

    def meet(self) -> None:
        """Walk the blank of the goal to the blank's cell on the board."""
        source, target, near = blank_of(self.goal), blank_of(self.board), self.puzzle.near
        choices = []
        for is_row_first in (True, False):
            walk = self.puzzle.steps_between(source, target, is_row_first=is_row_first)
            goal = follow(self.goal, bytes(walk), near)
            choices.append((sum(map(ne, goal, self.board)), walk, goal))
        _, walk, self.goal = min(choices, key=lambda choice: choice[0])
        self.walks += walk


def undo_cycles(
    puzzle: PuzzleArrays, board: Tiles, beam: CpuBeam, keep_going: Callable[[], bool]
) -> Moves:
    """Return the blank's directions from a board to the goal, or to a board nearer to it.

    Cycles remain if there is no way to undo them, or no time.
    """
    work = _Work(puzzle, board, puzzle.goal, [], [])
    work.meet()
    cycles = _cycles(work)
    most = max(_MOST_CYCLES, puzzle.size // _CELLS_A_CYCLE)
    if len(cycles) > most:
        return b""
    # Tiles of cycles that could not be undone.
    hard: set[int] = set()
    for _ in range(most + sum(map(len, cycles))):
        cells = [cell for cycle in cycles for cell in cycle if work.board[cell] not in hard]
        if not cells or not keep_going():
            break
        # The blank walks to the nearest cycle, but not into it.
        blank = blank_of(work.board)
        target = min(cells, key=lambda cell: _apart(puzzle, [cell], [blank]))
        tile = work.board[target]
        work.walk(puzzle.steps_between(blank, target)[:-1])
        if not _undo(work, tile, beam, keep_going):
            hard.add(tile)
        cycles = _cycles(work)
    return bytes(work.moves) + reversed_moves(without_returns(work.walks))


def _undo(work: _Work, tile: int, beam: CpuBeam, keep_going: Callable[[], bool]) -> bool:
    """Undo the cycle of a tile next to the blank: alone, with another, or for an exchange.

    Return whether that succeeded, or a long cycle was made shorter.
    """
    puzzle, place = work.puzzle, work.board.index(tile)
    cycles = _cycles(work)
    cycle = next(cycle for cycle in cycles if place in cycle)
    if len(cycle) > _LONGEST_CYCLE:
        windows = Windows(puzzle.towards(work.goal), work.board, beam, keep_going)
        if moves := windows.improve():
            work.moves += moves
            work.board = follow(work.board, moves, puzzle.near)
            work.meet()
            return True
    for cells, contents in _targets(work, cycle, cycles):
        target = work.board.copy()
        for cell, number in zip(cells, contents, strict=True):
            target[cell] = number
        towards = puzzle.towards(target)
        for margin in (1, 2):
            box = _box(puzzle, [*cells, blank_of(target)], margin)
            if not is_viewable(puzzle, box):
                continue
            found = beam.search(
                towards, work.board, keep_going, window=Window(box), spread=margin > 1
            )
            if found.solved:
                work.moves += found.moves
                work.board = target
                return True
    return False


def _targets(
    work: _Work, cycle: list[int], cycles: list[list[int]]
) -> Iterator[tuple[list[int], Tiles]]:
    """Yield cells and the tiles to bring there, which removes one of the cycles."""
    puzzle, goal, blank = work.puzzle, work.goal, blank_of(work.board)
    if len(cycle) % 2:
        yield cycle, [goal[cell] for cell in cycle]
        return
    others = [other for other in cycles if other != cycle and len(other) % 2 == 0]
    others.sort(key=lambda other: _apart(puzzle, cycle, other))
    for other in others[:_MOST_OTHERS]:
        box = _box(puzzle, [blank, *cycle, *other], 0)
        if max(box.bottom - box.top, box.right - box.left) <= _LARGEST_REGION:
            yield [*cycle, *other], [goal[cell] for cell in (*cycle, *other)]
        occupied = {blank, *(cell for each in cycles for cell in each)}
        for pair in _pairs_towards(puzzle, cycle, other, occupied):
            yield [*cycle, *pair], [goal[cell] for cell in (*cycle, *pair[::-1])]


def _cycles(work: _Work) -> list[list[int]]:
    """Return the cells of each cycle, in its order."""
    place = {number: cell for cell, number in enumerate(work.goal)}
    wrong = enumerate(zip(work.board, work.goal, strict=True))
    return cycles_of({cell: place[number] for cell, (number, other) in wrong if number != other})


def _pairs_towards(
    puzzle: PuzzleArrays, cycle: list[int], other: list[int], occupied: set[int]
) -> list[list[int]]:
    """Return neighbouring cells outside any cycle, on the way from a cycle to another."""
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
