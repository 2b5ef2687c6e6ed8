"""Good solutions of any board: they solve it, they only get better, and the bound is proven.

One thread, one seed and one limit on nodes give the same answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise, product
from math import inf
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from tools import fit_value
from tools.fit_value import Features, Sample, fit, sample, text_of

import taquin as tq
from taquin.engine.anytime import engine as anytime
from taquin.engine.anytime.beam import VALUE, BeamPass, CpuBeam
from taquin.engine.anytime.construction import BestSolution, construct, construct_in_python
from taquin.engine.anytime.cycles import undo_cycles
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.improver import Improver, warm_up
from taquin.engine.anytime.proof import Proof, _Tree
from taquin.engine.anytime.puzzle_arrays import (
    PuzzleArrays,
    arrays_of,
    follow,
    reversed_moves,
    turned_round,
)
from taquin.engine.anytime.team import BeamTeam
from taquin.engine.anytime.value import (
    KINDS,
    MOST_NUMBERS,
    NEAR,
    NO_TILE,
    OFFSETS,
    RIM,
    kind_of,
    pair_weights,
    read_weights,
    single_weight,
)
from taquin.engine.base import run
from taquin.engine.cpu.automaton import no_return
from taquin.engine.cpu.engine import Cpu
from taquin.engine.glass import estimate
from taquin.engine.task import Auto, Wishes
from taquin.engine.task import solve as solve_task
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Limits, Outcome, Result, Task
from tests import naive
from tests.cli.runs import run as run_command
from tests.engine.anytime import (
    SIX,
    arrays_for,
    homes_of,
    is_solved,
    naive_value,
    pair_weight,
    random_puzzle,
    random_way,
    value_of,
)
from tests.truth import Cells, distances, published


@pytest.fixture(autouse=True)
def ready() -> None:
    """Compile before any clock runs."""
    warm_up(True)
    warm_up(False)


def random_task(chance: Random, most: int) -> Task:
    """Return a random solvable board of a random shape with a random goal."""
    rows, columns = chance.randint(2, most), chance.randint(2, most)
    labels = list(range(rows * columns))
    chance.shuffle(labels)
    goal = tq.Goal(tq.Grid(rows, columns), tuple(labels))
    return Task(tq.Puzzle(goal), tq.random_board(goal, chance.randrange(10**9)))


def test_every_board_of_any_shape_and_goal_is_solved_by_construction() -> None:
    chance = Random(1)
    for _ in range(250):
        task = random_task(chance, 12)
        puzzle = arrays_for(task)
        moves = construct(puzzle, puzzle.start)
        assert is_solved(puzzle, moves)
        assert construct_in_python(Space(task.puzzle, task.start)) == list(moves)


@pytest.mark.parametrize("side", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_a_huge_board_is_solved(side: int) -> None:
    goal = tq.Goal.blank_last(side, side)
    result = tq.solve(tq.random_board(goal, 1), goal, algorithm=Anytime(seconds=0))
    cells, blank = list(result.start.cells), result.start.blank
    towards = {"up": side, "down": -side, "left": 1, "right": -1}
    for move in result.moves or ():
        tile = blank + towards[str(move.direction)]
        assert move.tiles == (cells[tile],)
        cells[blank], cells[tile], blank = cells[tile], 0, tile
    assert tuple(cells) == goal.cells


TASKS = {
    "6x6": Task(tq.Puzzle(tq.Goal.blank_last(6, 6)), SIX),
    "any shape and goal": random_task(Random(0), 9),
    "another": random_task(Random(1), 9),
    "3x5": Task(tq.Puzzle(tq.Goal.blank_last(3, 5)), tq.random_board("3x5", 7)),
    "a partial goal": Task(
        tq.Puzzle(tq.read_goal("1 2 3 * * / * * * * * / * * * * *")), tq.random_board("3x5", 7)
    ),
    "walls and names": Task(
        tq.Puzzle(tq.Goal.parse("A * * * / * # * * / * * * B / * * C *")),
        tq.Board.parse(". . . A / . # B . / . . . @ / C . . ."),
    ),
    "slides": Task(tq.Puzzle(tq.Goal.blank_last(6, 6), tq.Metric.MULTI), SIX),
}


@pytest.mark.parametrize("name", TASKS)
def test_each_improvement_is_an_event_with_its_solved_board_and_shorter(name: str) -> None:
    task = TASKS[name]
    *improved, finished = Anytime(seconds=0.2).events(task)
    assert isinstance(finished, tq.events.Finished)
    result = finished.result
    costs = []
    for event in improved:
        assert isinstance(event, tq.events.Improved)
        assert task.puzzle.is_goal(event.node.board)
        costs.append(event.cost)
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == result.cost
    assert task.puzzle.is_goal(result.boards()[-1])
    assert 0 <= result.lower_bound <= costs[-1]
    assert any(len(move.tiles) > 1 for move in result.moves or ()) is (name == "slides")


@pytest.mark.parametrize(
    ("rows", "columns", "line"), [(3, 3, 0), (4, 5, 0), (7, 7, 0), (8, 4, 0), (8, 7, 0), (5, 6, 6)]
)
def test_values_change_as_their_definition_says_with_every_step_and_slide(
    rows: int, columns: int, line: int
) -> None:
    goal = tq.Goal.blank_last(rows, columns)
    for seed in range(5):
        start = tq.random_walk(tq.Puzzle(goal), 12 + 10 * seed, seed)
        puzzle = arrays_for(Task(tq.Puzzle(goal), start))
        first = value_of(puzzle, puzzle.start)
        beam = CpuBeam(64, puzzle.size, line)
        beam.search(puzzle, puzzle.start, lambda: True, longest=9 if line else 12)
        for level in (beam._level, beam._following):
            for cells, facts in zip(level.cells[:20], level.facts[:20], strict=True):
                board = homes_of(cells, puzzle)
                assert sorted(board) == [*sorted(puzzle.homes[1:]), puzzle.size + 1]
                assert facts[VALUE] == naive_value(puzzle, board) - first


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rows", "columns", "width"), [(3, 4, 40), (5, 5, 60), (4, 4, 30)])
def test_a_beam_keeps_the_best_but_only_some_with_the_blank_in_one_cell(
    rows: int, columns: int, width: int
) -> None:
    puzzle = random_puzzle(rows, columns, 1)
    blank = puzzle.size + 1
    level = [tuple([blank, *puzzle.homes[1:]][number] for number in puzzle.start)]
    seen: set[tuple[int, ...]] = set()
    before: dict[tuple[int, ...], tuple[int, ...]] = {level[0]: ()}
    was_crowded = False
    for depth in range(1, 16):
        children = []
        for board in level:
            here = board.index(blank)
            for cell in puzzle.near[here]:
                cells = list(board)
                cells[here], cells[cell] = cells[cell], cells[here]
                if cell >= 0 and tuple(cells) != before[board]:
                    children.append((naive_value(puzzle, cells), tuple(cells), board))
        kept: dict[tuple[int, ...], tuple[int, ...]] = {}
        taken = [0] * puzzle.size
        for _, board, parent in sorted(children, key=lambda child: child[0]):
            cell = board.index(blank)
            is_crowded = taken[cell] == 3 * width // puzzle.size
            was_crowded |= is_crowded and len(kept) < width
            if len(kept) < width and board not in seen and not is_crowded:
                kept[board] = parent
                taken[cell] += 1
                seen.add(board)
        before, level = kept, [*kept]
        beam = CpuBeam(width, puzzle.size)
        beam.search(puzzle, puzzle.start, lambda: True, longest=depth)
        assert [homes_of(items, puzzle) for items in beam.last] == level
    assert was_crowded


@pytest.mark.parametrize(
    "swaps",
    [
        pytest.param([(0, 1), (62, 54)], id="far"),
        pytest.param([(18, 27), (20, 29)], id="near"),
        pytest.param([(9, 10), (10, 11)], id="three"),
        pytest.param([(0, 1), (6, 7), (48, 56), (36, 45)], id="four"),
    ],
)
@pytest.mark.parametrize("walk", [0, 9])
def test_cycles_of_tiles_are_undone_wherever_they_are(
    swaps: list[tuple[int, int]], walk: int
) -> None:
    puzzle = exchanged(swaps)
    board = follow(puzzle.start, bytes([0, 1] * 4 + [0])[:walk], puzzle.near)
    moves = undo_cycles(puzzle, board, CpuBeam(1_000, puzzle.size), lambda: True)
    assert follow(board, moves, puzzle.near) == puzzle.goal
    # Line by line it takes some hundred.
    assert len(moves) < len(construct(puzzle, board))


def test_a_long_cycle_is_undone_by_walking_along_it() -> None:
    goal = tq.Goal.blank_last(30, 30)
    solved = arrays_for(Task(tq.Puzzle(goal), tq.Board(goal.grid, goal.cells)))
    # A ring; to be undone from elsewhere, where windows do not reach it.
    ring = bytes([0] * 24 + [1] * 24 + [3] * 24 + [2] * 24 + [1] * 12 + [0] * 12)
    board = follow(solved.start, ring, solved.near)
    moves = undo_cycles(solved, board, CpuBeam(100, MOST_NUMBERS // 2), lambda: True)
    assert follow(board, moves, solved.near) == solved.goal
    assert len(moves) < 300 < len(construct(solved, board))


def test_cycles_are_left_where_no_way_is_found_and_the_others_undone() -> None:
    puzzle = exchanged(((9, 10), (10, 11), (52, 53), (53, 54)))
    beam = CpuBeam(1_000, puzzle.size)
    search = beam.search

    def fail_above(to: PuzzleArrays, start: list[int], *rest: Any, **settings: Any) -> BeamPass:
        return BeamPass(b"", False) if start.index(0) < 32 else search(to, start, *rest, **settings)

    beam.search = fail_above  # type: ignore[method-assign,assignment]
    board = follow(puzzle.start, undo_cycles(puzzle, puzzle.start, beam, lambda: True), puzzle.near)
    wrong = [cell for cell, one in enumerate(board) if one != puzzle.goal[cell]]
    assert wrong == [9, 10, 11]


def test_undoing_cycles_ends_when_asked_to() -> None:
    puzzle, beam = random_puzzle(6, 6, 1), CpuBeam(10, 36)
    moves = undo_cycles(puzzle, puzzle.start, beam, lambda: False)
    assert beam.generated == 0
    # The blank only goes home.
    assert len(moves) <= 10
    assert follow(puzzle.start, moves, puzzle.near).index(0) == puzzle.goal.index(0)


def exchanged(swaps: Iterable[tuple[int, int]]) -> PuzzleArrays:
    """Return a solved board of 8×8 with the tiles of some cells exchanged."""
    goal = tq.Goal.blank_last(8, 8)
    cells = list(goal.cells)
    for one, two in swaps:
        cells[one], cells[two] = cells[two], cells[one]
    return arrays_for(Task(tq.Puzzle(goal), tq.Board(goal.grid, tuple(cells))))


def almost_solved(swaps: list[tuple[int, int]], seed: int) -> tuple[PuzzleArrays, bytes]:
    """Return a puzzle and moves that solve it but for tiles of 8×8 that end exchanged."""
    solved = exchanged([])
    way = random_way(solved, 800, seed)
    labels = list(range(64))
    for one, two in swaps:
        labels[one], labels[two] = labels[two], labels[one]
    start = [labels[number] for number in follow(solved.start, way, solved.near)]
    return replace(solved, start=start), reversed_moves(way)


def test_a_solution_that_is_longer_than_the_best_may_become_the_best() -> None:
    puzzle, moves = almost_solved([(1, 2), (54, 62)], 1)
    board = follow(puzzle.start, moves, puzzle.near)
    solution = moves + undo_cycles(puzzle, board, CpuBeam(1_000, puzzle.size), lambda: True)
    best = BestSolution()
    improver = Improver(puzzle, best, inf, 1 << 30)
    best.offer(solution[2:])
    improver._offer_shortened(solution)
    assert best.moves is not None
    assert len(best.moves) < len(solution) - 2
    assert is_solved(puzzle, best.moves)
    # Where the best is shorter by far, nothing is tried.
    best.moves = moves[:10]
    improver._offer_shortened(solution)
    assert best.moves == moves[:10]


@pytest.mark.parametrize("by_slides", [False, True])
def test_the_best_solution_is_made_shorter_once_and_not_where_slides_count(
    by_slides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[bytes] = []
    shorten = Improver._shorten

    def noted(improver: Improver, moves: bytes, seed: int) -> None:
        calls.append(moves)
        shorten(improver, moves, seed)

    monkeypatch.setattr(Improver, "_shorten", noted)
    puzzle, moves = almost_solved([], 2)
    improver = Improver(puzzle, BestSolution(by_slides, moves), inf, 1 << 30, number=1)
    improver.puzzle = turned_round(puzzle)
    for _ in range(3):
        improver._shorten_best(Random(1))
    assert len(calls) == 1
    solution = improver.best.moves
    assert solution is not None
    assert (len(solution) < len(moves)) is not by_slides
    assert is_solved(puzzle, solution)


def test_a_long_solution_of_a_partial_goal_is_improved_to_one_that_solves_it() -> None:
    goal = tq.read_goal("1 2 3 * / * * * * / * * * * / * * * *")
    start = tq.random_board(tq.Goal.blank_last(4, 4), 3)
    puzzle = arrays_for(Task(tq.Puzzle(goal), start))
    end = CpuBeam(50, puzzle.size).search(puzzle, puzzle.start, lambda: True).moves
    # Round a block, which after 12 steps is as it was, before the way to the goal.
    vertical, across = (next(way for way in ways if puzzle.near[start.blank, way] >= 0)
                        for ways in ((0, 3), (1, 2)))  # fmt: skip
    detour = bytes([vertical, across, 3 - vertical, 3 - across])
    moves = 48 * detour + end
    for seed in range(20):
        best = BestSolution()
        best.offer(moves)
        improver = Improver(puzzle, best, perf_counter() + 60, 10**8)
        improver._generated_before = 10_000
        improver._improve_part(Random(seed), perf_counter() - 60)
        assert best.moves is not None
        board = follow(puzzle.start, best.moves, puzzle.near)
        assert not any(puzzle.wrong[number, cell] for cell, number in enumerate(board))


def test_every_board_of_beams_and_proof_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    beams: list[CpuBeam] = []

    def noted(width: int, cells: int, line: int, team: BeamTeam) -> CpuBeam:
        beams.append(CpuBeam(width, cells, line, team))
        return beams[-1]

    monkeypatch.setattr("taquin.engine.anytime.improver.CpuBeam", noted)
    puzzle = random_puzzle(6, 6, 1)
    proof = Proof(puzzle)
    improver = Improver(puzzle, BestSolution(), inf, 10**8, nodes=100_000, proof=proof)
    improver.run()
    assert len(beams) > 3
    assert proof.nodes > 0
    assert improver.generated == sum(beam.generated for beam in beams) + proof.nodes


def test_the_first_answer_does_not_load_numpy() -> None:
    program = f"""
