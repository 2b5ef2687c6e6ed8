"""Inversion distance: vertical moves reorder the rows, horizontal moves the columns.

    4 2 3        read row by row, 4 2 3 5 1 has 6 pairs out of order: 4>2 4>3 4>1 2>1 3>1 5>1.
    5 1 _        A horizontal move changes none of them. A vertical move takes a tile past the 2
                 tiles between its old and its new place, so it changes them by at most 2: at least
                 3 such moves are needed. Column by column, the same holds for horizontal moves (4
                 pairs, 4 moves). No move counts for both, so the two add up: 7.

A move past k tiles changes the count by k, k-2, … -k. If k is odd everywhere, the number of moves
has the parity of the count: with four columns, n inversions need n // 3 + n % 3 moves. Walls make k
smaller locally. The tiles of a repeated label are numbered in reading order, which minimises the
inversions; labels with more tiles than goal cells are ignored. Both only lower the count, but make
its parity unknown. No move changes the count by more than k, so the estimate is consistent. (From
K. Takahashi's 15-puzzle solver.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import Homes, homes_in
from taquin.model.grid import Grid
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class InversionDistance(Named):
    """Bound the moves by the inversions to undo: admissible and consistent on every puzzle."""

    name = "inversion-distance"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        grid, homes = space.puzzle.grid, homes_in(space)
        cells = range(grid.size)
        by_columns = sorted(cells, key=lambda cell: (cell % grid.columns, cell))
        vertical = _moves_across(cells, grid.columns, grid, homes)
        horizontal = _moves_across(by_columns, grid.rows, grid, homes)
        return Estimate(lambda state: vertical(state) + horizontal(state))


def _moves_across(
    order: Sequence[int], length: int, grid: Grid, homes: Homes
) -> Callable[[State], int]:
    """Return a function from states to the minimum number of moves across lines.

    The cells are read in `order`, in lines of `length`.
    """
    place = {cell: number for number, cell in enumerate(order)}
    # The rank of a tile is the place of its home; the tiles of a label take its homes in order.
    first = [-1] * homes.labels
    following = [-1] * grid.size
    for tile, cells in homes.wanted.items():
        if len(cells) == homes.tiles[tile]:
            ranks = sorted(place[cell] for cell in cells)
            first[tile] = ranks[0]
            for rank, later in pairwise(ranks):
                following[rank] = later
    open_before = [0, *accumulate(cell not in grid.walls for cell in order)]
    # The number of tiles that a move across lines passes, for each pair of cells.
    passed = [
        open_before[here + length] - open_before[here + 1]
        for here in range(grid.size - length)
        if not grid.walls & {order[here], order[here + length]}
    ]
    most = max(passed, default=0)
    if not most:
        return lambda state: 0
    has_parity = all(number % 2 for number in passed) and homes.tiles.keys() == homes.single.keys()

    def moves(state: State) -> int:
        upcoming = first.copy()
        inversions = seen = 0
        for tile in map(state.__getitem__, order):
            rank = upcoming[tile]
            if rank >= 0:
                upcoming[tile] = following[rank]
                inversions += (seen >> rank).bit_count()
                seen |= 1 << rank
        fewest = -(-inversions // most)
        return fewest + ((fewest ^ inversions) & 1 if has_parity else 0)

    return moves
