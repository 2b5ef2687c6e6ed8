"""What each walk needs of a puzzle: ways, tables and how a step changes the places in them.

A plan makes the stacks of a walk that begins at a board: `Walker` drives one. What a plan was made
of is a form, so it serves every board with the same tiles and the same goal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general import walks
from taquin.engine.general.filling import Table
from taquin.engine.general.form import Form, Tiles, Ways

Arrays: TypeAlias = tuple[NDArray[Any], ...]
"""The arrays of a walk, or those that it needs of a puzzle, in the order of its kernel."""


class Plan(Protocol):
    """A walk and all that it needs of a puzzle."""

    form: Form
    """The puzzle."""
    ways: Ways
    """The steps."""
    arguments: Arrays
    """What the kernel is given besides the stacks."""
    kernel: Callable[..., None]
    """The walk."""

    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""

    def stacks(self, board: Tiles, depth: int, deepest: int) -> Arrays:
        """Return the stacks of a walk that begins at a board, at a depth."""


def edge_bits(ways: Ways) -> int:
    """Return the bits of an edge's number."""
    return max(1, (len(ways.edges) - 1).bit_length())


def _common(form: Form, ways: Ways) -> tuple[NDArray[np.int32], ...]:
    parts = (ways.steps, ways.follow, form.wanted, form.groups)
    return tuple(np.array(part, np.int32) for part in parts)


def _by_move(form: Form, ways: Ways) -> NDArray[np.int32]:
    """Return zeros for every tile, the free one included, and every edge."""
    return np.zeros((len(form.groups) + 1, 1 << edge_bits(ways)), np.int32)


def _differences(ways: Ways, spots: Sequence[int]) -> NDArray[np.int64]:
    """Return by how much a step along each edge, of a tile against the blank, changes `spots`."""
    blanks, cells = np.array(ways.edges, np.int64).reshape(-1, 2).T
    by_cell = np.array(spots, np.int64)
    return by_cell[blanks] - by_cell[cells]


class PlainPlan:
    """A distance for each tile: `distances[tile][cell]`, 0 for the blank and free tiles."""

    kernel = staticmethod(walks.plain)

    def __init__(self, form: Form, ways: Ways, distances: Sequence[Sequence[int]]) -> None:
        self.form, self.ways, self._distances = form, ways, distances
        change = _by_move(form, ways).astype(np.int8)
        for tile, distance in enumerate(distances):
            change[tile, : len(ways.edges)] = _differences(ways, distance)
        self.arguments: Arrays = (*_common(form, ways), change.reshape(-1))

    def estimate(self, board: Tiles) -> int:
        """Return the sum of the tiles' distances."""
        return sum(self._distances[tile][cell] for cell, tile in enumerate(board))

    def stacks(self, board: Tiles, depth: int, deepest: int) -> Arrays:
        """Return the board and what is kept of each depth."""
        path, turns, values = np.zeros((3, deepest), np.int32)
        values[depth] = self.estimate(board)
        return np.array(board, np.uint16), path, turns, values


@dataclass(frozen=True, slots=True)
class Slot:
    """A table, and what each of its tiles adds to the place in it."""

    table: Table
    """The values."""
    spots: dict[int, Sequence[int]]
    """For each tile, what it adds by its cell."""


class SumsPlan:
    """Tables that add up. A step of a tile may change its place in one of them only."""

    kernel = staticmethod(walks.sums)

    def __init__(self, form: Form, ways: Ways, slots: Sequence[Slot]) -> None:
        self.form, self.ways, self._slots = form, ways, slots
        which, change, edges = _by_move(form, ways), _by_move(form, ways), len(ways.edges)
        # The first entry is the table of nothing, where tiles stay that no table knows.
        self._begins = [1]
        for number, slot in enumerate(slots, 1):
            self._begins.append(self._begins[-1] + len(slot.table))
            for tile, spots in slot.spots.items():
                differences = _differences(ways, spots)
                which[tile, :edges][differences != 0] = number
                change[tile, :edges] += differences
        self._table = np.concatenate([np.zeros(1, np.uint8), *(slot.table for slot in slots)])
        moves = (which.reshape(-1), change.reshape(-1))
        self.arguments: Arrays = (*_common(form, ways), *moves, self._table)

    def _places(self, board: Tiles) -> list[int]:
        places = list(self._begins[:-1])
        where = {tile: cell for cell, tile in enumerate(board)}
        for number, slot in enumerate(self._slots):
            places[number] += sum(spots[where[tile]] for tile, spots in slot.spots.items())
        return places

    def estimate(self, board: Tiles) -> int:
        """Return the sum of what the tables say."""
        return sum(int(self._table[place]) for place in self._places(board))

    def stacks(self, board: Tiles, depth: int, deepest: int) -> Arrays:
        """Return the board, what is kept of each depth, and the places in the tables."""
        path, turns, values = np.zeros((3, deepest), np.int32)
        values[depth] = self.estimate(board)
        places = np.array([0, *self._places(board)], np.int64)
        return np.array(board, np.uint16), path, turns, values, places


class GreatestPlan:
    """Tables with the blank's cell as their last digit, the greatest of which counts."""

    kernel = staticmethod(walks.greatest)

    def __init__(
        self, form: Form, ways: Ways, tables: Sequence[tuple[tuple[int, ...], Table]]
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
        self.arguments: Arrays = (
            *_common(form, ways),
            change.reshape(len(tables), -1),
            self._table,
        )

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

    def stacks(self, board: Tiles, depth: int, deepest: int) -> Arrays:
        """Return the board, what is kept of each depth, and the places in the tables."""
        path, turns, holes = np.zeros((3, deepest), np.int32)
        places, sliding = np.zeros((2, deepest, len(self._tiles)), np.int64)
        holes[depth] = board.index(0)
        places[depth] = self._places(board)
        return np.array(board, np.uint16), path, turns, holes, places, sliding
