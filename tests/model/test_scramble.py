from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from taquin import BLANK, Board, Goal, Label, Metric, Puzzle, Solvability, solvability
from taquin.errors import BoardError, IllegalMoveError, MismatchError, UnsuitableError
from taquin.model import scramble
from taquin.model.scramble import random_board, random_walk
from tests import truth
from tests.puzzles import sample

EIGHT = Goal.blank_last(3, 3)


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (random_walk(EIGHT, 20, 1), "5 2 3 / 4 0 7 / 1 8 6"),
        (random_walk(EIGHT, 20, 1, number=2), "2 3 5 / 1 0 8 / 7 6 4"),
        (random_walk(EIGHT, 21, 1), "3 7 5 / 0 1 6 / 4 8 2"),
        (random_walk(EIGHT, 20, -1), "3 5 7 / 2 0 6 / 1 4 8"),
        (
            random_walk(Puzzle(Goal.snail(4, 4), Metric.MULTI), 50, 7),
            "10 3 12 13 / 15 11 2 5 / 7 1 4 14 / 9 6 8 0",
        ),
        (random_board(EIGHT, 1), "4 1 2 / 0 5 8 / 3 7 6"),
        (random_board(EIGHT, 1, number=2), "8 4 3 / 5 1 2 / 0 6 7"),
        (random_board(EIGHT, 2), "3 8 2 / 1 5 4 / 0 6 7"),
        (random_board(Goal.blank_first(4, 4), 2026), "2 0 11 8 / 13 1 12 5 / 6 3 10 14 / 9 7 15 4"),
        (random_board(Goal.parse("A . . / . B 0"), 7), "A . B / . . 0"),
    ],
)
def test_a_walk_or_a_random_board_with_a_given_seed_is_the_same_for_ever(
    board: Board, text: str
) -> None:
    assert board.text() == text


def test_other_seeds_and_numbers_give_other_boards() -> None:
    fifteen = Goal.blank_last(4, 4)
    names = [(seed, number) for seed in range(-10, 11) for number in range(1, 11)]
    drawn = {random_board(fifteen, seed, number=number) for seed, number in names}
    walked = {random_walk(fifteen, 100, seed, number=number) for seed, number in names}
    assert len(drawn) == len(walked) == len(names)


def test_a_walk_is_not_the_beginning_of_a_longer_one() -> None:
    next_to = sum(
        random_walk(EIGHT, 21, seed).cells
        in truth.neighbours(random_walk(EIGHT, 20, seed).cells, 3, 3)
        for seed in range(100)
    )
    assert next_to < 10


def test_a_walk_of_n_moves_is_solved_in_n_moves_or_an_even_number_less() -> None:
    exact = truth.eight_puzzle()
    for moves in range(40):
        distance = exact[random_walk(EIGHT, moves, seed=moves).cells]
        assert distance <= moves
        assert (moves - distance) % 2 == 0


def test_a_walk_does_not_undo_its_last_move_unless_it_may() -> None:
    exact = truth.eight_puzzle()
    for moves in (2, 3):
        assert {exact[random_walk(EIGHT, moves, seed).cells] for seed in range(200)} == {moves}
    found = {exact[random_walk(EIGHT, 2, seed, backtrack=True).cells] for seed in range(200)}
    assert found == {0, 2}


def test_every_neighbour_is_reached_by_a_walk_of_one_move() -> None:
    for metric, neighbours in (
        (Metric.SINGLE, truth.neighbours),
        (Metric.MULTI, truth.line_neighbours),
    ):
        goal = Goal.snail(3, 3)
        found = {random_walk(Puzzle(goal, metric), 1, seed).cells for seed in range(100)}
        assert found == set(neighbours(goal.cells, 3, 3))


def test_slides_of_a_walk_turn_a_corner_each_time() -> None:
    puzzle = Puzzle(EIGHT, Metric.MULTI)
    for seed in range(100):
        row, column = EIGHT.grid.place(random_walk(puzzle, 2, seed).blank)
        assert row != 2
        assert column != 2


