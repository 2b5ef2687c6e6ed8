"""The policy for solving a task: the same for all who call it, and what a limit leaves."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import taquin as tq
from taquin import Goal, Limit, Limits, Metric, Outcome, Puzzle
from taquin.engine.anytime.construction import constructed
from taquin.engine.base import kernels_fit, run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.glass import GlassBox
from taquin.engine.task import Auto, Wishes, solve, with_good_solution
from taquin.model.scramble import random_board
from taquin.notation import as_goal
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Counters, Task
from taquin.system import compiled
from taquin.views.records import result_record
from taquin.web.page_jobs import Solve
from tests.cli.runs import run as run_command

HARD = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
FAR = "9 2 12 6 / 5 7 14 13 / 3 4 1 11 / 15 10 8 0"
NEAR = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12"
TWELVE = "11 10 9 8 / 7 6 5 4 / 3 1 2 0"
CONTRACT = [
    (HARD, {"goal": "blank-first"}),
    (FAR, {}),
    (FAR, {"metric": "multi", "max_nodes": 50_000}),
    (TWELVE, {}),
    (TWELVE, {"metric": "multi"}),
    ("2 9 12 6 / 5 7 14 13 / 3 4 1 11 / 15 10 8 0", {}),
    (HARD, {"goal": "blank-first", "algorithm": "idastar(manhattan)", "max_nodes": 300_000}),
    ("8 6 7 / 2 5 4 / 3 0 1", {"algorithm": "astar(manhattan)"}),
    ("8 6 7 / 2 5 4 / 3 0 1", {"algorithm": "bfs", "max_nodes": 5_000}),
    ("8 6 7 / 2 5 4 / 3 0 1", {"algorithm": "rbfs(manhattan)"}),
]
"""Boards with the keywords of `tq.solve`, none so easy that a first board is tried elsewhere."""


pytestmark = pytest.mark.usefixtures("later_board")

Facts = tuple[object, ...]
"""Outcome, cost of a search that no limit ended, lower bound, limit, engine, nodes generated and
expanded. A study keeps no good solution where a limit came before a shortest one."""


def by_library(board: str, options: dict[str, Any]) -> Facts:
    return facts_of(result_record(tq.solve(board, **options)))


def by_library_in_a_stream(board: str, options: dict[str, Any]) -> Facts:
    (result,) = tq.solve_many([board], **options)
    return facts_of(result_record(result))


def by_command(board: str, options: dict[str, Any], *, in_a_stream: bool = False) -> Facts:
    words = ["--many", "-"] if in_a_stream else [board, "--json"]
    for name, value in options.items():
        words += [f"--{name}".replace("_", "-"), str(value)]
    return facts_of(json.loads(run_command("solve", *words, text=f"{board}\n").stdout))


def task_of(board: str, options: dict[str, Any]) -> Task:
    start = tq.Board.parse(board)
    goal = as_goal(options.get("goal"), start)
    puzzle = Puzzle(goal, Metric.named(options.get("metric", "single")))
    search = options.get("algorithm")
    limits = Limits(nodes=options.get("max_nodes"))
    return Task(puzzle, start, search and as_search(search), limits)


def by_page(board: str, options: dict[str, Any]) -> Facts:
    sent: dict[str, Any] = {}
    job = Solve(task_of(board, options), "auto")
    job.run(lambda name, record: sent.update({name: record}), lambda: False)
    return facts_of(sent["result"])


def by_study(board: str, options: dict[str, Any]) -> Facts:
    task = task_of(board, options)
    case = tq.lab.Case("board", task.start, task.puzzle)
    search = tq.lab.Search("search", task.algorithm)  # type: ignore[arg-type]
    (record,) = tq.lab.Study("contract", (case,), (search,), (task.limits,)).run(processes=0)
    as_result = {
        "outcome": record.ending.value,
        "limit": record.limit_reached,
        "engine": record.engine,
        "cost": record.cost,
        "lower_bound": record.lower_bound,
        "stats": asdict(record.stats),
    }
    return facts_of(as_result)


def facts_of(record: dict[str, Any]) -> Facts:
    stats = record["stats"]
    cost = record["cost"] if record["limit"] is None else None
    engine = record["engine"].split(",")[0]
    bound, limit = record["lower_bound"], record["limit"]
    return record["outcome"], cost, bound, limit, engine, stats["generated"], stats["expanded"]


CALLERS: list[Callable[[str, dict[str, Any]], Facts]] = [
    *(by_library_in_a_stream, by_command, partial(by_command, in_a_stream=True)),
    *(by_page, by_study),
]


@pytest.mark.parametrize(("board", "options"), CONTRACT)
def test_every_caller_solves_a_task_in_the_same_way(board: str, options: dict[str, Any]) -> None:
    expected = by_library(board, options)
    for caller in CALLERS:
        assert caller(board, options) == expected, caller


def test_a_limit_leaves_any_classic_board_with_a_solution_and_its_gap() -> None:
    goal = Goal.blank_last(5, 5)
    start = random_board(goal, seed=1)
    for limits, limit in [
        (Limits(seconds=0.4), Limit.SECONDS),
        (Limits(nodes=20_000), Limit.NODES),
        (Limits(memory=60_000_000), Limit.MEMORY),
    ]:
        for engine in (Auto(tables=None), Cpu(None), GlassBox()):
            wishes = Wishes(engine, fallback_seconds=0.05)
            result = solve(Task(Puzzle(goal), start, limits=limits), wishes, Control(limits))
            assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, limit)
            assert goal.is_met(result.boards()[-1])
            assert result.gap is not None
            assert result.gap > 0
            if limits.nodes is not None:
                assert (result.stats.generated or 0) <= limits.nodes


def test_the_first_ctrl_c_leaves_a_solution_of_the_beam_and_the_second_ends_that() -> None:
    puzzle = Puzzle(Goal.blank_last(5, 5))
    start = random_board(puzzle.goal, seed=1)
    longest = len(constructed(Task(puzzle, start)) or ())
    presses = 0

    def press(counters: Counters, seconds: float) -> None:
        nonlocal presses
        is_better = counters.best is not None and counters.best < longest
        if (presses, is_better) in {(0, False), (1, True)}:
            presses += 1
            signal.raise_signal(signal.SIGINT)

    control = Control(progress=press)
    result = solve(Task(puzzle, start), Wishes(fallback_seconds=600), control)
    assert (result.outcome, result.reason, presses) == (Outcome.STOPPED, "interrupted", 2)
    assert len(result.boards()) - 1 < longest
    assert result.lower_bound < longest


@pytest.mark.parametrize(
    ("outcome", "limit", "is_good"),
    [
        (Outcome.STOPPED, None, True),
        (Outcome.LIMIT_REACHED, Limit.NODES, True),
        (Outcome.LIMIT_REACHED, Limit.MEMORY, True),
        (Outcome.LIMIT_REACHED, Limit.SECONDS, False),
    ],
)
def test_whatever_ends_a_search_leaves_a_solution_of_the_beam_where_there_is_time(
    outcome: Outcome, limit: Limit | None, is_good: bool
) -> None:
    puzzle = Puzzle(Goal.blank_last(5, 5))
    task = Task(puzzle, random_board(puzzle.goal, seed=1), limits=Limits(nodes=10**9))
    longest = len(constructed(task) or ())
    ended = run(task, Cpu(None), Control(stop=lambda: True))
    ended = replace(ended, outcome=outcome, limit=limit)

    def press(counters: Counters, seconds: float) -> None:
        if counters.best is not None and counters.best < longest:
            raise KeyboardInterrupt

    result = with_good_solution(
        ended, task, Wishes(fallback_seconds=600), Control(progress=press, stop=lambda: True)
    )
    assert (result.outcome, result.limit, result.lower_bound) == (outcome, limit, ended.lower_bound)
    assert result.cost is not None
    assert (result.cost < longest) == is_good
    # Without a control, as for a stream that ends.
    assert with_good_solution(ended, task, Wishes(), None).cost == longest


def test_a_limit_on_nodes_gives_the_same_good_solution_but_none_to_who_insists() -> None:
    start = random_board(Goal.blank_last(5, 5), seed=1)
    first, again = (tq.solve(start, engine="cpu(tables=none)", max_nodes=200_000) for _ in range(2))
    assert first.moves == again.moves
    assert first.cost is not None
    assert first.cost < 120
    nodes = Limits(nodes=500)
    assert tq.solve(start, engine=Auto(only_optimal=True), limits=nodes).moves is None
    assert tq.solve(start, algorithm="idastar", limits=nodes).moves is None
    assert tq.solve(start, limits=Limits(depth=60)).moves is None


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Hide the compiled code."""
    monkeypatch.setattr(compiled, "FOLDER", str(tmp_path))
    kernels_fit.cache_clear()
    yield
    kernels_fit.cache_clear()


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize(("board", "sentences"), [("1 2 0 / 4 5 3 / 7 8 6", 0), (NEAR, 1)])
def test_who_waits_for_pure_python_on_a_large_board_is_told_once_that_nothing_is_compiled(
    board: str, sentences: int
) -> None:
    said: list[str] = []
    start = tq.Board(board)
    task = Task(Puzzle(Goal.blank_last(start.grid.rows, start.grid.columns)), start)
    result = solve(task, Wishes(patience=5), Control(notice=said.append))
    assert (result.optimal, result.engine.name) == (True, "glass-box")
    assert said == [compiled.no_kernels()] * sentences
    assert solve(task, Wishes(), Control(notice=said.append)).optimal
    assert len(said) == sentences


def test_part_of_a_limit_on_seconds_is_kept_for_a_good_solution_and_that_is_said() -> None:
    goal = Goal.blank_last(5, 5)
    task = Task(Puzzle(goal), random_board(goal, seed=1), limits=Limits(seconds=1))
    said: list[str] = []
    result = solve(task, Wishes(Auto(tables=None)), Control(task.limits, notice=said.append))
    told = "No shortest solution after 0.75 s: looking for a good one in the time that is left."
    assert said == [told]
    assert (result.outcome, result.reason) == (Outcome.LIMIT_REACHED, "limit of 1 second")
    assert result.cost is not None
    # What the optimal search proved is not lost.
    assert all(result.lower_bound >= bound for bound, *_ in result.bounds)
