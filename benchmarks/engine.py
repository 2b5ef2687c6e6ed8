"""Measure the CPU engine against IDA* with the Manhattan distance alone, in one run.

    python benchmarks/engine.py [--large] [--twentyfour [BOARDS]] [--tables] [--explore]
                                [--threads 1,2,4,8,16] [--only-threads] [--many [BOARDS]]

With `--only-threads` it measures Korf's 100 with `small` and `large` and the 24-puzzles 38, 40 and
25 with `large`, on each number of threads, and nothing else, in a few minutes.

With `--many` it runs `taquin solve --many` on a file of random 15-puzzles, with `small` and `large`
on each number of threads, and nothing else. The file has so many boards for each thread, and four
times as many with `large`; start-up is included.

Tables are taken from the cache folder (TAQUIN_CACHE), and built first where they are missing. Rates
and totals are in CPU seconds of the searching thread, which a busy machine disturbs least; how much
faster several threads are is wall-clock time, and means something only on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from taquin.analysis.explore import explore
from taquin.engine.cpu.engine import Cpu, plan_for
from taquin.engine.cpu.team import Piece
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.tables.build import build_table
from taquin.tables.patterns import keys_of
from taquin.tables.shape import Normal, Shape
from taquin.tables.store import TableStore

HERE = Path(__file__).parent
EASIEST = (
    38,
    40,
    25,
    44,
    32,
    1,
    37,
    30,
    5,
    28,
    29,
    13,
    16,
    36,
    22,
    4,
    46,
    26,
    27,
    3,
    6,
    47,
    41,
    31,
    43,
)
"""Numbers of the easier half of Korf's 24-puzzles, by the nodes that others published."""
Instance = tuple[int, tuple[int, ...], int]


def instances(name: str, cells: int, length_column: int) -> list[Instance]:
    """Return (id, board, optimal length) of a file of published boards."""
    found = []
    for line in (HERE.parent / "tests" / "data" / name).read_text().splitlines():
        if line and not line.startswith("#"):
            words = line.split()
            board = tuple(map(int, words[1 : 1 + cells]))
            found.append((int(words[0]), board, int(words[length_column])))
    return found


def plain(store: TableStore, board: tuple[int, ...]) -> tuple[int, float]:
    """Return nodes and CPU seconds of a search without tables, forbidding only returns."""
    # The published boards have their goal's blank first: they are in normal form as they are.
    normal = Normal(Shape(4, 4, 0), board)
    plan = plan_for(normal.shape, None, store, every_word=True)
    start = plan.start(normal)
    nodes, bound, begun = 0, start.estimate, time.thread_time()
    while True:
        piece = Piece(start.node(bound), plan.width)
        nodes += piece.search(plan, 1 << 60)
        if piece.solution is not None:
            return nodes, time.thread_time() - begun
        bound += 2


def c_rate(board: tuple[int, ...]) -> float | None:
    """Return the nodes per CPU second of the same search in C, or None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "plain"
        source = HERE / "plain.c"
        subprocess.run([compiler, "-O3", "-march=native", source, "-o", program], check=True)
        output = subprocess.run([program, *map(str, board)], capture_output=True, check=True).stdout
    _, nodes, seconds = output.split()
    return int(nodes) / float(seconds)


def run(
    boards: list[Instance], side: int, tables: str | None, threads: int
) -> tuple[float, float, int, float]:
    """Solve all boards; return CPU seconds, wall seconds, nodes and the slowest board's wall."""
    puzzle = Puzzle(Goal.blank_first(side, side))
    engine = Cpu(tables, threads)
    tasks = [Task(puzzle, Board(puzzle.grid, board)) for _, board, _ in boards]
    engine.solve(Task(puzzle, Board(puzzle.grid, puzzle.goal.cells)), Control())
    cpu, wall, nodes, slowest = time.process_time(), time.perf_counter(), 0, 0.0
    for task, (_, board, length) in zip(tasks, boards, strict=True):
        result = engine.solve(task, Control())
        if result.cost != length:
            raise SystemExit(f"wrong length {result.cost} in place of {length} for {board}")
        nodes += result.stats.generated or 0
        slowest = max(slowest, result.stats.seconds)
    return time.process_time() - cpu, time.perf_counter() - wall, nodes, slowest


