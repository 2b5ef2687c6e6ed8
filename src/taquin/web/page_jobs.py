"""The jobs of the page: the work of a worker process for one request.

A job is a value that is sent to the worker:

    server ── job, pickled ──►  worker  ── frames of an event stream ──►  server ──► client

`perform` does it there. The worker blocks while nobody reads: a search then waits, and its clock
stands still. There is a class for each kind of request:

    Solve, Trace, Race              search one board
    Scramble, MovesLeft, WarmUp     draw a random board, count the moves left, warm up a worker
    Export                          a board or its solution as a picture, an animation, text or JSON

`Settings` are the limits of the server, which no request can raise.
"""

from __future__ import annotations

import base64
import gc
import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache, partial
from itertools import islice
from math import inf
from random import randrange
from time import monotonic, sleep
from typing import Any, Protocol, TypeAlias

from taquin import Algorithm, Metric, Move, Outcome, Result, trace, write_moves
from taquin.analysis.depths import boards_at_depth
from taquin.analysis.grading import moves_named
from taquin.analysis.hints import HINT_PATIENCE, PATIENCE, Advice, HintFinder
from taquin.analysis.isolated import checked, checked_events
from taquin.engine import task as policy
from taquin.engine.anytime.engine import Anytime
from taquin.engine.base import check_fit, run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.task import Auto, Wishes, engine_named, is_first_board
from taquin.errors import MachineError, UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import Label
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.model.solvability import Solvability, solvability
from taquin.notation.answers import read_pushes
from taquin.notation.json_values import move_json, move_of_json, unexpected
from taquin.reasons import Reason, reason
from taquin.search.control import TABLES_FIRST, Control
from taquin.search.driver import Contest, Contestant, Effort, rank_of
from taquin.search.events import Event, Finished
from taquin.search.result import Counters, EngineTag, Limits, NamedMethod, Task, effort, verdict
from taquin.system.formatting import counted
from taquin.system.jobs import Link
from taquin.system.machine import (
    memory_ceiling,
    process_memory,
    release_memory,
    safe_memory,
    usable_cores,
)
from taquin.views.records import result_record, to_json_lines
from taquin.views.traces import move_name
from taquin.web.messages import FrameWriter, error_record, message

SPARE_SECONDS = 120.0
"""Seconds beyond its limits that a worker may spend in uninterruptible code."""
STOP_SECONDS = 0.5
"""Seconds after which a worker that does not stop is killed."""

Emit: TypeAlias = Callable[[str, Any], None]
"""Sends an event: its name, and its record or the JSON text of the record."""
ShouldStop: TypeAlias = Callable[[], bool]
"""Returns whether the job must end."""


class Lane(Enum):
    """The kinds of jobs: each has its own workers and queue, so none waits for another."""

    SEARCH = "searches"
    QUICK = "quick"
    """Takes at most about a second."""
    EXPORT = "exports"
    """Writes a file, which takes at most some seconds."""


class PageJob(Protocol):
    """A task for a worker; jobs inherit the defaults."""

    @property
    def lane(self) -> Lane:
        """The workers that it runs on."""
        return Lane.SEARCH

    @property
    def seconds(self) -> float:
        """The time limit in seconds, without the time in which the client does not read."""

    @property
    def stop_seconds(self) -> float:
        """Seconds after which a worker that does not stop is killed."""
        return STOP_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Do the work and emit events; unless the job is a trace, the last one is `result`.

        A job implements this, or `steps` if it can be suspended.
        """
        for _ in self.steps(emit, should_stop):
            pass

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Do the work; the caller may suspend it at each step."""
        self.run(emit, should_stop)
        yield


_LARGE = 300 << 20
"""Private bytes that a worker may keep between jobs in any case: libraries and compiled code."""
_GROWTH = 16 << 20
"""Bytes that a job may leave behind before memory is collected."""
_kept = 0
"""The private bytes of this worker after the last collection."""


