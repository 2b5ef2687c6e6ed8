"""A solution of any classic puzzle in a moment, long but never wrong: line by line, tile by tile.

    a b c      The first line goes home tile by tile, its last two tiles together: one waits in the
    . . .      other's corner, the other is brought near, and a search among six cells turns both
    . . .      in. Then the same with the rest, row or column, whichever is longer, down to 2×2.

Directions and cells are as in `taquin.engine.anytime.field`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.field import Field, Moves, Neighbours, Tiles
from taquin.system.arguments import Arguments
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, room, widened

_NONE = -1
_HERE = 9
_WINDOW = 6


class Line(NamedTuple):
    """A row or column that goes home as a whole."""

    cells: NDArray[np.int64]
    """Its cells in order."""
    corner: NDArray[np.int64]
    """Its last two cells and the two next to them in each of the next two lines."""


class Construction(NamedTuple):
    """A board on its way to the goal, and what that takes."""

    board: NDArray[np.int64]
    """The id in each cell."""
    wanted: NDArray[np.int64]
    """The id that belongs in each cell."""
    fixed: NDArray[np.bool_]
    """The cells that no tile may leave."""
    near: Neighbours
    """The neighbours of each cell."""
    moves: Moves
    """The moves so far; parts and kernels return how many there are."""
    tile_ways: NDArray[np.int8]
    """For each cell, the direction that leads to where a tile goes."""
    blank_ways: NDArray[np.int8]
    """The same for the blank."""
    waiting: NDArray[np.int32]
    """The queue of the search for such ways."""


@inlined
def _find_ways(here: Construction, source: int, goal: int, towards: NDArray[np.int8]) -> None:
    """Enter for each cell on a shortest way past the fixed ones the direction to the goal."""
    waiting = here.waiting
    towards[:] = _NONE
    towards[goal] = _HERE
    waiting[0] = goal
    head, tail = 0, 1
    # From the goal, so that the way can be read from the source on.
    while towards[source] == _NONE and head < tail:
        cell = waiting[head]
        head += 1
        for direction in range(4):
            other = here.near[cell, direction]
            if other >= 0 and towards[other] == _NONE and not here.fixed[other]:
                towards[other] = 3 - direction
                waiting[tail] = other
                tail += 1


@inlined
def _walk(here: Construction, blank: int, goal: int, count: int) -> int:
    """Take the blank to a cell by a shortest way past the fixed ones; return the moves so far."""
    board, towards = here.board, here.blank_ways
    _find_ways(here, blank, goal, towards)
    while blank != goal:
        here.moves[count] = towards[blank]
        count += 1
        other = widened(here.near[blank, towards[blank]])
        board[blank] = board[other]
        board[other] = 0
        blank = other
    return count


@part
def _place_of(board: NDArray[np.int64], tile: int) -> int:
    """Return the cell of a tile, or of the blank."""
    for cell in range(len(board)):
        if board[cell] == tile:
            return cell
    return _NONE


@part
def _carry(here: Construction, tile: int, goal: int, count: int) -> int:
    """Carry a tile to a cell past the fixed ones; return the moves so far."""
    board = here.board
    place = _place_of(board, tile)
    blank = _place_of(board, 0)
    _find_ways(here, place, goal, here.tile_ways)
    while place != goal:
        direction = here.tile_ways[place]
        other = widened(here.near[place, direction])
        here.fixed[place] = True
        count = _walk(here, blank, other, count)
        here.fixed[place] = False
        board[other] = tile
        board[place] = 0
        here.moves[count] = 3 - direction
        count += 1
        blank, place = place, other
    return count


@part
def _turn_in(
    construction: Construction, corner: NDArray[np.int64], one: int, two: int, count: int
) -> int:
    """Bring two tiles to the first two cells of a window that holds them and the blank."""
    board, near, moves = construction.board, construction.near, construction.moves
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


@part
def _is_among(cells: NDArray[np.int64], cell: int) -> bool:
    """Return whether a cell is one of some."""
    found = False
    for other in cells:
        found = found or other == cell
    return found


@kernel
def _bring_home(here: Construction, line: Line, count: int) -> int:
    """Bring the tiles of one line home and fix them; return the moves so far."""
    board, wanted, fixed, corner = here.board, here.wanted, here.fixed, line.corner
    for cell in line.cells[:-2]:
        count = _carry(here, wanted[cell], cell, count)
        fixed[cell] = True
    one, two = wanted[corner[0]], wanted[corner[1]]
    if board[corner[0]] != one or board[corner[1]] != two:
        count = _carry(here, one, corner[1], count)
        fixed[corner[1]] = True
        # Where it is inside already, carrying it might shut the blank in.
        if not _is_among(corner, _place_of(board, two)):
            count = _carry(here, two, corner[5], count)
        place = _place_of(board, two)
        blank = _place_of(board, 0)
        if not _is_among(corner, blank):
            fixed[place] = True
            entrance = corner[3] if place == corner[2] else corner[2]
            count = _walk(here, blank, entrance, count)
            fixed[place] = False
        count = _turn_in(here, corner, one, two, count)
    fixed[corner[0]] = True
    fixed[corner[1]] = True
    return count


@kernel
def _turn_round(here: Construction, ring: NDArray[np.int64], count: int) -> int:
    """Turn the last four cells until they are right; return the moves so far, -1 if never."""
    board, wanted = here.board, here.wanted
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
            if here.near[blank, direction] == other:
                here.moves[count] = direction
        count += 1
        place = (place + 1) % 4
    return -1


def _lines_of(rows: int, columns: int) -> tuple[list[Line], NDArray[np.int64]]:
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


def construct(puzzle: Field, start: Tiles) -> Moves:
    """Return directions of the blank that solve a classic board.

    Its goal may have the blank anywhere: then the solution first leads to the goal with its blank
    moved into the last corner, and from there on back.
    """
    size, near = puzzle.size, puzzle.near
    lines, ring = _lines_of(puzzle.rows, puzzle.columns)
    wanted = np.empty(size, np.int64)
    wanted[puzzle.homes] = np.arange(size)
    back = _into_the_corner(wanted, near)
    # Generous: no tile of any board needs more moves than this to go home.
    most = 8 * size * (puzzle.rows + puzzle.columns) + 64 * size
    here = Construction(
        board=start.astype(np.int64),
        wanted=wanted,
        fixed=np.zeros(size, np.bool_),
        near=near,
        moves=np.empty(most, np.int8),
        tile_ways=np.empty(size, np.int8),
        blank_ways=np.empty(size, np.int8),
        waiting=np.empty(size, np.int32),
    )
    count, shared = 0, Arguments(here)
    for line in lines:
        count = _bring_home.given(shared, Arguments(line, count))()
    count = _turn_round(here, ring, count)
    assert count >= 0, "the board is solvable"
    return np.concatenate([here.moves[:count], back])


def _into_the_corner(wanted: NDArray[np.int64], near: Neighbours) -> Moves:
    """Move the blank of a goal down and right into the last corner; return the way back."""
    blank = int(np.flatnonzero(wanted == 0)[0])
    back: list[int] = []
    for direction in (3, 2):
        while (other := int(near[blank, direction])) >= 0:
            wanted[blank], wanted[other] = wanted[other], 0
            blank = other
            back.append(3 - direction)
    return np.array(back[::-1], np.int8)
