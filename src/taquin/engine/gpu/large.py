"""Partitions into patterns of seven and eight tiles, whose tables only a GPU has room for.

On 5×5 each goal, turned or mirrored, has its blank in one of six cells of a square: 0, 1, 2, 6, 7
or 12. Beside the square are two patterns of eight tiles, a and b, for all goals: tables do not
count the moves of other tiles, so for these two it does not matter where the blank belongs.

        0  1  2  a  a
        5  6  7  a  a
       10 11 12  a  a
        b  b  b  b  a
        b  b  b  b  a

`partitions.txt` has others, which are about as good. For a hard board one of them may be much
better, as `gpu/variants.py` finds out; each has tables of its own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from taquin.engine.gpu.dual import small_partition
from taquin.tables.patterns import Partition
from taquin.tables.shape import Cells, Shape

_SQUARE: Cells = (0, 1, 2, 5, 6, 7, 10, 11, 12)
_BESIDE: Partition = ((3, 4, 8, 9, 13, 14, 19, 24), (15, 16, 17, 18, 20, 21, 22, 23))
_ALONE: dict[int, int] = {0: 12, 1: 12, 2: 12, 6: 12, 7: 12, 12: 7}
"""For each blank, the tile of the square without which the other seven say most. Two goals share
the table of the seven if their blanks are neighbours and each leaves out the other's cell."""


def _with_seven(blank: int) -> Partition:
    """Return a partition of a 5×5 goal that leaves out one tile of the square."""
    left_out = blank, _ALONE[blank]
    return (tuple(cell for cell in _SQUARE if cell not in left_out), *_BESIDE)


_WHOLE: dict[Shape, Partition] = {
    Shape(4, 4, 0): ((2, 3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13)),
    **{
        Shape(5, 5, blank): (tuple(cell for cell in _SQUARE if cell != blank), *_BESIDE)
        for blank in _ALONE
    },
}
_SHARED: dict[Shape, Partition] = {Shape(5, 5, blank): _with_seven(blank) for blank in _ALONE}
_LARGE = {0: dict[Shape, Partition](), 7: _SHARED, 8: _WHOLE}
"""Partitions into large patterns: those with 8 are the best ones known. Those with 7 need no tables
but those of dual look-ups, and less memory."""


@cache
def _others() -> dict[Shape, list[dict[int, Partition]]]:
    """Return what `partitions.txt` says: of each goal the partitions, by the tiles of patterns."""
    others: dict[Shape, list[dict[int, Partition]]] = {}
    text = Path(__file__).with_name("partitions.txt").read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            blank, picture = line.split()
            cells = picture.replace("/", "")
            whole, sketch = (
                tuple(
                    tuple(cell for cell, mark in enumerate(marks) if mark == name) for name in "abc"
                )
                for marks in (cells.lower(), cells)
            )
            others.setdefault(Shape(5, 5, int(blank)), []).append({8: whole, 7: sketch})
    return others


def other_partitions(shape: Shape) -> range:
    """Return the numbers of the partitions of `min(shape.symmetries)` that few goals share."""
    return range(1, 1 + len(_others().get(min(shape.symmetries)[0], ())))


def large_patterns(shape: Shape, tiles: int, number: int = 0) -> Partition | None:
    """Return a partition of `min(shape.symmetries)` with patterns of 8 or 7 `tiles`, or None.

    With 0 tiles there is none. Number 0 is the partition that all goals share, and has 7 tiles in
    one pattern at most. The others have 7 tiles in each, as sketches, or 8.
    """
    first = min(shape.symmetries)[0]
    return _others()[first][number - 1][tiles] if number else _LARGE[tiles].get(first)


def dual_partition(first: Shape) -> Partition:
    """Return the patterns of a goal, the smallest of its images, for dual look-ups.

    These need tables for all goals, and there is no room for six of the square with eight tiles.
    """
    is_five = (first.rows, first.columns) == (5, 5)
    return _with_seven(first.blank) if is_five else small_partition(first)
