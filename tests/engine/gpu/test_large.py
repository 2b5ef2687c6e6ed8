"""Large patterns of the 24-puzzle: few tables serve all goals, and every inverse board."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.engine.gpu.dual import dual_keys, dual_patterns, dual_sizes
from taquin.engine.gpu.large import dual_partition, large_patterns, other_partitions
from taquin.engine.gpu.resident import Resident
from taquin.engine.gpu.sets import table_bytes
from taquin.tables.shape import Cells, Normal, Shape
from tests.engine.gpu.standin import StandIn

GOALS = [Shape(5, 5, blank) for blank in range(25)]
CORNER = GOALS[0]


def resident_with(folder: Path, gigabytes: int) -> Resident:
    """Return what a GPU with so much memory holds."""
    card = StandIn(folder)
    card.memory = gigabytes * 10**9
    return Resident(card)


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
    resident = resident_with(tmp_path, gigabytes)

    def fitting(shape: Shape) -> Cells:
        return tuple(tiles for tiles in (8, 7) if resident.can_be_large(shape, tiles, CORNER))

    assert fitting(CORNER) == for_corner
    for goal in GOALS:
        if min(goal.symmetries)[0] != CORNER:
            assert fitting(goal) == for_others


@pytest.mark.parametrize("goal", [goal for goal in GOALS if goal == min(goal.symmetries)[0]])
def test_other_partitions_hold_each_tile_once_and_sketches_of_them_all_but_three(
    goal: Shape,
) -> None:
    # A view and its mirror image are one; other images are views of their own.
    mirror = [image for other, image in goal.symmetries if other == goal][-1]
    seen = {frozenset(map(frozenset, large_patterns(goal, 8) or ()))}
    for number in other_partitions(goal):
        whole, sketch = large_patterns(goal, 8, number), large_patterns(goal, 7, number)
        assert whole is not None
        assert sketch is not None
        assert sorted(cell for pattern in whole for cell in pattern) == [
            cell for cell in range(25) if cell != goal.blank
        ]
        assert [len(pattern) for pattern in (*whole, *sketch)] == [8, 8, 8, 7, 7, 7]
        assert all(set(few) < set(many) for few, many in zip(sketch, whole, strict=True))
        for pattern in whole:
            others = frozenset(range(25)) - set(pattern)
            assert goal.region(others, pattern[0]) == pattern, "a pattern is in one piece"
        images = {
            frozenset(frozenset(image[cell] for cell in pattern) for pattern in whole)
            for image in (range(25), mirror)
        }
        assert not images & seen
        seen |= images
    assert len(seen) > 10


def test_a_hard_board_is_offered_partitions_where_there_is_memory(tmp_path: Path) -> None:
    normal = Normal(CORNER, (1, *range(2, 25), 0))
    offers = {
        (gigabytes, tiles, nodes): resident.candidates(normal, tiles, print, nodes)
        for gigabytes in (102, 150)
        for tiles in (None, 6)
        for nodes in (10**9, 10**11)
        if (resident := resident_with(tmp_path, gigabytes))
    }
    some = offers.pop((150, None, 10**11))
    assert not any(offers.values())
    assert len(some) == len(other_partitions(CORNER)) + len(other_partitions(GOALS[24]))
    names = [variant.name for each in some[:1] for variant in (each.sketch, *each.wholes)]
    assert names == [
        "7 tiles, partition 1, dual look-ups",
        "8 tiles, partition 1",
        "8 tiles, partition 1, dual look-ups",
    ]
    assert some[-1].sketch.name.endswith("backward")
