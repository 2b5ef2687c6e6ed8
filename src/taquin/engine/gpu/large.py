"""Partitions into patterns of seven and eight tiles, whose tables only a GPU has memory for.

On 5×5 each goal, turned or mirrored, has its blank in one of six cells of a square: 0, 1, 2, 6, 7
or 12. Beside the square are two patterns of eight tiles, a and b, for all goals: tables do not
count the moves of other tiles, so for these two it does not matter where the blank belongs. Of the
square one tile is left out, so that the third table is small and all goals fit on the GPU together.

        0  1  2  a  a
        5  6  7  a  a
       10 11 12  a  a
        b  b  b  b  a
        b  b  b  b  a
"""

from __future__ import annotations

from taquin.tables.patterns import Partition
from taquin.tables.shape import Cells, Shape

_SQUARE: Cells = (0, 1, 2, 5, 6, 7, 10, 11, 12)
_BESIDE: Partition = ((3, 4, 8, 9, 13, 14, 19, 24), (15, 16, 17, 18, 20, 21, 22, 23))
_LEFT_OUT: dict[int, int] = {0: 12, 1: 12, 2: 12, 6: 12, 7: 12, 12: 7}
"""For each blank, the tile of the square without which the other seven say most. Two goals share
the table of the seven if their blanks are neighbours and each leaves out the other's cell."""
_LARGE: dict[Shape, Partition] = {
    Shape(4, 4, 0): ((2, 3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13)),
    **{
        Shape(5, 5, blank): (
            tuple(cell for cell in _SQUARE if cell not in (blank, left_out)),
            *_BESIDE,
        )
        for blank, left_out in _LEFT_OUT.items()
    },
}


def large_patterns(shape: Shape) -> Partition | None:
    """Return the partition of `min(shape.symmetries)` into large patterns, None where none is."""
    return _LARGE.get(min(shape.symmetries)[0])
