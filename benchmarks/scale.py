"""Measure and simulate how far taquin scales: the figures of `docs/scale.md`.

    python -m benchmarks.scale machine [--board 5] [--workers 1,2]   cluster next to threads here
    python -m benchmarks.scale costs      what a part, a run of a study and a record cost
    python -m benchmarks.scale cores      Korf's 24-puzzles on many cores, simulated
    python -m benchmarks.scale gpus       24-puzzles with recorded times, one on each GPU
    python -m benchmarks.scale study      a million runs
    python -m benchmarks.scale page       a visit to `taquin site`, requests to `taquin serve`

`cores` runs the real `DistributedSearch` on the real trees. Only time is simulated: an executor
searches each part as soon as it is sent, and knows when its result would have come back. The first
bounds of a board stand for all, searched by cores that are as many times slower as the board's
nodes outnumber those of these bounds.
"""

from __future__ import annotations

import argparse
import gzip
import heapq
import json
import os
import re
import resource
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import replace
from http.client import HTTPConnection
from importlib import import_module
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any
from unittest.mock import patch

from tests import npm
from tests.web.site import serving

import taquin as tq
from taquin.engine import cluster
from taquin.engine.base import Engine, run
from taquin.engine.cluster import Cluster, Connection, DistributedSearch, PartDone
from taquin.engine.cpu.engine import Cpu, plan_for
from taquin.lab.run.database import Store
from taquin.lab.run.runner import run_study
from taquin.lab.study.definition import jobs_of
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board
from taquin.search.control import Control
from taquin.search.result import Limits, Result, Task
from taquin.tables.shape import Normal, Shape
from taquin.tables.store import TableStore
from taquin.web.site import write_site

# A type checker knows the other file by its name alone, as programs beside it import it.
balanced_study = import_module("benchmarks.lab").balanced_study

DATA = Path(__file__).parent.parent / "tests" / "data"
PUZZLE = Puzzle(Goal.blank_first(5, 5))

# What `machine` and `costs` measured; docs/scale.md has machine and date.
RATE = 55e6
"""Nodes that a core generates in a second."""
PART_SECONDS = 0.004
"""Seconds of client and scheduler for each part: one part after another."""
WORKER_SECONDS = 0.004
"""Seconds of a worker for each part, beside the search."""
LATENCY = 0.005
"""Seconds from the client to a worker, or back."""
START = 3.0
"""Seconds until the workers run and have mapped their tables."""
RUNNER = {"pool": 0.0013, "Dask": 0.005}
"""Seconds of the runner, and of a scheduler, for each run of a study: one run after another."""
SLOT = {"pool": 0.003, "Dask": 0.0074}
"""Seconds of a core for each run, beside the search."""

NODES = 2.0
"""Nodes that taquin generates for each node of the published column: the geometric mean of boards
38, 40, 25, 44, 1 and 32, 0.65 to 6.3."""
SEARCHED = 5_000_000
"""The maximum number of nodes of a board that `cores` searches to know its tree."""
CORES = (16, 100, 1_000)
GPUS = (1, 8, 64)
RUNS = 1_000_000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=BENCHMARKS)
    options.add_argument("--board", type=int, default=5)
    options.add_argument("--workers", default="1,2")
    given = options.parse_args()
    if given.what == "machine":
        machine(given.board, list(map(int, given.workers.split(","))))
    else:
        BENCHMARKS[given.what]()


def korf50() -> dict[int, tuple[tuple[int, ...], int]]:
    """Return cells and published nodes of Korf's 24-puzzles."""
    lines = (DATA / "korf50_24.txt").read_text().splitlines()
    rows = [list(map(int, line.split())) for line in lines if line and line[0] != "#"]
    return {number: (tuple(cells), nodes) for number, *cells, _, _, nodes in rows}


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> None:
    """Print a table as documents have it."""
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def solved(cells: tuple[int, ...], engine: Engine, limits: Limits = Limits()) -> Result:  # noqa: B008
    """Return the result of an engine."""
    board = Board([cells[row : row + 5] for row in range(0, 25, 5)])
    return run(Task(PUZZLE, board, limits=limits), engine, Control(limits))


# Cluster next to threads.


