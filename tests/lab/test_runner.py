"""Running a study: every run once, whatever comes in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

import taquin as tq
from taquin.lab.run import executor as executor_module
from taquin.lab.run import runner
from taquin.lab.run.database import Ending, Record, Store
from taquin.lab.run.executor import Executor, JobQueue, Pool, SameThread, StudyWorker, kind_of
from taquin.lab.run.runner import StudyProgress, run_jobs, run_study
from taquin.lab.study import definition as study_module
from taquin.lab.study.definition import Job, Study
from taquin.lab.study.reading import study_of_toml
from tests.glass import solve
from tests.lab.hostile import Hostile
from tests.lab.worlds import CODE, jobs, records_in, run_into, small_study, undisturbed

START = "8 6 7 / 2 5 4 / 3 0 1"


class Counting(SameThread):
    """Count the jobs that are done."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    def submit(self, job: Job) -> None:
        self.done.append(job.key)
        super().submit(job)


def test_a_record_tells_what_the_search_tells(tmp_path: Path) -> None:
    study = Study.of("one", [START], [tq.AStar(tq.Manhattan())], limits=tq.Limits(nodes=300))
    (record,) = run_study(study, tmp_path, processes=0)
    case = study.cases[0]
    result = solve(case.puzzle, case.start, tq.AStar(tq.Manhattan()), tq.Limits(nodes=300))
    assert record.ending is Ending.LIMIT
    assert record.reason == result.reason
    assert (record.cost, record.lower_bound) == (result.cost, result.lower_bound)
    assert replace(record.stats, seconds=0, cpu_seconds=0, peak_memory=0) == replace(
        result.stats, seconds=0, cpu_seconds=0, peak_memory=0
    )
    assert (record.engine, record.ran) == (str(result.engine), str(result.algorithm))


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    study = small_study()
    first = run_into(tmp_path / "a.sqlite", study)

    def none() -> Executor:
        raise AssertionError("there is nothing to do")

    assert run_into(tmp_path / "a.sqlite", study, none) == first


def test_a_changed_study_runs_only_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    run_into(path, small_study(boards=3))
    executor = Counting()
    run_into(path, small_study(boards=5), lambda: executor)
    assert len(executor.done) == len(jobs(small_study(boards=2)))
    assert records_in(path) == undisturbed(small_study(boards=5), tmp_path)


def test_new_labels_need_no_new_run(tmp_path: Path) -> None:
    one = Study.of("labels", {"old": START}, {"A": tq.BreadthFirst()}, limits=tq.Limits(nodes=50))
    two = Study.of("labels", {"new": START}, {"B": tq.BreadthFirst()}, limits=tq.Limits(nodes=50))
    (old,) = one.run(tmp_path, processes=0)
    (new,) = two.run(tmp_path, processes=0)
    assert (new.board, new.search) == ("new", "B")
    assert new.when == old.when


def test_equal_boards_under_two_labels_are_searched_once_and_reported_twice(tmp_path: Path) -> None:
    study = Study.of("twins", {"x": START, "y": START}, [tq.AStar()], limits=tq.Limits(nodes=50))
    records = study.run(tmp_path, processes=0)
    assert [record.board for record in records] == ["x", "y"]
    with Store.of_study("twins", tmp_path) as store:
        assert len(store) == 1


def test_progress_counts_up_to_the_total(tmp_path: Path) -> None:
    seen: list[StudyProgress] = []
    study = small_study()
    run_into(tmp_path / "a.sqlite", study, progress=seen.append)
    assert seen[-1].done == seen[-1].total == len(jobs(study))
    assert seen[-1].running == 0
    assert seen[-1].estimate == 0
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)


def test_progress_counts_the_runs_that_failed(tmp_path: Path) -> None:
    seen: list[StudyProgress] = []
    searches = {"bad": tq.AStar(Hostile("raises")), "good": tq.AStar()}
    study = Study.of("failing", {"a": START, "b": "1 2 3 / 4 5 0 / 7 8 6"}, searches)
    run_into(tmp_path / "a.sqlite", study, progress=seen.append)
    assert (seen[0].failed, seen[-1].failed, seen[-1].done) == (0, 2, 4)


class Interrupted(SameThread):
    """Be stopped by hand after three jobs."""

    left = 3

    def completed(self, seconds: float) -> list[Record]:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return super().completed(seconds)


