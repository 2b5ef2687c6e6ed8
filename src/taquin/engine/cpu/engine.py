"""The engine `cpu`: shortest solutions of classic puzzles by parallel IDA* in compiled code.

The search is iterative-deepening A* (Korf 1985). The heuristic is the maximum over several
partitions of the tiles, each of which adds the values of disjoint pattern databases (Korf and
Felner 2002). `Deepening` raises the bound, a `Team` of threads searches each bound (`team.py`), and
the loop is in `loop.py`. `plan_for` loads or builds the tables and keeps them for the next board
with the same goal. Compiled code is loaded when a task is solved, not when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from math import inf
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from taquin.engine.base import Engine, Fit, Solutions, begin, classic_fit, method, normal_of
from taquin.engine.deepening import Deepening
from taquin.errors import InputError, UnsuitableError
from taquin.heuristics.base import Report
from taquin.reasons import reason
from taquin.search.control import Control, Phase
from taquin.search.result import Counters, EngineTag, Limit, Result, Task, Want
from taquin.system.formatting import counted
from taquin.system.machine import process_memory, refuse_threads, safe_memory, usable_cores
from taquin.tables.patterns import (
    EXAMPLE,
    NAMED_SETS,
    PACKED_CELLS,
    PatternKey,
    drawn,
    halvings_of,
    is_known,
    keys_of,
    partitions_of,
)
from taquin.tables.shape import LARGEST, Normal, Shape, moves_along

if TYPE_CHECKING:
    from taquin.engine.cpu.team import CpuPlan
    from taquin.tables.store import TableStore

_ENUMERATION_SLICE = 1 << 18
_SHORTEST_SECONDS = 0.1
"""The least limit on seconds of a batch: each call of the kernel takes some hundredths."""
_BUILDING_SHARE = 0.5
"""The share of a limit on seconds for building tables."""
_BUILT_A_SECOND = 15_000_000
"""Configurations per second and core of a build; 19 million on a Neoverse-N1, large set of 5×5."""
_PACE_SECONDS = 1.0
"""Seconds after which the pace of a build is measured: it begins on one core."""


@dataclass(frozen=True, slots=True)
class Cpu(Engine):
    """The compiled search. Raise UnsuitableError for unknown tables or a bad number of threads."""

    tables: str | None = "small"
    """The set of pattern tables, such as `small`, or one of your own (`taquin.tables.patterns`);
    None for Manhattan distance alone."""
    threads: int | None = None
    """The maximum number of threads to use, fewer on easy boards; None for one per core."""

    name = "cpu"
    is_compiled = True
    starts_slowly = True
    summary = f"classic puzzles of up to {LARGEST} cells, compiled, on all cores"
    batch = 32
    in_threads = True

    def __post_init__(self) -> None:
        if self.tables is not None and not is_known(self.tables):
            raise UnsuitableError(
                f"expected the tables {', '.join(NAMED_SETS)}, none, or patterns such as "
                f"{EXAMPLE}, found {self.tables!r}"
            )
        refuse_threads(self.threads)

    def fits(self, task: Task) -> Fit:
        """Return whether the task is a classic puzzle that the tables support."""
        fit = classic_fit(self, task, every=True)
        if not fit or self.tables in (None, *NAMED_SETS):
            return fit
        try:
            check_tables(normal_of(task).shape, self._tables(task))
        except InputError as error:
            return Fit(False, error.reason)
        return fit

    def has_to_build(self, task: Task) -> bool:
        """Return whether a table file is missing that this process has not loaded."""
        shape, tables = normal_of(task).shape, self._tables(task)
        if tables is None or is_ready(shape, tables):
            return False
        return bool(missing_tables(shape, tables))

    def bytes_to_load(self, task: Task) -> int:
        """Return the size of the tables for a task, 0 when this process has loaded them."""
        shape, tables = normal_of(task).shape, self._tables(task)
        if tables is None or is_ready(shape, tables):
            return 0
        return sum(key.nbytes for key in keys_of(shape, tables))

    def _tables(self, task: Task) -> str | None:
        """Return the set of tables for a task; a partition by labels becomes one by goal cells."""
        return None if self.tables is None else drawn(task.puzzle.goal, self.tables)

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, or the lower bound proven so far."""
        threads = self.threads or usable_cores()
        deepening = Deepening(control)
        joined = 1
        tables = self._tables(task)
        if (normal := begin(task, control)) is not None:
            tables = affordable(normal, tables, task.limits.memory)
            with control.guard():
                limits, grid = task.limits, task.puzzle.grid
                is_unlimited = limits.nodes is not None and limits.seconds is None
                if is_unlimited and grid.size > PACKED_CELLS and self.has_to_build(task):
                    # A limit on nodes does not stop a build.
                    control.notice(reason("tables-first", grid=str(grid)))
                tables, plan = _ready_in_time(normal, tables, threads, control)
                start = plan.start(normal)
                control.begin()
                from taquin.engine.cpu.team import Team

                with Team(plan, start, threads) as team:
                    try:
                        deepening.run(start.estimate, team)
                    finally:
                        joined = team.members
            if control.is_over:
                # The only result if the preparation exceeds the limit.
                from taquin.engine.glass import estimate

                control.prove(estimate(task))
        tag = EngineTag(self.name, counted(joined, "thread"))
        return deepening.result(task, method(tables), tag)

    def batch_key(self, task: Task) -> Hashable:
        """Return goal and limits of a small board, for batches by thread; None for larger ones."""
        normal, limits = task.normal, task.limits
        if normal is None or normal.shape.size > PACKED_CELLS or self.tables is None:
            return None
        is_short = limits.seconds is not None and limits.seconds < _SHORTEST_SECONDS
        if is_short or task.want is Want.EVERY or not self.fits(task):
            return None
        return normal.shape, limits

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the results of tasks, all on this thread; see `batch.py` for their seconds."""
        normal, tables = normal_of(tasks[0]), self._tables(tasks[0])
        if not is_ready(normal.shape, tables):
            tables = affordable(normal, tables, tasks[0].limits.memory)
        if tables is None:
            return Engine.solve_many(Cpu(None, 1), tasks, control)
        with control.guard():
            plan = ready(normal, tables, control, threads=self.threads)
            from taquin.engine.cpu.batch import solve_batch

            return solve_batch(tasks, plan, tables, control)
        results = []
        for task in tasks:
            own = Control(task.limits)
            if begin(task, own) is None:
                pass
            elif control.limit is not None:
                own.end(control.limit)
            else:
                own.stop(control.reason)
            tag = EngineTag(self.name)
            results.append(own.result(task, method(tables), tag, Counters(), counts=()))
        return results

    def every(self, task: Task, control: Control) -> Solutions:
        """Yield every solution wanted once.

        A search finds the length; then the last bound, or one beyond it, is searched without
        duplicate-operator pruning. `control` knows whether a limit or Ctrl-C ended that early.
        """
        shortest = self.solve(task, control)
        if shortest.moves is None:
            return
        normal = normal_of(task)
        tables = affordable(normal, self._tables(task), task.limits.memory)
        counters = Counters(generated=shortest.stats.generated or 0)
        with control.guard():
            from taquin.engine.cpu.team import ONE_STEP, Piece

            plan = ready(normal, tables, control, every_word=True)
            piece = Piece(plan.start(normal).node(len(shortest.moves) + task.beyond), plan.width)
            while piece.size and control.tick(counters):
                # The last step of a slice may generate a few nodes more.
                budget = min(_ENUMERATION_SLICE, control.nodes_left(counters) - ONE_STEP + 1)
                if budget < 1:
                    control.end(Limit.NODES)
                    return
                counters.generated += piece.search(plan, int(budget))
                if (blanks := piece.solution) is not None:
                    yield moves_along(task.start, blanks)


def ready(
    normal: Normal,
    tables: str | None,
    control: Control,
    *,
    threads: int | None = None,
    every_word: bool = False,
    check: Callable[[], None] = lambda: None,
) -> CpuPlan:
    """Return the plan of a board; load or build its tables if necessary.

    Slow steps are reported to the control, which may end them by raising `Ended`; while tables are
    loaded or built, `check` is called too.
    """

    def loading() -> None:
        control.prepare(reason("stage-loading"))
        check()

    loading()
    from taquin.tables.store import TableStore

    def report(name: str, done: int, total: int) -> None:
        control.building(name, done, total)
        check()

    shape, store = normal.shape, TableStore(notice=control.notice, check=loading)
    return plan_for(shape, tables, store, every_word=every_word, threads=threads, progress=report)


def is_ready(shape: Shape, tables: str | None) -> bool:
    """Return whether this process has loaded kernel and tables for this goal."""
    # Imported late: a board that the glass box solves does not need it.
    from taquin.system.files import cache_folder

    return (shape, tables, False, cache_folder()) in _plans


def missing_tables(shape: Shape, tables: str) -> list[PatternKey]:
    """Return the tables of a set that are not on disk."""
    from taquin.tables.store import TableStore

    store = TableStore()
    return [key for key in keys_of(shape, tables) if not store.path_of(key.name).exists()]


_plans: dict[tuple[object, ...], CpuPlan] = {}
"""The cache of plans by goal."""


def plan_for(
    shape: Shape,
    tables: str | None,
    store: TableStore,
    *,
    every_word: bool = False,
    threads: int | None = None,
    progress: Report | None = None,
) -> CpuPlan:
    """Return the plan for a grid and goal, cached.

    `tables` is a set of `taquin.tables.patterns`, or None for Manhattan distance alone.
    `every_word` keeps all shortest solutions: only undoing the last move is forbidden.
    """
    name = (shape, tables, every_word, store.folder)
    if name not in _plans:
        from taquin.engine.cpu.automaton import AutomatonRecipe, no_return
        from taquin.engine.cpu.team import Stacks
        from taquin.tables.build import PatternRecipe

        check_tables(shape, tables)
        partitions = () if tables is None else partitions_of(shape, tables)
        halvings = 0 if tables is None else halvings_of(tables)
        loaded = {
            key: store.near(PatternRecipe(key), threads=threads, progress=progress)
            for key in (() if tables is None else keys_of(shape, tables))
        }
        words = AutomatonRecipe(shape.rows, shape.columns)
        stored = None if every_word else store.get(words, progress=progress)
        automaton = no_return() if stored is None else words.automaton(stored)
        # Imported late: a grid needs one of these modules.
        if shape.size > PACKED_CELLS:
            from taquin.engine.cpu.wide import WidePlan

            plan: CpuPlan = WidePlan(shape, partitions, loaded, automaton)
        else:
            from taquin.engine.cpu.packed import PackedPlan

            plan = PackedPlan(shape, partitions, loaded, automaton, halvings)
        # The first call loads the kernel, so that no search is charged for it.
        Stacks(plan.width).work(plan, 0, 0)
        _plans[name] = plan
    return _plans[name]


def affordable(normal: Normal, tables: str | None, memory: int | None) -> str | None:
    """Return the set of tables, or the next smaller one that fits into the memory, or None.

    Without a limit the machine's memory decides, and the smallest set always serves: the system
    keeps in memory what is read most.
    """
    if tables is None or (memory is None and tables == NAMED_SETS[0]):
        return tables
    left = safe_memory() if memory is None else memory - process_memory()
    for name in _down_from(tables):
        if left is None or sum(key.nbytes for key in keys_of(normal.shape, name)) <= left:
            return name
    return None if memory is not None or tables not in NAMED_SETS else NAMED_SETS[0]


def _down_from(tables: str) -> tuple[str, ...]:
    """Return a set of tables and the smaller ones; a user's own set has none."""
    return NAMED_SETS[NAMED_SETS.index(tables) :: -1] if tables in NAMED_SETS else (tables,)


