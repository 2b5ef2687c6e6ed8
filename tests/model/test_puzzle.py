from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import IllegalMoveError, MismatchError
from taquin.model.board import Board
from taquin.model.moves import Direction, Label, Metric, Move
from taquin.model.puzzle import Goal, Puzzle
from tests.model.strategies import boards, metrics

EIGHT = Puzzle(Goal.blank_last(3, 3))
START = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
SOLUTION = [
    Move((1,), Direction.LEFT),
    Move((2,), Direction.UP),
    Move((5,), Direction.LEFT),
    Move((6,), Direction.UP),
]


def test_puzzles_are_values() -> None:
    assert Puzzle(Goal.blank_last(3, 3)) == EIGHT
    assert hash(Puzzle(Goal.blank_last(3, 3))) == hash(EIGHT)
    assert Puzzle(Goal.blank_last(3, 3), Metric.MULTI) != EIGHT


def test_replay_returns_every_board_of_a_solution() -> None:
    boards = EIGHT.replay(START, SOLUTION)
    assert len(boards) == 5
    assert boards[0] == START
    assert EIGHT.is_goal(boards[-1])


def test_replay_of_no_moves_verifies_a_solved_board() -> None:
    solved = Board.parse("1 2 3 / 4 5 6 / 7 8 0")
    assert EIGHT.replay(solved, []) == (solved,)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (SOLUTION[:-1], "after 3 moves the board is not solved"),
        ([*SOLUTION[:2], SOLUTION[0]], "move 3: '1 left' is not a legal move here"),
        ([Move((1, 3), Direction.LEFT)], "move 1, '1 3 left', slides more than one tile"),
    ],
)
def test_replay_refuses_what_is_no_solution(moves: list[Move], message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        EIGHT.replay(START, moves)


@pytest.mark.parametrize(
    ("goal", "start", "message"),
    [
        ("1 2 / 3 0", "1 2 3 0 /", "the start is 1×4 and the goal 2×2"),
        ("1 # / 3 0", "1 2 / 3 0", "the goal has a wall in row 1, column 2 and the start has none"),
        ("1 2 / 3 0", "1 2 / # 0", "the start has a wall in row 2, column 1"),
        ("1 2 / 3 0", "1 2 / 4 0", r"asks for 3 and the start has no such tile \(it has 4 instead"),
        ("A A / * 0", "A B / B 0", "asks for A and the start has no such tile; give"),
        ("1 2 3 4 5 6 7 0 /", "A A A A A A A 0 /", "1, 2, 3, 4, 5 and 2 more"),
    ],
)
def test_a_start_and_a_goal_that_do_not_belong_together_are_refused(
    goal: str, start: str, message: str
) -> None:
    puzzle = Puzzle(Goal.parse(goal))
    with pytest.raises(MismatchError, match=message):
        puzzle.check(Board.parse(start))
    with pytest.raises(MismatchError):
        puzzle.replay(Board.parse(start), [])


@given(boards(), metrics, st.data())
def test_a_random_walk_replays_to_its_end(
    board: Board, metric: Metric, data: st.DataObject
) -> None:
    walk, moves = [board], []
    for _ in range(data.draw(st.integers(0, 12))):
        options = list(Puzzle(Goal(board), metric).successors(walk[-1]))
        if not options:
            break
        move, after = data.draw(st.sampled_from(options))
        moves.append(move)
        walk.append(after)
    assert Puzzle(Goal(walk[-1]), metric).replay(board, moves) == tuple(walk)


@pytest.mark.parametrize(
    ("goal", "board"),
    [
        ("1 2 3 / 4 5 6 / 7 8 0", "8 1 3 / 4 0 2 / 7 6 5"),
        ("1 2 3 / 4 0 5", "0 5 1 / 3 2 4"),
        ("A A B / B . 0", "B A . / 0 A B"),
        ("* A * / * @ *", "A . . / . @ ."),
        ("* A * / A * *", "A A . / A @ ."),
        ("* # * / A * @", "A # . / @ . ."),
        ("* * / * *", "1 2 / 3 0"),
    ],
)
def test_a_tile_is_as_far_from_home_as_from_the_nearest_cell_of_its_label_in_a_solved_board(
    goal: str, board: str
) -> None:
    puzzle, start = Puzzle(Goal(goal)), Board(board)
    columns = start.grid.columns
    solved = [
        cells
        for cells in set(permutations(start.cells))
        if all(
            wanted in (label, "*") for label, wanted in zip(cells, puzzle.goal.cells, strict=True)
        )
    ]
    assert solved
    for cell, label in enumerate(start.cells):
        if label == "#":
            continue
        place = divmod(cell, columns)
        homes = {home for cells in solved for home, other in enumerate(cells) if other == label}
        far = min(
            abs(place[0] - home // columns) + abs(place[1] - home % columns) for home in homes
        )
        assert puzzle.distance_from_home(start, place) == far
        assert puzzle.is_in_place(start, place) is (far == 0)
        if start.cells.count(label) == 1:
            assert puzzle.distance_from_home(start, label) == far
            assert puzzle.is_in_place(board, label) is (far == 0)


def test_the_distances_of_all_tiles_add_up_to_the_manhattan_distance() -> None:
    puzzle, board = Puzzle(Goal.blank_last(3, 3)), "8 1 3 / 4 0 2 / 7 6 5"
    distances = [puzzle.distance_from_home(board, tile) for tile in range(1, 9)]
    assert sum(distances) == 10  # the figure in the header of heuristics/per_tile.py, by hand
    assert sum(not puzzle.is_in_place(board, tile) for tile in range(1, 9)) == 5


@pytest.mark.parametrize(
    ("board", "tile", "message"),
    [
        ("A A . / # @ .", 7, "no cell of this board holds 7"),
        ("A A . / # @ .", "A", r"several tiles are labelled 'A'.* such as \(0, 0\)"),
        ("A A . / # @ .", "#", "a wall is not a tile"),
        ("A A . / # @ .", (1, 0), "a wall is not a tile"),
        ("A . . / @ . .", "A", "wall"),
    ],
)
def test_a_tile_that_is_not_there_or_not_the_only_one_has_no_home(
    board: str, tile: Label | tuple[int, int], message: str
) -> None:
    with pytest.raises(MismatchError, match=message):
        Puzzle(Goal("A A * / # * *")).distance_from_home(board, tile)