def test_ctrl_c_keeps_what_is_done_and_gives_up_its_claims(tmp_path: Path) -> None:
    study, path = small_study(), tmp_path / "a.sqlite"
    with Store(path, write=True) as store:
        with pytest.raises(KeyboardInterrupt):
            run_jobs(jobs(study), store, Interrupted)
        assert len(store) == 3
        assert store.rows("SELECT * FROM claims") == []
        assert store.rows("SELECT * FROM runners") == []
    assert run_into(path, study) == undisturbed(study, tmp_path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("deed", "ending", "reason"),
    [
        ("raises", Ending.CRASHED, "ZeroDivisionError: no such thing"),
        ("dies", Ending.CRASHED, "3 attempts failed: its process crashed (SIGSEGV)"),
        ("hoards", Ending.OUT_OF_MEMORY, "out of memory"),
        ("prints", Ending.SOLVED, ""),
    ],
)
def test_a_run_that_goes_wrong_is_recorded_and_the_study_goes_on(
    tmp_path: Path, deed: str, ending: Ending, reason: str
) -> None:
    study = Study.of(
        "hostile", ["1 2 3 / 4 5 0 / 7 8 6"], {"bad": tq.AStar(Hostile(deed)), "good": tq.AStar()}
    )
    bad, good = study.run(tmp_path, processes=1)
    assert (bad.ending, bad.reason) == (ending, reason)
    assert good.ending is Ending.SOLVED


def test_a_search_that_cannot_serve_the_puzzle_is_recorded_as_unsuitable(tmp_path: Path) -> None:
    no_estimate = tq.FromFunction(lambda board: -1, name="mine")
    study = Study.of("unfit", [START], [tq.AStar(no_estimate)])
    (record,) = study.run(tmp_path, processes=0)
    assert record.ending is Ending.UNSUITABLE
    assert record.reason


def test_the_limit_on_memory_holds_for_each_run_by_itself(tmp_path: Path) -> None:
    boards = [
        "2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0",
        "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15",
    ]
    study = Study.of("memory", boards, [tq.BreadthFirst()], limits=tq.Limits(memory=60 << 20))
    large, small = study.run(tmp_path, processes=1)
    assert large.ending is Ending.OUT_OF_MEMORY
    assert small.ending is Ending.SOLVED
    assert small.stats.peak_memory < 50 << 20 < large.stats.peak_memory


def test_a_search_that_cannot_be_sent_is_refused_in_one_sentence(tmp_path: Path) -> None:
    own = tq.FromFunction(lambda board: 0, name="mine")
    study = Study.of("own", [START], [tq.AStar(own)], limits=tq.Limits(nodes=50))
    with pytest.raises(tq.errors.UnsuitableError, match="define what it is made of in a module"):
        study.run(tmp_path, processes=1)
    (record,) = study.run(tmp_path, processes=0)
    assert record.ending is Ending.LIMIT


def test_a_worker_killed_in_the_midst_of_a_run_does_it_again(tmp_path: Path) -> None:
    deed = Hostile("dies once", str(tmp_path / "noted"))
    study = Study.of("killed", ["1 2 3 / 4 5 0 / 7 8 6"], [tq.AStar(deed)])
    (record,) = study.run(tmp_path, processes=1)
    assert (tmp_path / "noted").exists()
    assert record.ending is Ending.SOLVED


def test_code_that_changes_under_a_study_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (study_module, executor_module):
        monkeypatch.setattr(module, "code_version", lambda: "yesterday's")
    with pytest.raises(tq.TaquinError, match="was changed while the study ran"):
        Study.of("one", [START], [tq.AStar()]).run(tmp_path, processes=1)


def pids_of(pool: Pool) -> list[int]:
    return [pid for worker in pool._workers if (pid := worker.pid) is not None]


def test_workers_killed_from_outside_change_no_record(tmp_path: Path) -> None:
    study = small_study(boards=6, nodes=1000)
    killed: list[int] = []

    class Victim(Pool):
        def completed(self, seconds: float) -> list[Record]:
            records = super().completed(seconds)
            # Twice at most: a run is given up only when its process dies three times.
            if records and len(killed) < 2 and (pids := pids_of(self)):
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])
            return records

    assert run_into(tmp_path / "a.sqlite", study, lambda: Victim(2)) == undisturbed(study, tmp_path)
    assert len(killed) == 2


