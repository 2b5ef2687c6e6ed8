"""The compiled search for any puzzle: shortest solutions."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count, permutations
from math import inf

import pytest

import taquin as tq
from taquin.analysis import explore
from taquin.engine.base import run
from taquin.engine.general import engine, estimates
from taquin.engine.general.engine import General
from taquin.engine.general.form import form_of, steps_on
from taquin.engine.glass import GlassBox, estimate
from taquin.model.puzzle import Puzzle
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Result, Task, Want
from tests.puzzles import Drawn, drawn

WALLED = Puzzle(tq.Goal.parse("1 2 3 4 / 5 # 6 7 / 8 9 10 11 / 12 13 14 0"))
HARD = tq.Board.parse("7 4 1 13 / 10 # 3 12 / 0 5 11 8 / 9 6 2 14")
"""Takes 70 moves, and millions of nodes."""


def solved(task: Task, threads: int = 1) -> Result:
    return run(task, General(threads), Control(task.limits))


def check(puzzle: Drawn, threads: int = 1) -> None:
    result = solved(Task(puzzle.puzzle, puzzle.start), threads)
    assert result.cost == puzzle.left
    if puzzle.left is None:
        assert result.outcome is Outcome.UNSOLVABLE
    else:
        assert result.optimal
        assert puzzle.puzzle.is_goal(result.boards()[-1])


def force(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every puzzle solved in one of the ways there are."""
    if how == "at once":
        return
    monkeypatch.setattr(engine, "EXACT", 0)
    monkeypatch.setattr(engine, "_FEW_BOARDS", 10**9 if how == "breadth" else 0)
    if how == "large tables":
        monkeypatch.setattr(engine, "SMALL", 1 << 19)
    if how == "no tables":
        monkeypatch.setattr(engine, "SMALL", 0)
        monkeypatch.setattr(estimates, "_FEW_TILES", 0)


WAYS = ["at once", "small tables", "large tables", "no tables", "breadth"]


@pytest.mark.parametrize(
    ("how", "count"),
    [
        ("at once", 250),
        ("no tables", 60),
        *(pytest.param(how, 2_000, marks=pytest.mark.slow) for how in WAYS),
    ],
)
def test_random_puzzles_of_every_kind_have_the_lengths_that_enumeration_finds(
    how: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    force(how, monkeypatch)
    for seed in range(count):
        check(drawn(seed), 1 + seed % 2)


@pytest.mark.slow
def test_a_board_that_proves_hard_goes_on_with_larger_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = solved(Task(WALLED, HARD))
    monkeypatch.setattr(engine.Stages.__init__, "__kwdefaults__", {"hard": 1_000})
    soon = solved(Task(WALLED, HARD))
    assert (soon.cost, soon.optimal) == (whole.cost, whole.optimal) == (70, True)
    assert [bound for bound, _ in soon.bounds] == [bound for bound, _ in whole.bounds]
    assert (soon.stats.generated or 0) < (whole.stats.generated or 0)


@pytest.mark.slow
def test_where_no_memory_is_left_for_boards_tables_take_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine.Stages.__init__, "__kwdefaults__", {"hard": 0})
    monkeypatch.setattr(engine, "is_narrow", lambda form: True)
    monkeypatch.setattr(engine, "_MOST_BOARDS", 20_000)
    assert solved(Task(WALLED, HARD)).cost == 70


def test_neither_the_solution_nor_the_counts_depend_on_the_threads() -> None:
    one, two = (solved(Task(WALLED, HARD), threads) for threads in (1, 2))
    assert (one.moves, one.bounds) == (two.moves, two.bounds)
    assert one.stats.generated == two.stats.generated


@pytest.mark.sampled(2)
@pytest.mark.parametrize("metric", ["single", "multi"])
def test_every_shortest_solution_is_listed_once(metric: str) -> None:
    # Farther boards have so many that the glass box takes minutes for them.
    near = [each for each in map(drawn, range(60)) if (each.left or 0) <= 12]
    assert len(near) > 20
    for puzzle in near:
        task = Task(replace(puzzle.puzzle, metric=tq.Metric(metric)), puzzle.start, want=Want.EVERY)
        ours = list(General(1).every(task, Control()))
        assert len(set(ours)) == len(ours)
        assert set(ours) == set(GlassBox().every(task, Control()))


