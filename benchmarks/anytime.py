"""Measure good solutions of boards of any size: moves, moves ÷ Manhattan, and the proven gap.

    python benchmarks/anytime.py                       every row, some minutes
    python benchmarks/anytime.py --boards 3 --rows 6x6 7x7
    python benchmarks/anytime.py --large --slides      large boards, and slides in place of moves
    python benchmarks/anytime.py --large --rows 50x50 --seconds 15 --threads 1 2 16
                                                       by the number of threads

Boards are uniformly random with fixed seeds, except 4×4 (Korf's 100), 5×5 (Korf's 50) and a second
set of 6×6 (the boards for which its target was set). Compiled code and tables are loaded first. The
baselines run on some of these boards: the line-by-line construction, and greedy search and weighted
A* of the glass box.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

import taquin as tq
from taquin.engine.anytime.construction import construct
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.puzzle_arrays import arrays_of
from taquin.engine.base import run
from taquin.engine.cpu.engine import Cpu
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Counters, Limits, Task
from taquin.system.machine import peak_memory

DATA = Path(__file__).parents[1] / "tests" / "data"
KORF = {4: "korf100.txt", 5: "korf50_24.txt"}
WITH_GOAL = "random20_35.txt"
"""The boards of 6×6 for which its target was set."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of targets."""

    side: int
    seconds: float
    target: float | None
    """Most moves on average, or most times Manhattan distance where it is below 10; 0: every board
    solved optimally."""
    boards: int
    file: str | None = None
    """Where the boards are, unless they are random with seeds from 1 on, or Korf's."""
    metric: tq.Metric = tq.Metric.SINGLE
    """What counts as a move."""


ROWS = (
    Row(4, 1, 0, 100),
    Row(5, 1, 112, 50),
    Row(5, 10, 101.5, 50),
    Row(6, 1, 210, 20),
    Row(6, 10, 190, 20),
    Row(6, 10, 182, 20, WITH_GOAL),
    Row(7, 1, 345, 20),
    Row(7, 10, 305, 20),
    Row(10, 1, 1150, 10),
    Row(10, 10, 950, 10),
    Row(20, 1, 1.8, 5),
    Row(20, 10, 1.5, 5),
    Row(100, 10, None, 1),
)
LARGE = tuple(
    Row(side, seconds, target if seconds == limit else None, 1)
    for side, limit, target in (
        *((20, 10, 1.5), (26, 10, 1.6), (30, 10, 1.6)),
        *((40, 60, 1.8), (50, 60, 2.0), (100, 60, 2.5)),
    )
    for seconds in (2, 10, 60)
)
SLIDES = tuple(
    Row(side, 10, target or None, boards, "", tq.Metric.MULTI)
    for side, target, boards in ((5, 60, 20), (6, 100, 20), (7, 0, 5), (10, 0, 3), (20, 0, 1))
)


def tasks(
    side: int, count: int, file: str | None = None, metric: tq.Metric = tq.Metric.SINGLE
) -> list[Task]:
    """Return some boards of a side: those of a file, Korf's, or random ones if it is empty."""
    name = KORF.get(side) if file is None else file
    is_korf = name is not None and name == KORF.get(side)
    goal = tq.Goal.blank_first(side, side) if is_korf else tq.Goal.blank_last(side, side)
    if name:
        lines = (DATA / name).read_text(encoding="utf-8").splitlines()
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        cells = [tuple(map(int, row[1 : 1 + side * side])) for row in rows]
        boards = [tq.Board(goal.grid, each) for each in cells]
    else:
        boards = [tq.random_board(goal, seed) for seed in range(1, count + 1)]
    return [Task(tq.Puzzle(goal, metric), board) for board in boards[:count]]


def manhattan(task: Task) -> int:
    """Return the Manhattan distance of a start."""
    space = Space(task.puzzle, task.start)
    return tq.Manhattan().bind(space).value(space.start)


