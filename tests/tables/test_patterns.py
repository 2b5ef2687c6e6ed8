"""Sets of tables: their partitions, what is shared, compressed and counted, and what is refused."""

from __future__ import annotations

import pytest

from taquin import Board, Goal, Patterns, Puzzle
from taquin.errors import InputError, TaquinError
from taquin.model.space import Space
from taquin.search.grammar import heuristic_named
from taquin.tables.build import build_table, halved, value_at
from taquin.tables.patterns import (
    NAMED_SETS,
    PatternKey,
    drawn,
    halvings_of,
    keys_of,
    partitions_of,
    table_for,
    table_set,
)
from taquin.tables.shape import Shape, shape_of
from tests import truth

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


def test_a_pattern_has_the_table_of_its_image_and_another_where_it_shuts_the_blank_in() -> None:
    key, image = table_for(Shape(4, 4, 0), (9, 10, 11, 13, 14, 15))
    assert tuple(sorted(image[cell] for cell in (9, 10, 11, 13, 14, 15))) == key.tiles
    assert table_for(Shape(3, 3, 0), (1, 3))[0] != table_for(Shape(3, 3, 8), (1, 3))[0]


BUDGETS: list[tuple[tuple[int, int], str, float]] = [
    *(((4, 4), "small", 20e6), ((4, 4), "medium", 58e6), ((4, 4), "large", 0.6e9)),
    *(((5, 5), "medium", 0.49e9), ((5, 5), "large", 0.74e9)),
]


def test_named_sets_keep_to_their_memory() -> None:
    for shape, name, most in BUDGETS:
        assert sum(key.nbytes for key in keys_of(Shape(*shape, 0), name)) <= most
    for rows, columns in [shape for shape in SHAPES if shape[0] <= shape[1]]:
        for blank in {0, 1, columns + 1}:
            assert sum(key.nbytes for key in keys_of(Shape(rows, columns, blank), "small")) <= 6e8


def test_impossible_shapes_and_unknown_sets_are_refused() -> None:
    for arguments in ((1, 9, 0), (5, 6, 0), (4, 4, 16), (4, 4, -1)):
        with pytest.raises(TaquinError):
            Shape(*arguments)
    with pytest.raises(TaquinError, match="small or medium or large"):
        table_set(Shape(4, 4, 0), "huge")


def test_the_named_sets_differ_where_there_is_a_better_one() -> None:
    lying = [shape for shape in SHAPES if shape[0] <= shape[1]]
    sets = {shape: {table_set(Shape(*shape, 0), name) for name in NAMED_SETS} for shape in lying}
    assert {shape for shape, each in sets.items() if len(each) > 1} == MANY


LAST = Goal.blank_last(3, 3)


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("AAB/AAB/CC.", "AAB/AAB/CC."),
        (" aab / aab / cc. ", "AAB/AAB/CC."),
        ("1 2 4 5 / 3 6 / 7 8", "AAB/AAB/CC."),
        ("1,2,4,5/3,6/7,8~4", "AAB/AAB/CC.~4"),
        ("1 2 / 8", "AA./.../.B."),
        ("1 2 3 4 5 6 7 8", "AAA/AAA/AA."),
        ("1 2 / 3 + ABB/A../...", "AAB/.../...+ABB/A../..."),
        ("small", "small"),
        ("large~16", "large~16"),
    ],
)
def test_groups_by_labels_are_groups_in_a_picture(text: str, picture: str) -> None:
    assert drawn(LAST, text) == picture
    assert drawn(LAST, picture) == picture


def test_a_picture_is_one_of_the_goal_and_not_of_the_numbers() -> None:
    first = Goal.blank_first(3, 3)
    assert drawn(first, "1 2 / 3 4") == ".AA/BB./..."
    assert partitions_of(Shape(3, 3, 0), ".AA/BB./...") == (((1, 2), (3, 4)),)
    assert drawn(Goal.parse("A B C / D E F / G H _"), "A B / C D") == "AAB/B../..."


