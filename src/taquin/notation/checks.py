"""From cells with places to boards and goals: what is wrong, and where.

A board may repeat labels, so `1 2 3 / 4 4 6 / 7 8 0` is one; only whoever knows that the tiles
must be 1, 2, 3 … (`classic`) can call the second 4 a slip.
"""

from __future__ import annotations

from collections.abc import Sequence

from taquin.errors import BoardError, NotationError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import ANY, BLANK, WALL, Label
from taquin.model.rows import Cell
from taquin.system.words import shorten

_LISTED = 5
"""How many missing tiles a message names."""


def board_of_cells(rows: Sequence[Sequence[Cell]], classic: bool = False) -> Board:
    """Return the board of `rows`; raise NotationError that points at the fault.

    With `classic`, demand the blank and the tiles 1, 2, 3 … once each.
    """
    cells = [cell for row in rows for cell in row]
    for cell in cells:
        if cell.label == ANY:
            raise NotationError(
                "a board cannot hold '*' (any): only a goal can", cell.line, cell.column
            )
    _refuse_second_blank(cells, "board")
    if classic:
        _check_classic(cells)
    if all(cell.label != BLANK for cell in cells):
        raise NotationError(f"a board needs one blank (0 or _), found none{_hint(cells)}")
    return Board.of_rows(_labels(rows))


def goal_of_cells(rows: Sequence[Sequence[Cell]]) -> Goal:
    """Return the goal of `rows`; raise NotationError that points at the fault."""
    cells = [cell for row in rows for cell in row]
    _refuse_second_blank(cells, "goal")
    try:
        return Goal.of_rows(_labels(rows))
    except BoardError as error:
        raise NotationError(f"{error}{_hint(cells)}") from None


def _labels(rows: Sequence[Sequence[Cell]]) -> list[list[Label]]:
    return [[cell.label for cell in row] for row in rows]


def _refuse_second_blank(cells: Sequence[Cell], what: str) -> None:
    blanks = [cell for cell in cells if cell.label == BLANK]
    if len(blanks) > 1:
        raise NotationError(
            f"a {what} has one blank, found {len(blanks)}, the first {_where(blanks[0])}",
            blanks[1].line,
            blanks[1].column,
        )


def _check_classic(cells: Sequence[Cell]) -> None:
    last = sum(cell.label != WALL for cell in cells) - 1
    wanted = set(range(last + 1))
    first: dict[Label, Cell] = {}
    for cell in cells:
        label = cell.label
        if label == WALL:
            continue
        if label not in wanted:
            found = shorten(label) if isinstance(label, str) else f"{label}, which is out of range"
            raise NotationError(
                f"expected the tiles 1 to {last} and the blank 0, found {found}"
                f"{_missing(wanted, cells)}",
                cell.line,
                cell.column,
            )
        if label in first:
            raise NotationError(
                f"tile {label} appears twice, first {_where(first[label])}"
                f"{_missing(wanted, cells)}",
                cell.line,
                cell.column,
            )
        first[label] = cell


def _missing(wanted: set[int], cells: Sequence[Cell]) -> str:
    missing = sorted(wanted - {cell.label for cell in cells})
    names = ["the blank" if number == BLANK else f"tile {number}" for number in missing]
    more = len(names) - _LISTED
    shown = ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"; {shown} {'is' if len(names) == 1 else 'are'} missing"


def _hint(cells: Sequence[Cell]) -> str:
    """Say what a lone `b` is read as, for it is the blank in words such as `b12 345 678` only."""
    for cell in cells:
        if cell.label in ("b", "B"):
            return f"; {cell.label} {_where(cell)} is the name of a tile here"
    return ""


def _where(cell: Cell) -> str:
    return f"in line {cell.line}, column {cell.column}"
