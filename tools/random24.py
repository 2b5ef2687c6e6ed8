"""Verify, complete and plot the benchmark set random24 of docs/random24.md.

    python -m tools.random24 verify                        boards, lengths, bounds: seconds
    python -m tools.random24 solve results.txt             the boards that have no length yet
    python -m tools.random24 solve again.txt --again 50    the easiest 50 of the others, again
    python -m tools.random24 merge results.txt             put what was solved into the set
    python -m tools.random24 plot docs/images/random24.svg

`solve` appends a line for each board as soon as it ends, and skips the boards that its file has: it
may be stopped at any time. Every solution is replayed before its line is written. The file has the
lines of the set:

    seed | board | optimal=… lower_bound=… manhattan=… nodes=… milliseconds=… | moves
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean, median

import taquin as tq
from taquin.heuristics.per_tile import Manhattan
from taquin.lab.report.document import Axis, Figure, FigureKind, Point, Series
from taquin.lab.report.figures import to_svg

SET = Path(__file__).parents[1] / "src" / "taquin" / "lab" / "data" / "random24.txt"
GOAL = tq.Goal.blank_last(5, 5)
WANTED = 1000
"""The boards of the whole set."""
_NUMBERS = ("optimal", "lower_bound", "manhattan", "nodes", "milliseconds")


@dataclass(frozen=True, slots=True)
class Entry:
    """One board."""

    seed: int
    board: tq.Board
    numbers: dict[str, int]
    moves: str = ""
    """A shortest solution; empty where none was kept."""

    @property
    def optimal(self) -> int | None:
        """The length of a shortest solution; None if it is not known."""
        return self.numbers.get("optimal")

    def line(self) -> str:
        """Return its line in a file of results."""
        numbers = " ".join(f"{key}={self.numbers[key]}" for key in _NUMBERS if key in self.numbers)
        line = f"{self.seed} | {self.board.text()} | {numbers}"
        return f"{line} | {self.moves}" if self.moves else line


def entries_in(path: Path) -> Iterator[Entry]:
    """Yield the boards of the set or of a file of results, but no line that was cut short."""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("#") or not line.endswith("\n"):
            continue
        seed, board, numbers, *moves = (part.strip() for part in line.split("|"))
        pairs = (pair.split("=") for pair in numbers.split())
        known = {key: int(value) for key, value in pairs}
        yield Entry(int(seed), tq.Board.parse(board), known, moves[0] if moves else "")


def board_of(seed: int) -> tq.Board:
    """Return the board that `taquin scramble 5x5 --seed SEED` prints."""
    return tq.random_board(GOAL, seed)


def faults_of(entry: Entry) -> Iterator[str]:
    """Yield what is wrong with a board of the set, as far as it shows without a search."""
    manhattan = tq.estimate(Manhattan(), entry.board, GOAL)
    bound = entry.numbers["lower_bound"]
    if entry.board != board_of(entry.seed):
        yield "its board is not that of its seed"
    if entry.numbers["manhattan"] != manhattan:
        yield f"its Manhattan distance is {manhattan}"
    if bound < manhattan:
        yield f"its bound {bound} is below its Manhattan distance {manhattan}"
    if (bound - manhattan) % 2:
        yield f"its bound {bound} has the wrong parity"
    if entry.optimal not in (None, bound):
        yield f"its length {entry.optimal} is not its bound {bound}"
    if entry.moves and (fault := replay_fault(entry)):
        yield fault


def replay_fault(entry: Entry) -> str:
    """Return what is wrong with the moves of an entry; empty if they solve it in its length."""
    try:
        moves = tq.notation.moves_on(entry.board, entry.moves)
        tq.Puzzle(GOAL).replay(entry.board, moves)
    except tq.TaquinError as error:
        return f"its moves fail: {str(error).partition(chr(10))[0]}"
    if len(moves) != entry.optimal:
        return f"it has {len(moves)} moves for the length {entry.optimal}"
    return ""


def verify(path: Path) -> int:
    """Check every board, print what the set has, and return how many boards are wrong."""
    entries = list(entries_in(path))
    wrong = 0
    for entry in entries:
        for fault in faults_of(entry):
            print(f"seed {entry.seed}: {fault}")
            wrong += 1
    if [entry.seed for entry in entries] != sorted({entry.seed for entry in entries}):
        print("the seeds are not in order, or a seed is there twice")
        wrong += 1
    solved = [entry.optimal for entry in entries if entry.optimal is not None]
    print(f"{path.name}: SHA-256 {sha256(path.read_bytes()).hexdigest()}")
    replayed = sum(bool(entry.moves) for entry in entries)
    print(
        f"{len(entries)} of {WANTED} boards, {len(solved)} with their lengths, {replayed} of them "
        "with a solution"
    )
    if solved:
        low, high = min(solved), max(solved)
        print(f"lengths {low} to {high}, mean {fmean(solved):.2f}, median {median(solved):g}")
    for key, unit in (("nodes", ""), ("milliseconds", " ms")):
        known = [entry.numbers[key] for entry in entries if key in entry.numbers]
        print(f"{key}: mean {fmean(known):,.0f}{unit}, median {median(known):,.0f}{unit}")
    print("every board, bound, parity and solution is right" if not wrong else f"{wrong} faults")
    return wrong


def solve(path: Path, last: int, again: int, seconds: float, engine: str) -> int:
    """Append a line for each board that a file lacks; return how many lengths differ."""
    known = {entry.seed: entry for entry in entries_in(SET)}
    if again:
        solved = [entry for entry in known.values() if entry.optimal is not None]
        easiest = sorted(solved, key=lambda entry: entry.numbers["nodes"])[:again]
        seeds = [entry.seed for entry in easiest]
    else:
        seeds = [
            seed for seed in range(1, last + 1) if seed not in known or known[seed].optimal is None
        ]
    done = {entry.seed for entry in entries_in(path)} if path.exists() else set()
    equal = wrong = 0
    with path.open("a", encoding="utf-8") as file:
        # Remove the line that a run was killed in.
        file.truncate(path.read_bytes().rfind(b"\n") + 1)
        for seed in seeds:
            if seed in done:
                continue
            entry = solved_entry(seed, seconds, engine)
            if entry.optimal is not None and (fault := replay_fault(entry)):
                raise SystemExit(f"seed {seed}: {fault}")
            file.write(f"{entry.line()}\n")
            file.flush()
            os.fsync(file.fileno())
            before = known[seed].optimal if seed in known else None
            if None not in (before, entry.optimal):
                equal += before == entry.optimal
                wrong += before != entry.optimal
            print(f"{seed}: {entry.line().split('|')[2].strip()}", flush=True)
    print(f"{equal} lengths as in the set, {wrong} others")
    return wrong


def solved_entry(seed: int, seconds: float, engine: str) -> Entry:
    """Return a board with its shortest solution, or with the bound that a limit left."""
    board = board_of(seed)
    limits = tq.Limits(seconds=seconds)
    result = tq.solve(board, GOAL, engine=engine, limits=limits)
    numbers = {
        "lower_bound": result.lower_bound,
        "manhattan": int(tq.estimate(Manhattan(), board, GOAL)),
        "nodes": result.stats.generated or 0,
        "milliseconds": round(1000 * result.stats.seconds),
    }
    entry = Entry(seed, board, numbers)
    if not result.optimal or result.cost is None:
        return entry
    moves = tq.write_moves(result.moves)
    return replace(entry, numbers={"optimal": result.cost, **numbers}, moves=moves)


def merge(path: Path) -> None:
    """Put into the set what a file of results knows: lengths, higher bounds, solutions."""
    head = [line for line in SET.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    known = {entry.seed: entry for entry in entries_in(SET)}
    for entry in entries_in(path):
        before = known.get(entry.seed)
        if faults := list(faults_of(entry)):
            raise SystemExit(f"seed {entry.seed}: {'; '.join(faults)}")
        if before is None or (
            before.optimal is None and entry.numbers["lower_bound"] >= before.numbers["lower_bound"]
        ):
            known[entry.seed] = entry
        elif None not in (before.optimal, entry.optimal):
            if before.optimal != entry.optimal:
                raise SystemExit(f"seed {entry.seed}: {entry.optimal}, and {before.optimal} before")
            known[entry.seed] = replace(before, moves=before.moves or entry.moves)
    lines = [*head, *(known[seed].line() for seed in sorted(known))]
    SET.write_text("\n".join([*lines, ""]), encoding="utf-8")


def plot(path: Path) -> None:
    """Draw how many boards have each length, and how many bounds are open."""
    entries = list(entries_in(SET))
    solved = Counter(entry.optimal for entry in entries if entry.optimal is not None)
    even, odd = (
        Series(
            f"{name} lengths",
            tuple(
                Point(length, count)
                for length, count in sorted(solved.items())
                if length % 2 == parity
            ),
        )
        for parity, name in enumerate(("even", "odd"))
    )
    mean = fmean(solved.elements())
    caption = (
        f"{solved.total()} random 24-puzzles (goal: blank last) with known shortest lengths, of "
        f"{len(entries)} tried; mean {mean:.1f} moves. The {len(entries) - solved.total()} others "
        f"are proven to need at least "
        f"{min(e.numbers['lower_bound'] for e in entries if e.optimal is None)} moves."
    )
    figure = Figure(
        "random24",
        FigureKind.BARS,
        "Shortest lengths of random 24-puzzles",
        Axis("length of a shortest solution (moves)"),
        Axis("boards"),
        (even, odd),
        caption,
    )
    path.write_text(to_svg(figure), encoding="utf-8")
    print(f"{path}: {caption}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    checks = verbs.add_parser("verify", help="check boards, lengths and bounds")
    checks.add_argument("file", nargs="?", type=Path, default=SET)
    solves = verbs.add_parser("solve", help="solve boards, and append them to a file")
    solves.add_argument("file", type=Path)
    solves.add_argument("--last", type=int, default=WANTED, help="the last seed")
    solves.add_argument("--again", type=int, default=0, metavar="N", help="the N easiest, again")
    solves.add_argument("--seconds", type=float, default=40, help="the limit for each board")
    solves.add_argument("--engine", default="auto", help="such as gpu, or cpu(tables=large)")
    merges = verbs.add_parser("merge", help="put results into the set")
    merges.add_argument("file", type=Path)
    plots = verbs.add_parser("plot", help="draw the distribution of the lengths")
    plots.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    if options.verb == "verify":
        return 1 if verify(options.file) else 0
    if options.verb == "solve":
        wrong = solve(options.file, options.last, options.again, options.seconds, options.engine)
        return 1 if wrong else 0
    (merge if options.verb == "merge" else plot)(options.file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
