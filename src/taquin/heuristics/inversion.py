"""Inversion distance: up-and-down moves put rows right, left-and-right moves put columns right.

    4 2 3        read row by row, 4 2 3 5 1 has 6 pairs out of order: 4>2 4>3 4>1 2>1 3>1 5>1.
    5 1 _        A sideways move changes none of them. A move up or down takes a tile past the 2
                 that follow or precede it, so it changes them by at most 2: at least 3 such moves
                 are needed. Read column by column, the same holds the other way round (4 pairs,
                 4 moves), and no move counts for both, so the two add up: 7.

A move past k tiles changes the count by k, k-2, … -k. Where k is odd everywhere, the number of
moves has the parity of the count: with four columns, n inversions take n // 3 + n % 3 moves. Walls
make k smaller in places. The tiles of a repeated label are numbered in reading order, which gives
the fewest inversions that any way of telling them apart can give; labels with more tiles than goal
cells are left out. Either only lowers the count, but leaves its parity open. As no move changes the
count by more than k, the estimate is consistent. (Known from K. Takahashi's 15-puzzle solver.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from taquin.heuristics.base import FromScratch
from taquin.heuristics.homes import Homes, homes_in
from taquin.model.grid import Grid
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class InversionDistance:
    """Bound the moves in each direction by the inversions they can undo.

    Admissible and consistent on every puzzle.
    """

    name = "inversion-distance"
    counts_tile_steps = True

    def bind(self, space: Space) -> InversionEvaluator:
        """Return the evaluator for `space`."""
        grid = space.puzzle.grid
        by_rows = range(grid.size)
        by_columns = [
            cell for column in range(grid.columns) for cell in by_rows[column :: grid.columns]
        ]
        homes = homes_in(space)
        return InversionEvaluator(
            _Reading(by_rows, grid.columns, grid, homes),
            _Reading(by_columns, grid.rows, grid, homes),
        )


class _Reading:
    """One way to read a grid: the cells in `order`, in lines of `length`."""

    __slots__ = ("_first", "_following", "_order", "_parity", "_reach")

    def __init__(self, order: Sequence[int], length: int, grid: Grid, homes: Homes) -> None:
        self._order = tuple(order)
        place = {cell: number for number, cell in enumerate(order)}
        # The rank of a home is its place; a label's tiles take its homes one after the other.
        self._first = [-1] * homes.labels
        self._following = [-1] * grid.size
        for tile, cells in homes.wanted.items():
            if len(cells) == homes.tiles[tile]:
                ranks = sorted(place[cell] for cell in cells)
                self._first[tile] = ranks[0]
                for rank, following in pairwise(ranks):
                    self._following[rank] = following
        open_before = [0, *accumulate(cell not in grid.walls for cell in order)]
        passed = [
            open_before[here + length] - open_before[here + 1]
            for here in range(grid.size - length)
            if not grid.walls & {order[here], order[here + length]}
        ]
        self._reach = max(passed, default=0)
        self._parity = all(number % 2 for number in passed) and not (
            homes.tiles.keys() - homes.single.keys()
        )

    def moves(self, state: State) -> int:
        """Return the fewest moves across the lines that can undo the inversions of `state`."""
        upcoming = self._first.copy()
        following = self._following
        inversions = seen = 0
        for tile in map(state.__getitem__, self._order):
            rank = upcoming[tile]
            if rank >= 0:
                upcoming[tile] = following[rank]
                inversions += (seen >> rank).bit_count()
                seen |= 1 << rank
        if not self._reach:
            return 0
        moves = -(-inversions // self._reach)
        return moves + ((moves ^ inversions) & 1 if self._parity else 0)


class InversionEvaluator(FromScratch):
    """Add up the moves that each reading asks for."""

    __slots__ = ("_by_columns", "_by_rows")

    def __init__(self, by_rows: _Reading, by_columns: _Reading) -> None:
        self._by_rows = by_rows
        self._by_columns = by_columns

    def value(self, state: State) -> int:
        """Return the estimate for `state`."""
        return self._by_rows.moves(state) + self._by_columns.moves(state)
