"""Large patterns of the 24-puzzle: few tables serve all goals, those of inverse boards too."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.engine.gpu.plan import large_patterns, table_bytes
from taquin.engine.gpu.resident import Resident
from taquin.tables.shape import Shape
from tests.engine.gpu.standin import StandIn

GOALS = [Shape(5, 5, blank) for blank in range(25)]


def test_all_goals_share_seven_tables() -> None:
    patterns = {pattern for goal in GOALS for pattern in large_patterns(goal) or ()}
    assert sorted(map(len, patterns)) == [7, 7, 7, 7, 7, 8, 8]
    assert sum(table_bytes(25, len(pattern)) for pattern in patterns) < 50e9


@pytest.mark.parametrize("goal", GOALS)
def test_the_patterns_of_a_goal_leave_out_the_blank_and_one_tile(goal: Shape) -> None:
    first = min(goal.symmetries)[0]
    patterns = large_patterns(goal)
    assert patterns is not None
    cells = [cell for pattern in patterns for cell in pattern]
    assert len(set(cells)) == len(cells) == 23
    assert first.blank not in cells


@pytest.mark.parametrize(("gigabytes", "fits"), [(45, False), (80, False), (85, True)])
def test_goals_have_large_patterns_where_the_tables_of_all_fit(
    tmp_path: Path, gigabytes: int, fits: bool
) -> None:
    device = StandIn(tmp_path)
    device.memory = gigabytes * 10**9
    assert {Resident(device).can_be_large(goal) for goal in GOALS} == {fits}
