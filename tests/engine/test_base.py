"""An engine of the test's own, registered, is treated like every other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import taquin as tq
from taquin.engine.base import Engine, Fit
from taquin.engine.task import ENGINES, Auto, engine_named
from taquin.errors import UnsuitableError
from taquin.lab.run.executor import execute
from taquin.lab.study.definition import jobs_of
from taquin.lab.study.reading import study_of_toml
from taquin.search.control import Control
from taquin.search.result import Count, Counters, EngineTag, Limit, Limits, Result, Task
from tests.cli.runs import run

START = tq.Board.parse("1 2 3 / 4 5 6 / 0 7 8")


@dataclass(frozen=True, slots=True)
class Walker(Engine):
    """Walk the two moves that solve one board, a thousand nodes a step, a hundred times over."""

    steps: int = 100

    name = "walker"
    summary = "one board, for a test"

    def fits(self, task: Task) -> Fit:
        return Fit(task.start == START, "it knows one board only")

    def solve(self, task: Task, control: Control) -> Result:
        counters = Counters(bound=1)
        moves = None
        with control.guard():
            for step in range(self.steps):
                counters.generated += 1000
                control.prove(1)
                if step == 1:
                    moves = (tq.Move((7,), tq.Direction.LEFT), tq.Move((8,), tq.Direction.LEFT))
                    counters.best = 2
                if not control.tick(counters):
                    break
        return control.result(
            task, tq.Greedy(), EngineTag("walker"), counters, counts=("generated",), moves=moves
        )


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    before = dict(ENGINES)
    ENGINES.clear()
    ENGINES.update({"walker": Walker, **before})
    yield
    ENGINES.clear()
    ENGINES.update(before)


def test_an_engine_is_chosen_where_it_fits_and_is_preferred(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert tq.solve(START).engine.name == "walker"
    assert tq.solve(tq.Board.parse("1 2 3 / 4 0 5 / 7 8 6")).engine.name != "walker"
    task = Task(tq.Puzzle(tq.Goal.blank_last(3, 3)), START)
    monkeypatch.setattr(Walker, "finds_optimal", False)
    assert Auto(only_optimal=True).engine_for(task).name == "table"
    assert Auto().engine_for(task).name == "walker"
    monkeypatch.setattr(Walker, "preferred_for", lambda engine, task: False)
    assert Auto().engine_for(task).name == "table"


def test_it_can_be_named_with_its_settings() -> None:
    assert engine_named("walker(steps=3)") == Walker(3)
    assert str(Walker(3)) == "walker(steps=3)"
    assert tq.solve(START, engine="walker(steps=5)").stats.generated == 5000
    with pytest.raises(UnsuitableError, match="it knows one board only"):
        tq.solve(tq.Board.parse("1 2 / 0 3"), engine="walker")
    with pytest.raises(UnsuitableError, match="does not support threads"):
        engine_named("walker", threads=2)
    with pytest.raises(UnsuitableError, match="cannot do this: it finds one solution, not every"):
        tq.all_solutions(START, engine="walker")


@pytest.mark.parametrize(
    ("limits", "limit", "generated"),
    [
        (Limits(nodes=1000), Limit.NODES, 1000),
        (Limits(nodes=7000), Limit.NODES, 7000),
        (Limits(seconds=0), Limit.SECONDS, 1000),
        (Limits(memory=1), Limit.MEMORY, None),
    ],
)
def test_limits_end_it_with_the_best_so_far(
    limits: Limits, limit: Limit, generated: int | None
) -> None:
    result = tq.solve(START, engine=Walker(10**9 if limit is Limit.MEMORY else 100), limits=limits)
    assert (result.outcome, result.limit) == (tq.Outcome.LIMIT_REACHED, limit)
    assert generated is None or result.stats.generated == generated
    # Another engine's solution stands in for one that this engine has not found yet; where there is
    # time, it is a shortest one.
    assert result.cost is not None
    is_good = limit is Limit.MEMORY or (result.stats.generated or 0) >= 2000
    assert (result.cost == 2) == is_good
    # The engine proves 1, and the parity of the board makes it 2.
    assert result.lower_bound == 2


def test_it_is_stopped_on_request_and_by_an_interrupt_and_tells_the_best_so_far() -> None:
    looks = iter(range(100))
    result = tq.solve(START, engine="walker", stop=lambda: next(looks) >= 4)
    assert (result.outcome, result.stats.generated, result.cost) == (tq.Outcome.STOPPED, 5000, 2)
    seen: list[int | None] = []

    def interrupt(counters: Counters, seconds: float) -> None:
        seen.append(counters.best)
        if len(seen) == 3:
            raise KeyboardInterrupt

    result = tq.solve(START, engine="walker", progress=interrupt)
    assert seen == [None, 2, 2]
    assert (result.outcome, result.reason) == (tq.Outcome.STOPPED, "interrupted")
    assert (result.stats.generated, result.cost) == (3000, 2)


def test_it_is_reported_like_the_others() -> None:
    told = run("solve", START.text())
    assert told.exit_code == 0
    assert "greedy(manhattan), walker: 100,000 generated" in told.stdout
    told = run("solve", START.text(), "--engine", "walker", "--max-nodes", "5000")
    assert told.exit_code == 3
    assert "Best so far, limit of 5,000 nodes generated: 2 moves" in told.stdout
    record = json.loads(run("solve", START.text(), "--engine", "walker", "--json").stdout)
    assert (record["engine"], record["stats"]["generated"]) == ("walker", 100_000)
    assert record["stats"]["expanded"] is None
    listed = run("engines").stdout
    assert "walker" in listed
    assert "one board, for a test" in listed


def test_a_study_names_it() -> None:
    study = study_of_toml(
        f'boards = [{{ start = "{START.text()}" }}]\n'
        'searches = [{ engine = "walker" }, { engine = "glass" }]\n'
    )
    first, second = (execute(job) for job in jobs_of(study))
    assert (first.engine, first.cost, first.run.algorithm) == ("walker", 2, "walker")
    assert (second.engine, second.cost) == ("glass-box", 2)


def test_counts_that_compiled_code_does_not_keep_go_to_the_glass_box() -> None:
    hard = tq.Board.parse("15 2 1 12 / 8 5 6 11 / 4 9 10 7 / 3 14 13 0")
    counting = Limits(nodes=100_000, counting=Count.EXPANDED)
    auto = Auto()
    puzzle = tq.Puzzle(tq.Goal.blank_last(4, 4))
    assert auto.engine_for(Task(puzzle, hard)).name == "cpu"
    assert auto.engine_for(Task(puzzle, hard, limits=Limits(nodes=500))).name == "glass"
    assert auto.engine_for(Task(puzzle, hard, limits=counting)).name == "glass"
