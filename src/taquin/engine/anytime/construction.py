"""Construct a solution of any classic puzzle in a moment: line by line, tile by tile.

    a b c      The first line goes home tile by tile, its last two tiles together: one waits in the
    . . .      other's corner, the other is brought near, and a search among six cells moves both
    . . .      in. Then the same with the rest, row or column, whichever is longer, down to 2×2.

The solution is long but never wrong. The code from `Construction` to `_solve` uses numbers, indices
and loops only. So it runs in plain Python, on lists, for the first answer of a process, which waits
for no compiled code; and compiled, on arrays. Directions and cells are as in
`taquin.engine.anytime.puzzle_arrays`.

The last part makes solutions of walks of the blank: `BestSolution`, which the threads share, and
`constructed`, a solution without compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from taquin.model.board import Board
from taquin.model.moves import BLANK, Direction, Metric, Move
from taquin.model.space import Space
from taquin.search.events import Node
from taquin.search.result import Task
from taquin.system.arrays import Array, array, int8, int64, zeros
from taquin.system.compiled import Compiled, can_run_kernels
from taquin.tables.shape import moves_along, steps_along

if TYPE_CHECKING:
    from taquin.engine.anytime.puzzle_arrays import Moves, PuzzleArrays, Tiles

LARGEST_IN_PYTHON = 1_024
"""The maximum number of cells of a board that plain Python solves within a second."""
_CORNER = 6
"""Cells of a corner: the last two of a line and those next to them in the next two lines."""
_COUNT, _MARK = range(2)
"""Places in `Construction.state`."""
Numbers: TypeAlias = list[int] | Array[int64]


class Construction(NamedTuple):
    """A board on its way to the goal; all but the first three fields begin with zeros."""

    board: Numbers
    """The id in each cell."""
    wanted: Numbers
    """The id that belongs in each cell."""
    moves: bytearray | Array[int8]
    """Directions of the blank."""
    state: Numbers
    """The number of moves so far, and a number that no cell of `…_ways` has before a search."""
    places: Numbers
    """The cell of each id."""
    fixed: Numbers
    """1 for each cell that its tile may not leave."""
    near: Numbers
    """From `4 * cell`, its neighbours by direction; -1 where the grid ends."""
    tile_ways: Numbers
    """For each cell the last search found, its mark plus the direction towards a tile's target."""
    blank_ways: Numbers
    """The same for the blank."""
    queue: Numbers
    """The cells, or states of a corner, that a search has met."""
    corner: Numbers
    """The cells of a corner; at last those of the 2×2 block."""
    before: Numbers
    """For each state of a corner the one before it, or -1."""


class Construct(NamedTuple):
    """A board to solve; the result is the number of moves, or -1."""

    work: Construction
    rows: int
    columns: int


_CONSTRUCT = Compiled("construct", Construct)


def is_constructible(space: Space) -> bool:
    """Return whether a board has no walls, at least 2×2 cells, and one home for every tile."""
    grid = space.puzzle.grid
    is_full = sorted(space.goal_ids) == list(range(grid.size)) == sorted(space.start)
    return is_full and not grid.walls and min(grid.rows, grid.columns) >= 2


def construct_in_python(space: Space) -> list[int]:
    """Return directions of the blank that solve a constructible board, which must be solvable."""
    grid = space.puzzle.grid
    moves = bytearray(_most_moves(grid.rows, grid.columns))
    scratch = [[0] * size for size in _scratch(grid.size)]
    work = Construction(list(space.start), list(space.goal_ids), moves, *scratch)
    count = _solve(work, grid.rows, grid.columns)
    assert count >= 0, "the board is solvable"
    return list(moves[:count])


def construct(puzzle: PuzzleArrays, start: Tiles) -> Moves:
    """Return directions of the blank that solve a classic board, which must be solvable."""
    return _construct(start, puzzle.goal, puzzle.rows, puzzle.columns)


def _construct(start: Iterable[int], goal: Iterable[int], rows: int, columns: int) -> Moves:
    moves = zeros(_most_moves(rows, columns), int8)
    scratch = [zeros(size, int64) for size in _scratch(rows * columns)]
    work = Construction(array(start, int64), array(goal, int64), moves, *scratch)
    count = _CONSTRUCT(Construct(work, rows, columns))
    assert count >= 0, "the board is solvable"
    return bytes(moves.items[:count])


def _most_moves(rows: int, columns: int) -> int:
    """Return a generous limit: no tile of any board needs more moves than this to go home."""
    return 8 * rows * columns * (rows + columns + 8)


def _scratch(size: int) -> tuple[int, ...]:
    states = _CORNER**3
    return (2, size, size, 4 * size, size, size, max(size, states), _CORNER, states)


