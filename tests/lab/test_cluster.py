"""A study on a Dask cluster: the same records, though workers die."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from taquin.engine import cluster as dask_module
from taquin.engine.base import run
from taquin.engine.cluster import Cluster as ClusterEngine
from taquin.engine.task import Auto
from taquin.errors import TaquinError
from taquin.heuristics.user_code import FromFunction
from taquin.lab.run import executor as cluster_module
from taquin.lab.run.database import Ending, Record
from taquin.lab.run.executor import ClusterExecutor, run_on_worker
from taquin.lab.run.runner import StudyProgress
from taquin.lab.study.definition import Study, jobs_of
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.result import Task
from tests.lab.hostile import Hostile
from tests.lab.worlds import jobs, records_in, run_into, small_study, undisturbed

pytest.importorskip("distributed", reason="Dask is not installed")
pytestmark = pytest.mark.slow

DASK = [sys.executable, "-m", "dask"]
"""Dask's own command line."""


class Victim(ClusterExecutor):
    """A cluster one worker of which is killed once it has done something."""

    killed: int | None = None

    def completed(self, seconds: float) -> list[Record]:
        records = super().completed(seconds)
        if records and self.killed is None:
            self.killed = next(iter(self._dask.client.run(os.getpid, on_error="ignore").values()))
            os.kill(self.killed, signal.SIGKILL)
        return records


def test_a_local_cluster_gives_the_records_of_this_process(tmp_path: Path) -> None:
    study = small_study()
    found = run_into(tmp_path / "a.sqlite", study, lambda: ClusterExecutor("local:2"))
    assert found == undisturbed(study, tmp_path)


def test_a_worker_killed_in_the_midst_of_its_runs_changes_no_record(tmp_path: Path) -> None:
    study = small_study(boards=16, nodes=1000)
    made: list[Victim] = []

    def make() -> Victim:
        made.append(Victim("local:2"))
        return made[0]

    assert run_into(tmp_path / "a.sqlite", study, make) == undisturbed(study, tmp_path)
    assert made[0].killed is not None


def test_a_run_that_dies_on_a_cluster_is_recorded_and_takes_no_worker_with_it(
    tmp_path: Path,
) -> None:
    study = Study.of(
        "hostile", ["1 2 3 / 4 5 0 / 7 8 6"], {"bad": AStar(Hostile("dies")), "good": AStar()}
    )
    bad, good = study.run(tmp_path, cluster="local:1")
    assert bad.ending is Ending.CRASHED
    assert good.ending is Ending.SOLVED


def test_workers_with_other_code_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    (job, *_) = jobs_of(small_study(boards=1))
    monkeypatch.setattr(cluster_module, "code_version", lambda: "other")
    answer = run_on_worker(job, "runner", job.run.code)
    assert isinstance(answer, TaquinError)
    assert "install the same version everywhere" in str(answer)


def test_a_search_that_cannot_be_sent_on_from_a_worker_ends_the_study(tmp_path: Path) -> None:
    study = Study.of("own", ["1 2 / 0 3"], [AStar(FromFunction(lambda board: 0, name="mine"))])
    with pytest.raises(TaquinError, match="define what it is made of in a module"):
        study.run(tmp_path, cluster="local:1")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_scheduler_that_does_not_answer_is_told_in_one_sentence(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_module, "_PATIENCE", 1)
    with pytest.raises(TaquinError, match="no Dask scheduler answers"):
        Study.of("own", ["1 2 / 0 3"], [AStar()]).run(tmp_path, cluster=address)
    # Collected while another client starts, it would wait for ever.
    distributed: Any = import_module("distributed")
    open_clients = [each for each in gc.get_objects() if isinstance(each, distributed.Client)]
    assert not open_clients


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Yield a Dask scheduler in a process of its own, and its address."""
    file = folder / "scheduler.json"
    command = [*DASK, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not (file.exists() and file.read_text()):
        assert process.poll() is None
        time.sleep(0.05)
    try:
        yield process, json.loads(file.read_text())["address"]
    finally:
        process.kill()
        process.wait()


@contextmanager
def worker(address: str) -> Iterator[None]:
    """Let a worker join a scheduler."""
    command = [*DASK, "worker", address, "--nthreads", "2", "--no-dashboard", "--no-nanny"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_a_scheduler_file_and_a_client_are_clusters_and_the_client_stays_open(
    tmp_path: Path,
) -> None:
    distributed: Any = import_module("distributed")
    study = small_study()
    board = Task(Puzzle(Goal("4x4")), random_walk("4x4", 30, 1))
    with (
        scheduler(tmp_path) as (_, address),
        worker(address),
        distributed.Client(address) as client,
    ):
        truth = undisturbed(study, tmp_path)
        file = tmp_path / "scheduler.json"
        for number, cluster in enumerate((file, str(file), client)):
            path = tmp_path / f"{number}.sqlite"
            assert run_into(path, study, partial(ClusterExecutor, cluster)) == truth
        for cluster in (file, client):
            found = run(board, ClusterEngine(cluster), Control())
            assert found.cost == run(board, Auto(), Control()).cost
        assert client.submit(sum, [1, 2]).result() == 3


def test_workers_may_join_after_the_study_has_begun(tmp_path: Path) -> None:
    study = small_study()
    with scheduler(tmp_path) as (_, address), ExitStack() as later:

        def join(progress: StudyProgress) -> None:
            if not joined:
                joined.append(progress)
                later.enter_context(worker(address))

        joined: list[StudyProgress] = []
        found = run_into(tmp_path / "a.sqlite", study, lambda: ClusterExecutor(address), join)
    assert found == undisturbed(study, tmp_path)


def test_a_scheduler_that_goes_away_is_told_and_the_records_are_kept(tmp_path: Path) -> None:
    study, path = small_study(boards=30, nodes=1000), tmp_path / "a.sqlite"
    with scheduler(tmp_path) as (process, address), worker(address):

        class Doomed(ClusterExecutor):
            def completed(self, seconds: float) -> list[Record]:
                records = super().completed(seconds)
                if records:
                    process.kill()
                return records

        with pytest.raises(TaquinError, match="is gone: what is done is recorded"):
            run_into(path, study, lambda: Doomed(address))
    assert 0 < len(records_in(path)) < len(jobs(study))
    assert run_into(path, study) == undisturbed(study, tmp_path)
