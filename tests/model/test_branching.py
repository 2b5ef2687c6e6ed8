"""The ways of the blank, against counting them one by one, and the factors of the literature."""

from itertools import islice

import pytest

from taquin.model.grid import Grid, blank_ways, branching_factor


def counted(grid: Grid, blank: int, depth: int, before: int = -1) -> list[int]:
    """Return how many ways of `depth` steps end in each cell, each of them gone."""
    if depth == 0:
        return [int(cell == blank) for cell in range(grid.size)]
    rest = [near for near in grid.neighbours(blank) if near != before]
    ends = [counted(grid, near, depth - 1, blank) for near in rest]
    return [sum(column) for column in zip(*ends, strict=True)] or [0] * grid.size


@pytest.mark.parametrize("grid", [Grid(3, 3), Grid(2, 4), Grid(1, 4)])
def test_ways_are_those_that_are_counted_one_by_one(grid: Grid) -> None:
    for blank in range(grid.size):
        for depth, arrived in enumerate(islice(blank_ways(grid, blank), 8)):
            assert arrived == counted(grid, blank, depth)


def test_walls_bar_ways() -> None:
    walled = Grid.of_rows([[1, 2, 3], [4, "#", 5], [6, 7, 0]])
    assert [sum(ways) for ways in islice(blank_ways(walled, 0), 5)] == [1, 2, 2, 2, 2]
    assert branching_factor(walled) == 1


@pytest.mark.parametrize(("side", "factor"), [(2, 1.0), (3, 3**0.5), (4, 2.13040), (5, 2.36760)])
def test_factors_are_those_of_edelkamp_and_korf(side: int, factor: float) -> None:
    assert branching_factor(Grid(side, side)) == pytest.approx(factor, abs=1e-5)
