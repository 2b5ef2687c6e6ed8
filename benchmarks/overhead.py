"""Measure the overhead of `tq.solve` and `--many` over the kernel alone.

    python benchmarks/overhead.py

All with the `small` tables and one thread, warm, interleaved in one run; wall-clock seconds.
The bare kernel only searches bound after bound: no task, no control, no result.
"""

from __future__ import annotations

import subprocess
import sys
import time
from math import inf
from pathlib import Path

import taquin as tq
from taquin.engine.cpu.engine import Cpu, plan_for
from taquin.engine.cpu.team import Team
from taquin.tables.shape import Normal, Shape
from taquin.tables.store import TableStore

KORF = Path(__file__).parents[1] / "tests" / "data" / "korf100.txt"
GOAL = tq.Goal.blank_first(4, 4)
MANY = 1000


def korf() -> list[tuple[int, ...]]:
    """Return Korf's 100 boards, in normal form as they are: their goal has its blank first."""
    lines = KORF.read_text().splitlines()
    return [tuple(map(int, line.split()[1:17])) for line in lines if not line.startswith("#")]


def bare(boards: list[tuple[int, ...]]) -> float:
    """Return the seconds of the kernel alone."""
    shape = Shape(4, 4, 0)
    plan = plan_for(shape, "small", TableStore())
    begun = time.perf_counter()
    for board in boards:
        start = plan.start(Normal(shape, board))
        with Team(plan, start, 1) as team:
            bound = start.estimate
            while not team.search(bound, lambda: True, inf):
                bound += 2
    return time.perf_counter() - begun


def through_solve(boards: list[tq.Board]) -> float:
    """Return the seconds of `tq.solve`."""
    engine = Cpu(threads=1)
    tq.solve(boards[0], GOAL, engine=engine)
    begun = time.perf_counter()
    for board in boards:
        assert tq.solve(board, GOAL, engine=engine).optimal
    return time.perf_counter() - begun


def through_many(boards: list[tq.Board]) -> float:
    """Return the seconds of a whole `taquin solve --many`, its start included."""
    lines = "\n".join(board.text() for board in boards)
    command = ["solve", "--many", "--goal", "blank-first", "--threads", "1"]
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "taquin", *command], input=lines, capture_output=True, text=True
    )
    seconds = time.perf_counter() - begun
    if done.returncode or done.stdout.count('"optimal": true') != len(boards):
        raise SystemExit(f"--many failed: {done.stderr}")
    return seconds


def main() -> None:
    """Print the ratios."""
    cells = korf()
    boards = [tq.Board(GOAL.grid, board) for board in cells]
    bare(cells[:1])
    rounds = [(bare(cells), through_solve(boards)) for _ in range(5)]
    # The best of five rounds, taken by turns, so that a busy moment spoils neither.
    kernel, solve = (min(each) for each in zip(*rounds, strict=True))
    print(f"Korf's 100               kernel {kernel:.3f} s, tq.solve {solve:.3f} s", end="")
    print(f", ratio {solve / kernel:.3f} (allowed 1.15)")
    trivial = tq.Board.parse("1 2 3 0 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15")
    print(
        f"fixed cost of tq.solve   {1000 * through_solve([trivial] * 2000) / 2000:.3f} ms", end=""
    )
    print(" (allowed 0.3)")
    random = [tq.random_board(GOAL, seed) for seed in range(MANY)]
    many_cells = [tuple(int(label) for label in board.cells) for board in random]
    kernel, many = min(
        ((bare(many_cells), through_many(random)) for _ in range(3)), key=lambda pair: pair[1]
    )
    print(f"{MANY:,} random boards      kernel {kernel:.2f} s, --many {many:.2f} s", end="")
    print(f", ratio {many / kernel:.3f} (allowed 1.25)")


if __name__ == "__main__":
    main()
