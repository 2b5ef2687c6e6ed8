"""A board: one immutable position on a grid.

    Board("4 1 3 / 0 2 6 / 7 5 8")               4 1 3
                                                 _ 2 6
    cells == (4, 1, 3, 0, 2, 6, 7, 5, 8)         7 5 8

Invariant: exactly one blank, `#` exactly on the walls of the grid, `*` nowhere.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self, SupportsIndex, overload

from taquin.errors import BoardError, IllegalMoveError, MismatchError, NotationError
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, WALL, Direction, Label, Metric, Move
from taquin.model.rows import (
    MARKS,
    Cell,
    draw_rows,
    fold,
    is_label,
    labels_of,
    lines_of_value,
    rows_of_value,
    with_blank,
    write_canonical,
)
from taquin.reasons import reason
from taquin.system.formatting import shorten
from taquin.system.lazy import Pictured, read_as

_LARGEST_SHOWN = 100
"""The maximum number of cells of a board that `repr` shows."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Arrangement(Pictured):
    """A label for each cell of a grid: the base of `Board` and `Goal`."""

    grid: Grid
    """The geometry."""
    cells: tuple[Label, ...]
    """The label of each cell, row by row: `#` on walls, and in a goal `*` for any label."""

    def __hash__(self) -> int:
        return hash(self.cells)

    def __init__(self, grid: Grid | BoardLike, cells: Iterable[Label] | None = None) -> None:
        """Create it from a grid and its cells, or from one value that `of` accepts.

        >>> Board("1 2 / 3 0") == Board([[1, 2], [3, 0]]) == Board(Grid(2, 2), (1, 2, 3, 0))
        True
        """
        if cells is None:
            arrangement = self.of(grid)
            grid, cells = arrangement.grid, arrangement.cells
        elif not isinstance(grid, Grid):
            raise BoardError(
                f"expected one value, such as {type(self).__name__}([[1, 2], [3, 0]]), or a Grid "
                f"and its cells; found two values: put the rows into one list"
            )
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "cells", tuple(cells))
        self._check()

    def _check(self) -> None:
        """Raise BoardError unless the cells fit the grid: their number, labels, walls, blanks."""
        grid, cells = self.grid, self.cells
        if len(cells) != grid.size:
            noun = f"a {type(self).__name__.lower()} on a {grid.shape} grid"
            raise BoardError(f"{noun} needs {grid.size} cells, found {len(cells)}")
        for cell, label in enumerate(cells):
            if is_label(label) and (label == WALL) == (cell in grid.walls):
                continue
            expected = "a wall" if cell in grid.walls else "no wall"
            if not is_label(label):
                expected = "a number or a name"
            raise BoardError(f"{grid.where(cell)}: expected {expected}, found {label!r}")
        if (blanks := cells.count(BLANK)) > 1:
            raise BoardError(
                reason("board-blanks" if isinstance(self, Board) else "goal-blanks", count=blanks)
            )

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[Label]]) -> Self:
        """Return the board or goal of nested rows; raise BoardError for impossible ones."""
        return cls(Grid.of_rows(rows), chain(*rows))

    @classmethod
    def of_cells(cls, rows: Sequence[Sequence[Cell]]) -> Self:
        """Return the board or goal of cells of a text; raise NotationError with their place."""
        rows = with_blank(rows)
        try:
            return cls.of_rows(labels_of(rows))
        except BoardError as error:
            raise _with_place(error, list(chain(*rows))) from None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a text in any form of `taquin.notation`; NotationError points at the fault.

        >>> Board.parse("4 1 3 / 0 2 6 / 7 5 8") == Board.parse("413026758")
        True
        """
        return cls.of(text)

    @classmethod
    def of(cls, value: object) -> Self:
        """Convert `value` to a board or goal; return `value` itself if it is one.

        It may be a text, nested rows, a flat list of a square, a list of lines, an array, a JSON
        object, a board or a goal. Raise InputError for anything else.

        >>> Board.of([[1, 2], [3, None]]) == Board.of(["1 2", "3 0"]) == Board.of("1 2 / 3 0")
        True
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, Arrangement):
            return cls(value.grid, value.cells)
        if isinstance(value, Iterator):
            value = list(value)
        value = lines_of_value(value) or value
        if isinstance(value, str | dict):
            arrangement: Self = read_as(cls, value)
            return arrangement
        return cls.of_rows(rows_of_value(value))

    @overload
    def __getitem__(self, place: tuple[int, int]) -> Label: ...

    @overload
    def __getitem__(self, place: int) -> tuple[Label, ...]: ...

    def __getitem__(self, place: tuple[int, int] | int) -> Label | tuple[Label, ...]:
        """Return the label at (row, column), or a row; negative indices count from the end.

        >>> Board("1 2 / 3 0")[1, 0], Board("1 2 / 3 0")[1][0], list(Board("1 2 / 3 0"))
        (3, 3, [(1, 2), (3, 0)])
        """
        if isinstance(place, int):
            return self.rows()[place]
        try:
            row, column = place
            grid = self.grid
            return self.cells[range(grid.rows)[row] * grid.columns + range(grid.columns)[column]]
        except IndexError:
            raise IndexError(
                f"row {row}, column {column} is not on {self.grid.shape} cells; they count from 0"
            ) from None
        except (TypeError, ValueError):
            raise TypeError("expected a row and a column, such as board[0, 2]") from None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the labels as a two-dimensional NumPy array.

        The items are integers or, if some label is not a number (walls, names, ANY), objects.
        """
        if copy is False:
            raise ValueError(f"a {type(self).__name__.lower()} holds no array: it must be copied")
        # Only NumPy calls this method, so it is loaded; the model does not depend on it.
        numpy: Any = sys.modules["numpy"]
        is_numeric = all(isinstance(label, int) for label in self.cells)
        return numpy.array(self.rows(), dtype or (int if is_numeric else object))

    def __iter__(self) -> Iterator[tuple[Label, ...]]:
        return iter(self.rows())

    @property
    def labels(self) -> Counter[Label]:
        """The number of cells of each label, blank and walls included, ANY left out."""
        counts = Counter(self.cells)
        del counts[ANY]
        return counts

    def rows(self) -> tuple[tuple[Label, ...], ...]:
        """Return the cells as one tuple per row."""
        return tuple(map(tuple, fold(self.cells, self.grid.columns)))

    def text(self) -> str:
        """Return the canonical one-line form, which `parse` reads back."""
        return write_canonical(self.cells, self.grid.columns)

    def __str__(self) -> str:
        return draw_rows(self.cells, self.grid.columns)

    def __repr__(self) -> str:
        """Return the expression that creates it, or only the size if it is large."""
        name = type(self).__name__
        if self.grid.size > _LARGEST_SHOWN:
            return f"<{name} of {self.grid.shape} cells>"
        return f"{name}({self.text()!r})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Board(Arrangement):
    """One position: a label for each cell of a grid. Raise BoardError for an invalid one.

    It accepts a text in any notation, nested rows or an array, with 0 or None for the blank:

    >>> print(Board("8 1 3 / 4 0 2 / 7 6 5"))
    8 1 3
    4 _ 2
    7 6 5
    """

    def _check(self) -> None:
        Arrangement._check(self)
        if ANY in self.cells:
            raise BoardError(reason("board-any"))
        if BLANK not in self.cells:
            raise BoardError(reason("board-no-blank"))

    @classmethod
    def trusted(cls, grid: Grid, cells: tuple[Label, ...]) -> Self:
        """Create a board without checking its cells, which the caller guarantees to be valid."""
        board = object.__new__(cls)
        object.__setattr__(board, "grid", grid)
        object.__setattr__(board, "cells", cells)
        return board

    @property
    def blank(self) -> int:
        """The cell of the blank."""
        return self.cells.index(BLANK)

    def is_goal(self) -> bool:
        """Return whether the tiles are 1, 2, 3 … with the blank last.

        `Puzzle.is_goal` tests for other goals. In a search by user code, a board knows its goal.

        >>> Board("1 2 3 / 4 5 6 / 7 8 0").is_goal(), Board("0 1 / 2 3").is_goal()
        (True, False)
        """
        open_cells = [label for label in self.cells if label != WALL]
        return open_cells == [*range(1, len(open_cells)), BLANK]

    def find(self, label: Label) -> int:
        """Return the first cell that holds `label`; raise MismatchError if none does.

        >>> Board.parse("8 1 3 / 4 0 2 / 7 6 5").find(2)
        5
        """
        if label not in self.cells:
            raise MismatchError(f"no cell of this board holds {label!r}:\n{self}")
        return self.cells.index(label)

    def slide(self, direction: Direction | str, count: int = 1) -> Board:
        """Return the board after sliding `count` tiles in a line in `direction` (or its name).

        Raise IllegalMoveError if that many tiles cannot slide.
        """
        direction = Direction.named(direction)
        blank, ray = self.blank, self._line(direction)
        if not 1 <= count <= len(ray):
            way, board = str(direction), str(self)
            if count < 1:
                fault = reason("slides-least", direction=way, found=count, board=board)
            elif not ray:
                fault = reason("slides-none", direction=way, board=board)
            else:
                fault = reason(
                    "slides-few", count=len(ray), direction=way, wanted=count, board=board
                )
            raise IllegalMoveError(fault)
        cells = list(self.cells)
        for cell in ray[:count]:
            cells[blank], cells[cell] = cells[cell], BLANK
            blank = cell
        return Board.trusted(self.grid, tuple(cells))

    def moves(self, metric: Metric | str = Metric.SINGLE) -> tuple[Move, ...]:
        """Return the legal moves: at most four, or every slide of a line in the multi metric."""
        longest = Metric.named(metric).longest
        lines = (
            (tuple(self.cells[cell] for cell in self._line(direction)[:longest]), direction)
            for direction in Direction
        )
        return tuple(
            Move(tiles[:count], direction)
            for tiles, direction in lines
            for count in range(1, len(tiles) + 1)
        )

    def apply(self, move: MoveLike) -> Board:
        """Return the board after a move, or after a sequence of moves.

        A move is a `Move`, the `Direction` of a tile, the number of a tile next to the blank, or a
        text of directions: `"L"`, `"left"`, `"LURD"`, `"L2 up"`. Raise IllegalMoveError for an
        illegal move.

        >>> Board("1 2 3 / 4 0 5 / 7 8 6").apply("LU").text()
        '1 2 3 / 4 5 6 / 7 8 0'
        """
        if isinstance(move, Move):
            ray = self._line(move.direction)[: len(move.tiles)]
            if not move.tiles or tuple(self.cells[cell] for cell in ray) != move.tiles:
                raise IllegalMoveError(reason("not-legal", move=str(move), board=str(self)))
            return self.slide(move.direction, len(move.tiles))
        if isinstance(move, Direction):
            return self.slide(move)
        if isinstance(move, SupportsIndex) and not isinstance(move, bool):
            tile = int(move)
            moves = [move for move in Board.moves(self) if move.tile == tile]
            if len(moves) != 1:
                fault = "several tiles have the number" if moves else "no tile beside the blank has"
                raise IllegalMoveError(f"{fault} {tile} here:\n{self}")
            return self.slide(moves[0].direction)
        if not isinstance(move, str | Iterable):
            raise IllegalMoveError(
                f"expected a move, such as board.moves()[0], 'L' or 'left'; "
                f"found {shorten(repr(move))}"
            )
        board = self
        steps = read_as(Move, move) if isinstance(move, str) else move
        for number, step in enumerate(steps, 1):
            try:
                board = board.slide(*step) if isinstance(move, str) else board.apply(step)
            except IllegalMoveError as error:
                raise IllegalMoveError(
                    reason("move-at", number=number, detail=error.reason)
                ) from None
        return board

    def _line(self, direction: Direction) -> tuple[int, ...]:
        """Return the cells whose tiles can slide in `direction`, the blank's neighbour first."""
        return self.grid.ray(self.blank, direction.opposite)


