"""The cheapest assignment, against trying them all."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from taquin.heuristics.per_tile import assignment_cost, cells_key, cheapest_assignment
from taquin.model.grid import Grid
from tests.naive import distance


def cost(grid: Grid, places: set[int], tiles: set[int]) -> int:
    return assignment_cost(grid, places)(sum(1 << 8 * tile for tile in tiles))


@st.composite
def cost_tables(draw: st.DrawFn) -> list[list[int]]:
    rows = draw(st.integers(0, 5))
    columns = draw(st.integers(max(rows, 1), 6))
    row = st.lists(st.integers(0, 20), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@given(cost_tables())
def test_cheapest_assignment_is_the_least_over_all_of_them(costs: list[list[int]]) -> None:
    columns = range(len(costs[0])) if costs else range(0)
    least = min(
        sum(costs[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(columns, len(costs))
    )
    assert cheapest_assignment(costs) == least


@given(st.data())
def test_every_place_gets_a_tile_of_its_own_at_the_least_distance(data: st.DataObject) -> None:
    cells = st.integers(0, 11)
    places = data.draw(st.sets(cells, max_size=5))
    tiles = data.draw(st.sets(cells, min_size=len(places), max_size=7))
    least = min(
        sum(distance(place, tile, 4) for place, tile in zip(places, chosen, strict=True))
        for chosen in permutations(tiles, len(places))
    )
    assert cost(Grid(3, 4), places, tiles) == least


def test_both_nearest_to_one_place_do_not_share_it() -> None:
    assert cost(Grid(1, 4), {1, 3}, {0, 1}) == 3


def test_a_key_holds_one_byte_per_cell_whatever_the_type_of_state() -> None:
    assert cells_key(bytes((1, 2, 0, 1)), 1) == 1 | 1 << 24
    assert cells_key((300, 2, 0, 300), 300) == 1 | 1 << 24


def test_an_example_may_take_its_time_on_a_busy_machine() -> None:
    assert settings.default is not None
    assert settings.default.deadline is None