def _slide(work: Construction, direction: int) -> None:
    board, places, state = work.board, work.places, work.state
    blank = places[0]
    cell = work.near[4 * blank + direction]
    tile = board[cell]
    board[blank], places[tile] = tile, blank
    board[cell], places[0] = 0, cell
    work.moves[state[_COUNT]] = direction
    state[_COUNT] += 1


def _slide_to(work: Construction, cell: int) -> None:
    direction = 0
    while work.near[4 * work.places[0] + direction] != cell:
        direction += 1
    _slide(work, direction)


def _number_of(corner: Numbers, cell: int) -> int:
    """Return the number of a cell in a corner, -1 for any other."""
    for number in range(_CORNER):
        if corner[number] == cell:
            return number
    return -1


def _find_ways(work: Construction, source: int, target: int, ways: Numbers) -> None:
    """Write the direction of each cell on a shortest way past the fixed ones to the target."""
    near, fixed, queue = work.near, work.fixed, work.queue
    work.state[_MARK] += 4
    mark = work.state[_MARK]
    ways[target] = mark
    queue[0] = target
    head, tail = 0, 1
    # From the target, so that the way can be read from the source on.
    while ways[source] < mark:
        cell = queue[head]
        head += 1
        for direction in range(4):
            other = near[4 * cell + direction]
            if other >= 0 and ways[other] < mark and not fixed[other]:
                ways[other] = mark + 3 - direction
                queue[tail] = other
                tail += 1


def _walk(work: Construction, target: int) -> None:
    """Take the blank to a cell by a shortest way past the fixed ones."""
    places, ways = work.places, work.blank_ways
    _find_ways(work, places[0], target, ways)
    while places[0] != target:
        _slide(work, ways[places[0]] & 3)


def _carry(work: Construction, tile: int, target: int) -> None:
    """Carry a tile to a cell past the fixed ones."""
    place = work.places[tile]
    _find_ways(work, place, target, work.tile_ways)
    while place != target:
        direction = work.tile_ways[place] & 3
        following = work.near[4 * place + direction]
        work.fixed[place] = 1
        _walk(work, following)
        work.fixed[place] = 0
        _slide(work, 3 - direction)
        place = following


def _move_in(work: Construction, one: int, two: int) -> None:
    """Bring two tiles into the first two cells of the corner, where they and the blank are."""
    corner, before, queue = work.corner, work.before, work.queue
    # A state is the numbers that the cells of the two tiles and of the blank have in the corner.
    begin = 0
    for tile in (one, two, 0):
        begin = _CORNER * begin + _number_of(corner, work.places[tile])
    for state in range(len(before)):
        before[state] = -1
    before[begin] = queue[0] = begin
    head, tail, state = 0, 1, begin
    # The first cells of both tiles are 0 and 1.
    while state // _CORNER != 1:
        first, second, blank = state // _CORNER**2, state // _CORNER % _CORNER, state % _CORNER
        for cell in (blank - 2, blank ^ 1, blank + 2):
            if 0 <= cell < _CORNER:
                moved_first = blank if first == cell else first
                moved_second = blank if second == cell else second
                following = (moved_first * _CORNER + moved_second) * _CORNER + cell
                if before[following] < 0:
                    before[following] = state
                    queue[tail] = following
                    tail += 1
        head += 1
        state = queue[head]
    length = 0
    while state != begin:
        queue[length] = corner[state % _CORNER]
        length += 1
        state = before[state]
    while length > 0:
        length -= 1
        _slide_to(work, queue[length])


def _bring_home(work: Construction, first: int, length: int, along: int, across: int) -> None:
    """Bring the tiles of a line home and fix them, the last two together.

    `along` leads from a cell of the line to the next, `across` to the same cell of the next line.
    """
    wanted, fixed, corner, places = work.wanted, work.fixed, work.corner, work.places
    for number in range(length - 2):
        cell = first + number * along
        _carry(work, wanted[cell], cell)
        fixed[cell] = 1
    for number in range(_CORNER):
        corner[number] = first + (length - 2 + number % 2) * along + number // 2 * across
    one, two = wanted[corner[0]], wanted[corner[1]]
    if places[one] != corner[0] or places[two] != corner[1]:
        _carry(work, one, corner[1])
        fixed[corner[1]] = 1
        # Where it is inside already, carrying it might shut the blank in.
        if _number_of(corner, places[two]) < 0:
            _carry(work, two, corner[5])
        place = places[two]
        if _number_of(corner, places[0]) < 0:
            fixed[place] = 1
            _walk(work, corner[3] if place == corner[2] else corner[2])
            fixed[place] = 0
        _move_in(work, one, two)
    fixed[corner[0]] = fixed[corner[1]] = 1