import sys
import taquin as tq
from taquin.engine.anytime.engine import Anytime
from taquin.search.result import Task
start = tq.Board.parse({SIX.text()!r})
events = Anytime(seconds=0).events(Task(tq.Puzzle(tq.Goal.blank_last(6, 6)), start))
print(type(next(events)).__name__, "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["Improved", "False"], done.stderr


def test_ctrl_c_while_code_is_loaded_leaves_the_first_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(anytime, "_is_warm", False)
    stages: list[str] = []
    result = tq.solve(
        SIX,
        algorithm=Anytime(),
        progress=lambda now, _: stages.append(now.stage),
        stop=lambda: bool(stages) and "loading" in stages[-1],
    )
    assert result.outcome is Outcome.STOPPED
    assert result.puzzle.is_goal(result.boards()[-1])


def test_a_board_out_of_reach_of_optimal_engines_is_solved_and_an_easy_one_optimally() -> None:
    result = tq.solve(SIX, limits=Limits(seconds=0.3))
    assert (result.outcome, result.engine.name) == (Outcome.SOLVED, "anytime")
    assert not result.optimal
    assert result.gap is not None
    goal = tq.Goal.blank_last(7, 7)
    easy = tq.solve(tq.random_walk(tq.Puzzle(goal), 12, 5), goal)
    assert easy.optimal
    assert (easy.cost or 0) <= 12
    # Who wants only shortest solutions gets none without a proof.
    task = Task(tq.Puzzle(tq.Goal.blank_last(6, 6)), SIX, limits=Limits(nodes=20_000))
    assert run(task, Auto(only_optimal=True), Control(task.limits)).engine.name == "general"


def test_limits_and_requests_end_it_with_the_best_so_far() -> None:
    # The compiled search keeps the threads that earlier searches of this process had.
    threads = threading.active_count()
    ended = tq.solve(SIX, algorithm=Anytime(60), limits=Limits(nodes=100_000))
    assert (ended.outcome, ended.limit) == (Outcome.SOLVED, None)
    assert (ended.stats.generated or 0) >= 100_000
    assert ended.cost is not None
    for looks in (iter([False]), iter([False] * 40)):
        stopped = tq.solve(SIX, algorithm=Anytime(60), stop=partial(next, looks, True))
        assert stopped.outcome is Outcome.STOPPED
        assert stopped.puzzle.is_goal(stopped.boards()[-1])
    assert threading.active_count() < threads + 10


def test_a_promised_factor_is_proven_or_not_claimed() -> None:
    easy = tq.solve("5 1 2 4 / 9 6 3 8 / 13 10 7 11 / 0 14 15 12", algorithm=Anytime(5, within=1.5))
    assert easy.outcome is Outcome.SOLVED
    assert (easy.cost or 0) <= 1.5 * easy.lower_bound
    hard = tq.solve(SIX, algorithm=Anytime(0.2, within=1.01))
    assert hard.limit is Limit.SECONDS
    assert hard.cost is not None
    # A solution longer than the limit does not count.
    long = tq.solve(SIX, algorithm=Anytime(0.2), limits=Limits(depth=134))
    assert (long.moves, long.outcome) == (None, Outcome.LIMIT_REACHED)


def test_a_limit_is_named_as_it_was_given() -> None:
    # The engine stops some milliseconds earlier, which nobody asked about.
    for engine, limits, expected in (
        (Anytime(within=1.01), Limits(seconds=0.2), "limit of 0.2 seconds"),
        (Anytime(0.1, within=1.01), Limits(seconds=0.2), "limit of 0.1 seconds"),
        (Anytime(5, within=1.01), Limits(seconds=0.2), "limit of 0.2 seconds"),
    ):
        assert tq.solve(SIX, algorithm=engine, limits=limits).reason == expected


def test_patience_ends_in_a_good_solution_and_keeps_the_bound() -> None:
    said: list[str] = []
    goal = tq.Goal.blank_last(5, 5)
    task = Task(tq.Puzzle(goal), tq.random_board(goal, 3))
    asked: list[int] = []
    # Whatever has to be compiled first, it ends some looks after the first solution.
    control = Control(
        notice=said.append, progress=lambda counters, _: asked.append(counters.best or 0),
        stop=lambda: sum(map(bool, asked)) > 20,
    )  # fmt: skip
    wishes = Wishes(Auto(tables=None), patience=0.2, advice="; --optimal insists")
    result = solve_task(task, wishes, control)
    assert result.cost is not None
    assert result.lower_bound > 0
    assert ["--optimal insists" in line for line in said] == [True]


def test_the_command_says_how_good_a_solution_is() -> None:
    done = run_command("solve", SIX.text(), "--anytime", "--max-seconds", "0.2", "--style", "moves")
    assert done.exit_code == 0
    done = run_command("solve", SIX.text(), "--engine", "anytime(seconds=0.3)")
    assert "the shortest has at least" in done.stdout
    assert "within" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("anytime(seconds=0.3), ")


@pytest.mark.parametrize(
    ("seconds", "nbytes", "is_proving"),
    [(0.3, 366_000_000, False), (1, 0, True), (1, 10_000_000, True)],
)
def test_tables_are_loaded_only_where_there_is_time_for_it(
    monkeypatch: pytest.MonkeyPatch, seconds: float, nbytes: int, is_proving: bool
) -> None:
    asked = []

    def solve(engine: Cpu, task: Task, control: Control) -> Any:
        asked.append(engine)
        control.end(Limit.SECONDS)
        return control.result(task, engine, EngineTag("cpu"), Counters(), counts=())

    monkeypatch.setattr(Cpu, "has_to_build", lambda engine, task: False)
    monkeypatch.setattr(Cpu, "bytes_to_load", lambda engine, task: nbytes)
    monkeypatch.setattr(Cpu, "solve", solve)
    goal = tq.Goal.blank_last(5, 5)
    run(Task(tq.Puzzle(goal), tq.random_board(goal, 1)), Anytime(seconds=seconds), Control())
    assert bool(asked) is is_proving


@pytest.mark.parametrize(
    "words",
    [
        ("--optimal", "--anytime"),
        ("--optimal", "--within", "1.2"),
        ("--within", "0.9"),
        ("--engine", "anytime(seconds=soon)"),
        ("--anytime", "-a", "bfs"),
        ("--engine", "cpu", "--within", "1.2"),
    ],
)
def test_contradictory_options_are_refused(words: tuple[str, ...]) -> None:
    done = run_command("solve", "8 6 7 / 2 5 4 / 3 0 1", *words)
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) <= 3


