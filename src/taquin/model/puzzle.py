"""A puzzle: a goal and a metric. Frozen, hashable, and independent of any search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from taquin.errors import IllegalMoveError, MismatchError
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, WALL, Label, Metric, Move
from taquin.system.words import listed


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A goal, and what counts as one move on the way to it."""

    goal: Goal
    """The boards that count as solved."""
    metric: Metric = Metric.SINGLE
    """Whether a slide of several tiles counts once or once per tile."""

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
        """Return the rows and columns between a tile and its nearest home, walls ignored.

        `tile` is its label or, where several tiles have that label, its row and column, from 0. Its
        homes are the cells where some solved board has its label: those for which the goal names
        the label and, if the board has more tiles with it, those that may hold any (`*`). The blank
        has homes too. Raise MismatchError for a board that does not fit, and for a tile that is not
        there or not the only one.

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
            raise MismatchError("a wall is no tile and has no home")
        wanted = {label}
        if board.labels[label] > self.goal.labels[label]:
            wanted.add(ANY)
        return min(
            self.grid.distance(cell, home)
            for home, there in enumerate(self.goal.cells)
            if there in wanted
        )

    def solution_parity(self, start: BoardLike) -> int | None:
        """Return 0 or 1, the parity of the length of every solution; None if it varies.

        Each single move takes the blank to a cell of the other colour of a checkerboard, so its
        first and last cell decide. It varies in the multi metric, and where the goal lets the
        blank end on either colour.
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
            # No label is repeated, so that nobody has to count: most boards are checked like this.
            return
        if board.grid.shape != goal.grid.shape:
            raise MismatchError(
                f"the start is {board.grid.shape} and the goal {goal.grid.shape}: they must have "
                f"the same size"
            )
        if board.grid.walls != goal.grid.walls:
            cell = min(board.grid.walls ^ goal.grid.walls)
            has, lacks = ("start", "goal") if cell in board.grid.walls else ("goal", "start")
            raise MismatchError(
                f"the {has} has a wall in {goal.grid.where(cell)} and the {lacks} has none: walls "
                f"must be the same"
            )
        if missing := goal.labels - board.labels:
            others = f" (it has {listed((board.labels - goal.labels).elements())} instead)"
            raise MismatchError(
                f"the goal asks for {listed(missing.elements())} and the start has "
                f"no such tile{'' if missing.total() == 1 else 's'}"
                f"{'' if ANY in goal.cells else others}; give a goal with the tiles of the start"
            )

    def replay(self, start: BoardLike, moves: Iterable[Move]) -> tuple[Board, ...]:
        """Return every board from `start` on, after checking that `moves` solve the puzzle.

        Raise IllegalMoveError for a move that is illegal on its board or in the metric, and for a
        last board that is not solved.
        """
        self.check(start)
        boards = [Board.of(start)]
        for number, move in enumerate(moves, 1):
            if self.metric is Metric.SINGLE and len(move.tiles) != 1:
                raise IllegalMoveError(f"move {number}, '{move}', slides more than one tile")
            try:
                boards.append(boards[-1].apply(move))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from None
        if not self.is_goal(boards[-1]):
            raise IllegalMoveError(
                f"after {len(boards) - 1} moves the board is not solved:\n{boards[-1]}"
            )
        return tuple(boards)
