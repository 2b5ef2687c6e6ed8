"""Linear conflict: tiles in their home line, but in the wrong order, must step aside.

    2 3 1        all three are in their home row, and while they stay in it they keep their order:
    4 5 6        1 must leave the row to pass 2 and 3, and come back (or both of these must):
    7 8 _        2 more steps, Manhattan 4 + 2 = 6

In each line (row or column) the homes of the tiles that stay must increase, so all but the longest
increasing subsequence step aside, perpendicular to the line, which Manhattan distance does not
count (Hansson, Mayer and Yung, 1992). Only tiles with one home can be in conflict. A move across
lines changes the count of at most one line, by one, and only if the Manhattan distance changes in
the opposite direction, so the estimate changes by exactly one: consistent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import homes_in
from taquin.heuristics.manhattan import Manhattan
from taquin.model.space import Space, State, swap

_CACHE_SIZE = 1 << 14
"""The number of line contents whose counts are cached."""


@dataclass(frozen=True, slots=True)
class LinearConflict(Named):
    """Add two steps to Manhattan for each tile that must leave its line: admissible, consistent."""

    name = "linear-conflict"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`; a step recounts only the line it affects."""
        grid, single = space.puzzle.grid, homes_in(space).single
        tiles = Manhattan().bind(space)
        rows = [cell // grid.columns for cell in range(grid.size)]
        columns = [grid.rows + cell % grid.columns for cell in range(grid.size)]
        labels = range(len(space.labels))
        home_rows = [rows[single[tile]] if tile in single else -1 for tile in labels]
        home_columns = [columns[single[tile]] if tile in single else -1 for tile in labels]
        in_lines = lines_of(space)
        distance, distance_step = tiles.value, tiles.step

        def total(state: State) -> int:
            return distance(state) + 2 * sum([count(state[cells]) for cells, count in in_lines])

        def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
            value = distance_step(value, child, tile, origin, target)
            if rows[origin] == rows[target]:
                lines, home = columns, home_columns[tile]
            else:
                lines, home = rows, home_rows[tile]
            if home != lines[origin] and home != lines[target]:
                return value
            cells, count = in_lines[home]
            parent = swap(child, origin, target)
            return value + 2 * (count(child[cells]) - count(parent[cells]))

        return Estimate(total, step)


def lines_of(space: Space) -> list[tuple[slice, Callable[[State], int]]]:
    """Return every row, then every column: its cells, and the function that counts conflicts."""
    grid = space.puzzle.grid
    lines = [
        *(slice(row * grid.columns, (row + 1) * grid.columns) for row in range(grid.rows)),
        *(slice(column, None, grid.columns) for column in range(grid.columns)),
    ]
    at_home = {home: tile for tile, home in homes_in(space).single.items()}
    cells = [range(grid.size)[line] for line in lines]
    tiles = [[at_home[cell] for cell in line if cell in at_home] for line in cells]
    return list(zip(lines, map(_line_count, tiles), strict=True))


def steps_aside(ranks: Sequence[int]) -> int:
    """Return how many of `ranks` must be removed to leave an increasing sequence.

    >>> steps_aside([2, 1, 0]), steps_aside([2, 0, 1])
    (2, 1)
    """
    last: list[int] = []
    for rank in ranks:
        place = bisect_left(last, rank)
        last[place : place + 1] = [rank]
    return len(ranks) - len(last)


def _line_count(tiles: Sequence[int]) -> Callable[[State], int]:
    """Return the function that counts how many of these tiles must step aside in a line."""
    ranks = {tile: rank for rank, tile in enumerate(tiles)}

    @lru_cache(maxsize=_CACHE_SIZE)
    def count(line: State) -> int:
        return steps_aside([ranks[tile] for tile in line if tile in ranks])

    return count
