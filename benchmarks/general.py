"""Measure the compiled search for any puzzle against the glass box, in one run.

    python benchmarks/general.py [--nodes | --slides] [--threads N]

Rates are nodes generated per second of processor time of the whole process, with tables loaded;
the seconds are those of a first run, which fills them. The glass box stops after 200,000 nodes;
where it finishes before, total times are compared too. Where an exact table makes the search
trivial, the nodes generated to fill it are counted. With --nodes also Korf's column of 1985 for the
easier half of his boards, against the same search in C. With --slides instead shortest solutions in
slides of the boards of taquin scramble 4x4 --seed 1 to 100: the tables, all boards with them, and
the first 24 without.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

from engine import c_rate, instances
from taquin.engine.base import run
from taquin.engine.general.engine import General
from taquin.engine.general.estimates import BEYOND, EXACT, exact_size, exact_tiles, pattern_table
from taquin.engine.general.form import form_of, steps_on
from taquin.engine.glass import GlassBox
from taquin.lab.study.reading import read_study
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board
from taquin.search.algorithms import IDAStar
from taquin.search.control import Control
from taquin.search.result import Limits, Task

GLASS_LIMITS = Limits(nodes=200_000)
THREE_WALLS = "1 2 3 4 5 / 6 # 7 8 9 / 10 11 12 # 13 / 14 # 15 16 17 / 18 19 20 21 0"
WALKED_PAST_WALLS = (
    "1 8 0 2 7 / 6 # 4 3 5 / 20 16 19 # 9 / 12 # 18 10 13 / 11 14 15 21 17",
    "1 2 3 21 5 / 18 # 11 7 4 / 15 19 14 # 8 / 17 # 6 20 9 / 12 16 10 13 0",
)
DRAWN_PAIRS = (
    "3 2 4 7 / 4 1 0 2 / 8 6 5 7 / 3 5 6 1",
    "7 1 4 2 / 3 6 5 5 / 6 7 3 1 / 4 2 0 8",
    "1 1 4 3 / 6 0 8 6 / 7 5 5 4 / 7 2 3 2",
    "3 1 2 8 / 6 4 1 6 / 2 7 5 5 / 3 0 7 4",
    "7 6 4 5 / 7 3 2 0 / 6 4 3 2 / 5 8 1 1",
)
DRAWN_FIFTEENS = (
    "5 0 11 9 / 10 4 1 7 / 3 12 8 6 / 14 2 15 13",
    "13 1 11 7 / 5 8 9 10 / 15 14 6 2 / 4 3 0 12",
)
"""Random boards, written out so that versions can be compared."""


def kinds() -> dict[str, list[Task]]:
    """Return the boards of each kind."""
    walls = Puzzle(Goal.parse(THREE_WALLS))
    pairs = Puzzle(Goal.parse("1 1 2 2 / 3 3 4 4 / 5 5 6 6 / 7 7 8 0"))
    corner = Puzzle(Goal.parse("1 2 3 4 / 5 * * * / 9 * * * / 13 * * *"))
    slides = Puzzle(Goal.blank_first(4, 4), Metric.MULTI)
    obstacles = [case for case in read_study("s3-obstacles").cases if case.columns["possible"]]
    first_ten = instances("korf100.txt", 16, 18)[:10]
    return {
        "5×5 with three walls": [Task(walls, Board.parse(text)) for text in WALKED_PAST_WALLS],
        "S3's obstacles": [Task(case.puzzle, case.start) for case in obstacles],
        "4×4 with repeated labels": [Task(pairs, Board.parse(text)) for text in DRAWN_PAIRS],
        "a row and a column": [Task(corner, Board.parse(text)) for text in DRAWN_FIFTEENS],
        "Korf's first ten, multi": [
            Task(slides, Board(slides.grid, board)) for _, board, _ in first_ten
        ],
    }


def glass(tasks: Sequence[Task]) -> tuple[float, float | None]:
    """Return the glass box's rate, and its seconds if it solved all."""
    nodes, seconds, all_solved = 0, 0.0, True
    for task in tasks:
        limited = Task(task.puzzle, task.start, limits=GLASS_LIMITS)
        began = time.process_time()
        result = run(limited, GlassBox(), Control(GLASS_LIMITS))
        seconds += time.process_time() - began
        nodes += result.stats.generated or 0
        all_solved = all_solved and result.cost is not None
    return nodes / seconds, seconds if all_solved else None


