"""Estimates that add up one table entry per tile: the fastest kind to step.

    value  =  sum over cells of  entry[id on the cell][cell]
    step   =  value + move[id][target] - move[id][origin]      one look-up difference, no branch

A move takes a tile from `origin` to `target` and the blank the other way, so `move` is the tile's
entry less the blank's: an estimate that counts the blank too steps at the same price.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import getitem

from taquin.heuristics.assignment import cells_key
from taquin.heuristics.base import Evaluator
from taquin.model.space import State


class PerTile:
    """Add up `entries[id][cell]` over the cells of a state; the blank is id 0."""

    __slots__ = ("_entries", "_moves", "admissible", "consistent")

    def __init__(self, entries: Sequence[Sequence[int]], sound: bool) -> None:
        self._entries: tuple[tuple[int, ...], ...] = tuple(zip(*entries, strict=True))
        self._moves = tuple(
            tuple(entry - blank for entry, blank in zip(row, entries[0], strict=True))
            for row in entries
        )
        self.admissible = sound
        self.consistent = sound

    def value(self, state: State) -> int:
        """Return the sum of the entries."""
        return sum(map(getitem, self._entries, state))

    def step(self, value: int, child: State, tile: int, origin: int, target: int) -> int:
        """Return `value` with the entries of the two cells exchanged."""
        moves = self._moves[tile]
        return value + moves[target] - moves[origin]


class WithAssignments:
    """Add to `tiles` the cost of each repeated label, looked up by the cells that hold it."""

    __slots__ = ("_costs", "_tiles", "admissible", "consistent")

    def __init__(self, tiles: Evaluator, costs: dict[int, Callable[[int], int]]) -> None:
        self._tiles = tiles
        self._costs = costs
        self.admissible = tiles.admissible
        self.consistent = tiles.consistent

    def value(self, state: State) -> int:
        """Return the estimate for `state`."""
        repeated = sum(cost(cells_key(state, tile)) for tile, cost in self._costs.items())
        return self._tiles.value(state) + repeated

    def step(self, value: int, child: State, tile: int, origin: int, target: int) -> int:
        """Return `value` with the cost of the moved label brought up to date."""
        value = self._tiles.step(value, child, tile, origin, target)
        cost = self._costs.get(tile)
        if cost is None:
            return value
        key = cells_key(child, tile)
        parent_key = key ^ 1 << 8 * origin ^ 1 << 8 * target
        return value + cost(key) - cost(parent_key)