def build_sets(names: list[tuple[int, str]]) -> None:
    """Print the time to build sets of tables from scratch."""
    for side, name in names:
        cpu, wall = time.process_time(), time.perf_counter()
        for key in keys_of(Shape(side, side, 0), name):
            build_table(key)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"tables {side}x{side} {name:8} {cpu:6.2f} s CPU {wall:6.2f} s wall")


def explore_space() -> None:
    """Print the time to explore all boards of 3 x 4."""
    cpu, wall = time.process_time(), time.perf_counter()
    found = explore(Puzzle(Goal.blank_last(3, 4)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"explore 3x4, {found.radius} moves  {cpu:6.2f} s CPU {wall:6.2f} s wall")


def print_gains(threads: list[int], walls: list[float]) -> None:
    """Print the speedup of each number of threads over the first."""
    for number, wall in list(zip(threads, walls, strict=True))[1:]:
        print(f"{'':25}{number} threads are {walls[0] / wall:.2f} times {threads[0]}")


def measure_threads(korf: list[Instance], threads: list[int]) -> None:
    """Print wall-clock seconds for each number of threads, the best of three interleaved rounds."""
    easy = [i for i in instances("korf50_24.txt", 25, 26) if i[0] in EASIEST[:3]]
    for boards, side, tables in ((korf, 4, "small"), (korf, 4, "large"), (easy, 5, "large")):
        rounds = [[run(boards, side, tables, number)[1] for number in threads] for _ in range(3)]
        best = [min(walls) for walls in zip(*rounds, strict=True)]
        cells = "".join(f"{wall:8.2f} s" for wall in best)
        print(f"{len(boards):3} boards {side}x{side}, {tables:5}, threads {threads}:{cells}")


def measure_many(count: int, threads: list[int]) -> None:
    """Print boards per second of the command, for files of `count` boards per thread."""
    goal = Goal.blank_last(4, 4)
    for tables in ("small", "large"):
        # The first run should not build them.
        plan_for(Shape(4, 4, 0), tables, TableStore())
        boards = count * (4 if tables == "large" else 1)
        most = boards * max(threads)
        lines = [f"{random_board(goal, seed=number).text()}\n" for number in range(most)]
        first: list[tuple[object, object]] = []
        rate = 0.0
        for number in threads:
            cpu, wall, answers, size = run_command(lines[: boards * number], tables, number)
            solved = boards * number
            rate = rate or solved / wall
            print(
                f"{solved:7,} random 15-puzzles, {tables}, {number:2} thr. {solved / cpu:6.0f} a "
                f"CPU second, {solved / wall:6.0f} a second by the clock, "
                f"{solved / wall / rate:5.2f} times {threads[0]}, {size / 1e6:.0f} MB of JSON",
                flush=True,
            )
            first = first or answers[:boards]
            if answers[: len(first)] != first or len(answers) != solved:
                raise SystemExit("the solutions depend on the number of threads")


def run_command(
    lines: list[str], tables: str, threads: int
) -> tuple[float, float, list[tuple[object, object]], int]:
    """Return CPU and wall seconds of the command, the answers, and the size of its output."""
    words = ["solve", "--many", "boards.txt", "--tables", tables, "--threads", str(threads)]
    path = os.pathsep.join(map(os.path.abspath, sys.path))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "boards.txt").write_text("".join(lines))
        output = Path(folder) / "answers.jsonl"
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        with output.open("wb") as file:
            subprocess.run(
                [sys.executable, "-m", "taquin", *words],
                cwd=folder,
                stdout=file,
                env=os.environ | {"PYTHONPATH": path},
                check=True,
            )
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        answers: list[tuple[object, object]] = []
        with output.open() as read:
            for line in read:
                answer = json.loads(line)
                answers.append((answer["start"], answer["stats"]["generated"]))
        return cpu, wall, answers, output.stat().st_size


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also the 7-8 tables of 4 x 4")
    parser.add_argument(
        "--twentyfour",
        type=int,
        nargs="?",
        const=3,
        default=0,
        metavar="BOARDS",
        help="also the easiest of Korf's 24-puzzles, 3 if not said",
    )
    parser.add_argument("--tables", action="store_true", help="also the building of tables")
    parser.add_argument("--explore", action="store_true", help="also all boards of 3 x 4")
    parser.add_argument(
        "--threads",
        type=lambda text: [int(number) for number in text.split(",")],
        default=[1, 2],
        metavar="N,N,…",
        help="rows for each of these numbers of threads, 1,2 if not said",
    )
    parser.add_argument(
        "--only-threads", action="store_true", help="only the rows that compare numbers of threads"
    )
    parser.add_argument(
        "--many",
        type=int,
        nargs="?",
        const=2_000,
        default=0,
        metavar="BOARDS",
        help="only the rows on a stream of random boards, 2,000 a thread if not said",
    )
    options = parser.parse_args()
    store = TableStore(notice=lambda line: print(line, file=sys.stderr))
    korf = instances("korf100.txt", 16, 18)
    if options.only_threads:
        measure_threads(korf, options.threads)
        return
    if options.many:
        measure_many(options.many, options.threads)
        return
    hard = korf[0][1]

    plain(store, korf[1][1])
    plain_nodes, plain_seconds = plain(store, hard)
    rate = plain_nodes / plain_seconds
    in_c = c_rate(hard)
    print(f"Manhattan distance alone {rate / 1e6:7.1f} M nodes/s")
    if in_c is not None:
        print(f"the same search in C     {in_c / 1e6:7.1f} M nodes/s   ratio {rate / in_c:.2f}")

    easiest = sorted(korf, key=lambda instance: instance[2])[:30]
    sets = ["small", "medium", "large"] if options.large else ["small", "medium"]
    for tables in sets:
        rounds = [[run(korf, 4, tables, threads) for threads in options.threads] for _ in range(3)]
        # The best of three rounds, taken by turns, so that a busy moment spoils none.
        best = [min(each, key=lambda figures: figures[1]) for each in zip(*rounds, strict=True)]
        for threads, (cpu, wall, nodes, slowest) in zip(options.threads, best, strict=True):
            print(
                f"Korf's 100, {tables}, {threads} thr.  {cpu:6.2f} s CPU {wall:6.2f} s wall, "
                f"{nodes / 1e6:6.1f} M nodes, {nodes / cpu / 1e6:5.1f} M/s, worst {slowest:.3f} s, "
                f"{cpu * rate / 45e6:5.2f} s where plain runs at 45 M/s"
            )
        print_gains(options.threads, [figures[1] for figures in best])
    with_tables = run(easiest, 4, "small", 1)[0]
    without = sum(plain(store, board)[1] for _, board, _ in easiest)
    print(f"30 easiest               small is {without / with_tables:.0f} times plain")

    if options.tables:
        build_sets([(4, name) for name in sets] + [(5, "small"), (5, "large")])
    if options.explore:
        explore_space()
    if options.twentyfour:
        numbers = EASIEST[: options.twentyfour]
        chosen = [i for i in instances("korf50_24.txt", 25, 26) if i[0] in numbers]
        for tables in ("small", "medium", "large"):
            walls = []
            for threads in options.threads:
                cpu, wall, nodes, _ = run(chosen, 5, tables, threads)
                walls.append(wall)
                print(
                    f"{len(chosen)} 24-puzzles, {tables}, {threads} thr.  {cpu:6.2f} s CPU "
                    f"{wall:6.2f} s wall, {nodes / 1e6:6.1f} M nodes, {nodes / cpu / 1e6:5.1f} M/s"
                )
            print_gains(options.threads, walls)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
