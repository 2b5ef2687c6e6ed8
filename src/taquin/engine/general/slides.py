"""Iterative deepening by slides on classic boards of up to 16 cells, with tables of slides.

`taquin.tables.relabelled` explains lines, orders and entries. A node is a board and the kind of its
next slide, by row or by column. The kinds alternate, because two slides in one line are one, and
the start is two nodes. A *view* is a table, or a table and the mirror image of the board. Four
views are looked up at once:

    OWN       the orders of the tiles in the direction of the next slide, for two views a word
    OTHER     the orders in the other direction, which the next slide changes
    ENTRIES   for each view, in 16 bits, the change of distance for each place of the blank
    SLACK     for each view, in 16 bits, the bound minus the slides needed at least
    NEXT      the place of the blank to be tried next, END the one after the last
    PLACE     where the blank is in its line, LINE the number of that line, KIND its kind

A slide to a place subtracts 0, 1 or 2, two bits of the entry, from the slack of a view. All
distances are 0 before the last slide: it can only bring the blank home, and then the board is
compared with the goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from taquin.engine.general.estimates import GeneralPlan
from taquin.engine.general.form import GeneralForm, Tiles
from taquin.engine.general.walks import (
    BASE,
    BOUND,
    DEPTH,
    EXCESS,
    FLOOR,
    FLOOR_MET,
    GOAL,
    NODES,
    STOP,
)
from taquin.model.moves import Metric
from taquin.reasons import reason
from taquin.search.control import Control, Phase
from taquin.system.arrays import (
    Arguments,
    Array,
    Matrix,
    array,
    int32,
    int64,
    matrix,
    uint8,
    uint64,
    zeros,
)
from taquin.system.kernels import Call, kernel
from taquin.system.machine import memory_left, usable_cores
from taquin.system.native import inlined, load_byte, part, stack_array, widened
from taquin.tables.relabelled import (
    COLUMNS,
    LARGEST,
    ROWS,
    Orders,
    SlideKey,
    Table,
    number_of,
    orders_of,
    passed_back,
    passed_forward,
    slide_keys,
)
from taquin.tables.shape import Cells, Shape
from taquin.tables.store import TableStore

Word = uint64
OWN, OTHER, ENTRIES, SLACK, NEXT, END, PLACE, LINE, KIND, FRAME = 0, 2, 4, 5, 6, 7, 8, 9, 10, 16
"""The words of a node, and their number."""
VIEWS = 4
"""The views of a node."""
_ZERO, _ONE, _TWO = Word(0), Word(1), Word(2)
_HALF, _LANE = Word(32), Word(16)
"""The bits of an order in OWN and OTHER, and of a view in ENTRIES and SLACK."""
_ORDER = Word((1 << 32) - 1)
"""The mask of an order."""
_EACH = Word(sum(1 << 16 * view for view in range(VIEWS)))
"""One in each view."""
_NEVER = 1 << 20
"""Infinity: more slides than any board needs."""
_DROPS, _SIGNS, _MUCH = Word(3 * _EACH), Word(_EACH << Word(15)), Word(_EACH << Word(14))
"""The masks of a slide's subtrahends and of the signs; and infinite slack."""


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


@inlined
def _place_of(tree: SlideTree, kind: int, cell: int) -> tuple[int, int]:
    """Return the line of a cell and the place in it."""
    columns = widened(tree.lengths[ROWS])
    row, column = cell // columns, cell % columns
    return (row, column) if kind == ROWS else (column, row)


@inlined
def _entry(tree: SlideTree, kind: Word, view: Word, line: Word, order: Word) -> Word:
    """Return the entry of a line in a view."""
    index = line * Word(tree.orders.total) + Word(number_of(order, tree.orders))
    address: Word = tree.addresses[kind * Word(VIEWS) + view]
    if tree.lengths[kind] > 4:
        address += index * _TWO
        return Word(load_byte(address) | load_byte(address + _ONE) << Word(8))
    return Word(load_byte(address + index))