@pytest.mark.slow
def test_without_threads_it_improves_reports_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anytime, "HAS_THREADS", False)
    monkeypatch.setattr(anytime, "Thread", None)
    costs: list[int] = []

    def report(counters: Counters, seconds: float) -> None:
        if counters.best is not None and counters.best not in costs:
            costs.append(counters.best)

    task = Task(tq.Puzzle(tq.Goal.blank_last(6, 6)), SIX)
    control = Control(Limits(), progress=report, stop=lambda: len(costs) > 2)
    result = Anytime(seconds=60).solve(task, control)
    assert result.outcome is Outcome.STOPPED
    assert costs == sorted(costs, reverse=True)
    assert result.cost == costs[-1]
    assert result.boards()[-1].rows() == task.puzzle.goal.rows()


def test_a_pair_adds_the_same_however_it_is_turned_mirrored_or_swapped() -> None:
    rows = pair_weights()
    displacements = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
    for (number, offset), one in product(enumerate(OFFSETS), displacements):
        row = rows[kind_of(*one)][KINDS * number : KINDS * (number + 1)]
        assert row[RIM] == pair_weight(offset, one, None)
        assert row[NO_TILE] == 0
        for other in displacements:
            assert row[kind_of(*other)] == pair_weight(offset, one, other)


