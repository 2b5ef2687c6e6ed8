"""Do one run and return its record, also of a failure; here, or in a worker process.

A worker process does a run as a job (`taquin.system.jobs`). It is replaced after a run that left it
larger than before, so that the figures of the next run are its own. It may keep libraries and
tables, but only for runs that need the same ones: `Answer.kept` says so.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from math import inf

from taquin import Limit, OwnCodeError, TaquinError, write_moves
from taquin.engine.choose import engine_named
from taquin.engine.choose import run as solve
from taquin.engine.isolated import control_for
from taquin.lab.run.record import Ending, Record
from taquin.lab.study.identity import changed_part
from taquin.lab.study.study import Job, code_version
from taquin.search.control import Control
from taquin.search.driver import tables_first
from taquin.search.own import OwnSearch
from taquin.search.result import Stats, Task
from taquin.system import machine
from taquin.system.jobs import Link, main

_GROWTH = 4 << 20
"""Bytes that a worker may keep after a run without being replaced."""
_LIBRARY = 20
"""A run that loads more modules than this needed a library or compiled code: 29 for a first
board of 4×4; a search in Python loads hardly any."""
_CHANGED = (
    "is other code there, as its file was edited or a variable that it uses was changed after this "
    "program loaded it"
)

ASKS_SOLVER = "it calls a solver of taquin"
"""The reason in a record of user code that has another search do its work."""

__all__ = ["Answer", "answer", "begin", "execute", "main", "overdue_record", "unfinished"]


def execute(job: Job, control_of: Callable[..., Control] = Control) -> Record:
    """Do a run in this process and return its record; exceptions become records too."""
    try:
        # Named searches are compared with each other, so all run on the engine that runs any.
        is_named = job.algorithm is not None and job.engine == "auto"
        engine = engine_named("glass" if is_named else job.engine)
        if getattr(engine, "threads", 0) is None:
            # Runs are parallel, so that each has one thread and the same counts every time.
            engine = replace(engine, threads=1)  # type: ignore[type-var]
        limits, created = job.run.limits, Control.created
        task = Task(job.puzzle, job.start, job.algorithm, limits)
        control = control_of(limits, uncounted=tables_first(job.algorithm))
        result = solve(task, engine, control)
    except MemoryError:
        return unfinished(job, Ending.OUT_OF_MEMORY, "out of memory")
    except OwnCodeError as error:
        return unfinished(job, Ending.CRASHED, str(error))
    except TaquinError as error:
        return unfinished(job, Ending.UNSUITABLE, str(error))
    except Exception as error:
        return unfinished(job, Ending.CRASHED, f"{type(error).__name__}: {error}")
    is_full = result.limit is Limit.MEMORY
    # Runs are not checked, so that a record measures the search alone.
    reason = result.reason or (result.assumes and f"optimal if {result.assumes}")
    record = unfinished(
        job, Ending.OUT_OF_MEMORY if is_full else Ending(result.outcome.value), reason
    )
    if isinstance(job.algorithm, OwnSearch) and Control.created > created + 1:
        # The glass box makes no other control, so user code has called one of taquin's solvers.
        record = replace(record, reason="; ".join(filter(None, (result.reason, ASKS_SOLVER))))
        own = result.stats
        uncounted = Stats(
            seconds=own.seconds, cpu_seconds=own.cpu_seconds, peak_memory=own.peak_memory
        )
        result = replace(result, stats=uncounted)
    has_moves = job.records_moves and result.moves is not None
    return replace(
        record,
        limit_reached=result.limit and result.limit.value,
        ran=str(result.algorithm),
        engine=str(result.engine),
        cost=result.cost,
        lower_bound=result.lower_bound,
        solution=write_moves(result.moves or (), job.puzzle.metric) if has_moves else None,
        preparation_seconds=result.preparation.total,
        bounds=" ".join(f"{bound}:{nodes}" for bound, nodes in result.bounds),
        stats=result.stats,
    )


def unfinished(job: Job, ending: Ending, reason: str) -> Record:
    """Return the record of a run without its result."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Record(job.run, ending, reason, machine=machine.machine(), when=now)


def overdue_record(job: Job, elapsed: float) -> Record:
    """Return the record of a run whose process was killed after some seconds at a limit."""
    limits = job.run.limits
    control = Control(limits)
    is_cpu = limits.cpu_seconds is not None and elapsed < (limits.seconds or inf)
    limit = Limit.CPU_SECONDS if is_cpu else Limit.SECONDS
    control.end(limit)
    record = unfinished(job, Ending.LIMIT, f"{control.reason}; its process was killed")
    return replace(record, limit_reached=limit.value)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a worker."""

    record: Record | None
    """The record; None for a run that could not be done."""
    fault: str = ""
    """Why the run could not be done."""
    is_last: bool = False
    """Whether the worker is to be replaced."""
    kept: bool = False
    """Whether the worker keeps libraries and tables that only runs of this kind load."""


_size = 0
"""The bytes that this worker held before its first run, or after one that loaded a library."""
_kept = False
"""Whether it keeps a library."""


def begin(link: Link) -> str:
    """Get ready for runs, and return the version of this worker's code."""
    global _size
    # Objects that exist now are never freed, so the collector may skip them.
    gc.collect()
    gc.freeze()
    machine.release_memory()
    _size = machine.process_memory()
    return code_version()


def answer(link: Link, job: Job, memory: int | None) -> Answer:
    """Do a run that may add `memory` bytes to this process; None for any number."""
    global _size, _kept
    # Functions and classes are pickled by name: this process imported them from their files.
    if place := changed_part(job.algorithm, job.run.own_code):
        return Answer(None, fault=f"{place} {_CHANGED}")
    loaded = len(sys.modules)
    record = _execute_alone(link, job, memory)
    gc.collect()
    machine.release_memory()
    if len(sys.modules) > loaded:
        # The same goes for what this run has loaded: to look through it takes a millisecond.
        gc.freeze()
    if len(sys.modules) - loaded > _LIBRARY:
        # The next run of this kind would only load the library again.
        _size, _kept = machine.process_memory(), True
    return Answer(record, is_last=machine.process_memory() - _size > _GROWTH, kept=_kept)


def _execute_alone(link: Link, job: Job, memory: int | None) -> Record:
    """Return the record of a run that has this process to itself."""
    is_reset = machine.reset_peak()
    ceilings = [size for size in (memory, job.run.limits.memory) if size is not None]
    with machine.memory_ceiling(min(ceilings, default=None)):
        record = execute(job, partial(control_for, link))
    if not is_reset:
        return record
    return replace(record, stats=replace(record.stats, peak_memory=machine.peak_memory()))
