"""What a walk needs of a puzzle: steps, tables and how a move changes the places in them.

A plan is made for a form, so it serves every board with the same tiles and the same goal. It makes
the estimates of a walk that begins at a board; `Walker` runs the walk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.filling import Table
from taquin.engine.general.form import GeneralForm, Tiles
from taquin.engine.general.steps import Steps
from taquin.engine.general.walks import Distances, Greatest, Rules, Sums


class WalkPlan(ABC):
    """Estimates for walks: `DistancesPlan`, `SumsPlan` or `GreatestPlan`."""

    def __init__(self, form: GeneralForm, steps: Steps) -> None:
        self.form = form
        edge_bits = max(1, (len(steps.edges) - 1).bit_length())
        wanted, groups = np.array(form.wanted, np.int32), np.array(form.groups, np.int32)
        self.rules = Rules(steps, wanted, groups, edge_bits)

    @abstractmethod
    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""

    @abstractmethod
    def estimates(self, board: Tiles, depth: int, deepest: int) -> Distances | Sums | Greatest:
        """Return the estimates of a walk to `deepest` that begins at a board, at a depth."""

    def _by_move(self) -> NDArray[np.int32]:
        """Return zeros for every tile, the free one included, and every edge."""
        return np.zeros((len(self.form.groups) + 1, 1 << self.rules.edge_bits), np.int32)

    def _differences(self, spots: Sequence[int]) -> NDArray[np.int64]:
        """Return by how much a step along each edge changes what a tile adds by its cell."""
        blanks, cells = self.rules.steps.edges.T
        by_cell = np.array(spots, np.int64)
        differences: NDArray[np.int64] = by_cell[blanks] - by_cell[cells]
        return differences

    def _values(self, board: Tiles, depth: int, deepest: int) -> NDArray[np.int32]:
        values = np.zeros(deepest, np.int32)
        values[depth] = self.estimate(board)
        return values


class DistancesPlan(WalkPlan):
    """A distance for each tile: `distances[tile][cell]`, 0 for the blank and free tiles."""

    def __init__(self, form: GeneralForm, steps: Steps, distances: Sequence[Sequence[int]]) -> None:
        super().__init__(form, steps)
        self._distances = distances
        change = self._by_move().astype(np.int8)
        for tile, distance in enumerate(distances):
            change[tile, : len(steps.edges)] = self._differences(distance)
        self._change = change.reshape(-1)

    def estimate(self, board: Tiles) -> int:
        """Return the sum of the tiles' distances."""
        return sum(self._distances[tile][cell] for cell, tile in enumerate(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Distances:
        """Return the estimates of a walk that begins at a board."""
        return Distances(self._values(board, depth, deepest), self._change)


@dataclass(frozen=True, slots=True)
class IndexedTable:
    """A table, and what each of its tiles adds to the place in it; 0 is the blank."""

    table: Table
    """The values."""
    spots: Mapping[int, Sequence[int]]
    """For each tile, what it adds by its cell."""


class _TablesPlan(WalkPlan):
    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps)
        self._tables = tables
        # The first entry is the table of nothing, where tiles stay that no table knows.
        parts = [np.zeros(1, np.uint8), *(indexed.table for indexed in tables)]
        self._begins, self._table = np.cumsum([len(part) for part in parts]), np.concatenate(parts)

    def _places(self, board: Tiles) -> list[int]:
        where = {tile: cell for cell, tile in enumerate(board)}
        return [
            int(begin) + sum(spots[where[tile]] for tile, spots in indexed.spots.items())
            for begin, indexed in zip(self._begins, self._tables, strict=False)
        ]


class SumsPlan(_TablesPlan):
    """Tables that add up. A step of a tile may change its place in one of them only."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        which, change, edges = self._by_move(), self._by_move(), len(steps.edges)
        for number, indexed in enumerate(tables, 1):
            for tile, spots in indexed.spots.items():
                differences = self._differences(spots)
                which[tile, :edges][differences != 0] = number
                change[tile, :edges] += differences
        self._which, self._change = which.reshape(-1), change.reshape(-1)

    def estimate(self, board: Tiles) -> int:
        """Return the sum of what the tables say."""
        return sum(int(self._table[place]) for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Sums:
        """Return the estimates of a walk that begins at a board, and the places in the tables."""
        values, places = self._values(board, depth, deepest), [0, *self._places(board)]
        return Sums(values, np.array(places, np.int64), self._which, self._change, self._table)


class GreatestPlan(_TablesPlan):
    """Tables over some tiles and the blank, the greatest of which counts."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        change = np.stack([self._by_move()] * len(tables))
        for indexed, by_move in zip(tables, change[:, :, : len(steps.edges)], strict=True):
            # The blank moves against the tile.
            by_move[:] = -self._differences(indexed.spots[0])
            for tile, spots in indexed.spots.items():
                by_move[tile] += self._differences(spots)
        self._change = change.reshape(len(tables), -1)

    def estimate(self, board: Tiles) -> int:
        """Return the greatest of what the tables say."""
        return max(int(self._table[place]) for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Greatest:
        """Return the places in the tables of a walk that begins at a board."""
        blanks = np.zeros(deepest, np.int32)
        places, sliding = np.zeros((2, deepest, len(self._tables)), np.int64)
        blanks[depth] = board.index(0)
        places[depth] = self._places(board)
        return Greatest(blanks, places, sliding, self._change, self._table)
