"""`tq.solve` picks a search that serves, says which, and keeps every limit."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from taquin import (
    Board,
    FromFunction,
    Goal,
    Manhattan,
    Metric,
    Move,
    Patterns,
    Puzzle,
    all_solutions,
)
from taquin.engine.base import Engine, run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.general.engine import General
from taquin.engine.glass import estimate
from taquin.engine.solve import moves_left, solve
from taquin.engine.task import Auto, engine_named
from taquin.engine.textbook.engine import Textbook
from taquin.errors import MachineError, MismatchError, UnsuitableError
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.per_tile import Misplaced
from taquin.model.scramble import random_board, random_walk
from taquin.search.algorithms import AStar, IDAStar
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Count, Counters, Limit, Limits, Outcome, Result, Task
from taquin.search.run import Algorithm, Conventions, Ties
from tests import truth

HARD = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
BLANK_FIRST = Goal.blank_first(4, 4)


pytestmark = pytest.mark.usefixtures("later_board")

EASY = random_walk(Goal.blank_last(4, 4), 12, seed=3)
EASY_BLANK_FIRST = random_walk(BLANK_FIRST, 12, seed=3)


def test_the_first_board_of_a_process_is_tried_in_the_glass_box() -> None:
    program = f"""
import taquin as tq
for result in (tq.solve({EASY.text()!r}) for _ in range(2)):
    print(result.engine.name, result.cost, result.optimal)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["glass-box 12 True", "cpu 12 True"]


def test_auto_with_a_setting_keeps_what_auto_does_else(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Engine] = []

    def refuse(auto: Auto, engine: Engine, task: Task, control: Control) -> Result:
        used.append(auto)
        raise UnsuitableError("noted")

    monkeypatch.setattr(Auto, "attempt", refuse)
    monkeypatch.setattr("taquin.engine.solve.is_first_board", lambda: True)
    for text in ("auto", "auto(threads=1)"):
        with pytest.raises(UnsuitableError, match="noted"):
            solve(EASY, engine=text)
    assert used == [Auto(once=True, threads=n) for n in (None, 1)]


@pytest.mark.parametrize(
    ("start", "goal", "tried"),
    [
        # Of a Manhattan distance of 41, and of 14.
        (HARD, BLANK_FIRST, 0),
        (Board.parse("1 13 2 8 / 5 10 3 4 / 7 6 11 12 / 9 14 15 0"), "blank-last", 10_000),
    ],
)
def test_only_a_board_that_looks_easy_is_tried_and_the_nodes_of_a_try_count(
    start: Board, goal: Goal | str, tried: int
) -> None:
    # First, so that no table is missing: without its tables a hard board is tried too.
    alone = solve(start, goal, engine=Cpu(threads=1))
    result = solve(start, goal, engine=Auto(threads=1, once=True))
    assert result.engine.name == "cpu"
    assert result.stats.generated == tried + (alone.stats.generated or 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cpus", "Did you mean cpu"),
        ("cpu(threads=0)", "1 or more"),
        ("general(threads=0)", "1 or more"),
        ("textbook(threads=0)", "1 or more"),
        ("anytime(threads=0)", "1 or more"),
        ("anytime(within=0.99)", "within must be at least 1, got 0.99"),
        ("anytime(seconds=-1)", "the seconds must be 0 or more"),
        ("anytime(seed=-1)", "the seed must be 0 or more"),
        ("cpu(threads=999999)", "at most 1,024, got 999,999"),
        ("cpu(threads=two)", "a whole number"),
        ("cpu(tables=huge)", "small, medium, large"),
        ("glass(threads=2)", "does not support threads"),
        ("cluster", "needs the address"),
    ],
)
def test_an_engine_that_cannot_be_is_explained(text: str, said: str) -> None:
    with pytest.raises(UnsuitableError) as caught:
        solve(HARD, BLANK_FIRST, engine=text)
    assert said in str(caught.value)


def test_engines_print_as_they_are_named_and_options_override_their_settings() -> None:
    for text in ("auto", "glass", "table", "cpu(tables=none, threads=2)", "cpu(tables=large)"):
        assert str(engine_named(text)) == text
    named = engine_named("cpu(tables=large, threads=1)", tables=None, threads=2)
    assert str(named) == "cpu(tables=large, threads=2)"


def test_a_hard_15_puzzle_goes_to_the_compiled_search() -> None:
    result = solve(HARD, BLANK_FIRST)
    assert result.engine.name == "cpu"
    assert result.algorithm == IDAStar(Patterns("small"))
    assert result.outcome is Outcome.SOLVED
    assert result.cost == 57
    assert result.optimal
    assert len(result.boards()) == 58


def test_named_tiles_and_any_goal_reach_the_compiled_search() -> None:
    names = [f"T{number}" for number in range(1, 16)]
    goal_cells: list[int | str] = [*names[:6], 0, *names[6:]]
    random.Random(5).shuffle(goal_cells)
    goal = Goal(Goal.blank_last(4, 4).grid, tuple(goal_cells))
    start = random_board(goal, seed=8)
    result = solve(start, goal)
    assert result.engine.name == "cpu"
    assert goal.is_met(result.boards()[-1])


@pytest.mark.parametrize(
    ("start", "goal", "metric"),
    [
        ("1 2 # / 4 0 3 / 5 6 7", "1 2 # / 3 4 5 / 6 7 0", Metric.SINGLE),
        ("a a b / 0 b c", "a b c / a b 0", Metric.SINGLE),
        (". . A . / . . . . / 0 . . .", "* * * A / * * * * / * * * *", Metric.SINGLE),
        ("1 2 3 / 4 5 6 / 0 7 8", "1 2 3 / 4 5 6 / 7 8 0", Metric.MULTI),
    ],
)
def test_walls_repeats_partial_goals_and_slides_are_for_the_general_engine(
    start: str, goal: str, metric: Metric
) -> None:
    result = solve(Board.parse(start), Goal.parse(goal), metric=metric)
    assert result.engine.name == "general"
    assert result.outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE)


def test_an_algorithm_that_is_named_runs_compiled_where_it_fits_or_in_the_glass_box() -> None:
    compiled = solve(EASY, algorithm=AStar(Manhattan()), engine=Auto())
    assert compiled.engine.name == "textbook"
    forced = solve(EASY, algorithm=AStar(Manhattan()), engine="glass")
    assert forced.engine.name == "glass-box"
    unknown = FromFunction(lambda board: 0)
    result = solve(HARD, BLANK_FIRST, algorithm=IDAStar(unknown), limits=Limits(nodes=500))
    assert result.engine.name == "glass-box"
    assert result.outcome is Outcome.LIMIT_REACHED


def test_an_unsolvable_15_puzzle_is_told_so_with_the_reason() -> None:
    result = solve(Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0"))
    assert result.outcome is Outcome.UNSOLVABLE
    assert "inversion" in result.reason


@pytest.mark.parametrize(
    ("limits", "limit", "reason"),
    [
        (Limits(nodes=20_000), Limit.NODES, "limit of 20,000 nodes generated"),
        (Limits(seconds=0.0), Limit.SECONDS, "limit of 0 seconds"),
        (Limits(depth=50), Limit.DEPTH, "limit of 50 moves"),
        (Limits(depth=1), Limit.DEPTH, "limit of 1 move"),
        (Limits(nodes=3000, counting=Count.EXPANDED), Limit.NODES, "limit of 3,000 nodes expanded"),
        (Limits(memory=60_000_000), Limit.MEMORY, "limit of 60 MB of memory"),
    ],
)
def test_limits_hold_whoever_searches(limits: Limits, limit: Limit, reason: str) -> None:
    result = solve(HARD, BLANK_FIRST, limits=limits)
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, limit)
    assert result.reason == reason
    assert 41 <= result.lower_bound <= 57


@pytest.mark.parametrize(
    ("engine", "algorithm", "metric"),
    [
        *((Cpu(None, threads), None, Metric.SINGLE) for threads in (1, 2)),
        *((General(threads), None, Metric.MULTI) for threads in (1, 2)),
        *(
            (Textbook(1), as_search(name), Metric.SINGLE)
            for name in ("bfs", "astar(linear-conflict)", "mm", "idastar")
        ),
    ],
    ids=str,
)
def test_a_limit_a_stop_and_an_interrupt_keep_the_proven_bound_and_every_node(
    engine: Engine, algorithm: Algorithm | None, metric: Metric
) -> None:
    goal = Goal.blank_last(5, 5)
    task = Task(Puzzle(goal, metric), random_board(goal, 3), algorithm)
    least = 1 if algorithm else estimate(task)
    seen = [0]

    def interrupt(counters: Counters, seconds: float) -> None:
        if not counters.stage:
            seen.append(counters.generated)
            if counters.generated > 100_000:
                raise KeyboardInterrupt

    for control, outcome, reason in (
        (Control(Limits(seconds=0.1)), Outcome.LIMIT_REACHED, "limit of 0.1 seconds"),
        (Control(stop=lambda: True), Outcome.STOPPED, "stopped on request"),
        (Control(progress=interrupt), Outcome.STOPPED, "interrupted"),
    ):
        result = run(replace(task, limits=control.limits), engine, control)
        assert (result.outcome, result.reason, result.moves) == (outcome, reason, None)
        assert least <= result.lower_bound < 152
    assert (result.stats.generated or 0) >= seen[-1] > 100_000


def test_without_room_for_tables_the_search_does_without() -> None:
    start = random_walk(Goal.blank_last(3, 4), 60, seed=4)
    assert solve(start, limits=Limits(memory=1)).outcome is Outcome.LIMIT_REACHED
    plain = solve(start, engine=Cpu(None))
    assert plain.cost == solve(start, algorithm=AStar(Manhattan())).cost


def test_progress_names_the_stages() -> None:
    stages: list[str] = []
    solve(HARD, BLANK_FIRST, progress=lambda now, _: stages.append(now.stage))
    assert any("compiled" in stage for stage in stages)
    assert "" in stages


