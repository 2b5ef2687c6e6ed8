"""The plan of a goal on the GPU: its tables, which are built there, its views, the layout of nodes.

`kernels/tables.cu` describes how tables are built. Sets of cells, their regions and the
permutations by moves depend only on the grid and the number of tiles: they are made once for all
patterns of that size.

A *view* is a partition of the tiles. Direct views have tables by the cells of their tiles, as on
the CPU; ranked ones, for patterns of seven and eight tiles, by set of cells and order. Only a GPU
has memory for these: `large_patterns` draws them. Nodes have the layout of `kernels/search.cu`; a
plan makes nodes of many boards at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import count, product
from math import comb, factorial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import Slot, slots_of, tile_moves
from taquin.engine.gpu.device import THREADS, Array, Device
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Shape

_LISTED, _SIBLINGS = 24, 5
"""Orders in a word of a plane, and words of a thread, if there is more than one word."""
_THREADS_AT_ONCE = 1408
"""Threads per multiprocessor. So many need a few more registers than there are, so some words spill
to memory; three quarters of the threads avoid that, and take 5 % longer for a table."""


def orders_of(size: int) -> int:
    """Return the length of a table's row: the orders of `size` tiles, at least one word."""
    return max(_LISTED, factorial(size))


def table_bytes(cells: int, size: int) -> int:
    """Return the size of a table."""
    return comb(cells, size) * orders_of(size) // 2


@cache
def binomials() -> NDArray[np.uint32]:
    """Return the binomials by which sets are ranked: of each cell over 0 to 8."""
    return np.array([[comb(cell, place) for place in range(9)] for cell in range(32)], np.uint32)