def test_no_worker_outlives_its_runner(tmp_path: Path) -> None:
    deed = Hostile("sleeps", str(tmp_path / "asleep"))
    pool = Pool(1)
    pool.submit(jobs(Study.of("sleep", [START], [tq.AStar(deed)]))[0])
    _wait_for((tmp_path / "asleep").exists)
    (pid,) = pids_of(pool)
    pool.close()
    assert not Path(f"/proc/{pid}").exists()


def test_a_runner_stops_its_own_workers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = [Mock() for _ in "aba"]
    monkeypatch.setattr(executor_module, "_BUSY", dict(zip(workers, "aba", strict=True)))
    executor_module.stop_workers("a")
    assert [worker.close.call_count for worker in workers] == [1, 0, 1]


def test_two_runners_at_once_share_the_work(tmp_path: Path) -> None:
    study, path = small_study(boards=5, nodes=700), tmp_path / "a.sqlite"
    done: list[Counting] = [Counting(), Counting()]
    threads = [
        threading.Thread(target=run_into, args=(path, study, lambda one=one: one)) for one in done
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert records_in(path) == undisturbed(study, tmp_path)
    assert sorted(done[0].done + done[1].done) == sorted(job.key for job in jobs(study))


def test_the_claims_of_a_dead_runner_lapse(tmp_path: Path) -> None:
    study, path = small_study(), tmp_path / "a.sqlite"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with Store(path, write=True) as store, store.transaction() as connection:
        import socket

        connection.execute(
            "INSERT INTO runners VALUES ('dead', ?, ?, ?)",
            (socket.gethostname(), gone.pid, time.time()),
        )
        connection.executemany(
            "INSERT INTO claims VALUES (?, 'dead')", [(job.key,) for job in jobs(study)]
        )
    assert run_into(path, study) == undisturbed(study, tmp_path)


@pytest.mark.slow
def test_a_study_killed_again_and_again_ends_with_the_records_of_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    # So many boards that no run between two kills does them all.
    kills, boards, nodes, path = 24, 480, 1000, tmp_path / "a.sqlite"
    chance = Random(kills)
    command = [sys.executable, "-m", "tests.lab.worlds", str(path), str(boards), str(nodes), "2"]
    recorded = 0
    for _ in range(kills):
        # Killed by what it has done, not by the clock: a busy machine takes its time.
        enough = recorded + chance.randint(1, 8)
        runner = subprocess.Popen(command)
        while recorded < enough and runner.poll() is None:
            time.sleep(0.01)
            with suppress(tq.TaquinError), Store(path) as store:
                recorded = len(store)
        assert runner.poll() is None, "the study was over too soon to be killed"
        time.sleep(chance.uniform(0, 0.05))
        runner.send_signal(signal.SIGKILL)
        runner.wait()
    study = small_study(boards, nodes)
    assert run_into(path, study, lambda: Pool(2)) == undisturbed(study, tmp_path)
    with Store(path) as store:
        assert store.rows("SELECT * FROM claims") == []


def test_a_number_of_processes_below_zero_is_refused(tmp_path: Path) -> None:
    study = Study.of("one", [START], [tq.AStar()])
    with pytest.raises(tq.TaquinError, match="0 or more"):
        study.run(tmp_path, processes=-1)


def test_boards_of_a_study_may_be_values(tmp_path: Path) -> None:
    study = Study.of("value", [tq.Board.parse("1 2 / 0 3")], [tq.AStar()], repetitions=2)
    records = study.run(tmp_path, processes=0)
    assert [(record.board, record.run.repetition) for record in records] == [("1", 1), ("1", 2)]
    assert records == study.records(tmp_path)
    assert CODE not in {record.run.code for record in records}


def _wait_for(condition: object) -> None:
    assert callable(condition)
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it never came about")


def test_claims_of_a_runner_from_a_time_to_come_are_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LEASE", 1.0)
    path, study = tmp_path / "claimed.sqlite", small_study(1)
    with Store(path, write=True) as store, store.transaction() as connection:
        future = time.time() + 1e6
        connection.execute("INSERT INTO runners VALUES ('gone', 'elsewhere', 1, ?)", (future,))
        claims = [(job.key, "gone") for job in jobs(study)]
        connection.executemany("INSERT INTO claims VALUES (?, ?)", claims)
    with Store(path) as store:
        assert runner.living_runners(store) == 0
    assert run_into(path, study) == undisturbed(study, tmp_path)


@pytest.mark.parametrize(("age", "lives"), [(0, True), (0.9, True), (1.1, False), (-1.1, False)])
def test_a_runner_on_another_machine_lives_as_long_as_its_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, lives: bool
) -> None:
    now = 1e9
    monkeypatch.setattr(runner, "time", lambda: now)
    with Store(tmp_path / "a.sqlite", write=True) as store:
        with store.transaction() as connection:
            beat = now - age * runner.LEASE
            connection.execute("INSERT INTO runners VALUES ('far', 'elsewhere', 1, ?)", (beat,))
        assert runner.living_runners(store) == lives


