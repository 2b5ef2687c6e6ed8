"""`tq.solve`: the first engine that fits a task on this machine, or the one that is named.

`ENGINES` lists the engines in this order, `Auto` tries them. `Settling` says when a good solution
will do in place of a shortest one, and finds it. The last part, `Shortcuts` and
`combined`, completes the algorithm and the limits by the short keywords of `tq.solve`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from taquin.engine.base import Engine, Solutions, check_fit
from taquin.errors import MachineError, UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.registry import as_heuristic
from taquin.model.board import BoardLike
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.grammar import parts_of, search_from_options
from taquin.search.result import NO_LIMITS, Limit, Limits, Outcome, Result, Task
from taquin.search.user_search import FunctionSearch
from taquin.system.formatting import did_you_mean, shorten, unknown
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.lazy import LazyRegistry

if TYPE_CHECKING:
    from taquin.engine.anytime.engine import Anytime
    from taquin.search.grammar import SearchLike
    from taquin.search.run import Algorithm


ENGINES: dict[str, Callable[..., Engine]] = LazyRegistry(
    table="engine.classic:CompleteTable",
    gpu="engine.gpu.engine:Gpu",
    cpu="engine.cpu.engine:Cpu",
    cluster="engine.cluster:Cluster",
    anytime="engine.anytime.engine:Anytime",
    general="engine.general.engine:General",
    textbook="engine.textbook.engine:Textbook",
    glass="engine.glass:GlassBox",
)
"""Every engine by its name; `Auto` asks them in this order whether a task fits."""

_TRY_NODES = 10_000
"""Nodes that the glass box may generate before another engine takes over: less time than it takes
to load compiled code."""
_EASY_ESTIMATE = 18
"""Manhattan distance below which such a try is better than loading code: of random walks on 4×4
with less, it solved 115 of 118; of those with 18 to 24, 96 of 149."""
_EASY_SLIDES = 7
"""The same where a slide of several tiles is one move: with 5 or 6 it solved 192 of 282, with 7 or
8 56 of 202."""
_TRY_ESTIMATE = 30
"""The same for boards of up to nine cells, and for all whose engine proves nothing: from there on a
try solved 10 of 117."""
_SMALL = 9
"""Cells up to which the glass box solves any board within a few of these tries."""
_boards = count()
"""Numbers the boards of `is_first_board`."""


_SHARE = 0.25
"""Share of a limit that is kept, or of nodes added, for a good solution if there is no shortest."""
_GOOD_SECONDS = 0.5
"""Seconds for a good solution after any other end: on 5×5, longer makes it hardly better."""
_GOOD_NODES = 1_000_000
"""The most nodes for a good solution after a limit on nodes: about as long."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Look for a good solution after `patience`, or where a limit left none."""

    patience: float | None = None
    """Seconds after which any good solution will do; None to wait for a shortest one."""
    fallback: bool = False
    """Whether part of a limit on seconds is kept for a good solution if no shortest is found."""
    advice: str = ""
    """How the user can insist on a shortest solution, for the notice that patience has ended."""

    def seconds_for_a_shortest(self, task: Task) -> float | None:
        """Return how long to look for a shortest solution before any good one; None: no limit."""
        allowed, patience = task.limits.seconds, self.patience
        if allowed is not None and self.fallback:
            seconds: float | None = allowed * (1 - _SHARE)
        else:
            is_patient = allowed is not None and patience is not None and patience >= allowed
            seconds = None if is_patient else patience
        if seconds is None:
            return None
        # Imported late, here and below: few searches end without a shortest solution.
        from taquin.engine.anytime.engine import Anytime

        return seconds if Anytime().fits(task) else None

    def settled(self, result: Result, task: Task, control: Control, threads: int | None) -> Result:
        """Return the result of a search that ended, with a good solution if its time was over."""
        seconds = self.seconds_for_a_shortest(task)
        if seconds is None or result.limit is not Limit.SECONDS:
            return result
        return self._settle_in_the_rest(seconds, result, task, control, threads)

    def _settle_in_the_rest(
        self, seconds: float, result: Result, task: Task, control: Control, threads: int | None
    ) -> Result:
        """Look for a good solution in the time that the search for a shortest one has left."""
        from taquin.engine.anytime.engine import Anytime

        control.take_over(result)
        settling = Anytime(threads=threads)
        notice = f"No shortest solution after {seconds:g} s: looking for a good one"
        if task.limits.seconds is None:
            advice = f"; {self.advice}" if self.advice else ""
            control.notice(f"{notice}, and for better ones{advice}.")
            return settling.solve(task, control)
        control.notice(f"{notice} in the time that is left.")
        settled = settling.solve(task, control, proves=False)
        if settled.outcome is not Outcome.SOLVED or settled.optimal:
            return settled
        # The user wants a shortest solution, and the limit came before it was found.
        control.end(Limit.SECONDS)
        return replace(
            settled,
            outcome=Outcome.LIMIT_REACHED,
            limit=control.limit,
            reason=control.reason,
            bounds=result.bounds,
        )