def general(tasks: Sequence[Task], engine: General) -> tuple[float, float, list[int | None]]:
    """Return the engine's rate, the seconds of a first run, and the lengths of the solutions."""
    first, _, lengths = once(tasks, engine)
    form, _ = form_of(tasks[0].puzzle, tasks[0].start)
    seconds, nodes = fill(tasks) if exact_size(form) <= EXACT else once(tasks, engine)[:2]
    return nodes / seconds, first, lengths


def once(tasks: Sequence[Task], engine: General) -> tuple[float, int, list[int | None]]:
    """Return the seconds, the nodes and the lengths of a run."""
    began = time.process_time()
    results = [run(task, engine, Control()) for task in tasks]
    seconds = time.process_time() - began
    nodes = sum(result.stats.generated or 0 for result in results)
    return seconds, nodes, [result.cost for result in results]


def fill(tasks: Sequence[Task]) -> tuple[float, int]:
    """Return the seconds in which exact tables are filled, and the successors generated."""
    seconds, nodes = 0.0, 0
    for task in tasks:
        form, _ = form_of(task.puzzle, task.start)
        began = time.process_time()
        table = pattern_table(form, exact_tiles(form), True, lambda: None)
        seconds += time.process_time() - began
        moves = Counter(cell for cell, _ in steps_on(form).edges.tolist())
        for cell in range(form.size):
            values = table.items[cell :: form.size].tobytes()
            nodes += (len(values) - values.count(BEYOND)) * moves[cell]
    return seconds, nodes


def column(engine: General) -> None:
    """Print the speed of Korf's counts, and whether they are reproduced."""
    puzzle = Puzzle(Goal.blank_first(4, 4))
    printed = {
        case.start.cells: int(str(case.columns["nodes"])) for case in read_study("korf100").cases
    }
    easier = sorted(printed.items(), key=lambda item: item[1])[:50]
    exact, made, began = 0, 0, time.process_time()
    for cells, nodes in easier:
        stats = run(Task(puzzle, Board(puzzle.grid, cells), IDAStar()), engine, Control()).stats
        counted = (stats.generated or 0) - (stats.duplicates or 0) + 1
        exact, made = exact + (counted == nodes), made + counted
    rate = made / (time.process_time() - began)
    in_c = c_rate(tuple(int(cell) for cell in easier[30][0]))
    ratio = "" if in_c is None else f", {rate / in_c:.2f} times the same search in C"
    print(f"Korf's counts: {exact} of {len(easier)} exact, {rate / 1e6:.1f} M nodes/s{ratio}")


def slides(threads: int) -> None:
    """Print what tables of slides cost and save."""
    puzzle = Puzzle(Goal.blank_last(4, 4), Metric.MULTI)
    tasks = [Task(puzzle, random_board(puzzle.goal, seed)) for seed in range(1, 101)]
    began, process = time.perf_counter(), time.process_time()
    run(tasks[0], General(threads, "large"), Control())
    wall, cpu = time.perf_counter() - began, time.process_time() - process
    print(f"tables built or loaded in {wall:.1f} s, {cpu:.1f} s of processor time")
    for tables, part in (("large", tasks), (None, tasks[:24])):
        seconds, nodes, lengths = once(part, General(threads, tables))
        mean = sum(length or 0 for length in lengths) / len(lengths)
        print(
            f"tables {tables}: {len(part)} boards in {seconds:.2f} s, {nodes:,} nodes, "
            f"{nodes / seconds / 1e6:.1f} M/s, mean length {mean:.2f}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", action="store_true", help="also Korf's column of 1985")
    parser.add_argument("--slides", action="store_true", help="boards in slides, with tables")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if options.slides:
        slides(options.threads)
        return
    engine = General(options.threads, None)
    # The first board loads the compiled code.
    run(Task(Puzzle(Goal.parse("1 2 # / 3 4 0")), Board.parse("1 2 # / 3 0 4")), engine, Control())
    for name, tasks in kinds().items():
        slow, whole = glass(tasks)
        fast, seconds, lengths = general(tasks, engine)
        against = "" if whole is None else f", {whole / seconds:.0f} times as soon"
        print(
            f"{name:26} {fast / 1e6:6.1f} M nodes/s against {slow / 1e6:5.3f}: {fast / slow:4.0f} "
            f"times; {len(lengths)} boards in {seconds:.2f} s{against}; moves {lengths}"
        )
    if options.nodes:
        column(engine)


if __name__ == "__main__":
    main()
