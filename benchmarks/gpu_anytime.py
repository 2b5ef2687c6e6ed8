"""Parts of `gpu.py`: the anytime engine with a GPU, by its defaults.

Each part solves some boards of one size, those of `anytime.py`, for 10 s each, and prints a line
per board, then the means, with the target and the result of two cores. After a failure, which is
reported, the next part runs.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from statistics import mean
from typing import Any, NamedTuple

from taquin.engine.anytime.engine import Anytime
from taquin.engine.gpu.device import the_gpu
from taquin.model.moves import Move
from taquin.search.control import Control
from taquin.search.result import Counters, Task

Found = dict[str, Any]
SECONDS = 10.0


class Row(NamedTuple):
    """Boards of one size."""

    side: int
    boards: int
    goal: float
    """The most times the Manhattan distance, on average; on 5×5 and 6×6, the most moves."""
    two_cores: float
    """The same in 10 s on a 2-core aarch64 machine."""
    file: str | None = None
    """Where the boards are, unless they are random with seeds from 1 on, or Korf's."""


ROWS = {
    "anytime-20x20": Row(20, 3, 1.33, 1.405),
    "anytime-10x10": Row(10, 5, 1.331, 1.366),
    "anytime-7x7": Row(7, 8, 1.287, 1.322),
    "anytime-6x6": Row(6, 20, 179, 178.1, "random20_35.txt"),
    "anytime-5x5": Row(5, 50, 101.0, 101.3),
}
"""The boards of each part, by its name."""


def solve(task: Task) -> Found:
    """Solve a board as a user does, and return the result."""
    import anytime

    control, counters = Control(notice=lambda line: print("  ", line, flush=True)), Counters()
    began, steps = time.perf_counter(), []
    moves: tuple[Move, ...] = ()
    for found in Anytime(SECONDS).improvements(task, control, counters):
        moves = found()
        steps.append((round(time.perf_counter() - began, 2), len(moves)))
    seconds = time.perf_counter() - began
    assert task.puzzle.is_goal(task.puzzle.replay(task.start, moves)[-1])
    return {
        "moves": len(moves),
        "ratio": len(moves) / anytime.manhattan(task),
        "gap": len(moves) / control.proven - 1,
        "seconds": seconds,
        "generated": counters.generated,
        "steps": steps,
    }


def free_memory() -> None:
    """Free the memory that CuPy caches."""
    the_gpu().xp.get_default_memory_pool().free_all_blocks()


def measure(row: Row, solved: list[Found], time_left: Callable[[], float]) -> None:
    """Solve the remaining boards of a row, until the time limit, and print the results."""
    import anytime

    size = f"{row.side}×{row.side}"
    left = anytime.tasks(row.side, row.boards, row.file)[len(solved) :]
    for number, task in enumerate(left, len(solved) + 1):
        if time_left() < SECONDS + 2:
            break
        board = solve(task)
        solved.append(board)
        free_memory()
        rate = board["generated"] / board["seconds"] / 1e9
        print(
            f"  {size} {number:2}: {board['moves']} moves, {board['ratio']:.3f} × Manhattan, "
            f"gap {board['gap']:.1%}, {board['seconds']:.1f} s, {rate:.2f} G boards/s; "
            + " ".join(f"{at}s:{length}" for at, length in board["steps"][-12:]),
            flush=True,
        )
    if solved:
        moves, ratio, gap = (
            mean(each[name] for each in solved) for name in ("moves", "ratio", "gap")
        )
        reached = ratio if row.goal < 10 else moves
        print(
            f"  {size}: {len(solved)} boards, mean {moves:.1f} moves, {ratio:.3f} × Manhattan, "
            f"gap {gap:.1%}; goal {row.goal}, {'met' if reached <= row.goal else 'not met'}; "
            f"two cores {row.two_cores}",
            flush=True,
        )


def part(row: Row) -> Callable[[Found, Callable[[], float]], None]:
    """Return the part that measures the engine on some boards."""

    def measured(found: Found, time_left: Callable[[], float]) -> None:
        try:
            measure(row, found.setdefault("boards", []), time_left)
        except Exception:
            traceback.print_exc()

    return measured