def test_a_named_set_is_that_of_the_catalogue_also_compressed() -> None:
    shape = Shape(4, 4, 0)
    assert partitions_of(shape, "small~4") == table_set(shape, "small")
    whole, compressed = keys_of(shape, "small"), keys_of(shape, "small~4")
    assert sum(key.nbytes for key in compressed) * 4 == sum(key.nbytes for key in whole)
    assert all(key.name.endswith("-min4") for key in compressed)
    assert halvings_of("small~4") == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AAB/AAB", "3 rows of 3 letters"),
        ("AAB/AAB/CCD", "dot where the goal has its blank, row 3, column 3, found D"),
        (".../.../...", "groups of 1 to 8 tiles on 3×3, found none"),
        ("AAB/AAB/CC.~3", "2, 4, 8 or 16 values after ~, found '3'"),
        ("AAB/AAB/CC.~", "2, 4, 8 or 16 values after ~, found none"),
        ("1 2 / 2 3", "each tile in one group, found 2 in two"),
        ("1 2 / 0", "groups of tiles of the goal"),
        ("1 2 / 9", "found '9' in '1 2/9'"),
        ("huge", "small or medium or large"),
        ("1 2 3 4 5 6 7 / 8", "1 to 6 tiles on 5×5, found 7"),
    ],
)
def test_a_text_that_is_no_set_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    goal = Goal.blank_last(5, 5) if "5×5" in sentence else LAST
    shape = shape_of(goal)
    assert shape is not None
    with pytest.raises(InputError, match=sentence.replace("(", r"\(")):
        partitions_of(shape, drawn(goal, text))


def test_the_heuristic_prints_as_it_is_read() -> None:
    heuristic = heuristic_named("patterns(aab/aab/cc.~2)")
    assert heuristic == Patterns("AAB/AAB/CC.~2")
    assert heuristic_named(str(heuristic)) == heuristic
    by_labels, by_picture = Patterns([[1, 2, 4, 5], [3, 6], [7, 8]]), Patterns("AAB/AAB/CC.")
    board = "8 1 3 / 4 0 2 / 7 6 5"
    assert by_labels(board) == by_picture(board) == Patterns("1 2 4 5 / 3 6 / 7 8")(board)


@pytest.mark.parametrize(
    ("size", "sets"),
    [
        pytest.param(
            (3, 3),
            ("AAB/AAB/CC.", "AAB/AAB/CC.~2", "AAB/AAB/CC.~16", "AAA/AAA/A..~4"),
            marks=pytest.mark.slow,
        ),
        ((2, 4), ("AABB/AAB.", "AABB/AAB.~2", "AABB/AAB.~8", "AAAA/AAA.~2")),
    ],
)
def test_compressed_values_are_bounds_on_every_board(
    size: tuple[int, int], sets: tuple[str, ...]
) -> None:
    goal = Goal.blank_last(*size)
    known = truth.distances([tuple(map(int, goal.cells))], *size)
    space = Space(Puzzle(goal), Board(goal.grid, goal.cells))
    states = {space.pack(cells): far for cells, far in known.items()}
    means = []
    for tables in sets:
        value = Patterns(tables).bind(space).value
        estimates = [value(state) for state in states]
        assert all(map(int.__le__, estimates, states.values()))
        means.append(sum(estimates) / len(states))
    assert means[0] > means[1] > means[2] > 0


def test_a_halved_table_has_the_least_of_each_pair() -> None:
    key = PatternKey(2, 3, (1, 2, 4), 0)
    table = build_table(key)
    once, twice = halved(table), halved(halved(table))
    values = [value_at(table, index) for index in range(key.entries)]
    for index in range(key.entries):
        assert value_at(once, index >> 1) == min(values[index & ~1 : (index & ~1) + 2])
        assert value_at(twice, index >> 2) == min(values[index & ~3 : (index & ~3) + 4])
    assert once.nbytes * 2 == table.nbytes == twice.nbytes * 4
