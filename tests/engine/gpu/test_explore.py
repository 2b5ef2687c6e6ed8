"""Whole spaces on the GPU have the histograms and the farthest boards of the CPU's walk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taquin import Goal, Metric, Puzzle
from taquin.analysis import gpu_explore as explore_module
from taquin.analysis.explore import explore as explore_on_cpu
from taquin.analysis.gpu_explore import GpuSpace, bytes_of, explore, explore_fit
from taquin.engine.gpu.device import Device
from taquin.search.control import Ended
from taquin.tables.shape import Shape
from tests.cli.runs import run


@pytest.mark.sampled(4)
@pytest.mark.parametrize("listed", [1 << 24, 3, 500])
@pytest.mark.parametrize("grid", [(2, 2), (3, 2), (4, 2), (3, 3)])
def test_a_space_has_the_published_histogram(
    device: Device, data: Path, grid: tuple[int, int], listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Levels are pushed while they can be listed, and pulled when they are larger.
    monkeypatch.setattr(explore_module, "_LISTED", listed)
    known = json.loads((data / "depth_histograms.json").read_text())
    rows, columns = grid
    histogram, is_complete = GpuSpace(device, Shape(rows, columns, 0)).walk(None)
    assert is_complete
    assert list(histogram) == known[f"single:{rows}x{columns}"]
    assert sum(histogram) <= 8 * bytes_of(rows * columns)


def test_a_walk_that_ends_early_returns_the_levels_so_far(device: Device) -> None:
    def end(distance: int, seen: int, total: int) -> None:
        if distance == 4:
            raise Ended

    assert GpuSpace(device, Shape(3, 3, 0)).walk(end) == ((1, 2, 4, 8, 16), False)


@pytest.mark.usefixtures("wired")
@pytest.mark.parametrize("grid", [(2, 4), (3, 3), (4, 2)])
def test_the_farthest_boards_are_those_of_the_cpu(grid: tuple[int, int]) -> None:
    puzzle = Puzzle(Goal.blank_last(*grid))
    assert explore_fit(puzzle)
    assert explore(puzzle) == explore_on_cpu(puzzle)


@pytest.mark.usefixtures("wired")
def test_the_command_explores_on_the_gpu() -> None:
    on_gpu, on_cpu = (run("explore", "2x4", "--engine", name) for name in ("gpu", "cpu"))
    assert on_gpu.stdout == on_cpu.stdout


@pytest.mark.usefixtures("wired")
def test_a_space_that_does_not_fit_the_gpu_is_refused() -> None:
    why_not = explore_fit(Puzzle(Goal.blank_last(3, 5))).why_not
    assert why_not.startswith("it needs a GPU with ")
    assert not explore_fit(Puzzle(Goal.blank_last(4, 4)))
    assert not explore_fit(Puzzle(Goal.blank_last(3, 3), Metric.MULTI))
    assert "it needs a GPU" in run("explore", "3x5", "--engine", "gpu").stderr


@pytest.mark.gpu
def test_the_space_of_3x4_has_the_published_histogram_on_a_real_gpu(
    real_gpu: Device, data: Path
) -> None:
    known = json.loads((data / "depth_histograms.json").read_text())
    assert list(GpuSpace(real_gpu, Shape(4, 3, 0)).walk(None)[0]) == known["single:4x3"]
