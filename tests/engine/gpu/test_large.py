"""Large patterns of the 24-puzzle: few tables serve all goals, and every inverse board."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.engine.gpu.dual import dual_keys, dual_patterns, dual_sizes
from taquin.engine.gpu.large import dual_partition, large_patterns
from taquin.engine.gpu.resident import Resident
from taquin.engine.gpu.sets import table_bytes
from taquin.tables.shape import Cells, Shape
from tests.engine.gpu.standin import StandIn

GOALS = [Shape(5, 5, blank) for blank in range(25)]
CORNER = GOALS[0]


def test_dual_look_ups_of_all_goals_share_seven_tables() -> None:
    duals = dual_patterns(5, 5, dual_partition)
    keys = dual_keys(duals)
    assert dual_sizes(duals) == (8, 8, 7, 0)
    assert [len(key.tiles) for key in keys] == [8, 8, 7, 7, 7, 7, 7]
    assert sum(table_bytes(25, len(key.tiles)) for key in keys) < 50e9


@pytest.mark.parametrize("goal", GOALS)
def test_the_patterns_of_an_inverse_board_leave_out_the_blank_and_one_tile(goal: Shape) -> None:
    patterns = dual_patterns(5, 5, dual_partition)[goal.blank]
    cells = [cell for pattern in patterns for cell in pattern.cells]
    assert len(set(cells)) == len(cells) == 23
    assert goal.blank not in cells
    for pattern in patterns:
        # At the goal every tile stands where it belongs, in the grid of the table too.
        assert tuple(pattern.image[cell] for cell in pattern.cells) == pattern.key.tiles


@pytest.mark.parametrize("goal", GOALS)
def test_the_goal_of_an_inverse_board_needs_one_more_table_of_eight_tiles_or_none(
    goal: Shape,
) -> None:
    whole, shared = large_patterns(goal, 8), large_patterns(goal, 7)
    first = min(goal.symmetries)[0]
    assert whole is not None
    assert sorted(cell for pattern in whole for cell in pattern) == [
        cell for cell in range(25) if cell != first.blank
    ]
    assert len(set(whole) - set(large_patterns(CORNER, 8) or ())) <= 1
    assert shared == dual_partition(first)


@pytest.mark.parametrize(
    ("gigabytes", "for_corner", "for_others"),
    [(45, (), ()), (85, (7,), (7,)), (102, (8,), (7,)), (150, (8,), (8, 7))],
)
def test_a_card_gets_the_large_patterns_for_which_it_has_memory(
    tmp_path: Path, gigabytes: int, for_corner: Cells, for_others: Cells
) -> None:
    card = StandIn(tmp_path)
    card.memory = gigabytes * 10**9
    resident = Resident(card)

    def fitting(shape: Shape) -> Cells:
        return tuple(tiles for tiles in (8, 7) if resident.can_be_large(shape, tiles, CORNER))

    assert fitting(CORNER) == for_corner
    for goal in GOALS:
        if min(goal.symmetries)[0] != CORNER:
            assert fitting(goal) == for_others
