"""Walking distance and inversion distance: bounds on the moves across rows, and across columns.

Horizontal moves do not change in which row a tile is, nor vertical moves in which column. So the
moves that the rows need and those that the columns need are different moves, and add up. (Both are
from K. Takahashi's 15-puzzle solver.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import getitem, sub

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.per_tile import Homes, homes_in
from taquin.model.grid import Grid
from taquin.model.space import Space, State
from taquin.reasons import reason

MAX_POSITIONS = 400_000
"""The maximum number of positions of a table, which takes a few seconds to compute."""
_MAX_COUNTS = 100
"""The maximum number of counts in a position; a puzzle with more has too many positions."""
Counts = tuple[int, ...]
"""A number of tiles for each class."""


@dataclass(frozen=True, slots=True)
class WalkingDistance(Named):
    """Add up the exact costs of the puzzle of rows and the puzzle of columns.

        4 2 3      of each tile, keep only its line and its class: its home line
        5 1 _
                   row 1 holds   2 of row 1, 1 of row 2       a move takes any one tile of an
                   row 2 holds   1 of row 1, 1 of row 2       adjacent line into the blank's line

    Horizontal moves do not change the puzzle of rows, nor vertical moves that of columns, so the
    two costs add up. Each is the exact cost of a relaxed puzzle: admissible and consistent. The
    costs are computed once, backwards from the goal, and cached in the process.

    Raise UnsuitableError if a table would have more than `MAX_POSITIONS` entries: of the full
    goals, 4×4 and 3×5 are the largest that fit.
    """

    name = "walking-distance"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, after computing its tables."""
        grid, homes = space.puzzle.grid, homes_in(space)
        (rows, row_kinds), (columns, column_kinds) = line_puzzles(space)
        row_costs, column_costs = costs(rows), costs(columns)
        if row_costs is None or column_costs is None:
            raise UnsuitableError(reason("walking-large", most=MAX_POSITIONS, grid=str(grid)))
        # Both positions are packed into one number, so that one pass over the cells finds both.
        shift, mask = columns.width, (1 << columns.width) - 1
        entries = tuple(
            tuple(
                rows.term(row, row_kinds.get(tile)) << shift
                | columns.term(column, column_kinds.get(tile))
                for tile in range(homes.labels)
            )
            for row, column in (divmod(cell, grid.columns) for cell in range(grid.size))
        )
        # A position that is in no table is unsolvable and counts 0.
        row_cost, column_cost = row_costs.get, column_costs.get

        def total(state: State) -> int:
            both = sum(map(getitem, entries, state))
            return row_cost(both >> shift, 0) + column_cost(both & mask, 0)

        return Estimate(total)


