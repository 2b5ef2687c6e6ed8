"""No estimate at all: A* with it is uniform-cost search."""

from __future__ import annotations

from dataclasses import dataclass

from taquin.heuristics.base import FromScratch
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class Zero:
    """Estimate 0 everywhere: admissible and consistent, and of no help."""

    name = "zero"
    counts_tile_steps = False

    def bind(self, space: Space) -> ZeroEvaluator:
        """Return the evaluator, the same for every space."""
        return ZeroEvaluator()


class ZeroEvaluator(FromScratch):
    """Answer 0."""

    __slots__ = ()

    def value(self, state: State) -> int:
        """Return 0."""
        return 0

    def step(self, value: int, child: State, tile: int, origin: int, target: int) -> int:
        """Return 0."""
        return 0
