"""Measure the GPU engine on the GPU of this machine.

    python benchmarks/gpu.py [PART …] [--seconds S] [--out FILE]

The parts are start, tables, korf50, random50, fresh50, earlier50, later50, repeats, fifteen,
anytime-20x20 and the same with 10x10, 7x7, 6x6 and 5x5, explore-3x4, explore-2x7 and explore-3x5;
all of them by default. After S seconds no further part starts. Results are kept in FILE, a JSON
object, and are not measured again: run it again to continue. It needs NumPy and CuPy, and no other
optional dependency. Lengths and histograms are compared with published ones.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean, median
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "tests" / "data"
if str(HERE.parent / "src") not in sys.path:
    sys.path.insert(0, str(HERE.parent / "src"))
os.environ.setdefault("TAQUIN_CACHE", str(Path(tempfile.gettempdir()) / "taquin-gpu-benchmark"))

import numpy as np  # noqa: E402

from gpu_anytime import ROWS, part  # noqa: E402
from taquin.analysis.gpu_explore import GpuSpace  # noqa: E402
from taquin.engine.gpu.device import gpu_fit, the_gpu  # noqa: E402
from taquin.engine.gpu.engine import Gpu  # noqa: E402
from taquin.engine.gpu.plan import sets_of, table_bytes  # noqa: E402
from taquin.engine.gpu.resident import resident  # noqa: E402
from taquin.model.board import Board  # noqa: E402
from taquin.model.grid import Grid  # noqa: E402
from taquin.model.puzzle import Goal, Puzzle  # noqa: E402
from taquin.model.scramble import random_board  # noqa: E402
from taquin.search.control import Control  # noqa: E402
from taquin.search.result import Task  # noqa: E402
from taquin.tables.shape import Normal, Shape  # noqa: E402

Found = dict[str, Any]


def nothing(stage: str) -> None:
    """Ignore a message."""


def five_by_five(file: str = "korf50_24.txt") -> dict[int, tuple[tuple[int, ...], int]]:
    """Return Korf's fifty boards or others, with the length of a shortest solution."""
    found = {}
    for line in (DATA / file).read_text().splitlines():
        if line and not line.startswith("#"):
            words = list(map(int, line.split()))
            found[words[0]] = tuple(words[1:26]), words[26]
    return found


def synchronize() -> None:
    the_gpu().xp.cuda.runtime.deviceSynchronize()


def tables(found: Found, time_left: Callable[[], float]) -> None:
    """Build a table of six tiles and one of eight, after the kernels are compiled."""
    for size, tiles in ((6, (1, 2, 5, 6, 10, 11)), (8, (15, 16, 17, 18, 20, 21, 22, 23))):
        sets_of(the_gpu(), 5, 5, size).build(tiles, 0, lambda level: None)
        synchronize()
        began = time.perf_counter()
        sets_of(the_gpu(), 5, 5, size).build(tiles, 0, lambda level: None)
        synchronize()
        seconds = time.perf_counter() - began
        found[str(size)] = {"seconds": seconds, "bytes": table_bytes(25, size)}
        the_gpu().xp.get_default_memory_pool().free_all_blocks()
        print(f"table of {size} tiles: {seconds:.2f} s", flush=True)


def solved(cells: tuple[int, ...], length: int | None, engine: Gpu) -> Found:
    """Solve a board; raise unless the length, where it is known, is right."""
    grid = Grid(5, 5)
    task = Task(Puzzle(Goal(grid, tuple(range(25)))), Board(grid, cells))
    began = time.perf_counter()
    result = engine.solve(task, Control())
    seconds = time.perf_counter() - began
    assert length in (None, result.cost), f"{result.cost} moves, not {length}"
    assert task.puzzle.is_goal(result.boards()[-1])
    return {
        "seconds": seconds,
        "moves": result.cost,
        "nodes": result.stats.generated,
        "bounds": result.bounds,
        "with": str(result.engine),
    }


def korf50(found: Found, time_left: Callable[[], float]) -> None:
    """Solve Korf's fifty; tables are built when the first hard board asks for them."""
    solved_in_turn(found, time_left, five_by_five())


def random50(found: Found, time_left: Callable[[], float]) -> None:
    """Solve fifty random 24-puzzles, whose lengths are unpublished."""
    solved_in_turn(found, time_left, random_24_puzzles(1))


