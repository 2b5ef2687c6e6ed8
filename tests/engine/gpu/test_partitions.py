"""The tool that ranks partitions, with a worth of tables that needs no GPU."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tools import rank_partitions
from tools.rank_partitions import connected, neighbours, partitions, ranked, worth

from taquin.engine.gpu import large
from taquin.engine.gpu.large import large_patterns, other_partitions
from taquin.tables.patterns import PatternKey
from taquin.tables.shape import Shape


def test_connected_sets_are_counted_right() -> None:
    # Of three cells: thirty rows and columns, and the sixteen squares of four less one cell.
    assert [len(connected(size)) for size in (1, 2, 3)] == [25, 40, 30 + 4 * 16]


def test_neighbours_are_counted_once() -> None:
    assert neighbours((0, 1, 2, 5, 6, 7, 10, 11)) == 10
    assert neighbours((0, 6, 12)) == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("blank", rank_partitions.BLANKS)
def test_the_shared_partition_of_each_goal_is_among_all(blank: int) -> None:
    goal = Shape(5, 5, blank)
    shared = set(large_patterns(goal, 8) or ())
    pairs = sum(map(neighbours, shared))
    found = [set(partition) for partition in partitions(goal)]
    assert (shared in found) == (pairs >= rank_partitions.NEIGHBOURS_IN_ALL)
    assert len(set(map(frozenset, found))) == len(found)


@pytest.mark.slow
def test_the_best_partitions_are_written_with_what_sketches_leave_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def far_tiles_first(key: PatternKey) -> float:
        return sum(key.tiles) + len(key.tiles)

    monkeypatch.setattr(rank_partitions, "worth_of", far_tiles_first)
    goal = Shape(5, 5, 7)
    lines = list(ranked(goal))
    assert len(lines) == rank_partitions.KEPT_OF_OTHERS
    (tmp_path / "partitions.txt").write_text("# A remark.\n" + "\n".join(lines))
    monkeypatch.setattr(large, "__file__", str(tmp_path / "large.py"))
    monkeypatch.setattr(large, "_others", large._others.__wrapped__)
    worths = []
    for number in other_partitions(goal):
        whole, sketch = large_patterns(goal, 8, number), large_patterns(goal, 7, number)
        assert whole in partitions(goal)
        assert set(whole or ()) != set(large_patterns(goal, 8) or ())
        worths.append(sum(worth(goal, pattern) for pattern in whole or ()))
        for many, few in zip(whole or (), sketch or (), strict=True):
            (alone,) = set(many).difference(few)
            best = max(worth(goal, rank_partitions.without(many, cell), (cell,)) for cell in many)
            assert worth(goal, few, (alone,)) == best
    assert all(before >= after for before, after in pairwise(worths))
    assert len(worths) == len(lines)
