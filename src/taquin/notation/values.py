"""Boards, goals and moves as plain values for JSON, in and out.

{"rows": 2, "columns": 2, "cells": [1, 2, 3, 0]}
{"tile": 5, "direction": "left"}
{"tile": 6, "direction": "left", "tiles": [5, 6]}       a slide of several, nearest the blank first
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from taquin.errors import BoardError, NotationError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import ANY, BLANK, WALL, Direction, Label, Move
from taquin.notation.json_text import label_of_value, rows_of_value


class BoardJson(TypedDict):
    """A board or a goal as JSON holds it."""

    rows: int
    """Number of rows."""
    columns: int
    """Number of columns."""
    cells: list[Label]
    """The label of each cell, row by row: `0` the blank, `#` a wall, `.` a filler, `*` any."""


class MoveJson(TypedDict):
    """A move as JSON holds it."""

    tile: Label
    """The tile a finger would push."""
    direction: str
    """Where the tile goes: up, down, left or right."""
    tiles: NotRequired[list[Label]]
    """All tiles that slide, the one next to the blank first; only when there are several."""


def board_json(board: Board) -> BoardJson:
    """Return `board` as a value that JSON can hold."""
    return {"rows": board.grid.rows, "columns": board.grid.columns, "cells": list(board.cells)}


def goal_json(goal: Goal) -> BoardJson:
    """Return `goal` as a value that JSON can hold."""
    return {"rows": goal.grid.rows, "columns": goal.grid.columns, "cells": list(goal.cells)}


def move_json(move: Move) -> MoveJson:
    """Return `move` as a value that JSON can hold.

    >>> move_json(Move((5,), Direction.LEFT))
    {'tile': 5, 'direction': 'left'}
    """
    value: MoveJson = {"tile": move.tile, "direction": str(move.direction)}
    if len(move.tiles) > 1:
        value["tiles"] = list(move.tiles)
    return value


def board_of_json(value: object) -> Board:
    """Return the board that a JSON value holds: an object, a list of rows, or a flat list.

    Raise NotationError that names the row and column.
    """
    try:
        return Board.of_rows(_labels(value))
    except BoardError as error:
        raise NotationError(str(error)) from None


def goal_of_json(value: object) -> Goal:
    """Return the goal that a JSON value holds; raise NotationError like `board_of_json`."""
    try:
        return Goal.of_rows(_labels(value))
    except BoardError as error:
        raise NotationError(str(error)) from None


def move_of_json(value: object) -> Move:
    """Return the move that a JSON value holds; raise NotationError when it holds none."""
    if not isinstance(value, dict) or not {"tile", "direction"} <= set(value):
        raise NotationError("expected a move: an object with the keys tile and direction")
    direction = value["direction"]
    if not isinstance(direction, str) or direction not in _DIRECTIONS:
        raise NotationError(f"expected a direction, one of {', '.join(_DIRECTIONS)}")
    tiles = value.get("tiles", [value["tile"]])
    if not isinstance(tiles, list) or not tiles or tiles[-1] != value["tile"]:
        raise NotationError("expected tiles, a list that ends with the tile of the move")
    labels = tuple(map(label_of_value, tiles))
    for label in labels:
        if label in (BLANK, WALL, ANY):
            raise NotationError(f"expected a tile that can move, found {label!r}")
    return Move(labels, _DIRECTIONS[direction])


_DIRECTIONS = {str(direction): direction for direction in Direction}


def _labels(value: object) -> list[list[Label]]:
    found: list[list[Label]] = []
    for row_number, row in enumerate(rows_of_value(value), 1):
        found.append([])
        for column_number, item in enumerate(row, 1):
            try:
                found[-1].append(label_of_value(item))
            except NotationError as error:
                raise NotationError(
                    f"row {row_number}, column {column_number}: {error.message}"
                ) from None
    return found