def settings_of(rows: int, columns: int, size: int) -> dict[str, int]:
    """Return the settings of `tables.cu` for patterns of `size` tiles."""
    cells, prefixes = range(rows * columns), max(1, orders_of(size) // _LISTED // _SIBLINGS)
    threads = -(-prefixes // 32) * 32
    return {
        "CELLS": len(cells),
        "COLUMNS": columns,
        "SIZE": size,
        "ORDERS": orders_of(size),
        "NOT_FIRST": sum(1 << cell for cell in cells if cell % columns),
        "NOT_LAST": sum(1 << cell for cell in cells if cell % columns != columns - 1),
        "KINDS": comb(size, min(size, 4)),
        "THREADS": threads,
        "BLOCKS": min(32, _THREADS_AT_ONCE // threads),
    }


class TileSets:
    """All sets of `size` cells of a grid, and the permutations of orders by moves."""

    def __init__(self, device: Device, rows: int, columns: int, size: int) -> None:
        xp = device.xp
        total, orders = comb(rows * columns, size), orders_of(size)
        self._device, self._rows, self._columns, self._size = device, rows, columns, size
        self._settings = settings_of(rows, columns, size)
        self._choose = xp.asarray(binomials().reshape(-1))
        # Each set of cells, as bits, by rank.
        self._sets = xp.zeros(total, np.uint32)
        regions, parities = xp.zeros(total, np.uint32), xp.zeros(total, np.uint8)
        self._run("census", self._choose, np.uint32(total), self._sets, regions, parities)
        self.turns: Array = xp.zeros(size * size * orders, np.uint16)
        """From `(from * size + to) * orders`: each order after a tile went between two places."""
        self._run("turn", self.turns)
        # Each order as nibbles.
        self._labels = xp.zeros(orders, np.uint32)
        self._run("label", self._labels)
        # Computed on the CPU, because CuPy would compile a kernel for each of these steps. The
        # first plane of each set, and the number of all:
        planes = np.cumsum(device.host(regions), dtype=np.uint32)
        self._planes = xp.asarray(np.concatenate((np.zeros(1, np.uint32), planes)))
        # From which planes a plane is reached, for each tile and way eight bytes:
        self._steps = xp.zeros(total * 4 * size, np.uint64)
        self._run(
            *("list_steps", self._choose, np.uint32(total)),
            *(self._sets, self._planes, self._steps),
        )
        self._turned_words, self._kinds, self._examples = map(xp.asarray, self._words())
        # The ranks of the sets of each parity:
        odd = device.host(parities) == 1
        self._lists = [xp.asarray(np.flatnonzero(are).astype(np.uint32)) for are in (~odd, odd)]

    def _words(self) -> tuple[NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the target of each word, the kind of each word, and a word of each kind.

        A word is a run of orders with equal tiles in the first places. Its kind is the set of tiles
        for the last four places.
        """
        size = self._size
        words, high = orders_of(size) // _LISTED, max(0, size - 4)
        siblings = _SIBLINGS if high else 1
        turns = self._device.host(self.turns).reshape(size, size, words, _LISTED)
        turned = turns[:high, :high, :, 0] // _LISTED
        # In planes, the words of neighbouring threads are adjacent.
        place_of = np.arange(words).reshape(siblings, -1).T.reshape(-1)
        in_places = np.zeros((high, high, words), np.uint16)
        in_places[:, :, place_of] = place_of[turned]
        labels = self._device.host(self._labels)[::_LISTED]
        firsts = np.zeros(words, np.uint32)
        for place in range(high):
            firsts |= np.uint32(1) << (labels >> 4 * place & 15)
        _, examples, kinds = np.unique(firsts, return_index=True, return_inverse=True)
        return in_places.reshape(-1), kinds.astype(np.uint32), examples.astype(np.uint32)

    def _run(self, name: str, *arguments: object, threads: int = THREADS) -> None:
        kernel = self._device.kernel("tables.cu", name, self._settings)
        kernel(32 * self._device.processors, threads, 0, *arguments)

    def build(self, goal: Cells, blank: int, report: Callable[[int], None]) -> Array:
        """Return the table of the pattern whose tiles belong in the cells `goal`, rising.

        `blank` is the goal's blank; `report` is called with each level, and may raise to abort.
        """
        xp, size = self._device.xp, self._size
        words, planes = orders_of(size) // _LISTED, int(self._planes[-1])
        shape = Shape(self._rows, self._columns, blank)
        inside = frozenset(goal)
        regions = sorted({shape.region(inside, c)[0] for c in range(shape.size) if c not in inside})
        rank = sum(comb(cell, place) for place, cell in enumerate(goal, 1))
        plane = int(self._planes[rank]) + regions.index(shape.region(inside, blank)[0])

        # The table needs no initial values, and only live fronts are read.
        table = xp.empty(table_bytes(shape.size, size) // 4, np.uint32)
        seen, fronts = xp.zeros(planes * words, np.uint32), xp.empty(planes * words, np.uint32)
        alive, grown = xp.zeros(planes, np.uint8), xp.zeros(1, np.uint32)
        fronts[plane * words : (plane + 1) * words] = table[rank * words * 3] = 0
        seen[plane * words] = fronts[plane * words] = alive[plane] = 1
        parity = sum(cell // self._columns + cell % self._columns for cell in goal) & 1
        homes = xp.asarray(np.array(goal, np.uint32))
        for depth in count(1):
            report(depth)
            ranks = self._lists[(parity + depth) & 1]
            grown[0] = 0
            self._run(
                *("level", ranks, np.uint32(len(ranks)), self._sets, self._planes, self._steps),
                *(self._turned_words, self._labels, homes),
                *(seen, fronts, alive, table, np.uint32(depth), grown),
                threads=self._settings["THREADS"],
            )
            if not int(grown[0]):
                break
        self._run(
            *("finish", np.uint32(len(self._sets)), self._sets, self._planes, self._labels),
            *(self._kinds, self._examples, homes, seen, table),
        )
        return table

    def spread(self, table: Array) -> Array:
        """Return a table laid out by cells, digits to the base of the grid's size."""
        entries = (self._rows * self._columns) ** self._size
        target = self._device.xp.empty((entries + 1) // 2, np.uint8)
        self._run("spread", self._choose, table, np.uint64(len(target)), target)
        return target


@lru_cache(maxsize=16)
def sets_of(device: Device, rows: int, columns: int, size: int) -> TileSets:
    """Return the sets of `size` cells of a grid, made on the GPU once."""
    return TileSets(device, rows, columns, size)


def _alike(shape: Shape, tiles: Cells) -> Shape:
    """Return the canonical shape with an equal table of a pattern.

    Tables do not count the moves of other tiles. So the blank's goal cell matters only by its
    region, the cells that the blank reaches without moving a tile of the pattern.
    """
    return replace(shape, blank=shape.region(frozenset(tiles), shape.blank)[0])


class GpuTables:
    """The tables of a process, kept on its GPU."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._ranked: dict[tuple[Shape, Cells], Array] = {}
        """Tables by their tiles and canonical shape."""
        self._direct: dict[PatternKey, Array] = {}

    def missing(self, shape: Shape, patterns: Iterable[Cells]) -> int:
        """Return the bytes of the missing tables of large patterns."""
        return sum(
            table_bytes(shape.size, len(tiles))
            for tiles in patterns
            if (_alike(shape, tiles), tiles) not in self._ranked
        )

    def ranked(self, shape: Shape, tiles: Cells, report: Callable[[str], None]) -> Array:
        """Return the table of a large pattern, in the shape's own orientation."""
        alike = _alike(shape, tiles)
        if (alike, tiles) not in self._ranked:
            sets = sets_of(self._device, shape.rows, shape.columns, len(tiles))
            name = f"{shape.rows}x{shape.columns}-{'.'.join(map(str, tiles))}"
            self._ranked[alike, tiles] = sets.build(
                tiles, alike.blank, lambda level: report(f"building table {name}, level {level}")
            )
        return self._ranked[alike, tiles]

    def direct(self, key: PatternKey, report: Callable[[str], None]) -> Array:
        """Return the table of a small pattern, by the cells of its tiles to the grid's base."""
        if key not in self._direct:
            report(f"building table {key.name}")
            sets = sets_of(self._device, key.rows, key.columns, len(key.tiles))
            self._direct[key] = sets.spread(sets.build(key.tiles, key.blank, lambda level: None))
        return self._direct[key]


_SLACK = 128
"""Added to a slack (`room` in the kernel), so that its highest bit is clear when it is negative."""
_NONE = 255
_STATES = 1 << 16
"""The maximum number of states of an automaton."""
_Numbers: TypeAlias = NDArray[np.int64]

_PLAN = np.dtype(
    [
        ("ranked_table", "<u8", 8),
        ("ranked_turn", "<u8", 8),
        ("ranked_scale", "<u8", 8),
        ("direct_table", "<u8", 16),
        ("direct_scale", "<u8", 16),
        ("allowed", "<u8"),
        ("follow", "<u8"),
        ("ranked_orders", "<u4", 8),
        ("ranked_size", "<u4", 8),
        ("stray", "<u4", (4, 32)),
        ("choose", "<u4", 512 + 2 * 9 * 256),
        ("direct_place", "<u4", (4, 32)),
        ("exits", "u1", 32),
        ("image", "u1", (2, 32)),
        ("ranked_slot", "u1", (2, 32)),
        ("ranked_code", "u1", (2, 32)),
        ("direct_slot", "u1", (4, 32)),
        ("direct_leads", "u1", (2, 16)),
        ("direct_image", "u1", (16, 32)),
        ("direct_tiles", "u1", (16, 8)),
        ("direct_size", "u1", 16),
    ]
)
"""The struct `Plan` of the kernel."""


@dataclass(frozen=True, slots=True)
class RankedSlot:
    """A large pattern and its table."""

    views: tuple[int, ...]
    """The numbers of the ranked views with this pattern."""
    table: Cells
    """The goal cells of its tiles in the orientation of the table."""
    names: Cells
    """Its tiles, by those cells."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""


@dataclass(frozen=True, slots=True)
class Views:
    """The partitions of a search."""

    shape: Shape
    """Grid and goal."""
    ranked: tuple[RankedSlot, ...]
    """The large patterns."""
    images: tuple[Cells, ...]
    """For each ranked view, the cell of the tables' grid for each cell of the puzzle's."""
    codes: tuple[Cells, ...]
    """For each ranked view, the number of each tile's pattern, from 1; 0 for the blank."""
    direct: tuple[Slot, ...]
    """The small patterns; their views are numbered after the ranked ones."""
    direct_views: int
    """Partitions into small patterns."""

    @property
    def count(self) -> int:
        """All views."""
        return len(self.images) + self.direct_views

    @property
    def rooms(self) -> int:
        """Slacks of a node: one of each view, and one from which no table subtracts."""
        return self.count + 1

    @property
    def bits(self) -> int:
        """Bits of a cell in a word."""
        return 4 if self.shape.size <= PACKED_CELLS else 5

    @property
    def settings(self) -> dict[str, int]:
        """The settings of the search's kernels."""
        return {
            "CELLS": self.shape.size,
            "COLUMNS": self.shape.columns,
            "BITS": self.bits,
            "RANKED_VIEWS": len(self.images),
            "RANKED": len(self.ranked),
            "DIRECT_VIEWS": self.direct_views,
            "DIRECT": len(self.direct),
            "DIRECT_MOST": max(map(len, self.small_slots_of_tiles().values()), default=0),
            "DIRECT_TILES": max((len(slot.names) for slot in self.direct), default=0),
        }

    def small_slots_of_tiles(self) -> dict[int, list[tuple[int, int]]]:
        """Return for each tile its small slots, with the place of its digit."""
        lists: dict[int, list[tuple[int, int]]] = {}
        for number, slot in enumerate(self.direct):
            for place, name in enumerate(reversed(slot.names)):
                lists.setdefault(name, []).append((number, self.shape.size**place))
        return lists

    def slots(self) -> list[tuple[int, ...]]:
        """Return the views of each slot, ranked ones first, all numbered together."""
        shift = len(self.images)
        direct = [tuple(view + shift for view in slot.views) for slot in self.direct]
        return [slot.views for slot in self.ranked] + direct


def views_of(shape: Shape, large: Partition | None, small: Sequence[Partition]) -> Views:
    """Return the views of a goal: `large`, its mirror image if the goal has one, and all `small`.

    The large partition is of the smallest image of the shape, the small ones of the shape itself.
    """
    direct = tuple(slots_of(shape, small))
    if large is None:
        return Views(shape, (), (), (), direct, len(small))
    first, to_first = min(shape.symmetries)
    mirrors = [image for other, image in first.symmetries[1:] if other == first][-1:]
    images = [to_first, *(tuple(image[cell] for cell in to_first) for image in mirrors)]
    codes = []
    for image in images:
        code = [0] * 32
        for number, pattern in enumerate(large, 1):
            for cell in pattern:
                code[shape.name_of(image.index(cell))] = number
        codes.append(tuple(code))
    slots: dict[frozenset[int], RankedSlot] = {}
    for view, image in enumerate(images):
        for pattern in large:
            names = tuple(shape.name_of(image.index(cell)) for cell in pattern)
            slot = slots.get(frozenset(names), RankedSlot((), pattern, names, image))
            slots[frozenset(names)] = replace(slot, views=(*slot.views, view))
    ranked = tuple(slots.values())
    return Views(shape, ranked, tuple(images), tuple(codes), direct, len(small))


class Readings(NamedTuple):
    """The values of tables for boards, a row for each board."""

    boards: _Numbers
    """In normal form."""
    distances: _Numbers
    """Manhattan distances."""
    sums: _Numbers
    """The sum of the values of each view."""
    values: _Numbers
    """The value of each slot."""
    orders: _Numbers
    """The order of the tiles of each ranked slot."""

    @property
    def estimates(self) -> _Numbers:
        """The first bound of each board."""
        estimates: _Numbers = self.distances + 2 * self.sums.max(axis=1)
        return estimates


class GpuAutomaton:
    """The arrays of an automaton on the GPU, for all plans of its grid."""

    def __init__(self, device: Device, automaton: Automaton) -> None:
        assert len(automaton.allowed) <= _STATES, "a node has 16 bits for a state"
        self.allowed: Array = device.xp.asarray(np.array(automaton.allowed, np.uint8))
        """For each state, the ways that it allows, as bits."""
        self.follow: Array = device.xp.asarray(np.array(automaton.follow, np.uint16).reshape(-1))
        """For each state and way, the next state."""


class GpuPlan:
    """The arrays of one goal on the GPU, and the layout of a node."""

    def __init__(
        self,
        device: Device,
        views: Views,
        automaton: GpuAutomaton,
        tables: GpuTables,
        report: Callable[[str], None] = lambda stage: None,
    ) -> None:
        self.device, self.views, self.shape = device, views, views.shape
        shape = views.shape
        self.bits = views.bits
        first = min(shape.symmetries)[0]
        self._ranked = [tables.ranked(first, slot.table, report) for slot in views.ranked]
        self._direct = [tables.direct(slot.key, report) for slot in views.direct]
        self._automaton = automaton
        self.struct: Array = device.xp.asarray(np.frombuffer(self._struct().tobytes(), np.uint8))
        """The kernel's `Plan`."""

    @property
    def width(self) -> int:
        """Words of a node, without its history."""
        views, size = self.views, self.shape.size
        fields = [(size, self.bits), (len(views.ranked), 16), (len(views.ranked), 4)]
        fields += [(size - 1 if views.direct else 0, self.bits), (len(views.direct), 4)]
        fields.append((views.rooms, 8))
        return sum(-(-count // (32 // bits)) for count, bits in fields) + 2 * len(views.images) + 2

    def nodes(self, readings: Readings, bounds: _Numbers) -> NDArray[np.uint32]:
        """Return boards as roots of trees with these bounds, a row of words each."""
        boards, distance, sums, values, orders = readings
        views, ranked = self.views, orders.shape[1]
        words = _packed(boards, self.bits)
        for image, codes in zip(views.images, views.codes, strict=True):
            standing = np.array(codes)[boards]
            for bit in range(2):
                words.append(((standing >> bit & 1) << np.array(image)).sum(axis=1))
        words += _packed(orders, 16)
        if views.direct:
            words += _packed(np.argsort(boards, axis=1)[:, 1:], self.bits)
        words += _packed(values[:, :ranked], 4) + _packed(values[:, ranked:], 4)
        # No table subtracts from the last slack.
        sums = np.concatenate((sums, np.zeros((len(boards), 1), np.int64)), axis=1)
        words += _packed((bounds - distance)[:, None] // 2 - sums + _SLACK, 8)
        words.append(np.argmax(boards == 0, axis=1) | distance << 5)
        words.append(np.arange(len(boards)))
        return np.stack(words, axis=1).astype(np.uint32)

    def boards(self, nodes: NDArray[np.uint32]) -> _Numbers:
        """Return the boards of nodes, a row of words each, in normal form."""
        cells, per_word = np.arange(self.shape.size), 32 // self.bits
        words = nodes[:, cells // per_word] >> (cells % per_word * self.bits).astype(np.uint32)
        return (words & ((1 << self.bits) - 1)).astype(np.int64)

    def read(self, boards: _Numbers) -> Readings:
        """Look up boards in normal form in all tables."""
        views, size = self.views, self.shape.size
        where = np.argsort(boards, axis=1)
        distance = np.array(self.shape.distances)[np.arange(size), boards].sum(axis=1)
        values, orders = [], []
        for slot, table in zip(views.ranked, self._ranked, strict=True):
            rank, order = rank_and_order(np.array(slot.image)[where[:, slot.names]])
            orders.append(order)
            values.append(self._values(table, rank * orders_of(len(slot.names)) + order))
        for small, table in zip(views.direct, self._direct, strict=True):
            cells = np.array(small.image)[where[:, small.names]]
            places = size ** np.arange(len(small.names) - 1, -1, -1)
            values.append(self._values(table, (cells * places).sum(axis=1)))
        sums = np.zeros((len(boards), views.count), np.int64)
        for value, counted in zip(values, views.slots(), strict=True):
            sums[:, counted] += value[:, None]
        by_slot, by_ranked = (
            np.array(rows, np.int64).reshape(-1, len(boards)).T for rows in (values, orders)
        )
        return Readings(boards, distance, sums, by_slot, by_ranked)

    def _values(self, table: Array, index: _Numbers) -> _Numbers:
        """Return the values of a table at some places."""
        device, xp = self.device, self.device.xp
        values = xp.zeros(len(index), np.uint8)
        places = xp.asarray(index.astype(np.uint64))
        read = device.kernel("read.cu", "read", {})
        read(device.processors, THREADS, 0, table, places, np.uint32(len(index)), values)
        on_host: _Numbers = device.host(values).astype(np.int64)
        return on_host

    def _struct(self) -> NDArray[np.void]:
        views, shape, device = self.views, self.shape, self.device
        plan = np.zeros((), _PLAN)
        plan["allowed"] = device.address(self._automaton.allowed)
        plan["follow"] = device.address(self._automaton.follow)
        plan["exits"][: shape.size] = [sum(1 << way for way, _ in near) for near in shape.steps]
        for name, _, way, cell, strays in tile_moves(shape):
            plan["stray"][way, name] |= strays << cell
        plan["choose"] = _chosen_by_parts()
        plan["ranked_slot"] = plan["direct_slot"] = _NONE
        scales = [sum(1 << 8 * view for view in counted) for counted in views.slots()]
        ranked, direct = len(views.ranked), len(views.direct)
        sizes = [len(slot.names) for slot in views.ranked]
        turns = [sets_of(device, shape.rows, shape.columns, size).turns for size in sizes]
        plan["ranked_table"][:ranked] = list(map(device.address, self._ranked))
        plan["ranked_turn"][:ranked] = list(map(device.address, turns))
        plan["ranked_scale"][:ranked] = scales[:ranked]
        plan["ranked_orders"][:ranked] = list(map(orders_of, sizes))
        plan["ranked_size"][:ranked] = sizes
        for number, slot in enumerate(views.ranked):
            for view in slot.views:
                plan["ranked_slot"][view, list(slot.names)] = number
        for view, (image, codes) in enumerate(zip(views.images, views.codes, strict=True)):
            plan["image"][view, : shape.size], plan["ranked_code"][view] = image, codes
        plan["direct_table"][:direct] = list(map(device.address, self._direct))
        plan["direct_scale"][:direct] = scales[ranked:]
        plan["direct_size"][:direct] = [len(slot.names) for slot in views.direct]
        per_word = 32 // self.bits
        for number, small in enumerate(views.direct):
            plan["direct_image"][number, : shape.size] = small.image
            plan["direct_tiles"][number, : len(small.names)] = [
                (name - 1) // per_word << 5 | (name - 1) % per_word * self.bits
                for name in small.names
            ]
            counted = views.slots()[ranked + number]
            plan["direct_leads"][:, number] = counted[0], counted[-1]
        for name, slots in views.small_slots_of_tiles().items():
            plan["direct_slot"][: len(slots), name] = [number for number, _ in slots]
            plan["direct_place"][: len(slots), name] = [place for _, place in slots]
        return plan


def _packed(fields: _Numbers, bits: int) -> list[_Numbers]:
    """Return words that hold the columns of an array, `bits` bits each, the first lowest."""
    per_word = 32 // bits
    parts = [fields[:, i : i + per_word] for i in range(0, fields.shape[1], per_word)]
    return [(part << bits * np.arange(part.shape[1])).sum(axis=1) for part in parts]


def rank_and_order(cells: _Numbers) -> tuple[_Numbers, _Numbers]:
    """Return set rank and order of tiles in these cells, a row for each board."""
    size = cells.shape[1]
    rising, labels = np.sort(cells, axis=1), np.argsort(cells, axis=1)
    rank = binomials().astype(np.int64)[rising, np.arange(1, size + 1)].sum(axis=1)
    order = np.zeros(len(cells), np.int64)
    for i in range(size):
        order = order * (size - i) + (labels[:, i + 1 :] < labels[:, i : i + 1]).sum(axis=1)
    return rank, order


@cache
def _chosen_by_parts() -> NDArray[np.uint32]:
    """Return the term of a rank for the cells of each part of the grid, by the cells before it."""
    values = []
    for first, width, counts in ((0, 9, 1), (9, 8, 9), (17, 8, 9)):
        for before, bits in product(range(counts), range(1 << width)):
            cells = [first + i for i in range(width) if bits >> i & 1]
            added = sum(comb(cell, place) for place, cell in enumerate(cells, before + 1))
            values.append(min(added, 0xFFFFFFFF))
    return np.array(values, np.uint32)


_SQUARE: Cells = (0, 1, 2, 5, 6, 7, 10, 11, 12)
_BESIDE: Partition = ((3, 4, 8, 9, 13, 14, 19, 24), (15, 16, 17, 18, 20, 21, 22, 23))
_LEFT_OUT: dict[int, int] = {0: 12, 1: 12, 2: 12, 6: 12, 7: 12, 12: 7}
"""For each blank, the tile of the square to leave out, so that the other seven have the best table.
Two goals share that table if their blanks are neighbours and each leaves out the other's cell."""
_LARGE: dict[Shape, Partition] = {
    Shape(4, 4, 0): ((2, 3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13)),
    **{
        Shape(5, 5, blank): (
            tuple(cell for cell in _SQUARE if cell not in (blank, left_out)),
            *_BESIDE,
        )
        for blank, left_out in _LEFT_OUT.items()
    },
}


def large_patterns(shape: Shape) -> Partition | None:
    """Return the partition of `min(shape.symmetries)` into large patterns, None where none is.

    On 5×5 each goal, turned or mirrored, has its blank in one of six cells of a square: 0, 1, 2, 6,
    7 or 12. Beside the square are two patterns of eight tiles, a and b, for all goals: tables do
    not count the moves of other tiles, so for these two it does not matter where the blank belongs.
    Of the square one tile is left out, so that the third table is small and all goals fit on the
    GPU together.

            0  1  2  a  a
            5  6  7  a  a
           10 11 12  a  a
            b  b  b  b  a
            b  b  b  b  a
    """
    return _LARGE.get(min(shape.symmetries)[0])
