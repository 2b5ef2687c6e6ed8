"""What every heuristic claims of itself, against exhaustive truth."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, lru_cache

import pytest

from taquin import Board, Goal, Metric, Patterns, Puzzle, WalkingDistance
from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic, evaluator_for
from taquin.heuristics.linear_conflict import CornerTiles, LastMoves
from taquin.heuristics.per_tile import LARGEST_TABLE, Gaschnig, Manhattan, ManhattanWithAgent
from taquin.heuristics.registry import HEURISTICS, Maximum
from taquin.model.space import Space, State
from tests.puzzles import Sample, full, sample
from tests.truth import Cells, distances, neighbours

READY_MADE: tuple[Heuristic, ...] = tuple(dict.fromkeys(HEURISTICS.values()))
"""Every heuristic of the registry once, so that a new one is covered without anyone's doing."""

every_heuristic = pytest.mark.parametrize("heuristic", READY_MADE, ids=lambda h: h.name)
COMBINED = Maximum(Manhattan(), Gaschnig())
ANYWHERE = [*(each for each in READY_MADE if each not in (CornerTiles(), LastMoves())), COMBINED]
on_any_grid = pytest.mark.parametrize("heuristic", ANYWHERE, ids=lambda h: h.name)
"""Those that do not need three rows and columns without walls to add to another."""
both_metrics = pytest.mark.parametrize("metric", Metric, ids=str)


def evaluator_of(heuristic: Heuristic, space: Space) -> Evaluator | None:
    """Return the heuristic bound to `space`; None where it says that it cannot serve."""
    try:
        return evaluator_for(heuristic, space)
    except UnsuitableError:
        return None


@cache
def distances_to(goal: Goal) -> dict[Cells, int]:
    """Return the distance of every 3×3 board to a goal."""
    return distances([goal.cells], 3, 3)


NEAR = 8
"""Moves up to which every board is checked: there it shows most that an estimate is too high."""


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("goal", [Goal.blank_last(3, 3), Goal.snail(3, 3)], ids=Goal.text)
@every_heuristic
def test_claims_hold_on_the_boards_of_3x3(heuristic: Heuristic, goal: Goal, every: int) -> None:
    evaluator = evaluator_for(heuristic, full(goal).space())
    truth = distances_to(goal)
    assert len(truth) == 181_440

    @cache
    def estimate(cells: Cells) -> int:
        return evaluator.value(bytes(map(int, cells)))

    boards = [
        cells for number, cells in enumerate(truth) if truth[cells] <= NEAR or number % every == 0
    ]
    admissible = all(estimate(cells) <= truth[cells] for cells in boards)
    consistent = all(
        abs(estimate(cells) - estimate(other)) <= 1
        for cells in boards[:: min(every, 5)]
        for other in neighbours(cells, 3, 3)
    )
    assert (evaluator.admissible, evaluator.consistent) == (admissible, consistent)


@dataclass(frozen=True, slots=True)
class Slide:
    """A move, and the last of the tile steps it is made of."""

    parent: State
    child: State
    before: State
    """The state before the last step; the parent where the move is one step."""
    tile: int
    origin: int
    target: int


@lru_cache(maxsize=256)
def world(puzzle: Sample, metric: Metric) -> tuple[dict[State, int], list[Slide]]:
    """Return the distance of every state that reaches the goal, and every move between them."""
    space = puzzle.space(metric)
    ids = {label: number for number, label in enumerate(space.labels)}
    truth: dict[State, int] = {
        bytes(ids[label] for label in cells): distance
        for cells, distance in puzzle.distances(metric).items()
    }
    slide = space.slider()
    slides = []
    for parent in truth:
        for ray in space.rays[parent.index(0)]:
            before, blank = parent, parent.index(0)
            for cell in ray:
                child = slide(before, blank, cell)
                slides.append(Slide(parent, child, before, before[cell], cell, blank))
                before, blank = child, cell
    return truth, slides


