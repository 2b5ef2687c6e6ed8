"""Partitions hold every tile once, and symmetric goals share their tables."""

import pytest

from taquin.errors import TaquinError
from taquin.tables.geometry import symmetries
from taquin.tables.patterns import NAMED_SETS, keys_of, table_for, table_set

SHAPES = [(r, c) for r in range(2, 13) for c in range(2, 13) if r * c <= 25]


@pytest.mark.parametrize("name", NAMED_SETS)
@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_every_partition_holds_every_tile_once(rows: int, cols: int, name: str) -> None:
    for blank in range(0, rows * cols, 1 if rows * cols < 18 else 5):
        for partition in table_set(rows, cols, blank, name):
            held = sorted(cell for pattern in partition for cell in pattern)
            assert held == [cell for cell in range(rows * cols) if cell != blank]


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 4), (5, 5), (2, 7)])
def test_all_images_of_a_goal_share_their_tables(rows: int, cols: int) -> None:
    for blank in range(rows * cols):
        wanted = keys_of(rows, cols, blank, "small")
        for new_rows, new_cols, image in symmetries(rows, cols):
            assert keys_of(new_rows, new_cols, image[blank], "small") == wanted


def test_the_image_maps_a_pattern_onto_its_table() -> None:
    key, image = table_for(4, 4, (9, 10, 11, 13, 14, 15), 0)
    assert tuple(sorted(image[cell] for cell in (9, 10, 11, 13, 14, 15))) == key.tiles


def test_patterns_that_shut_the_blank_in_have_a_table_of_their_own() -> None:
    shut_in, _ = table_for(3, 3, (1, 3), 0)
    outside, _ = table_for(3, 3, (1, 3), 8)
    assert shut_in != outside


@pytest.mark.parametrize(
    ("shape", "name", "most"),
    [((4, 4), "small", 150e6), ((4, 4), "large", 0.6e9), ((5, 5), "large", 0.6e9)],
)
def test_named_sets_keep_to_their_memory(shape: tuple[int, int], name: str, most: float) -> None:
    assert sum(key.nbytes for key in keys_of(*shape, 0, name)) <= most


def test_no_set_goes_beyond_600_mb() -> None:
    for rows, cols in SHAPES:
        for blank in {0, 1, cols + 1}:
            assert sum(key.nbytes for key in keys_of(rows, cols, blank, "small")) <= 6e8


@pytest.mark.parametrize("arguments", [(1, 9, 0, "small"), (5, 6, 0, "small"), (4, 4, 0, "huge")])
def test_impossible_sets_are_refused(arguments: tuple[int, int, int, str]) -> None:
    with pytest.raises(TaquinError):
        table_set(*arguments)