def test_the_any_cells_of_a_goal_are_filled_with_the_labels_given() -> None:
    goal = Goal.parse("* A * / * _ *")
    assert random_walk(goal, 0, 1).labels == {"A": 1, BLANK: 1, ".": 4}
    found = {random_walk(goal, 0, seed, labels=[*"ABCDE", 0]) for seed in range(300)}
    assert len(found) == 24
    assert all(goal.is_met(board) for board in found)
    start = Board.parse("0 1 2 / 3 A 4")
    assert random_board(goal, 3, labels=start.cells).labels == start.labels
    # A free blank may begin in any ANY cell.
    free = Goal.parse("* A / * *")
    assert {random_walk(free, 0, seed).blank for seed in range(50)} == {0, 2, 3}


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (["B", "C", 0, 1], MismatchError, "the goal contains A, which is missing from the labels"),
        (["A", 0, 1], MismatchError, "2 labels are left for the 3 ANY cells"),
        (["A", 0, 1, 2, 3], MismatchError, "4 labels are left for the 3 ANY cells"),
        (["A", 1, 2, 3], BoardError, "needs one blank"),
        (["A", 0, 0, 3], BoardError, "one blank, found 2"),
        (["A", 0, -1, 3], BoardError, "expected a number or a name, found -1"),
    ],
)
def test_labels_that_do_not_suit_the_goal_are_refused(
    labels: list[Label], error: type[Exception], message: str
) -> None:
    goal = Goal.parse("* A / * *")
    with pytest.raises(error, match=message):
        random_walk(goal, 5, 1, labels=labels)
    with pytest.raises(error, match=message):
        random_board(goal, 1, labels=labels)


def test_fewer_than_no_moves_and_a_seed_that_is_not_a_whole_number_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="must be 0 or more, got -1"):
        random_walk(EIGHT, -1, 1)
    with pytest.raises(TypeError, match="integer"):
        random_board(EIGHT, 1.5)  # type: ignore[arg-type]


def test_a_blank_that_cannot_move_is_refused() -> None:
    goal = Goal.parse("0 # 1 /")
    assert random_walk(goal, 0, 1).text() == "0 # 1 /"
    # In a dead end it turns round.
    line = Goal.blank_last(1, 3)
    assert [random_walk(line, moves, seed=5).blank for moves in range(6)] == [2, 1, 0, 1, 2, 1]
    with pytest.raises(IllegalMoveError, match="the blank cannot move"):
        random_walk(goal, 1, 1)


def test_random_board_says_when_it_finds_no_solvable_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scramble, "DRAWS", 5)
    with pytest.raises(UnsuitableError, match="none of 5 random boards can be solved"):
        random_board(Goal.parse("1 1 2 3 4 5 6 7 8 9 0 /"), 1)


def chi_square(counts: Counter[tuple[Label, ...]], boards: Iterable[tuple[Label, ...]]) -> float:
    """Return how far the counts are from equal; about the number of boards if drawn uniformly."""
    expected = counts.total() / len(set(boards))
    assert counts.keys() <= set(boards)
    return sum((counts[cells] - expected) ** 2 / expected for cells in boards)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("text", "boards", "limit"),
    [
        ("1 2 / 3 0", 12, 38),
        ("0 1 2 / 3 4 5", 360, 500),
        ("1 2 3 / 4 0 5", 360, 500),
        ("1 0 2 3 /", 4, 22),
        ("1 2 3 / 4 # 5 / 6 7 0", 56, 110),
        ("1 2 # / 3 4 0", 15, 43),
        ("1 1 / 2 0", 12, 38),
        ("1 1 2 / 2 2 0", 60, 115),
        ("1 * / * 0", 12, 38),
        ("* 2 # / 3 4 *", 30, 70),
    ],
)
def test_random_boards_are_uniform_over_all_solvable_boards(
    text: str, boards: int, limit: float
) -> None:
    # A uniform draw would exceed its limit with other seeds about once in 10,000 times.
    goal = Goal.parse(text)
    size = goal.grid.rows, goal.grid.columns
    labels = random_walk(goal, 0, 1).cells
    solvable = truth.distances(truth.arrangements(labels, goal.cells), *size)
    assert len(solvable) == boards
    counts = Counter(random_board(goal, seed).cells for seed in range(30 * boards))
    assert chi_square(counts, solvable) < limit


@pytest.mark.parametrize("seed", range(40))
def test_every_scramble_can_be_solved(seed: int) -> None:
    drawn = sample(seed, most_open=9)
    puzzle, grid = drawn.puzzle(list(Metric)[seed % 2]), drawn.puzzle().grid
    try:
        walked = random_walk(puzzle, seed, seed, labels=drawn.start)
    except IllegalMoveError:
        walked = random_walk(puzzle, 0, seed, labels=drawn.start)
    assert solvability(puzzle, walked).answer is Solvability.YES
    if puzzle.goal.is_full or (not grid.walls and min(grid.rows, grid.columns) > 1):
        board = random_board(puzzle.goal, seed, labels=drawn.start)
        assert solvability(puzzle, board).answer is Solvability.YES
