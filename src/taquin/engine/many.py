"""`tq.solve_many`: a stream of boards, one board a thread, answers in the order of the boards.

    boards ──► batches of 32 with one goal ──► threads, one batch each ──► answers
               at most 16 batches a thread     the first of a goal: here   in order

Compiled code releases the GIL. Python needs it for about 0.2 ms a board, to read it and to make and
print its result: some 5,000 boards a second at most, whatever the number of threads.

Only these batches are kept, so memory does not grow with the stream. A board that no engine solves
in batches, such as a 5×5, waits for all answers before it and then gets all threads. Only the
stream determines which boards share a batch, a thread or tables, so the solutions do not depend on
the number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, Unpack

from taquin.engine.anytime.engine import Anytime
from taquin.engine.base import Engine, check_fit
from taquin.engine.cpu.engine import missing_tables
from taquin.engine.gpu.engine import Gpu
from taquin.engine.solve import Shortcuts, combined, goal_and_metric
from taquin.engine.task import Auto, Wishes, completed, engine_named, solve
from taquin.errors import TaquinError
from taquin.model.board import BoardLike
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.reasons import reason
from taquin.search.control import INTERRUPTED, Control, Notice, Progress
from taquin.search.driver import tables_first
from taquin.search.grammar import SearchLike, as_search
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.interrupts import DeferredInterrupts, interrupted
from taquin.system.machine import usable_cores
from taquin.system.threads import CallerExecutor, thread_pool
from taquin.tables.shape import shape_of

Answer: TypeAlias = Result | TaquinError
"""The result for a board, or its error."""
_BATCHES = 16
"""Queued and running batches per thread: enough that no thread idles while one is slow."""
_INTERVAL = 0.05
"""Seconds between two checks of the stop button."""
_SLIDES_PAY, _LOADING_PAYS, _GPU_PAYS, _BUILDING_PAYS = _PAYING = (30, 200, 2_000, 8_000)
"""Boards of one goal after which the tables of slides are built (4×4: 27 s of a core, which saves
1 s a board), the large tables of 4×4 are loaded, a GPU takes over, and the large tables are built:
about 30 s of a core, which saves 3 to 4 ms a board (Neoverse-N1)."""


@dataclass(slots=True)
class _Kind:
    """Consecutive tasks that differ only in the start."""

    task: Task
    """The first task."""
    engine: Engine
    """The engine that solves them."""
    batch_key: Hashable
    """The engine's batch key; None if it solves them one by one."""
    batch: int
    """The maximum number of tasks of a batch."""
    in_threads: bool
    """Whether batches are solved in parallel."""
    count: int = 0
    """The number of tasks so far."""
    is_new: bool = True
    """Whether none has been solved yet, so that code or tables may have to be loaded."""

    @classmethod
    def of(cls, task: Task, engine: Engine, count: int = 0) -> _Kind:
        """Return the kind of a task."""
        try:
            check_fit(engine, task)
            batch_key, chosen = engine.batch_key(task), engine.engine_for(task)
        except TaquinError:
            # Solving the task alone raises the error again.
            batch_key, chosen = None, engine
        return cls(task, engine, batch_key, max(1, chosen.batch), chosen.in_threads, count)

    def has(self, task: Task) -> bool:
        """Return whether a task is of this kind."""
        mine = self.task
        # Most tasks of a stream share one puzzle object; comparing cells takes longer.
        is_same = task.puzzle is mine.puzzle or task.puzzle == mine.puzzle
        return is_same and task.limits == mine.limits and task.algorithm == mine.algorithm


@dataclass(slots=True)
class _Batch:
    """Tasks of one kind for one thread, and the faulty entries between them."""

    kind: _Kind | None
    entries: list[Task | TaquinError]
    control: Control
    wishes: Wishes
    """The wishes for the entries, with the engine of their kind."""
    answers: Future[list[Answer]] = field(default_factory=Future)

    def solve(self) -> list[Answer]:
        """Return the answers, in order."""
        tasks = [entry for entry in self.entries if isinstance(entry, Task)]
        if tasks and (seconds := self.wishes.seconds_for_shortest(tasks[0])) is not None:
            limits = replace(tasks[0].limits, seconds=seconds)
            tasks = [replace(task, limits=limits) for task in tasks]
        try:
            engine = self.wishes.engine
            results = iter(engine.solve_many(tasks, self.control) if self.kind and tasks else ())
        except TaquinError as error:
            return [entry if isinstance(entry, TaquinError) else error for entry in self.entries]
        return [next(results) if isinstance(entry, Task) else entry for entry in self.entries]


