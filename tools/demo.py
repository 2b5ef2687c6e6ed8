"""Show what taquin does, for `make demo`: a hard 8-puzzle, a random 15-puzzle, and what to try."""

from __future__ import annotations

import subprocess
import sys
import time
from random import randrange

import taquin as tq

HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""One of the two 8-puzzles that need 31 moves, more than any other."""


def main() -> None:
    """Solve both puzzles and suggest two commands."""
    subprocess.run([sys.executable, "-m", "taquin", "solve", HARD], check=True)
    board = tq.random_board("4x4", randrange(10**6))
    began = time.perf_counter()
    result = tq.solve(board)
    milliseconds = 1000 * (time.perf_counter() - began)
    print(
        f"\nA random 15-puzzle, {' / '.join(' '.join(map(str, row)) for row in board.rows())}:\n"
        f"{result.cost} moves, the fewest possible, found in {milliseconds:,.0f} ms.\n\n"
        "Next:\n"
        "  .venv/bin/taquin serve        # watch, race and write searches in a browser\n"
        f'  .venv/bin/taquin compare "{HARD}"        # BFS, A*, IDA* and others side by side'
    )


if __name__ == "__main__":
    main()
