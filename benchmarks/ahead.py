"""Compare code that was compiled ahead of time with code that Numba compiles for this processor.

    make kernels
    PYTHONPATH=. .venv/kernels/bin/python benchmarks/ahead.py [ROUNDS]

Two processes, one with each code, do the same work alternately, each on one thread. A row shows
processor time per million nodes, the minimum of all rounds, and the ratio; the target is 1.05.
Tables are built first, those of the 24-puzzle in about a minute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any
from unittest import mock

from anytime import tasks
from general import kinds
from taquin.engine.anytime.engine import Anytime
from taquin.engine.base import Engine, run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.general.engine import General
from taquin.search.control import Control
from taquin.search.result import Limits, Task
from taquin.system.arrays import Kind
from taquin.system.kernels import Kernel
from taquin.system.library import Entry

ROUNDS = 5


def searched(engine: Engine, boards: Sequence[Task], limits: Limits) -> float:
    """Return the seconds of processor time for a million nodes."""
    nodes, began = 0, time.process_time()
    for task in boards:
        result = run(Task(task.puzzle, task.start, limits=limits), engine, Control(limits))
        nodes += result.stats.generated or 0
    return (time.process_time() - began) / nodes * 1e6


ROWS: dict[str, Callable[[], float]] = {
    "Korf's 100": lambda: searched(Cpu("small", 1), tasks(4, 100), Limits()),
    "a 24-puzzle": lambda: searched(Cpu("small", 1), tasks(5, 1), Limits(nodes=10_000_000)),
    "a 6×6, anytime": lambda: searched(Anytime(1, 1), tasks(6, 1), Limits()),
    "5×5 with three walls": lambda: searched(
        General(1), kinds()["5×5 with three walls"], Limits(nodes=2_000_000)
    ),
    "4×4 with repeated labels": lambda: searched(
        General(1), kinds()["4×4 with repeated labels"], Limits(nodes=2_000_000)
    ),
}


def use(code: str) -> None:
    """Make this process run only the code of the library, or only code compiled here."""
    if code == "here":
        from tools.compiling import entry_compiled_here

        def load(kernel: Kernel[..., Any], kinds: tuple[Kind, ...]) -> Entry:
            return entry_compiled_here(kernel.function, kinds, kernel.results)

        mock.patch.object(Kernel, "_load", load).start()


def measure(row: str) -> float:
    """Return the figure of a row."""
    return ROWS[row]()


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    processes = {
        code: ProcessPoolExecutor(1, get_context("spawn"), use, (code,))
        for code in ("ahead", "here")
    }
    print("seconds for a million nodes      ahead     here    ratio")
    for row in ROWS:
        best = dict.fromkeys(processes, float("inf"))
        # The first round loads, compiles and builds.
        for number in range(rounds + 1):
            for code, process in processes.items():
                seconds = process.submit(measure, row).result()
                best[code] = min(best[code], seconds) if number else best[code]
        ahead, here = best["ahead"], best["here"]
        print(f"{row:30}{ahead:9.4f}{here:9.4f}{ahead / here:9.3f}", flush=True)
    for process in processes.values():
        process.shutdown()


if __name__ == "__main__":
    main()
