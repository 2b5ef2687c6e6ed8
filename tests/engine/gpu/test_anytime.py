"""The anytime engine with a GPU: its beams, and what follows them, under the same control."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from time import perf_counter, sleep

import pytest

import taquin as tq
from taquin.engine.anytime import gpu_beams as on_gpu
from taquin.engine.anytime.construction import BestSolution, construct
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.gpu_beams import GpuImprover
from taquin.engine.anytime.improver import Improver, warm_up
from taquin.engine.anytime.puzzle_arrays import arrays_of, follow
from taquin.engine.cpu.engine import Cpu
from taquin.engine.gpu.beam import GpuBeam
from taquin.engine.gpu.device import Device
from taquin.engine.gpu.engine import Gpu
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Limits, Outcome, Result, Task

SIX = Task(tq.Puzzle(tq.Goal.blank_last(6, 6)), tq.random_board(tq.Goal.blank_last(6, 6), 1))


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stand-in, which is slow, have narrow beams."""
    warm_up(True)
    monkeypatch.setattr(on_gpu, "_FIRST_WIDTH", 100)
    monkeypatch.setattr(on_gpu, "_PART_WIDTH", 300)
    monkeypatch.setattr(on_gpu, "_SHARES", (0.0, 0.0, 0.0))


@pytest.mark.usefixtures("wired")
def test_each_improvement_is_shorter_and_solves_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    search = GpuBeam.search

    def noted(beam: GpuBeam, *arguments: object, **options: object) -> object:
        widths.append(beam.width)
        return search(beam, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(GpuBeam, "search", noted)
    # Kernels are tried once in a process, however long that takes, then a beam begins.
    control = Control(stop=lambda: 100 in widths)
    *improved, finished = Anytime(seconds=60, threads=4).events(SIX, control)
    assert isinstance(finished, tq.events.Finished)
    # Beside a GPU there is one thread, whatever is allowed.
    assert str(finished.result.engine) == "anytime, 1 thread and stand-in"
    costs = []
    for event in improved:
        assert isinstance(event, tq.events.Improved)
        assert SIX.puzzle.is_goal(event.node.board)
        costs.append(event.cost)
    assert all(second < first for first, second in pairwise(costs))
    assert finished.result.puzzle.is_goal(finished.result.boards()[-1])
    assert 100 in widths


def improver(device: Device, seconds: float) -> GpuImprover:
    puzzle = arrays_of(Space(SIX.puzzle, SIX.start))
    return GpuImprover(puzzle, BestSolution(), perf_counter() + seconds, 0, device=device)


def test_a_gpu_alone_solves_a_board_and_improves_its_parts(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers: list[bytes] = []
    offer = BestSolution.offer

    def noted(best: BestSolution, moves: bytes) -> None:
        offers.append(moves)
        offer(best, moves)

    monkeypatch.setattr(BestSolution, "offer", noted)
    alone = improver(device, 1_000)
    puzzle = alone.puzzle
    # One is constructed, one found by a beam, and one is better in a part.
    alone.look = lambda: setattr(
        alone, "is_stopped", any(len(moves) < len(offers[1]) for moves in offers[2:])
    )
    lines: list[str] = []
    alone.notice = lines.append
    alone.run()
    assert not lines
    assert len(offers) > 2
    for moves in offers:
        assert follow(puzzle.start, moves, puzzle.near) == puzzle.goal
    assert alone.generated > 1_000
    assert min(map(len, offers)) < len(offers[1]) < len(offers[0])
    assert alone.best.moves == min(offers, key=len)


def test_widths_are_planned_by_the_time_of_the_levels_before(device: Device) -> None:
    alone = improver(device, 60)
    alone.best.offer(bytes(1_000))
    # A level of 131,072 boards takes 0.027 ms at least, and 0.131 ms for its boards.
    alone._board_seconds = 1e-9
    assert alone._seconds_of(131_072, 1_000) == pytest.approx(0.158, abs=0.001)
    assert alone._width_within(0.158, 1_000) == pytest.approx(131_072, rel=0.01)
    assert alone._width_within(0.0, 1_000) == on_gpu._FIRST_WIDTH
    assert alone._width_within(1e9, 1_000) < device.free() // 100


def test_beams_of_the_whole_board_get_wider_in_turns_of_direction(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[tuple[bool, int]] = []
    board_seconds = 1e-9

    def note(alone: GpuImprover, width: int) -> None:
        passes.append((alone._is_backwards, width))
        alone._board_seconds = board_seconds

    def stop(alone: GpuImprover, chance: object, began: float) -> None:
        alone.is_stopped = True

    monkeypatch.setattr(GpuImprover, "_pass", note)
    monkeypatch.setattr(GpuImprover, "_improve_part", stop)
    # With no share of its own a beam is as wide as the first.
    improver(device, 1_000).run()
    assert passes == [(False, 100), (True, 100), (False, 100), (True, 100)]
    passes.clear()
    monkeypatch.setattr(on_gpu, "_SHARES", (1e-4, 2e-4))
    improver(device, 1_000).run()
    assert [is_backwards for is_backwards, _ in passes] == [False, True, False]
    first, second, third = (width for _, width in passes)
    assert first == 100 < second < third
    # A beam that would take longer than what is left is not begun.
    passes.clear()
    monkeypatch.setattr(on_gpu, "_SHARES", (2.0,))
    board_seconds = 1e-3
    improver(device, 1_000).run()
    assert passes == [(False, 100)]


def test_other_threads_are_waited_for_and_their_boards_counted(device: Device) -> None:
    alone = improver(device, 1_000)
    ended: list[int] = []

    def work(other: Improver, number: int) -> None:
        other._generated_before = 100
        while number == 0 and not other.is_stopped:
            sleep(0.001)
        ended.append(number)

    for number in range(6):
        alone._do_beside(work, number)
    for _, future in alone._beside[1:]:
        future.result()
    alone._let_go()
    assert sorted(ended) == list(range(6))
    assert alone.generated == 600
    assert not alone._beside


@pytest.fixture
def no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let beams of the whole board be over at once."""

    def none(alone: GpuImprover, width: int) -> None:
        alone._board_seconds = 1e-9

    monkeypatch.setattr(GpuImprover, "_pass", none)


def detour_of(improver: GpuImprover) -> bytes:
    """Return the solution by construction, with two detours that cost four moves each."""
    puzzle = improver.puzzle
    solution = construct(puzzle, puzzle.start)
    # Round a block one way and the other, with moves of the blank elsewhere in between.
    around, away = bytes((0, 1, 3, 2)), bytes((0, 0, 3, 3))
    return solution + around + away + bytes((1, 0, 2, 3))


@pytest.mark.parametrize("has_gpu", [True, False])
def test_the_best_solution_is_made_shorter_beside_the_gpu_or_without_it(
    device: Device, has_gpu: bool
) -> None:
    alone = improver(device, 1_000)
    alone.has_gpu = has_gpu
    alone.best.moves = detour = detour_of(alone)
    alone._shorten_best(Random(1))
    assert (alone._shortening is not None) is has_gpu
    if alone._shortening is not None:
        alone._shortening.result()
    solution = alone.best.moves
    assert len(solution) <= len(detour) - 8
    assert follow(alone.puzzle.start, solution, alone.puzzle.near) == alone.puzzle.goal
    alone._let_go()


@pytest.mark.usefixtures("no_pass")
def test_what_goes_wrong_in_another_thread_is_said(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no memory for rotations")

    monkeypatch.setattr(Improver, "_shorten_best", fail)
    said: list[str] = []
    alone = improver(device, 0.5)
    alone.notice = said.append
    alone.run()
    assert len(said) == 1
    assert "no memory for rotations" in said[0]
    assert alone.best.moves is not None


@pytest.mark.usefixtures("no_pass")
def test_parts_in_vain_make_their_beam_wider(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: list[int] = []

    def improve(alone: GpuImprover, chance: object, began: float) -> None:
        widths.append(alone._part_width)
        alone.is_stopped = len(widths) == 60

    monkeypatch.setattr(GpuImprover, "_improve_part", improve)
    improver(device, 1_000).run()
    assert widths == [300] * 24 + [600] * 24 + [1_200] * 12


def test_a_gpu_that_fails_leaves_the_work_to_the_processor(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("out of memory\nmore about it")

    monkeypatch.setattr(GpuBeam, "begin", fail)
    lines: list[str] = []
    alone = improver(device, 1_000)
    alone.notice = lines.append
    constructed = len(construct(alone.puzzle, alone.puzzle.start))
    alone.look = lambda: setattr(
        alone, "is_stopped", len(alone.best.moves or bytes(1_000)) < constructed
    )
    alone.run()
    assert alone.is_stopped
    assert lines == ["the GPU failed, and the processor goes on alone: out of memory"]


@pytest.mark.usefixtures("wired")
def test_limits_and_the_stop_button_end_it_with_the_best_so_far() -> None:
    nodes = tq.solve(SIX.start, algorithm=Anytime(60), limits=Limits(nodes=200_000))
    assert (nodes.outcome, nodes.limit) == (Outcome.SOLVED, None)
    assert (nodes.stats.generated or 0) >= 200_000
    assert nodes.cost is not None
    looks = iter(range(40))
    stopped = tq.solve(SIX.start, algorithm=Anytime(60), stop=lambda: next(looks, None) is None)
    assert stopped.outcome is Outcome.STOPPED
    assert stopped.puzzle.is_goal(stopped.boards()[-1])


@pytest.mark.usefixtures("wired")
def test_a_gpu_is_for_large_classic_puzzles_and_can_be_declined() -> None:
    def uses_gpu(start: tq.Board, goal: tq.Goal, engine: Anytime) -> bool:
        return engine._takes_gpu(Task(tq.Puzzle(goal), start))

    for side, expected in ((4, False), (5, True)):
        goal = tq.Goal.blank_last(side, side)
        assert uses_gpu(tq.random_board(goal, 1), goal, Anytime()) is expected
    goal = SIX.puzzle.goal
    assert not uses_gpu(SIX.start, goal, Anytime(gpu=False))
    partial = tq.Goal(goal.grid, (*goal.cells[:-1], tq.ANY))
    assert not uses_gpu(SIX.start, partial, Anytime())


@pytest.mark.usefixtures("wired")
def test_a_gpu_looks_for_a_shortest_solution_where_there_may_be_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Gpu] = []

    def solve(engine: Gpu, task: Task, control: Control) -> Result:
        asked.append(engine)
        return Cpu(tables=None, threads=1).solve(task, control)

    monkeypatch.setattr(Gpu, "solve", solve)
    goal = tq.Goal.blank_last(4, 5)
    start = tq.random_walk(tq.Puzzle(goal), 30, 1)
    result = tq.solve(start, goal, algorithm=Anytime(seconds=3, threads=1))
    assert asked == [Gpu(tiles=6)]
    assert result.optimal