def check(puzzle: Sample, metric: Metric, heuristic: Heuristic) -> None:
    """Check claims and steps on every board from which the goal can be reached."""
    evaluator = evaluator_of(heuristic, puzzle.space(metric))
    if evaluator is None:
        assert isinstance(heuristic, Patterns), "only these serve classic puzzles alone"
        return
    truth, slides = world(puzzle, metric)
    estimates = {state: evaluator.value(state) for state in truth}
    where = f"{heuristic.name} on {puzzle} in {metric}"
    assert all(estimate >= 0 for estimate in estimates.values()), where
    if evaluator.admissible:
        assert all(estimates[state] <= truth[state] for state in truth), where
    if evaluator.consistent:
        assert all(estimates[slide.parent] - estimates[slide.child] <= 1 for slide in slides), where
    for slide in slides:
        value = estimates[slide.before]
        stepped = evaluator.step(value, slide.child, slide.tile, slide.origin, slide.target)
        assert stepped == estimates[slide.child], where


FULL_GOALS = [
    Goal.blank_last(2, 2),
    Goal.blank_first(2, 3),
    Goal.snail(3, 2),
    Goal.blank_last(1, 5),
    Goal.blank_first(6, 1),
    Goal.blank_last(2, 4),
    Goal.parse("5 3 # / 1 4 2 / 6 0 #"),
]


@pytest.mark.sampled(5)
@on_any_grid
@both_metrics
@pytest.mark.parametrize("goal", FULL_GOALS, ids=lambda goal: goal.text())
def test_claims_and_steps_hold_for_full_goals(
    heuristic: Heuristic, metric: Metric, goal: Goal
) -> None:
    check(full(goal), metric, heuristic)


@pytest.mark.sampled(4)
@on_any_grid
@both_metrics
@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 600), marks=pytest.mark.slow)])
def test_claims_and_steps_hold_with_walls_repeated_labels_and_any_cells(
    heuristic: Heuristic, metric: Metric, seeds: range
) -> None:
    for seed in seeds:
        check(sample(seed, most_open=6), metric, heuristic)


@pytest.mark.parametrize("heuristic", [*READY_MADE, COMBINED], ids=lambda h: h.name)
def test_the_estimate_is_0_on_every_goal_board(heuristic: Heuristic) -> None:
    for seed in range(60):
        puzzle = sample(seed)
        space = puzzle.space()
        ids = {label: number for number, label in enumerate(space.labels)}
        evaluator = evaluator_of(heuristic, space)
        if evaluator is not None:
            for cells in puzzle.goals():
                assert evaluator.value(bytes(ids[label] for label in cells)) == 0


def solved(goal: Goal) -> tuple[Board, Goal]:
    return Board(goal.grid, goal.cells), goal


PUZZLES: dict[str, tuple[Board, Goal]] = {
    "3x4 blank first": solved(Goal.blank_first(3, 4)),
    "4x4 snail": solved(Goal.snail(4, 4)),
    "5x5 blank last": solved(Goal.blank_last(5, 5)),
    "17x17, more than 256 labels": solved(Goal.blank_first(17, 17)),
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
}


@pytest.mark.sampled(5)
@every_heuristic
@both_metrics
@pytest.mark.parametrize("name", PUZZLES)
def test_steps_agree_with_values_on_a_random_walk(
    heuristic: Heuristic, metric: Metric, name: str
) -> None:
    start, goal = PUZZLES[name]
    if heuristic == Patterns() and goal.grid.size == 25:
        pytest.skip("its tables take minutes to build")
    space = Space(Puzzle(goal, metric), start)
    bound_heuristic = evaluator_of(heuristic, space)
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
@every_heuristic
def test_steps_into_walls_do_no_harm(heuristic: Heuristic) -> None:
    start, goal = PUZZLES["4x4 with walls"]
    space = Space(Puzzle(goal), start, bumps=True)
    bound_heuristic = evaluator_of(heuristic, space)
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
