"""Walks of the blank as solutions of a task: the best one, and one without a search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from threading import Lock
from typing import TYPE_CHECKING

from taquin.engine.anytime.construction import (
    LARGEST_IN_PYTHON,
    construct_in_python,
    is_constructible,
)
from taquin.model.board import Board
from taquin.model.moves import BLANK, Direction, Metric, Move
from taquin.model.space import Space
from taquin.search.events import Node
from taquin.search.result import Task
from taquin.tables.shape import moves_along

if TYPE_CHECKING:
    from taquin.engine.anytime.arrays import Moves


@dataclass(slots=True)
class BestSolution:
    """The best solution that any thread has found."""

    by_slides: bool = False
    """Whether moves in the same direction, one after the other, count once."""
    moves: Moves | None = None
    """The directions of the blank; None before the first."""
    _lock: Lock = field(default_factory=Lock)

    def offer(self, moves: Moves) -> None:
        """Keep a solution if it costs less than all before."""
        with self._lock:
            if self.moves is None or self.cost(moves) < self.cost(self.moves):
                self.moves = moves

    def cost(self, moves: Moves) -> int:
        """Return what a solution costs."""
        if not self.by_slides or not len(moves):
            return len(moves)
        return sum(one != two for one, two in pairwise(moves)) + 1


def constructed(task: Task) -> tuple[Move, ...] | None:
    """Return a solution of a solvable board without compiled code; None where there is none.

    Classic boards of up to 1,024 cells have one, unless it is longer than the limit on depth.
    """
    space = Space(task.puzzle, task.start)
    if task.puzzle.grid.size > LARGEST_IN_PYTHON or not is_constructible(space):
        return None
    moves = moves_of(task, construct_in_python(space))
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
    columns = task.puzzle.grid.columns
    steps: Iterable[int] = ((-columns, -1, 1, columns)[direction] for direction in directions)
    if task.puzzle.metric is Metric.MULTI:
        steps = (sum(line) for _, line in groupby(steps))
    return moves_along(task.start, tuple(accumulate(steps, initial=task.start.blank)))
