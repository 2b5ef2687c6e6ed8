"""What a walk needs of a puzzle: steps, tables and how a move changes the places in them.

A plan makes the estimate of a walk that begins at a board: `Walker` drives one. What a plan was
made of is a form, so it serves every board with the same tiles and the same goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.filling import Table
from taquin.engine.general.form import GeneralForm, Tiles, Ways
from taquin.engine.general.steps import steps_of
from taquin.engine.general.walks import Distances, Greatest, Rules, Sums


class WalkPlan(Protocol):
    """A walk and all that it needs of a puzzle."""

    form: GeneralForm
    """The puzzle."""
    ways: Ways
    """The steps."""
    rules: Rules
    """The same as records."""

    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Distances | Sums | Greatest:
        """Return the estimates of a walk to `deepest` that begins at a board, at a depth."""


def edge_bits(ways: Ways) -> int:
    """Return the bits of an edge's number."""
    return max(1, (len(ways.edges) - 1).bit_length())


def _rules(form: GeneralForm, ways: Ways) -> Rules:
    wanted, groups = np.array(form.wanted, np.int32), np.array(form.groups, np.int32)
    return Rules(steps_of(ways), wanted, groups, edge_bits(ways))


def _by_move(form: GeneralForm, ways: Ways) -> NDArray[np.int32]:
    """Return zeros for every tile, the free one included, and every edge."""
    return np.zeros((len(form.groups) + 1, 1 << edge_bits(ways)), np.int32)


def _differences(ways: Ways, spots: Sequence[int]) -> NDArray[np.int64]:
    """Return by how much a step along each edge, of a tile against the blank, changes `spots`."""
    blanks, cells = np.array(ways.edges, np.int64).reshape(-1, 2).T
    by_cell = np.array(spots, np.int64)
    return by_cell[blanks] - by_cell[cells]


class DistancesPlan:
    """A distance for each tile: `distances[tile][cell]`, 0 for the blank and free tiles."""

    def __init__(self, form: GeneralForm, ways: Ways, distances: Sequence[Sequence[int]]) -> None:
        self.form, self.ways, self._distances = form, ways, distances
        change = _by_move(form, ways).astype(np.int8)
        for tile, distance in enumerate(distances):
            change[tile, : len(ways.edges)] = _differences(ways, distance)
        self.rules, self._change = _rules(form, ways), change.reshape(-1)

    def estimate(self, board: Tiles) -> int:
        """Return the sum of the tiles' distances."""
        return sum(self._distances[tile][cell] for cell, tile in enumerate(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Distances:
        """Return the estimates of a walk that begins at a board."""
        values = np.zeros(deepest, np.int32)
        values[depth] = self.estimate(board)
        return Distances(values, self._change)


@dataclass(frozen=True, slots=True)
class IndexedTable:
    """A table, and what each of its tiles adds to the place in it."""

    table: Table
    """The values."""
    spots: dict[int, Sequence[int]]
    """For each tile, what it adds by its cell."""


class SumsPlan:
    """Tables that add up. A step of a tile may change its place in one of them only."""

    def __init__(self, form: GeneralForm, ways: Ways, tables: Sequence[IndexedTable]) -> None:
        self.form, self.ways, self._tables = form, ways, tables
        which, change, edges = _by_move(form, ways), _by_move(form, ways), len(ways.edges)
        # The first entry is the table of nothing, where tiles stay that no table knows.
        self._begins = [1]
        for number, indexed in enumerate(tables, 1):
            self._begins.append(self._begins[-1] + len(indexed.table))
            for tile, spots in indexed.spots.items():
                differences = _differences(ways, spots)
                which[tile, :edges][differences != 0] = number
                change[tile, :edges] += differences
        self._table = np.concatenate(
            [np.zeros(1, np.uint8), *(indexed.table for indexed in tables)]
        )
        self.rules = _rules(form, ways)
        self._which, self._change = which.reshape(-1), change.reshape(-1)

    def _places(self, board: Tiles) -> list[int]:
        places = list(self._begins[:-1])
        where = {tile: cell for cell, tile in enumerate(board)}
        for number, indexed in enumerate(self._tables):
            places[number] += sum(spots[where[tile]] for tile, spots in indexed.spots.items())
        return places

    def estimate(self, board: Tiles) -> int:
        """Return the sum of what the tables say."""
        return sum(int(self._table[place]) for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Sums:
        """Return the estimates of a walk that begins at a board, and the places in the tables."""
        values = np.zeros(deepest, np.int32)
        values[depth] = self.estimate(board)
        places = np.array([0, *self._places(board)], np.int64)
        return Sums(values, places, self._which, self._change, self._table)


class GreatestPlan:
    """Tables with the blank's cell as their last digit, the greatest of which counts."""

    def __init__(
        self, form: GeneralForm, ways: Ways, tables: Sequence[tuple[tuple[int, ...], Table]]
    ) -> None:
        self.form, self.ways = form, ways
        change = np.stack([_by_move(form, ways)] * len(tables))
        self._tiles = [tiles for tiles, _ in tables]
        self._begins: list[int] = [0]
        blank = -_differences(ways, range(form.size))
        for (tiles, table), by_move in zip(tables, change, strict=True):
            self._begins.append(self._begins[-1] + len(table))
            by_move[:, : len(blank)] = blank
            for power, tile in enumerate(tiles, 1):
                by_move[tile, : len(blank)] -= blank * form.size**power
        self._table = np.concatenate([table for _, table in tables])
        self.rules, self._change = _rules(form, ways), change.reshape(len(tables), -1)

    def _places(self, board: Tiles) -> list[int]:
        where = {tile: cell for cell, tile in enumerate(board)}
        return [
            begin
            + where[0]
            + sum(where[tile] * self.form.size**power for power, tile in enumerate(tiles, 1))
            for begin, tiles in zip(self._begins, self._tiles, strict=False)
        ]

    def estimate(self, board: Tiles) -> int:
        """Return the greatest of what the tables say."""
        return max(int(self._table[place]) for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Greatest:
        """Return the places in the tables of a walk that begins at a board."""
        holes = np.zeros(deepest, np.int32)
        places, sliding = np.zeros((2, deepest, len(self._tiles)), np.int64)
        holes[depth] = board.index(0)
        places[depth] = self._places(board)
        return Greatest(holes, places, sliding, self._change, self._table)