def fresh50(found: Found, time_left: Callable[[], float]) -> None:
    """Solve fifty more, on which nothing was tuned until 2026-11-18.

    That day the hard ones among them showed what partitions of their own are worth.
    """
    solved_in_turn(found, time_left, random_24_puzzles(51))


def earlier50(found: Found, time_left: Callable[[], float]) -> None:
    """Solve fifty more; they were drawn after `fresh50` was measured."""
    solved_in_turn(found, time_left, five_by_five("random50_24.txt"))


def later50(found: Found, time_left: Callable[[], float]) -> None:
    """Solve fifty on which nothing was tuned; they were drawn once hard boards had partitions."""
    solved_in_turn(found, time_left, random_24_puzzles(101))


def random_24_puzzles(first: int) -> dict[int, tuple[tuple[Any, ...], int | None]]:
    """Return fifty random 24-puzzles by their seeds, from one seed on."""
    goal = Goal(Grid(5, 5), tuple(range(25)))
    seeds = range(first, first + 50)
    return {seed: (random_board(goal, seed=seed).cells, None) for seed in seeds}


def solved_in_turn(
    found: Found,
    time_left: Callable[[], float],
    boards: Mapping[int, tuple[tuple[Any, ...], int | None]],
) -> None:
    """Solve boards one after the other, until the time limit."""
    for number, (cells, length) in boards.items():
        if str(number) not in found and time_left() > 0:
            done = found[str(number)] = solved(cells, length, Gpu())
            rate = done["nodes"] / done["seconds"] / 1e9
            print(
                f"{number:3} {done['moves']:4} moves {done['seconds']:8.2f} s "
                f"{done['nodes'] / 1e9:9.2f} G {rate:6.2f} G/s  {done['with']}",
                flush=True,
            )


def repeats(found: Found, time_left: Callable[[], float]) -> None:
    """Solve one board ten times: one length, and one count of every bound but the last."""
    cells, length = five_by_five()[5]
    runs = [solved(cells, length, Gpu(tiles=6)) for _ in range(10)]
    found["bounds"] = runs[0]["bounds"][:-1]
    found["equal"] = all(run["bounds"][:-1] == found["bounds"] for run in runs)
    print(f"ten runs alike: {found['equal']}", flush=True)


