"""Count the boards of a whole space by their distance from the goal, breadth first.

`survey` takes any puzzle whose boards fit into memory (walls, repeated labels, partial goals, both
metrics), level by level: few boards through the model, which needs no loading, many by compiled
code, about four times as fast.

`explore` takes classic grids of up to 12 cells, with three bits a board. Boards are numbered as in
`taquin.tables.distances`: a plane of orders for each cell of the blank. A plane has three bitmaps:
the boards *seen*, the *front* (those at the present distance) and the *next* front. A sideways move
of the blank keeps the order, so it copies a whole bitmap from plane to plane, 64 boards at a time.
A move up or down changes only `columns` adjacent digits:

    digits of an order    d d d [d d d] d d d d d        the change of its number depends only on
                                                         the digits in this window

If the window is among the high digits, orders that agree down to its end form a *run* of
consecutive numbers, which move together, 64 at a time too. If it is among the lowest digits, the
change is looked up by these and by the parity of the others, which decides the left-out digit.
One thread fills a plane of the next front, from the planes that lead to it, so no two threads write
the same word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from operator import mul
from typing import NamedTuple, TypeAlias

from taquin.engine.base import kernels_fit
from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.moves import BLANK, Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space, arrangements, fewest_boards, levels_from_goal
from taquin.search.control import Ended
from taquin.system.arrays import (
    Array,
    Matrix,
    array,
    clear,
    int32,
    int64,
    matrix,
    uint8,
    uint64,
    zeros,
)
from taquin.system.compiled import Compiled
from taquin.system.formatting import rounded
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.machine import memory_left
from taquin.system.threads import thread_pool
from taquin.tables.distances import board_at, digits_of, orders, pass_tiles, plane_parity, weights
from taquin.tables.shape import Cells, Shape, shape_of

MOST_BOARDS = 5_000_000
"""The maximum number of boards in a survey: about a gigabyte."""
_WORTH_LOADING = 200_000
"""Boards from which on compiled code is faster, including the time to load it."""
_LARGE = 30
"""Tiles that certainly have more arrangements than `MOST_BOARDS`; counting them would be slow."""
_MOST_NUMBERED = 2**31 - 1
"""Boards that compiled code can number."""
_BYTES_A_BOARD = {True: 40, False: 240}
"""Memory of a board of up to 64 bits, compiled or not, while the arrays grow."""
_BYTES_A_WORD = 24
"""Memory of each further 64 bits."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The boards around a goal."""

    histogram: tuple[int, ...]
    """The number of boards at each distance from the goal."""
    farthest: tuple[Board, ...]
    """Boards at the greatest distance, at most the number requested."""
    is_complete: bool = True
    """Whether these are all boards; False if the search stopped early."""
    is_out_of_memory: bool = False
    """Whether the search stopped because memory was full."""

    @property
    def radius(self) -> int:
        """The greatest distance."""
        return len(self.histogram) - 1

    @property
    def boards(self) -> int:
        """The number of boards that reach the goal."""
        return sum(self.histogram)


def narrow(shape: Shape) -> tuple[Shape, Cells]:
    """Return a shape turned so that it is not wide, and the image of each cell.

    Fewer columns make a move up or down pass fewer tiles.
    """
    return shape.symmetries[4 if shape.columns > shape.rows else 0]


def turned_back(goal: Goal, image: Cells, boards: Iterable[Cells]) -> tuple[Board, ...]:
    """Return boards of a space that `narrow` turned with the labels of the goal, sorted.

    Their tiles are numbered along the turned goal, as by `taquin.tables.distances`.
    """
    blank = image[goal.cells.index(BLANK)]
    back = [image.index(cell) for cell in range(len(image))]
    homes = [0] + [back[cell] + 1 for cell in range(len(image)) if cell != blank]
    labels = (BLANK, *goal.cells)
    rising = sorted(tuple(homes[board[cell]] for cell in image) for board in boards)
    return tuple(Board(goal.grid, tuple(labels[home] for home in board)) for board in rising)


