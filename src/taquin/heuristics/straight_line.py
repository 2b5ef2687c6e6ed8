"""Straight-line distances, common in exercises: the Euclidean and the Chebyshev distance.

    . . 1        the tile is 2 columns and 1 row from home:
    x . .        Manhattan 2 + 1 = 3     Euclidean √(4 + 1) = 2.236…     Chebyshev max(2, 1) = 2

A step changes either distance by at most one, so both are admissible and consistent, and at most
the Manhattan distance. The Euclidean sum is rounded up: costs are integers, so it stays admissible
and consistent. Only tiles with one home count, and walls are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, hypot
from operator import getitem

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import homes_in
from taquin.model.space import Space, State

_ROUNDING = 1e-9
"""More than the floating-point error of the sum, which must not be rounded up."""


@dataclass(frozen=True, slots=True)
class Euclidean(Named):
    """Add up the Euclidean distances from home, rounded up: admissible and consistent."""

    name = "euclidean"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, hypot)


@dataclass(frozen=True, slots=True)
class Chebyshev(Named):
    """Add up the Chebyshev distances from home: admissible and consistent."""

    name = "chebyshev"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, max)


def _distance(space: Space, length: Callable[[int, int], float]) -> Estimate:
    grid, single = space.puzzle.grid, homes_in(space).single
    by_cell = []
    for cell in range(grid.size):
        row, column = grid.place(cell)
        lengths = [0.0] * len(space.labels)
        for tile, home in single.items():
            home_row, home_column = grid.place(home)
            lengths[tile] = length(abs(row - home_row), abs(column - home_column))
        by_cell.append(lengths)

    def total(state: State) -> int:
        return ceil(sum(map(getitem, by_cell, state)) - _ROUNDING)

    return Estimate(total)
