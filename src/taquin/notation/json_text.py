"""Boards and goals as JSON text, each label with its place.

    [[4, 1, 3], [0, 2, 6], [7, 5, 8]]                         a list of rows
    [4, 1, 3, 0, 2, 6, 7, 5, 8]                               a flat list
    {"rows": 3, "columns": 3, "cells": [4, 1, 3, 0, …]}       an object; cells flat or in rows

Labels are numbers, or strings that mean what they mean in the rows form; null is the blank.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from taquin.errors import NotationError
from taquin.model.moves import BLANK, Label
from taquin.model.rows import MAX_NUMBER, Cell, read_label
from taquin.notation.folding import Size, columns_of, counts_wanted, fold
from taquin.notation.forms import MAX_CELLS
from taquin.notation.source import place_of
from taquin.system.words import shorten

# On a text known to be JSON this finds every scalar; group 1 marks those that are keys.
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[-0-9][-+.0-9eE]*|true|false|null')

_SHOWN = 10**18
"""The largest number a message spells out: Python refuses to print very large ones."""

_KEYS = ("rows", "columns", "cells")


def json_cells(text: str, size: Size | None = None) -> list[list[Cell]]:
    """Return the rows of cells of a JSON text; raise NotationError that points at the fault."""
    value = _load(text)
    rows = rows_of_value(value, size)
    places = _places(text, _before_cells(value))
    found: list[list[Cell]] = []
    for row in rows:
        found.append([])
        for item in row:
            line, column = next(places)
            try:
                found[-1].append(Cell(label_of_value(item), line, column))
            except NotationError as error:
                raise NotationError(error.message, line, column) from None
    return found


def rows_of_value(value: object, size: Size | None = None) -> list[list[object]]:
    """Return the rows of what JSON holds, all of one length; raise NotationError if it has none.

    The items are anything but lists and objects; `label_of_value` judges them.
    """
    if isinstance(value, dict):
        return _rows_of_object(value)
    if not isinstance(value, list):
        raise NotationError(f"expected a list or an object, found {_shown(value)}")
    nested = [isinstance(item, list) for item in value]
    if not value or not all(nested):
        if any(nested):
            raise NotationError("expected only rows or only cells, found both in one list")
        columns = columns_of(len(value), size)
        if columns is None:
            raise NotationError(
                f"expected {counts_wanted(size)} cells in a flat list, found {len(value)}: make "
                f"each row a list of its own"
            )
        value = fold(value, columns)
    return _checked(value)


def label_of_value(value: object) -> Label:
    """Return the label that a JSON scalar means; raise NotationError, without a place."""
    if value is None:
        return BLANK
    if isinstance(value, str):
        try:
            return read_label(value, 0, 0)
        except NotationError as error:
            raise NotationError(error.message) from None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER:
        return value
    raise NotationError(
        f"expected a number from 0 to {MAX_NUMBER} or a name, found {_shown(value)}"
    )


def _rows_of_object(value: dict[str, object]) -> list[list[object]]:
    unknown = [key for key in value if key not in _KEYS]
    if unknown:
        raise NotationError(
            f"expected the keys rows, columns and cells, found {_shown(unknown[0])}"
        )
    for key in _KEYS:
        if key not in value:
            raise NotationError(f"expected the keys rows, columns and cells, found no {key}")
    rows, columns, cells = _count_of(value, "rows"), _count_of(value, "columns"), value["cells"]
    if not isinstance(cells, list):
        raise NotationError(f"expected a list of cells, found {_shown(cells)}")
    if not any(isinstance(item, list) for item in cells):
        if len(cells) != rows * columns:
            raise NotationError(
                f"expected {rows * columns} cells for {rows}×{columns}, found {len(cells)}"
            )
        return _checked(fold(cells, columns))
    found = rows_of_value(cells)
    if (len(found), len(found[0])) != (rows, columns):
        raise NotationError(
            f"expected {rows}×{columns} cells as rows and columns say, found "
            f"{len(found)}×{len(found[0])}"
        )
    return found


def _count_of(value: dict[str, object], key: str) -> int:
    count = value[key]
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_CELLS:
        raise NotationError(
            f"expected the number of {key}, from 1 to {MAX_CELLS}, found {_shown(count)}"
        )
    return count


def _checked(rows: list[list[object]]) -> list[list[object]]:
    for number, row in enumerate(rows, 1):
        if not row or len(row) != len(rows[0]):
            raise NotationError(
                f"row {number} has {len(row)} cells, expected "
                f"{f'{len(rows[0])} like row 1' if rows[0] else 'at least one'}"
            )
        for item in row:
            if isinstance(item, list | dict):
                raise NotationError(
                    f"row {number}: expected a number or a name, found {_shown(item)}"
                )
    if len(rows) * len(rows[0]) > MAX_CELLS:
        raise NotationError(
            f"expected at most {MAX_CELLS:,} cells, found {len(rows) * len(rows[0]):,}"
        )
    return rows


def _shown(value: object) -> str:
    """Return a value for a message, whatever its size and type."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and abs(value) > _SHOWN:
        return "a very large number"
    return shorten(value if isinstance(value, str) else json.dumps(value, default=repr))


def _before_cells(value: object) -> int:
    """Return how many scalars stand before the first cell: each other key of an object has one."""
    return list(value).index("cells") if isinstance(value, dict) else 0


def _places(text: str, skipped: int) -> Iterator[tuple[int, int]]:
    """Yield the line and column of every scalar that is no key, the first `skipped` left out."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for match in _SCALAR.finditer(text):
        if match.group(1) is not None:
            continue
        if skipped:
            skipped -= 1
            continue
        line = bisect_right(starts, match.start())
        yield line, match.start() - starts[line - 1] + 1


def _load(text: str) -> object:
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        raise NotationError(
            f"this begins like JSON and is none: {error.msg[0].lower()}{error.msg[1:]}",
            *place_of(text, error.pos),
        ) from None
    except RecursionError:
        raise NotationError("expected a list of rows, found lists nested too deeply") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise NotationError(f"expected each key once, found {_shown(key)} twice")
        found[key] = value
    return found


def _integer(digits: str) -> int | str:
    """Return a number, or its digits where it is too long for a label, to be refused as such."""
    return int(digits) if len(digits) <= len(str(MAX_NUMBER)) else digits


def _refuse_constant(name: str) -> None:
    raise NotationError(f"expected a number or a name, found {name}")
