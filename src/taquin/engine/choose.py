"""`tq.solve`: pick the search that serves a puzzle best, run it, and say which it was.

    classic, up to 9 cells      the glass box for a moment, then the complete table
    classic, 10 to 25 cells     the glass box for a moment, then the compiled search
    anything else               the glass box: walls, repeats, partial goals, slides, larger boards

The glass box goes first because an easy board is solved before NumPy could be loaded, let alone the
compiled search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

from taquin.errors import UnsuitableError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.algorithms import AStar
from taquin.search.driver import Progress
from taquin.search.driver import solve as solve_in_glass_box
from taquin.search.result import Count, Limits, Outcome, Result, Stats
from taquin.system.machine import peak_memory
from taquin.tables.shape import Normal, moves_along, normal_form

SMALL = 9
"""Most cells for which there is a complete table of distances."""

TABLES = "small"
"""The set of pattern tables used unless told otherwise."""

_FIRST_TRY = 10_000
"""Nodes the glass box may generate before another search takes over: some hundredths of a second,
less than loading the other takes."""


def solve(
    start: Board,
    goal: Goal | None = None,
    *,
    metric: Metric = Metric.SINGLE,
    algorithm: Algorithm | None = None,
    limits: Limits | None = None,
    tables: str | None = TABLES,
    threads: int | None = None,
    notice: Callable[[str], None] | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Solve `start`, optimally unless `algorithm` says otherwise.

    The goal is blank-last when not given. An `algorithm` runs in the glass box; without one the
    fastest search that serves is used. `tables` names the set of pattern tables for the compiled
    search (`small`, `large`, or None for none), `threads` how many cores it may use, and `notice`
    is told what there is to know about tables on disk. Raise MismatchError when start and goal do
    not belong together. The result says what ran.

    >>> solve(Board.parse("1 2 3 / 4 0 5 / 7 8 6")).cost
    2
    """
    puzzle = Puzzle(default_goal(start) if goal is None else goal, metric)
    puzzle.check(start)
    limits = limits or Limits()
    normal = None if algorithm else normal_form(puzzle, start)
    if limits.nodes is not None and (
        limits.nodes <= _FIRST_TRY or limits.counting is not Count.GENERATED
    ):
        # Only the glass box can stop there, or count so.
        normal = None
    first = limits if normal is None else replace(limits, nodes=_FIRST_TRY)
    result = solve_in_glass_box(
        puzzle,
        start,
        algorithm or default_algorithm(puzzle),
        first,
        progress=progress,
        stop=stop,
    )
    if normal is None or result.stats.generated < _FIRST_TRY or result.moves is not None:
        return result
    if puzzle.grid.size <= SMALL:
        return _solve_by_table(puzzle, start, normal, limits)
    from taquin.engine.compiled import solve_compiled

    return solve_compiled(
        puzzle,
        start,
        normal,
        limits,
        spent=result.stats.seconds,
        tables=tables,
        threads=threads,
        notice=notice,
        progress=progress,
        stop=stop,
    )


def all_solutions(
    start: Board,
    goal: Goal | None = None,
    *,
    most: int | None = None,
    tables: str | None = TABLES,
    threads: int | None = None,
    notice: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Move, ...]]:
    """Return every shortest solution, one after the other, at most `most` of them.

    An unsolvable board has none. Raise UnsuitableError for a puzzle that is not a classic one, and
    MismatchError when start and goal do not belong together.
    """
    puzzle = Puzzle(default_goal(start) if goal is None else goal)
    normal = _demand_classic(puzzle, start, "listing every shortest solution")
    from taquin.engine.compiled import solutions_compiled

    return solutions_compiled(
        start,
        normal,
        most=most,
        tables=tables if puzzle.grid.size > SMALL else None,
        threads=threads,
        notice=notice,
        progress=progress,
    )


def moves_left(board: Board, goal: Goal | None = None) -> int | None:
    """Return the length of a shortest solution at once, None when there is none.

    For classic puzzles of up to nine cells; raise UnsuitableError for any other.

    >>> moves_left(Board.parse("8 6 7 / 2 5 4 / 3 0 1"))
    31
    """
    puzzle = Puzzle(default_goal(board) if goal is None else goal)
    normal = _demand_classic(puzzle, board, "a complete table", SMALL)
    from taquin.tables.distances import DistanceTable

    return DistanceTable(normal.shape).moves_left(normal.board)


def default_goal(start: Board) -> Goal:
    """Return the goal with the blank last on the grid of `start`."""
    grid = start.grid
    return Goal.blank_last(grid.rows, grid.columns, grid.walls)


def default_algorithm(puzzle: Puzzle) -> Algorithm:
    """Return an optimal, exhaustive glass-box search that suits the puzzle."""
    if puzzle.grid.size <= SMALL:
        return AStar(Manhattan())
    return AStar(LinearConflict())


def _demand_classic(puzzle: Puzzle, start: Board, what: str, most: int = 25) -> Normal:
    puzzle.check(start)
    normal = normal_form(puzzle, start)
    if normal is None or puzzle.grid.size > most:
        raise UnsuitableError(
            f"{what} needs a classic puzzle of up to {most} cells: at least 2×2, no walls, every "
            f"tile different, every cell of the goal named"
        )
    return normal


def _solve_by_table(puzzle: Puzzle, start: Board, normal: Normal, limits: Limits) -> Result:
    """Walk down the complete table; limits on work do not matter, one on depth does."""
    from taquin.tables.distances import DistanceTable

    began = perf_counter()
    blanks = DistanceTable(normal.shape).solution(normal.board)
    assert blanks is not None, "the glass box has judged the board solvable"
    lower = len(blanks) - 1
    outcome, reason, moves = Outcome.SOLVED, "", None
    if limits.depth is not None and lower > limits.depth:
        outcome, reason = Outcome.LIMIT_REACHED, f"limit of {limits.depth:,} moves"
    else:
        moves = moves_along(start, blanks)
    return Result(
        outcome=outcome,
        puzzle=puzzle,
        start=start,
        moves=moves,
        cost=None if moves is None else len(moves),
        lower_bound=lower,
        algorithm="distances",
        engine="complete table",
        stats=Stats(seconds=perf_counter() - began, peak_memory=peak_memory()),
        reason=reason,
    )