def line_puzzles(space: Space) -> list[tuple[LinePuzzle, dict[int, int]]]:
    """Return the puzzle of rows and that of columns, each with the class of every id."""
    grid, homes = space.puzzle.grid, homes_in(space)
    blank = space.goal_ids.index(0) if 0 in space.goal_ids else None
    in_rows = [cell // grid.columns for cell in range(grid.size)]
    in_columns = [cell % grid.columns for cell in range(grid.size)]
    return [_puzzle_of(lines, grid, homes, blank) for lines in (in_rows, in_columns)]


def _puzzle_of(
    lines: Sequence[int], grid: Grid, homes: Homes, blank: int | None
) -> tuple[LinePuzzle, dict[int, int]]:
    """Return the puzzle for the line of each cell in `lines`, and the class of each id."""
    home_lines = {
        tile: [lines[cell] for cell in homes.wanted.get(tile, ())] for tile in homes.tiles
    }
    classes = {
        tile: _class_of(tile, count, home_lines[tile]) for tile, count in homes.tiles.items()
    }
    numbers = {name: number for number, name in enumerate(sorted(set(classes.values())))}
    kinds = {tile: numbers[name] for tile, name in classes.items()}
    placed = [[0] * len(numbers) for _ in range(max(lines) + 1)]
    spare = [0] * len(numbers)
    for tile, kind in kinds.items():
        spare[kind] += homes.tiles[tile] - len(home_lines[tile])
        for line in home_lines[tile]:
            placed[line][kind] += 1
    sizes = Counter(lines[cell] for cell in grid.open_cells)
    ways = {
        lines[cell]
        for cell in grid.open_cells
        for other in grid.neighbours(cell)
        if lines[other] > lines[cell]
    }
    puzzle = LinePuzzle(
        sizes=tuple(sizes[line] for line in range(len(placed))),
        ways=tuple(line in ways for line in range(len(placed) - 1)),
        wanted=tuple(map(tuple, placed)),
        spare=tuple(spare),
        blank=None if blank is None else lines[blank],
    )
    return puzzle, kinds


def _class_of(tile: int, count: int, home_lines: Sequence[int]) -> tuple[int, int]:
    """Return the name of the class of a label with `count` tiles and the given home lines."""
    if not home_lines:
        return (2, 0)
    if len(home_lines) == count and len(set(home_lines)) == 1:
        return (0, home_lines[0])
    return (1, tile)


@dataclass(frozen=True, slots=True)
class LinePuzzle:
    """A puzzle of rows, or of columns. Hashable, so that its table is computed once.

    A tile's class is its home line. A repeated label that has homes in several lines, or more tiles
    than homes, is a separate class; all labels that the goal does not name are one class. Walls
    shorten lines or separate them. A position is one number, with `bits` bits for each of

        line 0: class 0, class 1, …   line 1: class 0, …      the number of tiles of the class there

    so that each tile adds a term; the line that is one tile short contains the blank.
    """

    sizes: tuple[int, ...]
    """Open cells of each line."""
    ways: tuple[bool, ...]
    """For each line but the last, whether the blank can move between it and the next."""
    wanted: tuple[Counts, ...]
    """For each line, the number of tiles of each class in the goal."""
    spare: Counts
    """The number of tiles of each class that end on ANY cells of the goal."""
    blank: int | None
    """The line of the blank in the goal; None for any."""

    @property
    def bits(self) -> int:
        """The width of one count."""
        return max(self.sizes).bit_length()

    @property
    def width(self) -> int:
        """The width of a position in bits."""
        return self.bits * len(self.sizes) * len(self.spare)

    def shift(self, line: int, kind: int) -> int:
        """Return the offset in bits of the count of class `kind` in `line`."""
        return self.bits * (line * len(self.spare) + kind)

    def term(self, line: int, kind: int | None) -> int:
        """Return the term of a tile in `line`; 0 for no class: the blank, a wall."""
        return 0 if kind is None else 1 << self.shift(line, kind)

    def position(self, counts: Sequence[Counts]) -> int:
        """Return the position with the given counts in each line."""
        return sum(
            count << self.shift(line, kind)
            for line, in_line in enumerate(counts)
            for kind, count in enumerate(in_line)
        )

    def goals(self) -> Iterator[tuple[int, int]]:
        """Yield every solved position with the line of its blank."""
        free = [size - sum(counts) for size, counts in zip(self.sizes, self.wanted, strict=True)]
        fixed = self.position(self.wanted)
        for blank in range(len(free)) if self.blank is None else (self.blank,):
            if free[blank]:
                left = [cells - (line == blank) for line, cells in enumerate(free)]
                for filling in _fillings(left, self.spare):
                    yield fixed + self.position(filling), blank

    def moves(self, blank: int) -> list[tuple[int, int, int]]:
        """Return the moves of a blank in line `blank`, for each line beside it all classes.

        For each: the offset of the count of the tile's class, the change of the position, and the
        new line of the blank.
        """
        return [
            (self.shift(line, kind), self.term(blank, kind) - self.term(line, kind), line)
            for line in (blank - 1, blank + 1)
            if 0 <= line < len(self.sizes) and self.ways[min(line, blank)]
            for kind in range(len(self.spare))
        ]

    def is_small(self) -> bool:
        """Return whether there are at most `MAX_POSITIONS` positions, without listing them."""
        tiles = tuple(map(sum, zip(*self.wanted, self.spare, strict=True)))
        if len(self.sizes) * len(tiles) > _MAX_COUNTS:
            return False
        total = 0
        for blank in [line for line, size in enumerate(self.sizes) if size]:
            # The tiles that are left after the first lines, with the number of ways.
            beginnings = Counter({tiles: 1})
            for line, size in enumerate(self.sizes):
                free = size - (line == blank)
                number = 0
                for rest, ways in beginnings.items():
                    number += ways * _choice_count(rest, free)
                    # Every beginning can be completed, so there are no fewer positions.
                    if total + number > MAX_POSITIONS:
                        return False
                longer: Counter[Counts] = Counter()
                for rest, ways in beginnings.items():
                    for taken in _choices(rest, free):
                        longer[tuple(map(sub, rest, taken))] += ways
                beginnings = longer
            total += beginnings.total()
        return True


@lru_cache(maxsize=8)
def costs(puzzle: LinePuzzle) -> dict[int, int] | None:
    """Return the cost of every solvable position; None if there are too many."""
    if not puzzle.is_small():
        return None
    return {position: cost for position, (cost, _) in positions_of(puzzle).items()}


def positions_of(puzzle: LinePuzzle) -> dict[int, tuple[int, int]]:
    """Return the cost of every solvable position, and the line of its blank."""
    moves = [puzzle.moves(line) for line in range(len(puzzle.sizes))]
    mask = (1 << puzzle.bits) - 1
    frontier = dict(puzzle.goals())
    known = {position: (0, blank) for position, blank in frontier.items()}
    cost = 0
    while frontier:
        cost += 1
        reached = {}
        for position, blank in frontier.items():
            for shift, change, line in moves[blank]:
                if position >> shift & mask:
                    other = position + change
                    if other not in known:
                        known[other] = cost, line
                        reached[other] = line
        frontier = reached
    return known


def _choices(tiles: Counts, free: int) -> list[Counts]:
    choices: list[tuple[Counts, int]] = [((), free)]
    later = sum(tiles)
    for count in tiles:
        later -= count
        choices = [
            ((*taken, number), left - number)
            for taken, left in choices
            for number in range(max(0, left - later), min(count, left) + 1)
        ]
    return [taken for taken, left in choices if not left]


def _choice_count(tiles: Counts, free: int) -> int:
    """Return the number of `_choices`, without listing them."""
    ways = [1] + [0] * free
    for count in tiles:
        ways = [sum(ways[max(0, taken - count) : taken + 1]) for taken in range(free + 1)]
    return ways[free]


def _fillings(free: Sequence[int], tiles: Counts) -> Iterator[tuple[Counts, ...]]:
    """Yield every way to fill lines of `free` cells completely with `tiles`."""
    if not free:
        yield ()
        return
    for taken in _choices(tiles, free[0]):
        for filling in _fillings(free[1:], tuple(map(sub, tiles, taken))):
            yield (taken, *filling)


@dataclass(frozen=True, slots=True)
class InversionDistance(Named):
    """Bound the moves by the inversions to undo: admissible and consistent on every puzzle.

        4 2 3        read row by row, 4 2 3 5 1 has 6 pairs out of order: 4>2 4>3 4>1 2>1 3>1 5>1.
        5 1 _        A horizontal move changes none of them. A vertical move takes a tile past the 2
                     tiles between its old and its new place, so it changes them by at most 2: at
                     least 3 such moves are needed. Column by column, the same holds for horizontal
                     moves (4 pairs, 4 moves). No move counts for both, so the two add up: 7.

    A move past k tiles changes the count by k, k-2, … -k. If k is odd everywhere, the number of
    moves has the parity of the count: with four columns, n inversions need n // 3 + n % 3 moves.
    Walls make k smaller locally. The tiles of a repeated label are numbered in reading order, which
    minimises the inversions; labels with more tiles than goal cells are ignored. Both only lower
    the count, but make its parity unknown. No move changes the count by more than k, so the
    estimate is consistent.
    """

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
