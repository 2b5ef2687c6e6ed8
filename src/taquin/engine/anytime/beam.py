"""A wide beam: all boards of one depth at a time, of which the most promising are kept.

    value of a board   Σ (steps of a tile from home) ** 1.5, and more for every two tiles of a line
                       that are in their line and in each other's way, and for four that are
                       turned round in their square; the less the better

Of the successors of a level the best `free` are kept wherever their blank is, and then the best
`per_cell` for each cell of the blank, until the beam is full. The second part lets the blank leave
a region where every tile stands well for now, which on large boards all of the first part share.
A board that was kept once is not kept again, as far as a table of fixed size remembers.

A kernel takes its arrays one by one, more than other functions may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit

from taquin.engine.anytime.field import SCALE, Field
from taquin.system.native import kernel

CONFLICT = 4 * SCALE
"""What two tiles of a line in each other's way add to the value of a board."""
SQUARE = 8 * SCALE
"""What four tiles that would solve a square, were they not turned round in it, add. Without it the
last tiles of a large board are such squares, which no beam undoes: of 5 boards of 10×10 it solved 2
in place of 4, and those of 7×7 took 334 moves in place of 323 (3,000 boards a level)."""
_MOST_BUCKETS = 1 << 16
_NO_MOVE = 9
_NOWHERE = -(1 << 30)
"""The home of the blank, which is part of no square."""
_A, _B, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)
VALUE, MISSES, BLANK, LAST = range(4)
"""What is known of a board: its value, its cells that are wrong, its blank, the move that led to
it."""


@njit
def _mix(tile: Any, cell: Any) -> Any:
    """Return the part of a board's hash that is due to a tile in a cell."""
    word = np.uint64((tile << 16) + cell + 1) * _A
    word = (word ^ (word >> _SHIFT)) * _B
    return word ^ (word >> _SHIFT)


@njit
def _in_the_way(board: Any, tile: Any, cell: Any, homes: Any, columns: Any, along: Any) -> Any:
    """Return how many tiles of the line of a cell are at home in it but on the tile's wrong side.

    The line is the row when `along` is 1, and the column when it is `columns`.
    """
    home = homes[tile]
    first = cell - cell % columns if along == 1 else cell % columns
    last = first + columns if along == 1 else len(board)
    found = 0
    for other in range(first, last, along):
        at = board[other]
        if at == 0 or at == tile:
            continue
        its_home = homes[at]
        if along == 1:
            same = its_home // columns == home // columns
        else:
            same = its_home % columns == home % columns
        if same and (other < cell) != (its_home < home):
            found += 1
    return found


@njit
def _turned(board: Any, homes: Any, columns: Any, first: Any) -> Any:
    """Tell whether the four tiles of the square from a cell on are at home there, but not right."""
    is_wrong = False
    for cell in (first, first + 1, first + columns, first + columns + 1):
        home = homes[board[cell]]
        if home != cell:
            is_wrong = True
            ahead = home - first
            if not (0 <= ahead <= 1 or columns <= ahead <= columns + 1):
                return False
    return is_wrong


@njit
def _squares_turned(board: Any, tile: Any, cell: Any, other: Any, homes: Any, columns: Any) -> Any:
    """Return how many squares of a tile's cell, but not of another cell, are turned."""
    home = np.int64(homes[tile])
    row, column = cell // columns, cell % columns
    its_row, its_column = home // columns, home % columns
    if abs(its_row - row) > 1 or abs(its_column - column) > 1:
        return 0
    found = 0
    away, aside = other // columns, other % columns
    # The squares that hold both the cell and the home.
    last_row = len(board) // columns - 2
    for top in range(max(row, its_row) - 1, min(row, its_row) + 1):
        for left in range(max(column, its_column) - 1, min(column, its_column) + 1):
            if not (0 <= top <= last_row and 0 <= left <= columns - 2):
                continue
            if 0 <= away - top <= 1 and 0 <= aside - left <= 1:
                continue
            if _turned(board, homes, columns, top * columns + left):
                found += 1
    return found


