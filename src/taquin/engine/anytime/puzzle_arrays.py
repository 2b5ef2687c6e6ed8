"""A puzzle as the arrays that the kernels of this package use.

cells        numbered row by row, walls among them
directions   as the *blank* moves: 0 up, 1 left, 2 right, 3 down; one and its opposite sum to 3
ids          0 is the blank; a tile's id is the index of its label, as in `taquin.model.space`
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from taquin.model.space import ANY_ID, Space
from taquin.system.arrays import (
    Array,
    Matrix,
    array,
    filled,
    int8,
    int16,
    int32,
    over,
    uint8,
    zeros,
)
from taquin.system.compiled import Compiled

Tiles: TypeAlias = list[int]
"""A board: the id in each cell."""
Moves: TypeAlias = bytes
"""Directions of the blank, one move after the other."""
Neighbours: TypeAlias = Matrix[int32]
"""For each cell and direction the neighbouring cell, or -1."""

SCALE = 16
"""The value of a tile one step from home in puzzles that are not classic; other distances are in
proportion."""
_STEEPNESS = 1.5
"""The power of the distance that counts where there are walls, or several homes."""

LARGEST_BEAM = 1_024
"""Most cells of a board that beams are used for: `wrong` and `weights`, which they need where a
puzzle is not classic, take the square of it, and are empty beyond."""


@dataclass(frozen=True, slots=True)
class PuzzleArrays:
    """One puzzle from one start."""

    rows: int
    """Rows of the grid."""
    columns: int
    """Columns of the grid."""
    start: Tiles
    """The id in each cell."""
    near: Neighbours
    """For each cell and direction the neighbouring open cell, or -1."""
    homes: Array[int32]
    """The goal cell of each id; -1 if it has none or several."""
    wrong: Matrix[uint8]
    """For each id and cell, 1 if the goal wants another id there; empty if classic."""
    weights: Matrix[int32]
    """For each id and cell, its term of a board's value; empty if classic."""
    is_classic: bool
    """Whether every tile has one home and there are no walls, on 2×2 cells at least."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def goal(self) -> Tiles:
        """The id wanted in each cell of a classic puzzle."""
        return _inverse(self.homes.tolist())

    def towards(self, goal: Tiles) -> PuzzleArrays:
        """Return this classic puzzle with another goal."""
        return replace(self, homes=array(_inverse(goal), int32))

    def steps_between(self, source: int, target: int, *, is_row_first: bool = True) -> list[int]:
        """Return directions from a cell to another on a grid without walls."""
        row, column = divmod(source, self.columns)
        to_row, to_column = divmod(target, self.columns)
        vertical = [3 if to_row > row else 0] * abs(to_row - row)
        across = [2 if to_column > column else 1] * abs(to_column - column)
        return vertical + across if is_row_first else across + vertical


def arrays_of(space: Space) -> PuzzleArrays:
    """Return the arrays of a puzzle and its start."""
    grid = space.puzzle.grid
    near = filled((grid.size, 4), -1, int32)
    for cell in grid.open_cells:
        row, column = divmod(cell, grid.columns)
        inside = (row > 0, column > 0, column < grid.columns - 1, row < grid.rows - 1)
        for direction, step in enumerate((-grid.columns, -1, 1, grid.columns)):
            if inside[direction] and cell + step not in grid.walls:
                near[cell, direction] = cell + step
    places: list[list[int]] = [[] for _ in space.labels]
    for cell, number in enumerate(space.goal_ids):
        if number != ANY_ID:
            places[number].append(cell)
    homes = [cells[0] if len(cells) == 1 else -1 for cells in places]
    # A goal with ANY cells may name each label once, and the board have several tiles of it.
    has_homes = min(homes) >= 0 and len(homes) == grid.size
    is_classic = has_homes and not grid.walls and min(grid.rows, grid.columns) >= 2
    shape = (0, 0) if is_classic or grid.size > LARGEST_BEAM else (len(places), grid.size)
    wrong, weights = zeros(shape, uint8), zeros(shape, int32)
    named = bytes(number != ANY_ID for number in space.goal_ids)
    for number in range(len(wrong)):
        wrong[number] = named
        for cell in places[number]:
            wrong[number, cell] = 0
        if number and places[number]:
            steps = _steps_to(places[number], near)
            weights[number] = [round(SCALE * distance**_STEEPNESS) for distance in steps]
    return PuzzleArrays(
        *(grid.rows, grid.columns, list(space.start), near, array(homes, int32)),
        *(wrong, weights, is_classic),
    )


def _inverse(places: list[int]) -> list[int]:
    """Return the inverse of a permutation."""
    inverse = [0] * len(places)
    for number, place in enumerate(places):
        inverse[place] = number
    return inverse


def _steps_to(cells: list[int], near: Neighbours) -> list[int]:
    """Return each cell's distance to the nearest of some cells; 0 for walls."""
    steps = dict.fromkeys(cells, 0)
    waiting = deque(cells)
    while waiting:
        cell = waiting.popleft()
        for other in near[cell]:
            if other >= 0 and other not in steps:
                steps[other] = steps[cell] + 1
                waiting.append(other)
    return [steps.get(cell, 0) for cell in range(len(near))]


def turned_round(puzzle: PuzzleArrays) -> PuzzleArrays:
    """Return a classic puzzle with start and goal exchanged."""
    return replace(puzzle.towards(puzzle.start), start=puzzle.goal)


class Follow(NamedTuple):
    """Moves of the blank on a board; the result is its cell."""

    board: Array[int16]
    moves: Array[int8]
    near: Neighbours


_follow = Compiled("follow_moves", Follow)


def apply_moves(puzzle: PuzzleArrays, board: Array[int16], moves: Moves) -> int:
    """Make the moves on a board and return the cell of the blank."""
    return _follow(Follow(board, over(moves, int8), puzzle.near))


def follow(start: Tiles, moves: Moves, near: Neighbours) -> Tiles:
    """Return the board that the blank's directions lead to."""
    board = array(start, int16)
    _follow(Follow(board, over(moves, int8), near))
    return board.tolist()


def reversed_moves(moves: Moves) -> Moves:
    """Return the moves that undo `moves`."""
    return moves[::-1].translate(_OPPOSITE)


_OPPOSITE = bytes(3 - direction & 3 for direction in range(256))
"""The opposite of each direction, for `bytes.translate`."""


def without_returns(directions: Iterable[int]) -> Moves:
    """Return directions of the blank without pairs of moves that cancel out."""
    way = bytearray()
    for direction in directions:
        if way and way[-1] + direction == 3:
            way.pop()
        else:
            way.append(direction)
    return bytes(way)


def cycles_of(mapping: dict[int, int]) -> list[list[int]]:
    """Return the cycles of a permutation, each in its order."""
    left = dict(mapping)
    cycles = []
    while left:
        cycle = [next(iter(left))]
        while (following := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(following)
        cycles.append(cycle)
    return cycles


def blank_of(board: Tiles) -> int:
    """Return the cell of the blank."""
    return board.index(0)