def machine(number: int, counts: Sequence[int]) -> None:
    """Print the times of a board with threads and with workers; all include the start."""
    cells, _ = korf50()[number]
    rows = []
    for count in counts:
        found = []
        for engine in (Cpu(threads=count), Cluster(f"local:{count}")):
            began = perf_counter()
            result = solved(cells, engine)
            found.append((perf_counter() - began, result))
        (threads, one), (workers, other) = found
        assert one.cost == other.cost
        assert one.bounds[:-1] == other.bounds[:-1], "completed bounds have the same nodes"
        rows.append(
            (
                count,
                f"{threads:.1f} s, {(one.stats.generated or 0) / 1e6:,.0f} M nodes",
                f"{workers:.1f} s, {(other.stats.generated or 0) / 1e6:,.0f} M nodes",
                f"{threads / workers:.2f}",
            )
        )
    table((f"24-puzzle {number}", "threads", "workers", "ratio"), rows)


# Costs of one task.


def costs() -> None:
    """Print what a part and a run of a study cost the process that distributes them."""
    cells, _ = korf50()[25]
    normal = Normal(Shape(5, 5, 0), cells)
    plan = plan_for(normal.shape, "small", TableStore())
    start = plan.start(normal)
    from taquin.engine.cpu.layout import DEEPEST
    from taquin.engine.cpu.team import Piece

    piece = Piece(start.node(start.estimate + 14), plan.width)
    part = cluster.search_piece(plan, piece, 1_000_000).rest
    assert part is not None
    began = perf_counter()
    connection = Connection("local:1")
    executor = connection.executor
    arguments = (normal, "small", part, DEEPEST, 1_000, 1.0)
    executor.submit(cluster.search_part, *arguments).result()
    print(f"part: {len(part.nodes) + len(part.path):,} bytes; start {perf_counter() - began:.1f} s")
    latencies = []
    for _ in range(50):
        began = perf_counter()
        executor.submit(cluster.search_part, *arguments).result()
        latencies.append(perf_counter() - began)
    count = 500
    used, below_used = process_time(), below(os.getpid())
    wait([executor.submit(cluster.search_part, *arguments) for _ in range(count)])
    used, below_used = process_time() - used, below(os.getpid()) - below_used
    print(
        f"part with Dask: {1000 * used / count:.2f} ms of client and scheduler, "
        f"{1000 * below_used / count:.2f} ms of the worker, round trip "
        f"{1000 * median(latencies):.1f} ms"
    )
    connection.close()
    study = balanced_study("costs", 100, 30)
    ways: dict[str, dict[str, Any]] = {"pool": {"processes": 1}, "Dask": {"cluster": "local:1"}}
    for name, way in ways.items():
        measured = []
        for repetitions in (1, 11):
            with TemporaryDirectory() as folder:
                here, there = process_time(), ended_below()
                run_study(replace(study, repetitions=repetitions), folder, **way)
                measured.append((process_time() - here, ended_below() - there))
        central, slot = (1000 * (many - few) / 1000 for few, many in zip(*measured, strict=True))
        print(f"run of a study with {name}: {central:.2f} ms of the runner, {slot:.2f} of workers")
    with TemporaryDirectory() as folder:
        (model,) = run_study(balanced_study("model", 1, 1), folder, processes=0)
        jobs = jobs_of(replace(balanced_study("records", 100, 1), repetitions=200))
        made = [replace(model, run=job.run) for job in jobs]
        with Store(Path(folder) / "records.sqlite", write=True) as store:
            began = process_time()
            with store.transaction():
                store.add(made)
            print(f"record: {1000 * (process_time() - began) / len(made):.3f} ms to write")


