"""Importance sampling of boards of a classic puzzle, for statistics about a heuristic.

The number of nodes that a search expands depends on boards with low estimates, which are one in
many millions: a uniform sample misses them. So a board is drawn tile by tile, and each step farther
from the tile's goal cell makes a cell less likely by a factor, the *base*:

    base 1       all boards are equally likely
    base 0.47    boards close to the goal are likely; each is weighted by the inverse of its
                 likelihood, so that means are those over all solvable boards for every base
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial, sqrt
from random import Random

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import stream
from taquin.model.space import Space
from taquin.tables.shape import Cells, Normal, Shape, shape_of

FLAT = 1.0
"""The base of a uniform sample."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """The blank and the estimate of a random board."""

    blank: int
    """The blank's cell."""
    estimate: int
    weight: float
    """Its weight; the expected mean over all draws is 1."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Random boards with their estimates."""

    boards: tuple[Sampled, ...]
    """The solvable ones among those drawn."""
    drawn: int
    """The number of boards drawn, half of which are unsolvable."""

    def mean(self, value: Callable[[Sampled], float]) -> tuple[float, float]:
        """Estimate the mean of a value over all solvable boards, and its standard error."""
        values = [board.weight * value(board) for board in self.boards]
        mean = sum(values) / self.drawn
        square = sum(weighted * weighted for weighted in values) / self.drawn
        return mean, sqrt(max(0.0, square - mean * mean) / self.drawn)


def sample_estimates(
    heuristic: Heuristic, puzzle: Puzzle, count: int, seed: int = 1, base: float = FLAT
) -> Sample:
    """Return the estimates of a heuristic for `count` random solvable boards of a classic puzzle.

    Raise UnsuitableError for a puzzle that is not classic.
    """
    shape = shape_of(puzzle.goal)
    if shape is None:
        raise UnsuitableError(
            "a sample of boards needs a classic puzzle: 2×2 to 25 cells, no walls, every tile "
            "different, every cell of the goal named"
        )
    space = Space(puzzle, Board(puzzle.grid, puzzle.goal.cells))
    evaluate = evaluator_for(heuristic, space).value
    ids_by_name = dict(zip(shape.goal, space.goal_ids, strict=True))
    chance = stream("sample", seed, 1, puzzle.grid)
    half = factorial(shape.size) / 2
    boards: list[Sampled] = []
    for drawn, (board, likelihood) in enumerate(_draws(shape, chance, base), 1):
        if Normal(shape, board).solvable:
            state = space.pack([ids_by_name[name] for name in board])
            weight = 1 / (likelihood * half)
            boards.append(Sampled(board.index(0), evaluate(state), weight))
            if len(boards) == count:
                return Sample(tuple(boards), drawn)
    raise AssertionError("draws never end")


def _draws(shape: Shape, chance: Random, base: float) -> Iterator[tuple[Cells, float]]:
    """Yield random boards in normal form, each with its likelihood."""
    cells = range(shape.size)
    worth = [[base ** shape.distances[cell][name] for cell in cells] for name in cells]
    while True:
        blank = chance.randrange(shape.size)
        free = [cell for cell in cells if cell != blank]
        board = [0] * shape.size
        likelihood = 1 / shape.size
        for name in range(1, shape.size):
            weights = [worth[name][cell] for cell in free]
            (place,) = chance.choices(range(len(free)), weights)
            likelihood *= weights[place] / sum(weights)
            board[free.pop(place)] = name
        yield tuple(board), likelihood
