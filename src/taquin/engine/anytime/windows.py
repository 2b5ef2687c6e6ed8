"""Solve a board of any size by narrow beams in windows of it.

    . . . . . . . .     A beam over a whole board needs a board for about every fourth cell, or the
    . ┌─────────┐ .     blank cannot leave a region where every tile is well placed for now. In a
    . │ . . . . │ .     window of a few hundred cells 20 to 1,000 boards are enough, and a board is
    . │ . . . . │ .     as small as the window with the two cells around it. Tiles that belong
    . └─────────┘ .     elsewhere go to its rim, as the squares of their distances make them, and
    . . . . . . . .     the next window takes them on.

Windows follow the blank. Where the window around the blank gains nothing, the nearest one that has
changed since it was last searched is next. A move has a *price*: a window's walk ends where what it
takes off the value is most, less the price of its moves. The price falls from stage to stage, once
no window gains anything at the present one, so moves are made where they are worth most first: at a
price of zero from the beginning a solution is half as long again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isqrt

from taquin.engine.anytime.beam import CpuBeam, Pace, Window
from taquin.engine.anytime.puzzle_arrays import Moves, PuzzleArrays, Tiles, apply_moves
from taquin.engine.anytime.value import FAR, REACH, Box
from taquin.system.arrays import array, int16

_DEAREST, _CHEAPEST = 10, 10
"""The first price of a move for each row or column of the board, and the last one; 64 is what it
costs by the value."""
_FALL = 0.7
"""Each price divided by the one before it."""
_SIDE = 7.0
"""Rows and columns of a window for a beam of one board; more with the fifth root of its width."""
_LARGEST_SIDE = 28
"""With the cells around it a window has at most 1,024."""
_PATIENCE = 24
"""Levels without a better board after which the search in a window ends."""
_STEP_VALUE = 100
"""A tile's value per step from home, apart from the squared distances."""

_MOVES, _EFFORT, _EFFORT_POWER = 0.49, 1.2, 1.65
"""Moves for each cell and each row or column, and the effort for so great a power of the cells:
measured from 22×22 to 100×100 with 50 and 100 boards, where both grow in proportion."""
_PARTS = 100
"""The points of an expected curve."""


def side_for(width: int) -> int:
    """Return the side of a window for a beam of some width."""
    return min(_LARGEST_SIDE, int(_SIDE * width**0.2))


def memory_for(width: int, side: int, line: int) -> int:
    """Return an estimate of the bytes of a beam for windows; `line` as for `CpuBeam`."""
    return width * (4 * (side + 2 * REACH) ** 2 + 32 * max(4, line) + 152)


def prices(rows: int, columns: int) -> Iterator[int]:
    """Yield the prices of a move in descending order."""
    price: float = _DEAREST * max(rows, columns)
    while price > _CHEAPEST:
        yield int(price)
        price *= _FALL
    yield _CHEAPEST


@dataclass(frozen=True, slots=True)
class EffortCurve:
    """The progress of a solution by windows: moves and effort after each window."""

    moves: list[int] = field(default_factory=lambda: [0])
    """Moves after each window."""
    efforts: list[float] = field(default_factory=lambda: [0.0])
    """Successors per board of the beam's width so far; about three per level."""

    @classmethod
    def expected(cls, rows: int, columns: int) -> EffortCurve:
        """Return an estimate for a random board."""
        cells, parts = rows * columns, range(_PARTS + 1)
        moves, effort = _MOVES * cells * (rows + columns), _EFFORT * cells**_EFFORT_POWER
        return cls(
            [int(moves * part / _PARTS) for part in parts],
            [effort * part / _PARTS for part in parts],
        )

    def note(self, moves: int, effort: float) -> None:
        """Add the moves and the effort of a window."""
        self.moves.append(self.moves[-1] + moves)
        self.efforts.append(self.efforts[-1] + effort)

    def effort_at(self, share: float) -> int:
        """Return the effort after a share of the moves."""
        place = bisect_left(self.moves, share * self.moves[-1])
        return int(self.efforts[min(place, len(self.efforts) - 1)])


