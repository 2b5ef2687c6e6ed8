"""Breadth first over packed boards, from one end or from both, every board kept once.

    boards    `words` words each: the values of the cells, `bits` bits each, the first cell highest,
              so that boards compare as their cells do
    holes     the blank's cell of each board
    parents   the board each came from, and `sides` from which end
    slots     a table by hash: the number of a board, or -1

All boards lie in one array in the order in which they were met, so a level is a stretch of it.
Where two levels that grow towards each other first meet, the way through both is a shortest one.
A kernel takes its arrays one by one, more than other functions may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.form import END as END_OF_LIST
from taquin.engine.general.form import Ways
from taquin.system.kernels import kernel
from taquin.system.native import copy_items, part, room
from taquin.tables.shape import Cells

BYTES_A_BOARD = 40
"""What a board of up to 64 bits takes at most, the arrays that grow included."""
_STRETCH = 1 << 16
"""Nodes between two looks at the world."""
AT, TO, END, NODES, MET, OTHER, SIDE, BITS = range(8)
"""Places in `state`: the stretch still to expand, the end of all boards, successors made, the two
boards that met (or -1), the side that is grown, the bits of a cell."""
_CELL = 14
_MIX = np.uint64(0x9E3779B97F4A7C15)
_0, _32 = np.uint64(0), np.uint64(32)


class Boards:
    """The boards met so far from one or both ends."""

    def __init__(self, ways: Ways, cells: int, values: int, most: int) -> None:
        self._steps, self._begin = (np.array(part, np.int32) for part in (ways.steps, ways.begin))
        self._bits = max(1, (values - 1).bit_length())
        self._per_word = 64 // self._bits
        self._words = -(-cells // self._per_word)
        self._most = most
        self._branching = max(ways.steps.index(END_OF_LIST, begin) - begin for begin in ways.begin)
        self._state = np.zeros(8, np.int64)
        self._state[[MET, OTHER]] = -1
        self._state[BITS] = self._bits
        self._first = 0
        self._arrays: tuple[NDArray[Any], ...] = ()
        self._grow(1 << 12)
        self.levels: list[list[range]] = [[], []]
        """For each side, the boards of its levels."""

    def _grow(self, capacity: int) -> None:
        """Make room for so many boards."""
        end = int(self._state[END])
        fresh: tuple[NDArray[Any], ...] = (
            np.empty((capacity, self._words), np.uint64),
            np.empty(capacity, np.uint16),
            np.empty(capacity, np.int32),
            np.empty(capacity, np.uint8),
        )
        for new, old in zip(fresh, self._arrays, strict=False):
            new[:end] = old[:end]
        self._arrays = fresh
        self._slots = np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int32)
        _rehash(self._arrays[0], self._slots, end)

    @property
    def nodes(self) -> int:
        """Successors made so far."""
        return int(self._state[NODES])

    def __len__(self) -> int:
        return int(self._state[END])

    def begin(self, side: int, boards: Iterable[Sequence[int]]) -> None:
        """Add the boards from which a side grows, none of which may be there already."""
        first = len(self)
        for values in boards:
            if len(self) == len(self._arrays[1]):
                self._grow(2 * len(self))
            number = len(self)
            words, holes, parents, sides = self._arrays
            words[number] = self._packed(values)
            holes[number], parents[number], sides[number] = values.index(0), -1, side
            self._state[END] += 1
        _rehash(self._arrays[0], self._slots, len(self))
        self.levels[side] = [range(first, len(self))]

    def grow(self, side: int, keep_going: Callable[[], bool], most: float = inf) -> bool:
        """Make the next level of a side; tell whether that came to its end, or met the other.

        It ends early when `keep_going` says so, before more than `most` nodes are made, and, with
        MemoryError, before more boards are kept than may be.
        """
        state = self._state
        if state[SIDE] != side or state[AT] == state[TO]:
            level = self.levels[side][-1]
            state[SIDE], state[AT], state[TO] = side, level.start, level.stop
            self._first = len(self)
        last = self.nodes + most
        while state[AT] < state[TO] and self.met is None:
            if len(self) + self._branching > len(self._arrays[1]):
                if len(self) >= self._most:
                    raise MemoryError
                self._grow(min(2 * len(self._arrays[1]), self._most + self._branching))
            budget = int(min(_STRETCH, last - self.nodes))
            if not keep_going() or budget < self._branching:
                return False
            _grow(
                *(*self._arrays, self._slots, state, self._steps, self._begin),
                *(budget, self._branching),
            )
        self.levels[side].append(range(self._first, len(self)))
        return True

    @property
    def met(self) -> Cells | None:
        """The blank's cells from where side 0 began to where side 1 did; None before they met."""
        one, other = int(self._state[MET]), int(self._state[OTHER])
        if one < 0:
            return None
        ways = {int(self._arrays[3][each]): self._back(each) for each in (one, other)}
        return tuple(ways[0][::-1] + ways[1])

    def _back(self, board: int) -> list[int]:
        """Return the blank's cells from a board to the beginning of its side."""
        path = []
        while board >= 0:
            path.append(int(self._arrays[1][board]))
            board = int(self._arrays[2][board])
        return path

    def _packed(self, values: Sequence[int]) -> NDArray[np.uint64]:
        words = [0] * self._words
        for cell, value in enumerate(values):
            word, place = divmod(cell, self._per_word)
            words[word] |= value << 64 - self._bits * (place + 1)
        return np.array(words, np.uint64)

    def values(self, boards: slice | NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return the values of the cells of some boards, in rows."""
        words = self._arrays[0][boards]
        places = np.arange(self._per_word, dtype=np.uint64)
        shifts = np.uint64(64) - np.uint64(self._bits) * (places + np.uint64(1))
        mask = np.uint64((1 << self._bits) - 1)
        values: NDArray[np.uint64] = (words[:, :, None] >> shifts & mask).reshape(len(words), -1)
        return values

    def in_order(self, boards: slice) -> NDArray[np.int64]:
        """Return the numbers of some boards, sorted by their cells."""
        words = self._arrays[0][boards]
        order: NDArray[np.int64] = np.lexsort(words.T[::-1]) + boards.start
        return order


class Breadth:
    """Search from both ends; what `Deepening` asks. Raise MemoryError beyond so many boards."""

    def __init__(
        self, boards: Boards, start: Sequence[int], goals: Iterable[Sequence[int]]
    ) -> None:
        self._boards = boards
        boards.begin(0, [start])
        boards.begin(1, goals)
        self._before = 0

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        return self._boards.nodes - self._before

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        boards, levels = self._boards, self._boards.levels
        self._before = boards.nodes
        while len(levels[0]) + len(levels[1]) - 2 < bound:
            # Grow where there is less to do.
            side = int(len(levels[1][-1]) < len(levels[0][-1]))
            if not boards.grow(side, keep_going, most - self.nodes):
                return None
            if boards.met is not None:
                return boards.met
        return ()


@part
def _slot_of(board: Any, slots: Any) -> Any:
    """Return where to look for a board first."""
    mixed = _0
    for word in board:
        mixed = (mixed ^ word) * _MIX
        mixed ^= mixed >> _32
    return np.int64(mixed & np.uint64(len(slots) - 1))


@kernel
def _rehash(boards: Any, slots: Any, end: int) -> None:
    """Enter all boards into an empty table."""
    slots[:] = -1
    for number in range(end):
        slot = _slot_of(boards[number], slots)
        while slots[slot] >= 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = number


@kernel
def _grow(
    boards: Any,
    holes: Any,
    parents: Any,
    sides: Any,
    slots: Any,
    state: Any,
    steps: Any,
    begin: Any,
    budget: int,
    branching: int,
) -> None:
    """Expand boards of the present level while there is room for all successors of one."""
    bits = state[BITS]
    per_word = 64 // bits
    mask = np.uint64((1 << bits) - 1)
    at, to, end, side = state[AT], state[TO], state[END], state[SIDE]
    nodes = 0
    board = room(boards.shape[1], np.uint64)
    while at < to and nodes + branching <= budget and end + branching <= len(holes):
        blank = np.int64(holes[at])
        hole = blank
        turn = begin[blank]
        step = np.int64(steps[turn])
        while step >= 0:
            if step & 1:
                copy_items(boards[at], board)
                hole = blank
            cell = step >> _CELL
            word = cell // per_word
            shift = np.uint64(64 - bits * (cell - word * per_word + 1))
            value = board[word] >> shift & mask
            board[word] ^= value << shift
            word = hole // per_word
            board[word] |= value << np.uint64(64 - bits * (hole - word * per_word + 1))
            hole = cell
            nodes += 1
            slot = _slot_of(board, slots)
            while True:
                known = slots[slot]
                if known < 0:
                    copy_items(board, boards[end])
                    holes[end], parents[end], sides[end] = cell, at, side
                    slots[slot] = end
                    end += 1
                    break
                same = True
                for each in range(len(board)):
                    same = same and board[each] == boards[known, each]
                if same:
                    if sides[known] != side and state[MET] < 0:
                        state[MET], state[OTHER] = at, known
                    break
                slot = (slot + 1) & (len(slots) - 1)
            turn += 1
            step = np.int64(steps[turn])
        at += 1
        if state[MET] >= 0:
            break
    state[AT], state[END] = at, end
    state[NODES] += nodes
