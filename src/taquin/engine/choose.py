"""`tq.solve`: the first engine that fits a task on this machine, or the one that is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Unpack

from taquin.engine.anytime.engine import Anytime, settled_by_hand
from taquin.engine.cluster import Cluster
from taquin.engine.cpu.engine import Cpu
from taquin.engine.distances import CompleteTable
from taquin.engine.general.engine import General
from taquin.engine.glass import GlassBox, estimate
from taquin.engine.gpu.engine import Gpu
from taquin.engine.seam import FITS, Engine, Fit, Settled
from taquin.engine.shortcuts import Shortcuts, combined
from taquin.errors import MachineError, UnsuitableError
from taquin.model.board import BoardLike
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.values import GoalLike, as_goal, as_start
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.grammar import as_search
from taquin.search.result import NO_LIMITS, Limit, Limits, Outcome, Result, Task, Want
from taquin.search.run import Algorithm
from taquin.search.terms import read_call
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts
from taquin.system.words import unknown
from taquin.tables.shape import LARGEST

ENGINES: dict[str, Callable[..., Engine]] = {
    "table": CompleteTable,
    "gpu": Gpu,
    "cpu": Cpu,
    "cluster": Cluster,
    "anytime": Anytime,
    "general": General,
    "glass": GlassBox,
}
"""Every engine by its name, in the order in which they are asked whether a task fits."""

_TRY_NODES = 10_000
"""Nodes the glass box may generate before another engine takes over: some hundredths of a second,
less than loading the other takes, let alone building its tables."""
_TRY_ESTIMATE = 30
"""Estimate of the start from which on such a try is hopeless: of 173 boards it solved 2."""
_NUMBERS: dict[str, tuple[Callable[[str], float], str]] = {
    "int": (int, "a whole number"),
    "float": (float, "a number"),
}
"""How the settings of engines that are numbers are read, and what they are called."""
_SETTLING_SHARE = 0.25
"""Share of a limit on seconds that is kept for a good solution in case there is no shortest one."""
_SHORTEST_SETTLING, _LONGEST_SETTLING = 0.25, 5.0
"""Seconds for a good solution after a limit on nodes: less is not worth loading code for."""
_is_first = True
"""Whether no board was solved in this process yet."""


@dataclass(frozen=True, slots=True)
class Auto(Settled):
    """The first engine that fits, with these settings where it knows them."""

    tables: str | None = "small"
    """The set of pattern tables: `small`, `large`, or None for none."""
    threads: int | None = None
    """Cores to use; None for all."""
    once: bool = False
    """Whether this process solves one board only: an easy one is solved in the glass box before
    compiled code could be loaded, let alone run."""
    afresh: bool = False
    """Whether each board is solved as the first of a process is, for runs that stand side by side:
    which engine runs a search then does not depend on those before it."""
    first: Algorithm | None = None
    """Search to try before any engine, for a moment: one whose counts are asked for."""
    optimal: bool = False
    """Whether only a shortest solution will do, however long it takes."""
    patience: float | None = None
    """Seconds after which any good solution will do; None to wait for a shortest."""
    settles: bool = False
    """Whether a good solution will do when a limit ends the search for a shortest one; a part of a
    limit on seconds is kept for it."""
    insist: str = ""
    """How to insist on a shortest one, in words, for the notice that patience has ended."""

    name = "auto"
    takes_searches = True
    summary = "the first of the engines that fits"

    def available(self) -> Fit:
        """Tell that there is always one."""
        return FITS

    def fits(self, task: Task) -> Fit:
        """Tell that one will do, or that solving will say why none does."""
        return FITS

    def chosen(self, task: Task) -> Engine:
        """Return the first engine that fits; raise UnsuitableError when none does."""
        for engine in self._engines():
            if isinstance(engine, Anytime) and (self.optimal or not _is_out_of_reach(task)):
                continue
            if isinstance(engine, Gpu) and not engine.is_worth_it(task):
                continue
            if fit := engine.fits(task):
                return engine
        raise UnsuitableError(f"no engine can do this: {fit.why_not}")

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task by the first engine that fits it."""
        global _is_first
        engine = self.chosen(task)
        is_first = _is_first or self.afresh
        waits = is_first and self.once and getattr(engine, "starts_slowly", False)
        _is_first = False
        looks_easy = (waits or isinstance(engine, Anytime)) and estimate(task) < _TRY_ESTIMATE
        if self.first or looks_easy or (waits and _has_to_build(engine, task)):
            tried = replace(task, algorithm=self.first or task.algorithm)
            result = control.attempt(
                _TRY_NODES,
                partial(GlassBox().solve, tried, control),
                # What a search that is named counts is what it would count alone.
                counts=task.algorithm is None,
            )
            if result is not None:
                return settled_by_hand(result, task) if self.settles else result
        if task.algorithm is not None or isinstance(engine, Anytime | CompleteTable):
            return engine.solve(task, control)
        seconds = self._seconds_for_a_shortest(task)
        part = control if seconds is None else control.part(seconds)
        result = engine.solve(task, part)
        if seconds is not None and result.limit is Limit.SECONDS:
            return self._settle_in_the_rest(seconds, result, task, control)
        return self._settle_after(result, task, control) if self.settles else result

    def _seconds_for_a_shortest(self, task: Task) -> float | None:
        """Return how long to look for a shortest solution before a good one will do; None: ever."""
        allowed = task.limits.seconds
        if self.optimal or not Anytime().fits(task):
            return None
        if allowed is not None and self.settles:
            return allowed * (1 - _SETTLING_SHARE)
        is_patient = allowed is not None and self.patience is not None and self.patience >= allowed
        return None if is_patient else self.patience

    def _settle_in_the_rest(
        self, seconds: float, result: Result, task: Task, control: Control
    ) -> Result:
        """Look for a good solution in the time that the search for a shortest one has left."""
        control.take_over(result)
        settling = Anytime(threads=self.threads)
        told = f"No shortest solution after {seconds:g} s: looking for a good one"
        if task.limits.seconds is None:
            insist = f"; {self.insist}" if self.insist else ""
            control.notice(f"{told}, and for better ones{insist}.")
            return settling.solve(task, control)
        control.notice(f"{told} in the time that is left.")
        settled = settling.settle(task, control)
        if settled.outcome is not Outcome.SOLVED or settled.optimal:
            return settled
        # A shortest solution was asked for, and the limit has come before it.
        control.end(Limit.SECONDS)
        return replace(
            settled,
            outcome=Outcome.LIMIT_REACHED,
            limit=control.limit,
            reason=control.reason,
            bounds=result.bounds,
        )

    def _settle_after(self, result: Result, task: Task, control: Control) -> Result:
        """Return a result that has a solution, if one can be had at once after a limit or a stop.

        After a search of some seconds that a limit on nodes ended, it is looked for a little
        longer, in proportion; its boards are none of the nodes that were limited.
        """
        if result.moves is None and result.limit is Limit.NODES:
            seconds = min(_LONGEST_SETTLING, result.stats.seconds * _SETTLING_SHARE)
            settling = Anytime(seconds, threads=self.threads)
            if seconds >= _SHORTEST_SETTLING and settling.fits(task):
                return replace(result, moves=settling.settle(task, control.apart()).moves)
        return settled_by_hand(result, task)

    def _engines(self) -> Iterator[Engine]:
        settings = {"tables": self.tables, "threads": self.threads}
        for make in ENGINES.values():
            known: Any = make.__dataclass_fields__  # type: ignore[attr-defined]
            yield make(**{name: value for name, value in settings.items() if name in known})


