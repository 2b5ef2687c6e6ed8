"""A solution of any classic puzzle in a moment, long but never wrong: line by line, tile by tile.

    a b c      The first line goes home tile by tile, its last two tiles together: one waits in the
    . . .      other's corner, the other is brought near, and a search among six cells turns both
    . . .      in. Then the same with the rest, row or column, whichever is longer, down to 2×2.

A kernel takes its arrays one by one, more than other functions may. Directions and cells are as in
`taquin.engine.anytime.field`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from taquin.engine.anytime.field import Field
from taquin.system.kernels import kernel
from taquin.system.native import part, room

_NONE = -1
_HERE = 9
_WINDOW = 6


class Line(NamedTuple):
    """A row or column that goes home as a whole."""

    cells: Any
    """Its cells in order."""
    corner: Any
    """Its last two cells and the two next to them in each of the next two lines."""


@part
def _find_ways(source: Any, goal: Any, fixed: Any, near: Any, towards: Any, waiting: Any) -> None:
    """Enter for each cell on a shortest way past the fixed ones the direction to the goal."""
    towards[:] = _NONE
    towards[goal] = _HERE
    waiting[0] = goal
    head, tail = 0, 1
    # From the goal, so that the way can be read from the source on.
    while towards[source] == _NONE and head < tail:
        cell = waiting[head]
        head += 1
        for direction in range(4):
            other = near[cell, direction]
            if other >= 0 and towards[other] == _NONE and not fixed[other]:
                towards[other] = 3 - direction
                waiting[tail] = other
                tail += 1


@part
def _walk(
    board: Any, blank: Any, goal: Any, fixed: Any, near: Any, ways: Any, waiting: Any, moves: Any,
    count: Any,
) -> Any:  # fmt: skip
    """Take the blank to a cell by a shortest way past the fixed ones; return the moves so far."""
    towards = ways[1]
    _find_ways(blank, goal, fixed, near, towards, waiting)
    while blank != goal:
        moves[count] = towards[blank]
        count += 1
        other = near[blank, towards[blank]]
        board[blank] = board[other]
        board[other] = 0
        blank = other
    return count


@part
def _place_of(board: Any, tile: Any) -> Any:
    for cell in range(len(board)):
        if board[cell] == tile:
            return cell
    return _NONE


@part
def _carry(
    board: Any, tile: Any, goal: Any, fixed: Any, near: Any, ways: Any, waiting: Any, moves: Any,
    count: Any,
) -> Any:  # fmt: skip
    """Carry a tile to a cell past the fixed ones; return the moves so far."""
    place = _place_of(board, tile)
    blank = _place_of(board, 0)
    towards = ways[0]
    _find_ways(place, goal, fixed, near, towards, waiting)
    while place != goal:
        direction = towards[place]
        other = near[place, direction]
        fixed[place] = True
        count = _walk(board, blank, other, fixed, near, ways, waiting, moves, count)
        fixed[place] = False
        board[other] = tile
        board[place] = 0
        moves[count] = 3 - direction
        count += 1
        blank, place = place, other
    return count


@part
def _turn_in(board: Any, corner: Any, one: Any, two: Any, near: Any, moves: Any, count: Any) -> Any:
    """Bring two tiles to the first two cells of a window that holds them and the blank."""
    here = room(3, np.int64)
    for number in range(_WINDOW):
        tile = board[corner[number]]
        for which, wanted in enumerate((one, two, 0)):
            if tile == wanted:
                here[which] = number
    begin = (here[0] * _WINDOW + here[1]) * _WINDOW + here[2]
    before = room(_WINDOW**3, np.int32)
    waiting = room(_WINDOW**3, np.int32)
    before[:] = _NONE
    before[begin] = begin
    waiting[0] = begin
    head, tail, end = 0, 1, begin
    while head < tail:
        end = waiting[head]
        head += 1
        blank = end % _WINDOW
        second = end // _WINDOW % _WINDOW
        first = end // _WINDOW**2
        if first == 0 and second == 1:
            break
        for number in range(_WINDOW):
            for direction in range(4):
                if near[corner[blank], direction] != corner[number]:
                    continue
                moved_first = blank if first == number else first
                moved_second = blank if second == number else second
                then = (moved_first * _WINDOW + moved_second) * _WINDOW + number
                if before[then] == _NONE:
                    before[then] = end
                    waiting[tail] = then
                    tail += 1
    length = 0
    at = end
    while at != begin:
        length += 1
        at = before[at]
    for number in range(length - 1, -1, -1):
        origin = corner[before[end] % _WINDOW]
        for direction in range(4):
            if near[origin, direction] == corner[end % _WINDOW]:
                moves[count + number] = direction
        end = before[end]
    blank = corner[begin % _WINDOW]
    for number in range(length):
        other = near[blank, moves[count + number]]
        board[blank] = board[other]
        board[other] = 0
        blank = other
    return count + length


@kernel
def _bring_home(
    board: Any, cells: Any, corner: Any, wanted: Any, fixed: Any, near: Any, ways: Any,
    waiting: Any, moves: Any, count: int,
) -> int:  # fmt: skip
    """Bring the tiles of one line home and fix them; return the moves so far.

    `ways` and `waiting` are to work in.
    """
    for cell in cells[:-2]:
        count = _carry(board, wanted[cell], cell, fixed, near, ways, waiting, moves, count)
        fixed[cell] = True
    one, two = wanted[corner[0]], wanted[corner[1]]
    if board[corner[0]] != one or board[corner[1]] != two:
        count = _carry(board, one, corner[1], fixed, near, ways, waiting, moves, count)
        fixed[corner[1]] = True
        # Where it is inside already, carrying it might shut the blank in.
        inside = False
        for cell in corner:
            inside = inside or board[cell] == two
        if not inside:
            count = _carry(board, two, corner[5], fixed, near, ways, waiting, moves, count)
        place = _place_of(board, two)
        blank = _place_of(board, 0)
        inside = False
        for cell in corner:
            inside = inside or blank == cell
        if not inside:
            fixed[place] = True
            entrance = corner[3] if place == corner[2] else corner[2]
            count = _walk(board, blank, entrance, fixed, near, ways, waiting, moves, count)
            fixed[place] = False
        count = _turn_in(board, corner, one, two, near, moves, count)
    fixed[corner[0]] = True
    fixed[corner[1]] = True
    return count


@kernel
def _turn_round(board: Any, ring: Any, wanted: Any, near: Any, moves: Any, count: int) -> int:
    """Turn the last four cells until they are right; return the moves so far, -1 if never."""
    place = 0
    for number in range(4):
        if board[ring[number]] == 0:
            place = number
    for _ in range(13):
        right = True
        for cell in ring:
            right = right and board[cell] == wanted[cell]
        if right:
            return count
        blank, other = ring[place], ring[(place + 1) % 4]
        board[blank] = board[other]
        board[other] = 0
        for direction in range(4):
            if near[blank, direction] == other:
                moves[count] = direction
        count += 1
        place = (place + 1) % 4
    return -1


def _lines_of(rows: int, columns: int) -> tuple[list[Line], Any]:
    """Return the lines of a grid in the order in which they go home, and the last four cells."""
    top = left = 0
    found = []
    grid = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    while rows - top > 2 or columns - left > 2:
        rest = grid[top:, left:]
        if rows - top >= columns - left:
            top += 1
        else:
            rest = rest.T
            left += 1
        found.append(Line(rest[0].copy(), rest[:3, -2:].ravel()))
    ring = grid[top:, left:]
    return found, np.array([ring[0, 0], ring[0, 1], ring[1, 1], ring[1, 0]])


def construct(puzzle: Field, start: Any) -> Any:
    """Return directions of the blank that solve a classic board.

    Its goal may have the blank anywhere: then the solution first leads to the goal with its blank
    moved into the last corner, and from there on back.
    """
    size, near = puzzle.size, puzzle.near
    lines, ring = _lines_of(puzzle.rows, puzzle.columns)
    wanted = np.empty(size, np.int64)
    wanted[puzzle.homes] = np.arange(size)
    back = _into_the_corner(wanted, near, puzzle.columns)
    board = start.astype(np.int64)
    # Generous: no tile of any board needs more than this to go home.
    moves = np.empty(8 * size * (puzzle.rows + puzzle.columns) + 64 * size, np.int8)
    fixed = np.zeros(size, np.bool_)
    ways, waiting = np.empty((2, size), np.int8), np.empty(size, np.int32)
    count = 0
    for line in lines:
        count = _bring_home(
            board, line.cells, line.corner, wanted, fixed, near, ways, waiting, moves, count
        )
    count = _turn_round(board, ring, wanted, near, moves, count)
    assert count >= 0, "the board is solvable"
    return np.concatenate([moves[:count], back])


def _into_the_corner(wanted: Any, near: Any, columns: int) -> Any:
    """Move the blank of a goal down and right into the last corner; return the way back."""
    blank = int(np.flatnonzero(wanted == 0)[0])
    back: list[int] = []
    for direction in (3, 2):
        while (other := int(near[blank, direction])) >= 0:
            wanted[blank], wanted[other] = wanted[other], 0
            blank = other
            back.append(3 - direction)
    return np.array(back[::-1], np.int8)
