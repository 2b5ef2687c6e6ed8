from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, Goal, MismatchError, Puzzle
from taquin.model.moves import KORF_ORDER, Direction, Metric
from taquin.model.space import ANY_ID, Space, State, swap
from tests import truth
from tests.model.strategies import arrange, instances


def wander(space: Space, data: st.DataObject) -> State:
    """Return a state some moves away from the start."""
    state = space.start
    for _ in range(data.draw(st.integers(0, 6))):
        state = data.draw(st.sampled_from(space.successors(state) or [state]))
    return state


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


def test_a_start_with_other_tiles_is_refused() -> None:
    with pytest.raises(MismatchError):
        Space(Puzzle(Goal.blank_last(2, 2)), Board.parse("1 2 / 9 0"))


def test_no_move_leads_to_a_board_off_the_blanks_lines() -> None:
    space = Space(Puzzle(Goal.blank_last(2, 2)), Board.parse("1 2 / 3 0"))
    with pytest.raises(ValueError, match="no move"):
        space.move_between(space.start, space.encode(Board.parse("0 2 / 3 1")))


def test_swapping_two_cells_is_the_same_from_either_side() -> None:
    assert swap(b"\0\1\2\2", 0, 3) == swap(b"\0\1\2\2", 3, 0) == b"\2\1\2\0"
    assert swap((0, 1, 2, 2), 1, 2) == (0, 2, 1, 2)


@given(instances(), st.data())
def test_decoding_undoes_encoding(instance: tuple[Puzzle, Board], data: st.DataObject) -> None:
    space = Space(*instance)
    assert space.decode(space.start) == instance[1]
    state = wander(space, data)
    assert space.encode(space.decode(state)) == state


@given(instances(), st.data())
def test_successors_are_the_true_neighbours(
    instance: tuple[Puzzle, Board], data: st.DataObject
) -> None:
    puzzle, _ = instance
    space = Space(*instance, directions=data.draw(st.permutations(tuple(Direction))))
    state = wander(space, data)
    board = space.decode(state)
    found = [space.decode(child) for child in space.successors(state)]
    step = truth.neighbours if puzzle.metric is Metric.SINGLE else truth.line_neighbours
    expected = step(board.cells, puzzle.grid.rows, puzzle.grid.columns)
    assert Counter(child.cells for child in found) == Counter(expected)
    by_move = {board.apply(move): move for move in board.moves(puzzle.metric)}
    for child, child_board in zip(space.successors(state), found, strict=True):
        assert space.move_between(state, child) == by_move[child_board]
    assert len(found) <= space.branching


@given(instances(), st.data())
def test_the_goal_test_agrees_with_the_goal(
    instance: tuple[Puzzle, Board], data: st.DataObject
) -> None:
    puzzle, start = instance
    space = Space(puzzle, start)
    is_goal = space.goal_test()
    state = wander(space, data)
    assert is_goal(state) == puzzle.is_goal(space.decode(state))
    labels = [start.cells[cell] for cell in start.grid.open_cells]
    other = arrange(start.grid, data.draw(st.permutations(labels)))
    assert is_goal(space.encode(other)) == puzzle.is_goal(other)


@given(instances(), st.data())
def test_sliding_a_tile_is_a_swap_with_the_blank(
    instance: tuple[Puzzle, Board], data: st.DataObject
) -> None:
    space = Space(*instance)
    state = wander(space, data)
    blank, slide = state.index(0), space.slider()
    for cell in instance[0].grid.neighbours(blank):
        assert slide(state, blank, cell) == swap(state, blank, cell)
