"""Exhaustive ground truth for small boards, written without the code under test.

Boards are plain tuples of labels and walls plain sets; nothing of the package is imported. Naive on
purpose: it is everyone's oracle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import TypeVar

Cells = tuple[int | str, ...]
L = TypeVar("L", bound=int | str)
T = TypeVar("T", bound=Hashable)


def beside(cell: int, rows: int, columns: int) -> list[int]:
    """Return the cells around a cell: up, left, right, down."""
    row, column = divmod(cell, columns)
    near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * columns + c for r, c in near if 0 <= r < rows and 0 <= c < columns]


def neighbours(cells: tuple[L, ...], rows: int, columns: int) -> Iterator[tuple[L, ...]]:
    """Yield the boards one single-tile move away; '#' is a wall, 0 the blank."""
    blank = cells.index(0)
    for near in beside(blank, rows, columns):
        if cells[near] != "#":
            other = list(cells)
            other[blank], other[near] = other[near], other[blank]
            yield tuple(other)


def line_neighbours(cells: tuple[L, ...], rows: int, columns: int) -> Iterator[tuple[L, ...]]:
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


def spread(roots: Iterable[T], step: Callable[[T], Iterable[T]]) -> dict[T, int]:
    """Return the distance of all that the roots lead to, breadth-first."""
    found = dict.fromkeys(roots, 0)
    pending = deque(found)
    while pending:
        one = pending.popleft()
        for other in step(one):
            if other not in found:
                found[other] = found[one] + 1
                pending.append(other)
    return found


def distances(
    goals: Iterable[tuple[L, ...]], rows: int, columns: int, multi: bool = False
) -> dict[tuple[L, ...], int]:
    """Return the exact distance of every board that reaches one of `goals`."""
    step = line_neighbours if multi else neighbours
    return spread(goals, lambda cells: step(cells, rows, columns))


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


def shortest_paths(
    start: tuple[int, ...], left: dict[tuple[int, ...], int], rows: int, columns: int
) -> set[tuple[int, ...]]:
    """Return every shortest way of the blank, given the distance that is `left` from each board."""
    paths = set()

    def go(board: tuple[int, ...], path: tuple[int, ...]) -> None:
        if left[board] == 0:
            paths.add(path)
            return
        for other in neighbours(board, rows, columns):
            if left[other] == left[board] - 1:
                go(other, (*path, other.index(0)))

    go(start, (start.index(0),))
    return paths


def published(file: str) -> dict[int, tuple[tuple[int, ...], list[int]]]:
    """Return Korf's boards of a file by their numbers, each with the figures after it, - as 0."""
    lines = (Path(__file__).parent / "data" / file).read_text(encoding="utf-8").splitlines()
    rows = [line.replace(" -", " 0").split() for line in lines if not line.startswith("#")]
    end = {"korf100.txt": 17, "korf50_24.txt": 26}[file]
    return {int(row[0]): (tuple(map(int, row[1:end])), list(map(int, row[end:]))) for row in rows}