@kernel()
def appraise(
    boards: Any, info: Any, hashes: Any, count: Any, weights: Any, wrong: Any, homes: Any,
    columns: Any, conflict: Any,
) -> None:  # fmt: skip
    """Work out value, misses and hash of some boards from scratch."""
    for number in range(count):
        board = boards[number]
        value = np.int64(0)
        misses = 0
        word = np.uint64(0)
        for cell in range(len(board)):
            tile = np.int64(board[cell])
            misses += wrong[tile, cell]
            if tile == 0:
                info[number, BLANK] = cell
                continue
            value += weights[tile, cell]
            word ^= _mix(tile, np.int64(cell))
            if conflict > 0:
                # Each two are met twice.
                if homes[tile] // columns == cell // columns:
                    value += conflict // 2 * _in_the_way(board, tile, cell, homes, columns, 1)
                if homes[tile] % columns == cell % columns:
                    value += conflict // 2 * _in_the_way(board, tile, cell, homes, columns, columns)
        if conflict > 0:
            for first in range(len(board) - columns):
                if first % columns < columns - 1 and _turned(board, homes, columns, first):
                    value += SQUARE
        info[number, VALUE] = value
        info[number, MISSES] = misses
        hashes[number] = word


@kernel()
def advance(
    boards: Any, info: Any, hashes: Any, count: Any, near: Any, is_open: Any, weights: Any,
    wrong: Any, homes: Any, columns: Any, conflict: Any, origins: Any, values: Any, keys: Any,
    order: Any, buckets: Any, seen: Any, next_boards: Any, next_info: Any, next_hashes: Any,
    free: Any, per_cell: Any, taken: Any, links: Any,
) -> Any:  # fmt: skip
    """Make the next level; return its size, the successors made, and a solved board or -1.

    `links` tells for each board kept the number of its parent times four and the direction.
    """
    made = 0
    least = np.int64(1) << 60
    most = -least
    for number in range(count):
        board = boards[number]
        blank = np.int64(info[number, BLANK])
        back = 3 - info[number, LAST]
        for direction in range(4):
            cell = np.int64(near[blank, direction])
            if direction == back or cell < 0 or not is_open[cell]:
                continue
            tile = np.int64(board[cell])
            value = np.int64(info[number, VALUE]) + weights[tile, blank] - weights[tile, cell]
            if conflict > 0:
                home = np.int64(homes[tile])
                if direction == 0 or direction == 3:
                    if home // columns == blank // columns:
                        value += conflict * _in_the_way(board, tile, blank, homes, columns, 1)
                    elif home // columns == cell // columns:
                        value -= conflict * _in_the_way(board, tile, cell, homes, columns, 1)
                elif home % columns == blank % columns:
                    value += conflict * _in_the_way(board, tile, blank, homes, columns, columns)
                elif home % columns == cell % columns:
                    value -= conflict * _in_the_way(board, tile, cell, homes, columns, columns)
                # Far tiles are part of no square; this is the quickest way to tell.
                if abs(home - cell) <= columns + 1:
                    value -= SQUARE * _squares_turned(board, tile, cell, blank, homes, columns)
                if abs(home - blank) <= columns + 1:
                    board[blank] = tile
                    board[cell] = 0
                    value += SQUARE * _squares_turned(board, tile, blank, cell, homes, columns)
                    board[cell] = tile
                    board[blank] = 0
            origins[made] = number << 2 | direction
            values[made] = value
            keys[made] = hashes[number] ^ _mix(tile, cell) ^ _mix(tile, blank)
            least = min(least, value)
            most = max(most, value)
            made += 1
    if made == 0:
        return 0, 0, -1
    # A counting sort by value; very different values share a bucket.
    shift = 0
    while (most - least) >> shift >= len(buckets):
        shift += 1
    last = (most - least) >> shift
    buckets[: last + 1] = 0
    for number in range(made):
        buckets[(values[number] - least) >> shift] += 1
    before = 0
    for bucket in range(last + 1):
        before, buckets[bucket] = before + buckets[bucket], before
    for number in range(made):
        bucket = (values[number] - least) >> shift
        order[buckets[bucket]] = number
        buckets[bucket] += 1
    mask = np.uint64(len(seen) - 1)
    room = len(next_boards)
    kept = 0
    solved = -1
    taken[:] = 0
    for place in range(made):
        number = order[place]
        key = keys[number]
        if seen[key & mask] == key:
            continue
        parent = origins[number] >> 2
        direction = origins[number] & 3
        blank = np.int64(info[parent, BLANK])
        cell = np.int64(near[blank, direction])
        if kept >= free and taken[cell] >= per_cell:
            continue
        taken[cell] += 1
        seen[key & mask] = key
        next_boards[kept] = boards[parent]
        tile = np.int64(boards[parent, cell])
        next_boards[kept, blank] = tile
        next_boards[kept, cell] = 0
        misses = np.int64(info[parent, MISSES]) + wrong[tile, blank] + wrong[0, cell]
        misses -= np.int64(wrong[tile, cell]) + wrong[0, blank]
        next_info[kept, VALUE] = values[number]
        next_info[kept, MISSES] = misses
        next_info[kept, BLANK] = cell
        next_info[kept, LAST] = direction
        next_hashes[kept] = key
        links[kept] = origins[number]
        if misses == 0 and solved < 0:
            solved = kept
        kept += 1
        if kept == room:
            break
    return kept, made, solved