@dataclass(slots=True)
class Many:
    """One pass over a stream of tasks."""

    wishes: Wishes
    grows: bool = False
    """Whether `Auto` may use large tables and a GPU once there are many boards."""
    notice: Notice = lambda sentence: None
    """Receives notices for the user."""
    watching: Callable[[], AbstractContextManager[Progress | None]] = nullcontext
    """Returns a context manager for slow work, with a function that shows progress."""
    is_ready: Callable[[], bool] = lambda: True
    """Whether the next task is available; if not, all earlier ones are answered first."""
    stop: Callable[[], str] = lambda: ""
    """Returns the reason to stop, if any; answers then end at the first unsolved board."""
    is_complete: bool = False
    """Whether the stream was read to its end."""
    is_over: bool = False
    """Whether no more tasks are accepted."""
    _reason: str = ""
    """The reason for the end."""
    _said: set[str] = field(default_factory=set)
    """The notices given so far."""
    _pool: Executor | None = None
    """The threads that solve batches; None to solve them in the caller's."""
    _kind: _Kind | None = None
    _entries: list[Task | TaquinError] = field(default_factory=list)
    """The batch that is being filled."""
    _batches: deque[_Batch] = field(default_factory=deque)
    """Batches that are queued, running, or done but behind others."""

    def answers(self, tasks: Iterable[Task | TaquinError]) -> Iterator[Answer]:
        """Yield an answer to each task, in order; errors among them are answers already."""
        threads = self.wishes.threads or usable_cores()
        self.is_complete = False
        with thread_pool(threads) as pool:
            self._pool = pool if threads > 1 else None
            try:
                for entry in self._until_stopped(tasks):
                    if entry is None:
                        self._submit()
                        yield from self._answered(0)
                    elif isinstance(entry, Task) and not self._is_alike(entry):
                        yield from self._answered(0)
                        if not self.is_over:
                            yield self._alone(entry)
                    else:
                        self._entries.append(entry)
                        if len(self._entries) >= (self._kind.batch if self._kind else 1):
                            self._submit()
                            yield from self._answered(_BATCHES * threads)
                self._submit()
                yield from self._answered(0)
                self.is_complete = not self.is_over
            finally:
                if not self.is_complete:
                    self.end(INTERRUPTED)

    def end(self, reason: str) -> None:
        """Accept no more tasks and stop the running ones."""
        self.is_over, self._reason = True, self._reason or reason
        for batch in self._batches:
            if not batch.answers.cancel():
                batch.control.stop(reason)

    def _until_stopped(
        self, tasks: Iterable[Task | TaquinError]
    ) -> Iterator[Task | TaquinError | None]:
        """Yield the entries, and None whenever the next one is not available yet."""
        source = iter(tasks)
        while not self.is_over:
            if (self._entries or self._batches) and not self.is_ready():
                yield None
            try:
                entry = next(source, None)
            except KeyboardInterrupt:
                self.end(INTERRUPTED)
                return
            if entry is None:
                return
            if reason := self.stop():
                self.end(reason)
                return
            yield entry

    def _is_alike(self, task: Task) -> bool:
        """Return whether a task can be batched; a task of another kind begins a new batch."""
        kind = self._kind
        if kind is None or not kind.has(task):
            kind = _Kind.of(task, self.wishes.engine)
        kind.count += 1
        if self.grows:
            kind = self._grown(kind)
        if kind is not self._kind:
            self._submit()
            self._kind = kind
        return kind.batch_key is not None

    def _grown(self, kind: _Kind) -> _Kind:
        """Return a kind with larger tables, or on a GPU, once it has enough tasks."""
        task, engine, count = kind.task, kind.engine, kind.count
        if not isinstance(engine, Auto) or count not in _PAYING:
            return kind
        large = replace(engine, tables="large")
        if count == _SLIDES_PAY:
            is_slow = task.puzzle.metric is Metric.MULTI and kind.batch_key is None
            if not is_slow or engine.tables != "small":
                return kind
            grown = _Kind.of(task, large, count)
            if grown.batch_key is None:
                return kind
            self.notice(f"{count:,} boards: building the tables of slides, once; they pay by now.")
            return grown
        if kind.batch_key is None:
            return kind
        if count == _GPU_PAYS and Gpu().batch_key(task) is not None:
            self.notice(f"{count:,} boards: the GPU takes over.")
            return _Kind.of(task, Gpu(), count)
        shape = shape_of(task.puzzle.goal)
        if engine.tables != "small" or shape is None or (shape.rows, shape.columns) != (4, 4):
            return kind
        is_built = not missing_tables(shape, "large")
        if not (is_built if count == _LOADING_PAYS else count == _BUILDING_PAYS):
            return kind
        if not is_built:
            self.notice(f"{count:,} boards: building the large tables, once; they pay by now.")
        return _Kind.of(task, large, count)

    def _notice_once(self, sentence: str) -> None:
        """Give a notice that many boards share, only once."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.notice(sentence)

    def _control(self, limits: Limits, **options: Any) -> Control:
        """Return a control for tasks solved in the caller's thread."""

        def stop() -> bool:
            if reason := self.stop():
                control.stop(reason)
            return control.is_over

        control = Control(limits, stop=stop, notice=self._notice_once, **options)
        return control

    @contextmanager
    def _watched(self, task: Task) -> Iterator[Control]:
        """Yield a control for one task, whose progress is shown."""
        with self.watching() as progress:
            uncounted = tables_first(task.algorithm)
            yield self._control(task.limits, progress=progress, uncounted=uncounted)

    def _submit(self) -> None:
        """Submit the current batch; the first batch of a kind is solved here."""
        if not self._entries:
            return
        kind, entries, self._entries = self._kind, self._entries, []
        limits = Limits(memory=None if kind is None else kind.task.limits.memory)
        wishes = self.wishes if kind is None else replace(self.wishes, engine=kind.engine)
        batch = _Batch(kind, entries, Control(limits, notice=self._notice_once), wishes)
        self._batches.append(batch)
        if self._pool and kind and kind.in_threads and not kind.is_new:
            if self.is_over:
                batch.control.stop(self._reason)
            batch.answers = self._pool.submit(batch.solve)
            return
        with self.watching() as progress, DeferredInterrupts() as block:
            batch.control = self._control(limits, progress=progress)
            if self.is_over:
                batch.control.stop(self._reason)
            batch.answers = CallerExecutor().submit(batch.solve)
        if kind is not None:
            kind.is_new = False
        if block.is_interrupted:
            self.end(INTERRUPTED)

    def _answered(self, most: int) -> Iterator[Answer]:
        """Yield the answers of the first batches until at most `most` are queued or running."""
        while len(self._batches) > most:
            batch = self._batches.popleft()
            with DeferredInterrupts():
                while not batch.answers.done():
                    wait([batch.answers], _INTERVAL)
                    if reason := INTERRUPTED if interrupted() else self.stop():
                        batch.control.stop(reason)
                        self.end(reason)
            # A batch that was cancelled has no answers.
            answers = [] if batch.answers.cancelled() else batch.answers.result()
            for entry, answer in zip(batch.entries, answers, strict=bool(answers)):
                yield self._settled(entry, answer)
                if isinstance(answer, Result) and answer.outcome is Outcome.STOPPED:
                    # Callers pair boards with answers, so answers after a gap are useless.
                    self.end(answer.reason)
                    self._batches.clear()
                    break

    def _settled(self, entry: Task | TaquinError, answer: Answer) -> Answer:
        """Add a suboptimal solution to an answer if the search found no optimal one."""
        if isinstance(answer, TaquinError) or isinstance(entry, TaquinError):
            return answer
        if answer.outcome is not Outcome.LIMIT_REACHED:
            # The stream ends, and a worker that continues would be killed.
            return completed(answer, entry, self.wishes, None)
        with self._watched(entry) as control:
            return completed(answer, entry, self.wishes, control)

    def _alone(self, task: Task) -> Answer:
        """Solve a task by itself, on all threads."""
        try:
            with self._watched(task) as control:
                result = solve(task, self.wishes, control)
        except TaquinError as error:
            return error
        if result.outcome is Outcome.STOPPED:
            self.end(result.reason)
        return result


