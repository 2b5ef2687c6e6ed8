"""Samples estimate the means over all boards, whichever boards they prefer."""

import pytest

from taquin.analysis.audit import sample_estimates
from taquin.errors import UnsuitableError
from taquin.heuristics.per_tile import Manhattan
from taquin.model.puzzle import Goal, Puzzle
from tests import naive, truth


@pytest.mark.sampled(3)
@pytest.mark.parametrize("goal", [Goal.blank_last(2, 4), Goal.parse("1 2 3 4 / 0 7 6 5")])
@pytest.mark.parametrize("base", [1.0, 0.577])
def test_means_are_those_over_all_boards(goal: Goal, base: float) -> None:
    cells = tuple(int(label) for label in goal.cells)
    estimates = [naive.manhattan(board, cells, 4) for board in truth.distances([cells], 2, 4)]
    eta = sum(3 ** (-estimate / 2) for estimate in estimates) / len(estimates)
    sample = sample_estimates(Manhattan(), Puzzle(goal), 2000, seed=3, base=base)
    assert len(sample.boards) == 2000
    for value, expected in (
        (lambda board: 1.0, 1.0),
        (lambda board: 3 ** (-board.estimate / 2), eta),
        (lambda board: float(board.blank == 4), 1 / 8),
    ):
        mean, error = sample.mean(value)
        assert abs(mean - expected) < 4 * error


def test_low_estimates_are_worth_a_tilted_sample() -> None:
    puzzle = Puzzle(Goal.blank_last(3, 3))
    errors = [
        sample_estimates(Manhattan(), puzzle, 1000, base=base).mean(
            lambda board: 3 ** (-board.estimate / 2)
        )[1]
        for base in (1.0, 0.577)
    ]
    assert errors[1] < errors[0] / 2


def test_a_seed_gives_the_same_sample() -> None:
    puzzle = Puzzle(Goal.blank_first(2, 3))
    one, same, other = (sample_estimates(Manhattan(), puzzle, 9, seed) for seed in (1, 1, 2))
    assert one == same != other


def test_puzzles_that_are_not_classic_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="classic"):
        sample_estimates(Manhattan(), Puzzle(Goal.parse("1 2 / * *")), 5)
