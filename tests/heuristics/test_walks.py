"""`step` agrees with `value` along random walks on grids too large to enumerate."""

from __future__ import annotations

import random

import pytest

from taquin.heuristics.base import Heuristic
from taquin.heuristics.pattern_databases import Patterns
from taquin.heuristics.per_tile import LARGEST_TABLE, Manhattan, ManhattanWithAgent
from taquin.heuristics.walking import WalkingDistance
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space
from tests.heuristics.puzzles import READY_MADE, evaluator

PUZZLES: dict[str, tuple[Board, Goal]] = {
    "3x4 blank first": (Board.parse("0 1 2 3 / 4 5 6 7 / 8 9 10 11"), Goal.blank_first(3, 4)),
    "4x4 snail": (Board(Goal.snail(4, 4).grid, Goal.snail(4, 4).cells), Goal.snail(4, 4)),
    "5x5 blank last": (
        Board(Goal.blank_last(5, 5).grid, Goal.blank_last(5, 5).cells),
        Goal.blank_last(5, 5),
    ),
    "4x4 with named tiles": (
        Board.parse(". . . . / . . . . / . . . . / A B C _"),
        Goal.parse("* A * * / * B * * / * C * * / * _ * *"),
    ),
    "4x4 with named tiles and fillers in the goal": (
        Board.parse(". . . . / . . . . / . . . . / A B C _"),
        Goal.parse(". A . . / . B . . / . C . . / . _ . ."),
    ),
    "4x4 with walls": (
        Board.parse(". . . . / . # . . / . . # . / A B C _"),
        Goal.parse("* A * * / * # * * / * C # * / * _ B *"),
    ),
    "3x5 with pairs": (
        Board.parse("1 1 2 2 3 / 3 4 4 5 5 / 6 6 7 7 _"),
        Goal.parse("1 2 3 4 5 / 6 7 _ 1 2 / 3 4 5 6 7"),
    ),
    "4x4 with a spare tile": (
        Board.parse("A A A B / B B 1 2 / 3 4 5 6 / 7 8 9 _"),
        Goal.parse("A A B * / 9 8 7 6 / 5 4 * 2 / 1 * * *"),
    ),
    "17x17, more than 256 labels": (
        Board(Goal.blank_last(17, 17).grid, Goal.blank_last(17, 17).cells),
        Goal.blank_first(17, 17),
    ),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("heuristic", READY_MADE, ids=lambda h: h.name)
@pytest.mark.parametrize("metric", Metric, ids=str)
@pytest.mark.parametrize("name", PUZZLES)
def test_steps_agree_with_values_on_a_random_walk(
    heuristic: Heuristic, metric: Metric, name: str
) -> None:
    start, goal = PUZZLES[name]
    if heuristic == Patterns() and goal.grid.size == 25:
        pytest.skip("its tables take minutes to build")
    space = Space(Puzzle(goal, metric), start)
    bound_heuristic = evaluator(heuristic, space)
    if bound_heuristic is None:
        # The tables of one may be too large; the other serves classic puzzles only.
        assert heuristic in (WalkingDistance(), Patterns())
        return
    chance = random.Random(3)
    slide = space.slider()
    state = space.start
    blank = state.index(0)
    value = bound_heuristic.value(state)
    for _ in range(120):
        ray = chance.choice(space.rays[blank])
        for cell in ray[: chance.randint(1, len(ray))]:
            tile = state[cell]
            state = slide(state, blank, cell)
            value = bound_heuristic.step(value, state, tile, cell, blank)
            blank = cell
            assert value == bound_heuristic.value(state)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("heuristic", READY_MADE, ids=lambda h: h.name)
def test_steps_into_walls_do_no_harm(heuristic: Heuristic) -> None:
    start, goal = PUZZLES["4x4 with walls"]
    space = Space(Puzzle(goal), start, bumps=True)
    bound_heuristic = evaluator(heuristic, space)
    if bound_heuristic is None:
        assert heuristic == Patterns(), "only these serve classic puzzles alone"
        return
    chance = random.Random(9)
    for _ in range(200):
        state = space.start
        while not space.is_blocked(state):
            parent, state = state, chance.choice(space.successors(state))
        blank, origin = parent.index(0), state.index(0)
        tile = parent[origin]
        value = bound_heuristic.value(state)
        stepped = bound_heuristic.step(bound_heuristic.value(parent), state, tile, origin, blank)
        assert value >= 0
        assert stepped == value


@pytest.mark.parametrize("heuristic", [Manhattan(), ManhattanWithAgent()], ids=lambda h: h.name)
def test_grids_too_large_for_a_table_give_the_same_distances(heuristic: Heuristic) -> None:
    goal = Goal.blank_first(32, 32)
    start = Board(goal.grid, Goal.blank_last(32, 32).cells)
    space = Space(Puzzle(goal), start)
    large = heuristic.bind(space)
    assert len(space.labels) * goal.grid.size > LARGEST_TABLE
    tiles = sum(
        goal.grid.distance(cell, goal.cells.index(label))
        for cell, label in enumerate(start.cells)
        if label != 0
    )
    counts_agent = isinstance(heuristic, ManhattanWithAgent)
    assert large.value(space.start) == tiles + (62 if counts_agent else 0)
    assert large.admissible is not counts_agent
    state, blank = space.start, 1023
    value = large.value(state)
    for cell in (1022, 990, 991, 1023):
        tile = state[cell]
        state = space.slider()(state, blank, cell)
        value = large.step(value, state, tile, cell, blank)
        blank = cell
        assert value == large.value(state)