def _is_out_of_reach(task: Task) -> bool:
    """Tell whether a task is beyond every search for a shortest solution, but for easy boards."""
    goal = task.puzzle.goal
    return goal.grid.size > LARGEST and goal.is_full and not goal.grid.walls


def _has_to_build(engine: Engine, task: Task) -> bool:
    """Tell whether an engine lacks tables, so that a try may prove all there is time for."""
    return isinstance(engine, Cpu) and not engine.has_tables(task)


def insists(engine: Engine) -> bool:
    """Tell whether an engine is to give a shortest solution or none."""
    return isinstance(engine, Auto) and engine.optimal


def engine_named(text: str, **settings: Any) -> Engine:
    """Return the engine that `text` names, `auto` among them, with these settings; None: not given.

    Raise UnsuitableError for a name or a setting that there is not.

    >>> print(engine_named("cpu(tables=large)", threads=1))
    cpu(tables=large, threads=1)
    """
    name, written = read_call(text)
    if name != "auto" and name not in ENGINES:
        raise UnsuitableError(unknown("engine", name, ["auto", *ENGINES]))
    make: Any = Auto if name == "auto" else ENGINES[name]
    kinds = {each.name: str(each.type) for each in fields(make)}
    given: dict[str, Any] = {}
    said = {key: value for key, value in settings.items() if value is not None}
    for key, value in {**written, **said}.items():
        if key not in kinds:
            takes = ", ".join(kinds) or "no settings"
            raise UnsuitableError(f"the engine {name} has no use for {key}; it takes {takes}")
        given[key] = None if value == "none" else value
        if isinstance(value, str) and (kind := kinds[key].partition(" ")[0]) in _NUMBERS:
            read, what = _NUMBERS[kind]
            try:
                given[key] = read(value)
            except ValueError:
                raise UnsuitableError(f"expected {what} for {key}, found {value!r}") from None
    engine: Engine = make(**given)
    return engine