def test_a_heart_beats_until_its_runner_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "BEAT", 0.001)
    monkeypatch.setattr(runner, "time", count().__next__)
    with Store(tmp_path / "a.sqlite", write=True) as store:
        with runner.JobClaims(store):
            _wait_for(lambda: store.rows("SELECT beat FROM runners")[0][0] > 1)
        assert store.rows("SELECT * FROM runners") == []


def test_a_record_does_not_depend_on_what_its_worker_did_before(tmp_path: Path) -> None:
    start = "2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0"
    text = f"""
    boards = [{{ start = "{start}" }}]
    [[searches]]
    label = "compiled"
    algorithm = "best"
    [[searches]]
    label = "large"
    algorithm = "astar"
    limits = {{ nodes = 100_000 }}
    [[searches]]
    label = "small"
    algorithm = "bfs"
    limits = {{ memory = "100M", nodes = 1_000 }}
    """
    study = study_of_toml(text, "after")
    alone = replace(study, name="alone", searches=study.searches[-1:])
    (undisturbed,) = alone.run(tmp_path, processes=1)
    compiled, large, small = study.run(tmp_path, processes=1)
    assert compiled.stats.peak_memory > large.stats.peak_memory
    assert small.ending is undisturbed.ending is Ending.LIMIT
    assert small.stats.generated == undisturbed.stats.generated
    difference = small.stats.peak_memory - undisturbed.stats.peak_memory
    assert abs(difference) < 8 << 20


def test_a_process_first_does_the_runs_that_it_is_ready_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts: list[StudyWorker] = []
    launch = StudyWorker.launch

    def counted(worker: StudyWorker) -> None:
        starts.append(worker)
        launch(worker)

    monkeypatch.setattr(StudyWorker, "launch", counted)
    text = """
    boards = [{ scramble = { size = "4x4", moves = [8], count = 6, seed = 1 } }]
    searches = [{ algorithm = ["astar", "best", "bfs"] }]
    """
    wanted = jobs(study_of_toml(text, "kinds"))
    with closing(Pool(1)) as pool:
        for job in wanted:
            pool.submit(job)
        records: list[Record] = []
        while len(records) < len(wanted):
            records += pool.completed(1)
    assert [record.ending for record in records] == [Ending.SOLVED] * len(wanted)
    # One for each search, whose compiled code its process keeps, and one that found that out.
    assert len(starts) <= 4


def test_jobs_of_one_kind_are_taken_in_their_order() -> None:
    study = small_study()
    wanted = jobs(study)
    queue = JobQueue()
    for job in wanted:
        queue.put(job)
    kinds = list(dict.fromkeys(map(kind_of, wanted)))
    assert len(kinds) > 1
    queue.note(kinds[0])
    last = [queue.get(kinds[-1]) for job in wanted if kind_of(job) == kinds[-1]]
    assert last == [job for job in wanted if kind_of(job) == kinds[-1]]
    rest = [job for job in wanted if kind_of(job) != kinds[-1]]
    light = [job for job in rest if kind_of(job) != kinds[0]]
    assert [queue.get(None) for _ in light] == light
    heavy = [job for job in rest if kind_of(job) == kinds[0]]
    assert [queue.get(None) for _ in heavy] == heavy
    queue.close()
    assert queue.get(None) is None
