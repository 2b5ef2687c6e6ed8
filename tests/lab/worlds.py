"""Small studies that the tests run, and records stripped of what no two runs share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from taquin.lab.run.database import Record, Store
from taquin.lab.run.executor import Executor, Pool, SameThread
from taquin.lab.run.runner import OnProgress, run_jobs
from taquin.lab.study.definition import Job, Study, jobs_of
from taquin.lab.study.reading import study_of_toml

CODE = "test"
"""Stands for the version of the code, so that no edit of it divides a test in two."""


def small_study(boards: int = 4, nodes: int = 200) -> Study:
    """Return a study of searches that take a few milliseconds each."""
    return study_of_toml(
        f"""
        name = "small"
        boards = [{{ uniform = {{ size = "3x3", count = {boards}, seed = 1 }} }}]
        searches = [
            {{ algorithm = ["astar", "idastar"], heuristic = "manhattan" }},
            {{ algorithm = "dfs", seeds = 3 }},
        ]
        limits = {{ nodes = {nodes}, counting = "expanded" }}
        """
    )


def jobs(study: Study) -> list[Job]:
    """Return the runs of a study under the code of the tests."""
    return list(jobs_of(study, CODE))


def records_in(path: Path) -> dict[str, Record]:
    """Return the records of a file by their keys, comparable across runs."""
    with Store(path) as store:
        return comparable(store.records())


def comparable(records: Iterable[Record]) -> dict[str, Record]:
    """Return records by their keys, without timings, memory, machine and date."""
    found: dict[str, Record] = {}
    for record in records:
        assert record.key not in found, "a run is recorded twice"
        stats = replace(record.stats, seconds=0, cpu_seconds=0, peak_memory=0)
        found[record.key] = replace(record, stats=stats, preparation_seconds=0, machine="", when="")
    return found


def run_into(
    path: Path,
    study: Study,
    make: Callable[[], Executor] = SameThread,
    progress: OnProgress | None = None,
) -> dict[str, Record]:
    """Run a study into a file, and return what the file holds then."""
    with Store(path, write=True) as store:
        run_jobs(jobs(study), store, make, progress)
    return records_in(path)


def undisturbed(study: Study, folder: Path) -> dict[str, Record]:
    """Return the records of a study that nothing disturbs."""
    return run_into(folder / "undisturbed.sqlite", study)


if __name__ == "__main__":
    # A runner in a process of its own, for the tests that kill it.
    run_into(
        Path(sys.argv[1]),
        small_study(int(sys.argv[2]), int(sys.argv[3])),
        lambda: Pool(int(sys.argv[4])),
    )