PATIENT = Settling()
"""Wait for a shortest solution, however long it takes, where an engine can find one."""


def with_good_solution(
    result: Result, task: Task, control: Control | None, threads: int | None = None
) -> Result:
    """Return a result with a good solution where a limit or a stop left none.

    Looking for it takes half a second; a second Ctrl-C ends that. After a limit on nodes it takes a
    quarter of these, so that the same limit gives the same solution. After one on seconds, and
    without a control, the solution is a constructed one, which takes milliseconds. The result of a
    search by name, or of one that proved that no solution is short enough, stays as it is.
    """
    is_cut = result.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED)
    if result.moves is not None or not is_cut or result.limit is Limit.DEPTH:
        return result
    if task.algorithm is not None:
        return result
    from taquin.engine.anytime.construction import constructed

    moves = None
    if control is not None and result.limit not in (Limit.SECONDS, Limit.CPU_SECONDS):
        from taquin.engine.anytime.engine import Anytime

        # A GPU takes seconds to prepare.
        beam = Anytime(_GOOD_SECONDS, threads=threads, gpu=False)
        rest = Limits(depth=task.limits.depth, memory=task.limits.memory)
        if result.limit is Limit.NODES:
            beam = Anytime(threads=1, gpu=False)
            nodes = int(_SHARE * (task.limits.nodes or 0))
            rest = replace(rest, nodes=min(_GOOD_NODES, nodes))
        if beam.fits(task):
            settling = replace(task, limits=rest)
            with suppress(KeyboardInterrupt):
                moves = beam.solve(settling, control.apart(), proves=False).moves
    return replace(result, moves=constructed(task) if moves is None else moves)


@dataclass(frozen=True, slots=True)
class Auto(Engine):
    """The first engine that fits, with these settings where it has them."""

    tables: str | None = "small"
    """The set of pattern tables: `small`, `large`, or None for none."""
    threads: int | None = None
    """Cores to use; None for all."""
    once: bool = False
    """Whether this process probably solves one board only; if it is easy, the glass box does."""
    first: Algorithm | None = None
    """A search to try briefly before any engine: one whose counts the user asks for."""
    settling: Settling | None = PATIENT
    """When a good solution will do; None if only a shortest one will, however long it takes."""

    name = "auto"
    takes_searches = True
    summary = "the first of the engines that fits"

    @property
    def only_optimal(self) -> bool:  # type: ignore[override]
        """Whether the user wants a shortest solution or none."""
        return self.settling is None

    def engine_for(self, task: Task) -> Engine:
        """Return the first engine that fits and is worth it; raise UnsuitableError if none is."""
        for engine in self._engines():
            if not engine.is_worth_it(task) or (self.only_optimal and not engine.finds_optimal):
                continue
            if fit := engine.fits(task):
                return engine
        raise UnsuitableError(f"no engine can do this: {fit.why_not}")

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task by the first engine that fits it."""
        engine = self.engine_for(task)
        if self._tries_glass_box(engine, task):
            named = replace(task, algorithm=self.first or task.algorithm)
            attempt = partial(ENGINES["glass"]().solve, named, control)
            # The counts of a search by name are those of the search alone.
            result = control.attempt(_TRY_NODES, attempt, counts=task.algorithm is None)
            is_cut = result is not None and result.outcome is Outcome.LIMIT_REACHED
            if result is not None and (engine.finds_optimal or not is_cut):
                return result
        if not engine.finds_optimal:
            self._announce(task, control)
        if task.algorithm is not None or not engine.may_take_long or self.settling is None:
            return engine.solve(task, control)
        seconds = self.settling.seconds_for_a_shortest(task)
        result = engine.solve(task, control if seconds is None else control.part(seconds))
        return self.settled(result, task, control)

    def _announce(self, task: Task, control: Control) -> None:
        """Say that no shortest solution is looked for."""
        grid = task.puzzle.grid
        advice = f"; {self.settling.advice}" if self.settling and self.settling.advice else ""
        control.notice(
            f"{grid.rows}×{grid.columns} is too large for a shortest solution: looking for a good "
            f"one{advice}."
        )

    def settled(self, result: Result, task: Task, control: Control) -> Result:
        """Return the result of a search that ended, with a good solution if its time was over."""
        settling = self.settling
        return settling.settled(result, task, control, self.threads) if settling else result

    def batch_key(self, task: Task) -> Hashable:
        """Return what the first engine that fits does, and that engine."""
        engine = self.engine_for(task)
        if task.algorithm is not None or self._tries_glass_box(engine, task):
            return None
        batch_key = engine.batch_key(task)
        return None if batch_key is None else (engine, batch_key)

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the results of the first engine that fits; `settled` is still to be asked."""
        settling = self.settling
        if settling and (seconds := settling.seconds_for_a_shortest(tasks[0])) is not None:
            limits = replace(tasks[0].limits, seconds=seconds)
            tasks = [replace(task, limits=limits) for task in tasks]
        return self.engine_for(tasks[0]).solve_many(tasks, control)

    def every(self, task: Task, control: Control) -> Solutions:
        """Return every shortest solution from the first engine that fits."""
        return self.engine_for(task).every(task, control)

    def _tries_glass_box(self, engine: Engine, task: Task) -> bool:
        """Return whether the glass box may be done before `engine` has begun, or prove more."""
        if self.first is not None:
            return True
        if not engine.finds_optimal:
            return _first_bound(task) < _TRY_ESTIMATE
        if not (self.once and engine.starts_slowly):
            return False
        is_single = task.puzzle.metric is Metric.SINGLE
        most = _EASY_ESTIMATE if is_single else _EASY_SLIDES
        most = _TRY_ESTIMATE if task.puzzle.grid.size <= _SMALL else most
        return _first_bound(task) < most or engine.has_to_build(task)

    def _engines(self) -> Iterator[Engine]:
        """Yield every engine in order, with the settings that it has."""
        settings = {"tables": self.tables, "threads": self.threads}
        for name in ENGINES:
            make: Any = ENGINES[name]
            known = make.__dataclass_fields__
            yield make(**{name: value for name, value in settings.items() if name in known})


