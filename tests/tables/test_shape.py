"""Every classic puzzle has one normal form."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest

from taquin import Board, Goal, Metric, Puzzle, TaquinError, random_walk, solve
from taquin.tables.distances import DistanceTable, board_at, number_of
from taquin.tables.shape import Normal, Shape, moves_along, normal_form, shape_of, steps_along
from tests import naive, truth

PICTURE = Goal.parse("7 3 _ / 5 9 8")


def test_the_goal_drawn_in_the_docstring_reads_as_said_there() -> None:
    found = normal_form(Puzzle(PICTURE), Board(PICTURE.grid, PICTURE.cells))
    assert found == Normal(Shape(2, 3, 2), (2, 1, 0, 3, 4, 5))
    assert found.board == found.shape.goal
    assert (found.solvable, found.manhattan, found.where) == (True, 0, (2, 1, 0, 3, 4, 5))


@pytest.mark.parametrize("blank", range(6))
def test_solvable_and_manhattan_are_those_of_exhaustive_truth(blank: int) -> None:
    shape = Shape(3, 2, blank)
    known = truth.distances([shape.goal], 3, 2)
    rng = random.Random(blank)
    for _ in range(300):
        board = tuple(rng.sample(range(6), 6))
        normal = Normal(shape, board)
        assert normal.solvable == (board in known)
        homes = {name: shape.goal.index(name) for name in range(1, 6)}
        assert normal.manhattan == sum(
            naive.distance(board.index(name), home, 2) for name, home in homes.items()
        )


@pytest.mark.parametrize("blank", range(6))
def test_a_board_and_its_inverse_are_as_far_from_their_goals(blank: int) -> None:
    known = {cell: truth.distances([Shape(2, 3, cell).goal], 2, 3) for cell in range(6)}
    for board, distance in known[blank].items():
        normal = Normal(Shape(2, 3, blank), board)
        inverse = normal.inverse
        assert known[inverse.shape.blank][inverse.board] == distance
        assert inverse.inverse == normal


def test_the_form_depends_on_places_and_the_metric_and_not_on_labels() -> None:
    named, numbered = Puzzle(Goal.parse("A B / C _")), Puzzle(Goal.blank_last(2, 2))
    forms = normal_form(named, Board("B A / _ C")), normal_form(numbered, Board("2 1 / _ 3"))
    assert forms[0] == forms[1]
    goal = Goal.blank_last(4, 4)
    assert shape_of(goal) == Shape(4, 4, 15)
    assert normal_form(Puzzle(goal, Metric.MULTI), Board(goal.grid, goal.cells)) is None


OTHERS = ["1 2 # / 3 _ 4", "1 2 3 _ /", "1 1 2 / 3 4 _", "* 1 / 2 3", Goal.blank_last(6, 6).text()]


@pytest.mark.parametrize("goal", OTHERS)
def test_other_goals_have_no_shape(goal: str) -> None:
    assert shape_of(Goal.parse(goal)) is None


def test_every_symmetry_maps_neighbours_onto_neighbours() -> None:
    shape = Shape(3, 4, 5)
    for other, image in shape.symmetries:
        assert other.blank == image[5]
        for cell, near in enumerate(shape.steps):
            images = {image[there] for _, there in near}
            assert images == {there for _, there in other.steps[image[cell]]}


def test_moves_along_the_blanks_way_name_tile_and_direction() -> None:
    moves = moves_along(Board.parse("A B / _ C"), (2, 0, 1))
    assert [str(move) for move in moves] == ["A down", "B left"]
    assert moves == steps_along(Board.parse("A B / _ C"), (0, 2))


def test_single_steps_are_the_moves_along_their_cells() -> None:
    puzzle = Puzzle(Goal.blank_last(3, 4))
    start = random_walk(puzzle, 200, seed=1)
    blanks = [board.blank for board in puzzle.replay(start, solve(start).moves or ())]
    ways = [(-4, -1, 1, 4).index(after - before) for before, after in pairwise(blanks)]
    assert set(ways) == {0, 1, 2, 3}
    assert steps_along(start, ways) == moves_along(start, blanks)


def test_the_form_of_a_second_board_is_had_at_once() -> None:
    puzzle = Puzzle(Goal.blank_last(4, 4))
    board = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
    normal_form(puzzle, board)
    before = shape_of.cache_info()
    normal_form(puzzle, board)
    after = shape_of.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


@pytest.mark.parametrize(
    ("shape", "every"),
    [((2, 2), 1), ((2, 3), 1), ((3, 2), 1), ((2, 4), 3), ((4, 2), 3), ((3, 3), 9)],
)
def test_boards_of_random_goals_have_their_distance_and_a_solution(
    shape: tuple[int, int], every: int
) -> None:
    goal = list(range(shape[0] * shape[1]))
    random.Random(1).shuffle(goal)
    table = DistanceTable(Shape(*shape, goal.index(0)))
    known = truth.distances([tuple(goal)], *shape)
    names = dict(zip(goal, table.shape.goal, strict=True))
    for board, distance in islice(known.items(), 0, None, every):
        assert table.moves_left(tuple(names[tile] for tile in board)) == distance
    for board in random.Random(2).sample(sorted(known), 12):
        blanks = table.solution(tuple(names[tile] for tile in board))
        assert blanks is not None
        assert len(blanks) - 1 == known[board]
        assert naive.replay(*shape, board, blanks) == tuple(goal)
    counts = list(known.values())
    assert list(table.histogram()) == [counts.count(far) for far in range(max(counts) + 1)]


def test_numbers_and_boards_correspond() -> None:
    rng = random.Random(3)
    for cells in (4, 6, 9, 12):
        for _ in range(50):
            board = list(range(cells))
            rng.shuffle(board)
            order = [tile for tile in board if tile]
            odd = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) & 1
            assert board_at(cells, *number_of(board), bool(odd)) == tuple(board)


def test_unsolvable_boards_have_no_moves_left_and_large_grids_no_table() -> None:
    table, board = DistanceTable(Shape(3, 3, 0)), (0, 2, 1, 3, 4, 5, 6, 7, 8)
    assert (table.moves_left(board), table.solution(board)) == (None, None)
    with pytest.raises(TaquinError, match="9 cells"):
        DistanceTable(Shape(3, 4, 0))
