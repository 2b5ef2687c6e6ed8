"""The glass box as tests call it: a puzzle, a board, an algorithm, and what else there is."""

from __future__ import annotations

from collections.abc import Callable

from taquin import Algorithm, Board, Puzzle
from taquin.search import driver
from taquin.search.control import Control, Progress
from taquin.search.result import NO_LIMITS, Limits, Result, Task


def solve(
    puzzle: Puzzle,
    start: Board,
    algorithm: Algorithm,
    limits: Limits = NO_LIMITS,
    *,
    check: bool = True,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    control = Control(limits, progress=progress, stop=stop)
    return driver.solve(Task(puzzle, start, algorithm, limits), algorithm, control, check=check)
