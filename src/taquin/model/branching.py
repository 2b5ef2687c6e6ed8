"""Count the paths of the blank that never step straight back, and compute branching factors.

    _ 1 2      from a corner of 3×3 there are 2 paths of length 1, to the cells marked 1, and 4
    1 2 .      of length 2, two of which end in the middle; stepping back does not count
    2 . .

A tree search that does not return to the parent has a node for each such path. With each depth
their number grows, asymptotically, by the *branching factor*: √3 on 3×3, 2.1304 on 4×4 and 2.3676
on 5×5 (Edelkamp and Korf, AAAI 1998).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import sqrt

from taquin.model.grid import Grid

_MOST_ROUNDS = 20_000
_CLOSE = 1e-12
"""The relative change of the factor below which the iteration ends."""


def blank_ways(grid: Grid, blank: int) -> Iterator[list[int]]:
    """Yield, for the depths 0, 1, 2 …, the number of paths that end in each cell.

    >>> ways = blank_ways(Grid(3, 3), 0)
    >>> [sum(next(ways)) for _ in range(5)]
    [1, 2, 4, 8, 16]
    """
    cells = range(grid.size)
    arrived = [int(cell == blank) for cell in cells]
    yield arrived
    # The paths by their last step, as (from, to).
    ways = {(blank, cell): 1 for cell in grid.neighbours(blank)}
    while True:
        arrived = [0] * grid.size
        for (_, cell), count in ways.items():
            arrived[cell] += count
        yield arrived
        ways = {
            (cell, near): count
            for cell in cells
            for near in grid.neighbours(cell)
            if (count := arrived[cell] - ways.get((near, cell), 0))
        }


@cache
def branching_factor(grid: Grid) -> float:
    """Return the asymptotic ratio of the number of paths of one depth to the next, at least 1."""
    steps = [(cell, near) for cell in grid.open_cells for near in grid.neighbours(cell)]
    ways = dict.fromkeys(steps, 1.0)
    factor, total = 0.0, float(len(steps))
    for _ in range(_MOST_ROUNDS):
        # Two depths at a time: the colour of the blank's cell alternates.
        for _ in range(2):
            arrived = dict.fromkeys(grid.open_cells, 0.0)
            for (_, cell), count in ways.items():
                arrived[cell] += count
            ways = {(cell, near): arrived[cell] - ways[near, cell] for cell, near in steps}
        before, factor, total = factor, sum(ways.values()) / total, 1.0
        if factor <= 1 or abs(factor - before) < _CLOSE * factor:
            break
        scale = sum(ways.values())
        ways = {step: count / scale for step, count in ways.items()}
    return sqrt(max(1.0, factor))