def measure(row: Row, boards: int | None, threads: int | None) -> None:
    """Solve the boards of a row with some threads and print the results."""
    chosen = tasks(row.side, min(row.boards, boards or row.boards), row.file, row.metric)
    engine = Anytime(seconds=row.seconds, threads=threads)
    processor_time = time.process_time()
    costs, ratios, gaps, firsts, spent, optimal = [], [], [], [], [], 0
    for task in chosen:
        began = time.perf_counter()
        first, solution = 0.0, None
        control, counters = Control(), Counters()
        for found in engine.improvements(task, control, counters):
            solution, first = found, first or time.perf_counter() - began
        moves = solution() if solution else ()
        spent.append(time.perf_counter() - began)
        if row.side <= 20:
            assert task.puzzle.is_goal(task.puzzle.replay(task.start, moves)[-1])
        bound = min(control.proven, len(moves))
        costs.append(len(moves))
        ratios.append(len(moves) / manhattan(task))
        gaps.append(len(moves) / bound - 1)
        firsts.append(first)
        optimal += bound == len(moves)
    reached = mean(ratios) if row.target and row.target < 10 else mean(costs)
    is_met = optimal == len(chosen) if row.target == 0 else reached <= (row.target or reached)
    verdict = "" if row.target is None else ("met" if is_met else "NOT MET")
    print(
        f"{row.side:3}×{row.side:<3} {row.seconds:3.0f} s {len(chosen):4} boards  "
        f"{mean(costs):10,.1f} {'moves' if row.metric is tq.Metric.SINGLE else 'slides'}  "
        f"{mean(ratios):5.3f} × Manhattan  gap {mean(gaps):5.1%}  "
        f"{optimal:3} proven  first {1000 * mean(firsts):6.1f} ms  took {mean(spent):5.2f} s  "
        f"processor {(time.process_time() - processor_time) / len(chosen):6.2f} s  "
        f"{'' if threads is None else f'{threads} threads  '}"
        f"{row.target or '':>7} {verdict}{f', {row.file}' if row.file else ''}",
        flush=True,
    )


def peers(boards: int) -> None:
    """Print the results of the baselines on the same boards."""
    for side in (4, 5, 6, 7, 10, 20):
        lengths, ratios = [], []
        for task in tasks(side, boards):
            puzzle = arrays_of(Space(task.puzzle, task.start))
            moves = len(construct(puzzle, puzzle.start))
            lengths.append(moves)
            ratios.append(moves / manhattan(task))
        moved = f"{mean(lengths):10,.1f} moves  {mean(ratios):5.3f} × Manhattan"
        print(f"{side:3}×{side:<3} line by line      {moved}")
    for side, search in ((4, "greedy"), (4, "wastar"), (5, "greedy"), (5, "wastar"), (6, "greedy")):
        costs = []
        for task in tasks(side, boards):
            algorithm = "greedy" if search == "greedy" else "wastar(manhattan, weight=3)"
            limits = Limits(seconds=10)
            found = tq.solve(task.start, task.puzzle.goal, algorithm=algorithm, limits=limits)
            costs.append(found.cost)
        known = [cost for cost in costs if cost is not None]
        shown = f"{mean(known):10,.1f} moves" if known else "     none in 10 s"
        print(f"{side:3}×{side:<3} {search:17} {shown}, {len(known)} of {len(costs)} solved")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--boards", type=int, help="boards of each row at most")
    parser.add_argument("--rows", nargs="*", help="sizes such as 6x6; all when not given")
    parser.add_argument("--peers", type=int, default=0, help="boards for each of the peers")
    parser.add_argument("--large", action="store_true", help="only boards of 20×20 to 100×100")
    parser.add_argument("--slides", action="store_true", help="only slides in place of moves")
    parser.add_argument("--seconds", type=float, help="for every row, in place of its own")
    parser.add_argument("--threads", nargs="*", type=int, help="one line for each number")
    chosen = parser.parse_args(arguments)
    named = [*(LARGE if chosen.large else ()), *(SLIDES if chosen.slides else ())]
    rows: Sequence[Row] = named or ROWS
    if chosen.seconds:
        timed = [replace(row, seconds=chosen.seconds, target=None) for row in rows]
        rows = list({row.side: row for row in timed}.values())
    sides = {int(text.partition("x")[0]) for text in chosen.rows or []}
    # Make everything ready: kernels, and the tables of the optimal search, which builds them for an
    # easy board too.
    for side in (4, 5):
        task = tasks(side, 1)[0]
        if not named and (not sides or side in sides):
            easy = tq.random_walk(task.puzzle, 40, seed=1)
            assert run(Task(task.puzzle, easy), Cpu(), Control()).cost is not None
            assert not Cpu().has_to_build(task)
        run(task, Anytime(seconds=0.5), Control())
    for row in rows:
        if not sides or row.side in sides:
            for threads in chosen.threads or [None]:
                measure(row, chosen.boards, threads)
    if memory := peak_memory():
        print(f"at most {memory / 1e6:,.0f} MB of memory")
    if chosen.peers:
        peers(chosen.peers)


if __name__ == "__main__":
    main()
