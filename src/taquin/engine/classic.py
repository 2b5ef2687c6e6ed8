"""Classic puzzles as plain numbers: what the compiled searches and the complete tables take.

    B A        names become numbers by where the goal wants them:   2 1
    _ C        goal  A B / C _                                      0 3

Classic means: a full goal (every cell named, every tile different), no walls, at least two rows and
two columns, single-tile moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from taquin.model.board import Board
from taquin.model.moves import BLANK, Direction, Metric, Move
from taquin.model.puzzle import Puzzle

LARGEST = 25
"""Most cells a compiled search can take."""


@dataclass(frozen=True, slots=True)
class Classic:
    """A start and a goal as numbers, row by row, 0 the blank."""

    rows: int
    columns: int
    start: tuple[int, ...]
    goal: tuple[int, ...]


def classic_form(puzzle: Puzzle, start: Board) -> Classic | None:
    """Return `start` and its goal as numbers; None unless the puzzle is a classic one."""
    grid, goal = puzzle.grid, puzzle.goal
    if (
        puzzle.metric is not Metric.SINGLE
        or grid.walls
        or min(grid.rows, grid.columns) < 2
        or grid.size > LARGEST
        or not goal.is_full
    ):
        return None
    tiles = [label for label in goal.cells if label != BLANK]
    numbers = {BLANK: 0} | {label: number for number, label in enumerate(tiles, 1)}
    return Classic(
        grid.rows,
        grid.columns,
        tuple(numbers[label] for label in start.cells),
        tuple(numbers[label] for label in goal.cells),
    )


def moves_along(start: Board, blanks: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves that take the blank of `start` along the cells `blanks`, its own first."""
    cells, grid = list(start.cells), start.grid
    moves = []
    for blank, target in pairwise(blanks):
        (row, column), (to_row, to_column) = grid.place(blank), grid.place(target)
        # The tile goes where the blank was.
        direction = Direction((row - to_row, column - to_column))
        moves.append(Move((cells[target],), direction))
        cells[blank], cells[target] = cells[target], BLANK
    return tuple(moves)