def test_far_displacements_are_of_one_kind_and_each_step_to_them_adds_the_same() -> None:
    assert kind_of(-2, 2) == kind_of(-9, 5) != kind_of(-1, 2)
    assert {kind_of(*each) for each in product(range(-6, 7), range(-6, 7))} == set(range(RIM))
    step = read_weights().step
    assert step > 0
    for down, right in product(range(12), range(12)):
        assert single_weight(down, right) == single_weight(right, down)
        rise = single_weight(down + 1, right) - single_weight(down, right)
        assert down < NEAR or rise == step


def test_a_fit_finds_what_lengths_were_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_value, "RIDGE", 1e-9)
    monkeypatch.setattr(fit_value, "ITERATIONS", 2_000)
    features, chance = Features(), Random(1)
    boards = []
    for _ in range(60):
        homes = list(range(-1, 35))
        chance.shuffle(homes)
        boards.append(Sample(homes, 0))
    facts = features.of(boards)
    made = np.array([chance.randrange(9) for _ in range(features.count)] + [0])
    lengths = made[facts.numbers].sum(axis=1) + 3 * facts.steps + 100
    samples = [
        board._replace(length=int(length)) for board, length in zip(boards, lengths, strict=True)
    ]
    weights = fit(features, [samples])
    values = np.append(weights[: features.count], 0)[facts.numbers].sum(axis=1)
    values += weights[features.count] * facts.steps + weights[features.count + 1]
    assert values == pytest.approx(lengths, rel=1e-3)
    lines = [line for line in text_of(features, weights).splitlines() if line[0] != "#"]
    assert [len(line.split()) for line in lines] == [NEAR + 1] * (NEAR + 1) + [1] + [RIM + 1] * 75


