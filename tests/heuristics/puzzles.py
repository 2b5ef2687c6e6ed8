"""Small puzzles of every kind, for checks against exhaustive truth."""

from __future__ import annotations

import random
from dataclasses import dataclass

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic, evaluator_for
from taquin.heuristics.registry import HEURISTICS
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space
from tests.truth import Cells, arrangements, distances

READY_MADE: tuple[Heuristic, ...] = tuple(dict.fromkeys(HEURISTICS.values()))
"""Every heuristic of the registry once, so that a new one is covered without anyone's doing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A start and a goal on one grid."""

    rows: int
    columns: int
    start: Cells
    goal: Cells

    def space(self, metric: Metric = Metric.SINGLE, bumps: bool = False) -> Space:
        walls = frozenset(cell for cell, label in enumerate(self.goal) if label == "#")
        grid = Grid(self.rows, self.columns, walls)
        puzzle = Puzzle(Goal(grid, self.goal), metric)
        return Space(puzzle, Board(grid, self.start), bumps=bumps)

    def goals(self) -> list[Cells]:
        return arrangements(self.start, self.goal)

    def distances(self, metric: Metric = Metric.SINGLE) -> dict[Cells, int]:
        return distances(self.goals(), self.rows, self.columns, multi=metric is Metric.MULTI)


SHAPES = ((2, 2), (2, 3), (3, 2), (1, 5), (5, 1), (2, 4), (3, 3), (4, 2))


def sample(seed: int, most_open: int = 7) -> Sample:
    """Return a random puzzle with walls, repeated labels and ANY cells as chance has it."""
    chance = random.Random(seed)
    rows, columns = chance.choice(SHAPES)
    size = rows * columns
    number = max(chance.choice((0, 0, 1, 2)), size - most_open)
    walls = set(chance.sample(range(size), number))
    tiles = size - number - 1
    kinds = chance.choice((1, 2, 3, 4, tiles, tiles))
    labels: list[int | str] = [0]
    for tile in range(tiles):
        kind = tile if tile < kinds else chance.randrange(kinds)
        labels.append("." if kind == 3 else kind + 1)
    free = chance.choice((0.0, 0.0, 0.2, 0.5, 0.8))

    def laid_out(blanked: float) -> Cells:
        rest = chance.sample(labels, len(labels))
        cells: list[int | str] = []
        for cell in range(size):
            if cell in walls:
                cells.append("#")
            else:
                label = rest.pop()
                cells.append("*" if chance.random() < blanked else label)
        return tuple(cells)

    return Sample(rows, columns, laid_out(0.0), laid_out(free))


def full(goal: Goal) -> Sample:
    """Return the sample of a full goal that starts at it."""
    return Sample(goal.grid.rows, goal.grid.columns, goal.cells, goal.cells)


def evaluator(heuristic: Heuristic, space: Space) -> Evaluator | None:
    """Return the heuristic bound to `space`; None where it says that it cannot serve."""
    try:
        return evaluator_for(heuristic, space)
    except UnsuitableError:
        return None
