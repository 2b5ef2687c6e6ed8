"""Breadth-first search over packed boards, from one end or both; every board is stored once.

    a board   some words: the values of its cells, `bits` bits each, the first cell highest, so that
              boards compare as their cells do

All boards lie in one array in the order of generation, so a level is a slice of it. When the two
frontiers first meet, the path through the common board is a shortest solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import inf
from typing import NamedTuple

from taquin.engine.general.form import FREE, GeneralForm, Steps, steps_on
from taquin.model.board import Board
from taquin.model.space import Space, goal_states
from taquin.system.arrays import Array, Matrix, filled, int32, int64, uint8, uint16, uint64, zeros
from taquin.system.compiled import Compiled
from taquin.tables.shape import Cells

BYTES_PER_BOARD = 40
"""Peak memory of a board of up to 64 bits, including the growth of the arrays."""
_FIRST_CAPACITY = 1 << 12
"""Boards that the arrays can hold at first."""
_STRETCH = 1 << 16
"""Nodes between two calls of `keep_going`."""
AT, TO, END, NODES, MET, OTHER, SIDE = range(7)
"""Indices into `Boards._state`: the range still to expand, the end of all boards, the successors
generated, the two boards that met (or -1), the side that grows."""


class BoardPacking(NamedTuple):
    """How boards are packed."""

    bits: int
    """The bits of a cell."""
    per_word: int
    """The cells of a word."""


class Met(NamedTuple):
    """The boards reached so far, in the order of generation."""

    words: Matrix[uint64]
    """The boards."""
    blanks: Array[uint16]
    """The blank's cell of each."""
    parents: Array[int32]
    """The number of each board's parent, or -1."""
    sides: Array[uint8]
    """The end from which each board was reached."""
    slots: Array[int32]
    """A hash table: the number of a board, or -1."""


class Rehash(NamedTuple):
    """The first `end` boards, to be entered into an empty table."""

    met: Met
    end: int


class Expand(NamedTuple):
    """The boards of the present level, while the arrays can hold all successors of one."""

    met: Met
    state: Array[int64]
    steps: Steps
    packing: BoardPacking
    budget: int
    branching: int


_rehash = Compiled("rehash", Rehash)
_expand = Compiled("expand_boards", Expand)


