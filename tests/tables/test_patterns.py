"""Partitions hold every tile once, and symmetric goals share their tables."""

import pytest

from taquin.errors import TaquinError
from taquin.tables.patterns import NAMED_SETS, keys_of, table_for, table_set
from taquin.tables.shape import Shape

MANY = {(2, 7), (2, 8), (3, 5), (4, 4), (5, 5)}
"""Grids whose named sets differ; those of all others are the same."""
SHAPES = [(r, c) for r in range(2, 13) for c in range(2, 13) if r * c <= 25]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("rows", "columns", "name"),
    [
        (rows, columns, name)
        for rows, columns in SHAPES
        for name in NAMED_SETS
        if rows <= columns and (name == "small" or (rows, columns) in MANY)
    ],
)
def test_every_partition_holds_every_tile_once(rows: int, columns: int, name: str) -> None:
    shapes = [Shape(rows, columns, blank) for blank in range(rows * columns)]
    # One of each kind up to symmetry, and the last, which is the first turned round.
    for shape in [*{min(shape.symmetries)[0] for shape in shapes}, shapes[-1]]:
        for partition in table_set(shape, name):
            held = sorted(cell for pattern in partition for cell in pattern)
            assert held == [cell for cell in range(shape.size) if cell != shape.blank]


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 4), (5, 5), (2, 7)])
def test_all_images_of_a_goal_share_their_tables(rows: int, columns: int) -> None:
    for blank in range(rows * columns):
        shape = Shape(rows, columns, blank)
        for other, _ in shape.symmetries:
            assert keys_of(other, "small") == keys_of(shape, "small")


def test_the_image_maps_a_pattern_onto_its_table() -> None:
    key, image = table_for(Shape(4, 4, 0), (9, 10, 11, 13, 14, 15))
    assert tuple(sorted(image[cell] for cell in (9, 10, 11, 13, 14, 15))) == key.tiles


def test_patterns_that_shut_the_blank_in_have_a_table_of_their_own() -> None:
    shut_in, _ = table_for(Shape(3, 3, 0), (1, 3))
    outside, _ = table_for(Shape(3, 3, 8), (1, 3))
    assert shut_in != outside


@pytest.mark.parametrize(
    ("shape", "name", "most"),
    [
        ((4, 4), "small", 20e6),
        ((4, 4), "medium", 58e6),
        ((4, 4), "large", 0.6e9),
        ((5, 5), "medium", 0.49e9),
        ((5, 5), "large", 0.74e9),
    ],
)
def test_named_sets_keep_to_their_memory(shape: tuple[int, int], name: str, most: float) -> None:
    assert sum(key.nbytes for key in keys_of(Shape(*shape, 0), name)) <= most


def test_no_set_goes_beyond_600_mb() -> None:
    for rows, columns in [shape for shape in SHAPES if shape[0] <= shape[1]]:
        for blank in {0, 1, columns + 1}:
            assert sum(key.nbytes for key in keys_of(Shape(rows, columns, blank), "small")) <= 6e8


@pytest.mark.parametrize("arguments", [(1, 9, 0), (5, 6, 0), (4, 4, 16), (4, 4, -1)])
def test_impossible_shapes_are_refused(arguments: tuple[int, int, int]) -> None:
    with pytest.raises(TaquinError):
        Shape(*arguments)


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(TaquinError, match="small or medium or large"):
        table_set(Shape(4, 4, 0), "huge")


def test_the_named_sets_differ_where_there_is_a_better_one() -> None:
    lying = [shape for shape in SHAPES if shape[0] <= shape[1]]
    sets = {shape: {table_set(Shape(*shape, 0), name) for name in NAMED_SETS} for shape in lying}
    assert {shape for shape, each in sets.items() if len(each) > 1} == MANY
