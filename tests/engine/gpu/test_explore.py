"""Whole spaces on the card have the histograms and the farthest boards of the CPU's walk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taquin.engine.gpu.card import Card
from taquin.engine.gpu.explore import SpaceOnCard, bytes_of
from taquin.search.control import Ended
from taquin.tables.shape import Shape


@pytest.mark.parametrize("grid", [(2, 2), (3, 2), (4, 2), (3, 3)])
def test_a_space_has_the_published_histogram(card: Card, data: Path, grid: tuple[int, int]) -> None:
    known = json.loads((data / "depth_histograms.json").read_text())
    rows, columns = grid
    histogram, is_complete = SpaceOnCard(card, Shape(rows, columns, 0)).walk(None)
    assert is_complete
    assert list(histogram) == known[f"single:{rows}x{columns}"]
    assert sum(histogram) <= 8 * bytes_of(rows * columns)


def test_a_walk_that_is_ended_tells_the_levels_so_far(card: Card) -> None:
    def end(distance: int, seen: int, total: int) -> None:
        if distance == 4:
            raise Ended

    assert SpaceOnCard(card, Shape(3, 3, 0)).walk(end) == ((1, 2, 4, 8, 16), False)


@pytest.mark.gpu
def test_the_space_of_3x4_has_the_published_histogram_on_a_real_card(
    real_card: Card, data: Path
) -> None:
    known = json.loads((data / "depth_histograms.json").read_text())
    assert list(SpaceOnCard(real_card, Shape(4, 3, 0)).walk(None)[0]) == known["single:4x3"]