def _first_bound(task: Task) -> int:
    """Return what the start needs at least: the Manhattan distance of a classic board."""
    if task.normal is not None:
        return task.normal.manhattan
    from taquin.engine.glass import estimate

    return estimate(task)


def is_first_board() -> bool:
    """Return True for the first call in a process, for `Auto.once`.

    A process that solves a second board is likely to solve many, and compiled code pays.
    """
    return next(_boards) == 0


def engine_named(text: str, **settings: Any) -> Engine:
    """Return the engine that `text` names, or `auto`, with these settings; None is not given.

    Raise UnsuitableError for an unknown name or setting.

    >>> print(engine_named("cpu(tables=large)", threads=1))
    cpu(tables=large, threads=1)
    """
    name: str = text
    written: Mapping[str, str] = {}
    if text not in ENGINES and text != "auto":
        # Imported late, as what else few runs need.
        from taquin.search.grammar import read_call

        name, written = read_call(text)
    if name != "auto" and name not in ENGINES:
        raise UnsuitableError(unknown("engine", name, ["auto", *ENGINES]))
    make: Any = Auto if name == "auto" else ENGINES[name]
    kinds = {field.name: str(field.type) for field in fields(make)}
    options: dict[str, Any] = {}
    given = {key: value for key, value in settings.items() if value is not None}
    for key, value in {**written, **given}.items():
        if key not in kinds:
            takes = ", ".join(kinds) or "no settings"
            raise UnsuitableError(f"the engine {name} does not support {key}; it takes {takes}")
        options[key] = None if value == "none" else value
        kind = kinds[key].partition(" ")[0]
        if options[key] is not None and kind in ("int", "float"):
            from taquin.search.grammar import read_option

            options[key] = read_option(key, kind, value)
    engine: Engine = make(**options)
    return engine


def run(task: Task, engine: Engine, control: Control) -> Result:
    """Solve a task by an engine; raise what `solve` raises.

    Ctrl-C is deferred until the engine asks the control; the result says that the search stopped.
    """
    with DeferredInterrupts() as block:
        check_fit(engine, task)
        result = engine.solve(task, control)
    return _stopped(result) if block.is_interrupted else result


def run_or_settle(task: Task, engine: Engine, control: Control) -> Result:
    """Solve a task as `run` does; a limit or a stop leaves a good solution where there is one."""
    with DeferredInterrupts() as block:
        result = run(task, engine, control)
        if not engine.only_optimal:
            threads = getattr(engine, "threads", None)
            result = with_good_solution(result, task, control, threads)
    return _stopped(result) if block.is_interrupted else result


