"""One board split into parts: the same answer and the same counts, whoever does them."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from taquin import Board, Goal, Puzzle, random_board, random_walk
from taquin.engine import cluster
from taquin.engine.base import run
from taquin.engine.cluster import Cluster, Part, ctrl_c_blocked, search_part
from taquin.engine.cpu.engine import Cpu
from taquin.engine.cpu.layout import DEEPEST
from taquin.errors import InputError, MissingError, UnsuitableError
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Result, Task
from taquin.tables.shape import Normal

FIFTEEN = Puzzle(Goal.blank_first(4, 4))
BLANK_LAST = Puzzle(Goal.blank_last(4, 4))
HARD = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut small bounds too, so that easy boards have parts."""
    monkeypatch.setattr(cluster, "_WORTH", 2)
    monkeypatch.setattr(cluster, "_CUT", 100)


class SameThread(Executor):
    """Run each part where it is submitted; remember them."""

    def __init__(self, most: int | None = None) -> None:
        self.parts: list[tuple[Normal, str | None, Part, int, int, float]] = []
        self.most = most

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        normal, tables, part, least, most, seconds = args
        self.parts.append((normal, tables, part, least, most, seconds))
        future: Future[Any] = Future()
        future.set_result(fn(normal, tables, part, least, min(most, self.most or most), seconds))
        return future


def split(
    puzzle: Puzzle,
    start: Board,
    executor: Executor,
    workers: int,
    tables: str | None = "small",
    **limits: Any,
) -> Result:
    task = Task(puzzle, start, limits=Limits(**limits))
    engine = Cluster(tables=tables, executor=(executor, workers))
    return run(task, engine, Control(task.limits))


@pytest.mark.parametrize(("workers", "said"), [(1, "cluster, 1 worker"), (3, "cluster, 3 workers")])
@pytest.mark.parametrize("most", [None, 5_000])
def test_a_split_search_is_exact_however_small_its_parts(
    workers: int, said: str, most: int | None
) -> None:
    result = split(FIFTEEN, HARD, SameThread(most), workers)
    assert (result.outcome, result.cost, result.optimal) == (Outcome.SOLVED, 57, True)
    assert len(result.boards()) == 58
    assert str(result.engine) == said
    # A solution shorter than the cutting is found too.
    for moves in range(6):
        start = random_walk(BLANK_LAST.goal, moves, seed=1)
        assert split(BLANK_LAST, start, SameThread(most), workers).cost == moves


def test_completed_bounds_count_the_same_nodes_as_the_cpu_engine() -> None:
    # Those ahead of the bound too, which a search that ends without a solution counts.
    limits = Limits(depth=54)
    alone = run(Task(FIFTEEN, HARD, limits=limits), Cpu(threads=1), Control(limits))
    for workers, most in ((1, None), (2, 5_000), (7, 300)):
        shared = split(FIFTEEN, HARD, SameThread(most), workers, depth=54)
        assert (shared.outcome, shared.limit) == (Outcome.LIMIT_REACHED, Limit.DEPTH)
        assert shared.lower_bound == 55
        assert shared.bounds == alone.bounds
        assert shared.stats.generated == alone.stats.generated


def test_a_solution_ahead_of_the_bound_saves_the_next_bound() -> None:
    alone = run(Task(FIFTEEN, HARD), Cpu(threads=1), Control())
    executor = SameThread(1_000)
    shared = split(FIFTEEN, HARD, executor, 2)
    assert shared.bounds[:-1] == alone.bounds[:-1]
    assert shared.bounds[-1][0] == 57
    assert shared.bounds[-1][1] < shared.bounds[-2][1]
    # From then on no part searches ahead.
    assert executor.parts[-1][3] == DEEPEST


def test_only_large_bounds_are_cut_into_more_parts_for_more_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = SameThread(), SameThread()
    for executor, workers in ((few, 1), (many, 100)):
        split(FIFTEEN, HARD, executor, workers)
        # A part needs only so much of the path as leads to its nodes.
        assert max(len(part.path) for _, _, part, *_ in executor.parts) < 10_000
    assert 4 <= len(few.parts) < 50 < len(many.parts)
    monkeypatch.setattr(cluster, "_WORTH", 4_000_000)
    none = SameThread()
    split(FIFTEEN, HARD, none, 100)
    assert not none.parts