def ended_below() -> float:
    """Return the processor time of the processes that this one started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# Many cores.


class VirtualCluster(Executor):
    """Workers that search each part when it is sent, in virtual time."""

    def __init__(self, workers: int, rate: float) -> None:
        self.now = 0.0
        """Virtual seconds in the process that distributes the parts."""
        self.parts = 0
        self._rate = rate
        self._free = [0.0] * workers
        self._done: list[tuple[float, int, Future[PartDone]]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Search a part and note when its result will be there."""
        normal, tables, part, least, most, seconds = args
        self.now += PART_SECONDS / 2
        self.parts += 1
        done = fn(normal, tables, part, least, min(most, max(8, int(seconds * self._rate))), inf)
        begins = max(heapq.heappop(self._free), self.now + LATENCY)
        ends = begins + WORKER_SECONDS + done.generated / self._rate
        heapq.heappush(self._free, ends)
        future: Future[PartDone] = Future()
        future.set_result(done)
        heapq.heappush(self._done, (ends + LATENCY, self.parts, future))
        return future

    def taken(self, _: object) -> list[Future[PartDone]]:
        """Return the parts whose results are there, after waiting for the first."""
        self.now = max(self.now, self._done[0][0])
        found = []
        while self._done and self._done[0][0] <= self.now:
            found.append(heapq.heappop(self._done)[2])
            self.now += PART_SECONDS / 2
        return found


