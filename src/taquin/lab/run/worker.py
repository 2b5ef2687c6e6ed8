"""Do one run and tell what came of it, whatever that is; here, or as a process of its own.

A worker process reads pickled requests from its standard input and writes pickled answers to what
was its standard output. It ends when its input does, even in the middle of a run, so that no worker
outlives the runner that started it; and after a run that left it larger than it was, so that the
figures of the next run are its own. Only libraries and tables may stay, for runs that need the same
ones: `Answer.kept` says so.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from taquin.engine.choose import engine_named
from taquin.engine.choose import run as solve
from taquin.errors import OwnCodeError, TaquinError
from taquin.lab.run.record import Ending, Record
from taquin.lab.study.identity import changed_part
from taquin.lab.study.study import Job, code_version
from taquin.notation.moves import write_moves
from taquin.search.control import Control
from taquin.search.result import Limit, Outcome, Task
from taquin.system.machine import (
    machine,
    memory_ceiling,
    peak_memory,
    process_memory,
    release_memory,
    reset_peak,
)

_GROWTH = 4 << 20
"""Bytes that a worker may keep after a run without being replaced."""
_LIBRARY = 50
"""Modules whose loading tells that a run needed a library."""
_ENDINGS = {
    Outcome.SOLVED: Ending.SOLVED,
    Outcome.UNSOLVABLE: Ending.UNSOLVABLE,
    Outcome.LIMIT_REACHED: Ending.LIMIT,
    Outcome.STOPPED: Ending.STOPPED,
}


def execute(job: Job) -> Record:
    """Return the record of a run, done here and now; nothing it may raise comes through.

    Only the peak of memory may include what this process held before; `alone` mends that.
    """
    try:
        # Searches that are named are compared with each other: all run where all can.
        is_named = job.algorithm is not None and job.engine == "auto"
        engine = engine_named("glass" if is_named else job.engine)
        if getattr(engine, "threads", 0) is None:
            # Runs share the cores, not the threads of one run: its counts are always the same.
            engine = replace(engine, threads=1)  # type: ignore[type-var]
        limits = job.run.limits
        result = solve(Task(job.puzzle, job.start, job.algorithm, limits), engine, Control(limits))
    except MemoryError:
        return unfinished(job, Ending.OUT_OF_MEMORY, "out of memory")
    except OwnCodeError as error:
        return unfinished(job, Ending.CRASHED, str(error))
    except TaquinError as error:
        return unfinished(job, Ending.UNSUITABLE, str(error))
    except Exception as error:
        return unfinished(job, Ending.CRASHED, f"{type(error).__name__}: {error}")
    ending, moves = _ENDINGS[result.outcome], result.moves
    is_written = job.records_moves and moves is not None
    return Record(
        job.run,
        Ending.OUT_OF_MEMORY if result.limit is Limit.MEMORY else ending,
        result.reason,
        limit_reached=result.limit and result.limit.value,
        ran=str(result.algorithm),
        engine=str(result.engine),
        cost=result.cost,
        lower_bound=result.lower_bound,
        solution=write_moves(moves or (), job.puzzle.metric) if is_written else None,
        preparation_seconds=result.preparation.total,
        stats=result.stats,
        machine=machine(),
        when=_now(),
    )


def unfinished(job: Job, ending: Ending, reason: str) -> Record:
    """Return the record of a run that found nothing and counted nothing."""
    return Record(job.run, ending, reason, machine=machine(), when=_now())


def overdue_record(job: Job) -> Record:
    """Return the record of a run whose process was killed because it did not heed its limit."""
    control = Control(job.run.limits)
    control.end(Limit.SECONDS)
    record = unfinished(job, Ending.LIMIT, f"{control.reason}; its process was killed")
    return replace(record, limit_reached=Limit.SECONDS.value)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class Request:
    """One run to do."""

    job: Job
    """The run."""
    memory: int | None
    """Most bytes it may add to the process; None for no ceiling."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request."""

    record: Record | None
    """The record; None for a request that could not be read."""
    fault: str = ""
    """Why the request could not be read."""
    last: bool = False
    """Whether the worker ends with this answer."""
    kept: bool = False
    """Whether the worker keeps libraries and tables, which only a run of this kind would load."""
    code: str = ""
    """In the first answer, which comes unasked: the version of the worker's code."""


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a heuristic prints must not get in between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    waiting: SimpleQueue[Request | str] = SimpleQueue()
    Thread(target=_read, args=(requests, waiting), daemon=True).start()
    _send(answers, Answer(None, code=code_version()))
    # Whatever exists now is never garbage; collections need not look at it.
    gc.collect()
    gc.freeze()
    release_memory()
    size = process_memory()
    kept = False
    while True:
        request = waiting.get()
        fault = request if isinstance(request, str) else _other_code(request.job)
        if isinstance(request, str) or fault:
            _send(answers, Answer(None, fault=fault))
            continue
        loaded = len(sys.modules)
        record = alone(request)
        gc.collect()
        release_memory()
        if len(sys.modules) - loaded > _LIBRARY:
            # What it keeps the next run of this kind would only have to load again.
            size, kept = process_memory(), True
        last = process_memory() - size > _GROWTH
        _send(answers, Answer(record, last=last, kept=kept))
        if last:
            # The thread that reads is in the midst of it, and an orderly exit would wait for that.
            os._exit(0)


def _other_code(job: Job) -> str:
    """Return why the code of the user's that arrived here is not what the run is for, or nothing.

    Functions and classes travel by name: this process has imported them from their files anew.
    """
    if job.run.own_code and (place := changed_part(job.algorithm, job.run.own_code)):
        return (
            f"{place} is other code there, as its file was edited or a variable that it uses was "
            f"changed after this program loaded it"
        )
    return ""


def alone(request: Request) -> Record:
    """Return the record of a run that has this process to itself."""
    resets = reset_peak()
    ceilings = (request.memory, request.job.run.limits.memory)
    with memory_ceiling(min((each for each in ceilings if each is not None), default=None)):
        record = execute(request.job)
    if not resets:
        return record
    return replace(record, stats=replace(record.stats, peak_memory=peak_memory()))


def _read(requests: BinaryIO, waiting: SimpleQueue[Request | str]) -> None:
    while True:
        try:
            waiting.put(pickle.load(requests))
        except EOFError:
            os._exit(0)
        except Exception as error:
            waiting.put(f"{type(error).__name__}: {error}")


def _send(answers: BinaryIO, answer: Answer) -> None:
    pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()
