"""A beam gets narrower when it is late, so that it ends in time."""

from __future__ import annotations

import pytest

import taquin as tq
from taquin.engine.anytime.beam import Beam, Pace
from taquin.engine.anytime.puzzle_arrays import arrays_of
from taquin.model.space import Space


@pytest.mark.parametrize("cost_of_a_board", [0.5e-3, 1e-3, 1.5e-3, 4e-3])
def test_a_beam_ends_when_it_should_unless_its_widths_forbid_it(cost_of_a_board: float) -> None:
    # Of a thousand levels, a hundred boards each would cost 100 in all at a cost of 0.001.
    clock, widths = 0.0, []
    pace = Pace(lambda: clock, end=100.0, length=1_000, least=30, most=150)
    for levels in range(0, 1_000, 10):
        width = pace.width_after(levels)
        widths.append(width)
        clock += 10 * width * cost_of_a_board
    if cost_of_a_board == 0.5e-3:
        assert set(widths) == {150}
    elif cost_of_a_board == 4e-3:
        assert widths[-1] == 30
    else:
        assert clock == pytest.approx(100.0, rel=0.03)
        assert widths[95] == pytest.approx(widths[50], rel=0.1)


def test_a_machine_that_gets_busy_makes_a_beam_narrower() -> None:
    clock, widths = 0.0, []
    pace = Pace(lambda: clock, end=100.0, length=1_000, least=10, most=150)
    for levels in range(0, 1_000, 10):
        widths.append(pace.width_after(levels))
        clock += 10 * widths[-1] * (1e-3 if levels < 500 else 3e-3)
    assert clock == pytest.approx(100.0, rel=0.1)
    assert widths[-1] < widths[49] / 2


def test_a_beam_that_takes_more_levels_than_expected_goes_on() -> None:
    clock = 0.0
    pace = Pace(lambda: clock, end=10.0, length=100, least=7, most=100)
    for levels in range(0, 300, 10):
        width = pace.width_after(levels)
        assert 7 <= width <= 100
        clock += 10 * width * 1e-3
    assert width == 7


def test_a_beam_keeps_as_many_boards_as_its_pace_says() -> None:
    goal = tq.Goal.blank_last(5, 5)
    puzzle = arrays_of(Space(tq.Puzzle(goal), tq.random_board(goal, 1)))
    beam, asked = Beam(200, puzzle.size), []

    def width_after(levels: int) -> int:
        asked.append(levels)
        return 200 if levels < 20 else 50

    beam.walk(puzzle, puzzle.start, lambda: True, longest=60, width_after=width_after)
    assert asked[0] == 0
    assert len(beam.last) == 50
    beam.walk(puzzle, puzzle.start, lambda: True, longest=60)
    assert len(beam.last) == 200
