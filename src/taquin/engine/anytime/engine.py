"""The engine `anytime`: a good solution of any board at once, better ones with time, and the gap.

Each solution is replayed. The lower bound beside it comes from an admissible estimate of the start,
or from a bound that was searched to its end: by the optimal search, or beside the beams.

The first part divides the time between better solutions, a proof, and a better bound; `Anytime` is
the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from taquin.engine.anytime.construction import (
    LARGEST_IN_PYTHON,
    BestSolution,
    constructed,
    is_constructible,
    moves_of,
    node_after,
)
from taquin.engine.base import Engine, Fit, compiled_fit, is_refuted, kernels_fit
from taquin.engine.cpu.engine import Cpu
from taquin.engine.general.engine import General
from taquin.engine.glass import estimate
from taquin.engine.gpu.device import gpu_fit, the_gpu
from taquin.engine.gpu.engine import Gpu
from taquin.errors import UnsuitableError
from taquin.model.moves import Metric, Move
from taquin.model.space import Space
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.events import Event, Finished, Improved
from taquin.search.result import Counters, EngineTag, Limit, Outcome, Result, Task
from taquin.system.formatting import counted
from taquin.system.machine import HAS_THREADS, process_memory, refuse_threads, usable_cores
from taquin.tables.shape import LARGEST

if TYPE_CHECKING:
    from taquin.engine.anytime.improver import Improver
    from taquin.engine.anytime.puzzle_arrays import Moves, PuzzleArrays
    from taquin.engine.gpu.device import Device

Found = Callable[[], tuple[Move, ...]]
"""A solution as a function that returns its moves: a million of them take a second to make."""

QUICKLY_PROVEN = 16
"""Cells up to which the optimal search takes less than a second once its tables are loaded."""
_TABLE_SECONDS = 6.0
"""Seconds that building those tables may take."""
_LOADED_PER_SECOND = 150_000_000
"""The least bytes of tables read and checked per second."""
_SHARE, _SHORT_SHARE, _GPU_SHARE = 0.6, 0.05, 0.1
"""Shares of the time before the optimal search: if it may succeed, if it succeeds at once, and if a
GPU runs it."""
_SHORT_NODES = 1_000_000
"""The most nodes before an optimal search that is sure to end at once, under a limit on nodes."""
_SLIDES_SHARE = 0.75
"""The share in the multi-tile metric above `QUICKLY_PROVEN`; the rest raises the lower bound."""
_LARGEST_PROOF = 64
"""The most cells of a board whose bound is raised beside the beams. On 10×10 it rises by 8 of 650
moves: beams use the time better."""


def improving_share(task: Task, seconds: float, has_gpu: bool) -> float:
    """Return the share of the time before the search for a proven shortest solution."""
    size = task.puzzle.grid.size
    if task.puzzle.metric is Metric.MULTI and size <= _LARGEST_PROOF and seconds < inf:
        return 1 - _SLIDES_SHARE if size <= QUICKLY_PROVEN else _SLIDES_SHARE
    normal = task.normal
    if normal is None:
        return 1.0
    if has_gpu:
        return _GPU_SHARE
    engine = Cpu()
    has_tables = not engine.has_to_build(task)
    if normal.shape.size <= QUICKLY_PROVEN:
        return _SHORT_SHARE if has_tables or seconds >= _TABLE_SECONDS else 1.0
    if seconds == inf:
        # Under a limit on nodes, the solution must not depend on which tables are on disk.
        return 1.0
    # Abandoned loading is wasted time, so it must not begin too late.
    is_in_time = (1 - _SHARE) * seconds * _LOADED_PER_SECOND >= engine.bytes_to_load(task)
    return _SHARE if has_tables and is_in_time else 1.0


_USUAL_SECONDS = 10.0
"""Seconds to look for better solutions when no limit is given."""
_LARGEST = 32_767
"""The maximum number of cells of a board: an id is a 16-bit number."""
_LARGEST_ON_GPU = 1_024
"""The maximum number of cells of a board for whose beams a GPU is used."""
_MOST_MEMORY = 800_000_000
"""The most bytes of all beams together."""
_BESIDE_GPU = 1
"""Most CPU threads beside a GPU, for a first solution. The thread that launches the
GPU's kernels takes the GIL for each of them, and waits while another thread holds it. On
10×10 an H200 made 4.3 billion boards a second beside two threads, and 0.07 beside sixteen."""
_POLL = 0.005
"""Seconds between two checks of the best solution of the threads."""
_PAUSE = 20
"""The pause after a solution, in multiples of the time to report it: a million moves take a second,
in which the threads wait for the GIL."""
_SECONDS_PER_MOVE = 5e-7
"""The least seconds to report a move of a solution."""
_is_warm = False
"""Whether this process has loaded the compiled search."""


@dataclass(frozen=True, slots=True)
class Anytime(Engine):
    """Solutions that get better with time. Raise UnsuitableError for a time below zero."""

    seconds: float | None = None
    """How long to look for better ones; None: as long as the task allows, else 10 seconds; with one
    thread, as many nodes as the task allows, which give the same solution every time."""
    threads: int | None = None
    """Threads to use; None for one per core. Beside a GPU there is one."""
    gpu: bool = True
    """Whether a CUDA GPU, where there is one, makes the wide beams of classic puzzles; not where
    slides count."""
    within: float = 1.0
    """End as soon as the solution is proven to be at most this many times as long as a shortest."""
    seed: int = 0
    """Seed of its random choices, 0 or more."""

    name = "anytime"
    starts_slowly = True
    finds_optimal = False
    needs_fallback = False
    summary = "any board of any size: a good solution at once, better ones with time"

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds >= 0:
            raise UnsuitableError(f"the seconds must be 0 or more, not {self.seconds}")
        if not self.within >= 1:
            raise UnsuitableError(f"within must be at least 1, got {self.within:g}")
        if self.seed < 0:
            raise UnsuitableError(f"the seed must be 0 or more, not {self.seed}")
        refuse_threads(self.threads)

    def available(self) -> Fit:
        """Return whether compiled code can run on this system."""
        return kernels_fit()

    def fits(self, task: Task) -> Fit:
        """Return whether the board is small enough and the task wants one solution."""
        if task.puzzle.grid.size > _LARGEST:
            return Fit(False, reason("board-cells", most=_LARGEST))
        fit = self.available()
        return compiled_fit(task) if fit else fit

    def preferred_for(self, task: Task) -> bool:
        """Return whether the board is too large for an optimal search, unless it is easy."""
        goal = task.puzzle.goal
        return goal.grid.size > LARGEST and goal.is_full and not goal.grid.walls

    def solve(self, task: Task, control: Control, *, proves: bool = True) -> Result:
        """Return the best solution and the best lower bound found in time.

        Reaching a limit is a failure only without a solution, or without one proven `within`.
        Without `proves`, no time is spent on optimal search or on the bound.
        """
        counters, found = Counters(), None
        control.concern(task)
        with control.guard():
            for solution in self.improvements(task, control, counters, proves=proves):
                found = solution
        return self._result(task, control, counters, found)

    def events(
        self, task: Task, control: Control | None = None, *, proves: bool = True
    ) -> Iterator[Event]:
        """Yield an `Improved` for each solution shorter than all before, then `Finished`.

        Part of the time goes to a shortest solution where that may succeed, or else to a better
        bound, if it `proves`.

        >>> from taquin.model.puzzle import Goal
        >>> from taquin.model.puzzle import Puzzle
        >>> from taquin.model.scramble import random_board
        >>> goal = Goal.blank_last(6, 6)
        >>> task = Task(Puzzle(goal), random_board(goal, seed=1))
        >>> names = [type(event).__name__ for event in Anytime(seconds=0).events(task)]
        >>> names[0], names[-1]
        ('Improved', 'Finished')
        """
        control = Control(task.limits) if control is None else control
        control.concern(task)
        counters, found = Counters(), None
        with control.guard():
            improvements = self.improvements(task, control, counters, proves=proves)
            for number, found in enumerate(improvements, 1):
                moves = found()
                yield Improved(node_after(task, moves, number), len(moves))
        yield Finished(self._result(task, control, counters, found))

    def _result(
        self, task: Task, control: Control, counters: Counters, found: Found | None
    ) -> Result:
        if found is None and not control.is_over:
            control.end(Limit.SECONDS, self._limit(task))
        has_gpu = self._takes_gpu(task)
        gpu = f" and {the_gpu().name}" if has_gpu else ""
        tag = EngineTag(self.name, counted(self._thread_count(has_gpu), "thread") + gpu)
        if found is None and control.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED):
            # The limit was reached while the compiled search was loading.
            moves = constructed(task)
        else:
            moves = None if found is None else found()
        result = control.result(task, self, tag, counters, counts=("generated",), moves=moves)
        is_cut = result.outcome is Outcome.LIMIT_REACHED
        is_out_of_memory = result.limit is Limit.MEMORY and task.limits.memory is None
        keeps_promise = self.within == 1 or self._is_enough(control, result.cost)
        if moves is None or not is_cut or is_out_of_memory or not keeps_promise:
            return result
        # A limit sets the time for better solutions.
        return replace(result, outcome=Outcome.SOLVED, limit=None, reason="")

    def improvements(
        self, task: Task, control: Control, counters: Counters, *, proves: bool = True
    ) -> Iterator[Found]:
        """Yield each solution that is shorter than all before, until the time is over.

        The first solution of a process waits for no compiled code. A solution that is proven to be
        good enough ends it early, as the control does.
        """
        global _is_warm
        if is_refuted(task, control):
            return
        control.prove(estimate(task))
        counters.bound = control.proven
        known: int | None = None
        is_first = not _is_warm and task.puzzle.grid.size <= LARGEST_IN_PYTHON
        if is_first and (moves := constructed(task)) is not None:
            known = counters.best = len(moves)
            yield partial(tuple, moves)
            if not control.tick(counters):
                return
        control.prepare(reason("stage-loading"))
        from taquin.engine.anytime.improver import warm_up
        from taquin.engine.anytime.puzzle_arrays import arrays_of

        puzzle = arrays_of(Space(task.puzzle, task.start))
        warm_up(puzzle.is_classic)
        _is_warm = True
        device = self._prepared_gpu(task, puzzle, control)
        control.begin()
        seconds = self._seconds(task, control)
        now = perf_counter()
        share = improving_share(task, seconds, device is not None) if proves else 1.0
        nodes = share * self._nodes(task)
        if share == _SHORT_SHARE and nodes < inf:
            nodes = min(nodes, _SHORT_NODES)
        improvers = self._improvers(task, puzzle, control, device, now + share * seconds, nodes)
        is_small = puzzle.is_classic and puzzle.size <= _LARGEST_PROOF
        if proves and share == 1 and is_small and task.puzzle.metric is Metric.SINGLE:
            from taquin.engine.anytime.proof import Proof

            improvers[0].proof = Proof(puzzle)
        for found in self._improve(task, improvers, control, counters):
            known = counters.best
            yield found
        if share < 1 and not control.is_over and not self._is_enough(control, known):
            shortest = self._prove(task, control, counters, now + seconds, device is not None)
            if shortest is not None and (known is None or len(shortest) < known):
                yield partial(tuple, shortest)
        if self.within > 1 and not self._is_enough(control, counters.best):
            control.end(Limit.SECONDS, self._limit(task))

    def _limit(self, task: Task) -> float:
        """Return the user's limit on seconds; `_seconds` stays a little below it."""
        given = (self.seconds, task.limits.seconds)
        return min((limit for limit in given if limit is not None), default=_USUAL_SECONDS)

    def _seconds(self, task: Task, control: Control) -> float:
        """Return the seconds to search, a little below the limit, so that it is not reached."""
        allowed = task.limits.seconds
        if allowed is None:
            usual = inf if self._nodes(task) < inf else _USUAL_SECONDS
            return usual if self.seconds is None else self.seconds
        left = max(0.0, allowed - control.elapsed - 2 * _POLL)
        return left if self.seconds is None else min(left, self.seconds)

    def _nodes(self, task: Task) -> float:
        """Return the limit on nodes, which governs a single thread; infinity for several."""
        is_alone = (self.threads or usable_cores()) == 1
        return inf if task.limits.nodes is None or not is_alone else task.limits.nodes

    def _thread_count(self, has_gpu: bool) -> int:
        """Return the number of CPU threads that improve solutions."""
        count = self.threads or usable_cores()
        return min(count, _BESIDE_GPU) if has_gpu else count

    def _takes_gpu(self, task: Task) -> bool:
        """Return whether a GPU runs the wide beams of a task."""
        size = task.puzzle.grid.size
        if self._nodes(task) < inf:
            # A GPU's results depend on time.
            return False
        if task.puzzle.metric is Metric.MULTI:
            # Its beams move one tile at a time.
            return False
        if not (self.gpu and HAS_THREADS and QUICKLY_PROVEN < size <= _LARGEST_ON_GPU):
            return False
        return is_constructible(Space(task.puzzle, task.start)) and bool(gpu_fit())

    def _prepared_gpu(self, task: Task, puzzle: PuzzleArrays, control: Control) -> Device | None:
        """Return the GPU for a task, with its kernels; None if it uses none."""
        if not self._takes_gpu(task):
            return None
        control.prepare(reason("stage-gpu"))
        from taquin.engine.gpu.beam import warm_up

        control.prepare(reason("stage-beam"))
        warm_up(the_gpu(), puzzle)
        return the_gpu()

    def _improvers(
        self,
        task: Task,
        puzzle: PuzzleArrays,
        control: Control,
        device: Device | None,
        end: float,
        nodes: float,
    ) -> list[Improver]:
        """Return the improver of each thread, up to `end` or `nodes` nodes; the GPU's is last."""
        from taquin.engine.anytime.improver import Improver
        from taquin.engine.anytime.team import BeamTeam

        count = self._thread_count(device is not None)
        memory = _MOST_MEMORY
        if task.limits.memory is not None:
            # The memory of the process differs from run to run.
            held = process_memory() if nodes == inf else task.limits.memory // 2
            memory = max(0, min(memory, (task.limits.memory - held) // 2))
        best, team = BestSolution(by_slides=task.puzzle.metric is Metric.MULTI), BeamTeam(count)
        improvers = [
            Improver(
                *(puzzle, best, end, memory // count, number),
                team=team,
                has_gpu=device is not None,
                nodes=nodes,
                enough=self.within * control.proven,
                within=self.within,
                seed=self.seed,
            )
            for number in range(count)
        ]
        if device is not None:
            from taquin.engine.anytime.gpu_beams import GpuImprover

            improvers.append(
                GpuImprover(puzzle, best, end, memory, device=device, notice=control.notice)
            )
        return improvers

    def _improve(
        self, task: Task, improvers: list[Improver], control: Control, counters: Counters
    ) -> Iterator[Found]:
        """Yield the solutions found in time, each shorter than all before.

        An exception in a thread ends the search, and is raised here after the last solution. On a
        system without threads only the last solution is yielded; the control sees all.
        """
        first = improvers[0]
        best, nodes, proof = first.best, first.nodes, first.proof
        began, allotted = perf_counter(), first.deadline
        end, completing = allotted, 0.0
        shown, pause_until, looked_at = counters.best, 0.0, -inf
        path: Moves | None = None
        most = inf if task.limits.depth is None else task.limits.depth

        def look() -> None:
            """Record the improvers' solutions and bounds."""
            nonlocal path
            if best.moves is not None and best.moves is not path:
                path = best.moves
                cost = best.cost(path)
                counters.best = cost if counters.best is None else min(counters.best, cost)
            counters.generated = sum(improver.generated for improver in improvers)
            if proof is not None:
                control.prove(proof.bound)
                counters.bound = control.proven

        def goes_on() -> bool:
            is_over = not control.tick(counters) or self._is_enough(control, counters.best)
            # A construction takes milliseconds, and is better than no solution.
            return not is_over or (first.puzzle.is_classic and counters.best is None)

        def look_here() -> None:
            nonlocal looked_at
            if perf_counter() - looked_at >= _POLL:
                looked_at = perf_counter()
                look()
                first.is_stopped = not goes_on()

        failures: list[BaseException] = []

        def run(improver: Improver) -> None:
            try:
                improver.run()
            except BaseException as error:
                failures.append(error)

        threads = [
            Thread(target=run, args=(improver,), daemon=True)
            for improver in improvers * HAS_THREADS
        ]
        for thread in threads:
            thread.start()
        try:
            if not threads:
                first.look = look_here
                first.run()
                look()
                control.tick(counters)
            while threads:
                is_running = any(thread.is_alive() for thread in threads)
                look()
                if path is not None and not completing:
                    # The first solution, and the end of each interrupted one, is constructed.
                    completing = perf_counter() - began
                is_new = path is not None and counters.best != shown
                if is_new and (now := perf_counter()) >= pause_until:
                    is_first, shown = shown is None, counters.best
                    if shown is not None and shown <= most:
                        yield partial(moves_of, task, path or b"")
                        took = perf_counter() - now
                        pause_until = now + (_PAUSE + 1) * took
                        # Completing and reporting the last solution is part of the time.
                        end = max(allotted - max(took, shown * _SECONDS_PER_MOVE), now)
                        too_late = is_first and end - completing <= now
                        for improver in improvers:
                            improver.deadline = -inf if too_late else end - completing
                # First, so that it ends at its own deadline instead of hitting a limit.
                if not is_running or (perf_counter() >= end and counters.best is not None):
                    if nodes < inf:
                        control.tick(counters)
                    break
                if failures or not goes_on():
                    break
                # A GPU works until the end.
                threads[-1].join(_POLL)
        finally:
            for improver in improvers:
                improver.is_stopped = True
            for thread in threads:
                thread.join()
            counters.generated = sum(improver.generated for improver in improvers)
        # A thread completes what it has when its time ends.
        if best.moves is not None and best.least < (inf if shown is None else shown):
            counters.best = best.cost(best.moves)
            if counters.best <= most:
                yield partial(moves_of, task, best.moves)
        if failures:
            raise failures[0]

    def _is_enough(self, control: Control, cost: int | None) -> bool:
        return cost is not None and cost <= self.within * control.proven

    def _prove(
        self, task: Task, control: Control, counters: Counters, deadline: float, has_gpu: bool
    ) -> tuple[Move, ...] | None:
        """Return a shortest solution if the optimal search finds one in time; keep its bounds."""
        left = deadline - perf_counter()
        if left <= 0:
            return None
        limits = replace(task.limits, seconds=None if left == inf else left)
        if limits.nodes is not None:
            limits = replace(limits, nodes=int(control.nodes_left(counters)))
        generated = counters.generated

        def report(inside: Counters, seconds: float) -> None:
            control.prove(inside.bound)
            counters.bound, counters.generated = control.proven, generated + inside.generated

        def stop() -> bool:
            return not control.tick(counters) or self._is_enough(control, counters.best)

        inner = Control(limits, progress=report, stop=stop, notice=control.notice)
        engine: Engine = Cpu(threads=self.threads)
        if task.puzzle.metric is Metric.MULTI:
            engine = General(threads=self.threads)
        elif has_gpu:
            # Tables of eight tiles take longer to build than the remaining time.
            engine = Gpu(tiles=6)
        result = engine.solve(replace(task, limits=limits), inner)
        control.prove(result.lower_bound)
        if result.outcome is not Outcome.SOLVED:
            if result.limit is Limit.NODES:
                control.end(Limit.NODES)
            return None
        counters.best = result.cost
        return result.moves