def test_a_start_that_does_not_fit_the_goal_is_refused() -> None:
    with pytest.raises(MismatchError):
        solve(HARD, Goal.blank_last(3, 3))


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_moves_left_is_exact_on_small_boards(rows: int, columns: int) -> None:
    goal = Goal.blank_last(rows, columns)
    known = truth.distances([goal.cells], rows, columns)
    for cells in list(known)[:: max(1, len(known) // 50)]:
        assert moves_left(Board(goal.grid, cells), goal) == known[cells]


@pytest.mark.parametrize(
    ("control", "error"),
    [(Control(stop=lambda: True), KeyboardInterrupt), (Control(Limits(nodes=99)), MachineError)],
)
def test_moves_left_is_never_the_length_of_a_search_that_was_cut(
    control: Control, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.engine.solve.Control", lambda: control)
    with pytest.raises(error):
        moves_left(HARD, BLANK_FIRST)


@pytest.mark.parametrize("once", [False, True])
def test_a_search_to_try_first_is_the_one_that_runs_if_it_is_quick(once: bool) -> None:
    first = AStar(Misplaced(), conventions=Conventions(ties=Ties.FIFO))
    result = solve(EASY, engine=Auto(threads=1, once=once, first=first))
    alone = solve(EASY, algorithm=first, engine="glass")
    assert (result.algorithm, result.engine.name) == (first, "glass-box")
    assert result.stats.expanded == alone.stats.expanded
    assert result.stats.generated == alone.stats.generated
    assert (result.cost, result.optimal) == (12, True)


def test_the_complete_table_serves_small_boards_that_are_far_from_the_goal() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    result = solve(start)
    assert result.engine.name == "complete table"
    assert result.cost == 31
    assert result.optimal
    result.boards()
    short = solve(start, limits=Limits(depth=30))
    assert short.outcome is Outcome.LIMIT_REACHED
    assert short.lower_bound == 31


def test_all_solutions_are_listed_for_puzzles_with_walls_and_by_the_glass_box_alike() -> None:
    walled = Goal.parse("1 2 # / 3 4 0")
    assert list(all_solutions(Board(walled.grid, walled.cells), walled)) == [()]
    (only,) = all_solutions(Board.parse("1 2 # / 3 0 4"), walled)
    assert [move.tiles for move in only] == [(4,)]
    eight = Goal.blank_last(3, 3)
    far = Board.parse("2 4 7 / 1 3 6 / 0 5 8")
    four = set(all_solutions(far, eight))
    assert len(four) == 4
    assert four == set(all_solutions(far, eight, engine="glass"))
    with pytest.raises(UnsuitableError, match="one solution, not every one"):
        all_solutions(far, eight, engine="table")


@pytest.mark.parametrize("engine", ["auto", "cpu(tables=none)", "general", "glass"])
def test_a_list_of_solutions_tells_whether_it_is_complete(engine: str) -> None:
    far = Board.parse("2 4 7 / 1 3 6 / 0 5 8")
    endings = set()
    for nodes in (10_000, 12_000, 20_000, 10**6):
        solutions = all_solutions(far, engine=engine, limits=Limits(nodes=nodes))
        assert not solutions.is_complete
        found = list(solutions)
        assert solutions.is_complete == (len(found) == 4)
        assert solutions.limit == (None if solutions.is_complete else Limit.NODES)
        assert bool(solutions.reason) != solutions.is_complete
        endings.add(solutions.is_complete)
    assert True in endings
    cut = all_solutions(far, engine=engine, most=3)
    assert (len(list(cut)), cut.is_complete, cut.limit, cut.reason) == (3, False, None, "")
    none = all_solutions("2 1 / 3 0", engine=engine)
    assert (list(none), none.is_complete, none.limit) == ([], True, None)
    assert "inversion" in none.reason
    ended = all_solutions(far, engine=engine, limits=Limits(seconds=0))
    assert (list(ended), ended.is_complete, ended.limit) == ([], False, Limit.SECONDS)
    assert ended.reason == "limit of 0 seconds"


@pytest.mark.usefixtures("own_tables")
def test_a_first_try_proves_what_it_can_before_tables_are_built() -> None:
    goal = Goal.blank_first(5, 5)
    start = Board.parse("14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13")

    def is_building(counters: Counters, seconds: float) -> None:
        if "table" in counters.stage:
            raise KeyboardInterrupt

    tried = solve(start, goal, engine=Auto(once=True), limits=Limits(nodes=9000))
    cold = solve(start, goal, engine=Auto(once=True), progress=is_building)
    named = solve(start, goal, engine="cpu", progress=is_building)
    assert cold.outcome is named.outcome is Outcome.STOPPED
    assert cold.lower_bound >= tried.lower_bound == 81
    # Manhattan distance, linear conflicts: what is known at a glance.
    assert named.lower_bound == 77


def test_the_estimate_of_a_large_board_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[object] = []

    def evaluator(*how: Any) -> Any:
        computed.append(how)
        return evaluator_for(*how)

    monkeypatch.setattr("taquin.engine.glass.evaluator_for", evaluator)
    solve(random_board(Goal.blank_last(6, 6), seed=7), seconds=0)
    assert len(computed) == 1


TOO_LONG = "too long for this limit: searching without"


@pytest.mark.usefixtures("own_tables")
def test_tables_that_take_too_long_for_the_limit_are_not_built() -> None:
    goal = Goal.blank_last(5, 5)
    task = Task(Puzzle(goal), random_board(goal, seed=1), limits=Limits(seconds=0.3))
    said: list[str] = []
    stages: set[str] = set()
    control = Control(
        task.limits, notice=said.append, progress=lambda now, _: stages.add(now.stage)
    )
    assert run(task, Cpu(), control).algorithm == IDAStar(Manhattan())
    assert not any("table 5x5" in stage for stage in stages)
    assert [f"{TOO_LONG} them" in line for line in said] == [True]


@pytest.mark.parametrize("is_slow", [False, True])
@pytest.mark.parametrize("what", ["build", "load"])
def test_tables_whose_building_or_loading_falls_behind_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, is_slow: bool
) -> None:
    task = Task(Puzzle(BLANK_FIRST), EASY_BLANK_FIRST, limits=Limits(seconds=200))
    module = "taquin.engine.cpu.engine"
    if what == "load":
        run(task, Cpu(), Control())
        # As in another process, to which the tables on disk are new.
        monkeypatch.setattr(f"{module}._plans", {})
        monkeypatch.setattr("taquin.tables.store._near", {})
        clock = count(step=1000 if is_slow else 0)
    else:
        monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
        # A build that other processes leave a thousandth of a core, or a thousand cores.
        pace, clock = count(step=0.001 if is_slow else 1000), count()
        monkeypatch.setattr(f"{module}._PACE_SECONDS", -1)
        monkeypatch.setattr(f"{module}.process_time", lambda: next(pace))
    monkeypatch.setattr(f"{module}.perf_counter", clock.__next__)
    said: list[str] = []
    result = run(task, Cpu(), Control(task.limits, notice=said.append))
    assert result.optimal
    assert (result.algorithm == IDAStar(Manhattan())) == is_slow
    assert [TOO_LONG in line for line in said] == [True] * is_slow
    assert len([*tmp_path.glob("4x4*.table")]) == (3 if what == "build" and not is_slow else 0)


@pytest.mark.parametrize("metric", list(Metric))
def test_solutions_beyond_the_shortest_are_those_of_an_exhaustive_search(metric: Metric) -> None:
    goal = Goal.blank_last(2, 3)
    puzzle = Puzzle(goal, metric)
    start = Board.parse("2 0 1 / 4 3 5")
    shortest = moves_left(start, goal, metric=metric)
    assert shortest is not None

    def paths(board: Board, moves: tuple[Move, ...], seen: frozenset[Board]) -> Iterator[object]:
        if puzzle.is_goal(board):
            yield moves
        elif len(moves) < shortest + 4:
            for move, child in puzzle.successors(board):
                is_part = (
                    metric is Metric.MULTI
                    and moves
                    and (move.direction in (moves[-1].direction, moves[-1].direction.opposite))
                )
                if child not in seen and not is_part:
                    yield from paths(child, (*moves, move), seen | {child})

    expected = set(paths(start, (), frozenset([start])))
    assert len(expected) > 3
    for engine in ("auto", "glass", "general"):
        found = list(all_solutions(start, goal, metric=metric, engine=engine, beyond=4))
        assert len(found) == len(set(found))
        assert set(found) == expected
    with pytest.raises(UnsuitableError, match="beyond must be 0 to 10"):
        all_solutions(start, goal, beyond=11)


@pytest.mark.parametrize(
    ("engine", "start", "goal", "metric", "why_not"),
    [
        ("table", "813/402/765", "123/456/780", "multi", "it counts single-tile moves"),
        ("cpu", "813/402/765", "123/456/780", "multi", "it counts single-tile moves"),
        ("table", "1234/5067", "1234/5670", "single", ""),
        ("table", "12345/67890", "12345/67809", "single", "up to 9 cells, and this has 10"),
        ("table", "120/", "102/", "single", "classic puzzles only: at least 2×2"),
        ("cpu", "12#/340", "12#/304", "single", "classic puzzles only: at least 2×2, no walls"),
    ],
)
def test_an_engine_names_the_condition_that_fails(
    engine: str, start: str, goal: str, metric: str, why_not: str
) -> None:
    rows = [[int(c) if c.isdigit() else c for c in row] for row in start.split("/") if row]
    goal_rows = [[int(c) if c.isdigit() else c for c in row] for row in goal.split("/") if row]
    puzzle = Puzzle(Goal.of(goal_rows), Metric.named(metric))
    fit = engine_named(engine).fits(Task(puzzle, Board.of(rows)))
    assert (bool(fit), why_not in fit.why_not) == (not why_not, True)