@inlined
def _slid(word: Word, tree: SlideTree, kind: Word, line: Word, place: Word, target: Word) -> Word:
    """Return the orders in the other direction after the blank slid along its line."""
    passed = Word(tree.lengths[_ONE - kind])
    field, top = tree.fields[kind], _TWO * passed - _TWO
    while place < target:
        word = passed_forward(word, place * passed + line, field, top)
        place += _ONE
    while place > target:
        place -= _ONE
        word = passed_back(word, place * passed + line, field, top)
    return word


@part
def _distance(
    tree: SlideTree, view: Word, kind: Word, line: Word, place: Word, own: Word, other: Word
) -> int:
    """Return the distance of a line in a view: the number of slides that shorten it."""
    distance = 0
    while True:
        entry = _entry(tree, kind, view, line, own)
        target = _ZERO
        while target < Word(tree.lengths[kind]) and entry & Word(3):
            entry >>= _TWO
            target += _ONE
        if target == Word(tree.lengths[kind]):
            return distance
        other = _slid(other, tree, kind, line, place, target)
        own, other = other, own
        line, place = target, line
        kind = _ONE - kind
        distance += 1


@part
def _replay(walk: SlideWalk, tree: SlideTree, depth: int, board: Array[uint8]) -> int:
    """Write the board at the end of the path, and return the cell of its blank."""
    columns = widened(tree.lengths[ROWS])
    for cell in range(len(walk.board)):
        board[cell] = walk.board[cell]
    blank = widened(tree.image[walk.path[0]])
    for step in range(1, depth + 1):
        target = widened(tree.image[walk.path[step]])
        change = 1 if blank // columns == target // columns else columns
        if target < blank:
            change = -change
        while blank != target:
            board[blank] = board[blank + change]
            blank += change
        board[blank] = tree.blank
    return blank


@part
def _is_solved(walk: SlideWalk, tree: SlideTree, depth: int) -> bool:
    """Return whether the path leads to the goal."""
    board = stack_array(16, uint8)
    _replay(walk, tree, depth, board)
    is_solved = True
    for cell in range(len(walk.board)):
        is_solved = is_solved and board[cell] == cell
    return is_solved


@part
def _limit_to_goal(frame: Array[uint64], tree: SlideTree) -> None:
    """Restrict a node to one slide, which brings the blank home."""
    _, place = _place_of(tree, widened(frame[KIND]), tree.blank)
    frame[SLACK] = _MUCH
    frame[NEXT] = Word(place)
    frame[END] = Word(place + 1)


@inlined
def _order(board: Array[uint8], blank: int, tree: SlideTree, kind: int, view: int) -> Word:
    """Return the order of the tiles of a board for one kind of lines."""
    order, tile = _ZERO, _ZERO
    length = widened(tree.lengths[kind])
    for number in range(len(tree.cells)):
        line = number // length
        cell = line * tree.strides[kind] + (number - line * length) * tree.strides[1 - kind]
        if cell != blank:
            order |= Word(tree.classes[view, board[cell]]) << _TWO * tile
            tile += _ONE
    return order


