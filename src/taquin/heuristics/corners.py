"""Corner tiles and last moves: two additions to linear conflict, by Korf and Taylor (1996).

    1 2 5        corner tiles: tile 2 is home, and tile 5 is in the corner of tile 3. To let 5 out
    4 3 6        and 3 in, 2 must move out of the way and back: 2 more steps. (With the blank in
    7 8 _        the corner, 3 might come in from below.)

    1 2 3        last moves: the last move brings 8 or 6 home from the blank's corner. Neither has a
    4 5 8        shortest path through that corner (8 is not in the last column, 6 not in the last
    7 6 _        row), so whichever comes last needs 2 more steps

A linear conflict may already count the same steps, so a tile in a line with a conflict adds
nothing. Both add nothing on boards of fewer than three rows or columns and on boards with walls.
The two may count the same steps, so they are separate heuristics: max(corner-tiles, last-moves)
uses both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import homes_in
from taquin.heuristics.linear_conflict import LinearConflict, lines_of
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class CornerTiles(Named):
    """Add two steps to linear-conflict for each tile next to a wrong corner: admissible."""

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
    """Add two steps to linear-conflict if the last move is a detour: admissible."""

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
