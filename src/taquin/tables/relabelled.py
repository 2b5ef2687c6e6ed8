"""Tables of slides: pattern databases of classic puzzles in the multi-tile metric.

Values of disjoint patterns do not add up here, because one slide moves tiles of many patterns. So
the tiles are *relabelled* instead: each gets one of four classes, tiles of a class are alike, and a
table has the distance of every arrangement of classes. It never exceeds that of the board.

    . a b b        a slide moves the blank anywhere in its row or column, so the boards that differ
    c c b b        by the place of the blank in its row form a *line*: the blank's row, and the
    c c d d        *order* of all tiles, read row by row without the blank. Columns form lines in
    c d d d        the same way. Shortest solutions alternate between rows and columns.

A board lies on two lines, that of its row and that of its column, and a slide along a row leads to
the column line of each board of the row line: lines are the vertices of a graph, boards its edges.
Both lines of the goal have the distance 0. A board other than the goal whose next slide is along
its row needs at least 1 + the distance of its row line.

An order is a *word* of two bits a tile, the first tile lowest. Its number is the sum of two table
values (`Orders`), for its first half, the *head*, and for the rest, the *tail*. Moving the blank
along a row keeps the order by rows; in the order by columns, one tile passes the tiles between:

    by columns   [c c c a] c c d b b d d b b d d       the blank goes from the first column to the
                 [a c c c] c c d b b d d b b d d       second, and a to the first: a field rotates

A table has an *entry* for each line, two bits for each place that the blank may go to, the first
lowest: 0, 1 or 2 if the distance falls by one, stays or rises by one. A search therefore reads one
entry for all successors of a board. Row lines come first, then column lines, then how many lines
there are of each distance, LEVELS numbers of 64 bits. Entries for more than four places take two
bytes. On 4×4 a table has 75,675,600 entries of a byte each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Any, NamedTuple

from taquin.errors import InputError
from taquin.system.arrays import Array, Matrix, filled, int32, uint8, uint16, zeros
from taquin.system.compiled import Compiled
from taquin.system.machine import usable_cores
from taquin.system.threads import thread_pool
from taquin.tables.build import BuildProgress, BuildTeam
from taquin.tables.shape import Cells, Shape
from taquin.tables.store import VERSION

Table = Array[uint8]

CLASSES = 4
"""The maximum number of classes: two bits a tile."""
LARGEST = 16
"""The maximum number of cells of a grid."""
LEVELS = 64
"""Infinity: more than any distance of a line."""
UNREACHED = 255
"""The distance of a line that no solvable board lies on."""
ROWS, COLUMNS = 0, 1
"""The two kinds of lines, and of orders."""
_COUNT_BITS = 4
"""The bits per class in packed tile counts."""


class Orders(NamedTuple):
    """The numbers of all orders of tiles in four classes."""

    starts: Array[int32]
    """For each head, the number of its first order."""
    ranks: Array[int32]
    """For each tail, its rank among the tails with equal counts."""
    head_bits: int
    """The bits of a head."""
    total: int
    """The number of orders."""


class Tails(NamedTuple):
    """The tails of each head, in the order of their ranks."""

    of_head: Array[int32]
    """For each head, the counts of its tails; -1 if the head has too many tiles of a class."""
    begins: Array[int32]
    """For each tile count, where its tails begin, and at the end their number."""
    tails: Array[uint16]


class Turn(NamedTuple):
    """The conversion of orders to the other direction, for a blank in the first place of a line."""

    heads: Matrix[int32]
    """For each line and head, the bits of its tiles in the other word."""
    tails: Matrix[int32]
    """For each line and tail, the bits of its tiles in the other word."""
    length: int
    """Places of a line of this kind."""
    other: int
    """Places of a line of the other kind, which is the number of these lines."""


class NumberOrders(NamedTuple):
    """The numbers of all orders of some tiles; the result is how many there are."""

    counts: int
    """The tiles of each class, four bits a class."""
    tiles: int
    orders: Orders
    tails: Tails


class FillTurn(NamedTuple):
    """The bits of all heads and tails in the other words."""

    turn: Turn
    tiles: int


class Lines(NamedTuple):
    """The lines of one kind, and their neighbours of the other."""

    near: Table
    """The distances of the lines."""
    far: Table
    """The distances of their neighbours."""
    orders: Orders
    tails: Tails
    turn: Turn


class SweepLines(NamedTuple):
    """The lines at a level, whose neighbours get the next; or the entries of all lines."""

    level: int
    lines: Lines
    entries: Table
    """Empty while distances are computed."""
    first: int
    """The range of heads, counted through all lines."""
    last: int


_number_orders = Compiled("number_orders", NumberOrders)
_fill_turn = Compiled("fill_turn", FillTurn)
_sweep_lines = Compiled("sweep_lines", SweepLines)


def number_of(word: int, orders: Orders) -> int:
    """Return the number of an order."""
    head = word & (1 << orders.head_bits) - 1
    number: int = orders.starts[head] + orders.ranks[word >> orders.head_bits]
    return number


# Without slots, because `cached_property` keeps its values in `__dict__`.
@dataclass(frozen=True, order=True)
class SlideKey:
    """The identity of a table. Raise InputError for a grid or classes that have none."""

    rows: int
    columns: int
    blank: int
    """The blank's cell in the goal."""
    classes: Cells
    """For each cell, the class of the tile that belongs there; 0 for the blank."""

    def __post_init__(self) -> None:
        if self.cells > LARGEST:
            raise InputError(f"tables of slides support grids of up to {LARGEST} cells")

    @property
    def cells(self) -> int:
        """The number of cells of the grid."""
        return self.rows * self.columns

    @property
    def lengths(self) -> tuple[int, int]:
        """The places of a row line and of a column line."""
        return self.columns, self.rows

    @property
    def sizes(self) -> Cells:
        """The number of tiles of each class."""
        named = self.classes[: self.blank] + self.classes[self.blank + 1 :]
        return tuple(named.count(number) for number in range(CLASSES))

    @cached_property
    def orders(self) -> int:
        """The number of orders of tiles."""
        return factorial(self.cells - 1) // prod(map(factorial, self.sizes))

    @property
    def entries(self) -> int:
        """The number of lines."""
        return (self.rows + self.columns) * self.orders

    @property
    def begins(self) -> tuple[int, int, int]:
        """Where in the table the entries of rows, those of columns, and the counts begin."""
        sizes = [
            lines * entry_bytes(length) * self.orders
            for length, lines in zip(self.lengths, self.lengths[::-1], strict=True)
        ]
        return 0, sizes[ROWS], sum(sizes)

    @property
    def nbytes(self) -> int:
        """The size of the table."""
        return self.begins[-1] + 8 * LEVELS

    @property
    def name(self) -> str:
        """The file name, such as `4x4-slides-.ddcddccbbccbbaa`: the class of each goal cell."""
        letters = ["abcd"[number] for number in self.classes]
        letters[self.blank] = "."
        return f"{self.rows}x{self.columns}-slides-{''.join(letters)}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid, goal and classes of the table."""
        return {
            "kind": "slides",
            "version": VERSION,
            "rows": self.rows,
            "columns": self.columns,
            "blank": self.blank,
            "classes": list(self.classes),
        }

    def build(self, threads: int | None, progress: BuildProgress) -> Table:
        """Build the table; besides, this takes a byte of memory for each line."""
        return LineDistances(self, threads, progress).table()

    def is_sound(self, table: Table) -> bool:
        """Return whether a table has the right size and a distance for every line."""
        return table.nbytes == self.nbytes and 0 < sum(self.histogram(table)) <= self.entries

    def histogram(self, table: Table) -> list[int]:
        """Return the number of lines at each distance."""
        counts = table.items[self.begins[-1] : self.nbytes].cast("Q").tolist()
        while counts and not counts[-1]:
            counts.pop()
        return counts