class Windows:
    """Brings a board closer to the goal, window by window."""

    def __init__(
        self, puzzle: PuzzleArrays, start: Tiles, beam: CpuBeam, keep_going: Callable[[], bool]
    ) -> None:
        self.course = EffortCurve()
        """The moves and the effort of each window."""
        self._puzzle, self._beam, self._keep_going = puzzle, beam, keep_going
        self._board = array(start, int16)
        self._blank = start.index(0)
        self._seen: set[int] = set()
        """Hashes of the boards after each window."""
        self._moves: list[Moves] = []
        self._width = beam.width
        side = min(side_for(beam.width), isqrt(beam.cells) - 2 * REACH)
        rows, columns = puzzle.rows, puzzle.columns
        self._rows = min(rows, max(side, side * side // columns))
        self._columns = min(columns, side * side // self._rows)
        self._boxes = [
            Box(top, left, top + self._rows, left + self._columns)
            for top in _begins(rows, self._rows)
            for left in _begins(columns, self._columns)
        ]

    def solve(self, pace: Pace | None = None, before: EffortCurve | None = None) -> Moves:
        """Return moves that bring all but a few percent of the tiles home.

        `pace` plans the width of beams, given the course of a narrower search `before`.
        """
        for price in prices(self._puzzle.rows, self._puzzle.columns):
            self.improve(price, pace, before)
        return b"".join(self._moves)

    def improve(
        self, price: int = _CHEAPEST, pace: Pace | None = None, before: EffortCurve | None = None
    ) -> Moves:
        """Search until no window improves the board at `price`; return all moves so far."""
        changed = set(self._boxes)
        while changed and self._keep_going():
            if pace is not None and before is not None:
                share = self.course.moves[-1] / max(1, before.moves[-1])
                self._width = pace.width_after(before.effort_at(share))
            box = self._box_around_blank()
            if not self._search(box, price):
                changed.discard(box)
                while changed and self._keep_going():
                    box = min(changed, key=self._distance_to)
                    changed.discard(box)
                    if self._search(box, price):
                        break
                else:
                    break
            changed.update(other for other in self._boxes if _overlap(box, other))
        return b"".join(self._moves)

    def _search(self, box: Box, price: int) -> bool:
        """Move the blank into a box and search there; keep the moves if they improve the board."""
        puzzle, beam = self._puzzle, self._beam
        entry = bytes(puzzle.steps_between(self._blank, self._nearest_cell(box)))
        gain = -price * len(entry) - self._cost_of(entry)
        board = self._board.copy()
        apply_moves(puzzle, board, entry)
        generated = beam.generated
        found = beam.search(
            *(puzzle, board, self._keep_going),
            window=Window(box, price, _PATIENCE),
            width_after=lambda _: self._width,
        )
        gain -= found.value + price * found.levels
        effort = (beam.generated - generated) / self._width
        blank = apply_moves(puzzle, board, found.moves)
        key = hash(board.tobytes())
        # The cost of an entry is an estimate: without the hashes the blank could go in circles.
        if not found.moves or gain <= 0 or key in self._seen:
            self.course.note(0, effort)
            return False
        self._seen.add(key)
        self._blank, self._board = blank, board
        self._moves.append(entry + found.moves)
        self.course.note(len(entry) + len(found.moves), effort)
        return True

    def _cost_of(self, entry: Moves) -> int:
        """Return an estimate of the change in value by the blank's path into a box."""
        puzzle, columns = self._puzzle, self._puzzle.columns
        blank, cost = self._blank, 0
        for direction in entry:
            cell = puzzle.near[blank, direction]
            home = puzzle.homes[self._board[cell]]
            for to, sign in ((blank, 1), (cell, -1)):
                down = abs(to // columns - home // columns)
                right = abs(to % columns - home % columns)
                cost += sign * (FAR * (down**2 + right**2) + _STEP_VALUE * (down + right))
            blank = cell
        return cost

    def _box_around_blank(self) -> Box:
        row, column = divmod(self._blank, self._puzzle.columns)
        top = min(max(0, row - self._rows // 2), self._puzzle.rows - self._rows)
        left = min(max(0, column - self._columns // 2), self._puzzle.columns - self._columns)
        return Box(top, left, top + self._rows, left + self._columns)

    def _nearest_cell(self, box: Box) -> int:
        """Return the cell of a box that is nearest to the blank."""
        row, column = divmod(self._blank, self._puzzle.columns)
        row = min(max(box.top, row), box.bottom - 1)
        return row * self._puzzle.columns + min(max(box.left, column), box.right - 1)

    def _distance_to(self, box: Box) -> int:
        """Return the steps of the blank to the middle of a box."""
        row, column = divmod(self._blank, self._puzzle.columns)
        down, right = box.top + box.bottom - 2 * row, box.left + box.right - 2 * column
        return abs(down) + abs(right)


def _begins(length: int, side: int) -> list[int]:
    """Return the first row or column of each window; neighbours overlap by half."""
    begins = [*range(0, length - side, max(1, side // 2)), length - side]
    return sorted(set(begins))


def _overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes have a cell in common."""
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom
