from __future__ import annotations

import pytest
from hypothesis import given

from taquin.errors import BoardError, NotationError
from taquin.model.grid import Grid
from taquin.model.moves import Direction
from tests.model.strategies import grids, unhurried


def test_cells_are_numbered_row_by_row_from_zero() -> None:
    grid = Grid(2, 3)
    assert grid.size == 6
    assert [grid.place(cell) for cell in range(6)] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2),
    ]  # fmt: skip


def test_a_step_ends_at_an_edge_or_a_wall() -> None:
    grid = Grid.parse(". . . / . # .")
    assert grid.step(0, Direction.RIGHT) == 1
    assert grid.step(0, Direction.UP) is None
    assert grid.step(0, Direction.LEFT) is None
    assert grid.step(1, Direction.DOWN) is None


def test_a_ray_runs_up_to_the_edge_or_the_wall() -> None:
    grid = Grid.parse(". . . # .")
    assert grid.ray(0, Direction.RIGHT) == (1, 2)
    assert grid.ray(2, Direction.LEFT) == (1, 0)
    assert grid.ray(2, Direction.RIGHT) == ()


def test_walls_cut_a_grid_into_parts() -> None:
    assert Grid(2, 2).parts() == (frozenset({0, 1, 2, 3}),)
    assert Grid.parse(". # . / . # .").parts() == (frozenset({0, 3}), frozenset({2, 5}))


def test_distance_ignores_walls() -> None:
    assert Grid.parse(". # . / . # .").distance(3, 2) == 3


def test_a_drawing_gives_the_walls() -> None:
    assert Grid.parse(". . . . / . # . . / . . . #") == Grid(3, 4, frozenset({5, 11}))


def test_a_grid_says_its_size_and_walls() -> None:
    assert str(Grid(3, 4)) == "3×4"
    assert str(Grid(3, 4, frozenset({5}))) == "3×4 with 1 wall"
    assert str(Grid(3, 4, frozenset({5, 6}))) == "3×4 with 2 walls"


@pytest.mark.parametrize(
    ("rows", "columns", "walls", "message"),
    [
        (0, 3, frozenset(), "at least one row and one column, not 0 × 3"),
        (3, -1, frozenset(), "at least one row and one column"),
        (2, 2, frozenset({4}), "walls must be cells from 0 to 3, found 4"),
        (2, 2, frozenset({-1}), "found -1"),
        (1, 2, frozenset({0, 1}), "at least one cell that is not a wall"),
    ],
)
def test_an_impossible_grid_is_refused(
    rows: int, columns: int, walls: frozenset[int], message: str
) -> None:
    with pytest.raises(BoardError, match=message):
        Grid(rows, columns, walls)


def test_a_ragged_drawing_is_refused_at_its_place() -> None:
    with pytest.raises(NotationError, match="row 2 has 1 cells, expected 2 like row 1"):
        Grid.parse(". . / .")


@unhurried
@given(grids())
def test_neighbours_are_mutual_and_parts_hold_every_open_cell_once(grid: Grid) -> None:
    for cell in grid.open_cells:
        for other in grid.neighbours(cell):
            assert cell in grid.neighbours(other)
            assert grid.distance(cell, other) == 1
    for wall in grid.walls:
        assert grid.neighbours(wall) == ()
    parts = grid.parts()
    assert sorted(cell for part in parts for cell in part) == list(grid.open_cells)
    for part in parts:
        assert all(set(grid.neighbours(cell)) <= part for cell in part)
