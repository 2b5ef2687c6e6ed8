"""Tables built on the GPU are those of the CPU, bit by bit; few large ones serve all goals."""

from __future__ import annotations

import random
from itertools import combinations
from math import perm
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from taquin.engine.gpu.device import Device
from taquin.engine.gpu.plan import GpuTables, large_patterns, orders_of, sets_of, table_bytes
from taquin.engine.gpu.resident import Resident
from taquin.tables.build import build_table, value_at
from taquin.tables.patterns import PACKED_CELLS, PatternKey, rank, table_for
from taquin.tables.shape import Cells, Shape
from tests.engine.gpu.standin import StandIn

PATTERNS: list[tuple[Shape, Cells]] = [
    (Shape(3, 3, 4), (0,)),
    (Shape(3, 3, 0), (1, 2)),
    (Shape(2, 3, 0), (1, 3)),
    (Shape(3, 3, 0), (1, 2, 4)),
    (Shape(4, 5, 0), (1, 2, 3, 4)),
    (Shape(3, 3, 0), (1, 2, 3, 4, 5)),
    (Shape(3, 4, 5), (0, 1, 2, 3, 4, 6)),
]


def stored_form(device: Device, key: PatternKey) -> NDArray[np.uint8]:
    """Return the table of a small pattern, built on the GPU, as the table store keeps it."""
    sets = sets_of(device, key.rows, key.columns, len(key.tiles))
    table = sets.build(key.tiles, key.blank, lambda level: None)
    plain: NDArray[np.uint8] = device.host(sets.spread(table))
    if key.cells > PACKED_CELLS:
        return plain
    # Up to 16 cells the store weaves the bits of the cells: take the values in that order.
    woven = plane = np.zeros(1, np.int64)
    for place, spots in enumerate(key.spots):
        woven = (woven[:, None] + np.array(spots)).reshape(-1)
        digit = np.arange(key.cells) * key.cells ** (len(key.tiles) - 1 - place)
        plane = (plane[:, None] + digit).reshape(-1)
    nibbles = np.full(key.entries, 15, np.uint8)
    nibbles[woven] = plain[plane >> 1] >> (4 * (plane & 1)).astype(np.uint8) & 15
    return (nibbles[0::2] | nibbles[1::2] << 4).astype(np.uint8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("shape", "tiles"), PATTERNS)
def test_a_small_table_equals_the_stored_one_bit_by_bit(
    device: Device, shape: Shape, tiles: Cells
) -> None:
    key, _ = table_for(shape, tiles)
    assert stored_form(device, key).tobytes() == build_table(key).tobytes()


LARGE: list[tuple[Shape, Cells]] = [
    (Shape(3, 3, 0), (1, 2, 3, 4, 5, 6, 7)),
    (Shape(3, 3, 5), (0, 1, 2, 3, 4, 6, 7, 8)),
    # Some orders cannot be reached.
    (Shape(2, 5, 0), (1, 2, 3, 4, 5, 6, 7, 8)),
    # Some are more than 30 moves above Manhattan distance.
    (Shape(2, 6, 0), (1, 2, 3, 6, 7, 8, 9)),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("shape", "tiles"), LARGE)
def test_a_large_table_has_the_values_of_the_ranked_one(
    device: Device, shape: Shape, tiles: Cells
) -> None:
    cells, size = shape.size, len(tiles)
    blank = shape.region(frozenset(tiles), shape.blank)[0]
    key = PatternKey(shape.rows, shape.columns, tiles, blank)
    expected = build_table(key)
    sets = sets_of(device, shape.rows, shape.columns, size)
    table = device.host(sets.build(tiles, shape.blank, lambda level: None)).view(np.uint8)
    assert table.nbytes == table_bytes(cells, size)
    assert key.configurations == perm(cells, size)
    assert _counts(table) == _counts(np.frombuffer(expected.tobytes(), np.uint8))
    ranks = {rising: number for number, rising in enumerate(_rising(cells, size))}
    drawn = random.Random(1)
    for _ in range(2000):
        where = drawn.sample(range(cells), size)
        rising = tuple(sorted(where))
        order = _order([where.index(cell) for cell in rising])
        found = value_at(table, ranks[rising] * orders_of(size) + order)
        assert found == value_at(expected, rank(cells, where))


def _counts(table: NDArray[np.uint8]) -> list[int]:
    """Return how often a table has each value."""
    values = np.concatenate((table & 15, table >> 4))
    counts: list[int] = np.bincount(values, minlength=16).tolist()
    return counts


def _rising(cells: int, size: int) -> list[Cells]:
    return sorted(combinations(range(cells), size), key=lambda rising: rising[::-1])


def _order(labels: list[int]) -> int:
    number = 0
    for i, label in enumerate(labels):
        number = number * (len(labels) - i) + sum(later < label for later in labels[i + 1 :])
    return number


def test_a_table_is_built_once_and_a_build_ends_when_the_report_of_a_level_raises(
    device: Device,
) -> None:
    def report(level: int) -> None:
        if level == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sets_of(device, 3, 3, 3).build((1, 2, 3), 0, report)
    key, _ = table_for(Shape(3, 3, 0), (1, 2, 4))
    stages: list[str] = []
    tables = GpuTables(device)
    assert tables.direct(key, stages.append) is tables.direct(key, stages.append)
    assert len(stages) == 1


def test_goals_share_the_tables_to_which_the_blank_makes_no_difference(device: Device) -> None:
    tables, tiles, sets = GpuTables(device), (1, 3, 4), sets_of(device, 3, 3, 3)
    shapes = [Shape(3, 3, blank) for blank in (0, 2, 8)]
    shut_in, one, other = (tables.ranked(shape, tiles, lambda stage: None) for shape in shapes)
    assert one is other
    for shape, table in zip(shapes, (shut_in, one, other), strict=True):
        built = sets.build(tiles, shape.blank, lambda level: None)
        assert device.host(built).tobytes() == device.host(table).tobytes()
    assert device.host(shut_in).tobytes() != device.host(one).tobytes()
    assert tables.missing(shapes[0], (tiles,)) == tables.missing(shapes[1], (tiles,)) == 0
    assert tables.missing(shapes[0], (tiles, (2, 5, 6, 7))) == table_bytes(9, 4)


@pytest.mark.gpu
def test_a_table_of_six_tiles_equals_the_cpu_s_on_a_real_gpu(real_gpu: Device) -> None:
    key, _ = table_for(Shape(5, 5, 0), (1, 2, 5, 6, 10, 11))
    assert stored_form(real_gpu, key).tobytes() == build_table(key).tobytes()


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