class Boards:
    """Boards reached from one or both ends; raise MemoryError beyond `most` of them.

    Once both sides have begun, it is a `Searcher` for `Deepening`.
    """

    def __init__(self, steps: Steps, values: int, most: int) -> None:
        bits = max(1, (values - 1).bit_length())
        cells = range(len(steps.begin))
        self._steps, self._packing, self._most = steps, BoardPacking(bits, 64 // bits), most
        self._words = -(-len(cells) // self._packing.per_word)
        self._branching = max(len(steps.from_cell(cell)) for cell in cells)
        self._state = zeros(7, int64)
        self._state[MET] = self._state[OTHER] = -1
        self._first = self._before = 0
        self._met = self._arrays(_FIRST_CAPACITY)
        self.levels: list[list[range]] = [[], []]
        """For each side, the boards of its levels."""

    def _arrays(self, capacity: int) -> Met:
        return Met(
            zeros((capacity, self._words), uint64),
            zeros(capacity, uint16),
            zeros(capacity, int32),
            zeros(capacity, uint8),
            filled(1 << (2 * capacity - 1).bit_length(), -1, int32),
        )

    def _enlarge(self, capacity: int) -> None:
        old, self._met = self._met, self._arrays(capacity)
        for before, after in zip(old[:4], self._met[:4], strict=True):
            after[: len(self)].items[:] = before[: len(self)].items
        _rehash(Rehash(self._met, len(self)))

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        nodes: int = self._state[NODES]
        return nodes - self._before

    def __len__(self) -> int:
        end: int = self._state[END]
        return end

    def begin(self, side: int, boards: Iterable[Sequence[int]]) -> None:
        """Add the root boards of a side; none may have been reached before."""
        first = len(self)
        for values in boards:
            if len(self) == len(self._met.words):
                self._enlarge(2 * len(self))
            number, met = len(self), self._met
            met.words[number] = self._packed(values)
            met.blanks[number], met.parents[number] = values.index(0), -1
            met.sides[number] = side
            self._state[END] += 1
        _rehash(Rehash(self._met, len(self)))
        self.levels[side] = [range(first, len(self))]

    def grow(self, side: int, keep_going: Callable[[], bool], most: float = inf) -> bool:
        """Generate the next level of a side; return whether it is complete or met the other side.

        Stop early when `keep_going` returns False or `most` nodes are generated.
        """
        state = self._state
        if state[SIDE] != side or state[AT] == state[TO]:
            level = self.levels[side][-1]
            state[SIDE], state[AT], state[TO] = side, level.start, level.stop
            self._first = len(self)
        last = self.nodes + most
        while state[AT] < state[TO] and self.met is None:
            capacity = len(self._met.words)
            if len(self) + self._branching > capacity:
                if len(self) >= self._most:
                    raise MemoryError
                self._enlarge(min(2 * capacity, self._most + self._branching))
            budget = int(min(_STRETCH, last - self.nodes))
            if not keep_going() or budget < self._branching:
                return False
            _expand(Expand(self._met, state, self._steps, self._packing, budget, self._branching))
        self.levels[side].append(range(self._first, len(self)))
        return True

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._before = self._state[NODES]
        while len(self.levels[0]) + len(self.levels[1]) - 2 < bound:
            # Grow the smaller frontier.
            side = int(len(self.levels[1][-1]) < len(self.levels[0][-1]))
            if not self.grow(side, keep_going, most - self.nodes):
                return None
            if self.met is not None:
                return self.met
        return ()

    @property
    def met(self) -> Cells | None:
        """The blank's cells from the root of side 0 to the root of side 1; None before they met."""
        ends = self._state[MET], self._state[OTHER]
        if ends[0] < 0:
            return None
        paths = {self._met.sides[board]: self._back(board) for board in ends}
        return tuple(paths[0][::-1] + paths[1])

    def _back(self, board: int) -> list[int]:
        """Return the blank's cells from a board to the root of its side."""
        path = []
        while board >= 0:
            path.append(self._met.blanks[board])
            board = self._met.parents[board]
        return path

    def _packed(self, values: Sequence[int]) -> list[int]:
        words = [0] * self._words
        bits, per_word = self._packing
        for cell, value in enumerate(values):
            word, place = divmod(cell, per_word)
            words[word] |= value << 64 - bits * (place + 1)
        return words

    def first_of(self, level: range, most: int) -> list[list[int]]:
        """Return the cells of the least `most` boards of a level, in order."""
        (bits, per_word), width = self._packing, self._words
        words = self._met.words.items[level.start * width : level.stop * width]
        # A board at a time: `zip` takes its words one after the other.
        boards = nsmallest(most, zip(*[iter(words)] * width, strict=True))
        shifts, mask = [64 - bits * (place + 1) for place in range(per_word)], (1 << bits) - 1
        return [[word >> shift & mask for word in board for shift in shifts] for board in boards]


@dataclass(frozen=True, slots=True)
class Level:
    """The boards at one distance from the goal."""

    boards: Boards
    space: Space
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def first(self, most: int) -> tuple[Board, ...]:
        """Return the least `most` boards in the order of their states."""
        boards = []
        for values in self.boards.first_of(self.numbers, most):
            state = list(self.space.start)
            for cell, value in zip(self.space.puzzle.grid.open_cells, values, strict=False):
                state[cell] = value
            boards.append(self.space.decode(self.space.pack(state)))
        return tuple(boards)


def levels(space: Space, most: int, tick: Callable[[], None]) -> Iterator[Level]:
    """Yield the levels from the goal on; raise MemoryError beyond `most` boards.

    `tick` is called every few milliseconds and may raise to stop.
    """
    puzzle, cells = space.puzzle, space.puzzle.grid.open_cells
    wanted = (FREE,) * len(cells)
    form = GeneralForm(puzzle.grid.columns, cells, wanted, (0,), len(cells) - 1, puzzle.metric)
    boards = Boards(steps_on(form), len(space.labels), most)
    boards.begin(0, [[state[cell] for cell in cells] for state in goal_states(space)])

    def keep_going() -> bool:
        tick()
        return True

    while len(level := boards.levels[0][-1]):
        yield Level(boards, space, level)
        boards.grow(0, keep_going)
