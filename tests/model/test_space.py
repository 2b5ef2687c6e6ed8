from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from taquin import Board, Goal, Puzzle
from taquin.errors import MismatchError
from taquin.model.moves import KORF_ORDER, Direction, Metric
from taquin.model.space import ANY_ID, Space, swap
from tests import truth
from tests.puzzles import sample


def test_ids_follow_the_numbers_of_a_classic_board() -> None:
    space = Space(Puzzle(Goal.blank_last(2, 3)), Board.parse("3 1 2 / 5 0 4"))
    assert space.labels == (0, 1, 2, 3, 4, 5)
    assert space.start == bytes((3, 1, 2, 5, 0, 4))
    assert space.goal_ids == (1, 2, 3, 4, 5, 0)
    assert space.goal_state == bytes((1, 2, 3, 4, 5, 0))


def test_an_any_cell_has_the_any_id_and_leaves_no_single_goal_state() -> None:
    space = Space(Puzzle(Goal.parse("* A / * 0")), Board.parse("A . / 0 ."))
    assert space.labels == (0, ".", "A")
    assert space.goal_ids == (ANY_ID, space.labels.index("A"), ANY_ID, 0)
    assert space.goal_state is None
    assert space.goal_test()(space.encode(Board.parse(". A / . 0")))
    assert not space.goal_test()(space.start)


def test_successors_come_in_the_order_of_the_directions() -> None:
    board = Board.parse("1 2 3 / 4 0 5 / 6 7 8")
    for directions in (KORF_ORDER, tuple(Direction), tuple(Direction)[::-1]):
        space = Space(Puzzle(Goal.blank_last(3, 3)), board, directions)
        moves = [space.move_between(space.start, child) for child in space.successors(space.start)]
        assert tuple(move.direction for move in moves) == directions


@pytest.mark.parametrize(
    ("goal", "start", "metric", "expected"),
    [
        ("1 2 3 / 4 5 6 / 7 8 0", "1 2 3 / 4 0 5 / 6 7 8", Metric.SINGLE, (1, 4)),
        ("1 2 3 / 4 5 6 / 7 8 0", "1 2 3 / 4 0 5 / 6 7 8", Metric.MULTI, (2, 4)),
        # Nothing slides across a wall.
        ("1 0 # 2 3 /", "0 1 # 2 3 /", Metric.MULTI, (1, 1)),
    ],
)
def test_longest_slide_and_branching_are_those_of_the_metric(
    goal: str, start: str, metric: Metric, expected: tuple[int, int]
) -> None:
    space = Space(Puzzle(Goal.parse(goal), metric), Board.parse(start))
    assert (space.longest_slide, space.branching) == expected


def test_more_than_256_labels_are_packed_as_tuples_and_work_alike() -> None:
    goal = Goal.blank_last(16, 17)
    space = Space(Puzzle(goal), Board(goal.grid, goal.cells))
    assert isinstance(space.start, tuple)
    assert space.goal_test()(space.start)
    (up, left) = (space.decode(child) for child in space.successors(space.start))
    assert {up.blank, left.blank} == {16 * 17 - 1 - 17, 16 * 17 - 2}
    assert space.encode(space.decode(space.start)) == space.start
    exact = Goal.blank_last(16, 16)
    packed = Space(Puzzle(exact), Board(exact.grid, exact.cells))
    assert isinstance(packed.start, bytes)
    for child in packed.successors(packed.start):
        assert sorted(child) == list(range(256))


def test_a_bump_puts_the_blank_on_the_wall() -> None:
    start = Board.parse("1 0 # / 2 3 4")
    space = Space(Puzzle(Goal.parse("1 2 # / 3 4 0")), start, tuple(Direction), bumps=True)
    blocked = [child for child in space.successors(space.start) if space.is_blocked(child)]
    assert len(space.successors(space.start)) == 3
    assert [child.index(0) for child in blocked] == [2]
    assert not space.is_blocked(space.start)


def test_a_start_with_other_tiles_and_a_move_off_the_blanks_lines_are_refused() -> None:
    puzzle = Puzzle(Goal.blank_last(2, 2))
    with pytest.raises(MismatchError):
        Space(puzzle, Board.parse("1 2 / 9 0"))
    space = Space(puzzle, Board.parse("1 2 / 3 0"))
    with pytest.raises(ValueError, match="no move"):
        space.move_between(space.start, space.encode(Board.parse("0 2 / 3 1")))


def test_swapping_two_cells_is_the_same_from_either_side() -> None:
    assert swap(b"\0\1\2\2", 0, 3) == swap(b"\0\1\2\2", 3, 0) == b"\2\1\2\0"
    assert swap((0, 1, 2, 2), 1, 2) == (0, 2, 1, 2)


@pytest.mark.parametrize("seed", range(50))
def test_states_behave_like_the_boards_that_they_stand_for(seed: int) -> None:
    chance, drawn = Random(seed), sample(seed, most_open=12)
    puzzle = drawn.puzzle(chance.choice(list(Metric)))
    start = Board(puzzle.grid, drawn.start)
    space = Space(puzzle, start, tuple(chance.sample(list(Direction), 4)))
    is_goal, slide, state = space.goal_test(), space.slider(), space.start
    assert space.decode(state) == start
    step = truth.neighbours if puzzle.metric is Metric.SINGLE else truth.line_neighbours
    for _ in range(8):
        board = space.decode(state)
        assert space.encode(board) == state
        assert is_goal(state) == puzzle.is_goal(board)
        children = space.successors(state)
        found = [space.decode(child) for child in children]
        expected = step(board.cells, puzzle.grid.rows, puzzle.grid.columns)
        assert Counter(child.cells for child in found) == Counter(expected)
        assert len(found) <= space.branching
        by_move = {board.apply(move): move for move in board.moves(puzzle.metric)}
        for child, child_board in zip(children, found, strict=True):
            assert space.move_between(state, child) == by_move[child_board]
        blank = state.index(0)
        for cell in puzzle.grid.neighbours(blank):
            assert slide(state, blank, cell) == swap(state, blank, cell)
        state = chance.choice(children or [state])
    for cells in drawn.goals()[:3] if drawn.goal.count("*") < 6 else ():
        assert is_goal(space.encode(Board(puzzle.grid, cells)))