def run(task: Task, engine: Engine, control: Control) -> Result:
    """Solve a task by an engine; raise what `solve` raises.

    Ctrl-C is heard where the engine asks the control, and not before: whenever it comes, the result
    says that the search was stopped.
    """
    with DeferredInterrupts() as block:
        demand(engine, task)
        result = engine.solve(task, control)
    return _stopped(result) if block.is_interrupted else result


def _stopped(result: Result) -> Result:
    """Return a result as that of a search that Ctrl-C ended."""
    return replace(result, outcome=Outcome.STOPPED, limit=None, reason=INTERRUPTED)


def demand(engine: Engine, task: Task) -> None:
    """Raise MismatchError or UnsuitableError for a task that is none, or not for the engine."""
    task.puzzle.check(task.start)
    if not (fit := engine.fits(task)):
        raise UnsuitableError(f"the engine {engine.name} cannot do this: {fit.why_not}")


def solve(
    start: BoardLike,
    goal: GoalLike | Puzzle = None,
    *,
    metric: Metric | str | None = None,
    algorithm: Algorithm | Anytime | str | None = None,
    limits: Limits | None = None,
    engine: Engine | str = "auto",
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    **shortcuts: Unpack[Shortcuts],
) -> Result:
    """Solve `start`, optimally unless `algorithm` says otherwise.

    A board of more than 25 different tiles is beyond that, unless it is easy: it gets a good
    solution, as from `Anytime()`, and `result.gap` says how good. So does any other classic board
    when a limit or Ctrl-C ends the search for a shortest solution: a quarter of a limit on seconds
    is kept for that.

    start: the board: a `Board`, its text in any form (`"8 6 7 / 2 5 4 / 3 0 1"`, `"867254301"`),
        nested lists, or a NumPy array; 0 is the blank.
    goal: what to reach: `"blank-last"` (when not given), `"blank-first"`, `"snail"`, or a board
        with `*` where any tile will do, in the same ways as the start; or a `Puzzle`.
    metric: what counts as one move: `"single"`, a tile (when not given); `"multi"`, a slide of
        several in a line.
    algorithm: a search to run in the glass box, as a value, `AStar(Manhattan(), weight=2)`, or as
        text, `"astar(manhattan, weight=2)"`; when not given, whatever finds a shortest solution
        soonest. `Anytime(seconds=5)` is for any good solution of any board.
    limits: when to give up, `Limits(nodes=10**6, seconds=60)`; never when not given.
    engine: what solves it where no algorithm is named: `"auto"`, the first that fits, or one of
        `taquin engines`, with its settings: `"cpu(tables=large, threads=1)"`; or a value.
    progress: is called with the counters and the seconds now and then.
    stop: is asked now and then whether to give up; Ctrl-C does the same.
    heuristic: short for an algorithm with it: `heuristic="manhattan"` is A* with Manhattan, and
        `algorithm="idastar", heuristic=my_function` is IDA* with a function of your own.
    max_nodes: short for `limits=Limits(nodes=…)`.
    seconds: short for `limits=Limits(seconds=…)`.

    Return a `Result`, however the search ended: `print(result)` tells it in words, `outcome` is how
    it ended, `moves` the best solution found or None, `cost` its length, `boards()` its boards,
    `optimal` whether it is proven shortest, `lower_bound` what is proven, `stats` what it took.

    Raise NotationError or BoardError for a board that is none, MismatchError when start and goal do
    not belong together, and UnsuitableError when the algorithm or the engine cannot serve.

    >>> result = solve("1 2 3 / 4 0 5 / 7 8 6")
    >>> result.cost, [str(move) for move in result.moves]
    (2, ['5 left', '6 up'])
    >>> solve([[1, 2, 3], [8, 0, 4], [7, 6, 5]], "snail", algorithm="bfs").cost
    0
    """
    with DeferredInterrupts() as block:
        if isinstance(goal, Puzzle):
            metric = _agreed(metric, goal.metric)
            goal = goal.goal
        board = as_start(start, goal)
        puzzle = Puzzle(as_goal(goal, board), Metric.named(metric or Metric.SINGLE))
        algorithm, limits = combined(algorithm, limits, shortcuts)
        if isinstance(algorithm, Anytime):
            engine, algorithm = algorithm, None
        search = None if algorithm is None else as_search(algorithm)
        if isinstance(engine, str):
            is_auto = engine == "auto"
            engine = Auto(once=True, settles=True) if is_auto else engine_named(engine)
        control = Control(limits, progress=progress, stop=stop)
        task = Task(puzzle, board, search, limits)
        result = run(task, engine, control)
        if not insists(engine):
            result = settled_by_hand(result, task)
    return _stopped(result) if block.is_interrupted else result


