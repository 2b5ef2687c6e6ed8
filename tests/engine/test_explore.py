"""Whole spaces have the published number of boards at each distance."""

import json
from pathlib import Path

import pytest

from taquin.engine.explore import explore
from taquin.errors import TaquinError
from tests import naive

SHAPES = [(2, 2), (2, 3), (3, 2), (4, 2), (2, 4), (3, 3), (5, 2), (2, 5)]


def _published(data: Path, rows: int, cols: int, multi_tile: bool) -> list[int]:
    metric = "multi" if multi_tile else "single"
    histograms = json.loads((data / "depth_histograms.json").read_text())
    published: list[int] = histograms[f"{metric}:{max(rows, cols)}x{min(rows, cols)}"]
    return published


@pytest.mark.parametrize("multi_tile", [False, True])
@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_histogram_is_the_published_one(data: Path, rows: int, cols: int, multi_tile: bool) -> None:
    found = explore(rows, cols, multi_tile=multi_tile)
    assert list(found.histogram) == _published(data, rows, cols, multi_tile)
    assert len(found.farthest) == min(100, found.histogram[-1])


@pytest.mark.slow
@pytest.mark.parametrize("multi_tile", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (6, 2)])
def test_spaces_of_twelve_cells_have_the_published_histogram(
    data: Path, rows: int, cols: int, multi_tile: bool
) -> None:
    found = explore(rows, cols, multi_tile=multi_tile)
    assert list(found.histogram) == _published(data, rows, cols, multi_tile)


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (2, 4)])
def test_farthest_boards_are_those_of_an_exhaustive_search(rows: int, cols: int) -> None:
    for blank in range(rows * cols):
        goal = (*range(1, blank + 1), 0, *range(blank + 1, rows * cols))
        truth = naive.distances(rows, cols, goal)
        found = explore(rows, cols, blank=blank, most_farthest=10**6)
        radius = max(truth.values())
        assert found.radius == radius
        assert set(found.farthest) == {board for board, d in truth.items() if d == radius}


def test_what_cannot_be_explored_is_refused() -> None:
    with pytest.raises(TaquinError):
        explore(4, 4)
    with pytest.raises(TaquinError):
        explore(2, 3, blank=6)