def _stopped(result: Result) -> Result:
    """Return the result of a search that Ctrl-C ended."""
    return replace(result, outcome=Outcome.STOPPED, limit=None, reason=INTERRUPTED)


def solve(
    start: BoardLike,
    goal: GoalLike | Puzzle = None,
    *,
    metric: Metric | str | None = None,
    algorithm: SearchLike | Anytime | None = None,
    limits: Limits | None = None,
    engine: Engine | str = "auto",
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    **shortcuts: Unpack[Shortcuts],
) -> Result:
    """Solve `start`, optimally unless `algorithm` says otherwise.

    A hard board of more than 25 different tiles gets a good solution, as from `Anytime()`, and
    `result.gap` says how good. So does any other classic board when a limit or Ctrl-C ends the
    search for a shortest solution: a quarter of a limit on seconds is kept for that.

    start: the board: a `Board`, its text in any form (`"8 6 7 / 2 5 4 / 3 0 1"`, `"867254301"`),
        nested lists, or a NumPy array; 0 is the blank.
    goal: what to reach: `"blank-last"` (when not given), `"blank-first"`, `"snail"`, or a board
        with `*` where any tile will do, in the same ways as the start; or a `Puzzle`.
    metric: what counts as one move: `"single"`, a tile (when not given); `"multi"`, a slide of
        several in a line.
    algorithm: a search to run in the glass box, as a value, `AStar(Manhattan(), weight=2)`, as
        text, `"astar(manhattan, weight=2)"`, or as a function of your own that takes a board and
        returns moves; when not given, whatever finds a shortest solution soonest.
        `Anytime(seconds=5)` is for any good solution of any board.
    limits: when to give up, `Limits(nodes=10**6, seconds=60)`; never when not given.
    engine: what solves it where no algorithm is named: `"auto"`, the first that fits, or one of
        `taquin engines`, with its settings: `"cpu(tables=large, threads=1)"`; or a value.
    progress: a function that is called regularly with the counters and the seconds.
    stop: a function that is called regularly; it returns True to end the search, like Ctrl-C.
    heuristic: short for an algorithm with it: `heuristic="manhattan"` is A* with Manhattan, and
        `algorithm="idastar", heuristic=my_function` is IDA* with a function of your own.
    max_nodes: short for `limits=Limits(nodes=…)`.
    seconds: short for `limits=Limits(seconds=…)`.

    Return a `Result`, however the search ended: `print(result)` says it in words, `outcome` is how
    it ended, `moves` the best solution found or None, `cost` its length, `boards()` its boards,
    `optimal` whether it is proven shortest, `lower_bound` what is proven, `stats` what it took.
    That a heuristic of your own is admissible is not proven, but assumed: `assumes` then says what
    makes the solution optimal, and `moves_left` gives the true distance.

    Raise NotationError or BoardError for an invalid board, MismatchError when start and goal do not
    belong together, and UnsuitableError when the algorithm or the engine cannot do this.

    >>> result = solve("1 2 3 / 4 0 5 / 7 8 6")
    >>> result.cost, [str(move) for move in result.moves]
    (2, ['5 left', '6 up'])
    >>> solve([[1, 2, 3], [8, 0, 4], [7, 6, 5]], "snail", algorithm="bfs").cost
    0
    """
    with DeferredInterrupts() as block:
        goal, metric = goal_and_metric(goal, metric)
        board = as_start(start, goal)
        puzzle = Puzzle(as_goal(goal, board), metric)
        algorithm, limits = combined(algorithm, limits, shortcuts, solve)
        search = None
        if algorithm is not None:
            from taquin.engine.anytime.engine import Anytime
            from taquin.search.grammar import as_search

            if isinstance(algorithm, Anytime):
                engine = algorithm
            else:
                search = as_search(algorithm)
        if isinstance(engine, str):
            engine = engine_named(engine)
            if isinstance(engine, Auto):
                engine = replace(engine, once=is_first_board(), settling=Settling(fallback=True))
        control = Control(limits, progress=progress, stop=stop)
        task = Task(puzzle, board, search, limits)
        result = run_or_settle(task, engine, control)
    return _stopped(result) if block.is_interrupted else result


def goal_and_metric(
    goal: GoalLike | Puzzle, metric: Metric | str | None
) -> tuple[GoalLike, Metric]:
    """Return the goal and the metric that a caller gives; raise UnsuitableError if they differ."""
    if not isinstance(goal, Puzzle):
        return goal, Metric.named(metric or Metric.SINGLE)
    if metric is not None and Metric.named(metric) is not goal.metric:
        raise UnsuitableError(
            f"the puzzle counts by the metric {goal.metric}, metric= asks for {metric}"
        )
    return goal.goal, goal.metric