def cores() -> None:
    """Print the times of Korf's 24-puzzles on many cores, from the easiest to the hardest."""
    boards = sorted(korf50().items(), key=lambda each: each[1][1])
    alone = [published * NODES / RATE for _, (_, published) in boards]
    rows = []
    for (number, (cells, published)), seconds in zip(boards, alone, strict=True):
        bounds = [made for _, made in solved(cells, Cpu(), Limits(nodes=SEARCHED)).bounds[:-1]]
        found = [simulated(cells, bounds, published * NODES, count) for count in CORES]
        rows.append((seconds, found))
        print(number, hours(seconds), *map(hours, found), flush=True)

    def row(name: object, one: float, found: Sequence[float]) -> tuple[object, ...]:
        pairs = zip(found, CORES, strict=True)
        return name, hours(one), *(f"{hours(each)}, {one / each / n:.2f}" for each, n in pairs)

    shown = [
        row(boards[place][0], START + rows[place][0], [START + each for each in rows[place][1]])
        for place in range(4, len(boards), 9)
    ]
    shown.append(
        row(
            "all 50, all cores on each",
            START + sum(alone),
            [START + sum(each) for each in zip(*(found for _, found in rows), strict=True)],
        )
    )
    shared = [START + makespan(alone[::-1], count) for count in CORES]
    shown.append(row("all 50, one core on each", START + sum(alone), shared))
    table(("board", "one core", *(f"{count:,} cores" for count in CORES)), shown)
    groups = makespan(sorted((found[1] for _, found in rows), reverse=True), CORES[2] // CORES[1])
    print(f"all 50, each on {CORES[1]} of {CORES[2]:,} cores: {hours(START + groups)}")


def makespan(tasks: Sequence[float], workers: int) -> float:
    """Return when the last task ends if each, in this order, is taken by the next free worker."""
    free = [0.0] * workers
    for seconds in tasks:
        heapq.heappush(free, heapq.heappop(free) + seconds)
    return max(free)


def simulated(cells: tuple[int, ...], bounds: Sequence[int], nodes: float, workers: int) -> float:
    """Return the virtual seconds of a board of so many nodes, from its first bounds."""
    normal = Normal(Shape(5, 5, 0), cells)
    plan = plan_for(normal.shape, "small", TableStore())
    start = plan.start(normal)
    scale = max(1.0, nodes / sum(bounds))
    virtual = VirtualCluster(workers, RATE / scale)
    with (
        patch.object(cluster, "_taken", virtual.taken),
        patch.object(cluster, "_WORTH", max(40, int(cluster._WORTH / scale))),
        patch.object(cluster, "_SMALL_PART", max(10, int(cluster._SMALL_PART / scale))),
        patch.object(cluster, "_CUT", 1_000),
    ):
        search = DistributedSearch(normal, "small", plan, start, virtual, workers)
        for number, expected in enumerate(bounds):
            parts = virtual.parts
            search.search(start.estimate + 2 * number, lambda: True, inf)
            if virtual.parts == parts:  # Small enough for the process that distributes.
                virtual.now += expected * scale / RATE
            assert search.nodes == expected, "parts do not change the nodes of a bound"
    return virtual.now


def hours(seconds: float) -> str:
    """Return a time as one reads it."""
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


# Many GPUs.


def gpus() -> None:
    """Print the times of the 24-puzzles that had 40 s each on a GPU: seeds 1 to 404 of random24."""
    text = (Path(tq.__file__).parent / "lab" / "data" / "random24.txt").read_text("utf-8")
    seconds = [int(number) / 1000 for number in re.findall(r"milliseconds=(\d+)", text)[:404]]
    rows = []
    for count in GPUS:
        ends = makespan(seconds, count)
        speedup = sum(seconds) / ends
        rows.append((count, hours(ends), f"{speedup:.1f}", f"{speedup / count:.2f}"))
    print(f"{len(seconds)} boards, {sum(seconds):,.0f} s, the longest {max(seconds):.1f} s")
    table(("GPUs", "all", "speedup", "efficiency"), rows)


# A study of a million runs.


def study() -> None:
    """Print how long a million runs take, by their length and the number of cores."""
    rows = []
    for seconds in (0.001, 0.01, 0.1, 1.0, 10.0):
        for name in ("pool", "Dask"):
            central, slot = RUNNER[name], SLOT[name]
            most = (seconds + slot) / central
            rows.append(
                (
                    f"{seconds:g} s, {name}",
                    *(
                        hours(RUNS * max(central, (seconds + slot) / count))
                        if name == "Dask" or count <= 100
                        else "–"
                        for count in (2, *CORES)
                    ),
                    f"{most:,.0f}",
                )
            )
    table(("a run", *(f"{count:,} cores" for count in (2, *CORES)), "scales to"), rows)


# The page.


def page() -> None:
    """Print what visitors cost."""
    visits()
    requests()


def visits() -> None:
    """Print the bytes of a first visit to a folder, and of the next.

    The service worker keeps every file; files outside of folders are asked for on each visit.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        written = write_site(folder, npm.package("pyodide"))
        sizes = {
            str(path.relative_to(folder)): len(gzip.compress(path.read_bytes()))
            for path in folder.rglob("*")
            if path.is_file()
        }
        again = [size for path, size in sizes.items() if os.sep not in path]
        print(f"first visit: {written.files} files, {sum(sizes.values()) / 1e6:.2f} MB compressed")
        print(f"next visit: {len(again)} files, {sum(again) / 1000:.1f} KB compressed")


def requests() -> None:
    """Print the processor time of requests to `taquin serve`, and how many it answers."""
    with serving("--no-open", "--running", "2") as site:
        sleep(10)
        fifteen = [random_board(Goal.blank_last(4, 4), seed).text() for seed in range(1, 101)]
        eight = [random_board(Goal.blank_last(3, 3), seed).text() for seed in range(1, 101)]
        kinds: dict[str, tuple[str, list[dict[str, object]]]] = {
            "moves left, 8-puzzle": ("/api/left", [{"board": each} for each in eight]),
            "solve, 15-puzzle": ("/api/solve", [{"board": each} for each in fifteen]),
            "trace of A*, 8-puzzle": (
                "/api/trace",
                [{"board": each, "search": "astar(manhattan)", "nodes": 2000} for each in eight],
            ),
        }
        pid = site.process.pid
        for name, (path, bodies) in kinds.items():
            ask(site.address, path, bodies[:5])
            server, workers, began = ticks(pid), below(pid), perf_counter()
            ask(site.address, path, bodies)
            passed = perf_counter() - began
            print(
                f"{name}: {1000 * passed / len(bodies):.1f} ms, of the server "
                f"{1000 * (ticks(pid) - server) / len(bodies):.1f} ms, of workers "
                f"{1000 * (below(pid) - workers) / len(bodies):.1f} ms"
            )


def ask(address: str, path: str, bodies: Sequence[dict[str, object]]) -> None:
    """Make requests, one after another."""
    for body in bodies:
        connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        text = reply.read()
        assert reply.status == 200, text[:200]
        connection.close()


def ticks(pid: int) -> float:
    """Return the processor time of a process so far."""
    words = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def below(pid: int) -> float:
    """Return the processor time of the processes below one."""
    total = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            total += ticks(int(child)) + below(int(child))
    return total


BENCHMARKS: dict[str, Callable[..., None]] = {
    each.__name__: each for each in (machine, costs, cores, gpus, study, page)
}

if __name__ == "__main__":
    main()