def entry_bytes(length: int) -> int:
    """Return the bytes of the entry of a line with `places` places."""
    return 1 if length <= CLASSES else 2


def orders_of(sizes: Cells) -> tuple[Orders, Tails]:
    """Return the numbers of all orders of tiles in classes of these sizes."""
    tiles = sum(sizes)
    head_bits = 2 * (tiles // 2)
    heads, tails = 1 << head_bits, 1 << 2 * tiles - head_bits
    orders = Orders(zeros(heads, int32), zeros(tails, int32), head_bits, 0)
    lists = Tails(
        zeros(heads, int32), zeros((1 << _COUNT_BITS * CLASSES) + 1, int32), zeros(tails, uint16)
    )
    counts = sum(size << _COUNT_BITS * number for number, size in enumerate(sizes))
    return orders._replace(total=_number_orders(NumberOrders(counts, tiles, orders, lists))), lists


class LineDistances:
    """The distances of all lines, breadth first."""

    def __init__(self, key: SlideKey, threads: int | None, progress: BuildProgress) -> None:
        self._key, self._threads, self._progress = key, threads, progress
        self._orders, self._tails = orders_of(key.sizes)
        heads, tails = len(self._orders.starts), len(self._orders.ranks)
        self._turns = []
        for length, other in zip(key.lengths, key.lengths[::-1], strict=True):
            turn = Turn(zeros((other, heads), int32), zeros((other, tails), int32), length, other)
            _fill_turn(FillTurn(turn, key.cells - 1))
            self._turns.append(turn)
        self.distances = [
            filled(lines * key.orders, UNREACHED, uint8) for lines in reversed(key.lengths)
        ]
        """For row lines, then for column lines."""

    def fill(self, team: BuildTeam) -> list[int]:
        """Fill the distances, and return the number of lines at each."""
        key, distances = self._key, self.distances
        for kind, (line, word) in enumerate(self._goal()):
            distances[kind][line * key.orders + number_of(word, self._orders)] = 0
        counts: list[int] = []
        while not counts or counts[-1]:
            level = len(counts)
            counts.append(0)
            for kind in (ROWS, COLUMNS):
                arguments = (level, self._lines(kind), zeros(0, uint8))
                for reached in team.run(team.calls(_sweep_lines, arguments, self._heads(kind))):
                    counts[-1] += reached
                    team.report(sum(counts))
        return counts

    def table(self) -> Table:
        """Return the table."""
        key = self._key
        with thread_pool(self._threads) as pool:
            threads = self._threads or usable_cores()
            team = BuildTeam(pool, key.entries, threads, self._progress)
            counts = self.fill(team)
            table = zeros(key.nbytes, uint8)
            for kind in (ROWS, COLUMNS):
                entries = table[key.begins[kind] : key.begins[kind + 1]]
                arguments = (0, self._lines(kind), entries)
                for _ in team.run(team.calls(_sweep_lines, arguments, self._heads(kind))):
                    self._progress(key.entries, key.entries)
        table.items[key.begins[-1] :].cast("Q")[: len(counts)] = memoryview(
            b"".join(count.to_bytes(8, "little") for count in counts)
        ).cast("Q")
        return table

    def _lines(self, kind: int) -> Lines:
        near, far = self.distances[kind], self.distances[1 - kind]
        return Lines(near, far, self._orders, self._tails, self._turns[kind])

    def _heads(self, kind: int) -> int:
        return len(self._orders.starts) * self._turns[kind].other

    def _goal(self) -> list[tuple[int, int]]:
        """Return the goal's row and its word by rows, then its column and its word by columns."""
        key = self._key
        row, column = divmod(key.blank, key.columns)
        cells = [cell for cell in range(key.cells) if cell != key.blank]
        by_columns = sorted(cells, key=lambda cell: (cell % key.columns, cell))
        words = [
            sum(key.classes[cell] << 2 * tile for tile, cell in enumerate(order))
            for order in (cells, by_columns)
        ]
        return [(row, words[ROWS]), (column, words[COLUMNS])]


_CHOSEN = {(4, 4, 0): (".ddcddccbbccbbaa", ".aaddddcccccbbbb")}
"""Classes measured to be good, by rows, columns and the blank's cell."""


def slide_keys(shape: Shape) -> tuple[SlideKey, ...]:
    """Return the tables for a goal; a square also looks up its mirror image in them.

    All images of a shape have the same tables, those of the smallest.
    """
    first = min(shape.symmetries)[0]
    chosen = _CHOSEN.get((first.rows, first.columns, first.blank)) or _halves(first)
    pictures = [tuple("abcd".find(letter) for letter in text) for text in chosen]
    classes = [tuple(max(0, number) for number in picture) for picture in pictures]
    return tuple(SlideKey(first.rows, first.columns, first.blank, each) for each in classes)


def _halves(shape: Shape) -> tuple[str, str]:
    """Return two choices of classes: tiles that are near by rows, and by columns or diagonals.

    The columns of a square are the rows of its mirror image.
    """
    columns, tiles = shape.columns, shape.size - 1
    letters = ["abcd"[number * CLASSES // tiles] for number in range(tiles)]
    cells = [cell for cell in range(shape.size) if cell != shape.blank]
    is_square = shape.rows == columns
    across = sorted(cells, key=lambda cell: (cell % columns + is_square * (cell // columns), cell))
    pictures = []
    for order in (cells, across):
        named = dict(zip(order, letters, strict=True))
        pictures.append("".join(named.get(cell, ".") for cell in range(shape.size)))
    return pictures[0], pictures[1]