def moves_left(
    board: BoardLike, goal: GoalLike = None, *, metric: Metric | str = Metric.SINGLE
) -> int | None:
    """Return the length of a shortest solution; None when there is none.

    Board, goal and metric are taken as by `solve`. The board is solved without a limit.

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


_ALIASES = {
    "max_seconds": "seconds",
    "time": "seconds",
    "time_limit": "seconds",
    "timeout": "seconds",
    "nodes": "max_nodes",
    "node_limit": "max_nodes",
    "h": "heuristic",
    "search": "algorithm",
    "method": "algorithm",
}
"""Names in other libraries, and the names here."""
_OF_ENGINES = {"threads": 2, "tables": "large"}
"""Settings of engines, with a value to show."""


class Shortcuts(TypedDict, total=False):
    """The short keywords of `tq.solve`: a heuristic, and limits as keywords of their own.

        solve(board, heuristic="manhattan")             algorithm="astar(manhattan)"
        solve(board, algorithm="ida*", heuristic=h)     algorithm=IDAStar(FromFunction(h))
        solve(board, seconds=5, max_nodes=10**6)        limits=Limits(seconds=5, nodes=10**6)

    They combine with `algorithm` and `limits`; giving the same thing twice is an error.
    """

    heuristic: Heuristic | type[Heuristic] | Callable[..., float] | str | None
    """The heuristic of the algorithm, by default A*."""
    max_nodes: int | None
    """The maximum number of nodes, as `Limits.nodes`."""
    seconds: float | None
    """Most seconds, as `Limits.seconds`."""


def combined(
    algorithm: Any, limits: Limits | None, shortcuts: Shortcuts, caller: Callable[..., object]
) -> tuple[Any, Limits]:
    """Return the algorithm and the limits, completed by the shortcuts that `caller` was given.

    Raise UnsuitableError if something is given twice or is invalid, TypeError for an unknown
    keyword.

    >>> algorithm, limits = combined("idastar", None, {"heuristic": "h1", "seconds": 5}, solve)
    >>> print(algorithm, limits.seconds)
    idastar(misplaced) 5
    """
    for name in shortcuts:
        if name not in Shortcuts.__annotations__:
            raise TypeError(_no_parameter(name, caller))
    if limits is None:
        limits = NO_LIMITS
    if not isinstance(limits, Limits):
        raise UnsuitableError(
            f"expected limits such as Limits(seconds=60), or seconds=60; found {limits!r}"
        )
    for key, field in (("max_nodes", "nodes"), ("seconds", "seconds")):
        value: Any = shortcuts.get(key)
        if value is None:
            continue
        if getattr(limits, field) is not None:
            raise UnsuitableError(f"{key}= and limits= both set a limit on {field}: leave one out")
        limits = replace(limits, **{field: value})
    if (heuristic := shortcuts.get("heuristic")) is not None:
        algorithm = _with_heuristic(algorithm, heuristic)
    return algorithm, limits


def _no_parameter(name: str, function: Callable[..., object]) -> str:
    """Return the sentence for an unknown keyword of `function`, with what to write instead."""
    from inspect import signature

    named = [name for name in signature(function).parameters if name != "shortcuts"]
    known = [*Shortcuts.__annotations__, *named[1:]]
    if name in _OF_ENGINES:
        hint = f"It is a setting of the engine: engine='auto({name}={_OF_ENGINES[name]})'. "
    else:
        alias = _ALIASES.get(name)
        hint = f"Did you mean {alias}? " if alias else did_you_mean(name, known)
    return f"{function.__name__}() has no parameter {name!r}. {hint}It takes {', '.join(known)}"


def _with_heuristic(algorithm: Any, value: Any) -> Any:
    heuristic = value if isinstance(value, str) else as_heuristic(value)
    if algorithm is None:
        return search_from_options("astar", {"heuristic": heuristic})
    if isinstance(algorithm, str):
        name, options = parts_of(algorithm)
        if "heuristic" in options:
            raise UnsuitableError(
                f"algorithm={shorten(algorithm)} names a heuristic, and heuristic= another: leave "
                f"one out"
            )
        return search_from_options(name, {**options, "heuristic": heuristic})
    if isinstance(algorithm, type):
        return search_from_options(algorithm.name, {"heuristic": heuristic})  # type: ignore[attr-defined]
    if callable(algorithm):
        return FunctionSearch(algorithm, as_heuristic(value))
    raise UnsuitableError(
        f"{algorithm} has its heuristic already: give it there, as in AStar(Misplaced()), or name "
        f"the algorithm by text, algorithm='astar'"
    )
