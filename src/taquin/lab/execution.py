"""Do one run in this process, and tell what came of it, whatever that is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from taquin.engine.choose import solve
from taquin.errors import TaquinError
from taquin.lab.job import Job
from taquin.lab.record import Ending, Record
from taquin.search.result import Outcome, Result
from taquin.system.machine import machine

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
        result = solve(
            job.start,
            job.puzzle.goal,
            metric=job.puzzle.metric,
            algorithm=job.algorithm,
            limits=job.limits,
            # Runs share the cores, not the threads of one run: its counts are the same every time.
            threads=1,
        )
    except MemoryError:
        return unfinished(job, Ending.OUT_OF_MEMORY, "out of memory")
    except TaquinError as error:
        return unfinished(job, Ending.UNSUITABLE, str(error))
    except Exception as error:
        return unfinished(job, Ending.CRASHED, f"{type(error).__name__}: {error}")
    return replace(
        unfinished(job, _ending(result), result.reason),
        ran=result.algorithm,
        cost=result.cost,
        lower_bound=result.lower_bound,
        stats=result.stats,
        engine=result.engine,
    )


def unfinished(job: Job, ending: Ending, reason: str) -> Record:
    """Return the record of a run that found nothing and counted nothing."""
    return Record(
        key=job.key,
        study=job.study,
        board=job.board,
        search=job.search,
        start=job.start.text(),
        goal=job.puzzle.goal.text(),
        metric=job.puzzle.metric.value,
        algorithm=job.printed_algorithm,
        limits=job.limits,
        ending=ending,
        seed=job.seed,
        repetition=job.repetition,
        columns=job.columns,
        printed=job.printed,
        reason=reason,
        code=job.code,
        machine=machine(),
        when=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


def _ending(result: Result) -> Ending:
    # The driver tells apart by words alone which limit it was.
    if result.outcome is Outcome.LIMIT_REACHED and "memory" in result.reason:
        return Ending.OUT_OF_MEMORY
    return _ENDINGS[result.outcome]
