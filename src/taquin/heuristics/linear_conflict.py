"""Linear conflict, and two additions to it: corner tiles and last moves.

    2 3 1        all three are in their home row, and while they stay in it they keep their order:
    4 5 6        1 must leave the row to pass 2 and 3, and come back (or both of these must):
    7 8 _        2 more steps, Manhattan 4 + 2 = 6

In each line (row or column) the homes of the tiles that stay must increase, so all but the longest
increasing subsequence step aside, perpendicular to the line, which Manhattan distance does not
count (Hansson, Mayer and Yung, 1992). Only tiles with one home can be in conflict. A move across
lines changes the count of at most one line, by one, and only if the Manhattan distance changes in
the opposite direction, so the estimate changes by exactly one: consistent.

The additions are by Korf and Taylor (1996). A linear conflict may already count the same steps, so
a tile in a line with a conflict adds nothing. Both add nothing on boards of fewer than three rows
or columns and on boards with walls. The two may count the same steps, so they are separate
heuristics: max(corner-tiles, last-moves) uses both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.per_tile import Manhattan, homes_in
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


@dataclass(frozen=True, slots=True)
class CornerTiles(Named):
    """Add two steps to linear-conflict for each tile next to a wrong corner: admissible.

        1 2 5        tile 2 is home, and tile 5 is in the corner of tile 3. To let 5 out and 3 in,
        4 3 6        2 must move out of the way and back: 2 more steps. (With the blank in the
        7 8 _        corner, 3 might come in from below.)

    Nothing is added for a tile in a line with a conflict, on boards of fewer than three rows or
    columns, and on boards with walls.
    """

    name = "corner-tiles"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        grid, goal = space.puzzle.grid, space.goal_ids
        single, has_conflict = homes_in(space).single, _conflicts(space)
        corners = [
            (corner, goal[corner], [cell for cell in beside if goal[cell] in single])
            for corner, beside in _corners(space).items()
            if goal[corner] in single
        ]

        def extra(state: State) -> int:
            movers = {
                cell
                for corner, wanted, beside in corners
                if state[corner] not in (wanted, 0)
                for cell in beside
                if state[cell] == goal[cell] and not has_conflict(state, *grid.place(cell))
            }
            return 2 * len(movers)

        return _more_than_conflicts(space, extra)


@dataclass(frozen=True, slots=True)
class LastMoves(Named):
    """Add two steps to linear-conflict if the last move is a detour: admissible.

        1 2 3        the last move brings 8 or 6 home from the blank's corner. Neither has a
        4 5 8        shortest path through that corner (8 is not in the last column, 6 not in the
        7 6 _        last row), so whichever comes last needs 2 more steps

    Nothing is added for a tile in a line with a conflict, on boards of fewer than three rows or
    columns, and on boards with walls.
    """

    name = "last-moves"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        grid, goal = space.puzzle.grid, space.goal_ids
        single, has_conflict, is_goal = homes_in(space).single, _conflicts(space), space.goal_test()
        corner = goal.index(0) if 0 in goal else -1
        beside = _corners(space).get(corner, [])
        if not beside or any(goal[cell] not in single for cell in beside):
            return LinearConflict().bind(space)
        corner_row, corner_column = grid.place(corner)

        def is_detour(state: State, home: int) -> bool:
            """Return whether the path of a tile through the corner is longer than its estimate."""
            row, column = grid.place(state.index(goal[home]))
            home_row, home_column = grid.place(home)
            if home_row == corner_row:
                return column != corner_column and not (
                    column == home_column and has_conflict(state, None, home_column)
                )
            return row != corner_row and not (
                row == home_row and has_conflict(state, home_row, None)
            )

        def extra(state: State) -> int:
            return 2 * (not is_goal(state) and all(is_detour(state, home) for home in beside))

        return _more_than_conflicts(space, extra)


def _corners(space: Space) -> dict[int, list[int]]:
    """Return the corners with their two adjacent cells; none if the rules do not apply."""
    grid = space.puzzle.grid
    rows, columns = grid.rows, grid.columns
    if grid.walls or min(rows, columns) < 3:
        return {}
    return {
        row * columns + column: [
            row * columns + (1 if column == 0 else columns - 2),
            (1 if row == 0 else rows - 2) * columns + column,
        ]
        for row in (0, rows - 1)
        for column in (0, columns - 1)
    }


def _conflicts(space: Space) -> Callable[[State, int | None, int | None], bool]:
    """Return the function that tests whether a row or a column has a linear conflict."""
    rows, lines = space.puzzle.grid.rows, lines_of(space)

    def has_conflict(state: State, row: int | None, column: int | None) -> bool:
        numbers = (row, None if column is None else rows + column)
        chosen = (lines[number] for number in numbers if number is not None)
        return any(count(state[cells]) for cells, count in chosen)

    return has_conflict


def _more_than_conflicts(space: Space, extra: Callable[[State], int]) -> Estimate:
    value = LinearConflict().bind(space).value
    return Estimate(lambda state: value(state) + extra(state), consistent=False)