def random_boards(count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return random solvable 15-puzzles."""
    random = np.random.default_rng(1)
    boards = random.permuted(np.tile(np.arange(16), (count, 1)), axis=1)
    shape = Shape(4, 4, 0)
    for board in boards:
        if not Normal(shape, tuple(board.tolist())).solvable:
            one, other = np.flatnonzero(board)[:2]
            board[one], board[other] = board[other], board[one]
    return boards


def fifteen(found: Found, time_left: Callable[[], float]) -> None:
    """Solve 100,000 random 15-puzzles, and Korf's 100 for their lengths."""
    batch = resident().batch(Shape(4, 4, 0), nothing)
    lines = (DATA / "korf100.txt").read_text().splitlines()
    known = [list(map(int, line.split())) for line in lines if line and not line.startswith("#")]
    answers = batch.solve(np.array([row[1:17] for row in known]), lambda nodes: True)
    found["korf100"] = answers.lengths.tolist() == [row[18] for row in known]
    boards = random_boards(100_000)
    began = time.perf_counter()
    answers = batch.solve(boards, lambda nodes: True)
    seconds = time.perf_counter() - began
    found.update(
        boards=len(boards),
        seconds=seconds,
        rate=len(boards) / seconds,
        nodes=answers.generated,
        mean_length=float(answers.lengths.mean()),
    )
    print(
        f"{len(boards):,} 15-puzzles: {seconds:.2f} s, {len(boards) / seconds:,.0f} a second, "
        f"{answers.generated / len(boards):,.0f} nodes each, mean {found['mean_length']:.3f} "
        f"moves, Korf's 100 right: {found['korf100']}",
        flush=True,
    )


def explored(rows: int, columns: int) -> Callable[[Found, Callable[[], float]], None]:
    """Return the part that explores a whole space."""

    def part(found: Found, time_left: Callable[[], float]) -> None:
        known = json.loads((DATA / "depth_histograms.json").read_text())[f"single:{rows}x{columns}"]
        the_gpu().xp.get_default_memory_pool().free_all_blocks()
        began = time.perf_counter()
        levels = []

        def progress(distance: int, seen: int, total: int) -> None:
            levels.append(round(time.perf_counter() - began, 2))
            if distance % 10 == 0:
                print(f"  distance {distance}: {levels[-1]:.1f} s", flush=True)

        histogram, is_complete = GpuSpace(the_gpu(), Shape(rows, columns, 0)).walk(progress)
        seconds = time.perf_counter() - began
        the_gpu().xp.get_default_memory_pool().free_all_blocks()
        found.update(seconds=seconds, equal=list(histogram) == known, boards=sum(histogram))
        found.update(levels=levels, complete=is_complete)
        print(f"{rows}×{columns}: {seconds:.1f} s, histogram right: {found['equal']}", flush=True)

    return part


def start(found: Found, time_left: Callable[[], float]) -> None:
    """Time separate processes, from their start to the solution of one board."""
    code = (
        "import sys; sys.path[:0] = [{here!r}, {source!r}]; import gpu\n"
        "cells, length = gpu.five_by_five()[40]\n"
        "gpu.solved(cells, length, gpu.Gpu(tiles={tiles}))"
    )
    for tiles in (6, 8):
        source = str(HERE.parent / "src")
        command = [sys.executable, "-c", code.format(here=str(HERE), source=source, tiles=tiles)]
        subprocess.run(command, check=True)
        began = time.perf_counter()
        subprocess.run(command, check=True)
        found[str(tiles)] = time.perf_counter() - began
        print(f"start to answer, {tiles} tiles: {found[str(tiles)]:.2f} s", flush=True)


PARTS: dict[str, Callable[[Found, Callable[[], float]], None]] = {
    # First, because afterwards this process holds most of the GPU's memory.
    "start": start,
    "tables": tables,
    "korf50": korf50,
    "random50": random50,
    "fresh50": fresh50,
    "earlier50": earlier50,
    "later50": later50,
    "repeats": repeats,
    "fifteen": fifteen,
    **{name: part(row) for name, row in ROWS.items()},
    "explore-3x4": explored(4, 3),
    "explore-2x7": explored(7, 2),
    "explore-3x5": explored(5, 3),
}
TITLES = {
    "korf50": "Korf's 50",
    "random50": "50 random boards",
    "fresh50": "50 more",
    "earlier50": "50 of a file",
    "later50": "50 random boards on which nothing was tuned",
}
"""Names for the boards of a part, for the parts that solve one board after the other."""


def driver() -> str:
    """Return the version of the GPU's driver."""
    ask = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return f"for CUDA {the_gpu().xp.cuda.runtime.driverGetVersion()}"


def summary(results: Found) -> str:
    """Return the figures in a few lines."""
    lines = [f"{results['device']}, driver {results['driver']}, {results['date']}"]
    for name, title in TITLES.items():
        boards = results.get(name, {})
        if not boards:
            continue
        seconds = [each["seconds"] for each in boards.values()]
        nodes = sum(each["nodes"] for each in boards.values())
        lines.append(
            f"{title}: {len(boards)} solved in {sum(seconds):.1f} s, mean {mean(seconds):.2f}, "
            f"median {median(seconds):.2f}, worst {max(seconds):.1f}; {nodes / 1e9:,.0f} G nodes, "
            f"{nodes / sum(seconds) / 1e9:.1f} G/s"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--out", type=Path, default=Path("gpu.json"))
    chosen = parser.parse_args()
    if not (fit := gpu_fit()):
        sys.exit(f"no measuring here: {fit.why_not}")
    began = time.perf_counter()
    results: Found = json.loads(chosen.out.read_text()) if chosen.out.exists() else {}
    results.update(device=the_gpu().name, driver=driver(), date=time.strftime("%Y-%m-%d"))

    def time_left() -> float:
        """Save what is done, and return the seconds that are left; parts ask between boards."""
        chosen.out.write_text(json.dumps(results))
        return float(chosen.seconds) - (time.perf_counter() - began)

    for name in chosen.parts or PARTS:
        done = results.setdefault(name, {})
        if time_left() > 0 and (not done or name in TITLES or name in ROWS):
            print(name, flush=True)
            try:
                PARTS[name](done, time_left)
            finally:
                time_left()
    chosen.out.with_suffix(".txt").write_text(summary(results) + "\n")
    print(summary(results))


if __name__ == "__main__":
    main()