def test_a_pool_of_processes_or_of_threads_can_do_the_parts() -> None:
    start = random_board(BLANK_LAST.goal, seed=7)
    alone = run(Task(BLANK_LAST, start), Cpu(threads=1), Control())
    # Not forked: this process may have threads, and a fork would copy what they hold locked.
    pools = (ProcessPoolExecutor(2, mp_context=get_context("spawn")), ThreadPoolExecutor(3))
    for pool in pools:
        with pool:
            shared = split(BLANK_LAST, start, pool, 3)
        assert shared.cost == alone.cost
        assert shared.optimal
        assert shared.bounds[:-1] == alone.bounds[:-1]


@pytest.mark.parametrize(
    ("limits", "limit", "reason"),
    [
        ({"nodes": 10_000}, Limit.NODES, "limit of 10,000 nodes generated"),
        ({"seconds": 0}, Limit.SECONDS, "limit of 0 seconds"),
        ({"depth": 45}, Limit.DEPTH, "limit of 45 moves"),
        ({"memory": 1}, Limit.MEMORY, "limit of 1 byte of memory"),
    ],
)
def test_limits_end_a_split_search_with_its_bound(
    limits: dict[str, Any], limit: Limit, reason: str
) -> None:
    result = split(FIFTEEN, HARD, SameThread(2_000), 2, **limits)
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, limit)
    assert result.reason == reason
    assert 41 <= result.lower_bound <= 57
    assert result.stats.generated is not None
    assert result.stats.generated <= limits.get("nodes", 1 << 60)


def test_what_cannot_be_split_is_refused_and_the_unsolvable_told() -> None:
    walls = Goal.parse("1 2 # / 3 4 0")
    with pytest.raises(UnsuitableError, match="serves classic puzzles"):
        split(Puzzle(walls), Board.parse("1 2 # / 3 0 4"), SameThread(), 1)
    odd = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0")
    assert split(BLANK_LAST, odd, SameThread(), 1).outcome is Outcome.UNSOLVABLE


def test_a_part_that_takes_too_long_comes_back_with_its_rest() -> None:
    executor = SameThread(1_000)
    split(FIFTEEN, HARD, executor, 1, None, nodes=300_000)
    assert len(executor.parts) > 1
    normal, tables, part, least, *_ = executor.parts[-1]
    done = search_part(normal, tables, part, least, 1 << 40, 60)
    assert done.rest is None
    assert done.solution is None


class Pressed(SameThread):
    """Press Ctrl-C while the third part is handed over."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        if len(self.parts) == 3:
            signal.raise_signal(signal.SIGINT)
        return future


def test_ctrl_c_is_heard_between_the_parts_and_never_inside_of_the_executor() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    executor = Pressed(1_000)
    try:
        result = split(FIFTEEN, HARD, executor, 2, None)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.outcome, result.reason) == (Outcome.STOPPED, "interrupted")
    assert result.lower_bound >= 41
    assert 3 <= len(executor.parts) <= 2 * 2 + 2


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signal masks")
def test_ctrl_c_does_not_reach_the_workers_that_are_started_here() -> None:
    code = "import signal as s; print(s.SIGINT in s.pthread_sigmask(s.SIG_BLOCK, []))"

    def is_blocked() -> bool:
        return subprocess.check_output([sys.executable, "-c", code]) == b"True\n"

    with ctrl_c_blocked():
        assert is_blocked()
    assert not is_blocked()


@pytest.mark.parametrize(
    "address", ["local:0", "local:", "local:x", "local:-1", "local:9999", "local:99999", "locally"]
)
def test_workers_that_this_machine_cannot_have_are_refused_at_once(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "import_module", lambda name: pytest.fail("Dask was loaded"))
    monkeypatch.setattr(cluster, "ready", lambda *_: pytest.fail("tables were looked for"))
    with pytest.raises(InputError, match="expected local:N with N from 1 to"):
        run(Task(FIFTEEN, HARD), Cluster(address), Control())


def test_what_is_no_cluster_is_refused_and_no_worker_is_started_when_the_time_is_up() -> None:
    with pytest.raises(InputError, match="a scheduler file or a client that is not asynchronous"):
        cluster.connect(42)
    task = Task(FIFTEEN, HARD, limits=Limits(seconds=0))
    result = run(task, Cluster("local:1"), Control(task.limits))
    assert (result.limit, str(result.engine)) == (Limit.SECONDS, "cluster")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:999999", "tcp://127.0.0.1:1", "a\0b"])
def test_no_address_is_more_than_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    with pytest.raises(InputError, match="found nothing"):
        cluster.connect(" ")
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with pytest.raises(MissingError, match="no Dask scheduler answers at") as refused:
        cluster.connect(address)
    assert len(str(refused.value)) < 600
    assert "\n" not in str(refused.value)
