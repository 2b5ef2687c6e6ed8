"""Searches side by side: a contest of several on one board, and the race of a board with its twin.

They run in lockstep: the search that has spent least expands a board next. So the result does not
depend on the speed of the display.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from math import inf
from time import perf_counter

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Zero, evaluator_for
from taquin.model.board import Board
from taquin.model.moves import BLANK
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.driver import trace
from taquin.search.events import Event, Expanded, Finished
from taquin.search.result import Count, Counters, Limits, Outcome, Result
from taquin.search.run import Algorithm, Exhausted, Found, Loop, SearchRun


class Effort(Enum):
    """The unit of effort that is shared equally."""

    EXPANSIONS = "expansions"
    TIME = "time"


@dataclass(slots=True)
class Contestant:
    """One search of a contest and its current state."""

    name: str
    board: Board
    """The board expanded last, or the start."""
    events: Iterator[Event]
    spent: float = 0.0
    """Expansions or seconds so far."""
    expanded: int = 0
    frontier: int = 0
    """Entries in the frontier."""
    depth: int = 0
    """Depth of the board expanded last."""
    result: Result | None = None
    """The result; None while the search runs."""

    @property
    def is_solved(self) -> bool:
        """Whether it found a solution."""
        return self.result is not None and self.result.outcome is Outcome.SOLVED

    def expand(self) -> None:
        """Expand the next board, or finish."""
        for event in self.events:
            if isinstance(event, Expanded):
                self.expanded += 1
                self.board, self.depth = event.node.board, event.node.depth
                self.frontier = event.frontier
                return
            if isinstance(event, Finished):
                self.result = event.result
                self.board = (self.board, *event.result.boards())[-1]
                self.depth = event.result.cost or self.depth


class Contest:
    """Searches side by side."""

    def __init__(
        self,
        puzzle: Puzzle,
        start: Board,
        searches: Sequence[Algorithm],
        limits: Limits,
        by: Effort,
    ) -> None:
        """Begin each search."""
        self.by, self._is_over = by, False
        run = partial(trace, puzzle, start, limits=limits, stop=lambda: self._is_over)
        self.contestants = [Contestant(str(search), start, run(search)) for search in searches]
        self.level = self._owed = 0.0
        """Expansions or seconds that every search has had; fractions of one are owed."""

    @property
    def running(self) -> list[Contestant]:
        """The searches that have not ended."""
        return [each for each in self.contestants if each.result is None]

    def advance(self, amount: float, seconds: float) -> None:
        """Give every search `amount` more effort, or as much as fits into `seconds`.

        Raise KeyboardInterrupt if Ctrl-C ended one of them.
        """
        self._owed += amount
        given = self._owed // 1 if self.by is Effort.EXPANSIONS else self._owed
        self._owed -= given
        level, deadline = self.level + given, perf_counter() + seconds
        while behind := [each for each in self.running if each.spent < level]:
            search = min(behind, key=lambda each: each.spent)
            began = perf_counter()
            search.expand()
            now = perf_counter()
            if search.result is not None and search.result.outcome is Outcome.STOPPED:
                raise KeyboardInterrupt
            search.spent += 1 if self.by is Effort.EXPANSIONS else now - began
            if now > deadline:
                # The slowest search sets the level.
                level = min((each.spent for each in self.running), default=level)
                break
        self.level = level

    def stop(self) -> None:
        """End the searches that still run."""
        self._is_over = True
        for search in self.running:
            while search.result is None:
                search.expand()


def rank_of(search: Contestant, searches: Sequence[Contestant]) -> int | None:
    """Return the rank of a search that found a solution, None for others; ties share a rank."""
    if not search.is_solved:
        return None
    return 1 + sum(other.is_solved and other.spent < search.spent for other in searches)


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

        1 2 3      2 1 3      the twin has two adjacent tiles exchanged. No move turns an odd board
        4 5 6      4 5 6      into an even one, so exactly one of the two is solvable: search both
        8 7 _      8 7 _      in turn, one expansion each, until one of them is solved

    So the race decides by search alone whether a board is solvable, and costs what the other search
    has expanded by then. Raise UnsuitableError for a puzzle whose boards have no twin: it needs two
    rows and columns, no walls, distinct tiles, and a goal that names every cell.
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


def _run(puzzle: Puzzle, board: Board, algorithm: Algorithm, control: Control) -> SearchRun:
    space = Space(puzzle, board, algorithm.conventions.directions)
    evaluator = evaluator_for(algorithm.heuristic or Zero(), space)
    limits = control.limits
    return SearchRun(
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
