"""Boards and goals told by the places of their tiles, as S3 has them.

    4x4 A(0,3) B(1,3) C(2,3) agent(3,3)         (0, 0)     (1, 0)     (2, 0)
                                                A (0, 1)   B (1, 1)   agent (2, 1)
    the size, then where the tiles are          or every cell, with or without a tile

x counts from the left and y from the top, both from 0. What is told of no cell is left to the
reader: on a board it holds a filler, for a goal anything will do.
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
    """Tell whether a text says of tiles where they are, and nothing else but a size before."""
    return text.rstrip()[-1:] == ")" and bool(re.fullmatch(f"(?:{_SIZE})?(?:{_TILE})+", text))


def cells_by_place(text: str, size: Size | None, rest: Label) -> list[list[Cell]]:
    """Return the cells of such a text, of `size` where it tells none; `rest` fills the others.

    Raise NotationError that points at the fault.
    """
    told = re.match(_SIZE, text)
    found: dict[tuple[int, int], Cell] = {}
    for match in re.compile(_TILE).finditer(text, told.end() if told else 0):
        name, x, y = match[1], int(match[2]), int(match[3])
        place = place_of(text, match.start(1))
        if (y, x) in found:
            raise NotationError(f"expected one tile at ({x},{y}), found another: {name}", *place)
        found[y, x] = Cell(_label(name, rest, place), place)
    if told:
        size = int(told[1]), int(told[2])
    high, wide = (1 + max(place[axis] for place in found) for axis in (0, 1))
    if size is None and len(found) < high * wide:
        raise NotationError(
            "expected the size of the grid before the places of its tiles, as in "
            "'4x4 A(0,3) agent(3,3)', found no size"
        )
    if rest != ANY and all(cell.label != BLANK for cell in found.values()):
        raise NotationError("expected the place of the blank too, as agent(3,3), found none")
    rows, columns = size or (high, wide)
    refuse_more_cells(rows * columns)
    for (y, x), cell in found.items():
        if y >= rows or x >= columns:
            raise NotationError(
                f"expected a place on {rows}×{columns}, counted from 0, found ({x},{y})",
                *cell.place,
            )
    nowhere = Cell(rest, ())
    return [[found.get((y, x), nowhere) for x in range(columns)] for y in range(rows)]


def _label(name: str, rest: Label, place: Place) -> Label:
    if not name:
        return rest
    return BLANK if name.lower() == _AGENT else read_label(name, place)
