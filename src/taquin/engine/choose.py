"""`tq.solve`: pick the search that serves a puzzle best, run it, and say which it was."""

from __future__ import annotations

from collections.abc import Callable

from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.algorithms import AStar
from taquin.search.driver import Progress
from taquin.search.driver import solve as solve_in_glass_box
from taquin.search.result import Limits, Result

_SMALL = 9
"""Up to this many cells the plain Manhattan distance is good enough, and quicker to count."""


def solve(
    start: Board,
    goal: Goal | None = None,
    *,
    metric: Metric = Metric.SINGLE,
    algorithm: Algorithm | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Solve `start`, optimally unless `algorithm` says otherwise.

    The goal is blank-last when not given. Raise MismatchError when start and goal do not belong
    together. The result says what ran.

    >>> solve(Board.parse("1 2 3 / 4 0 5 / 7 8 6")).cost
    2
    """
    puzzle = Puzzle(default_goal(start) if goal is None else goal, metric)
    return solve_in_glass_box(
        puzzle,
        start,
        algorithm or default_algorithm(puzzle),
        limits,
        progress=progress,
        stop=stop,
    )


def default_goal(start: Board) -> Goal:
    """Return the goal with the blank last on the grid of `start`."""
    grid = start.grid
    return Goal.blank_last(grid.rows, grid.columns, grid.walls)


def default_algorithm(puzzle: Puzzle) -> Algorithm:
    """Return an optimal, exhaustive search that suits the puzzle."""
    if puzzle.grid.size <= _SMALL:
        return AStar(Manhattan())
    return AStar(LinearConflict())