@kernel
def enter(walk: SlideWalk, tree: SlideTree) -> int:
    """Make the nodes at the end of the path, and return a lower bound on its slides.

    The start has two nodes, any other board on a path one.
    """
    state, frames = walk.state, walk.frames
    depth = state[DEPTH]
    left = state[BOUND] - depth
    board = stack_array(16, uint8)
    blank = _replay(walk, tree, depth, board)
    columns = widened(tree.lengths[ROWS])
    before = widened(tree.image[walk.path[max(0, depth - 1)]])
    is_row = before // columns == blank // columns
    least = _NEVER
    for kind in range(2):
        if depth > 0 and is_row == (kind == ROWS):
            continue
        frame = frames[depth if depth > 0 or kind == ROWS else len(frames) - 1]
        line, place = _place_of(tree, kind, blank)
        at_kind, at_line, at_place = Word(kind), Word(line), Word(place)
        for word in range(FRAME):
            frame[word] = _ZERO
        frame[LINE], frame[PLACE], frame[KIND] = at_line, at_place, at_kind
        frame[END] = Word(tree.lengths[kind])
        needed = 0
        for number in range(VIEWS):
            view = Word(number)
            own = _order(board, blank, tree, kind, number)
            other = _order(board, blank, tree, 1 - kind, number)
            half, lane = _HALF * (view & _ONE), _LANE * view
            frame[OWN + number // 2] |= own << half
            frame[OTHER + number // 2] |= other << half
            frame[ENTRIES] |= _entry(tree, at_kind, view, at_line, own) << lane
            distance = _distance(tree, view, at_kind, at_line, at_place, own, other)
            frame[SLACK] |= Word(max(0, left - 1 - distance)) << lane
            needed = max(needed, 1 + distance)
        least = min(least, needed)
        if needed > left:
            frame[END] = _ZERO
        elif left == 1:
            _limit_to_goal(frame, tree)
    return least


@kernel
def slide_on(budget: int, walk: SlideWalk, tree: SlideTree) -> None:
    """Continue the search until it stops or `budget` nodes are generated, as `walk_on` does."""
    state, path, frames = walk.state, walk.path, walk.frames
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    spare = len(frames) - 1
    nodes = 0
    stop = 0
    while nodes < budget:
        place = frames[depth, NEXT]
        if place >= frames[depth, END]:
            depth -= 1
            if depth >= base:
                continue
            if frames[spare, END] == _ZERO:
                break
            depth = base
            for word in range(FRAME):
                frames[depth, word] = frames[spare, word]
            frames[spare, END] = _ZERO
            continue
        frames[depth, NEXT] = place + _ONE
        if place == frames[depth, PLACE]:
            continue
        nodes += 1
        slack = frames[depth, SLACK] - (frames[depth, ENTRIES] >> _TWO * place & _DROPS)
        if slack & _SIGNS:
            continue
        kind, line = frames[depth, KIND], frames[depth, LINE]
        to_line = line * Word(tree.strides[kind])
        path[depth + 1] = tree.cells[to_line + place * Word(tree.strides[_ONE - kind])]
        depth += 1
        after = frames[depth]
        if depth == bound:
            if _is_solved(walk, tree, depth):
                after[NEXT] = after[END] = _ZERO
                stop = GOAL
                break
            depth -= 1
            continue
        before = frames[depth - 1]
        here = before[PLACE]
        next_kind = _ONE - kind
        first = _slid(before[OTHER], tree, kind, line, here, place)
        second = _slid(before[OTHER + 1], tree, kind, line, here, place)
        after[OWN], after[OWN + 1] = first, second
        after[OTHER], after[OTHER + 1] = before[OWN], before[OWN + 1]
        after[KIND], after[LINE], after[PLACE] = next_kind, place, line
        if depth == floor:
            after[NEXT] = after[END] = _ZERO
            stop = FLOOR_MET
            break
        if depth + 1 == bound:
            _limit_to_goal(after, tree)
            continue
        after[ENTRIES] = (
            _entry(tree, next_kind, Word(0), place, first & _ORDER)
            | _entry(tree, next_kind, Word(1), place, first >> _HALF) << _LANE
            | _entry(tree, next_kind, Word(2), place, second & _ORDER) << _TWO * _LANE
            | _entry(tree, next_kind, Word(3), place, second >> _HALF) << Word(3) * _LANE
        )
        after[SLACK] = slack
        after[NEXT] = _ZERO
        after[END] = Word(tree.lengths[next_kind])
    state[DEPTH], state[STOP], state[EXCESS] = depth, stop, 1
    state[NODES] += nodes


def _enter(walk: SlideWalk, tree: Arguments) -> int:
    bound: int = enter.given(Arguments(walk), tree)()
    return bound


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
        tree = SlideTree(
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
        # Collecting the arguments of a kernel takes longer than many of its calls.
        self._tree = Arguments(tree)

    def estimate(self, board: Tiles) -> int:
        """Return a lower bound on the slides of a board."""
        state = zeros(9, int64)
        walk = self._walk(board, state, array([board.index(0)], int32))
        return 0 if self._is_solved(walk) else _enter(walk, self._tree)

    def begin(self, start: Tiles, state: Array[int64], path: Array[int32]) -> Call:
        """Return the call that searches from the end of a path; its first argument is a budget."""
        walk = self._walk(start, state, path)
        _enter(walk, self._tree)
        return slide_on.given(Arguments(0, walk), self._tree)

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
