"""Into which rows and columns a flat list of cells folds."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TypeVar

Size = tuple[int, int]
"""Rows and columns."""

Item = TypeVar("Item")


def columns_of(count: int, size: Size | None = None) -> int | None:
    """Return the columns of a flat list of `count` cells, None when it folds into no board.

    As many cells as `size` has take that size; otherwise only squares, from 2×2 up, fold.

    >>> columns_of(9), columns_of(6), columns_of(6, (2, 3))
    (3, None, 3)
    """
    if size is not None and count == size[0] * size[1]:
        return size[1]
    root = isqrt(count)
    return root if root >= 2 and root * root == count else None


def counts_wanted(size: Size | None = None) -> str:
    """Return, for a message, how many cells a flat list may have."""
    return str(size[0] * size[1]) if size is not None else "4, 9, 16, 25 …"


def fold(items: Sequence[Item], columns: int) -> list[list[Item]]:
    """Return a flat list as rows of `columns` items."""
    return [list(items[start : start + columns]) for start in range(0, len(items), columns)]
