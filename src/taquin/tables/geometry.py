"""The grid seen as numbers: neighbours, distances and symmetries of cells.

    cells of a 2 × 3 grid      directions, as the *blank* moves

        0 1 2                          0
        3 4 5                        1 · 2
                                       3

A direction and its opposite sum to 3. Everything here is plain Python on tuples.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

Cells: TypeAlias = tuple[int, ...]
"""A tuple indexed by cell, or a set of cells written as a sorted tuple."""

OPPOSITE = 3
"""`OPPOSITE - direction` is the direction back."""


def offsets(cols: int) -> Cells:
    """Return how the blank's cell number changes in each of the four directions."""
    return (-cols, -1, 1, cols)


@cache
def steps(rows: int, cols: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each cell, the `(direction, neighbour)` pairs that stay on the grid."""

    def around(cell: int) -> Iterator[tuple[int, int]]:
        row, col = divmod(cell, cols)
        inside = (row > 0, col > 0, col < cols - 1, row < rows - 1)
        for direction, offset in enumerate(offsets(cols)):
            if inside[direction]:
                yield direction, cell + offset

    return tuple(tuple(around(cell)) for cell in range(rows * cols))


def manhattan(cols: int, a: int, b: int) -> int:
    """Return the number of steps between two cells of an empty grid."""
    return abs(a // cols - b // cols) + abs(a % cols - b % cols)


@cache
def symmetries(rows: int, cols: int) -> tuple[tuple[int, int, Cells], ...]:
    """Return the eight symmetries of a grid as `(new rows, new cols, image of each cell)`.

    The identity comes first. Those that exchange rows and columns turn an R × C grid into a
    C × R one; they map a square onto itself.
    """
    found = []
    for exchange in (False, True):
        for flip_rows in (False, True):
            for flip_cols in (False, True):
                image = []
                for cell in range(rows * cols):
                    row, col = divmod(cell, cols)
                    row = rows - 1 - row if flip_rows else row
                    col = cols - 1 - col if flip_cols else col
                    image.append(col * rows + row if exchange else row * cols + col)
                shape = (cols, rows) if exchange else (rows, cols)
                found.append((*shape, tuple(image)))
    return tuple(found)


def region(rows: int, cols: int, walls: frozenset[int], cell: int) -> Cells:
    """Return the sorted cells the blank reaches from `cell` without entering `walls`."""
    seen = {cell}
    waiting = [cell]
    while waiting:
        for _, near in steps(rows, cols)[waiting.pop()]:
            if near not in walls and near not in seen:
                seen.add(near)
                waiting.append(near)
    return tuple(sorted(seen))
