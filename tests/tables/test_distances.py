"""The complete table agrees with an exhaustive search for any goal."""

import json
import random
from itertools import islice
from pathlib import Path

import pytest

from taquin.errors import TaquinError
from taquin.tables.distances import DistanceTable, board_at, number_of
from taquin.tables.shape import Shape
from tests import naive, truth


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)])
def test_every_board_for_random_goals(shape: tuple[int, int]) -> None:
    rng = random.Random(1)
    for _ in range(2):
        goal = list(range(shape[0] * shape[1]))
        rng.shuffle(goal)
        table = DistanceTable(Shape(*shape, goal.index(0)))
        known = truth.distances([tuple(goal)], *shape)
        names = dict(zip(goal, table.shape.goal, strict=True))
        for board, distance in known.items():
            assert table.moves_left(tuple(names[tile] for tile in board)) == distance
        assert sum(table.histogram()) == len(known)


def test_every_fifth_3x3_board_and_a_solution_for_some() -> None:
    goal = (8, 1, 3, 2, 0, 4, 7, 6, 5)
    table = DistanceTable(Shape(3, 3, 4))
    known = truth.distances([goal], 3, 3)
    names = dict(zip(goal, table.shape.goal, strict=True))
    for board, distance in islice(known.items(), 0, None, 5):
        assert table.moves_left(tuple(names[tile] for tile in board)) == distance
    for board in random.Random(2).sample(sorted(known), 50):
        blanks = table.solution(tuple(names[tile] for tile in board))
        assert blanks is not None
        assert len(blanks) - 1 == known[board]
        assert naive.replay(3, 3, board, blanks) == goal


def test_unsolvable_boards_have_no_moves_left() -> None:
    table = DistanceTable(Shape(3, 3, 0))
    assert table.moves_left((0, 2, 1, 3, 4, 5, 6, 7, 8)) is None
    assert table.solution((0, 2, 1, 3, 4, 5, 6, 7, 8)) is None


def test_histogram_is_the_published_one(data: Path) -> None:
    published = json.loads((data / "depth_histograms.json").read_text())
    assert list(DistanceTable(Shape(3, 3, 8)).histogram()) == published["single:3x3"]


def test_numbers_and_boards_correspond() -> None:
    rng = random.Random(3)
    for cells in (4, 6, 9, 12):
        for _ in range(50):
            board = list(range(cells))
            rng.shuffle(board)
            order = [tile for tile in board if tile]
            odd = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) & 1
            assert board_at(cells, *number_of(board), bool(odd)) == tuple(board)


def test_large_grids_are_refused() -> None:
    with pytest.raises(TaquinError, match="9 cells"):
        DistanceTable(Shape(3, 4, 0))
