from __future__ import annotations

import itertools
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, Direction, Goal, Grid, Label, Metric, Move, Puzzle
from taquin.errors import BoardError, IllegalMoveError, MismatchError, NotationError
from taquin.notation import Form, can_write
from tests.model.strategies import boards, goals_for, metrics

EIGHT = Puzzle(Goal.blank_last(3, 3))
START = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
SOLUTION = [
    Move((1,), Direction.LEFT),
    Move((2,), Direction.UP),
    Move((5,), Direction.LEFT),
    Move((6,), Direction.UP),
]


def test_replay_returns_every_board_of_a_solution() -> None:
    boards = EIGHT.replay(START, SOLUTION)
    assert len(boards) == 5
    assert boards[0] == START
    assert EIGHT.is_goal(boards[-1])
    assert EIGHT.replay(boards[-1], []) == (boards[-1],)
    assert (Puzzle(EIGHT.goal), hash(Puzzle(EIGHT.goal))) == (EIGHT, hash(EIGHT))
    assert Puzzle(EIGHT.goal, Metric.MULTI) != EIGHT


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


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (Goal.blank_last(3, 3), "1 2 3 / 4 5 6 / 7 8 0"),
        (Goal.blank_first(3, 3), "0 1 2 / 3 4 5 / 6 7 8"),
        (Goal.snail(3, 3), "1 2 3 / 8 0 4 / 7 6 5"),
        (Goal.snail(4, 4), "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7"),
        (Goal.snail(2, 4), "1 2 3 4 / 0 7 6 5"),
        (Goal.snail(4, 2), "1 2 / 0 3 / 7 4 / 6 5"),
        (Goal.snail(1, 3), "1 2 0 /"),
        (Goal.snail(3, 1), "1 / 2 / 0"),
        (Goal.blank_last(1, 1), "0 /"),
        (Goal.blank_first(1, 1), "0 /"),
        (Goal.snail(1, 1), "0 /"),
        (Goal.blank_last(2, 3, walls=[5]), "1 2 3 / 4 0 #"),
        (Goal.blank_first(2, 3, walls=[0]), "# 0 1 / 2 3 4"),
        (Goal.snail(3, 3, walls=[4]), "1 2 3 / 0 # 4 / 7 6 5"),
    ],
)
def test_the_customary_goals_look_as_they_should(goal: Goal, text: str) -> None:
    assert goal.text() == text
    assert goal.is_full


@pytest.mark.parametrize(
    ("goal", "met", "unmet", "is_full"),
    [
        ("1 2 / 3 0", ["1 2 / 3 0"], ["2 1 / 3 0", "1 2 3 0 /"], True),
        ("* A / * @", ["1 A / 2 _", ". A / . _"], ["1 A / _ 2"], False),
        ("A A / 1 0", ["A A / 1 0"], ["A 1 / A 0"], False),
        ("1 # # / 2 3 0", ["1 # # / 2 3 0"], [], True),
    ],
)
def test_a_goal_is_met_whatever_lies_in_its_any_cells_and_is_full_if_every_label_has_one_place(
    goal: str, met: list[str], unmet: list[str], is_full: bool
) -> None:
    wanted = Goal.parse(goal)
    assert wanted.is_full is is_full
    assert all(wanted.is_met(Board.parse(board)) for board in met)
    assert not any(wanted.is_met(Board.parse(board)) for board in unmet)


def test_a_goal_fixes_its_named_cells_and_may_be_made_of_a_board() -> None:
    assert Goal.parse("* A / * @").fixed == {1: "A", 3: 0}
    assert Goal(Board.parse("1 2 / 3 0")) == Goal.parse("1 2 / 3 0")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((1, 2, 3), "a goal on a 2×2 grid needs 4 cells, found 3"),
        ((1, 2, 3, 4), "a goal that names every cell needs one blank"),
        ((1, 0, 0, "*"), "a goal has one blank, found 2"),
        ((1, 2, 0, "?"), "row 2, column 2: expected a number or a name"),
    ],
)
def test_cells_that_form_no_goal_are_refused(cells: Any, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Goal(Grid(2, 2), cells)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1 2 / 3 4", None, None, "needs one blank"),
        ("0 * / @ *", 1, 7, "one blank, found 2"),
        ("1 2 / 3 +", 1, 9, "expected a tile"),
    ],
)
def test_a_text_that_is_no_goal_is_refused_at_its_place(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        Goal.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@given(boards(), st.data())
def test_a_goal_reads_back_as_it_was_written(board: Board, data: st.DataObject) -> None:
    goal = data.draw(goals_for(board))
    assert Goal.parse(goal.text()) == goal
    assert eval(repr(goal)) == goal
    assert not can_write(goal, Form.DRAWN) or Goal.parse(str(goal)) == goal


@given(st.integers(1, 7), st.integers(1, 7))
def test_the_snail_turns_only_clockwise_and_ends_at_the_blank(rows: int, columns: int) -> None:
    goal = Goal.snail(rows, columns)
    where = {label or rows * columns: cell for cell, label in enumerate(goal.cells)}
    path = [goal.grid.place(where[number]) for number in range(1, rows * columns + 1)]
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]
    assert all(abs(down) + abs(right) == 1 for down, right in ways)
    for (down, right), following in itertools.pairwise(ways):
        assert following in ((down, right), (right, -down))
