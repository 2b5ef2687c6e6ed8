"""Walking distance: solve the puzzle of rows, solve the puzzle of columns, add the two.

    4 2 3      to the puzzle of rows a tile is only the row it lies in and the row it belongs to;
    5 1 _      1 must go up and 4 must come down

Sideways moves do not change the puzzle of rows, nor moves up and down that of columns, so the two
costs add up (K. Takahashi). Each is the exact cost of a puzzle with fewer rules: admissible and
consistent. The costs are found once, backwards from the goal (`taquin.heuristics.line_puzzle`),
and kept for the life of the process.

A tile's class is the line it belongs to. A repeated label at home in several lines, or with tiles
to spare, is a class of its own, and the labels that no goal cell asks for are one more. Walls make
lines shorter or shut the way between two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import getitem

from taquin.errors import UnsuitableError
from taquin.heuristics.base import FromScratch
from taquin.heuristics.homes import Homes, homes_in
from taquin.heuristics.line_puzzle import MAX_POSITIONS, LinePuzzle, costs
from taquin.model.grid import Grid
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class WalkingDistance:
    """Add up the exact costs of the puzzle of rows and the puzzle of columns.

    Admissible and consistent on every puzzle. Raise UnsuitableError where a table would have
    more than `MAX_POSITIONS` entries: of the full goals, 4×4 and 3×5 are the largest that fit.
    """

    name = "walking-distance"
    counts_tile_steps = True

    def bind(self, space: Space) -> WalkingEvaluator:
        """Return the evaluator for `space`, after making the tables it needs."""
        grid = space.puzzle.grid
        homes = homes_in(space)
        blank = space.goal_ids.index(0) if 0 in space.goal_ids else None
        return WalkingEvaluator(
            _Axis([cell // grid.columns for cell in range(grid.size)], grid, homes, blank),
            _Axis([cell % grid.columns for cell in range(grid.size)], grid, homes, blank),
            grid.size,
            homes.labels,
        )


class _Axis:
    """One of the two puzzles of lines: `lines` gives the line of each cell."""

    __slots__ = ("_kinds", "_lines", "costs", "puzzle")

    def __init__(self, lines: Sequence[int], grid: Grid, homes: Homes, blank: int | None) -> None:
        self._lines = lines
        wanted = homes.wanted
        classes = {
            tile: _class_of(tile, count, [lines[cell] for cell in wanted.get(tile, ())])
            for tile, count in homes.tiles.items()
        }
        numbers = {name: number for number, name in enumerate(sorted(set(classes.values())))}
        self._kinds = {tile: numbers[name] for tile, name in classes.items()}
        placed = [[0] * len(numbers) for _ in range(max(lines) + 1)]
        spare = [0] * len(numbers)
        for tile, kind in self._kinds.items():
            cells = wanted.get(tile, ())
            spare[kind] += homes.tiles[tile] - len(cells)
            for cell in cells:
                placed[lines[cell]][kind] += 1
        sizes = Counter(lines[cell] for cell in grid.open_cells)
        ways = {
            lines[cell]
            for cell in grid.open_cells
            for other in grid.neighbours(cell)
            if lines[other] > lines[cell]
        }
        self.puzzle = LinePuzzle(
            sizes=tuple(sizes[line] for line in range(len(placed))),
            ways=tuple(line in ways for line in range(len(placed) - 1)),
            wanted=tuple(map(tuple, placed)),
            spare=tuple(spare),
            blank=None if blank is None else lines[blank],
        )
        found = costs(self.puzzle)
        if found is None:
            raise UnsuitableError(
                f"walking distance needs a table of more than {MAX_POSITIONS:,} positions on "
                f"{grid}; use linear-conflict there, or a smaller grid"
            )
        self.costs = found

    def term(self, tile: int, cell: int) -> int:
        """Return what `tile` on `cell` adds to a position; 0 for the blank and walls."""
        if tile not in self._kinds:
            return 0
        return 1 << self.puzzle.shift(self._lines[cell], self._kinds[tile])


def _class_of(tile: int, count: int, home_lines: Sequence[int]) -> tuple[int, int]:
    """Return the name of the class of a label with `count` tiles and the given home lines."""
    if not home_lines:
        return (2, 0)
    if len(home_lines) == count and len(set(home_lines)) == 1:
        return (0, home_lines[0])
    return (1, tile)


class WalkingEvaluator(FromScratch):
    """Look a state up in both tables; a position of neither can never be solved and counts 0."""

    __slots__ = ("_columns", "_entries", "_mask", "_rows", "_shift")

    def __init__(self, rows: _Axis, columns: _Axis, cells: int, labels: int) -> None:
        self._rows = rows.costs
        self._columns = columns.costs
        # Both positions are packed into one number, so that one pass over the cells finds both.
        self._shift = columns.puzzle.width
        self._mask = (1 << self._shift) - 1
        self._entries = tuple(
            tuple(
                rows.term(tile, cell) << self._shift | columns.term(tile, cell)
                for tile in range(labels)
            )
            for cell in range(cells)
        )

    def value(self, state: State) -> int:
        """Return the estimate for `state`."""
        both = sum(map(getitem, self._entries, state))
        return self._rows.get(both >> self._shift, 0) + self._columns.get(both & self._mask, 0)
