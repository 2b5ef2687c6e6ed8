"""Searches by name in compiled code: every counter is that of the glass box."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import taquin as tq
from taquin.engine import choose
from taquin.engine.choose import Auto, run
from taquin.engine.general import team
from taquin.engine.glass import GlassBox
from taquin.engine.textbook.engine import Textbook
from taquin.model.puzzle import Puzzle
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Limits, Result, Stats, Task
from tests.engine.puzzles import drawn


def solved(task: Task, threads: int = 1) -> Result:
    return run(task, Textbook(threads), Control(task.limits))


def counted(stats: Stats) -> Stats:
    return replace(stats, seconds=0, cpu_seconds=0, peak_memory=0)


def test_ida_star_on_any_puzzle_generates_the_nodes_of_the_glass_box(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # So few that the threads share these small trees.
    monkeypatch.setattr(team, "_ALONE", 50)
    monkeypatch.setattr(team, "_ROOTS", 4)
    limits = Limits(nodes=10_000)
    compared = 0
    for seed in range(100):
        puzzle, rng = drawn(seed), random.Random(seed)
        order = "".join(rng.sample("UDLR", 4))
        heuristic, duplicates = rng.choice(["manhattan", "zero"]), rng.choice(["parent", "none"])
        text = f"idastar({heuristic}, duplicates={duplicates}, directions={order})"
        task = Task(puzzle.puzzle, puzzle.start, as_search(text))
        glass = run(replace(task, limits=limits), GlassBox(), Control(limits))
        if glass.limit is not None or not Textbook().fits(task):
            continue
        compared += 1
        for threads in (1, 3):
            result = solved(task, threads)
            assert counted(result.stats) == counted(glass.stats)
            assert result.moves == glass.moves
            assert (result.outcome, result.lower_bound) == (glass.outcome, glass.lower_bound)
    assert compared > 5


@pytest.mark.slow
def test_korfs_counts_of_1985_come_out_exactly(data: Path) -> None:
    puzzle = Puzzle(tq.Goal.blank_first(4, 4))
    rows = [line.split() for line in (data / "korf100.txt").read_text().splitlines()]
    rows = [row for row in rows if row and row[0] != "#"]
    easy = [row for row in rows if int(row[19]) < 3_000_000]
    assert len(easy) == 16
    for row in easy:
        start = tq.Board(puzzle.grid, tuple(map(int, row[1:17])))
        result = solved(Task(puzzle, start, tq.IDAStar()), threads=2)
        nodes = (result.stats.generated or 0) - (result.stats.duplicates or 0) + 1
        assert (result.cost, nodes) == (int(row[18]), int(row[19]))


def test_a_named_search_that_it_does_not_know_is_left_to_the_glass_box() -> None:
    repeated = Task(Puzzle(tq.Goal.parse("a a / b 0")), tq.Board.parse("a a / 0 b"), tq.IDAStar())
    goal = tq.Goal.blank_last(4, 4)
    classic = Task(Puzzle(goal), tq.random_walk(goal, 9, 1))
    for task in (
        repeated,
        replace(classic, algorithm=as_search("idastar(gaschnig)")),
        replace(classic, algorithm=as_search("idastar(duplicates=reached)")),
        replace(classic, algorithm=tq.IDAStar(), limits=Limits(nodes=100_000)),
    ):
        assert not Textbook().fits(task)
        assert type(Auto().engine_for(task)) is not Textbook
    assert type(Auto().engine_for(replace(classic, algorithm=tq.IDAStar()))) is Textbook


def test_a_try_in_the_glass_box_adds_nothing_to_the_counts_of_a_named_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = tq.random_walk(tq.Goal.blank_last(4, 4), 30, 4)
    alone = tq.solve(start, algorithm="idastar", engine="glass")
    monkeypatch.setattr(choose, "_boards", count())
    monkeypatch.setattr(choose, "_TRY_NODES", 20)
    tried = tq.solve(start, algorithm="idastar")
    assert tried.engine.name == "textbook"
    assert counted(tried.stats) == counted(alone.stats)
