"""The shortest solutions of 4×4 in slides, against a two-sided breadth-first search.

The search shares nothing with taquin: it packs a board into 64 bits, four for each cell, and keeps
whole levels as sorted arrays. Two slides along the same line are one or none, so a board that was
reached along a row is left along its column only, and one that was reached both ways not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from taquin import Goal, Metric, Puzzle, random_board
from taquin.engine.base import run
from taquin.engine.general.engine import General
from taquin.search.control import Control
from taquin.search.result import Task
from tests import truth

Boards = np.ndarray[Any, np.dtype[np.uint64]]
"""Packed boards in ascending order, all with the same place of the blank."""

NONE: Boards = np.empty(0, np.uint64)
ROW, COLUMN = 0, 1
FAR = 17
"""The level around the goal that is kept: 0.11 billion boards, 0.9 GB."""


def packed(cells: tuple[int, ...]) -> int:
    return sum(tile << 4 * cell for cell, tile in enumerate(cells))


def line_of(cell: int, axis: int) -> list[int]:
    """Return the cells of the row or of the column of a cell."""
    row, column = divmod(cell, 4)
    return [4 * row + k for k in range(4)] if axis == ROW else [4 * k + column for k in range(4)]


def slid(boards: Boards, blank: int, target: int, axis: int) -> Boards:
    """Return boards after the slide that takes the blank to another cell of its line."""
    low, high = min(blank, target), max(blank, target)
    moved = [cell for cell in line_of(blank, axis) if low <= cell <= high and cell != blank]
    mask = np.uint64(sum(15 << 4 * cell for cell in moved))
    step = np.uint64(4 if axis == ROW else 16)
    tiles = boards & mask
    tiles = tiles >> step if target > blank else tiles << step
    return (boards & ~mask) | tiles


def are_in(boards: Boards, others: Boards) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which of the boards are among others."""
    if not len(others):
        return np.zeros(len(boards), np.bool_)
    places = np.searchsorted(others, boards)
    places[places == len(others)] = 0
    return np.equal(others[places], boards)


@dataclass
class Level:
    """The boards at one distance, by the cell of the blank."""

    everything: list[Boards]
    reached: tuple[list[Boards], list[Boards]]
    """Those that were reached along a row only, and along a column only."""

    def __len__(self) -> int:
        return sum(map(len, self.everything))

    def successors(self, target: int, axis: int) -> Boards:
        """Return the boards that slides along an axis with the blank to a cell lead to."""
        found = [
            slid(self.reached[1 - axis][blank], blank, target, axis)
            for blank in line_of(target, axis)
            if blank != target
        ]
        boards = np.concatenate(found)
        boards.sort()
        is_new = np.ones(len(boards), np.bool_)
        is_new[1:] = boards[1:] != boards[:-1]
        return boards[is_new]

    def meets(self, others: list[Boards]) -> bool:
        """Return whether one of the boards of the next level is among others."""
        return any(
            are_in(self.successors(cell, axis), others[cell]).any()
            for cell in range(16)
            for axis in (ROW, COLUMN)
        )


def levels_around(cells: tuple[int, ...]) -> Iterator[Level]:
    """Yield the boards at distance 0, 1, 2 … of a board."""
    alone = [NONE] * 16
    alone[cells.index(0)] = np.array([packed(cells)], np.uint64)
    before = [NONE] * 16
    # The first board may be left along both lines.
    level = Level(alone, (alone, alone))
    while True:
        yield level
        everything, rows, columns = [], [], []
        for cell in range(16):
            by_axis = []
            for axis in (ROW, COLUMN):
                boards = level.successors(cell, axis)
                for known in (before[cell], level.everything[cell]):
                    boards = boards[~are_in(boards, known)]
                by_axis.append(boards)
            along_row, along_column = by_axis
            both = are_in(along_row, along_column)
            rows.append(along_row[~both])
            columns.append(along_column[~are_in(along_column, along_row)])
            union = np.concatenate((rows[-1], along_column))
            union.sort()
            everything.append(union)
        before, level = level.everything, Level(everything, (rows, columns))


def test_the_levels_are_those_of_a_plain_search() -> None:
    cells: tuple[int, ...] = (5, 1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    last: set[tuple[int, ...]] = set()
    plain = {cells}
    for level, _ in zip(levels_around(cells), range(8), strict=False):
        assert {int(board) for boards in level.everything for board in boards} == set(
            map(packed, plain)
        )
        near = {found for each in plain for found in truth.line_neighbours(each, 4, 4)}
        last, plain = plain, near - plain - last


@pytest.mark.slow
def test_100_random_boards_of_4x4_have_the_lengths_of_a_two_sided_search() -> None:
    goal = Goal.blank_last(4, 4)
    puzzle = Puzzle(goal, Metric.MULTI)
    boards = {seed: random_board(goal, seed) for seed in range(1, 101)}
    lengths = {}
    for seed, board in boards.items():
        moves = run(Task(puzzle, board), General(1, "large"), Control()).moves
        assert moves is not None
        assert puzzle.replay(board, moves)[-1].cells == goal.cells
        lengths[seed] = len(moves)
    distances = enumerate(levels_around(tuple(map(int, goal.cells))))
    around_goal = next(level.everything for distance, level in distances if distance == FAR)
    for seed, length in lengths.items():
        assert FAR < length <= FAR + 19, "a solution longer than two levels of this size"
        cells = tuple(map(int, boards[seed].cells))
        for distance, level in enumerate(levels_around(cells), 1):
            # The solution was replayed: what is left to show is that none is shorter. Where that
            # is cheap, the search finds the solution itself.
            if FAR + distance == length + (length < 34):
                break
            assert level.meets(around_goal) == (FAR + distance == length), seed
