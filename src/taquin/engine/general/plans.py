"""What a walk needs of a puzzle: steps, tables and how a move changes the places in them.

A plan is made for a form, so it serves every board with the same tiles and the same goal. It makes
the estimates of a walk that begins at a board; `Walker` runs the walk.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from taquin.engine.general.filling import Table
from taquin.engine.general.form import GeneralForm, Tiles
from taquin.engine.general.steps import Steps
from taquin.engine.general.walks import Distances, Greatest, Rules, Sums
from taquin.system.arrays import Array, array, int8, int32, int64, matrix, uint8, zeros


class WalkPlan(ABC):
    """Estimates for walks: `DistancesPlan`, `SumsPlan` or `GreatestPlan`."""

    def __init__(self, form: GeneralForm, steps: Steps) -> None:
        self.form = form
        edge_bits = max(1, (len(steps.edges) - 1).bit_length())
        wanted, groups = array(form.wanted, int32), array(form.groups, int32)
        self.rules = Rules(steps, wanted, groups, edge_bits)

    @abstractmethod
    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""

    @abstractmethod
    def estimates(self, board: Tiles, depth: int, deepest: int) -> Distances | Sums | Greatest:
        """Return the estimates of a walk to `deepest` that begins at a board, at a depth."""

    def _by_move(self) -> list[list[int]]:
        """Return zeros for every tile, the free one included, and every edge."""
        return [[0] * (1 << self.rules.edge_bits) for _ in range(len(self.form.groups) + 1)]

    def _differences(self, spots: Sequence[int]) -> list[int]:
        """Return by how much a step along each edge changes what a tile adds by its cell."""
        edges = self.rules.steps.edges.items
        return [
            spots[blank] - spots[cell] for blank, cell in zip(edges[::2], edges[1::2], strict=True)
        ]

    def _values(self, board: Tiles, depth: int, deepest: int) -> Array[int32]:
        values = zeros(deepest, int32)
        values[depth] = self.estimate(board)
        return values


class DistancesPlan(WalkPlan):
    """A distance for each tile: `distances[tile][cell]`, 0 for the blank and free tiles."""

    def __init__(self, form: GeneralForm, steps: Steps, distances: Sequence[Sequence[int]]) -> None:
        super().__init__(form, steps)
        self._distances = distances
        change = self._by_move()
        for tile, distance in enumerate(distances):
            change[tile][: len(steps.edges)] = self._differences(distance)
        self._change = array(chain.from_iterable(change), int8)

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
        self._begins = list(accumulate((len(indexed.table) for indexed in tables), initial=1))
        self._table = zeros(self._begins[-1], uint8)
        for begin, indexed in zip(self._begins, tables, strict=False):
            self._table.items[begin : begin + len(indexed.table)] = indexed.table.items

    def _places(self, board: Tiles) -> list[int]:
        where = {tile: cell for cell, tile in enumerate(board)}
        return [
            begin + sum(spots[where[tile]] for tile, spots in indexed.spots.items())
            for begin, indexed in zip(self._begins, self._tables, strict=False)
        ]


class SumsPlan(_TablesPlan):
    """Tables that add up. A step of a tile may change its place in one of them only."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        which, change = self._by_move(), self._by_move()
        for number, indexed in enumerate(tables, 1):
            for tile, spots in indexed.spots.items():
                for edge, difference in enumerate(self._differences(spots)):
                    if difference:
                        which[tile][edge] = number
                        change[tile][edge] += difference
        self._which = array(chain.from_iterable(which), int32)
        self._change = array(chain.from_iterable(change), int32)

    def estimate(self, board: Tiles) -> int:
        """Return the sum of what the tables say."""
        return sum(self._table[place] for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Sums:
        """Return the estimates of a walk that begins at a board, and the places in the tables."""
        values, places = self._values(board, depth, deepest), [0, *self._places(board)]
        return Sums(values, array(places, int64), self._which, self._change, self._table)


class GreatestPlan(_TablesPlan):
    """Tables over some tiles and the blank, the greatest of which counts."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        changes = []
        for indexed in tables:
            by_move, of_blank = self._by_move(), self._differences(indexed.spots[0])
            for tile, change in enumerate(by_move):
                spots = indexed.spots.get(tile, [0] * form.size)
                differences = zip(self._differences(spots), of_blank, strict=True)
                # The blank moves against the tile.
                change[: len(of_blank)] = [tiles - blanks for tiles, blanks in differences]
            changes.append(list(chain.from_iterable(by_move)))
        self._change = matrix(changes, int32)

    def estimate(self, board: Tiles) -> int:
        """Return the greatest of what the tables say."""
        greatest: int = max(self._table[place] for place in self._places(board))
        return greatest

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Greatest:
        """Return the places in the tables of a walk that begins at a board."""
        blanks = zeros(deepest, int32)
        places = zeros((deepest, len(self._tables)), int64)
        sliding = zeros((deepest, len(self._tables)), int64)
        blanks[depth] = board.index(0)
        places[depth] = self._places(board)
        return Greatest(blanks, places, sliding, self._change, self._table)
