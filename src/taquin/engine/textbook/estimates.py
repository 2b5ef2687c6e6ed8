"""The heuristics of searches by name, as compiled code reads them.

    Distances    manhattan, zero      the sum over tiles of a distance each
    Conflicts    linear-conflict      that sum, and two steps for each tile that must leave its line
    Walking      walking-distance     the costs of the puzzles of rows and of columns
    Additive     patterns(…)          the maximum sum of disjoint pattern databases

Each is a record with the tables and their indices for the present board; `kernels/search.h` has the
functions that read and change it. A *plan* makes it for a board.

A move has a number, `tile << edge_bits | edge` (`Rules`), the index into the lists of its changes:

    Conflicts    the number of a line's content has a digit for each cell: 1 + the place in
                 the line where the tile belongs, 0 for the blank and tiles of other lines
    Walking      positions have numbers, and `follow` has a row for each: the position after a tile
                 of each class came from the line before or after the blank's
    Additive     an index into a table is a sum over tiles; large patterns are ranked afterwards
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, chain, permutations, product
from typing import Any, NamedTuple

from taquin.engine.general.estimates import DepthFirstPlan
from taquin.engine.general.form import GeneralForm, Steps, Tiles
from taquin.engine.general.walks import add_walk
from taquin.heuristics.linear_conflict import steps_aside
from taquin.heuristics.pattern_databases import PatternLookup
from taquin.heuristics.walking import LinePuzzle, line_puzzles, positions_of
from taquin.model.space import Space
from taquin.system.arrays import (
    Array,
    array,
    filled,
    int8,
    int32,
    int64,
    over,
    uint8,
    uint32,
    uint64,
    zeros,
)
from taquin.system.compiled import Compiled

_SPREAD = 0x9E3779B97F4A7C1
"""A factor that spreads positions over a hash table."""
_LOW_WORD = (1 << 31) - 1


class Distances(NamedTuple):
    """The sum over tiles of a distance each."""

    values: Array[int32]
    """The estimate of each node."""
    change: Array[int8]
    """The change of the estimate by each move."""


class Conflicts(NamedTuple):
    """The sum of distances, and two for each tile that must leave its line."""

    values: Array[int32]
    """The estimate of each node."""
    change: Array[int8]
    """What each move changes the distances by."""
    keys: Array[int32]
    """The number of what stands in each row and in each column."""
    terms: Array[int32]
    """For each move the line across it whose number changes, by how much; the line along it."""
    counts: Array[int32]
    """By number, twice the tiles that must leave the line."""
    spots: Array[int32]
    """For each tile and cell the row, what the tile adds to its number; the column, the same."""


class Walking(NamedTuple):
    """The cost of the position of the puzzle of rows and that of columns."""

    values: Array[int32]
    """The estimate of each node."""
    places: Array[int32]
    """For each node the position of rows and that of columns."""
    kinds: Array[int32]
    """For each move `column of follow << 1 | whether it is across columns`."""
    follow: Array[int32]
    """The positions after each position; `width` for each."""
    costs: Array[uint8]
    """The cost of each position."""
    spots: Array[int64]
    """For each tile and cell the terms of the two positions (`LinePuzzle`)."""
    keys: Array[int64]
    """A hash table of `position << 1 | whether it is of columns`, -1 where free."""
    numbers: Array[int32]
    """The number of the position at each place of the hash table."""
    width: int


class Additive(NamedTuple):
    """The distances, plus twice the maximum over the partitions of the sum of tables."""

    values: Array[int32]
    """The estimate of each node."""
    distances: Array[int32]
    """The sum of distances of each node."""
    change: Array[int8]
    """What each move changes the distances by."""
    slots: Array[uint32]
    """For each tile and partition the slot of its pattern; the last slot is for tiles in none."""
    shifts: Array[int64]
    """For each move and partition the change of the index."""
    spots: Array[int64]
    """For each tile, cell and partition the term of the index."""
    places: Array[int64]
    """The index of each slot; the address itself if tables are plain."""
    found: Array[int32]
    """The value of each slot."""
    sums: Array[int32]
    """For each node and partition the sum of values."""
    before: Array[int32]
    """For each node and partition the value that the move there replaced."""
    fresh: Array[int32]
    """For each partition the value after the last slide that was evaluated."""
    tables: Array[uint64]
    """For each slot twice the address of the table."""
    halvings: Array[int32]
    """The halvings of each slot's table."""
    ranked: Array[int32]
    """For each slot the tiles of a pattern to rank; 0 if the index is direct."""
    ends: Array[int32]
    """The end of each partition's slots, which are consecutive."""
    cells: int
    """Cells of the grid."""
    is_plain: int
    """Whether no table is ranked or halved."""