def solve_many(
    starts: Iterable[BoardLike],
    goal: GoalLike | Puzzle = None,
    *,
    metric: Metric | str | None = None,
    algorithm: SearchLike | Anytime | None = None,
    limits: Limits | None = None,
    engine: Engine | str = "auto",
    stop: Callable[[], bool] | None = None,
    **shortcuts: Unpack[Shortcuts],
) -> Iterator[Result]:
    """Yield the result of each board, in order; the parameters are those of `solve`.

    Boards are taken from `starts` as they are needed, some hundred ahead, and small ones are solved
    side by side, one on each thread. So a million boards take no more memory than a thousand, and
    have the same solutions on any number of threads. The limits hold for each board. Ctrl-C and
    `stop` end it: the first board that is not solved by then is yielded as stopped, and no board
    after it.

    Raise what `solve` raises, when it comes to the board in question.

    >>> [result.cost for result in solve_many(["1 2 3 / 4 0 5 / 7 8 6", "867254301"])]
    [2, 31]
    """
    grows = engine == "auto"
    goal, metric = goal_and_metric(goal, metric)
    algorithm, limits = combined(algorithm, limits, shortcuts, solve_many)
    if isinstance(algorithm, Anytime):
        engine, algorithm = algorithm, None
    chosen = engine_named(engine) if isinstance(engine, str) else engine
    search = None if algorithm is None else as_search(algorithm)
    puzzles: dict[Grid, Puzzle] = {}

    def tasks() -> Iterator[Task | TaquinError]:
        for start in starts:
            try:
                board = as_start(start, goal)
                if board.grid not in puzzles:
                    puzzles[board.grid] = Puzzle(as_goal(goal, board), metric)
                puzzle = puzzles[board.grid]
                puzzle.check(board)
            except TaquinError as error:
                # Raised only after the results of the boards before it.
                yield error
                return
            yield Task(puzzle, board, search, limits)

    many = Many(Wishes(chosen), grows, stop=lambda: reason("stopped") if stop and stop() else "")
    return map(_raised, many.answers(tasks()))


def _raised(answer: Answer) -> Result:
    """Return a result; raise an error."""
    if isinstance(answer, TaquinError):
        raise answer
    return answer
