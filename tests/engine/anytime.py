"""Boards of the anytime engine: drawn, followed, and valued as the definition says it."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Any

import taquin as tq
from taquin.engine.anytime.puzzle_arrays import PuzzleArrays, arrays_of, follow
from taquin.engine.anytime.value import (
    FAR,
    FIRST_OFFSETS,
    HOME_BITS,
    NO_TILE,
    Offset,
    read_weights,
    single_weight,
)
from taquin.model.space import Space
from taquin.search.result import Task

SIX = tq.random_board(tq.Goal.blank_last(6, 6), 1)


def arrays_for(task: Task) -> PuzzleArrays:
    return arrays_of(Space(task.puzzle, task.start))


def random_puzzle(rows: int, columns: int, seed: int) -> PuzzleArrays:
    """Return a random board with the goal blank-last."""
    goal = tq.Goal.blank_last(rows, columns)
    return arrays_for(Task(tq.Puzzle(goal), tq.random_board(goal, seed)))


def is_solved(puzzle: PuzzleArrays, moves: bytes) -> bool:
    """Return whether moves solve the puzzle from its start."""
    return follow(puzzle.start, moves, puzzle.near) == puzzle.goal


def random_way(puzzle: PuzzleArrays, length: int, seed: int) -> bytes:
    """Return random moves of the blank of which none takes back the one before it."""
    chance, blank = Random(seed), puzzle.start.index(0)
    way: list[int] = []
    while len(way) < length:
        direction = chance.randrange(4)
        if puzzle.near[blank, direction] >= 0 and (not way or way[-1] + direction != 3):
            way.append(direction)
            blank = puzzle.near[blank, direction]
    return bytes(way)


def homes_of(items: Any, puzzle: PuzzleArrays) -> tuple[int, ...]:
    """Return the homes of the tiles of a board as a beam has it; the blank has its own number."""
    blank = puzzle.size + 1
    return tuple(
        blank if item >> HOME_BITS == NO_TILE else item & (1 << HOME_BITS) - 1
        for item in items[: puzzle.size]
    )


def value_of(puzzle: PuzzleArrays, board: Any) -> int:
    """Return the value of a board of tiles."""
    names = [puzzle.size + 1, *puzzle.homes[1:]]
    return naive_value(puzzle, [names[number] for number in board])


AROUND = [
    offset
    for offset in product(range(-2, 3), range(-2, 3))
    if tuple(sorted(map(abs, offset))) in FIRST_OFFSETS
]
"""From a cell to the twelve around it."""


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
        for offset in AROUND:
            other = row + offset[0], column + offset[1]
            if not (0 <= other[0] < puzzle.rows and 0 <= other[1] < columns):
                value += pair_weight(offset, _cut_off((down, right)), None)
            elif other in displaced and offset > (0, 0):
                value += pair_weight(offset, _cut_off((down, right)), _cut_off(displaced[other]))
    return value


@cache
def pair_weight(offset: Offset, one: Offset, other: Offset | None) -> int:
    """Return what a pair adds, which is the same however it is turned, mirrored or swapped.

    Displacements are cut off at 2.
    """
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


def _cut_off(displacement: Offset) -> Offset:
    down, right = (max(-2, min(2, steps)) for steps in displacement)
    return down, right


def _kind(displacement: Offset) -> int:
    down, right = displacement
    return 5 * (down + 2) + right + 2
