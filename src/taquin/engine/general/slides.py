"""Iterative deepening by slides on classic boards of up to 16 cells, with tables of slides.

`taquin.tables.relabelled` explains lines, orders and entries, `kernels/slides.c` the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from taquin.engine.general.estimates import GeneralPlan
from taquin.engine.general.form import GeneralForm, Tiles
from taquin.model.moves import Metric
from taquin.reasons import reason
from taquin.search.control import Control, Phase
from taquin.system.arrays import Array, Matrix, array, int32, int64, matrix, uint8, uint64, zeros
from taquin.system.compiled import Call, Compiled
from taquin.system.machine import memory_left, usable_cores
from taquin.tables.relabelled import (
    COLUMNS,
    LARGEST,
    ROWS,
    Orders,
    SlideKey,
    Table,
    orders_of,
    slide_keys,
)
from taquin.tables.shape import Cells, Shape
from taquin.tables.store import TableStore

FRAME = 16
"""The words of a node."""
VIEWS = 4
"""The views of a node."""


class SlideTree(NamedTuple):
    """A goal and its tables; cells are those of the tables."""

    orders: Orders
    addresses: Array[uint64]
    """For each kind of lines and each view, where its entries begin."""
    classes: Matrix[uint8]
    """For each view, the class of the tile that belongs in each cell."""
    cells: Array[int32]
    """For each cell of the tables, that of the form; the path is in these."""
    image: Array[int32]
    """For each cell of the form, that of the tables."""
    fields: Array[uint64]
    """For each kind, the field of its slides in both halves of a word."""
    lengths: Array[int64]
    """For each kind, the places of a line."""
    strides: Array[int64]
    """For each kind, the cells from a line to the next; for the other, from a place to the next."""
    blank: int
    """The cell of the blank in the goal."""


class SlideWalk(NamedTuple):
    """The state of a search."""

    state: Array[int64]
    """As in `walks.py`."""
    path: Array[int32]
    """The cells of the blank."""
    frames: Matrix[uint64]
    """The nodes on the path; at the end the start once more, with its other kind of slides."""
    board: Array[uint8]
    """The start: where the tile in each cell belongs, the blank included."""


class EnterSlides(NamedTuple):
    """The nodes at the end of a path."""

    walk: SlideWalk
    tree: SlideTree


class SlideOn(NamedTuple):
    """A part of a search, of about `budget` nodes."""

    budget: int
    walk: SlideWalk
    tree: SlideTree


_enter = Compiled("enter_slides", EnterSlides)
_slide_on = Compiled("slide_on", SlideOn)


class SlidesPlan(GeneralPlan):
    """The plan of a goal with the tables of `keys_for`."""

    def __init__(
        self, form: GeneralForm, keys: Sequence[SlideKey], tables: Sequence[Table]
    ) -> None:
        self._tables = tables
        first, image = min(Shape(form.size // form.columns, form.columns, form.home).symmetries)
        homes = [form.wanted.index(group) for group in form.groups]
        self._homes = [image[home] for home in homes]
        self._image = image
        rows, columns = first.rows, first.columns
        mirror = [cell % columns * columns + cell // columns for cell in range(first.size)]
        has_mirror = rows == columns and mirror[first.blank] == first.blank
        views: list[tuple[Cells, tuple[int, int]]] = []
        for key, table in zip(keys, tables, strict=True):
            begins = table.address + key.begins[ROWS], table.address + key.begins[COLUMNS]
            views.append((key.classes, begins))
            if has_mirror:
                mirrored = tuple(key.classes[cell] for cell in mirror)
                views.append((mirrored, begins[::-1]))
        views = (views * VIEWS)[:VIEWS]
        lengths = keys[0].lengths
        self._tree = SlideTree(
            orders_of(keys[0].sizes)[0],
            array([begins[kind] for kind in (ROWS, COLUMNS) for _, begins in views], uint64),
            matrix([classes for classes, _ in views], uint8),
            array([image.index(cell) for cell in range(first.size)], int32),
            array(image, int32),
            array([((1 << 2 * other) - 1) * ((1 << 32) + 1) for other in lengths[::-1]], uint64),
            array(lengths, int64),
            array((columns, 1), int64),
            first.blank,
        )

    def estimate(self, board: Tiles) -> int:
        """Return a lower bound on the slides of a board."""
        state = zeros(9, int64)
        walk = self._walk(board, state, array([board.index(0)], int32))
        return 0 if self._is_solved(walk) else _enter(EnterSlides(walk, self._tree))

    def begin(self, start: Tiles, state: Array[int64], path: Array[int32]) -> Call:
        """Return the call that searches from the end of a path; its first argument is a budget."""
        walk = self._walk(start, state, path)
        _enter(EnterSlides(walk, self._tree))
        return _slide_on.given(SlideOn(0, walk, self._tree))

    def _walk(self, start: Tiles, state: Array[int64], path: Array[int32]) -> SlideWalk:
        board = [0] * len(start)
        for cell, tile in enumerate(start):
            board[self._image[cell]] = self._homes[tile]
        frames = zeros((len(path) + 1, FRAME), uint64)
        return SlideWalk(state, path, frames, array(board, uint8))

    @staticmethod
    def _is_solved(walk: SlideWalk) -> bool:
        return all(home == cell for cell, home in enumerate(walk.board))


_BUILT_A_SECOND = 5_000_000
"""Lines that a core builds in a second; 5.6 million on a Xeon at 2.1 GHz."""
_plans: dict[tuple[GeneralForm, Path], SlidesPlan] = {}
"""The cache of plans by goal."""


def keys_for(form: GeneralForm) -> tuple[SlideKey, ...]:
    """Return the keys of the tables of slides of a puzzle; none unless it is classic and small."""
    rows, columns = form.size // form.columns, form.columns
    is_classic = (
        form.metric is Metric.MULTI
        and min(rows, columns) > 1
        and form.size <= LARGEST
        and form.cells == tuple(range(rows * columns))
        and sorted(form.wanted) == list(range(form.size))
    )
    return slide_keys(Shape(rows, columns, form.home)) if is_classic else ()


def are_stored(keys: Sequence[SlideKey]) -> bool:
    """Return whether there are keys, and all their tables are on disk."""
    store = TableStore()
    return bool(keys) and all(store.path_of(key.name).exists() for key in keys)


def slides_plan(
    form: GeneralForm, control: Control, *, builds: bool, threads: int | None
) -> SlidesPlan | None:
    """Return the plan with the tables of slides of a puzzle.

    Return None if it has none, if they are not on disk and `builds` is False, or if they are too
    large. Slow steps are reported to the control, which may end them by raising `Ended`.
    """
    store = TableStore(notice=control.notice)
    if (form, store.folder) not in _plans:
        keys = keys_for(form)
        if not keys or not (builds or are_stored(keys)):
            return None
        if sum(key.nbytes for key in keys) > memory_left(control.limits.memory):
            return None
        if not are_stored(keys) and not _fits_the_limit(keys, control, threads):
            return None
        report = control.building
        tables = [store.near(key, threads=threads, progress=report) for key in keys]
        _plans[form, store.folder] = SlidesPlan(form, keys, tables)
    return _plans[form, store.folder]


def _fits_the_limit(keys: Sequence[SlideKey], control: Control, threads: int | None) -> bool:
    """Return whether building tables takes at most half of the remaining time; warn if not."""
    if Phase.BUILDING in control.uncounted:
        return True
    lines = sum(key.entries for key in keys)
    seconds = lines / (_BUILT_A_SECOND * (threads or usable_cores()))
    if seconds > control.seconds_left() / 2:
        control.notice(reason("tables-slides", seconds=ceil(seconds)))
        return False
    return True