def check_tables(shape: Shape, tables: str | None) -> None:
    """Raise InputError for a set that is not for this shape or that the kernels cannot use."""
    if tables in (None, *NAMED_SETS):
        return
    partitions = partitions_of(shape, tables)
    if shape.size > PACKED_CELLS:
        from taquin.engine.cpu.wide import SLOTS, VIEWS

        # The last slot is for tiles in no pattern.
        patterns, most = len(set(chain.from_iterable(partitions))), SLOTS - 1
        if halvings_of(tables):
            raise UnsuitableError(
                f"compressed tables serve the compiled search on up to {PACKED_CELLS} cells"
            )
    else:
        from taquin.engine.cpu.packed import MOST_VALUES, USUAL_PATTERNS, VIEWS

        patterns = max(map(len, partitions))
        most = USUAL_PATTERNS if len(partitions) > 2 else MOST_VALUES // 2
    if len(partitions) > VIEWS or patterns > most:
        raise UnsuitableError(
            f"expected at most {VIEWS} partitions and {most} groups for the compiled search on "
            f"{shape.rows}×{shape.columns}, found {len(partitions)} and {patterns}"
        )


class _BehindScheduleError(Exception):
    """Loading or building tables takes longer than a limit on seconds allows."""


def _ready_in_time(
    normal: Normal, tables: str | None, threads: int, control: Control
) -> tuple[str | None, CpuPlan]:
    """Return the plan for a set of tables, or a smaller set that leaves time to search.

    None for the set, and a notice, if building even the smallest would take too long.
    """
    is_timed = control.seconds_left() < inf and Phase.BUILDING not in control.uncounted
    if not is_timed or is_ready(normal.shape, tables):
        return tables, ready(normal, tables, control, threads=threads)
    shape, needed = normal.shape, inf
    # The cores that a build effectively has; 0 if its time is up.
    cores: float = threads
    while tables is not None:
        allowed, needed = control.seconds_left() * _BUILDING_SHARE, inf
        for name in _down_from(tables) if cores else ():
            missing = missing_tables(shape, name)
            work = sum(key.configurations for key in missing) / _BUILT_A_SECOND
            needed = work / cores
            if needed <= allowed:
                break
        else:
            break
        tables, began = name, (perf_counter(), process_time())

        def check(
            work: float = work, allowed: float = allowed, began: tuple[float, float] = began
        ) -> None:
            nonlocal cores
            wall, cpu = perf_counter() - began[0], process_time() - began[1]
            if wall > allowed or (wall > _PACE_SECONDS and work * wall > allowed * cpu):
                cores = 0 if wall > allowed else cpu / wall
                raise _BehindScheduleError

        with suppress(_BehindScheduleError):
            return tables, ready(normal, tables, control, threads=threads, check=check)
    grid = f"{shape.rows}×{shape.columns}"
    if tables is not None and needed == inf:
        control.notice(reason("tables-late", grid=grid))
    elif tables is not None and needed >= 1:
        rows, columns, seconds = shape.rows, shape.columns, round(needed)
        control.notice(
            reason("tables-slow", grid=grid, seconds=seconds, rows=rows, columns=columns)
        )
    return None, ready(normal, None, control, threads=threads)