def test_the_list_of_solutions_keeps_the_limit_on_nodes() -> None:
    puzzle = next(each for each in map(drawn, count()) if each.left)
    alone = solved(Task(puzzle.puzzle, puzzle.start))
    limits = Limits(nodes=(alone.stats.generated or 0) + 1)
    control = Control(limits)
    task = Task(puzzle.puzzle, puzzle.start, want=Want.EVERY, limits=limits)
    assert not list(General(1).every(task, control))
    assert control.limit is Limit.NODES


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("nodes", [10_000, 123_456, 2_500_000])
def test_no_more_nodes_are_generated_than_the_limit_allows(nodes: int, threads: int) -> None:
    result = solved(Task(WALLED, HARD, limits=Limits(nodes=nodes)), threads)
    assert result.limit is Limit.NODES
    # Two threads hold a slice each when the last one is gone.
    assert nodes - (10 if threads == 1 else nodes // 2) <= (result.stats.generated or 0) <= nodes
    assert estimate(Task(WALLED, HARD)) <= result.lower_bound < 70


def test_breadth_first_search_keeps_the_limit_on_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    force("breadth", monkeypatch)
    result = solved(Task(WALLED, HARD, limits=Limits(nodes=50_000)))
    assert result.limit is Limit.NODES
    assert (result.stats.generated or 0) <= 50_000


def test_a_table_of_sets_has_the_cheapest_assignment_and_lines_no_more() -> None:
    goal = tq.Goal.parse("a a a / a # . / . . 0")
    form, _ = form_of(Puzzle(goal), tq.Board(goal.grid, goal.cells))
    members = next(tiles for tiles in form.members.values() if len(tiles) == 4)
    places = form.places(form.groups[members[0]])
    steps = [[inf] * form.size for _ in range(form.size)]
    for cell in range(form.size):
        steps[cell][cell] = 0
    for _ in range(form.size):
        for one, other in steps_on(form).edges.tolist():
            for found in steps:
                found[other] = min(found[other], found[one] + 1)
    (by_set,), lines = estimates._sets(form, members), estimates._lines(form, members)
    rng = random.Random(1)
    for _ in range(50):
        cells = rng.sample(range(form.size), 4)
        best = min(
            sum(steps[place][cell] for place, cell in zip(places, order, strict=True))
            for order in permutations(cells)
        )
        assert by_set.table[sum(1 << cell for cell in cells)] == best
        crossing = sum(
            int(slot.table[sum(slot.spots[members[0]][cell] for cell in cells)]) for slot in lines
        )
        assert crossing <= best


@pytest.mark.slow
def test_large_boards_with_few_tiles_or_groups_are_solved() -> None:
    wide = tq.Goal.parse("* * * * * * / * * * * * * / * * * * * * / * * * * * * / * * * * * A")
    start = tq.Board.parse("A" + " ." * 5 + (" /" + " ." * 6) * 3 + " /" + " ." * 5 + " 0")
    assert solved(Task(Puzzle(wide), start)).cost == tq.solve(start, wide, engine="glass").cost
    halves = tq.Goal.parse("a a a a a a / a a a a a a / b b b b b b / b b b b b 0")
    shuffled = tq.random_walk(halves, 24, 2)
    glass = tq.solve(shuffled, halves, engine="glass")
    assert solved(Task(Puzzle(halves), shuffled)).cost == glass.cost
    classic = tq.Goal.blank_last(12, 30)
    near = tq.random_walk(classic, 20, 1)
    assert solved(Task(Puzzle(classic), near)).cost == tq.solve(near, engine="glass").cost


@pytest.mark.slow
def test_compiled_code_and_the_model_count_the_same_survey(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(80):
        puzzle = drawn(seed)
        monkeypatch.setattr(explore, "_WORTH_LOADING", 10**9)
        by_model = tq.survey(puzzle.puzzle, puzzle.start, most_farthest=5)
        monkeypatch.setattr(explore, "_WORTH_LOADING", 0)
        assert tq.survey(puzzle.puzzle, puzzle.start, most_farthest=5) == by_model
