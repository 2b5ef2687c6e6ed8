"""Each heuristic against its naive twin and against published values."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import (
    Board,
    BoardLike,
    Direction,
    Goal,
    Grid,
    LinearConflict,
    Puzzle,
    random_board,
    random_walk,
)
from taquin.errors import MismatchError, UnsuitableError
from taquin.heuristics import registry as estimating
from taquin.heuristics.base import Heuristic, Zero, evaluator_for
from taquin.heuristics.per_tile import (
    Gaschnig,
    Manhattan,
    ManhattanWithAgent,
    Misplaced,
    assignment_cost,
    cells_key,
    cheapest_assignment,
)
from taquin.heuristics.walking import InversionDistance, LinePuzzle, WalkingDistance, costs
from taquin.model.space import Space
from tests import naive
from tests.naive import distance
from tests.puzzles import full, sample
from tests.truth import Cells, spread

Twin = Callable[[Cells, Cells, int], int]

TWINS: dict[Heuristic, Twin] = {
    Zero(): lambda cells, goal, columns: 0,
    Misplaced(): lambda cells, goal, columns: naive.misplaced(cells, goal),
    Manhattan(): naive.manhattan,
    ManhattanWithAgent(): naive.manhattan_with_agent,
    LinearConflict(): naive.linear_conflict,
}
FULL_GOAL_TWINS: dict[Heuristic, Twin] = {
    InversionDistance(): naive.inversion_distance,
    WalkingDistance(): naive.walking_distance,
}


def estimate(heuristic: Heuristic, text: str, goal: Goal) -> int:
    space = Space(Puzzle(goal), Board.parse(text))
    return evaluator_for(heuristic, space).value(space.start)


def shuffled(cells: Cells, chance: random.Random) -> Cells:
    """Return the tiles in another order, the walls left where they are."""
    places = [cell for cell, label in enumerate(cells) if label != "#"]
    other = list(cells)
    for cell, source in zip(places, chance.sample(places, len(places)), strict=True):
        other[cell] = cells[source]
    return tuple(other)


@pytest.mark.parametrize("heuristic", TWINS, ids=lambda h: h.name)
def test_twins_agree_on_any_puzzle(heuristic: Heuristic) -> None:
    chance = random.Random(7)
    for seed in range(150):
        puzzle = sample(seed)
        space = puzzle.space()
        evaluator = evaluator_for(heuristic, space)
        for _ in range(5):
            cells = shuffled(puzzle.start, chance)
            state = space.encode(Board(space.puzzle.grid, cells))
            expected = TWINS[heuristic](cells, puzzle.goal, puzzle.columns)
            assert evaluator.value(state) == expected, (puzzle, cells)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("heuristic", TWINS | FULL_GOAL_TWINS, ids=lambda h: h.name)
@pytest.mark.parametrize(
    "goal",
    [Goal.blank_last(4, 4), Goal.blank_first(4, 4), Goal.snail(3, 4), Goal.blank_first(4, 3)],
    ids=lambda goal: goal.text(),
)
def test_twins_agree_on_larger_full_goals(heuristic: Heuristic, goal: Goal) -> None:
    chance = random.Random(11)
    twin = (TWINS | FULL_GOAL_TWINS)[heuristic]
    space = full(goal).space()
    evaluator = evaluator_for(heuristic, space)
    for number in range(1, 21):
        cells = random_walk(goal, chance.randrange(200), 11, number=number).cells
        state = space.encode(Board(goal.grid, cells))
        assert evaluator.value(state) == twin(cells, goal.cells, goal.grid.columns)


def test_gaschnig_is_the_exact_number_of_swaps_on_any_puzzle() -> None:
    for seed in range(120):
        puzzle = sample(seed, most_open=6)
        space = puzzle.space()
        evaluator = evaluator_for(Gaschnig(), space)
        for cells, swaps in spread(puzzle.goals(), naive.swaps).items():
            state = space.encode(Board(space.puzzle.grid, cells))
            assert evaluator.value(state) == swaps, (puzzle, cells)


def test_inversions_of_repeated_labels_are_the_fewest_of_any_numbering() -> None:
    chance = random.Random(5)
    goal: Cells = (1, 2, 1, 2, 3, 3, 0, 3)
    for _ in range(40):
        cells = shuffled(goal, chance)
        found = estimate(
            InversionDistance(),
            Board(Goal.blank_last(2, 4).grid, cells).text(),
            Goal(Goal.blank_last(2, 4).grid, goal),
        )
        assert found == fewest_moves(cells, goal, range(8), 3) + fewest_moves(
            cells, goal, [0, 4, 1, 5, 2, 6, 3, 7], 1
        )


def fewest_moves(cells: Cells, goal: Cells, order: list[int] | range, passed: int) -> int:
    """Number the tiles of each label in every way and take the fewest inversions."""
    read = [cells[cell] for cell in order if cells[cell] != 0]
    ranks = {
        label: [place for place, cell in enumerate(order) if goal[cell] == label]
        for label in set(read)
    }
    fewest = min(
        sum(first > second for first, second in combinations(_numbered(read, [one, two, three]), 2))
        for one in permutations(ranks[1])
        for two in permutations(ranks[2])
        for three in permutations(ranks[3])
    )
    return -(-fewest // passed)


def _numbered(read: list[int | str], ranks: list[tuple[int, ...]]) -> list[int]:
    pending = {label: iter(numbers) for label, numbers in zip((1, 2, 3), ranks, strict=True)}
    return [next(pending[int(label)]) for label in read]


@pytest.mark.parametrize(
    ("heuristic", "board", "goal", "value"),
    [
        (Misplaced(), "8 1 3 / 4 _ 2 / 7 6 5", Goal.blank_last(3, 3), 5),
        (Manhattan(), "8 1 3 / 4 _ 2 / 7 6 5", Goal.blank_last(3, 3), 10),
        (LinearConflict(), "2 3 1 / 4 5 6 / 7 8 _", Goal.blank_last(3, 3), 6),
        (Gaschnig(), "2 3 1 / 4 5 6 / 7 8 _", Goal.blank_last(3, 3), 4),
        (ManhattanWithAgent(), "1 2 3 / 4 5 6 / 7 _ 8", Goal.blank_last(3, 3), 2),
        (InversionDistance(), "4 2 3 / 5 1 _", Goal.blank_last(2, 3), 7),
        # Korf's first board, from both customary goals.
        (Manhattan(), "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3", Goal.blank_first(4, 4), 41),
        (Manhattan(), "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3", Goal.blank_last(4, 4), 51),
        # The agent counts only where the goal names its cell.
        (ManhattanWithAgent(), "A _ . / . . .", Goal.parse("* * A / * * _"), 2 + 2),
        (ManhattanWithAgent(), "A _ . / . . .", Goal.parse("* * A / * * *"), 2),
    ],
)
def test_the_boards_drawn_in_the_docstrings_have_the_values_given_there(
    heuristic: Heuristic, board: str, goal: Goal, value: int
) -> None:
    assert estimate(heuristic, board, goal) == value


def test_four_columns_take_a_third_of_the_inversions_and_the_rest() -> None:
    assert [naive.moves_to_undo(count, 3) for count in range(50)] == [
        count // 3 + count % 3 for count in range(50)
    ]


def test_the_puzzle_of_rows_of_4x4_has_24964_positions() -> None:
    wanted = tuple(tuple((4 - (row == 3)) * (row == kind) for kind in range(4)) for row in range(4))
    table = costs(LinePuzzle((4,) * 4, (True,) * 3, wanted, (0,) * 4, 3))
    assert table is not None
    assert len(table) == len(naive.line_costs(4, 4, 3)) == 24_964


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shape", [(5, 5), (4, 5), (10, 10), (40, 40)])
def test_walking_distance_refuses_tables_that_are_too_large(shape: tuple[int, int]) -> None:
    space = full(Goal.blank_last(*shape)).space()
    with pytest.raises(UnsuitableError, match=r"400,000 positions on .*; use linear-conflict"):
        evaluator_for(WalkingDistance(), space)


def test_a_distance_with_the_agent_is_admissible_only_where_the_goal_leaves_its_cell_open() -> None:
    start = Board.parse("A _ . / . . .")
    for goal, is_admissible in (("* * A / * * _", False), ("* * A / * * *", True)):
        space = Space(Puzzle(Goal.parse(goal)), start)
        assert ManhattanWithAgent().bind(space).admissible is is_admissible


def test_the_agent_on_a_wall_is_as_far_as_if_the_wall_were_open() -> None:
    goal = Goal.parse("* # _ / * A *")
    start = Board.parse("_ # . / A . .")
    space = Space(Puzzle(goal), start, directions=tuple(Direction), bumps=True)
    evaluator = ManhattanWithAgent().bind(space)
    bumped = next(state for state in space.successors(space.start) if space.is_blocked(state))
    assert evaluator.value(space.start) == 1 + 2
    assert evaluator.value(bumped) == 1 + 1
    wall = space.labels.index("#")
    assert evaluator.step(3, bumped, wall, 1, 0) == 2


@pytest.mark.parametrize("metric", ["single", "multi"])
@pytest.mark.parametrize("heuristic", ["manhattan", "misplaced", "gaschnig"])
def test_estimates_of_many_are_those_of_each(heuristic: str, metric: str) -> None:
    boards: list[BoardLike] = [
        *(random_board("3x3", 1, number=number) for number in range(1, 20)),
        *("8 1 3 / 4 0 2 / 7 6 5", "3 1 / 2 0", [[1, 2, 3, 4], [5, 7, 6, 0]]),
    ]
    one_by_one = [estimating.estimate(heuristic, board, None, metric) for board in boards]
    assert estimating.estimates(heuristic, boards, None, metric) == one_by_one


def test_boards_with_other_tiles_of_one_label_are_told_apart() -> None:
    goal = "A A B / * * *"
    boards = ["B A A / . . 0", "B B A / A . 0", "A B A / . . 0"]
    expected = [estimating.estimate("manhattan", board, goal) for board in boards]
    assert estimating.estimates("manhattan", boards, goal) == expected
    with pytest.raises(MismatchError):
        estimating.estimates("manhattan", ["B A A / . . 0", "B B B / A . 0"], goal)


def test_the_cost_of_an_assignment_is_read_from_a_key_of_one_byte_per_cell() -> None:
    assert cells_key(bytes((1, 2, 0, 1)), 1) == 1 | 1 << 24
    assert cells_key((300, 2, 0, 300), 300) == 1 | 1 << 24
    # Both tiles are nearest to one place, which they do not share.
    assert assignment_cost(Grid(1, 4), {1, 3})(1 | 1 << 8) == 3


@st.composite
def cost_tables(draw: st.DrawFn) -> list[list[int]]:
    rows = draw(st.integers(0, 5))
    columns = draw(st.integers(max(rows, 1), 6))
    row = st.lists(st.integers(0, 20), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@given(cost_tables())
def test_cheapest_assignment_is_the_least_over_all_of_them(costs: list[list[int]]) -> None:
    columns = range(len(costs[0])) if costs else range(0)
    least = min(
        sum(costs[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(columns, len(costs))
    )
    assert cheapest_assignment(costs) == least


@given(st.data())
def test_every_place_gets_a_tile_of_its_own_at_the_least_distance(data: st.DataObject) -> None:
    cells = st.integers(0, 11)
    places = data.draw(st.sets(cells, max_size=5))
    tiles = data.draw(st.sets(cells, min_size=len(places), max_size=7))
    least = min(
        sum(distance(place, tile, 4) for place, tile in zip(places, chosen, strict=True))
        for chosen in permutations(tiles, len(places))
    )
    assert assignment_cost(Grid(3, 4), places)(sum(1 << 8 * tile for tile in tiles)) == least