def survey(
    puzzle: Puzzle,
    start: BoardLike,
    *,
    most: int | None = MOST_BOARDS,
    memory: int | None = None,
    most_farthest: int = 100,
    progress: Callable[[int, int], None] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Survey:
    """Search breadth-first from every solved board to all boards with the tiles of `start`.

    `progress` is called after each level with the distance and the boards seen so far, `tick` every
    few milliseconds. When either raises `Ended`, or at Ctrl-C, the levels so far are returned.
    Raise UnsuitableError when there are too many solved boards, or more than `most` boards, at once
    where that is known. When `most` is None, the search ends when the boards fill `memory` bytes.
    """
    histogram: list[int] = []
    level: Sized = ()
    with DeferredInterrupts():
        start = Board.of(start)
        if most is not None and (fewest := fewest_boards(puzzle, start)) > most:
            raise UnsuitableError(
                f"{puzzle.grid} has at least {rounded(fewest)} boards with these tiles, more than "
                f"the limit of {most:,}; explore a smaller grid, raise this limit, or limit the "
                f"seconds instead"
            )
        try:
            space = Space(puzzle, start)
            kept = _most_kept(space, memory_left(memory)) if most is None else most
            for level in _levels(space, kept, tick):
                histogram.append(len(level))
                distance, seen = len(histogram) - 1, sum(histogram)
                if seen > kept:
                    raise MemoryError
                raise_if_interrupted()
                if progress is not None and distance:
                    progress(distance, seen)
            if isinstance(level, list):
                farthest = tuple(space.decode(state) for state in sorted(level)[:most_farthest])
            else:
                farthest = level.first(most_farthest)  # type: ignore[attr-defined]
            raise_if_interrupted()
            return Survey(tuple(histogram), farthest)
        except MemoryError:
            if most is None:
                return Survey(tuple(histogram), (), is_complete=False, is_out_of_memory=True)
            raise UnsuitableError(
                f"more than {most:,} boards lie within {len(histogram)} moves of the goal; "
                f"explore a smaller grid, or raise the limit"
            ) from None
        except (KeyboardInterrupt, Ended):
            return Survey(tuple(histogram), (), is_complete=False)


def _most_kept(space: Space, memory: int) -> int:
    """Return the number of boards that fit into `memory` bytes."""
    bits = space.puzzle.grid.size * max(1, (len(space.labels) - 1).bit_length())
    bytes_a_board = _BYTES_A_BOARD[bool(kernels_fit())] + _BYTES_A_WORD * (bits // 64)
    return min(_MOST_NUMBERED, memory // bytes_a_board)


def _levels(space: Space, most: int, tick: Callable[[], None]) -> Iterator[Sized]:
    """Return the levels, by compiled code if it is available and worth loading."""
    tiles = Counter(space.start[cell] for cell in space.puzzle.grid.open_cells)
    is_large = tiles.total() > _LARGE or arrangements(tiles) > _WORTH_LOADING
    if is_large and kernels_fit():
        # Importing it takes as long as a small search.
        from taquin.engine.general.breadth import levels

        return levels(space, most, tick)
    return levels_from_goal(space, tick)


BITS_A_BOARD = 3
"""Bits of memory for each board."""
LARGEST = 12
"""Cells of the largest space: the next shape, 2 × 7, has 43,589,145,600 boards."""
ExploreProgress: TypeAlias = Callable[[int, int, int], None]
"""Called after each level with the distance, the boards seen so far and all boards."""

Bits: TypeAlias = Array[uint64]
Numbers: TypeAlias = Array[int64]

_LOW_TILES = 7
"""Number of lowest digits by which changes are looked up: they have 2,520 values."""


class BoardBits(NamedTuple):
    """A bitmap of boards, and one that is changed by it."""

    source: Bits
    target: Bits


class ShiftRuns(NamedTuple):
    """Boards that move in runs of consecutive numbers, by changes in rotation."""

    boards: BoardBits
    changes: Numbers
    run: int
    """The length of a run."""


class ShiftEach(NamedTuple):
    """Boards that move one by one, by the change for their parity and their lowest digits."""

    boards: BoardBits
    changes: Matrix[int32]
    parities: Array[uint8]


_add_boards = Compiled("add_boards", BoardBits)
_keep_new = Compiled("keep_new", BoardBits)
_shift_runs = Compiled("shift_runs", ShiftRuns)
_shift_each = Compiled("shift_each", ShiftEach)


def explore(
    puzzle: Puzzle,
    *,
    most_farthest: int = 100,
    threads: int | None = None,
    progress: ExploreProgress | None = None,
) -> Survey:
    """Return the number of boards at each distance from the goal, and the farthest boards.

    Costs 3 bits a board: 90 MB and some seconds of one core for the 239,500,800 boards of 3 × 4.
    At most `most_farthest` of the farthest boards are returned. When `progress` raises `Ended`, or
    at Ctrl-C, the levels so far are returned. Raise UnsuitableError for a puzzle that is not
    classic (in either metric) or has more than 12 cells.
    """
    with DeferredInterrupts() as block:
        goal = puzzle.goal
        shape = shape_of(goal)
        if shape is None or shape.size > LARGEST:
            raise UnsuitableError(
                f"whole spaces can be explored from 2×2 to {LARGEST} cells, without walls, every "
                f"tile different, every cell of the goal named; found {goal.text()}"
            )
        turned, image = narrow(shape)
        space = _Space(turned, puzzle.metric)
        farthest: tuple[Board, ...] = ()
        is_complete = False
        with suppress(KeyboardInterrupt, Ended):
            space.search(threads, progress)
            farthest = turned_back(goal, image, islice(space.front_boards(), most_farthest))
            is_complete = not block.is_interrupted
        return Survey(tuple(space.histogram), farthest, is_complete)


class _Space:
    """The bitmaps of one space."""

    def __init__(self, shape: Shape, metric: Metric) -> None:
        self._shape = shape
        self._reach = max(shape.rows, shape.columns) if metric is Metric.MULTI else 1
        self._orders = orders(shape.size)
        bitmaps = (shape.size, -(-self._orders // 64))
        self._seen: Bits = zeros(bitmaps, uint64)
        self._front: Bits = zeros(bitmaps, uint64)
        self._next: Bits = zeros(bitmaps, uint64)
        self._seen[shape.blank, 0] = self._front[shape.blank, 0] = 1
        self.histogram = [1]
        """The number of boards of each level so far."""

    def search(self, threads: int | None, progress: ExploreProgress | None) -> None:
        """Search to the last level, whose boards stay in the front."""
        total = self._shape.size * self._orders
        with thread_pool(threads) as pool:
            while count := sum(pool.map(self._fill, range(self._shape.size))):
                self.histogram.append(count)
                self._front, self._next = self._next, self._front
                raise_if_interrupted()
                if progress is not None:
                    progress(len(self.histogram) - 1, sum(self.histogram), total)

    def front_boards(self) -> Iterator[Cells]:
        """Yield the boards of the front."""
        for plane, front in enumerate(self._front):
            odd = plane_parity(self._shape, plane)
            for word in filter(front.items.__getitem__, range(len(front))):
                for bit in range(64):
                    if front[word] >> bit & 1:
                        yield board_at(self._shape.size, plane, 64 * word + bit, odd)

    def _fill(self, plane: int) -> int:
        """Fill one plane of the next front from its predecessors; return its number of boards."""
        columns = self._shape.columns
        target = self._next[plane]
        clear(target)
        row, column = divmod(plane, columns)
        for other in range(self._shape.size):
            other_row, other_column = divmod(other, columns)
            if not 1 <= self._shape.manhattan(plane, other) <= self._reach:
                continue
            source = self._front[other]
            if other_row == row:
                _add_boards(BoardBits(source, target))
            elif other_column == column:
                step = columns if row > other_row else -columns
                while other != plane - step:
                    between = zeros(len(source), uint64)
                    self._shift(source, between, other, step > 0)
                    source, other = between, other + step
                self._shift(source, target, other, step > 0)
        return _keep_new(BoardBits(self._seen[plane], target))

    def _shift(self, source: Bits, target: Bits, blank: int, down: bool) -> None:
        """Add to `target` the successors of `source` when the blank goes down or up."""
        shape = self._shape
        place = blank if down else blank - shape.columns
        if place < _high_digits(shape):
            _shift_runs(ShiftRuns(BoardBits(source, target), *_run_changes(shape, place, down)))
        else:
            _shift_each(ShiftEach(BoardBits(source, target), *_low_changes(shape, place, down)))


def _high_digits(shape: Shape) -> int:
    return max(0, shape.size - 1 - _LOW_TILES)


@cache
def _run_changes(shape: Shape, place: int, down: bool) -> tuple[Numbers, int]:
    """Return the change of a run for each value of the window at `place`, and its length."""
    run = weights(shape.size)[place + shape.columns - 1]
    radices = [shape.size - 1 - i for i in range(place, place + shape.columns)]
    after = []
    for window in product(*map(range, radices)):
        digits = list(window)
        pass_tiles(digits)
        number = 0
        for digit, radix in zip(digits, radices, strict=True):
            number = number * radix + digit
        after.append(number)
    return array([run * change for change in _changes(after, down)], int64), run


@cache
def _low_changes(shape: Shape, place: int, down: bool) -> tuple[Array[int32], Array[uint8]]:
    """Return the change of an order by the parity of its high digits and by its low part.

    Return the parity for each value of the high digits, too.
    """
    high = _high_digits(shape)
    values = weights(shape.size)[high:]
    window = slice(place - high, place - high + shape.columns)
    changes = []
    for parity in (False, True):
        after = []
        for low_part in range(orders(shape.size - high)):
            digits = digits_of(low_part, values, parity ^ plane_parity(shape, place))
            passed = digits[window]
            pass_tiles(passed)
            digits[window] = passed
            after.append(sum(map(mul, values, digits)))
        changes.append(_changes(after, down))
    return matrix(changes, int32), _high_parities(shape)


@cache
def _high_parities(shape: Shape) -> Array[uint8]:
    """Return the parity for each value of the high digits."""
    radices = range(shape.size - 1, shape.size - 1 - _high_digits(shape), -1)
    return array([sum(digits) & 1 for digits in product(*map(range, radices))], uint8)


def _changes(after: list[int], down: bool) -> list[int]:
    """Return the change from each number to that `after`, or of the move back up."""
    changes = [0] * len(after)
    for number, reached in enumerate(after):
        changes[number if down else reached] = reached - number if down else number - reached
    return changes