def _agreed(given: Metric | str | None, own: Metric) -> Metric:
    """Return the metric of a puzzle; raise UnsuitableError where another one is given."""
    if given is not None and Metric.named(given) is not own:
        raise UnsuitableError(f"the puzzle counts by the metric {own}, metric= asks for {given}")
    return own


def all_solutions(
    start: BoardLike,
    goal: GoalLike = None,
    *,
    most: int | None = None,
    limits: Limits | None = None,
    metric: Metric | str = Metric.SINGLE,
    engine: Engine | str = "auto",
    progress: Progress | None = None,
) -> Iterator[tuple[Move, ...]]:
    """Return every shortest solution, one after the other, at most `most` of them.

    Start and goal are taken as by `solve`. An unsolvable board has none. Raise MismatchError when
    they do not belong together, and UnsuitableError when the engine lists no solutions. A limit or
    Ctrl-C ends it early.
    """
    with DeferredInterrupts():
        board = as_start(start, goal)
        puzzle = Puzzle(as_goal(goal, board), Metric.named(metric))
        task = Task(puzzle, board, limits=limits or NO_LIMITS, want=Want.EVERY)
        if isinstance(engine, str):
            engine = engine_named(engine)
        return every_solution(task, engine, Control(task.limits, progress=progress), most)


def every_solution(
    task: Task, engine: Engine, control: Control, most: int | None = None
) -> Iterator[tuple[Move, ...]]:
    """Return every shortest solution of a task; when it is cut short, `control` knows why."""
    with DeferredInterrupts() as block:
        demand(engine, task)
        chosen: Any = engine.chosen(task) if isinstance(engine, Auto) else engine
        found: Iterator[tuple[Move, ...]] = chosen.every(task, control, most)
        return deferring_interrupts(found, partial(control.stop, INTERRUPTED), block)


def moves_left(
    board: BoardLike, goal: GoalLike = None, *, metric: Metric | str = Metric.SINGLE
) -> int | None:
    """Return the length of a shortest solution; None when there is none.

    Board, goal and metric are taken as by `solve`. Classic puzzles of up to nine cells are looked
    up at once; any other is solved, which takes as long as it takes: `solve` has limits.

    >>> moves_left("8 6 7 / 2 5 4 / 3 0 1")
    31
    """
    start = as_start(board, goal)
    puzzle = Puzzle(as_goal(goal, start), Metric.named(metric))
    result = run(Task(puzzle, start), Auto(), Control())
    if result.outcome is Outcome.STOPPED:
        raise KeyboardInterrupt
    if result.outcome is Outcome.LIMIT_REACHED:
        raise MachineError(f"{result.reason}; the least number of moves is not known")
    return result.cost
