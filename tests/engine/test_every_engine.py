"""Every engine by name on puzzles of every kind, against a breadth-first search of this file.

Grids of one line and more, walls, repeated labels and fillers; goals that name every cell, some, or
each label once; both metrics; boards that chance has arranged, of which many have no solution.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from threading import current_thread, main_thread
from typing import Any

import pytest

import taquin as tq
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.improver import Improver
from taquin.engine.base import Engine, run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.cpu.team import Stacks
from taquin.engine.general.engine import General
from taquin.engine.general.parallel import ParallelSearcher
from taquin.engine.task import ENGINES, Auto, engine_named
from taquin.errors import UnsuitableError
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Limit, Outcome, Result, Task
from tests.puzzles import Drawn, random_puzzle
from tests.truth import Cells, line_neighbours, neighbours

OPTIMAL = ("bfs", "astar(manhattan)", "astar(linear-conflict)", "idastar(manhattan)", "mm")
"""Searches by name for the engines that take them; `textbook` runs each on some puzzle."""
ELSEWHERE = {"gpu", "cluster"}
"""Engines that need a GPU or a scheduler: they are asked only whether a puzzle fits."""
SECONDS = 0.01
"""How long `anytime` looks for better solutions; whatever it finds by then must be right."""


def told(each: Drawn) -> str:
    """Return a puzzle as the command line takes it."""
    return f'"{each.start.text()}" --goal "{each.puzzle.goal.text()}" {each.puzzle.metric}'


def moves_left(
    start: Cells, goal: Cells, rows: int, columns: int, multi: bool, most: int
) -> int | None:
    """Return the moves of a shortest solution, -1 if none is among the first `most` boards."""
    step = line_neighbours if multi else neighbours
    level, seen, depth = [start], {start}, 0
    while level:
        for cells in level:
            if all(wanted in ("*", label) for wanted, label in zip(goal, cells, strict=True)):
                return depth
        if len(seen) > most:
            return -1
        found = {other for cells in level for other in step(cells, rows, columns)} - seen
        seen |= found
        level, depth = sorted(found, key=str), depth + 1
    return None


def sample(seed: int, most: int) -> Drawn:
    """Return a puzzle whose shortest solutions a search of about `most` boards finds."""
    chance = random.Random(seed)
    while True:
        rows, columns = chance.randint(1, 5), chance.randint(1, 5)
        size = rows * columns
        if not 2 <= size <= 16:
            continue
        start, puzzle = random_puzzle(chance, rows, columns)
        goal, is_multi = puzzle.goal.cells, puzzle.metric is tq.Metric.MULTI
        left = moves_left(start.cells, goal, rows, columns, is_multi, most)
        if left == -1 or (left == 0 and chance.random() < 0.8):
            continue
        return Drawn(puzzle, start, left)


def tasks(seed: int, each: Drawn) -> dict[str, list[tuple[Engine, Task]]]:
    """Return what each engine is asked to solve, by its name."""
    plain = Task(each.puzzle, each.start)
    # A search in linear memory takes long for far boards, and need not end without a solution.
    is_near = each.left is not None and each.left <= 12
    names = [name for name in OPTIMAL if is_near or not name.startswith("ida")]
    by_name = [
        Task(each.puzzle, each.start, as_search(names[(seed + place) % len(names)]))
        for place in range(2)
    ]
    found: dict[str, list[tuple[Engine, Task]]] = {"auto": [(Auto(), plain)]}
    for name in ENGINES:
        engine = engine_named(name)
        found[name] = [(engine, plain)]
        if name == "anytime":
            found[name] = [
                (engine_named(name, threads=threads, seconds=SECONDS, seed=seed), plain)
                for threads in (1, 2)
            ]
        elif name in ("textbook", "glass"):
            found[name] = [(engine, task) for task in by_name]
    return found


def check(each: Drawn, result: Result, is_exact: bool) -> None:
    """Check a result: the moves by the rules of `truth`, the cost and the bounds by the search."""
    puzzle, left = each.puzzle, each.left
    step = line_neighbours if puzzle.metric is tq.Metric.MULTI else neighbours
    if result.moves is not None:
        assert left is not None
        boards = [board.cells for board in result.boards()]
        grid = puzzle.grid
        assert boards[0] == each.start.cells
        assert puzzle.is_goal(result.boards()[-1])
        assert all(b in step(a, grid.rows, grid.columns) for a, b in pairwise(boards))
        assert result.cost == len(result.moves) == len(boards) - 1 >= left
    if left is None:
        assert result.outcome is not Outcome.SOLVED
    else:
        assert result.lower_bound <= left
        assert result.outcome is not Outcome.UNSOLVABLE
        assert not result.optimal or result.cost == left
    if is_exact:
        assert result.outcome is (Outcome.UNSOLVABLE if left is None else Outcome.SOLVED)
        assert (result.cost, result.optimal) == (left, left is not None)


def survey(seeds: range, most: int) -> Counter[tuple[str, str]]:
    """Check every engine on the puzzles of some seeds; count by engine what became of them."""
    counts: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        each = sample(seed, most)
        is_classic = Task(each.puzzle, each.start).normal is not None
        counts["puzzles", "classic" if is_classic else "others"] += 1
        counts["puzzles", "unsolvable" if each.left is None else "solvable"] += 1
        for name, asked in tasks(seed, each).items():
            for engine, task in asked:
                fit = engine.fits(task)
                assert fit.yes or fit.why_not
                assert not fit or is_classic or name not in ("table", "cpu", *ELSEWHERE)
                if not fit or name in ELSEWHERE:
                    counts[name, "fits" if fit else "refused"] += 1
                    continue
                try:
                    result = run(task, engine, Control(task.limits))
                    check(each, result, is_exact=name != "anytime")
                except UnsuitableError:
                    # A search from both ends cannot begin at a hundred thousand goals.
                    assert "mm" in str(task.algorithm)
                    counts[name, "refused"] += 1
                    continue
                except Exception as error:
                    error.add_note(f"seed {seed}: {told(each)}, {engine}, {task.algorithm}")
                    raise
                counts[name, "unsolved" if result.cost is None else "solved"] += 1
    return counts


@pytest.mark.parametrize(
    ("count", "most"), [(120, 1_000), pytest.param(6_000, 8_000, marks=pytest.mark.slow)]
)
def test_every_engine_finds_what_a_breadth_first_search_finds(count: int, most: int) -> None:
    counts = survey(range(count), most)
    for (name, what), number in sorted(counts.items()):
        print(f"{name:10}{what:12}{number:6,}")
    assert counts["puzzles", "classic"] > count / 20
    assert counts["puzzles", "others"] > count / 2
    assert counts["puzzles", "unsolvable"] > count / 20
    for name in {"auto", *ENGINES} - ELSEWHERE:
        # What these do at least is to solve classic puzzles.
        is_for_all = name in ("auto", "general", "glass")
        assert counts[name, "solved"] > count / (2 if is_for_all else 40)
    assert not any(counts[name, "refused"] for name in ("auto", "general", "anytime"))


@pytest.mark.parametrize(
    ("start", "goal", "metric", "moves"),
    [
        (". 0 . . / . . . . / . . . .", ". 0 * * / * * * * / * * * *", "multi", 0),
        ("0 . / A .", "A . / * 0", "single", 2),
        ("0 A . / . . .", ". * * / * A 0", "multi", 5),
    ],
)
def test_a_goal_may_name_each_label_once_where_the_board_repeats_them(
    start: str, goal: str, metric: str, moves: int
) -> None:
    # In a process of its own, which a kernel that reads beyond its arrays may end.
    command = [sys.executable, "-m", "taquin", "solve", start, "--goal", goal, "--metric", metric]
    done = subprocess.run(
        [*command, "--anytime", "--max-seconds", "60"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    expected = f"in {moves} moves; no solution is shorter" if moves else "it stands: 0 moves"
    assert expected in done.stdout


def test_a_thread_without_memory_leaves_the_solution_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(improver: Improver, width: int) -> None:
        raise MemoryError

    monkeypatch.setattr(Improver, "_attempt", fail)
    result = tq.solve(tq.random_board("6x6", 1), algorithm=Anytime(seconds=600, threads=2))
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, Limit.MEMORY)
    assert result.cost


class BrokenThreadError(Exception):
    """What a thread raises that is not the caller's."""


