"""Convert boards, goals and moves to and from JSON, and parse JSON with the place of every cell.

    [[4, 1, 3], [0, 2, 6], [7, 5, 8]]                         a list of rows
    [4, 1, 3, 0, 2, 6, 7, 5, 8]                               a flat list
    {"rows": 3, "columns": 3, "cells": [4, 1, 3, 0, …]}       an object; cells flat or in rows
    {"tile": 5, "direction": "left"}                          a move
    {"tile": 6, "direction": "left", "tiles": [5, 6]}         of two tiles, from the blank on

Labels are numbers, or strings as in the rows form; null is the blank.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NotRequired, TypedDict, TypeVar

from taquin.errors import BoardError, NotationError
from taquin.model.board import Board
from taquin.model.moves import ANY, BLANK, WALL, Direction, Label, Move
from taquin.model.puzzle import Goal
from taquin.model.rows import MAX_NUMBER, Cell, Place, read_label
from taquin.notation.forms import MAX_CELLS, Size, fold_flat, place_of, refuse_more_cells
from taquin.reasons import Reason, reason
from taquin.system.formatting import shorten

# Matches every scalar of a valid JSON text; group 1 marks keys.
_SCALAR = r'"(?:[^"\\]|\\.)*"(\s*:)?|[-0-9][-+.0-9eE]*|true|false|null'
_KEYS = ("rows", "columns", "cells")
_DIRECTIONS = {str(direction): direction for direction in Direction}
_Position = TypeVar("_Position", Board, Goal)


class BoardJson(TypedDict):
    """The JSON object of a board or a goal."""

    rows: int
    """Number of rows."""
    columns: int
    """Number of columns."""
    cells: list[Label]
    """The label of each cell, row by row: `0` the blank, `#` a wall, `.` a filler, `*` any."""


class MoveJson(TypedDict):
    """The JSON object of a move."""

    tile: Label
    """The tile a finger would push."""
    direction: str
    """Where the tile goes: up, down, left or right."""
    tiles: NotRequired[list[Label]]
    """All tiles that slide, the one next to the blank first; only if there are several."""


def board_json(board: Board | Goal) -> BoardJson:
    """Return the JSON object of a board or a goal."""
    return {"rows": board.grid.rows, "columns": board.grid.columns, "cells": list(board.cells)}


goal_json = board_json
"""The same function under the name that goes with `goal_of_json`."""


def move_json(move: Move) -> MoveJson:
    """Return the JSON object of a move."""
    value: MoveJson = {"tile": move.tile, "direction": str(move.direction)}
    if len(move.tiles) > 1:
        value["tiles"] = list(move.tiles)
    return value


def board_of_json(value: object) -> Board:
    """Return the board of a JSON object, rows or flat list; raise NotationError with the place."""
    return _position(value, Board)


def goal_of_json(value: object) -> Goal:
    """Return the goal of a JSON value; raise NotationError like `board_of_json`."""
    return _position(value, Goal)


def move_of_json(value: object, bumps: bool = False) -> Move:
    """Return the move of a JSON object; `bumps` allows moves into walls; raise NotationError."""
    if not isinstance(value, dict) or not {"tile", "direction"} <= set(value):
        raise NotationError(reason("move-object"))
    direction = value["direction"]
    if not isinstance(direction, str) or direction not in _DIRECTIONS:
        raise unexpected(reason("a-direction", names=", ".join(_DIRECTIONS)), direction)
    tiles = value.get("tiles", [value["tile"]])
    if not isinstance(tiles, list) or not tiles or tiles[-1] != value["tile"]:
        raise NotationError(reason("move-tiles"))
    labels = tuple(map(label_of_value, tiles))
    for label in labels:
        if label in (BLANK, ANY) or (label == WALL and not bumps):
            raise unexpected(reason("movable"), label)
    return Move(labels, _DIRECTIONS[direction])


def json_cells(text: str, size: Size | None = None) -> list[list[Cell]]:
    """Return the rows of cells of a JSON text; raise NotationError that points at the fault."""
    # A number with too many digits for a label stays a text, which is rejected.
    longest = len(str(MAX_NUMBER))
    value = load_json(
        text, reason("no-json"), lambda digits: int(digits) if len(digits) <= longest else digits
    )
    rows = rows_of_value(value, size)
    # Each key before the cells has one scalar, which is not a cell.
    places = _places(text, list(value).index("cells") if isinstance(value, dict) else 0)
    return [
        [Cell(label_of_value(item, place := next(places)), place) for item in row] for row in rows
    ]


def rows_of_value(value: object, size: Size | None = None) -> list[list[object]]:
    """Return the rows of a JSON value, scalars in rows of equal length; raise NotationError."""
    if isinstance(value, dict):
        return _rows_of_object(value)
    if not isinstance(value, list):
        raise unexpected(reason("list-or-object"), value)
    are_rows = {isinstance(item, list) for item in value}
    if are_rows != {True}:
        if True in are_rows:
            raise NotationError(reason("mixed-list"))
        value = fold_flat(value, size, reason("row-lists"))
    width = len(value[0])
    for number, row in enumerate(value, 1):
        if not row or len(row) != width:
            fault = reason("row-length", row=number, count=len(row), width=width)
            raise NotationError(fault if width else reason("row-empty", row=number))
        for column, item in enumerate(row, 1):
            if isinstance(item, list | dict):
                raise _in_cell(number, column, unexpected(reason("number-or-name"), item))
    refuse_more_cells(len(value) * width)
    return value


def label_of_value(value: object, place: Place = ()) -> Label:
    """Return the label of a JSON scalar; raise NotationError that points at `place`."""
    if value is None:
        return BLANK
    if isinstance(value, str):
        return read_label(value, place)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return value
    raise unexpected(reason("label-range", most=MAX_NUMBER), value, *place)


def unexpected(expected: Reason, value: object, *place: int) -> NotationError:
    """Return the error for an unexpected JSON value."""
    return NotationError(reason("unexpected", expected=expected, found=shown(value)), *place)


def _in_cell(row: int, column: int, error: NotationError) -> NotationError:
    """Return an error about a cell with the place of the cell."""
    place = reason("where", row=row, column=column)
    return NotationError(reason("field", place=place, detail=error.reason))


def shown(value: object) -> str:
    """Format a JSON value of any size and type for an error message."""
    if isinstance(value, list | dict):
        return reason("a-list") if isinstance(value, list) else reason("an-object")
    # Python refuses to print very large numbers.
    if isinstance(value, int) and abs(value) > 10**18:
        return reason("huge-number")
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return shorten(value) if isinstance(value, str) else str(value)


def _position(value: object, kind: type[_Position]) -> _Position:
    rows: list[list[Label]] = []
    for number, row in enumerate(rows_of_value(value), 1):
        rows.append([])
        for column, item in enumerate(row, 1):
            try:
                rows[-1].append(label_of_value(item))
            except NotationError as error:
                raise _in_cell(number, column, error) from None
    try:
        return kind.of_rows(rows)
    except BoardError as error:
        raise NotationError(error.reason) from None


def _rows_of_object(value: dict[str, Any]) -> list[list[object]]:
    faults = [shown(key) for key in value if key not in _KEYS]
    faults += [reason("none-called", name=key) for key in _KEYS if key not in value]
    if faults:
        raise NotationError(reason("unexpected", expected=reason("board-keys"), found=faults[0]))
    rows, columns, cells = (value[key] for key in _KEYS)
    for key, count in (("rows", rows), ("columns", columns)):
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_CELLS:
            raise unexpected(reason("size-range", name=key, most=MAX_CELLS), count)
    if not isinstance(cells, list):
        raise unexpected(reason("list-of-cells"), cells)
    nested = rows_of_value(cells, (rows, columns))
    size = (len(nested), len(nested[0]))
    if size != (rows, columns):
        expected, found = reason("size-given", rows=rows, columns=columns), f"{size[0]}×{size[1]}"
        raise NotationError(reason("unexpected", expected=expected, found=found))
    return nested


def _places(text: str, skipped: int) -> Iterator[tuple[int, int]]:
    """Yield the line and column of every scalar that is not a key, after the first `skipped`."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    scalars = (match.start() for match in re.finditer(_SCALAR, text) if match[1] is None)
    for start in islice(scalars, skipped, None):
        line = bisect_right(starts, start)
        yield line, start - starts[line - 1] + 1


def load_json(text: str, fault: str, integer: Callable[[str], object] = int) -> Any:
    """Parse a JSON text; raise NotationError, a message that starts with `fault`, and the place."""
    try:
        return json.loads(
            text, object_pairs_hook=_unique_keys, parse_int=integer, parse_constant=_refuse
        )
    except json.JSONDecodeError as error:
        why = f"{error.msg[0].lower()}{error.msg[1:]}"
        told = reason("json-fault", detail=Reason(fault), cause=why)
        raise NotationError(told, *place_of(text, error.pos)) from None
    except (ValueError, RecursionError):
        # Python rejects numbers of thousands of digits and deeply nested lists.
        number = re.search("[0-9]{4000}", text)
        place = place_of(text, number.start()) if number else ()
        told = reason("json-fault", detail=Reason(fault), cause=reason("json-deep"))
        raise NotationError(told, *place) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise NotationError(reason("key-twice", found=shown(key)))
        members[key] = value
    return members


def _refuse(constant: str) -> None:
    raise NotationError(reason("no-json-number", found=constant))
