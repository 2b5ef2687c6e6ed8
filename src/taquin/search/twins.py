"""Race a board against its twin, to decide by search alone whether it is solvable.

1 2 3      2 1 3      the twin has two adjacent tiles exchanged. No move turns an odd board
4 5 6      4 5 6      into an even one, so exactly one of the two is solvable: search both
8 7 _      8 7 _      in turn, one expansion each, until one of them is solved

The race costs what the other search has expanded by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Zero, evaluator_for
from taquin.model.board import Board
from taquin.model.moves import BLANK
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Count, Counters
from taquin.search.run import Algorithm, Exhausted, Found, Loop, Run

_TICK_TURNS = 1 << 5
"""Expansions of each search between two ticks."""


@dataclass(frozen=True, slots=True)
class TwinRace:
    """The result of a race."""

    solvable: bool | None
    """Whether the board itself was solved; None if a limit ended the race."""
    twin: Board
    boards: tuple[Board, ...]
    """The boards of the solution found, from the start on."""
    own: Counters
    """The counters of the board's search."""
    other: Counters
    """The counters of the twin's search."""


def twin_of(board: Board) -> Board:
    """Return the board with the first two tiles of the first row without the blank exchanged.

    >>> print(twin_of(Board.parse("1 2 / 3 0")))
    2 1
    3 _
    """
    columns = board.grid.columns
    first = 0 if board.cells.index(BLANK) >= columns else columns
    cells = list(board.cells)
    cells[first], cells[first + 1] = cells[first + 1], cells[first]
    return Board(board.grid, tuple(cells))


def race(puzzle: Puzzle, start: Board, algorithm: Algorithm, control: Control) -> TwinRace:
    """Search `start` and its twin in turn until one is solved, or `control` ends the race.

    Raise UnsuitableError for a puzzle whose boards have no twin: it needs two rows and columns, no
    walls, distinct tiles, and a goal that names every cell.
    """
    grid = puzzle.grid
    has_repeats = len(set(start.cells)) < grid.size
    if grid.walls or has_repeats or not puzzle.goal.is_full or min(grid.rows, grid.columns) < 2:
        raise UnsuitableError(
            "a board has a twin only on 2×2 cells or more, without walls, with distinct tiles and "
            "a goal that names every cell"
        )
    puzzle.check(start)
    twin = twin_of(start)
    own, other = (_run(puzzle, board, algorithm, control) for board in (start, twin))
    turns = zip(_turns(algorithm.loop(own)), _turns(algorithm.loop(other)), strict=False)
    counters = own.counters, other.counters
    with control.guard():
        for number, ends in enumerate(turns):
            for run, end in zip((own, other), ends, strict=True):
                if isinstance(end, Found):
                    boards = tuple(map(run.space.decode, end.path))
                    return TwinRace(run is own, twin, boards, *counters)
                if end is not None:
                    # Within a limit, both searches may end without a solution.
                    control.end(end.limit)
            if number % _TICK_TURNS == 0 or control.is_over:
                names = [count.value for count in Count]
                both = {name: sum(getattr(part, name) for part in counters) for name in names}
                if not control.tick(Counters(**both)):
                    break
    return TwinRace(None, twin, (), *counters)


def _run(puzzle: Puzzle, board: Board, algorithm: Algorithm, control: Control) -> Run:
    space = Space(puzzle, board, algorithm.conventions.directions)
    evaluator = evaluator_for(algorithm.heuristic or Zero(), space)
    limits = control.limits
    return Run(
        space,
        evaluator,
        algorithm.conventions,
        max_depth=inf if limits.depth is None else limits.depth,
        # Half for each search.
        nodes=inf if limits.nodes is None else limits.nodes // 2,
        counting=limits.counting,
    )


def _turns(loop: Loop) -> Iterator[Found | Exhausted | None]:
    """Yield None before each expansion, and at last how the search ended."""
    try:
        next(loop)
        while True:
            yield None
            loop.send(1)
    except StopIteration as ended:
        yield ended.value