class StartAdditive(NamedTuple):
    """The present board of an estimate; only compiled code reads its tables."""

    estimate: Additive
    board: Array[uint8]
    value: int


_start_additive = Compiled("start_additive", StartAdditive)
for _estimate in (Distances, Conflicts, Walking, Additive):
    add_walk(_estimate.__name__.lower(), _estimate)


class DistancesPlan(DepthFirstPlan):
    """The plan for sums of distances: `distances[tile][cell]`, 0 for the blank and free tiles.

    `value` returns the estimate of a board if it is more than their sum.
    """

    def __init__(
        self,
        form: GeneralForm,
        steps: Steps,
        distances: Sequence[Sequence[int]],
        value: Callable[[Tiles], int] | None = None,
        more: int = 0,
    ) -> None:
        super().__init__(form, steps)
        self._distances, self._value = distances, value
        self.most = sum(map(max, distances)) + more
        """The maximum estimate of any board; `more` is the part beyond the distances."""
        self._change = array(self._changes(distances), int8)

    def _changes(self, spots: Sequence[Sequence[int]]) -> list[int]:
        """Return the change of a tile's term by each of its moves."""
        change = self._by_move()
        for tile, added in enumerate(spots):
            change[tile][: len(self.rules.steps.edges)] = self._differences(added)
        return list(chain.from_iterable(change))

    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""
        if self._value is not None:
            return self._value(board)
        return sum(self._distances[tile][cell] for cell, tile in enumerate(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Any:
        """Return the record of estimates for a search from `board`, at `depth`, to `deepest`."""
        return Distances(self._values(board, depth, deepest), self._change)


class ConflictsPlan(DistancesPlan):
    """Distances and linear conflicts."""

    def __init__(
        self,
        form: GeneralForm,
        steps: Steps,
        distances: Sequence[Sequence[int]],
        value: Callable[[Tiles], int],
    ) -> None:
        super().__init__(form, steps, distances, value, 4 * form.size)
        columns, rows = form.columns, form.size // form.columns
        base = max(rows, columns) + 1
        self._lines, self._counts = rows + columns, array(_conflicts(base - 1), int32)

        def spot(tile: int, cell: int) -> tuple[int, int, int, int]:
            row, column = divmod(cell, columns)
            home_row, home_column = divmod(form.wanted.index(tile), columns)
            in_row = (home_column + 1) * base**column * (tile > 0 and home_row == row)
            in_column = (home_row + 1) * base**row * (tile > 0 and home_column == column)
            return row, in_row, rows + column, in_column

        spots = [[spot(tile, cell) for cell in range(form.size)] for tile in range(form.size)]
        self._spots = array(chain.from_iterable(chain.from_iterable(spots)), int32)
        terms = [[(0, 0, 0, 0)] * (1 << self.rules.edge_bits) for _ in range(form.size + 1)]
        for tile in range(1, form.size):
            for edge, (blank, cell) in enumerate(self.rules.steps.edges):
                here, there = spots[tile][cell], spots[tile][blank]
                # Rows stay the same in a horizontal move, which is along them.
                along, across = (0, 2) if blank // columns == cell // columns else (2, 0)
                # A tile moves between two lines across, and belongs to at most one of them.
                line = here[across] if here[across + 1] else there[across]
                crossed = there[across + 1] - here[across + 1]
                terms[tile][edge] = (line, crossed, here[along], there[along + 1] - here[along + 1])
        self._terms = array(chain.from_iterable(chain.from_iterable(terms)), int32)

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Conflicts:
        """Return the estimates of a walk that begins at a board."""
        values, keys = self._values(board, depth, deepest), zeros(self._lines, int32)
        for cell, tile in enumerate(board):
            place = 4 * (tile * len(board) + cell)
            row, in_row, column, in_column = self._spots.items[place : place + 4]
            keys[row] += in_row
            keys[column] += in_column
        return Conflicts(values, self._change, keys, self._terms, self._counts, self._spots)


@cache
def _conflicts(length: int) -> list[int]:
    """Return twice the tiles that must leave a line, by the number of its content."""
    base = length + 1
    counts = [0] * base**length
    for chosen in product((False, True), repeat=length):
        places = [place for place in range(length) if chosen[place]]
        for digits in permutations(range(1, base), len(places)):
            key = sum(digit * base**place for digit, place in zip(digits, places, strict=True))
            counts[key] = 2 * steps_aside(digits)
    return counts


class WalkingDistancePlan(DistancesPlan):
    """Walking distance; the distances are not used."""

    def __init__(
        self, form: GeneralForm, steps: Steps, space: Space, value: Callable[[Tiles], int]
    ) -> None:
        puzzles = line_puzzles(space)
        tables = [_line_table(puzzle) for puzzle, _ in puzzles]
        costs = [cost for table in tables for cost in table.costs]
        most = sum(max(table.costs) for table in tables)
        super().__init__(form, steps, [[0] * form.size] * form.size, value, most)
        self._width = max(table.width for table in tables)
        self._costs = array(costs, uint8)
        follow: list[int] = []
        first = 0
        for table in tables:
            rest = [0] * (self._width - table.width)
            for row in table.follow:
                follow += [first + number for number in row]
                follow += rest
            first += len(table.costs)
        self._follow = array(follow, int32)
        self._keys, self._numbers = _hash_table(tables)
        columns = form.columns
        spots = [
            (
                puzzles[0][0].term(cell // columns, puzzles[0][1].get(tile)),
                puzzles[1][0].term(cell % columns, puzzles[1][1].get(tile)),
            )
            for tile in range(form.size)
            for cell in range(form.size)
        ]
        self._spots = array(chain.from_iterable(spots), int64)
        kinds = self._by_move()
        for tile in range(1, form.size):
            for edge, (blank, cell) in enumerate(self.rules.steps.edges):
                across = blank // columns == cell // columns
                kinds[tile][edge] = 2 * (2 * puzzles[across][1][tile] + (cell > blank)) + across
        self._kinds = array(chain.from_iterable(kinds), int32)

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Walking:
        """Return the estimates of a walk that begins at a board."""
        values, places = self._values(board, depth, deepest), zeros(2 * deepest, int32)
        size = len(board)
        for kind in (0, 1):
            spots = (self._spots[2 * (tile * size + at) + kind] for at, tile in enumerate(board))
            slot = _slot_of(self._keys, sum(spots) << 1 | kind)
            places[2 * depth + kind] = self._numbers[slot]
        return Walking(
            values,
            places,
            self._kinds,
            self._follow,
            self._costs,
            self._spots,
            self._keys,
            self._numbers,
            self._width,
        )


class LineTable(NamedTuple):
    """The positions of a puzzle of lines, numbered."""

    positions: list[int]
    """The position of each number."""
    costs: list[int]
    """The cost of each."""
    follow: list[list[int]]
    """The positions after each position, by class, from the line before or after the blank's."""
    width: int


@cache
def _line_table(puzzle: LinePuzzle) -> LineTable:
    """Return the table of a small enough puzzle of lines."""
    known = positions_of(puzzle)
    numbers = {position: number for number, position in enumerate(known)}
    width, mask = 2 * len(puzzle.spare), (1 << puzzle.bits) - 1
    follow = []
    for position, (_, blank) in known.items():
        row = [0] * width
        for kind, (shift, change, line) in enumerate(puzzle.moves(blank)):
            if position >> shift & mask:
                kind %= len(puzzle.spare)
                row[2 * kind + (line > blank)] = numbers[position + change]
        follow.append(row)
    return LineTable(list(known), [cost for cost, _ in known.values()], follow, width)


def _slot_of(keys: Array[int64], key: int) -> int:
    """Return the slot of a key in a hash table, or the free slot for it, as in C."""
    last = len(keys) - 1
    slot = ((key & _LOW_WORD) * _SPREAD >> 20 ^ key >> 13) & last
    while keys[slot] != key and keys[slot] >= 0:
        slot = (slot + 1) & last
    return slot


def _hash_table(tables: Sequence[LineTable]) -> tuple[Array[int64], Array[int32]]:
    """Return the hash table of the positions of rows and of columns."""
    size = 1 << (2 * sum(len(table.costs) for table in tables)).bit_length()
    keys, numbers = filled(size, -1, int64), zeros(size, int32)
    positions = chain(
        (position << 1 for position in tables[0].positions),
        (position << 1 | 1 for position in tables[1].positions),
    )
    for number, key in enumerate(positions):
        slot = _slot_of(keys, key)
        keys[slot], numbers[slot] = key, number
    return keys, numbers


class AdditivePlan(DistancesPlan):
    """The plan for pattern databases; `lookups` has the tables of each partition."""

    def __init__(
        self,
        form: GeneralForm,
        steps: Steps,
        distances: Sequence[Sequence[int]],
        value: Callable[[Tiles], int],
        lookups: Sequence[Sequence[PatternLookup]],
    ) -> None:
        more = 2 * 15 * max(map(len, lookups))
        super().__init__(form, steps, distances, value, more)
        self._partitions = len(lookups)
        every = list(chain.from_iterable(lookups))
        # An empty table for the tiles that are in no pattern.
        self._nothing = zeros(8, uint8)
        self._kept = [lookup.table for lookup in every]
        addresses = [over(lookup.table, uint8).address for lookup in every]
        self._tables = array([2 * at for at in (*addresses, self._nothing.address)], uint64)
        self._halvings = array([*(lookup.key.halvings for lookup in every), 0], int32)
        ranked = [len(lookup.tiles) * lookup.key.ranked for lookup in every]
        self._ranked = array([*ranked, 0], int32)
        self._ends = array(accumulate(map(len, lookups)), int32)
        slots = [[len(every)] * self._partitions for _ in range(form.size + 1)]
        spots = [[[0] * form.size for _ in range(self._partitions)] for _ in range(form.size + 1)]
        slot = 0
        for partition, chosen in enumerate(lookups):
            for lookup in chosen:
                for tile, terms in zip(lookup.tiles, lookup.terms, strict=True):
                    slots[tile][partition] = slot
                    spots[tile][partition] = list(terms)
                slot += 1
        self._slots = array(chain.from_iterable(slots), uint32)
        self._is_plain = not any(self._ranked) and not any(self._halvings)
        by_cell = [
            spots[tile][partition][cell]
            for tile in range(form.size)
            for cell in range(form.size)
            for partition in range(self._partitions)
        ]
        self._spots = array(by_cell, int64)
        shifts = [
            self._changes([spots[tile][partition] for tile in range(form.size)])
            for partition in range(self._partitions)
        ]
        self._shifts = array(chain.from_iterable(zip(*shifts, strict=True)), int64)

    def estimates(self, board: Tiles, depth: int, deepest: int) -> Additive:
        """Return the estimates of a walk that begins at a board."""
        slots, count = len(self._tables), self._partitions
        values = self._values(board, depth, deepest)
        distances, found = zeros(deepest, int32), zeros(slots, int32)
        sums, before = zeros((2, deepest * count), int32)
        made = Additive(
            values,
            distances,
            self._change,
            self._slots,
            self._shifts,
            self._spots,
            zeros(slots, int64),
            found,
            sums,
            before,
            zeros(count, int32),
            self._tables,
            self._halvings,
            self._ranked,
            self._ends,
            self.form.size,
            self._is_plain,
        )
        _start_additive(StartAdditive(made, array(board, uint8), values[depth]))
        distances[depth] = distances[0]
        for partition in range(count):
            sums[depth * count + partition] = sums[partition]
        return made
