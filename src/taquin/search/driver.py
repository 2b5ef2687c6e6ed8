"""Run a search loop under control: `trace` to watch it, `solve` to have its result.

At each tick of a loop the driver asks the control whether to go on and sets the number of
expansions until the next tick, so that ticks come about every 20 ms whatever the heuristic's speed.

`Contest` runs several searches side by side on one board, and `race` a board and its twin. They run
in lockstep: the search that has spent least expands a board next. So the result does not depend on
the speed of the display.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import count, pairwise, starmap
from math import inf
from time import perf_counter

from taquin.errors import UnsuitableError, UserCodeError
from taquin.heuristics.base import Zero, evaluator_for, holds_user_code, prepare
from taquin.heuristics.per_tile import Manhattan
from taquin.heuristics.user_code import (
    blaming_user_code,
    interruptible,
    user_code_parts,
    user_part,
    with_source,
)
from taquin.model.board import Board, BoardLike
from taquin.model.moves import BLANK, Move
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import solvability
from taquin.model.space import Space, State
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.reasons import reason
from taquin.search.control import INTERRUPTED, TABLES_FIRST, Control, Ended, Phase
from taquin.search.depth_first import every_path
from taquin.search.events import Event, Expanded, Finished, GoalFound, Watcher
from taquin.search.grammar import CONVENTIONS, SearchLike, as_search, is_search
from taquin.search.result import (
    COUNTERS,
    NO_LIMITS,
    Count,
    Counters,
    EngineTag,
    Limit,
    Limits,
    Outcome,
    Result,
    Task,
)
from taquin.search.run import Algorithm, Conventions, Duplicates, Exhausted, Found, Loop, SearchRun
from taquin.search.user_search import is_own_loop, uncounted
from taquin.system.formatting import safe_repr, shorten
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts

TAG = EngineTag("glass-box")
"""The engine of these searches in results."""
_STRETCH_SECONDS = 0.02
_LONGEST_STRETCH = 1 << 14
_TICK_BOARDS = 1 << 6
"""Boards between two ticks while every solution is listed: a millisecond."""


def trace(
    puzzle: Puzzle | GoalLike,
    start: BoardLike | None = None,
    algorithm: SearchLike = "astar",
    limits: Limits | None = None,
    *,
    check: bool = True,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Event]:
    """Yield every event of a search; the last one is `Finished` with the result.

    `puzzle` is a puzzle or a goal in any form that `solve` takes; without a `start` it is the board
    itself, and the goal is blank-last. With `check`, a board that parity proves unsolvable is not
    searched. `stop` is called at every tick; when it returns True, or at Ctrl-C, the search ends.
    The clock is paused while the caller handles an event. Raise MismatchError or UnsuitableError
    before the first event when start, goal and algorithm do not fit.

    >>> [type(event).__name__ for event in trace("1 2 3 / 4 5 6 / 7 0 8", algorithm="bfs")][-2:]
    ['GoalFound', 'Finished']
    """
    with DeferredInterrupts() as block:
        control = Control(limits or NO_LIMITS, stop=stop)
        search = as_search(algorithm)
        task = Task(*_puzzle_and_start(puzzle, start), search, control.limits)
        events = trace_under(task, search, control, check=check)
        return deferring_interrupts(events, partial(control.stop, INTERRUPTED), block)


def trace_under(
    task: Task, algorithm: Algorithm, control: Control, *, check: bool = True
) -> Iterator[Event]:
    """Return the events of a search under `control`; raise what `trace` raises."""
    return _Search(task, algorithm, control, watched=True).events(check)


def _puzzle_and_start(puzzle: Puzzle | GoalLike, start: BoardLike | None) -> tuple[Puzzle, Board]:
    if isinstance(puzzle, Puzzle):
        if start is None:
            raise UnsuitableError("expected a board to start from: trace(puzzle, board, algorithm)")
        return puzzle, Board.of(start)
    if isinstance(start, str) and is_search(start):
        raise UnsuitableError(
            f"expected a board, found the search {shorten(start)}: write "
            f"trace(board, algorithm={shorten(start)})"
        )
    goal, start = (None, puzzle) if start is None else (puzzle, start)
    if start is None:
        raise UnsuitableError("expected a board: trace('1 2 3 / 4 5 6 / 7 0 8')")
    board = as_start(start, goal)
    return Puzzle(as_goal(goal, board)), board


def tables_first(algorithm: object = None) -> tuple[Phase, ...]:
    """Return the phases without limits for one of many boards; loading user code stays limited."""
    return (Phase.BUILDING,) if holds_user_code(algorithm) else TABLES_FIRST


def solve(task: Task, algorithm: Algorithm, control: Control, *, check: bool = True) -> Result:
    """Search under `control` and return the result; raise what `trace` raises."""
    events = _Search(task, algorithm, control, watched=False).events(check)
    return next(event.result for event in events if isinstance(event, Finished))


def solve_every(task: Task, algorithm: Algorithm, control: Control) -> Iterator[tuple[Move, ...]]:
    """Yield every requested solution once; `control` tells whether the listing was cut short.

    `algorithm` must find shortest solutions; it runs first, to learn their length.
    """
    search = _Search(task, algorithm, control, watched=False)
    for event in search.events(check=True):
        if isinstance(event, Finished) and event.result.outcome is Outcome.SOLVED:
            assert event.result.optimal, "the search finds shortest solutions"
            yield from search.every(event.result.lower_bound + task.beyond)


class _Search:
    def __init__(
        self, task: Task, algorithm: Algorithm, control: Control, *, watched: bool
    ) -> None:
        self.task, self.control, self.watched = task, control, watched
        self.run: SearchRun | None = None
        self._stretch, self._tick = 1, 0.0
        control.concern(task)
        # Files are read once, so that a search is not affected by an edit while it runs.
        self.algorithm = algorithm = with_source(algorithm)
        self.calling = interruptible(algorithm)
        with blaming_user_code(), control.guard(), self.calling:
            for code in user_code_parts(algorithm):
                # An error in it is reported before tables are built.
                code.load()
            conventions = _complete_conventions(algorithm)
            self.space = Space(task.puzzle, task.start, conventions.directions, conventions.bumps)
            heuristic = algorithm.heuristic or Zero()
            prepare(heuristic, self.space, control.building)
            if getattr(algorithm, "from_both_ends", False):
                # Imported late: few searches need it.
                from taquin.search.bidirectional import backward_space

                prepare(heuristic, backward_space(self.space), control.building)
            if control.is_over:
                return
            self.run = SearchRun(
                space=self.space,
                evaluator=evaluator_for(heuristic, self.space),
                conventions=conventions,
                watch=Watcher(self.space) if watched else None,
                max_depth=inf if task.limits.depth is None else task.limits.depth,
                nodes=control.nodes_left(Counters()),
                counting=task.limits.counting,
                check=self._check,
            )

    def events(self, check: bool) -> Iterator[Event]:
        control, run = self.control, self.run
        moves, counters = None, Counters()
        control.begin()
        control.prove(not self.task.puzzle.is_goal(self.task.start))
        if run is not None:
            counters = run.counters
            with blaming_user_code(), control.guard():
                moves = yield from self._search(run, check)
            if moves is None and run.best is not None:
                moves = self._moves(run.best())
            control.prove_counted(counters)
            for remark in getattr(run.evaluator, "remarks", ()):
                control.notice(remark)
            if moves is not None and not run.counts:
                control.notice(uncounted([self.algorithm]))
        counts = run.counts if run is not None else COUNTERS
        if moves is None or counters.bound < len(moves):
            counts = tuple(name for name in counts if name != "necessary")
        starts = [*(before for _, before in counters.rounds), counters.generated]
        bounds = tuple(
            (bound, after - before)
            for (bound, before), after in zip(counters.rounds, starts[1:], strict=True)
        )
        result = control.result(
            self.task, self.algorithm, TAG, counters, counts=counts, moves=moves, bounds=bounds
        )
        yield Finished(result)

    def every(self, length: int) -> Iterator[tuple[Move, ...]]:
        """Yield every solution of up to `length` moves."""
        control, run = self.control, self.run
        assert run is not None, "a search that ran has prepared"
        paths = every_path(run, length)
        with blaming_user_code(), control.guard():
            for number in count():
                try:
                    path = next(paths)
                except StopIteration as ended:
                    if not ended.value.complete:
                        control.end(ended.value.limit)
                    return
                if path is not None:
                    with control.clock.paused():
                        yield self._moves(path)
                elif number % _TICK_BOARDS == 0 and not control.tick(run.counters):
                    return

    def _search(
        self, run: SearchRun, check: bool
    ) -> Generator[Event, None, tuple[Move, ...] | None]:
        control, counters = self.control, run.counters
        if check:
            verdict = solvability(self.task.puzzle, self.task.start)
            if not verdict:
                control.refute(verdict.reason)
                return None
        self._bound_start(run)
        if run.nodes <= 0:
            control.end(Limit.NODES)
        if not control.tick(counters):
            return None
        with self.calling:
            loop = self.algorithm.loop(run)
        stretch = 0
        while True:
            try:
                with self.calling:
                    item = loop.send(stretch) if stretch else next(loop)
            except StopIteration as ended:
                return self._ended(run, ended.value)
            stretch = 0
            if item is None:
                if self._cap_passed(run) or not control.tick(counters):
                    return None
                stretch = self._next_stretch(counters)
            elif not isinstance(item, Event):
                raise UserCodeError(
                    f"the loop of {self.algorithm} must yield events, or None for a tick; it "
                    f"yielded {safe_repr(item)}"
                )
            elif not (isinstance(item, GoalFound) and self._cap_passed(run)):
                with control.clock.paused():
                    yield item

    def _bound_start(self, run: SearchRun) -> None:
        """Bound the start's cost by the heuristic and, with user code, by Manhattan distance."""
        control, start, evaluator = self.control, self.space.start, run.evaluator
        search, part = self.algorithm, user_part(self.algorithm.heuristic)
        estimate = None
        if part or evaluator.admissible:
            with self.calling:
                estimate = evaluator.value(start)
            run.counters.bound = estimate if evaluator.admissible else 0
        # The claims of user code on which the bounds rest.
        claims = [reason("is-correct", name=search.name)] if is_own_loop(search) else []
        if part and evaluator.admissible:
            # These conventions expand no board twice.
            is_final = run.conventions.duplicates in (Duplicates.CLOSED, Duplicates.DEQUEUE)
            claims.append(reason("is-consistent" if is_final else "is-admissible", name=part))
        if len(claims) == 2:
            claims = [reason("two-claims", claim=claims[0], other=claims[1])]
        control.assume(claims[0] if claims else "", estimate if part else None)
        control.prove_counted(run.counters)
        if holds_user_code(search):
            control.prove(evaluator_for(Manhattan(), self.space).value(start))

    def _check(self) -> None:
        """Raise Ended if the search has to end."""
        assert self.run is not None, "a search that runs has prepared"
        if not self.control.tick(self.run.counters):
            raise Ended

    def _cap_passed(self, run: SearchRun) -> bool:
        """End the search if more nodes are kept than the algorithm may keep."""
        cap = self.algorithm.cap
        if cap is None or run.counters.enqueued <= cap:
            return False
        run.best = None
        self.control.end(Limit.CAP, cap)
        return True

    def _next_stretch(self, counters: Counters) -> int:
        if self.watched:
            return 1
        now = perf_counter()
        taken, self._tick = now - self._tick, now
        if taken < _STRETCH_SECONDS / 2:
            self._stretch = min(self._stretch * 2, _LONGEST_STRETCH)
        elif taken > _STRETCH_SECONDS * 2:
            self._stretch = max(1, self._stretch // 4)
        # One expansion adds at most `branching` nodes to a counter; near the limit, tick each time.
        left = self.control.nodes_left(counters)
        if self.algorithm.cap is not None:
            left = min(left, self.algorithm.cap - counters.enqueued)
        return int(min(self._stretch, max(1, left / self.space.branching)))

    def _ended(self, run: SearchRun, ending: Found | Exhausted) -> tuple[Move, ...] | None:
        """Return the moves of a loop that ended by itself, or tell the control why it has none."""
        if not isinstance(ending, Found | Exhausted):
            raise UserCodeError(
                f"the loop of {self.algorithm} must return Found or Exhausted; it returned "
                f"{safe_repr(ending)}"
            )
        if isinstance(ending, Found):
            # The cap may have been passed just before the goal was found.
            return None if self._cap_passed(run) else self._moves(ending.path)
        if not ending.complete:
            self.control.end(ending.limit, ending.size)
        elif is_own_loop(self.algorithm) and solvability(self.task.puzzle, self.task.start):
            raise UserCodeError(
                f"{self.algorithm.name} says that it searched every reachable board in vain, but "
                f"{self.task.start.text()} has a solution; a loop that left boards out must return "
                f"Exhausted(complete=False)"
            )
        else:
            self.control.refute()
        return None

    def _moves(self, path: list[State]) -> tuple[Move, ...]:
        return tuple(starmap(self.space.move_between, pairwise(path)))


def _complete_conventions(algorithm: Algorithm) -> Conventions:
    """Return the conventions of an algorithm; raise UnsuitableError where it leaves one open."""
    conventions = algorithm.conventions
    if not isinstance(conventions, Conventions):
        fault = (
            f"expected the conventions of the search {algorithm.name}, found "
            f"{shorten(str(conventions))}"
        )
    elif left := [name for name in CONVENTIONS if name not in conventions.chosen()]:
        fault = (
            f"the search {algorithm.name} leaves some of its conventions open "
            f"({', '.join(left)}), and no count means anything without them"
        )
    else:
        return conventions
    raise UnsuitableError(
        f"{fault}; write conventions = tq.AStar().conventions, or tq.search.Conventions(…).over("
        f"tq.AStar().conventions) with choices of your own"
    )


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
