"""Speed and memory of the glass-box searches, as ratios against a naive loop in the same run.

    python benchmarks/glass_box.py

The naive loop follows a textbook: boards as tuples, a binary heap of tuples, the Manhattan distance
computed from scratch for each board. Each figure is the best of three; memory and start-up are
measured in separate processes.
"""

from __future__ import annotations

import heapq
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from taquin.engine.solve import solve
from taquin.heuristics.per_tile import Manhattan
from taquin.model.board import Board
from taquin.search.algorithms import AStar, IDAStar

BOARDS = {
    "3×3, 31 moves": ("8 6 7 / 2 5 4 / 3 0 1", 31, 0.5),
    "4×4, 40 moves": ("6 5 11 4 / 10 13 2 1 / 9 15 7 3 / 14 12 8 0", 40, 5.0),
}
"""Name → board, its shortest solution, and the seconds A* + Manhattan may take."""

MEMORY_PROGRAM = """
import gc
from taquin.engine.solve import solve
from taquin.model.board import Board
from taquin.search.algorithms import AStar
from taquin.system.machine import peak_memory, process_memory
gc.collect()
before = process_memory()
result = solve(Board.parse(%r), algorithm=AStar())
reached = result.stats.enqueued - result.stats.reopened - result.stats.updated
print(peak_memory() - before, reached, len(result.start.cells) + 33)
"""


def naive_a_star(board: Board) -> int:
    """Return the length of a shortest solution, by the naive loop."""
    rows, columns = board.grid.rows, board.grid.columns
    start = tuple(int(label) for label in board.cells)
    goal = (*range(1, rows * columns), 0)

    def estimate(cells: tuple[int, ...]) -> int:
        total = 0
        for cell, tile in enumerate(cells):
            if tile:
                row, column = divmod(cell, columns)
                goal_row, goal_column = divmod(tile - 1, columns)
                total += abs(row - goal_row) + abs(column - goal_column)
        return total

    frontier = [(estimate(start), 0, start)]
    best = {start: 0}
    while frontier:
        _, g, cells = heapq.heappop(frontier)
        if cells == goal:
            return g
        if g > best[cells]:
            continue
        blank = cells.index(0)
        row, column = divmod(blank, columns)
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            r, c = row + down, column + right
            if 0 <= r < rows and 0 <= c < columns:
                child_list = list(cells)
                other = r * columns + c
                child_list[blank], child_list[other] = child_list[other], 0
                child = tuple(child_list)
                if g + 1 < best.get(child, 1 << 30):
                    best[child] = g + 1
                    heapq.heappush(frontier, (g + 1 + estimate(child), g + 1, child))
    raise AssertionError("the boards of this benchmark can be solved")


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the minimum of the seconds that `work` takes."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def process_seconds(arguments: list[str]) -> float:
    """Return the minimum of the seconds of a process, including the start of the interpreter."""
    return best_of(5, lambda: subprocess.run(arguments, check=True, capture_output=True))


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, {time.strftime('%Y-%m-%d')}")
    print(f"{'A* + Manhattan':<16}{'taquin':>9}{'naive':>9}{'ratio':>8}{'allowed':>9}  nodes/s")
    for name, (text, length, allowed) in BOARDS.items():
        board = Board.parse(text)
        result = solve(board, algorithm=AStar(Manhattan()))
        assert result.cost == length == naive_a_star(board)
        ours = best_of(3, partial(solve, board, algorithm=AStar(Manhattan())))
        naive = best_of(2, partial(naive_a_star, board))
        times = f"{ours:>8.3f}s{naive:>8.3f}s{naive / ours:>7.1f}×{allowed:>8.1f}s"
        print(f"{name:<16}{times}  {(result.stats.generated or 0) / ours:,.0f}")
        deep = best_of(3, partial(solve, board, algorithm=IDAStar(Manhattan())))
        print(f"{'  IDA* beside':<16}{deep:>8.3f}s")
    for name, (text, _, _) in BOARDS.items():
        done = subprocess.run(
            [sys.executable, "-c", MEMORY_PROGRAM % text],
            check=True,
            capture_output=True,
            text=True,
        )
        grown, reached, board_bytes = map(int, done.stdout.split())
        each = grown / reached - board_bytes
        print(f"memory, {name}: {each:.0f} bytes per reached board beyond the board (allowed 200)")
    bare = process_seconds([sys.executable, "-c", "pass"])
    imported = process_seconds([sys.executable, "-c", "import taquin"])
    print(f"import taquin: {imported - bare:.3f}s on top of Python's own {bare:.3f}s (allowed 0.1)")
    command = [sys.executable, "-m", "taquin", "solve", "8 1 3 / 4 0 2 / 7 6 5"]
    print(f"taquin solve, easy 3×3, whole process: {process_seconds(command):.3f}s (allowed 0.4)")


if __name__ == "__main__":
    main()
