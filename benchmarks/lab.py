"""Measure the overhead of the lab: `python benchmarks/lab.py [overhead|…]`.

overhead    milliseconds per run on top of the search; the target is 5
processes   speedup of two processes on a balanced study; the target is 1.7
cluster     the same with `--cluster local:2` against `local:1`
records     seconds to write and to read 100,000 records; the target of the report is 10
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from taquin.lab.run.database import Records, Store
from taquin.lab.run.runner import run_study
from taquin.lab.study.definition import Study, jobs_of
from taquin.lab.study.reading import study_of_toml


def balanced_study(name: str, boards: int, nodes: int) -> Study:
    return study_of_toml(
        f"""
        name = "{name}"
        boards = [{{ set = "korf100", numbers = [{", ".join(map(str, range(1, boards + 1)))}] }}]
        searches = [{{ algorithm = "idastar" }}]
        limits = {{ nodes = {nodes}, counting = "expanded" }}
        """
    )


def timed(work: Callable[[], Records]) -> tuple[float, Records]:
    began = perf_counter()
    records = work()
    return perf_counter() - began, records


def overhead() -> None:
    study = replace(balanced_study("overhead", 100, 30), repetitions=10)
    warm = balanced_study("warm", 1, 1)
    for processes in (0, 1):
        with TemporaryDirectory() as folder:
            start, _ = timed(lambda: run_study(warm, folder, processes=processes))  # noqa: B023
            whole, records = timed(lambda: run_study(study, folder, processes=processes))  # noqa: B023
        searched = sum(record.seconds for record in records)
        each = (whole - start - searched) / len(records) * 1000
        print(
            f"overhead, {processes} processes: {each:.2f} ms per run over {len(records):,} runs of "
            f"{searched / len(records) * 1000:.2f} ms (starting took {start:.2f} s)"
        )


def processes() -> None:
    study = balanced_study("balanced", 100, 20_000)
    _faster("processes", lambda folder, number: run_study(study, folder, processes=number))


def cluster() -> None:
    # Longer than above, as Dask takes a second or two to start.
    study = balanced_study("balanced", 100, 60_000)
    _faster("cluster", lambda folder, number: run_study(study, folder, cluster=f"local:{number}"))


def _faster(name: str, way: Callable[[str, int], Records]) -> None:
    """Print the speedup of two over one: the best of two rounds, including the start.

    A machine whose speed varies blurs that; how much of the slots' time went into searching does
    not depend on it.
    """
    taken, busy = {1: inf, 2: inf}, {1: 0.0, 2: 0.0}
    for number in (1, 2) * 2:
        with TemporaryDirectory() as folder:
            began = perf_counter()
            records = way(folder, number)
            seconds = perf_counter() - began
        taken[number] = min(taken[number], seconds)
        searched = sum(record.seconds for record in records)
        busy[number] = max(busy[number], searched / seconds / number)
    print(
        f"{name}: 1 takes {taken[1]:.1f} s ({busy[1]:.0%} searching), 2 take {taken[2]:.1f} s "
        f"({busy[2]:.0%} searching): {taken[1] / taken[2]:.2f} times as fast"
    )


def records() -> None:
    study = replace(balanced_study("records", 100, 1), repetitions=1000)
    with TemporaryDirectory() as folder:
        (model,) = run_study(balanced_study("model", 1, 1), folder, processes=0)
        path = Path(folder) / "records.sqlite"
        began = perf_counter()
        made = [replace(model, run=job.run) for job in jobs_of(study)]
        print(f"records: {len(made):,} made in {perf_counter() - began:.1f} s")
        with Store(path, write=True) as store:
            began = perf_counter()
            with store.transaction():
                store.add(made)
            print(f"records: written in {perf_counter() - began:.1f} s")
            began = perf_counter()
            found = store.records_of(study)
            print(f"records: {len(found):,} read for the report in {perf_counter() - began:.1f} s")


BENCHMARKS = {each.__name__: each for each in (overhead, processes, cluster, records)}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()