def _solve(work: Construction, rows: int, columns: int) -> int:
    """Solve the board and return the number of moves; -1 for one that cannot be solved.

    They first lead to the goal with its blank moved into the last corner, and from there back.
    """
    board, wanted, near, corner = work.board, work.wanted, work.near, work.corner
    size = rows * columns
    blank = 0
    for cell in range(size):
        work.places[board[cell]] = cell
        near[4 * cell] = cell - columns if cell >= columns else -1
        near[4 * cell + 1] = cell - 1 if cell % columns > 0 else -1
        near[4 * cell + 2] = cell + 1 if (cell + 1) % columns > 0 else -1
        near[4 * cell + 3] = cell + columns if cell + columns < size else -1
        if wanted[cell] == 0:
            blank = cell
    down, right = rows - 1 - blank // columns, columns - 1 - blank % columns
    for number in range(down + right):
        cell = blank + (columns if number < down else 1)
        wanted[blank] = wanted[cell]
        blank = cell
    wanted[blank] = 0
    first, width = 0, columns
    while rows > 2 or width > 2:
        if rows >= width:
            _bring_home(work, first, width, 1, columns)
            rows, first = rows - 1, first + columns
        else:
            _bring_home(work, first, rows, columns, 1)
            width, first = width - 1, first + 1
    corner[0], corner[1] = first, first + 1
    corner[2], corner[3] = first + columns + 1, first + columns
    place = _number_of(corner, work.places[0])
    is_solved = False
    for _ in range(12):
        is_solved = True
        for number in range(4):
            is_solved = is_solved and board[corner[number]] == wanted[corner[number]]
        if not is_solved:
            place = (place + 1) % 4
            _slide_to(work, corner[place])
    for number in range(right + down):
        _slide(work, 1 if number < right else 0)
    return work.state[_COUNT] if is_solved else -1


@dataclass(slots=True)
class BestSolution:
    """The best solution that any thread has found."""

    by_slides: bool = False
    """Whether moves in the same direction, one after the other, count once."""
    moves: Moves | None = None
    """The directions of the blank; None before the first."""
    least: float = inf
    """What it costs."""
    _lock: Lock = field(default_factory=Lock)

    def offer(self, moves: Moves) -> None:
        """Keep a solution if it costs less than all before."""
        cost = self.cost(moves)
        with self._lock:
            if cost < self.least:
                self.moves, self.least = moves, cost

    def cost(self, moves: Moves) -> int:
        """Return what a solution costs."""
        return len(self.ends_of(moves)) - 1

    def ends_of(self, moves: Moves) -> Sequence[int]:
        """Return 0, and how many moves of the blank are over after each that counts."""
        if not self.by_slides or not len(moves):
            return range(len(moves) + 1)
        turns = (place for place, (one, two) in enumerate(pairwise(moves), 1) if one != two)
        return [0, *turns, len(moves)]


def constructed(task: Task) -> tuple[Move, ...] | None:
    """Return a solution of a solvable classic board; None for others.

    There is none that is longer than the limit on depth, nor, without compiled code, of boards of
    more than 1,024 cells.
    """
    space, grid = Space(task.puzzle, task.start), task.puzzle.grid
    if not is_constructible(space):
        return None
    if grid.size <= LARGEST_IN_PYTHON:
        moves = moves_of(task, construct_in_python(space))
    elif can_run_kernels():
        moves = moves_of(task, _construct(space.start, space.goal_ids, grid.rows, grid.columns))
    else:
        return None
    most = task.limits.depth
    return moves if most is None or len(moves) <= most else None


def node_after(task: Task, moves: tuple[Move, ...], number: int) -> Node:
    """Return the board that some moves lead to, as a node of its own."""
    cells, columns = list(task.start.cells), task.puzzle.grid.columns
    steps = {tiles: -tiles.value[0] * columns - tiles.value[1] for tiles in Direction}
    blank = task.start.blank
    for move in moves:
        step = steps[move.direction]
        for tile in move.tiles:
            cells[blank] = tile
            blank += step
    cells[blank] = BLANK
    board = Board(task.puzzle.grid, tuple(cells))
    return Node(number, 0, board, moves[-1] if moves else None, len(moves), 0, len(moves))


def moves_of(task: Task, directions: Iterable[int]) -> tuple[Move, ...]:
    """Return the moves that a walk of the blank makes."""
    if task.puzzle.metric is Metric.SINGLE:
        return steps_along(task.start, directions)
    columns = task.puzzle.grid.columns
    steps: Iterable[int] = ((-columns, -1, 1, columns)[direction] for direction in directions)
    slides = (sum(line) for _, line in groupby(steps))
    return moves_along(task.start, tuple(accumulate(slides, initial=task.start.blank)))
