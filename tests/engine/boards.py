"""Boards of plain numbers as the engine takes them."""

from __future__ import annotations

from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.grid import Grid
from taquin.model.puzzle import Puzzle
from taquin.tables.shape import Normal, normal_form


def normal(
    rows: int, columns: int, start: tuple[int, ...], goal: tuple[int, ...] | None = None
) -> Normal:
    """Return a start and its goal, blank first unless given, in normal form."""
    grid = Grid(rows, columns)
    wanted = Goal(grid, tuple(range(grid.size)) if goal is None else goal)
    found = normal_form(Puzzle(wanted), Board(grid, start))
    assert found is not None
    return found
