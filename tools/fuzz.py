"""Look for faults of the kernels with random puzzles: `python -m tools.fuzz SECONDS [--seed N]`.

Workers run random cases with a checked library (`tools/kernels.py`): an index beyond an array, or
arithmetic that C leaves undefined, ends a worker. The case it was running is then printed, with the
command that repeats it, and the exit status is 1. A case that raises, or does not end, fails too.

Cases are puzzles, solved by the engines general, anytime, textbook and cpu, and tables, which are
built. They are random: no coverage guides them, as libFuzzer and AFL++ would. Case N is the same in
every run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count, islice, product
from math import perm
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from tests.puzzles import random_puzzle

from taquin.engine.base import Engine, run
from taquin.engine.task import engine_named
from taquin.errors import UnsuitableError
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Limits, Task
from taquin.system.compiled import CHECKED, SOURCES
from taquin.tables.build import PatternRecipe
from taquin.tables.patterns import table_for
from taquin.tables.relabelled import CLASSES, SlideKey
from taquin.tables.shape import Shape
from tools.kernels import CHECKED_LIBRARY, build_checked
from tools.running import ROOT

Case = tuple[str, Callable[[], object]]
"""A description, which begins with the kind, and the function that runs the case."""
_SEARCHES = (
    *("bfs", "bidirectional", "dfs", "astar(manhattan)", "wastar(manhattan, weight=2)"),
    *("greedy(manhattan)", "idastar(linear-conflict)", "astar(walking-distance)", "mm", "nbs"),
)
_SIZES = tuple(product(range(2, 7), repeat=2))
_STRIPS = ((1, 16), (9, 1), (2, 12), (15, 2))
_MOST_ENTRIES = 60_000
"""Of a table that is built; checked code takes about ten times as long."""
_GRACE = 60.0
"""Seconds for the start of a worker and its last case."""


def main() -> None:
    """Look for faults, or run the cases of a worker."""
    parser = argparse.ArgumentParser(description="Look for faults of the kernels.")
    parser.add_argument("seconds", type=float, nargs="?", default=60, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first case")
    parser.add_argument("--worker", type=int, metavar="STEP", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        work(chosen.seconds, islice(count(chosen.seed), 0, None, chosen.worker), random_case)
        return
    sources = Path(SOURCES).glob("*.c")
    more = {} if CHECKED in os.environ else build_checked(CHECKED_LIBRARY, sources)
    print(hunt(("-m", "tools.fuzz"), more, chosen.seconds, chosen.seed, os.cpu_count() or 1))


def hunt(
    worker: Iterable[str], more: Mapping[str, str], seconds: float, seed: int, workers: int
) -> str:
    """Return how many cases the workers ran; exit with the case that failed, if any."""

    def ended(number: int) -> tuple[str, list[str]]:
        status = "does not end"
        own = ("--worker", str(workers), "--seed", str(seed + number), str(seconds))
        # Tables that engines build are not the user's.
        environment = os.environ | more | {"TAQUIN_CACHE": str(Path(folder, str(number)))}
        log, command = Path(folder, f"log-{number}"), [sys.executable, *worker, *own]
        with log.open("w", encoding="utf-8") as file, suppress(subprocess.TimeoutExpired):
            how: Any = {"cwd": ROOT, "env": environment, "stdout": file, "stderr": file}
            done = subprocess.run(command, timeout=seconds + _GRACE, check=False, **how)
            status = f"ends with {done.returncode}"
        return status, log.read_text(encoding="utf-8", errors="replace").splitlines()

    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        for status, lines in pool.map(ended, range(workers)):
            cases = [line for line in lines if line.startswith("case ")]
            if status != "ends with 0":
                said = "\n".join(line for line in lines if line not in cases)
                last = cases[-1] if cases else "the start of a worker"
                sys.exit(f"{said}\n{last}\n{status}; python -m tools.fuzz 0 --seed CASE repeats it")
            counts.update(case.split()[2] for case in cases)
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in sorted(counts.items()))
    return f"no faults in {counts.total():,} cases from {seed:,} on: {kinds}"


def work(seconds: float, numbers: Iterable[int], case: Callable[[int], Case]) -> None:
    """Run cases for some seconds, at least one; print each before it runs."""
    end = monotonic() + seconds
    for number in numbers:
        description, run_case = case(number)
        print(f"case {number}: {description}", flush=True)
        run_case()
        if monotonic() > end:
            return


def random_case(number: int) -> Case:
    """Return the case of a number."""
    chance = Random(number)
    return chance.choices((_puzzle, _patterns, _slides), (12, 2, 1))[0](chance)


def _puzzle(chance: Random) -> Case:
    start, puzzle = random_puzzle(chance, *chance.choice(_SIZES + _STRIPS))
    name = chance.choice(("general", "general", "anytime", "textbook", "cpu"))
    settings: dict[str, object] = {} if name == "textbook" else {"threads": chance.choice((1, 2))}
    if name == "anytime":
        settings |= {"seconds": 0.1, "seed": chance.randrange(99), "gpu": False}
    elif name != "textbook":
        settings["tables"] = chance.choice((None, "small"))
    limits = Limits(
        nodes=chance.choice((None, None, 0, 1, 17, 5_000)),
        seconds=chance.choice((0, 0.01, 0.1, 0.3)),
        depth=chance.choice((None, None, None, 0, 1, 7, 30)),
    )
    search = as_search(chance.choice(_SEARCHES)) if name == "textbook" else None
    board = f'"{start.text()}" --goal "{puzzle.goal.text()}" --metric {puzzle.metric}'
    task, engine = Task(puzzle, start, search, limits), engine_named(name, **settings)
    return f"{name} {board}, {engine}, {search}, {limits}", partial(_solve, engine, task)


def _solve(engine: Engine, task: Task) -> None:
    try:
        result = run(task, engine, Control(task.limits))
        assert result.moves is None or task.puzzle.is_goal(result.boards()[-1])
        if engine.batch_key(task) is not None:
            engine.solve_many([task] * 3, Control())
        if result.optimal and engine.name in ("general", "cpu"):
            list(islice(engine.every(task, Control(task.limits)), 50))
    except UnsuitableError:
        # No engine takes every puzzle with every search.
        return


def _patterns(chance: Random) -> Case:
    shape = _shape(chance, 25)
    most = max(size for size in range(1, 8) if perm(shape.size, size) <= _MOST_ENTRIES)
    others = [cell for cell in range(shape.size) if cell != shape.blank]
    tiles = sorted(chance.sample(others, chance.randint(1, min(most, len(others)))))
    key = table_for(shape, tuple(tiles), chance.randint(0, 3))[0]
    return f"patterns {key.name}", partial(PatternRecipe(key).build, 2, lambda *_: None)


def _slides(chance: Random) -> Case:
    shape = _shape(chance, 8)
    classes = [chance.randrange(CLASSES) for _ in range(shape.size)]
    classes[shape.blank] = 0
    key = SlideKey(shape.rows, shape.columns, shape.blank, tuple(classes))
    return f"slides {key.name}", partial(key.build, 2, lambda *_: None)


def _shape(chance: Random, most: int) -> Shape:
    rows, columns = chance.choice([size for size in _SIZES if size[0] * size[1] <= most])
    return Shape(rows, columns, chance.randrange(rows * columns))


if __name__ == "__main__":
    main()