BoardLike = Arrangement | str | Iterable[Any]
"""A board, its text, nested rows, an array."""
MoveLike = Move | Direction | str | int | Iterable[Any]
"""A move, a direction, a tile, a text of directions, or several of these."""


def _with_place(error: BoardError, cells: Sequence[Cell]) -> NotationError:
    """Return `error` with the place of a `*`, a second blank, or tokens that may mean a blank."""
    fault = error.reason
    blanks = [cell for cell in cells if cell.label == BLANK]
    if len(blanks) > 1:
        line, column = blanks[0].place
        return NotationError(
            reason("first-at", detail=fault, line=line, column=column), *blanks[1].place
        )
    for cell in cells:
        if cell.label == ANY and fault.code == "board-any":
            return NotationError(fault, *cell.place)
    marked = [cell for cell in cells if cell.label in MARKS]
    if marked and not blanks:
        (line, column), name = marked[0].place, marked[0].label
        if len(marked) == 1:
            fault = reason("mark", detail=fault, name=name, line=line, column=column)
        else:
            (line2, column2), other = marked[1].place, marked[1].label
            fault = reason(
                "marks",
                detail=fault,
                name=name,
                line=line,
                column=column,
                other=other,
                line2=line2,
                column2=column2,
            )
    return NotationError(fault)