@dataclass(slots=True)
class Found:
    """What a beam came to."""

    moves: Any
    """The directions of the blank, to the goal or to the best board."""
    solved: bool
    """Whether they lead to the goal."""
    value: int
    """The value of that board."""
    ended: bool = False
    """Whether it was ended from outside before it came to anything."""


@dataclass(slots=True)
class Beam:
    """A beam of boards, and the arrays that it needs; use it for one walk at a time."""

    width: int
    """Most boards of a level."""
    cells: int
    """Cells of a board."""
    generated: int = 0
    """Successors made so far."""
    _now: list[Any] = field(init=False)
    _next: list[Any] = field(init=False)
    _candidates: list[Any] = field(init=False)
    _seen: Any = field(init=False)

    def __post_init__(self) -> None:
        width = self.width
        self._now, self._next = (
            [
                np.empty((width, self.cells), np.int16),
                np.empty((width, 4), np.int32),
                np.empty(width, np.uint64),
            ]
            for _ in range(2)
        )
        most = 4 * width
        kinds = (np.int32, np.int64, np.uint64, np.int32)
        self._candidates = [
            *(np.empty(most, kind) for kind in kinds),
            np.empty(_MOST_BUCKETS, np.int64),
        ]
        self._seen = np.zeros(1 << max(16, (8 * width - 1).bit_length()), np.uint64)

    def walk(
        self,
        puzzle: Field,
        start: Any,
        go_on: Callable[[], bool],
        *,
        is_open: Any = None,
        spread: bool = True,
        conflict: int = CONFLICT,
        patience: int = 60,
        longest: int = 1 << 30,
    ) -> Found:
        """Walk from `start` until a board is solved, or none has been better for a while.

        It is ended when `go_on`, which is asked once a level, says no, and after `longest` moves.
        Cells that are not open keep their tiles. Unless `spread`, boards are kept by their value
        alone, wherever their blank is. `conflict` is what two tiles in each other's way add to it.
        """
        conflict = conflict if puzzle.is_classic else 0
        columns = np.int64(puzzle.columns)
        opened = np.ones(self.cells, np.bool_) if is_open is None else is_open
        homes = puzzle.homes.copy()
        homes[0] = _NOWHERE
        now, then = self._now, self._next
        now[0][0] = start
        now[1][0, LAST] = _NO_MOVE
        appraise(*now, 1, puzzle.weights, puzzle.wrong, homes, columns, conflict)
        if now[1][0, MISSES] == 0:
            return Found(np.empty(0, np.int8), True, 0)
        self._seen[:] = 0
        taken = np.empty(self.cells, np.int32)
        # The blank is on every second cell of a level.
        per_cell = max(1, self.width // (2 * self.cells)) if spread else 0
        free = max(0, self.width - per_cell * self.cells // 2)
        links: list[Any] = []
        count, best, since, depth = 1, int(now[1][0, VALUE]), 0, 0
        while since < patience:
            if len(links) >= longest or not go_on():
                return Found(_path(links, depth, 0), False, best, ended=True)
            link = np.empty(self.width, np.int32)
            count, made, solved = advance(
                *now, count, puzzle.near, opened, puzzle.weights, puzzle.wrong, homes,
                columns, conflict, *self._candidates, self._seen, *then,
                free, per_cell, taken, link,
            )  # fmt: skip
            self.generated += made
            if count == 0:
                break
            links.append(link[:count].copy() if count < self.width else link)
            now, then = then, now
            if solved >= 0:
                return Found(_path(links, len(links), solved), True, 0)
            value = int(now[1][0, VALUE])
            since += 1
            if value < best:
                best, since, depth = value, 0, len(links)
        return Found(_path(links, depth, 0), False, best)


def _path(links: list[Any], depth: int, place: int) -> Any:
    """Return the directions that lead to a board of a level."""
    moves = np.empty(depth, np.int8)
    for level in range(depth - 1, -1, -1):
        link = int(links[level][place])
        moves[level], place = link & 3, link >> 2
    return moves
