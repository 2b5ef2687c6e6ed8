"""Run a search loop under control: `trace` to watch it, `solve` to have its result.

At each tick of a loop the driver asks the control whether to go on and sets the number of
expansions until the next tick, so that ticks come about every 20 ms whatever the heuristic's speed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
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
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import Solvability, solvability
from taquin.model.space import Space, State
from taquin.notation.boards import GoalLike, as_goal, as_start

# Algorithms import their loops late; here, so that the time of a search does not count it.
from taquin.reasons import reason
from taquin.search.control import INTERRUPTED, TABLES_FIRST, Control, Ended, Phase
from taquin.search.conventions import Conventions, Duplicates
from taquin.search.depth_first import every_path
from taquin.search.events import Event, Finished, GoalFound, Watcher
from taquin.search.grammar import CONVENTIONS, SearchLike, as_search, is_search
from taquin.search.result import (
    COUNTERS,
    NO_LIMITS,
    Counters,
    EngineTag,
    Limit,
    Limits,
    Outcome,
    Result,
    Task,
)
from taquin.search.run import Algorithm, Exhausted, Found, SearchRun
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
                    with control.paused():
                        yield self._moves(path)
                elif number % _TICK_BOARDS == 0 and not control.tick(run.counters):
                    return

    def _search(
        self, run: SearchRun, check: bool
    ) -> Generator[Event, None, tuple[Move, ...] | None]:
        control, counters = self.control, run.counters
        if check:
            verdict = solvability(self.task.puzzle, self.task.start)
            if verdict.answer is Solvability.NO:
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
                with control.paused():
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
        control.assume(_assumption(run, search, part), estimate if part else None)
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
        if ending.complete:
            if is_own_loop(self.algorithm):
                self._check_refutation()
            self.control.refute()
        else:
            self.control.end(ending.limit, ending.size)
        return None

    def _check_refutation(self) -> None:
        """Raise UserCodeError if a user's loop says that a solvable board has no solution."""
        answer = solvability(self.task.puzzle, self.task.start).answer
        if answer is Solvability.YES:
            raise UserCodeError(
                f"{self.algorithm.name} says that it searched every reachable board in vain, but "
                f"{self.task.start.text()} has a solution; a loop that left boards out must return "
                f"Exhausted(complete=False)"
            )

    def _moves(self, path: list[State]) -> tuple[Move, ...]:
        return tuple(starmap(self.space.move_between, pairwise(path)))


def _assumption(run: SearchRun, search: Algorithm, part: str) -> str:
    """Return the claim of user code on which the bounds of a search rest; empty if there is none.

    `part` is the user code in the heuristic.
    """
    own = reason("is-correct", name=search.name) if is_own_loop(search) else ""
    if part and run.evaluator.admissible:
        # These conventions expand no board twice.
        is_final = run.conventions.duplicates in (Duplicates.CLOSED, Duplicates.DEQUEUE)
        claim = reason("is-consistent" if is_final else "is-admissible", name=part)
        return reason("two-claims", claim=own, other=claim) if own else claim
    return own


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
