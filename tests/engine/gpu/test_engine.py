"""The engine on a GPU: the same results as other engines, under the same control."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from taquin import Board, Goal, Puzzle, random_board, random_walk
from taquin.engine import many
from taquin.engine import task as policy
from taquin.engine.gpu import device as devices
from taquin.engine.gpu import resident as residents
from taquin.engine.gpu.device import Device, gpu_fit
from taquin.engine.gpu.engine import Gpu
from taquin.engine.gpu.resident import Resident
from taquin.engine.solve import solve
from taquin.engine.task import Auto, Wishes, engine_named
from taquin.errors import UnsuitableError
from taquin.search.control import Control
from taquin.search.result import Counters, Limit, Limits, Outcome, Result, Task, Want
from taquin.system.lazy import install_command
from taquin.tables.shape import Shape
from tests import truth
from tests.cli.runs import run
from tests.truth import Cells

THREE = Goal.blank_last(3, 3)


@pytest.mark.usefixtures("wired")
@pytest.mark.parametrize(
    "cells", [THREE.cells, (1, 2, 3, 8, 0, 4, 7, 6, 5), (1, 0, 2, 3, 4, 5, 6, 7, 8)]
)
def test_boards_are_solved_optimally_wherever_the_goal_has_its_blank(cells: Cells) -> None:
    goal = Goal(THREE.grid, cells)
    for seed in range(3):
        board = random_board(goal, seed=seed)
        result = solve(board, goal, engine=Gpu())
        assert result.cost == solve(board, goal, engine="table").cost
        assert (result.optimal, result.engine.name) == (True, "gpu")
        assert result.boards()[-1].cells == cells
        assert sum(nodes for _, nodes in result.bounds) == result.stats.generated
    solved = solve(Board(goal.grid, cells), goal, engine=Gpu(6))
    assert (solved.cost, solved.optimal, solved.stats.generated) == (0, True, 0)
    turned = Board(goal.grid, tuple({1: 2, 2: 1}.get(int(tile), tile) for tile in cells))
    assert solve(turned, goal, engine="gpu(tiles=6)").outcome is Outcome.UNSOLVABLE


@pytest.mark.slow
def test_the_goals_of_inverse_boards_have_large_tables(
    wired: Resident, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = {
        Shape(3, 3, blank): (tuple({0, 1, 3, 4} - {blank}), (2, 5), (6, 7, 8))
        for blank in (0, 1, 4)
    }
    monkeypatch.setattr("taquin.engine.gpu.plan._LARGE", large)
    monkeypatch.setattr(residents, "_views", residents._views.__wrapped__)
    for name in ("_ENOUGH", "_WORTH_BUILDING"):
        monkeypatch.setattr(residents, name, 1)
    for name in ("_NEAR", "_AHEAD_SHARE"):
        # Where a solution is known ahead of its bound, variants are not compared.
        monkeypatch.setattr(f"taquin.engine.gpu.searcher.{name}", 0)
    names = set()
    for seed in range(30):
        board = random_board(THREE, seed=seed)
        result = solve(board, THREE, engine=Gpu())
        assert result.cost == truth.eight_puzzle()[board.cells]
        assert sum(nodes for _, nodes in result.bounds) == result.stats.generated
        names.add(str(result.engine).removeprefix("gpu, stand-in, patterns of "))
    assert {"6 tiles", "8 and 7 tiles, backward"} <= names
    for shape, patterns in large.items():
        assert not wired._tables.missing(shape, patterns)


@pytest.mark.usefixtures("wired")
def test_limits_and_the_stop_button_end_it() -> None:
    board = random_board(Goal.blank_last(3, 4), seed=7)
    nodes = solve(board, engine=Gpu(6), limits=Limits(nodes=10_000))
    assert nodes.outcome is Outcome.SOLVED or (nodes.stats.generated or 0) <= 10_000
    depth = solve(board, engine=Gpu(6), limits=Limits(depth=10))
    assert depth.limit is Limit.DEPTH
    stopped = solve(board, engine=Gpu(6), stop=lambda: True)
    assert stopped.outcome is Outcome.STOPPED


@pytest.mark.usefixtures("wired")
def test_an_interrupt_ends_it_and_the_next_board_is_solved() -> None:
    def interrupt(counters: Counters, seconds: float) -> None:
        if counters.generated:
            raise KeyboardInterrupt

    board = random_board(THREE, seed=3)
    stopped = solve(board, THREE, engine=Gpu(6), progress=interrupt)
    assert (stopped.outcome, stopped.reason) == (Outcome.STOPPED, "interrupted")
    assert solve(board, THREE, engine=Gpu(6)).optimal


@pytest.mark.usefixtures("wired")
def test_many_boards_are_solved_together() -> None:
    puzzle = Puzzle(THREE)
    starts = [random_board(THREE, seed=seed) for seed in range(20)]
    starts.append(Board.parse("2 1 3 / 4 5 6 / 7 8 0"))
    tasks = [Task(puzzle, start) for start in starts]
    assert {Gpu().batch_key(task) for task in tasks} == {Shape(3, 3, 8)}
    first = Goal.blank_first(3, 3)
    assert Gpu().batch_key(Task(Puzzle(first), random_board(first, seed=1))) == Shape(3, 3, 0)
    assert Gpu().batch_key(replace(tasks[0], limits=Limits(seconds=1))) is None
    results = Gpu().solve_many(tasks, Control())
    assert [result.cost for result in results[:-1]] == [
        truth.eight_puzzle()[start.cells] for start in starts[:-1]
    ]
    assert all(result.optimal for result in results[:-1])
    assert results[-1].outcome is Outcome.UNSOLVABLE
    assert results[0].stats.generated is None


@pytest.mark.usefixtures("wired")
def test_solve_many_prints_the_lines_of_a_batch_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("867254301\n1 2 3 / 4 5 6 / 7 0 8\nno board\n213456780\n123456780\n")
    batches: list[int] = []
    together = Gpu.solve_many

    def noted(engine: Gpu, tasks: Sequence[Task], control: Control) -> list[Result]:
        batches.append(len(tasks))
        return together(engine, tasks, control)

    monkeypatch.setattr(Gpu, "solve_many", noted)
    done = run("solve", str(file), "--many", "--engine", "gpu")
    assert batches == [4]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("cost") for line in lines] == [31, 1, None, None, 0]
    assert lines[0]["engine"] == "gpu, stand-in"
    assert lines[2]["line"] == 3
    assert lines[3]["outcome"] == "unsolvable"


@pytest.mark.usefixtures("wired")
def test_auto_takes_it_for_a_long_stream_of_small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_GPU_PAYS", 3)
    monkeypatch.setattr(many, "_PAYING", (3,))
    goal = Goal.blank_last(3, 4)
    boards = [random_walk(goal, 12, seed=seed) for seed in range(6)]
    said: list[str] = []
    solver = many.Many(Wishes(Auto(threads=1)), grows=True, notice=said.append)
    answers = list(solver.answers(Task(Puzzle(goal), board) for board in boards))
    assert [str(answer.engine) for answer in answers if isinstance(answer, Result)] == [
        *["cpu, 1 thread"] * 2,
        *["gpu, stand-in"] * 4,
    ]
    lengths = [solve(board, engine="cpu").cost for board in boards]
    assert [answer.cost for answer in answers if isinstance(answer, Result)] == lengths
    assert said == ["3 boards: the GPU takes over."]


@pytest.mark.usefixtures("wired")
def test_auto_takes_it_where_it_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(rows: int, columns: int) -> str:
        goal = Goal.blank_last(rows, columns)
        return Auto().engine_for(Task(Puzzle(goal), random_board(goal, seed=1))).name

    assert [chosen(3, 3), chosen(4, 4), chosen(4, 5), chosen(5, 5)] == [
        "table",
        "cpu",
        "gpu",
        "gpu",
    ]
    monkeypatch.setattr(devices, "gpu_fit", gpu_fit)
    assert chosen(5, 5) == ("gpu" if gpu_fit() else "cpu")


def test_without_cupy_a_gpu_or_its_memory_a_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    assert gpu_fit.__wrapped__().why_not == (
        f"it needs CuPy: {install_command('cuda13')}, or cuda12 for a driver before 580"
    )

    def none() -> Device:
        raise RuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    monkeypatch.setattr(devices, "find_spec", lambda name: True)
    monkeypatch.setattr(devices, "the_gpu", none)
    assert gpu_fit.__wrapped__().why_not == (
        "it finds no CUDA GPU that CuPy can use (no CUDA-capable device is detected)"
    )

    class Small:
        memory = 2_000_000_000

    monkeypatch.setattr(devices, "the_gpu", Small)
    why_not = gpu_fit.__wrapped__().why_not
    assert why_not.startswith("it needs a GPU with ")
    assert "\n" not in why_not


@pytest.mark.usefixtures("wired")
def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(UnsuitableError, match="6 or 8 tiles, found 7"):
        engine_named("gpu(tiles=7)")
    with pytest.raises(UnsuitableError, match="classic puzzles"):
        solve("1 2 # / 3 _ 4", "1 2 # / 3 4 _", engine="gpu")
    walled = Task(Puzzle(THREE), random_board(THREE, seed=1), want=Want.EVERY)
    assert not Gpu().fits(walled)
    assert policy.ENGINES["gpu"] is Gpu


@pytest.mark.gpu
@pytest.mark.usefixtures("real_gpu")
def test_a_24_puzzle_is_solved_on_a_real_gpu() -> None:
    board = Board.parse("2 17 4 13 7 / 12 10 3 0 16 / 21 24 8 5 18 / 20 15 19 14 9 / 22 11 6 1 23")
    result = solve(board, Goal.blank_first(5, 5), engine=Gpu(6))
    assert (result.cost, result.optimal) == (82, True)
