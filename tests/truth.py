"""Exhaustive ground truth for small boards, written without the code under test.

Boards are plain tuples of labels and walls plain sets; nothing of the package is imported. Naive on
purpose: it is everyone's oracle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations

Cells = tuple[int | str, ...]


def neighbours(cells: Cells, rows: int, columns: int) -> Iterator[Cells]:
    """Yield the boards one single-tile move away; '#' is a wall, 0 the blank."""
    blank = cells.index(0)
    row, column = divmod(blank, columns)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = row + down, column + right
        if 0 <= r < rows and 0 <= c < columns and cells[r * columns + c] != "#":
            other = list(cells)
            other[blank], other[r * columns + c] = other[r * columns + c], other[blank]
            yield tuple(other)


def line_neighbours(cells: Cells, rows: int, columns: int) -> Iterator[Cells]:
    """Yield the boards one multi-tile move away: any number of tiles of a line at once."""
    blank = cells.index(0)
    row, column = divmod(blank, columns)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        other = list(cells)
        here = blank
        r, c = row + down, column + right
        while 0 <= r < rows and 0 <= c < columns and cells[r * columns + c] != "#":
            there = r * columns + c
            other[here], other[there] = other[there], other[here]
            here = there
            yield tuple(other)
            r, c = r + down, c + right


def distances(
    goals: Iterable[Cells], rows: int, columns: int, multi: bool = False
) -> dict[Cells, int]:
    """Return the exact distance of every board that reaches one of `goals`."""
    step = line_neighbours if multi else neighbours
    found: dict[Cells, int] = dict.fromkeys(goals, 0)
    pending = deque(found)
    while pending:
        cells = pending.popleft()
        for other in step(cells, rows, columns):
            if other not in found:
                found[other] = found[cells] + 1
                pending.append(other)
    return found


def arrangements(labels: Sequence[int | str], goal: Cells) -> list[Cells]:
    """Return every board with `labels` (walls included) that meets `goal`, where '*' is any."""
    rest = list(labels)
    for label in goal:
        if label != "*":
            rest.remove(label)
    places = [cell for cell, label in enumerate(goal) if label == "*"]
    boards = set()
    for filling in permutations(rest):
        cells = list(goal)
        for cell, label in zip(places, filling, strict=True):
            cells[cell] = label
        boards.add(tuple(cells))
    return sorted(boards, key=str)


@cache
def eight_puzzle() -> dict[Cells, int]:
    """Return the distance of all 181,440 solvable 3×3 boards to the goal with the blank last."""
    return distances([(1, 2, 3, 4, 5, 6, 7, 8, 0)], 3, 3)
