"""Read boards and goals given by the places of their tiles, as in S3.

    4x4 A(0,3) B(1,3) C(2,3) agent(3,3)         (0, 0)     (1, 0)     (2, 0)
                                                A (0, 1)   B (1, 1)   agent (2, 1)
    the size, then where the tiles are          or every cell, with or without a tile

x counts from the left and y from the top, both from 0. A cell that is not mentioned holds a filler
on a board, and any tile in a goal.
"""

from __future__ import annotations

import re

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, Label
from taquin.model.rows import Cell, Place, read_label
from taquin.notation.forms import Size, place_of, refuse_more_cells

_SIZE = r"\s*+([0-9]{1,5})\s*+[xX×]\s*+([0-9]{1,5})(?=\s)"
_TILE = r"[\s,]*+([^\s(),]*+)\s*+\(\s*+([0-9]{1,5})\s*+,\s*+([0-9]{1,5})\s*+\)[\s,]*+"
_AGENT = "agent"


def is_by_place(text: str) -> bool:
    """Return whether a text consists of the places of tiles, with or without a size before."""
    return text.rstrip()[-1:] == ")" and bool(re.fullmatch(f"(?:{_SIZE})?(?:{_TILE})+", text))


def cells_by_place(text: str, size: Size | None, rest: Label) -> list[list[Cell]]:
    """Return the rows of cells of such a text; `rest` fills the cells that it does not mention.

    A text without a size has `size`. Raise NotationError that points at the fault.
    """
    header = re.match(_SIZE, text)
    cells: dict[tuple[int, int], Cell] = {}
    for match in re.compile(_TILE).finditer(text, header.end() if header else 0):
        name, x, y = match[1], int(match[2]), int(match[3])
        place = place_of(text, match.start(1))
        if (y, x) in cells:
            raise NotationError(f"expected one tile at ({x},{y}), found another: {name}", *place)
        cells[y, x] = Cell(_label(name, rest, place), place)
    if header:
        size = int(header[1]), int(header[2])
    least_rows, least_columns = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    if size is None and len(cells) < least_rows * least_columns:
        raise NotationError(
            "expected the size of the grid before the places of its tiles, as in "
            "'4x4 A(0,3) agent(3,3)', found no size"
        )
    if rest != ANY and all(cell.label != BLANK for cell in cells.values()):
        raise NotationError("expected the place of the blank too, as agent(3,3), found none")
    rows, columns = size or (least_rows, least_columns)
    refuse_more_cells(rows * columns)
    for (y, x), cell in cells.items():
        if y >= rows or x >= columns:
            raise NotationError(
                f"expected a place on {rows}×{columns}, counted from 0, found ({x},{y})",
                *cell.place,
            )
    unmentioned = Cell(rest, ())
    return [[cells.get((y, x), unmentioned) for x in range(columns)] for y in range(rows)]


def _label(name: str, rest: Label, place: Place) -> Label:
    if not name:
        return rest
    return BLANK if name.lower() == _AGENT else read_label(name, place)
