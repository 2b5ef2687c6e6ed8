"""What is recorded of a study, in the study's own order and under its present labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from taquin.lab.job import Job, jobs_of
from taquin.lab.record import Record, Records
from taquin.lab.store import Store
from taquin.lab.study import Study


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a study has come."""

    runs: int
    """Runs of the study, equal ones counted once."""
    done: int
    """Those that are recorded."""
    failed: int
    """Those recorded as crashed or unsuitable."""
    others: int
    """Records in the file that are none of the study's: of other code, or of an earlier text."""


def records_of(study: Study, store: Store, code: str | None = None) -> Records:
    """Return the records of a study, board by board; runs not yet done are missing.

    Labels, columns and printed figures are those of `study` as it is now. `code` is the version
    whose records are wanted, this one unless given.
    """
    found = {record.key: record for record in store.records()}
    return Records(
        _relabelled(found[job.key], job) for job in jobs_of(study, code) if job.key in found
    )


def standing(study: Study, store: Store, code: str | None = None) -> Standing:
    """Return how far a study has come."""
    endings = {record.key: record.ending for record in store.records()}
    keys = {job.key for job in jobs_of(study, code)}
    return Standing(
        runs=len(keys),
        done=len(keys & endings.keys()),
        failed=sum(ending.is_failure for key, ending in endings.items() if key in keys),
        others=len(endings.keys() - keys),
    )


def _relabelled(record: Record, job: Job) -> Record:
    said = (job.study, job.board, job.search, job.columns, job.printed)
    if said == (record.study, record.board, record.search, record.columns, record.printed):
        return record
    return replace(
        record,
        study=job.study,
        board=job.board,
        search=job.search,
        columns=job.columns,
        printed=job.printed,
    )