def perform(link: Link, job: PageJob, memory: int) -> None:
    """Do a job that may add `memory` bytes to this worker, and send pieces of whole frames.

    A worker that a job leaves large is replaced, so that memory stays flat.
    """
    global _kept
    writer = FrameWriter(partial(link.put, at_once=True))
    try:
        with memory_ceiling(memory):
            job.run(writer.emit, lambda: bool(link.stop_reason))
    except Exception as error:
        writer.emit("error", error_record(error))
    writer.flush()
    # A collection takes longer than many jobs, whose clients wait for the end.
    if process_memory(private=True) > _kept + _GROWTH:
        gc.collect()
        release_memory()
        _kept = process_memory(private=True)
    link.is_last = _kept > may_keep(memory)


def may_keep(memory: int) -> int:
    """Return the private bytes that a worker may keep whose jobs may use `memory` bytes.

    The tables of 5×5 take 400 MB and seconds to load: a worker that exits loads them for each hint.
    """
    return max(_LARGE, memory // 2)


_PROGRESS_SECONDS = 0.2
"""The time between two `progress` events."""
_FRAME_SECONDS = 0.05
"""The time between two `frame` events of a race."""
_UNLIMITED = 1e12
"""More expansions or seconds than any search needs."""
_LONGEST_RACE = 600.0
"""The most seconds of a race with a given speed."""
_MOST_CELLS = 500_000
"""Solutions with more cells than this on all boards are sent as moves only."""


@dataclass(frozen=True, slots=True)
class Solve(PageJob):
    """Solve a board, and report progress."""

    task: Task
    engine: str
    """The name of an engine, or `auto`."""
    optimal: bool = False
    """Whether only a shortest solution is accepted."""
    anytime: float | None = None
    """Seconds of the anytime engine; None for a shortest solution."""
    within: float | None = None
    """The factor by which a solution may exceed the shortest."""

    stop_seconds = 2.0
    """A search that is stopped may take half a second for a good solution."""

    @property
    def seconds(self) -> float:
        """The limit of the search, and time to build tables."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Search, and emit the result."""
        wishes, limits = self._wishes(), self.task.limits
        check_fit(wishes.engine, self.task)
        reported_at = -inf
        best = inf

        def begin() -> None:
            nonlocal reported_at
            reported_at = 0.0
            shown = {"seconds": limits.seconds, "nodes": limits.nodes, "memory": limits.memory}
            emit("started", {"engine": wishes.engine.engine_for(self.task).name, "limits": shown})

        def report(counters: Counters, seconds: float) -> None:
            nonlocal reported_at, best
            if reported_at == -inf:
                begin()
            if counters.best is not None and counters.best < best:
                best, bound = counters.best, control.proven
                gap = best / bound - 1 if bound else None
                emit("improved", {"cost": best, "lower_bound": bound, "gap": gap})
            if not 0 <= seconds - reported_at < _PROGRESS_SECONDS:
                reported_at = seconds
                shown = {
                    "seconds": round(seconds, 3),
                    "stage": counters.stage,
                    "message": message(counters.stage) if counters.stage else None,
                    "expanded": counters.expanded,
                    "generated": counters.generated,
                    "frontier": counters.frontier,
                    "depth": counters.max_depth,
                    "bound": int(counters.bound),
                    "best": counters.best,
                }
                emit("progress", shown)

        def notice(sentence: str) -> None:
            emit("notice", message(sentence))

        control = Control(
            limits, progress=report, stop=should_stop, notice=notice, uncounted=TABLES_FIRST
        )
        if self.task.algorithm is None:
            # Loading tables may delay the first report by seconds. Searches by name report at once,
            # and may be rejected before that.
            begin()
        result = checked(policy.solve(self.task, wishes, control))
        cells = len(result.moves or ()) * result.start.grid.size
        is_short = result.moves is not None and cells <= _MOST_CELLS
        more = {
            "gap": result.gap,
            **message(verdict(result)),
            "effort": effort(result),
            "boards": [board.rows() for board in result.boards()] if is_short else None,
        }
        emit("result", result_record(result) | more)

    def _wishes(self) -> Wishes:
        if self.anytime is not None or self.within is not None:
            options = {"seconds": self.anytime, "within": self.within}
            given = {key: value for key, value in options.items() if value is not None}
            return Wishes(Anytime(**given))  # type: ignore[arg-type]
        engine = engine_named(self.engine)
        if not isinstance(engine, Auto):
            return Wishes(engine)
        engine = replace(engine, once=is_first_board(), only_optimal=self.optimal)
        return Wishes(engine, patience=policy.PATIENCE, advice=reason("insist"))


@dataclass(frozen=True, slots=True)
class Trace(PageJob):
    """Emit every event of a search, as fast as the client reads."""

    task: Task
    search: Algorithm

    @property
    def seconds(self) -> float:
        """The limit of the search."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Emit the header, then a record for every event; before the last, its sentences."""
        task = self.task
        events = _told(trace(task.puzzle, task.start, self.search, task.limits), emit)
        for line in to_json_lines(events, puzzle=task.puzzle, algorithm=self.search):
            emit("record", line)
            if should_stop():
                return
            yield


def _told(events: Iterable[Event], emit: Emit) -> Iterator[Event]:
    """Yield the checked events of a search; emit the sentences of the result before it."""
    for event in checked_events(events):
        if isinstance(event, Finished):
            result = event.result
            emit("ending", {"reason": message(result.reason), "assumes": message(result.assumes)})
        yield event


@dataclass(frozen=True, slots=True)
class Race(PageJob):
    """Run several searches side by side, in lockstep."""

    task: Task
    searches: tuple[Algorithm, ...]
    by: Effort
    speed: float | None = None
    """Expansions, or seconds, of each search per second of wall-clock time; None for full speed."""
    skip: float = 0.0
    """Expansions, or seconds, of each search at full speed before the first frame."""

    @property
    def seconds(self) -> float:
        """The limit of the whole race, pauses included."""
        if self.speed is not None:
            return _LONGEST_RACE + SPARE_SECONDS
        return (self.task.limits.seconds or 0.0) * len(self.searches) + SPARE_SECONDS

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Run the race, and emit its state about twenty times a second."""
        task, deadline = self.task, monotonic() + self.seconds - SPARE_SECONDS
        contest = Contest(task.puzzle, task.start, self.searches, task.limits, self.by)
        while contest.running and contest.level < self.skip and not should_stop():
            contest.advance(self.skip - contest.level, _FRAME_SECONDS)
        amount = _UNLIMITED if self.speed is None else self.speed * _FRAME_SECONDS
        while contest.running and not should_stop() and monotonic() < deadline:
            began = monotonic()
            contest.advance(amount, _FRAME_SECONDS)
            emit("frame", {"runners": [_state(runner) for runner in contest.contestants]})
            if self.speed is not None:
                sleep(max(0.0, began + _FRAME_SECONDS - monotonic()))
            yield
        contest.stop()
        for runner in contest.contestants:
            runner.result = runner.result and checked(runner.result)
        runners = []
        for runner in contest.contestants:
            assert runner.result is not None, "the race is over"
            record = result_record(runner.result)
            own = {name: record[name] for name in ("moves", "lower_bound", "stats")}
            place = {"place": rank_of(runner, contest.contestants)}
            runners.append(_state(runner) | place | own | message(verdict(runner.result)))
        emit("result", {"runners": runners, "by": self.by.value})


def _state(runner: Contestant) -> dict[str, Any]:
    result = runner.result
    return {
        "name": runner.name,
        "expanded": runner.expanded,
        "frontier": runner.frontier,
        "depth": runner.depth,
        "board": runner.board.rows(),
        "spent": runner.spent,
        "done": result is not None,
        "cost": result and result.cost,
        "outcome": result and result.outcome.value,
        "optimal": result and result.optimal,
    }


_TABLE_SECONDS = 120.0
"""The time to build the tables that the first board of a size may need."""
_WARM_MOVES = 20
_PUZZLES = 8
"""Puzzles whose hints a worker caches."""


@dataclass(frozen=True, slots=True)
class Scramble(PageJob):
    """Draw a random solvable board."""

    puzzle: Puzzle
    limits: Limits
    seed: int | None = None
    """None for a random one."""
    moves: int | None = None
    """Random moves from the goal; None for a uniform draw from all solvable boards."""
    distance: int | None = None
    """The length of its shortest solution; None for any."""
    labels: tuple[Label, ...] | None = None
    """The tiles to use if the goal does not name them all."""

    @property
    def lane(self) -> Lane:
        """The lane of searches for a board at an exact distance, which may take as long."""
        return Lane.QUICK if self.distance is None else Lane.SEARCH

    @property
    def seconds(self) -> float:
        """The time limit, and time to load code and tables."""
        return (self.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the board."""
        seed = randrange(2**32) if self.seed is None else self.seed
        uniform = self.moves is None
        if self.distance is not None:
            control = Control(self.limits, stop=should_stop)
            sample = boards_at_depth(self.puzzle, self.distance, seed, control=control)
            board, uniform = next(sample.boards, None), sample.uniform
            if board is None:
                raise MachineError(reason("no-board", reason=Reason(control.reason)))
        elif self.moves is None:
            board = random_board(self.puzzle.goal, seed, labels=self.labels)
        else:
            board = random_walk(self.puzzle, self.moves, seed, labels=self.labels)
        record = {"board": board.rows(), "goal": self.puzzle.goal.rows(), "text": board.text()}
        more = {"seed": seed, "distance": self.distance, "uniform": uniform}
        emit("result", record | more)


@dataclass(frozen=True, slots=True)
class MovesLeft(PageJob):
    """Count the moves left, and find the next one."""

    puzzle: Puzzle
    board: Board
    memory: int
    is_hint: bool = False
    """Whether the user asked for a move, and accepts a longer search."""

    lane = Lane.QUICK
    seconds = _TABLE_SECONDS + 2 * HINT_PATIENCE + SPARE_SECONDS
    stop_seconds = _TABLE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the cached hint if it is exact, else search for one."""
        puzzle, board = self.puzzle, self.board
        judged = solvability(puzzle, board)
        if judged.answer is Solvability.NO:
            unsolvable = dict.fromkeys(("left", "lower_bound", "best", "move"))
            told = reason("unsolvable", detail=Reason(judged.reason))
            emit("result", unsolvable | message(told))
            return
        finder = _hint_finder(puzzle, self.memory)
        patience = HINT_PATIENCE if self.is_hint else PATIENCE
        advice = finder.of(board)
        if advice is None or not (advice.is_exact or (self.is_hint and advice.move)):
            stages = [""]
            # A disconnect does not stop the building of a table, whose parts would be lost.
            finder.find(board, patience, stages.append, lambda: not stages[-1] and should_stop())
            advice = finder.of(board)
        emit("result", _record(advice or Advice(0)))


_hint_finder = lru_cache(_PUZZLES)(HintFinder)


def _record(advice: Advice) -> dict[str, Any]:
    left = advice.left
    if left is None:
        told = reason("left-least", count=advice.at_least)
    elif advice.is_exact:
        told = reason("left", count=left) if left else reason("left-none")
    else:
        told = reason("left-between", count=left, least=advice.at_least)
    return {
        "left": advice.left if advice.is_exact else None,
        "lower_bound": advice.at_least,
        "best": advice.left,
        "move": None if advice.move is None else move_json(advice.move),
        **message(told),
    }


@dataclass(frozen=True, slots=True)
class WarmUp(PageJob):
    """Load or build the code and tables of compiled searches ahead of the first board."""

    memory: int

    lane = Lane.QUICK
    seconds = _TABLE_SECONDS + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Solve an easy board with each compiled engine."""
        puzzle, limits = Puzzle(Goal.blank_last(4, 4)), Limits(memory=self.memory)
        task = Task(puzzle, random_walk(puzzle, _WARM_MOVES, seed=1), limits=limits)
        for engine in (Cpu(), Anytime(seconds=0.0)):
            if engine.fits(task):
                run(task, engine, Control(limits, stop=should_stop))
        emit("result", {})


TYPES = {
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "png": "image/png",
    "text": "text/plain; charset=utf-8",
    "json": "application/json",
}
"""The formats of files, each with its content type."""
Moves = tuple[Move, ...] | None
"""The moves of a solution; None for the board alone."""
_MOST_MOVES = 20_000
"""The longest solution that is exported."""


@dataclass(frozen=True, slots=True)
class Export(PageJob):
    """Write a board and the moves that solve it."""

    puzzle: Puzzle
    start: Board
    moves: object
    """The moves of the request: a text, or a list of moves; None for the board alone."""
    format: str
    """A key of TYPES."""
    dark: bool | None = None
    """The theme of pictures; None lets an SVG follow the theme of its page."""

    lane = Lane.EXPORT
    seconds = 60.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the file."""
        moves = _moves(self.moves, self.start, self.puzzle.metric)
        write = {"text": self._text, "json": self._json}.get(self.format, self._picture)
        file = {
            "name": "taquin.txt" if self.format == "text" else f"taquin.{self.format}",
            "type": TYPES[self.format],
            "base64": base64.b64encode(write(moves)).decode(),
        }
        emit("result", {"file": file})

    def _boards(self, moves: Moves) -> tuple[Board, ...]:
        return (self.start,) if moves is None else self.puzzle.replay(self.start, moves)

    def _text(self, moves: Moves) -> bytes:
        """Return the moves in one line, then every board with the move to it."""
        start, *boards = self._boards(moves)
        lines = [str(start), ""]
        if moves is not None:
            line = f"{_title(moves)}: {write_moves(moves, self.puzzle.metric)}"
            lines = [line, "", "start", *lines]
        for number, (move, board) in enumerate(zip(moves or (), boards, strict=True), 1):
            lines += [f"{number}. {move_name(move)}", str(board), ""]
        return "\n".join(lines).encode()

    def _json(self, moves: Moves) -> bytes:
        record = {
            "board": self.start.rows(),
            "goal": self.puzzle.goal.rows(),
            "metric": self.puzzle.metric.value,
            "moves": None if moves is None else [move_json(move) for move in moves],
            "boards": [board.rows() for board in self._boards(moves)],
        }
        return json.dumps(record, ensure_ascii=False).encode()

    def _picture(self, moves: Moves) -> bytes:
        # Imported late: only pictures need these large libraries.
        from taquin.views.pictures.drawings import board_drawing, painted, solution_drawing

        drawing = board_drawing(self.start)
        if moves is not None:
            outcome, search = Outcome.SOLVED, NamedMethod("moves")
            result = Result(outcome, self.puzzle, self.start, moves, 0, search, EngineTag(""))
            drawing = solution_drawing(result, _title(moves))
        return painted(drawing, self.format, self.dark)


def _title(moves: tuple[Move, ...]) -> str:
    return f"Solved in {counted(len(moves), 'move')}"


def _moves(value: object, start: Board, metric: Metric) -> Moves:
    if value is None:
        return None
    if isinstance(value, list):
        moves = tuple(map(move_of_json, value))
    elif isinstance(value, str):
        named = moves_named(start, read_pushes(value, start), metric)
        moves = tuple(islice(named, _MOST_MOVES + 1))
    else:
        raise unexpected(reason("moves-value"), value)
    if len(moves) > _MOST_MOVES:
        raise UnsuitableError(reason("most-moves", most=_MOST_MOVES))
    return moves


CODE_FILE = "mine.py"
"""The file name of user code in searches: `astar(mine.py:name)`."""
BODY_BYTES = 64 * 1024
"""Bytes of the largest body of a request."""
_MOST_MEMORY = 2 << 30


def _running() -> int:
    return max(2, usable_cores())


def _memory() -> int:
    """Return a limit per worker that is safe if every worker reaches it."""
    return min(_MOST_MEMORY, safe_memory(_running() + 4) or _MOST_MEMORY)


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a server."""

    seconds: float = 60.0
    """The most seconds of a search."""
    nodes: int | None = None
    """The most nodes of a search by name; None for no limit."""
    memory: int = field(default_factory=_memory)
    """The most bytes of memory of a search."""
    cells: int = 400
    """The most cells of a board."""
    running: int = field(default_factory=_running)
    """The most searches that run at once."""
    waiting: int = 64
    """The length of the queue of searches; further ones are rejected."""
    warm: bool = True
    """Whether compiled code is loaded before the first request."""
    user_code: str | None = None
    """The text of CODE_FILE, from a request in a browser; always None on a server."""