def test_samples_are_boards_on_the_way_with_their_lengths() -> None:
    samples = [each for seed in range(6) for each in sample(4, seed)]
    assert len(samples) > 4
    for homes, length in samples:
        # The goal's blank is where the start had its own, if the puzzle was turned round.
        assert len(set(homes)) == 16
        assert set(homes) < set(range(-1, 16))
        assert length >= fit_value._distance(homes, 4)
        assert (length - fit_value._distance(homes, 4)) % 2 == 0


@pytest.mark.parametrize(("deadline", "constructions"), [(0.0, 2), (-inf, 1)])
def test_a_thread_completes_a_solution_only_where_there_is_time(
    deadline: float, constructions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0

    def counted(*how: Any) -> Any:
        nonlocal made
        made += 1
        return construct(*how)

    monkeypatch.setattr("taquin.engine.anytime.improver.construct", counted)
    puzzle = tq.Puzzle(tq.Goal.blank_last(6, 6))
    best = BestSolution()
    Improver(arrays_of(Space(puzzle, SIX)), best, deadline, 10**6).run()
    assert made == constructions
    assert best.moves is not None


NODES = 60_000
BOARDS = {
    "6x6": (tq.random_board("6x6", 10), "blank-last"),
    "5x7": (tq.random_board("5x7", 3), "blank-last"),
    "partial": (
        tq.Board.parse("1 2 3 4 / 5 . . . / . . . . / . . . @"),
        "* * * 1 / * * 2 * / * 3 * 4 / 5 * * *",
    ),
}
"""Boards with their goals."""


def answer(name: str, seed: int = 0, nodes: int = NODES, within: float = 1.0) -> Result:
    engine = Anytime(threads=1, seed=seed, within=within)
    return tq.solve(*BOARDS[name], algorithm=engine, limits=Limits(nodes=nodes))


def facts(result: Result) -> tuple[object, ...]:
    return result.moves, result.lower_bound, result.stats.generated, result.limit, result.outcome


@contextmanager
def noise() -> Iterator[None]:
    """Keep another thread busy, which takes half of the time away."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            sum(range(10_000))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_nodes_give_the_same_answer_whatever_else_the_machine_does(name: str) -> None:
    first = answer(name)
    assert first.moves is not None
    assert first.puzzle.is_goal(first.boards()[-1])
    # It looks at the limit every few levels of a beam.
    assert first.outcome is Outcome.SOLVED
    assert NODES <= (first.stats.generated or 0) < 2 * NODES
    with noise():
        assert facts(answer(name)) == facts(first)
    assert facts(answer(name)) == facts(first)
    if name == "6x6":
        # So does a solution that is good enough.
        good = answer(name, nodes=10**9, within=2.0)
        assert good.gap is not None
        assert good.gap <= 1.0
        with noise():
            assert facts(answer(name, nodes=10**9, within=2.0)) == facts(good)


def test_the_search_for_a_proof_keeps_the_limit_too() -> None:
    board = tq.random_board("3x4", 5)
    results = [
        tq.solve(board, algorithm=Anytime(threads=1), limits=Limits(nodes=nodes))
        for nodes in (10_000, 10_000, 10**9)
    ]
    assert facts(results[0]) == facts(results[1])
    assert (results[0].stats.generated or 0) < 20_000
    # With nodes enough it ends with a proof, and without any limit on time.
    assert results[2].optimal
    assert results[2].cost == tq.solve(board).cost


def test_more_nodes_give_no_longer_solution_and_other_seeds_other_ones() -> None:
    costs = [answer("6x6", nodes=nodes).cost or 0 for nodes in (10_000, 50_000, 500_000)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]
    answers = {tq.write_moves(answer("5x7", seed, 100_000).moves or ()) for seed in range(4)}
    assert len(answers) > 1


def test_a_new_process_gives_the_answer_of_a_warm_one() -> None:
    words = ["solve", BOARDS["6x6"][0].text(), "--engine", "anytime(seed=2)", "--threads", "1"]
    words += ["--max-nodes", str(NODES), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "taquin", *words], capture_output=True, text=True, check=False
    )
    here = run_command(*words)
    assert done.returncode == here.exit_code == 0
    cold, warm = json.loads(done.stdout), json.loads(here.stdout)
    assert cold["moves"] == warm["moves"]
    assert cold["lower_bound"] == warm["lower_bound"]


def puzzle_of(board: Cells, goal: tq.Goal) -> PuzzleArrays:
    return arrays_for(Task(tq.Puzzle(goal), tq.Board(goal.grid, board)))


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4), (4, 2)])
def test_bounds_rise_to_the_length_of_a_shortest_solution(rows: int, columns: int) -> None:
    chance = Random(rows)
    labels = list(range(rows * columns))
    chance.shuffle(labels)
    goal = tq.Goal(tq.Grid(rows, columns), tuple(labels))
    for board, truth in chance.sample(sorted(distances([goal.cells], rows, columns).items()), 60):
        puzzle = puzzle_of(board, goal)
        proof = Proof(puzzle)
        bounds = [proof.bound]
        while proof.solution is None and board != goal.cells:
            proof.search(10**9, lambda: True)
            bounds.append(proof.bound)
        assert bounds[-1] == truth
        assert all(two - one in (0, 2) for one, two in pairwise(bounds))
        assert len(proof.solution or b"") == truth
        assert is_solved(puzzle, proof.solution or b"")


@pytest.mark.parametrize("seed", range(3))
def test_a_bound_without_a_solution_has_the_nodes_of_its_definition(seed: int) -> None:
    goal = tq.Goal.blank_last(3, 4)
    board = tuple(map(int, tq.random_board(goal, seed).cells))
    tree = _Tree(puzzle_of(board, goal))
    for bound in range(tree.estimate, tree.estimate + 6, 2):
        tree.begin(bound)
        assert tree.search(10**9) == b""
        nodes = naive.bound_nodes(
            *(3, 4, board, bound),
            lambda cells: naive.linear_conflict(cells, goal.cells, 4),
            no_return(),
        )
        assert tree.nodes == nodes


def test_a_search_in_slices_is_the_search_in_one_go() -> None:
    puzzle = random_puzzle(6, 6, 1)
    whole, slices = _Tree(turned_round(puzzle)), _Tree(turned_round(puzzle))
    whole.begin(whole.estimate + 8)
    slices.begin(whole.estimate + 8)
    assert whole.search(10**9) == b""
    while slices.search(7) is None:
        pass
    assert slices.nodes == whole.nodes > 10_000
    # A proof ends at once when asked to.
    proof = Proof(puzzle)
    proof.search(10**9, lambda: False)
    assert (proof.nodes, proof.bound) == (0, 142)


def test_the_bound_of_a_24_puzzle_rises_but_not_above_its_optimum() -> None:
    goal = tq.Goal.blank_first(5, 5)
    for board, (optimum, *_) in islice(published("korf50_24.txt").values(), 10):
        task = Task(tq.Puzzle(goal), tq.Board(goal.grid, board))
        proof = Proof(puzzle_of(board, goal))
        assert proof.bound == estimate(task)
        while proof.nodes < 300_000:
            proof.search(100_000, lambda: True)
        assert estimate(task) + 4 <= proof.bound <= optimum
        assert (optimum - proof.bound) % 2 == 0


def test_a_factor_that_the_estimate_does_not_prove_is_proven_by_the_search() -> None:
    limits = Limits(nodes=3_000_000)
    known = tq.solve(SIX, algorithm=Anytime(threads=1), limits=limits)
    least = estimate(Task(known.puzzle, SIX))
    assert known.outcome is Outcome.SOLVED
    assert not known.optimal
    assert known.cost is not None
    assert least + 6 <= known.lower_bound <= known.cost
    # The same search comes upon this cost and this bound again, and may end there.
    within = known.cost / known.lower_bound + 1e-9
    result = tq.solve(SIX, algorithm=Anytime(threads=1, within=within), limits=limits)
    assert result.outcome is Outcome.SOLVED
    assert result.cost is not None
    assert within * least < result.cost <= within * result.lower_bound


def test_a_search_ends_at_its_limit_on_nodes_or_as_soon_as_its_solution_is_proven() -> None:
    hard = tq.Board("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
    engine = Anytime(threads=1)
    cut = tq.solve(hard, tq.Goal.blank_first(4, 4), algorithm=engine, limits=Limits(nodes=20_000))
    # A good solution is all that was asked for.
    assert (cut.outcome, cut.limit) == (Outcome.SOLVED, None)
    assert cut.cost is not None
    assert (cut.stats.generated or 0) <= 20_000
    assert cut.lower_bound <= 57 < cut.cost
    easy = tq.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15")
    done = tq.solve(easy, algorithm=engine, limits=Limits(nodes=20_000))
    assert (done.outcome, done.cost, done.lower_bound) == (Outcome.SOLVED, 1, 1)
    assert (done.stats.generated or 0) < 1_000
