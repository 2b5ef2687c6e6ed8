"""Boards of plain numbers as the engine takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taquin import Board, Goal, Grid, Puzzle
from taquin.engine.base import run
from taquin.engine.cpu.engine import Cpu
from taquin.search.control import Control, Progress
from taquin.search.result import Limits, Result, Task
from taquin.tables.shape import Normal, normal_form


def task(
    rows: int,
    columns: int,
    start: tuple[int, ...],
    goal: tuple[int, ...] | None = None,
    **limits: Any,
) -> Task:
    """Return the task of a start and its goal, blank first unless given, with these limits."""
    grid = Grid(rows, columns)
    wanted = Goal(grid, tuple(range(grid.size)) if goal is None else goal)
    return Task(Puzzle(wanted), Board(grid, start), limits=Limits(**limits))


def normal(
    rows: int, columns: int, start: tuple[int, ...], goal: tuple[int, ...] | None = None
) -> Normal:
    """Return a start and its goal, blank first unless given, in normal form."""
    asked = task(rows, columns, start, goal)
    found = normal_form(asked.puzzle, asked.start)
    assert found is not None
    return found


def search(
    asked: Task,
    tables: str | None = "small",
    threads: int | None = 1,
    *,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Return what the compiled search finds."""
    return run(asked, Cpu(tables, threads), Control(asked.limits, progress=progress, stop=stop))
