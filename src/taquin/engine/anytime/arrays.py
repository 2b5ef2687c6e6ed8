"""A puzzle as the arrays that the kernels of this package use.

cells        numbered row by row, walls among them
directions   as the *blank* moves: 0 up, 1 left, 2 right, 3 down; one and its opposite sum to 3
ids          0 is the blank; a tile's id is the index of its label, as in `taquin.model.space`
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.model.space import ANY_ID, Space
from taquin.system.arguments import Matrix
from taquin.system.kernels import kernel

Tiles: TypeAlias = NDArray[np.int16]
"""A board: the id in each cell."""
Moves: TypeAlias = NDArray[np.int8]
"""Directions of the blank, one move after the other."""
Neighbours: TypeAlias = Matrix[np.int32]
"""For each cell and direction the neighbouring cell, or -1."""

SCALE = 16
"""What a tile one step from home adds to the value of a board; the rest is in proportion."""
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
    homes: NDArray[np.int32]
    """For each id the cell where it belongs; -1 when there is none, or more than one."""
    wrong: NDArray[np.uint8]
    """For each id and cell, 1 where the goal wants something else there; empty if classic."""
    weights: NDArray[np.int32]
    """For each id and cell, what it adds to the value of a board; empty if classic."""
    is_classic: bool
    """Whether every tile has one home and there are no walls, on 2×2 cells at least."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def goal(self) -> Tiles:
        """The id wanted in each cell of a classic puzzle."""
        goal = np.empty_like(self.start)
        goal[self.homes] = np.arange(self.size)
        return goal

    def towards(self, goal: Tiles) -> PuzzleArrays:
        """Return the same classic puzzle with another board for its goal."""
        homes = np.empty_like(self.homes)
        homes[goal] = np.arange(self.size)
        return replace(self, homes=homes)

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
    near = np.full((grid.size, 4), -1, np.int32)
    for cell in grid.open_cells:
        row, column = divmod(cell, grid.columns)
        inside = (row > 0, column > 0, column < grid.columns - 1, row < grid.rows - 1)
        for direction, step in enumerate((-grid.columns, -1, 1, grid.columns)):
            if inside[direction] and cell + step not in grid.walls:
                near[cell, direction] = cell + step
    goal = np.array(space.goal_ids)
    kinds = len(space.labels)
    counts = np.bincount(goal[goal != ANY_ID], minlength=kinds)
    homes = np.full(kinds, -1, np.int32)
    for cell, number in enumerate(goal):
        if number != ANY_ID and counts[number] == 1:
            homes[number] = cell
    is_classic = bool(not grid.walls and min(grid.rows, grid.columns) >= 2 and (homes >= 0).all())
    wrong, weights = np.empty((0, 0), np.uint8), np.empty((0, 0), np.int32)
    if not is_classic and grid.size <= LARGEST_BEAM:
        is_other = goal[None, :] != np.arange(kinds)[:, None]
        wrong = (is_other & (goal != ANY_ID)).astype(np.uint8)
        distances = np.zeros((kinds, grid.size))
        for number in set(goal.tolist()) - {0, ANY_ID}:
            distances[number] = _steps_to(np.flatnonzero(goal == number), near)
        weights = np.round(SCALE * distances**_STEEPNESS).astype(np.int32)
    start = np.array(list(space.start), np.int16)
    return PuzzleArrays(
        grid.rows, grid.columns, start, near, homes, wrong, weights, is_classic=is_classic
    )


def _steps_to(cells: Iterable[int], near: Neighbours) -> NDArray[np.int32]:
    """Return how far each cell is from the nearest of some; walls are 0 away."""
    steps = np.full(len(near), -1, np.int32)
    waiting = deque(int(cell) for cell in cells)
    steps[list(waiting)] = 0
    while waiting:
        cell = waiting.popleft()
        for other in near[cell]:
            if other >= 0 and steps[other] < 0:
                steps[other] = steps[cell] + 1
                waiting.append(int(other))
    return np.maximum(steps, 0)


@kernel
def _follow(board: Tiles, moves: Moves, near: Neighbours) -> None:
    blank = 0
    while board[blank] != 0:
        blank += 1
    for direction in moves:
        cell = near[blank, direction]
        board[blank] = board[cell]
        board[cell] = 0
        blank = cell


def follow(start: Tiles, moves: Moves, near: Neighbours) -> Tiles:
    """Return the board that the blank's directions lead to."""
    board = start.copy()
    _follow(board, moves, near)
    return board


def without_returns(directions: Iterable[int]) -> list[int]:
    """Return directions of the blank without steps that the next takes back."""
    way: list[int] = []
    for direction in directions:
        if way and way[-1] + direction == 3:
            way.pop()
        else:
            way.append(direction)
    return way


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
    return int(np.flatnonzero(board == 0)[0])
