"""The construction of `constructive.py` in plain Python, which waits for no compiler.

It solves a classic board line by line as a person would, in milliseconds up to 10×10, and makes the
same moves as the compiled construction, whose twin it is in the tests. Directions and cells are as
in `taquin.engine.anytime.field`: the blank goes 0 up, 1 left, 2 right, 3 down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from taquin.model.grid import Grid
from taquin.model.space import Space

LARGEST = 1_024
"""Most cells of a board that is solved within a second."""

_Near = list[tuple[int, int, int, int]]
"""For each cell the cell in each direction; -1 where the board ends."""


def is_constructible(space: Space) -> bool:
    """Return whether a board has no walls, at least 2×2 cells, and one home for every tile."""
    grid = space.puzzle.grid
    wanted = space.goal_ids
    is_full = sorted(wanted) == list(range(grid.size)) == sorted(space.start)
    return is_full and not grid.walls and min(grid.rows, grid.columns) >= 2


def construct_by_hand(space: Space) -> list[int]:
    """Return directions of the blank that solve a constructible board; it must be solvable."""
    grid = space.puzzle.grid
    made = _Construction(grid, list(space.start), list(space.goal_ids))
    back = made.move_goal_blank_to_corner()
    rows, columns = range(grid.rows), range(grid.columns)
    while len(rows) > 2 or len(columns) > 2:
        if len(rows) >= len(columns):
            block = [[row * grid.columns + column for column in columns] for row in rows[:3]]
            rows = rows[1:]
        else:
            block = [[row * grid.columns + column for row in rows] for column in columns[:3]]
            columns = columns[1:]
        made.bring_home(block[0], [cell for line in block for cell in line[-2:]])
    (top, bottom), (left, right) = rows, columns
    made.turn_ring(
        [row * grid.columns + column for row, column in
         ((top, left), (top, right), (bottom, right), (bottom, left))]
    )  # fmt: skip
    return made.moves + back


class _Construction:
    """A board on its way home."""

    def __init__(self, grid: Grid, board: list[int], wanted: list[int]) -> None:
        self.moves: list[int] = []
        self._board, self._wanted = board, wanted
        self._blank = board.index(0)
        self._fixed = [False] * grid.size
        self._near = _neighbours(grid)

    def move_goal_blank_to_corner(self) -> list[int]:
        """Move the blank of the goal down and right into the last corner; return the way back."""
        wanted = self._wanted
        blank = wanted.index(0)
        back: list[int] = []
        for direction in (3, 2):
            while (other := self._near[blank][direction]) >= 0:
                wanted[blank], wanted[other] = wanted[other], 0
                blank = other
                back.append(3 - direction)
        return back[::-1]

    def bring_home(self, line: Sequence[int], corner: Sequence[int]) -> None:
        """Bring the tiles of a line home and fix them, the last two together."""
        board, wanted, fixed = self._board, self._wanted, self._fixed
        for cell in line[:-2]:
            self._carry(wanted[cell], cell)
            fixed[cell] = True
        one, two = wanted[corner[0]], wanted[corner[1]]
        if board[corner[0]] != one or board[corner[1]] != two:
            self._carry(one, corner[1])
            fixed[corner[1]] = True
            # Where it is inside already, carrying it might shut the blank in.
            if all(board[cell] != two for cell in corner):
                self._carry(two, corner[5])
            place = board.index(two)
            if self._blank not in corner:
                fixed[place] = True
                self._walk(corner[3] if place == corner[2] else corner[2])
                fixed[place] = False
            self._turn_in(corner, one, two)
        fixed[corner[0]] = fixed[corner[1]] = True

    def turn_ring(self, ring: Sequence[int]) -> None:
        """Turn the last four cells until they are right."""
        place = ring.index(self._blank)
        for _ in range(13):
            if all(self._board[cell] == self._wanted[cell] for cell in ring):
                return
            place = (place + 1) % 4
            self._step(self._near[self._blank].index(ring[place]))
        raise AssertionError("the board is solvable")

    def _step(self, direction: int) -> None:
        other = self._near[self._blank][direction]
        self._board[self._blank], self._board[other] = self._board[other], 0
        self._blank = other
        self.moves.append(direction)

    def _ways(self, source: int, goal: int) -> dict[int, int]:
        """Return for each cell on a shortest way past the fixed ones the direction to the goal."""
        near, fixed = self._near, self._fixed
        towards = {goal: -1}
        waiting = deque([goal])
        # From the goal, so that the way can be read from the source on.
        while source not in towards:
            cell = waiting.popleft()
            for direction, other in enumerate(near[cell]):
                if other >= 0 and other not in towards and not fixed[other]:
                    towards[other] = 3 - direction
                    waiting.append(other)
        return towards

    def _walk(self, goal: int) -> None:
        """Take the blank to a cell by a shortest way past the fixed ones."""
        towards = self._ways(self._blank, goal)
        while self._blank != goal:
            self._step(towards[self._blank])

    def _carry(self, tile: int, goal: int) -> None:
        """Carry a tile to a cell past the fixed ones."""
        place = self._board.index(tile)
        towards = self._ways(place, goal)
        while place != goal:
            direction = towards[place]
            other = self._near[place][direction]
            self._fixed[place] = True
            self._walk(other)
            self._fixed[place] = False
            self._step(3 - direction)
            place = other

    def _turn_in(self, corner: Sequence[int], one: int, two: int) -> None:
        """Bring two tiles to the first two cells of a window that holds them and the blank."""
        place = {self._board[cell]: cell for cell in corner}
        start = (place[one], place[two], self._blank)
        came: dict[tuple[int, int, int], tuple[tuple[int, int, int], int]] = {}
        waiting = deque([start])
        while True:
            here = waiting.popleft()
            first, second, blank = here
            if (first, second) == (corner[0], corner[1]):
                break
            for other in corner:
                if other in self._near[blank]:
                    then = (
                        blank if first == other else first,
                        blank if second == other else second,
                        other,
                    )
                    if then not in came and then != start:
                        came[then] = (here, self._near[blank].index(other))
                        waiting.append(then)
        way: list[int] = []
        while here != start:
            here, direction = came[here]
            way.append(direction)
        for direction in reversed(way):
            self._step(direction)


def _neighbours(grid: Grid) -> _Near:
    near = []
    for cell in range(grid.size):
        row, column = divmod(cell, grid.columns)
        near.append(
            (
                cell - grid.columns if row > 0 else -1,
                cell - 1 if column > 0 else -1,
                cell + 1 if column < grid.columns - 1 else -1,
                cell + grid.columns if row < grid.rows - 1 else -1,
            )
        )
    return near
