"""Rank partitions of 24 tiles into patterns of eight; write `partitions.txt`.

    python -m tools.rank_partitions

    partitions   into three connected patterns, with many pairs of neighbours in each
    worth        of a pattern: how rarely its table has low values for random placements
    sketches     the patterns without the tile whose removal costs least

It needs a GPU with 80 GB, and two minutes. A line of the file, by example:

    2  Aa.aa/baaaa/bbBCc/bbccc/bbccc

a goal with its blank in cell 2, row by row the pattern of each tile, and in capitals the tiles that
sketches leave out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu import large
from taquin.engine.gpu.card import THREADS, card_fit, the_card
from taquin.engine.gpu.large import large_patterns
from taquin.engine.gpu.plan import rank_and_order
from taquin.engine.gpu.sets import orders_of, sets_of
from taquin.tables.patterns import Partition, PatternKey, table_for
from taquin.tables.shape import Cells, Shape

BLANKS = (0, 1, 2, 6, 7, 12)
"""Cells of the blank: every other goal is the image of one of these."""
KEPT = {0: 16}
KEPT_OF_OTHERS = 12
"""Partitions that are kept of a goal with its blank in a corner, which most boards have, and of
another."""
NEIGHBOURS, NEIGHBOURS_IN_ALL = 8, 27
"""Pairs of neighbours in a pattern of a partition, and in all three, at least."""
STEEPNESS = 0.4
"""The worth of a pattern is -log(mean(exp(-STEEPNESS * value))): low values dominate, because they
let a search continue."""
SAMPLES = 1_000_000
GRID = Shape(5, 5, 0)


def main() -> None:
    """Rank the partitions of all goals."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    if not (fit := card_fit()):
        sys.exit(f"no ranking here: {fit.why_not}")
    lines = [
        "# Partitions by the blank's cell of a goal, the best first: tools/rank_partitions.py."
    ]
    for blank in BLANKS:
        lines += ranked(Shape(5, 5, blank))
        print(f"{len(lines) - 1} partitions, the last with the blank in cell {blank}", flush=True)
    file = Path(large.__file__).with_name("partitions.txt")
    file.write_text("\n".join(lines) + "\n", "utf-8")


def ranked(goal: Shape) -> Iterator[str]:
    """Yield a line for each of the best partitions of a goal, but the one that all goals share."""
    known = {frozenset(large_patterns(goal, 8) or ())}
    found = sorted(partitions(goal), key=lambda each: sum(worth(goal, pattern) for pattern in each))
    most = KEPT.get(goal.blank, KEPT_OF_OTHERS)
    # The image of a partition in the mirror that views use says the same.
    mirror = [image for other, image in goal.symmetries if other == goal][-1]
    while found and most:
        partition = found.pop()
        reflected = (tuple(sorted(mirror[cell] for cell in pattern)) for pattern in partition)
        if known.isdisjoint((frozenset(partition), frozenset(reflected))):
            known.add(frozenset(partition))
            most -= 1
            yield f"{goal.blank} {picture(goal, partition)}"


def picture(goal: Shape, partition: Partition) -> str:
    """Return a partition row by row, with capitals for the tiles that sketches leave out."""
    marks = ["."] * goal.size
    for name, pattern in zip("abc", partition, strict=True):
        for cell in pattern:
            marks[cell] = name
        alone = max(pattern, key=lambda cell: worth(goal, without(pattern, cell), (cell,)))
        marks[alone] = name.upper()
    rows = range(0, goal.size, goal.columns)
    return "/".join("".join(marks[first : first + goal.columns]) for first in rows)


def without(pattern: Cells, left_out: int) -> Cells:
    """Return the other cells of a pattern."""
    return tuple(cell for cell in pattern if cell != left_out)


def partitions(goal: Shape) -> list[Partition]:
    """Return the partitions of a goal's tiles into three connected patterns of eight."""
    patterns = [
        pattern
        for pattern in connected(8)
        if goal.blank not in pattern and neighbours(pattern) >= NEIGHBOURS
    ]
    others = set(patterns)
    tiles = frozenset(range(goal.size)) - {goal.blank}
    found: list[Partition] = []
    for first in (pattern for pattern in patterns if min(tiles) in pattern):
        left = tiles.difference(first)
        for second in (each for each in patterns if min(left) in each and left.issuperset(each)):
            third = tuple(sorted(left.difference(second)))
            three = (first, second, third)
            if third in others and sum(map(neighbours, three)) >= NEIGHBOURS_IN_ALL:
                found.append(three)
    return found


@cache
def connected(size: int) -> list[Cells]:
    """Return all connected sets of so many cells, sorted."""
    if size == 1:
        return [(cell,) for cell in range(GRID.size)]
    larger = {
        tuple(sorted((*cells, near)))
        for cells in connected(size - 1)
        for near in chain.from_iterable(map(beside, cells))
        if near not in cells
    }
    return sorted(larger)


def beside(cell: int) -> list[int]:
    """Return the neighbours of a cell."""
    return [near for _, near in GRID.steps[cell]]


@cache
def neighbours(pattern: Cells) -> int:
    """Return the pairs of neighbours in a pattern."""
    return sum(near in pattern for cell in pattern for near in beside(cell)) // 2


def worth(goal: Shape, pattern: Cells, alone: Cells = ()) -> float:
    """Return the worth of the table of a pattern, plus those of tiles that are not in it."""
    key, _ = table_for(goal, pattern)
    return worth_of(key) + sum(worth_alone(cell) for cell in alone)


def worth_alone(cell: int) -> float:
    """Return the worth of the Manhattan distance of one tile."""
    distances = np.array([GRID.manhattan(cell, other) for other in range(GRID.size)])
    return _worth(distances)


@cache
def worth_of(key: PatternKey) -> float:
    """Return the worth of a table."""
    card, size = the_card(), len(key.tiles)
    cells, index = _placements(size)
    table = sets_of(card, key.rows, key.columns, size).build(key.tiles, key.blank, lambda _: None)
    values = card.xp.zeros(SAMPLES, np.uint8)
    read = card.kernel("read.cu", "read", {})
    read(card.processors, THREADS, 0, table, index, np.uint32(SAMPLES), values)
    # The distance of each cell from each tile's goal cell.
    away = np.array([[GRID.manhattan(home, cell) for cell in range(25)] for home in key.tiles])
    moves = 2 * card.host(values).astype(np.int64)
    for tile in range(size):
        moves += away[tile][cells[:, tile]]
    return _worth(moves)


def _worth(moves: NDArray[np.int64]) -> float:
    return float(-np.log(np.exp(-STEEPNESS * moves).mean()))


@cache
def _placements(size: int) -> tuple[NDArray[np.int64], object]:
    """Return random cells for so many tiles, and where tables have them, on the GPU."""
    chance = np.random.default_rng(size).random((SAMPLES, GRID.size), np.float32)
    cells = np.argsort(chance, axis=1)[:, :size]
    rank, order = rank_and_order(cells)
    return cells, the_card().xp.asarray((rank * orders_of(size) + order).astype(np.uint64))


if __name__ == "__main__":
    main()
