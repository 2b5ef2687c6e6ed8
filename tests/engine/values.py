"""The value of a board in the anytime engine's beams, as its definition says it."""

from __future__ import annotations

from itertools import product
from typing import Any

from taquin.engine.anytime.arrays import PuzzleArrays
from taquin.engine.anytime.value import FAR
from taquin.engine.anytime.weights import FIRST_OFFSETS, Offset, read_weights, single_weight


def naive_value(puzzle: PuzzleArrays, board: Any) -> int:
    """Return the value of a board of homes, as `value.py` tells it in words."""
    columns = puzzle.columns
    displaced: dict[Offset, Offset] = {}
    for cell, home in enumerate(map(int, board)):
        if home < puzzle.size:
            place, goal = divmod(cell, columns), divmod(home, columns)
            displaced[place] = place[0] - goal[0], place[1] - goal[1]
    value = 0
    for (row, column), (down, right) in displaced.items():
        value += single_weight(abs(down), abs(right)) + FAR * (down**2 + right**2)
        for offset in product(range(-2, 3), range(-2, 3)):
            other = row + offset[0], column + offset[1]
            if tuple(sorted(map(abs, offset))) not in FIRST_OFFSETS:
                continue
            if not (0 <= other[0] < puzzle.rows and 0 <= other[1] < columns):
                value += pair_weight(offset, (down, right), None)
            elif other in displaced and offset > (0, 0):
                value += pair_weight(offset, (down, right), displaced[other])
    return value


def pair_weight(offset: Offset, one: Offset, other: Offset | None) -> int:
    """Return what a pair adds, which is the same however it is turned, mirrored or swapped."""
    pairs = [(offset, one, other)]
    if other is not None:
        pairs.append(((-offset[0], -offset[1]), other, one))
    found = set()
    for (at, first, second), turn in product(pairs, product((False, True), (1, -1), (1, -1))):
        if (turned := _turned(at, turn)) in FIRST_OFFSETS:
            table = read_weights().pairs[FIRST_OFFSETS.index(turned)]
            row = table[_kind(_turned(first, turn))]
            found.add(row[25 if second is None else _kind(_turned(second, turn))])
    (weight,) = found
    return weight


def _turned(offset: Offset, turn: tuple[bool, int, int]) -> Offset:
    down, right = offset[::-1] if turn[0] else offset
    return turn[1] * down, turn[2] * right


def _kind(displacement: Offset) -> int:
    down, right = (sorted((-2, steps, 2))[1] for steps in displacement)
    return 5 * (down + 2) + right + 2
