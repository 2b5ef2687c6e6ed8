from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Direction
from taquin.errors import BoardError, NotationError
from taquin.model.grid import BlockKind, Grid, layout
from tests.model.strategies import grids


def test_cells_are_numbered_row_by_row_from_zero_and_distances_ignore_walls() -> None:
    grid = Grid(2, 3)
    places = [grid.place(cell) for cell in range(grid.size)]
    assert places == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert Grid.parse(". # . / . # .").distance(3, 2) == 3


def test_a_step_and_a_ray_end_at_an_edge_or_a_wall() -> None:
    grid = Grid.parse(". . . / . # .")
    ways = [(0, Direction.RIGHT), (0, Direction.UP), (0, Direction.LEFT), (1, Direction.DOWN)]
    assert [grid.step(*way) for way in ways] == [1, None, None, None]
    grid = Grid.parse(". . . # .")
    ways = [(0, Direction.RIGHT), (2, Direction.LEFT), (2, Direction.RIGHT)]
    assert [grid.ray(*way) for way in ways] == [(1, 2), (1, 0), ()]


@pytest.mark.parametrize("most", [None, 1, 2])
def test_a_ray_is_one_step_after_another(most: int | None) -> None:
    grid = Grid.parse(". . . # . / . . . . . / . # . . . / . . . . .")
    for cell in grid.open_cells:
        for direction in Direction:
            steps = [cell]
            while (near := grid.step(steps[-1], direction)) is not None:
                steps.append(near)
            assert grid.ray(cell, direction, most) == tuple(steps[1:])[:most]


def test_a_grid_says_its_size_and_walls() -> None:
    assert Grid.parse(". . . . / . # . . / . . . #") == Grid(3, 4, frozenset({5, 11}))
    assert str(Grid(3, 4)) == "3×4"
    assert str(Grid(3, 4, frozenset({5}))) == "3×4 with 1 wall"
    assert str(Grid(3, 4, frozenset({5, 6}))) == "3×4 with 2 walls"


@pytest.mark.parametrize(
    ("rows", "columns", "walls", "message"),
    [
        (0, 3, frozenset(), "at least one row and one column, got 0 × 3"),
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
    with pytest.raises(NotationError, match="row 2 has 1 cell, expected 2 like row 1"):
        Grid.parse(". . / .")


def parts_of(grid: Grid) -> list[set[int]]:
    """Return the sets of cells that walls cut apart, by spreading from cell to cell."""
    parts: list[set[int]] = []
    for first in grid.open_cells:
        if any(first in part for part in parts):
            continue
        part, fresh = {first}, {first}
        while fresh:
            fresh = {other for cell in fresh for other in grid.neighbours(cell)} - part
            part |= fresh
        parts.append(part)
    return parts


@given(grids())
def test_neighbours_are_mutual_and_one_step_away(grid: Grid) -> None:
    for cell in grid.open_cells:
        for other in grid.neighbours(cell):
            assert cell in grid.neighbours(other)
            assert grid.distance(cell, other) == 1
    for wall in grid.walls:
        assert grid.neighbours(wall) == ()


def drawn(text: str, root: int) -> dict[BlockKind, list[list[int]]]:
    blocks = layout(Grid.parse(text), root).blocks
    return {
        kind: sorted(sorted(block.cells) for block in blocks if block.kind is kind)
        for kind in {block.kind for block in blocks}
    }


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 3), (4, 4), (5, 2), (20, 30)])
def test_a_grid_without_walls_is_one_room(rows: int, columns: int) -> None:
    (block,) = layout(Grid(rows, columns), 0).blocks
    assert block.kind is BlockKind.ROOM
    assert block.cells == tuple(range(rows * columns))


def test_a_row_or_a_bent_way_is_a_line_and_a_branch_or_a_loop_is_none() -> None:
    assert drawn(". . . .", 2) == {BlockKind.CORRIDOR: [[0, 1], [1, 2], [2, 3]]}
    for text, root, line in (
        (". . . .", 2, (0, 1, 2, 3)),
        (". . # / # . . / # # .", 4, (0, 1, 4, 5, 8)),
        (". . . / # . #", 1, ()),
        (". . / . .", 1, ()),
        (". # .", 0, ()),
    ):
        assert layout(Grid.parse(text), root).line == line


def test_a_loop_round_a_wall_is_a_ring_in_order() -> None:
    (block,) = layout(Grid.parse(". . . / . # . / . . ."), 0).blocks
    assert block.kind is BlockKind.RING
    assert block.cells in ((0, 1, 2, 5, 8, 7, 6, 3), (0, 3, 6, 7, 8, 5, 2, 1))
    turned = block.inside(8)
    assert turned in ((7, 6, 3, 0, 1, 2, 5), (5, 2, 1, 0, 3, 6, 7))
    (large,) = layout(Grid(4, 4, frozenset({5, 6, 9, 10})), 0).blocks
    assert (large.kind, len(large.cells)) == (BlockKind.RING, 12)


def test_rooms_rings_and_corridors_hang_together() -> None:
    text = ". . . . . . / . . # . # . / . . # . . ."
    parts = {
        BlockKind.ROOM: [[0, 1, 6, 7, 12, 13]],
        BlockKind.CORRIDOR: [[1, 2], [2, 3]],
        BlockKind.RING: [[3, 4, 5, 9, 11, 15, 16, 17]],
    }
    for root in (0, 2, 3, 17):
        assert drawn(text, root) == parts


def test_two_rooms_may_share_one_cell() -> None:
    assert drawn(". . # / . . . / # . .", 0) == {BlockKind.ROOM: [[0, 1, 3, 4], [4, 5, 7, 8]]}
    alone = layout(Grid.parse(". # ."), 0)
    assert not alone.blocks
    assert not alone.tour
    assert alone.cells == {0}


@given(grids(25), st.data())
def test_the_tour_goes_step_by_step_over_every_cell_and_back(
    grid: Grid, data: st.DataObject
) -> None:
    root = data.draw(st.sampled_from(grid.open_cells))
    found = layout(grid, root)
    (part,) = (part for part in parts_of(grid) if root in part)
    assert found.cells == part
    here = root
    for cell, number in found.tour:
        assert cell in grid.neighbours(here)
        assert {here, cell} <= set(found.blocks[number].cells)
        here = cell
    assert here == root
    assert {root, *(cell for cell, _ in found.tour)} == part


@given(grids(25), st.data())
def test_two_cells_share_a_block_just_when_they_touch_or_lie_on_a_loop(
    grid: Grid, data: st.DataObject
) -> None:
    root = data.draw(st.sampled_from(grid.open_cells))
    found = layout(grid, root)
    for cell in found.cells:
        # With `cell` made a wall, blocks hold together and other cells fall apart.
        rest = found.cells - {cell}
        around = [set(block.cells) - {cell} for block in found.blocks if cell in block.cells]
        if not rest:
            continue
        parts = [
            part
            for part in parts_of(Grid(grid.rows, grid.columns, grid.walls | {cell}))
            if part <= rest
        ]
        assert len(parts) == len(around)
        assert all(any(inside <= part for part in parts) for inside in around)
