"""Searches by name on 4×4: compiled ones next to plain C in the same run, and the bytes of a state.

    python benchmarks/textbook.py [--boards N] [--expansions N]

C is compiled from `textbook.c` by cc. IDA* reads the same tables in both, A* has the Manhattan
distance and ties to the lowest h. All times are processor time of one thread; programs alternate
board by board.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from struct import pack

import taquin as tq
from taquin.engine.base import run
from taquin.engine.textbook.engine import Textbook
from taquin.heuristics.pattern_databases import Patterns
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Count, Limits, Task
from taquin.system.machine import machine, process_memory

GOAL = tq.Goal.blank_last(4, 4)
PICTURES = {
    "manhattan": None,
    "patterns(small)": "small",
    "patterns(AABB/AABB/CCDD/CCD.)": "AABB/AABB/CCDD/CCD.",
}


def main() -> None:
    """Print a table of rates."""
    parser = argparse.ArgumentParser(description="Compiled searches by name next to plain C.")
    parser.add_argument("--boards", type=int, default=6)
    parser.add_argument("--expansions", type=int, default=2_000_000)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "textbook")
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["cc", "-O3", "-march=native", "-o", program, source], check=True)
        for name, picture in PICTURES.items():
            tables = Path(folder, "tables")
            write_tables(tables, picture)
            # With databases, harder boards take as many nodes.
            boards = [
                tq.random_board(GOAL, seed) if picture else tq.random_walk(GOAL, 140, seed)
                for seed in range(options.boards)
            ]
            report(f"idastar({name})", [program, "ida", tables], boards, f"idastar({name})", None)
        boards = [tq.random_board(GOAL, seed) for seed in range(options.boards)]
        limits = Limits(nodes=options.expansions, counting=Count.EXPANDED)
        report(
            "astar(manhattan)", [program, "astar", str(options.expansions)], boards, "astar", limits
        )
    for name in ("bfs", "bidirectional", "mm", "nbs", "astar(linear-conflict)", "wastar"):
        # In a process of its own, whose memory no earlier search has left.
        process = get_context("spawn").Process(target=alone, args=(name, boards[0], limits))
        process.start()
        process.join()


def report(
    name: str, command: list[str | Path], boards: list[tq.Board], text: str, limits: Limits | None
) -> None:
    """Print the rates of compiled code and of C on the same boards."""
    ours = theirs = 0.0
    nodes = others = 0
    search = as_search(text)
    with subprocess.Popen(
        list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for board in boards:
            task = Task(Puzzle(GOAL), board, search, limits or Limits())
            stats = run(task, Textbook(1), Control(task.limits)).stats
            program.stdin.write(" ".join(map(str, board.cells)) + "\n")
            program.stdin.flush()
            count, seconds = program.stdout.readline().split()
            found = stats.expanded or 0
            if limits is None:
                found = (stats.generated or 0) - (stats.duplicates or 0)
            if found != int(count):
                sys.exit(f"{name}: {found:,} nodes, but C has {int(count):,}: {board.text()}")
            nodes, others = nodes + found, others + int(count)
            ours, theirs = ours + stats.cpu_seconds, theirs + float(seconds)
        program.stdin.close()
    print(
        f"{name:40} {nodes / 1e6:8.1f} M nodes  {nodes / ours / 1e6:6.2f} M/s  "
        f"C {others / theirs / 1e6:6.2f} M/s  ratio {theirs / ours:.2f}"
    )


def alone(name: str, board: tq.Board, limits: Limits) -> None:
    """Print the rate of a search, and the memory that its states take."""
    run(Task(Puzzle(GOAL), board, as_search(name)), Textbook(1), Control(Limits(nodes=1000)))
    before = process_memory()
    peak = 0

    def watch(counters: object, seconds: float) -> None:
        nonlocal peak
        peak = max(peak, process_memory())

    task = Task(Puzzle(GOAL), board, as_search(name), limits)
    stats = run(task, Textbook(1), Control(limits, progress=watch)).stats
    rate = (stats.expanded or 0) / stats.cpu_seconds / 1e6
    each = (peak - before) / (stats.enqueued or 1)
    print(f"{name:40} {rate:6.2f} M expansions/s  {each:5.1f} bytes for each state")


def write_tables(path: Path, picture: str | None) -> None:
    """Write what `textbook.c` reads; the slots of a set are numbered partition by partition."""
    space = Space(Puzzle(GOAL), tq.Board(GOAL.grid, GOAL.cells))
    lookups = Patterns(picture).lookups(space) if picture else []
    every = [lookup for partition in lookups for lookup in partition]
    slots = [[len(every)] * len(lookups) for _ in range(16)]
    terms = [[[0] * 16 for _ in lookups] for _ in range(16)]
    number = 0
    for partition, chosen in enumerate(lookups):
        for lookup in chosen:
            for tile, term in zip(lookup.tiles, lookup.terms, strict=True):
                slots[tile][partition], terms[tile][partition] = number, term
            number += 1
    with path.open("wb") as file:
        file.write(pack("<2i", len(lookups), len(every)))
        for tile in range(16):
            for partition in range(len(lookups)):
                file.write(pack("<i16q", slots[tile][partition], *terms[tile][partition]))
        for lookup in every:
            file.write(pack("<q", lookup.table.nbytes) + lookup.table.tobytes())


if __name__ == "__main__":
    main()