def broken(work: Callable[..., Any], is_everywhere: bool) -> Callable[..., Any]:
    """Return `work`, which raises; in threads that are not the caller's, or everywhere."""

    def works(*how: Any) -> Any:
        if is_everywhere or current_thread() is not main_thread():
            raise BrokenThreadError
        return work(*how)

    return works


@pytest.mark.parametrize("is_everywhere", [False, True])
@pytest.mark.parametrize(
    ("engine", "owner", "name"),
    [
        (Anytime(seconds=600, threads=2), Improver, "run"),
        (Cpu(None, threads=2), Stacks, "work"),
        (General(threads=2), ParallelSearcher, "_work"),
    ],
    ids=str,
)
def test_an_exception_in_a_thread_ends_the_search_and_reaches_the_caller_once(
    engine: Engine,
    owner: Any,
    name: str,
    is_everywhere: bool,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    monkeypatch.setattr(owner, name, broken(getattr(owner, name), is_everywhere))
    for module in ("cpu.team", "general.parallel"):
        monkeypatch.setattr(f"taquin.engine.{module}.threads_worth", lambda *_: 2)
    started = threading.active_count()
    # No thread would solve it in time, so that the exception ends the search.
    task = Task(tq.Puzzle(tq.Goal.blank_last(5, 5)), tq.random_board("5x5", 1))
    with pytest.raises(BrokenThreadError):
        run(task, engine, Control())
    assert told == []
    assert capfd.readouterr().err == ""
    assert threading.active_count() == started or not isinstance(engine, Anytime)
