"""`tq.solve` and `tq.moves_left`: the policy of `task.py` on boards from text, lists or arrays.

`Shortcuts` and `combined` complete the algorithm and the limits by the short keywords of `solve`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from taquin.engine import task
from taquin.engine.base import Engine, run, stopped
from taquin.engine.task import Auto, Wishes, engine_named, is_first_board
from taquin.errors import MachineError, UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.registry import as_heuristic
from taquin.model.board import BoardLike
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.search.control import Control, Progress
from taquin.search.grammar import parts_of, search_from_options
from taquin.search.result import NO_LIMITS, Limits, Outcome, Result, Task
from taquin.search.user_search import FunctionSearch
from taquin.system.formatting import did_you_mean, shorten
from taquin.system.interrupts import DeferredInterrupts

if TYPE_CHECKING:
    from taquin.engine.anytime.engine import Anytime
    from taquin.search.grammar import SearchLike


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
    limits: when to give up, `Limits(nodes=10**6, seconds=60)`; default: never.
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
                engine = replace(engine, once=is_first_board())
        control = Control(limits, progress=progress, stop=stop)
        result = task.solve(Task(puzzle, board, search, limits), Wishes(engine), control)
    return stopped(result) if block.is_interrupted else result


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

    Board, goal and metric are as for `solve`. The board is solved without a limit.

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
"""Keywords of other libraries, and ours."""
_OF_ENGINES = {"threads": 2, "tables": "large"}
"""Settings of engines, with a value to show."""


class Shortcuts(TypedDict, total=False):
    """The short keywords of `tq.solve`: a heuristic, and limits as keywords of their own.

        solve(board, heuristic="manhattan")             algorithm="astar(manhattan)"
        solve(board, algorithm="ida*", heuristic=h)     algorithm=IDAStar(FromFunction(h))
        solve(board, seconds=5, max_nodes=10**6)        limits=Limits(seconds=5, nodes=10**6)

    They combine with `algorithm` and `limits`; giving a value twice is an error.
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
    """Return the algorithm and the limits, completed by the shortcuts given to `caller`.

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
    """Return the message for an unknown keyword of `function`, with a correction."""
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
