"""A puzzle: a goal and a metric. Frozen, hashable, and independent of any search.

A goal has a label, or ANY, for each cell:

    1 2 3        * A *         full goal, blank last; and a partial one that
    4 5 6        * B *         fixes only A, B and the blank
    7 8 _        * _ *

It is a predicate over labels, so interchangeable tiles and ANY cells need no special case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from taquin.errors import BoardError, IllegalMoveError, MismatchError
from taquin.model.board import Arrangement, Board, BoardLike
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, WALL, Label, Metric, Move
from taquin.model.rows import fold
from taquin.reasons import reason
from taquin.system.formatting import listed


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Goal(Arrangement):
    """The set of solved boards. Raise BoardError for an invalid goal.

    >>> print(Goal("* A / * @"))
    * A
    * _
    """

    def _check(self) -> None:
        Arrangement._check(self)
        if BLANK not in self.cells and ANY not in self.cells:
            raise BoardError(reason("goal-no-blank"))

    @classmethod
    def blank_last(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal 1, 2, 3 … row by row with the blank in the last cell."""
        grid = Grid(rows, columns, frozenset(walls))
        return cls._along(grid, grid.open_cells)

    @classmethod
    def blank_first(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal with the blank in the first cell, then 1, 2, 3 … row by row."""
        grid = Grid(rows, columns, frozenset(walls))
        path = grid.open_cells
        return cls._along(grid, (*path[1:], path[0]))

    @classmethod
    def snail(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal 1, 2, 3 … along a clockwise spiral with the blank innermost."""
        grid = Grid(rows, columns, frozenset(walls))
        lines = fold(range(grid.size), columns)
        spiral: list[int] = []
        while lines:
            spiral += lines.pop(0)
            # A quarter turn makes the next side of the spiral the first line.
            lines = [list(line) for line in zip(*lines, strict=True)][::-1]
        return cls._along(grid, [cell for cell in spiral if cell not in grid.walls])

    @classmethod
    def _along(cls, grid: Grid, path: Sequence[int]) -> Goal:
        cells: list[Label] = [WALL] * grid.size
        for number, cell in enumerate(path, 1):
            cells[cell] = number
        cells[path[-1]] = BLANK
        return cls(grid, tuple(cells))

    @property
    def fixed(self) -> dict[int, Label]:
        """The cells that must hold a given label, walls left out."""
        return {cell: label for cell, label in enumerate(self.cells) if label not in (ANY, WALL)}

    @property
    def is_full(self) -> bool:
        """Whether exactly one arrangement of distinct tiles meets the goal."""
        return ANY not in self.cells and all(
            count == 1 for label, count in self.labels.items() if label != WALL
        )

    def is_met(self, board: BoardLike) -> bool:
        """Return whether `board` is solved."""
        board = Board.of(board)
        return self.grid == board.grid and all(
            wanted in (ANY, label) for wanted, label in zip(self.cells, board.cells, strict=True)
        )


NAMED_GOALS = {"blank-last": Goal.blank_last, "blank-first": Goal.blank_first, "snail": Goal.snail}
"""Goals by name; each exists on every grid."""


def named_goal(name: str, grid: Grid) -> Goal:
    """Return the goal of `NAMED_GOALS` on `grid`."""
    return NAMED_GOALS[name](grid.rows, grid.columns, grid.walls)


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A goal and a metric."""

    goal: Goal
    """The solved boards."""
    metric: Metric = Metric.SINGLE
    """Whether a slide of several tiles is one move or one move per tile."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", Goal.of(self.goal))
        object.__setattr__(self, "metric", Metric.named(self.metric))

    @property
    def grid(self) -> Grid:
        """The grid of the goal."""
        return self.goal.grid

    def __repr__(self) -> str:
        metric = "" if self.metric is Metric.SINGLE else f", {self.metric!r}"
        return f"Puzzle({self.goal!r}{metric})"

    def is_goal(self, board: BoardLike) -> bool:
        """Return whether `board` is solved."""
        return self.goal.is_met(board)

    def successors(self, board: BoardLike) -> Iterator[tuple[Move, Board]]:
        """Yield each legal move with the board it leads to."""
        board = Board.of(board)
        for move in board.moves(self.metric):
            yield move, board.slide(move.direction, len(move.tiles))

    def is_in_place(self, board: BoardLike, tile: Label | tuple[int, int]) -> bool:
        """Return whether a tile is at home; see `distance_from_home`."""
        return self.distance_from_home(board, tile) == 0

    def distance_from_home(self, board: BoardLike, tile: Label | tuple[int, int]) -> int:
        """Return the Manhattan distance of a tile from its nearest home, walls ignored.

        `tile` is a label or, if several tiles have that label, a row and column, from 0. Homes are
        the cells with this label in some solved board: those where the goal names the label and,
        if the board has more tiles with it, those where the goal has ANY. The blank has homes too.
        Raise MismatchError if the board does not fit, or if the tile is missing or ambiguous.

        >>> puzzle = Puzzle("1 2 3 / 4 5 6 / 7 8 0")
        >>> [puzzle.distance_from_home("8 1 3 / 4 0 2 / 7 6 5", tile) for tile in range(1, 9)]
        [1, 2, 0, 0, 2, 2, 0, 3]
        """
        board = Board.of(board)
        self.check(board)
        if isinstance(tile, tuple):
            label, (row, column) = board[tile], tile
            cell = range(board.grid.rows)[row] * board.grid.columns + column % board.grid.columns
        else:
            label, cell = tile, board.find(tile)
            if board.cells.count(label) > 1 and label != WALL:
                raise MismatchError(
                    f"several tiles are labelled {label!r}: give the row and column of one, such "
                    f"as {board.grid.place(cell)}"
                )
        if label == WALL:
            raise MismatchError("a wall is not a tile and has no home")
        wanted = {label}
        if board.labels[label] > self.goal.labels[label]:
            wanted.add(ANY)
        return min(
            self.grid.distance(cell, home)
            for home, label in enumerate(self.goal.cells)
            if label in wanted
        )

    def solution_parity(self, start: BoardLike) -> int | None:
        """Return 0 or 1, the parity of the length of every solution; None if it varies.

        Each single move takes the blank to a cell of the other colour of a checkerboard, so the
        parity follows from its first and last cell. It varies in the multi metric, and if the goal
        lets the blank end on either colour.
        """
        if self.metric is not Metric.SINGLE:
            return None
        labels, blank = self.goal.cells, Board.of(start).blank
        if BLANK in labels:
            return self.grid.distance(blank, labels.index(BLANK)) % 2
        parities = {
            self.grid.distance(blank, cell) % 2 for cell, label in enumerate(labels) if label == ANY
        }
        return parities.pop() if len(parities) == 1 else None

    def check(self, board: BoardLike) -> None:
        """Raise MismatchError unless `board` has the size, walls and tiles of the goal."""
        goal, board = self.goal, Board.of(board)
        tiles = set(goal.cells)
        if goal.grid == board.grid and len(tiles) == len(goal.cells) and tiles <= set(board.cells):
            # Fast path for most boards: without repeated labels no counting is needed.
            return
        if board.grid.shape != goal.grid.shape:
            raise MismatchError(reason("sizes", start=board.grid.shape, goal=goal.grid.shape))
        if board.grid.walls != goal.grid.walls:
            cell = min(board.grid.walls ^ goal.grid.walls)
            row, column = goal.grid.place(cell)
            raise MismatchError(
                reason(
                    "wall-of-start" if cell in board.grid.walls else "wall-of-goal",
                    row=row + 1,
                    column=column + 1,
                )
            )
        if missing := goal.labels - board.labels:
            others = listed((board.labels - goal.labels).elements())
            raise MismatchError(
                reason(
                    "goal-tiles",
                    names=listed(missing.elements()),
                    count=missing.total(),
                    others="" if ANY in goal.cells else reason("instead", names=others),
                )
            )

    def replay(self, start: BoardLike, moves: Iterable[Move]) -> tuple[Board, ...]:
        """Check that `moves` solve the puzzle, and return every board from `start` on.

        Raise IllegalMoveError if a move is illegal on its board or in the metric, or if the last
        board is not solved.
        """
        self.check(start)
        boards = [Board.of(start)]
        for number, move in enumerate(moves, 1):
            if self.metric is Metric.SINGLE and len(move.tiles) != 1:
                raise IllegalMoveError(reason("slides-more", number=number, move=str(move)))
            try:
                boards.append(boards[-1].apply(move))
            except IllegalMoveError as error:
                raise IllegalMoveError(
                    reason("move-at", number=number, detail=error.reason)
                ) from None
        if not self.is_goal(boards[-1]):
            raise IllegalMoveError(
                reason("not-solved", count=len(boards) - 1, board=str(boards[-1]))
            )
        return tuple(boards)
