"""Code of one's own that does not return obeys the limit on time, and one Ctrl-C."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import variance

import pytest

import taquin as tq
from taquin.search.contest import By, Contest
from taquin.search.events import Finished
from taquin.search.run import Algorithm
from taquin.system.alarm import Alarm
from taquin.system.interrupts import CutShort
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
HARD = "8 6 7 / 2 5 4 / 3 0 1"
NUMBERS = range(300_000)
"""So many that the standard library takes longer over their variance than the alarm to ring."""
SOON = tq.Limits(seconds=0.2)

CODE = """
import time

def forever(board):
    while True:
        pass

def asleep(board):
    time.sleep(1000)

def stubborn(board):
    while True:
        try:
            time.sleep(1000)
        except Exception:
            pass

class Search:
    name, heuristic, optimal, exhaustive, cap = "mine", None, False, True, None
    @property
    def conventions(self):
        while True:
            pass
    def loop(self, run):
        pass
"""


def forever(board: tq.Board) -> int:
    while True:
        pass


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path / "mine.py"


@pytest.fixture
def _default_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", ["forever", "asleep", "stubborn"])
def test_an_endless_heuristic_ends_at_the_limit(file: Path, name: str) -> None:
    result = tq.solve(NEAR, algorithm=f"astar({file}:{name})", limits=SOON)
    assert (result.limit, result.lower_bound) == (tq.Limit.SECONDS, 2)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_an_endless_search_ends_at_the_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taquin.search.control._READY_SECONDS", 0.2)
    assert tq.solve(NEAR, algorithm=f"{file}:Search", limits=SOON).limit is tq.Limit.SECONDS
    file.write_text("while True: pass\n", encoding="utf-8")
    assert tq.solve(NEAR, algorithm=f"{file}:Search", limits=SOON).limit is tq.Limit.SECONDS


def test_an_endless_function_ends_in_a_thread_too() -> None:
    found: list[object] = []

    def work() -> None:
        found.append(
            tq.solve(NEAR, algorithm=tq.AStar(tq.FromFunction(forever)), limits=SOON).limit
        )
        found.append(
            [*tq.trace(NEAR, algorithm=tq.AStar(tq.FromFunction(forever)), limits=SOON)][-1]
        )

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    limit, last = found
    assert limit is tq.Limit.SECONDS
    assert isinstance(last, Finished)
    assert last.result.limit is tq.Limit.SECONDS


def test_what_was_found_before_is_kept() -> None:
    calls = []

    def sometimes(board: tq.Board) -> int:
        calls.append(board)
        return 0 if len(calls) < 50 else forever(board)

    result = tq.solve(HARD, algorithm=tq.AStar(tq.FromFunction(sometimes)), limits=SOON)
    assert result.limit is tq.Limit.SECONDS
    assert (result.stats.expanded or 0) > 0


def test_a_search_inside_a_heuristic_leaves_the_time_of_the_outer_one_alone() -> None:
    def deep(board: tq.Board) -> int:
        return tq.solve(
            board, algorithm=tq.AStar(tq.FromFunction(forever)), limits=tq.Limits(seconds=60)
        ).lower_bound

    assert (
        tq.solve(NEAR, algorithm=tq.AStar(tq.FromFunction(deep)), limits=SOON).limit
        is tq.Limit.SECONDS
    )


def test_a_profiler_works_after_a_search_inside_a_heuristic() -> None:
    # Python 3.11 never got past the first instruction that was profiled.
    test_a_search_inside_a_heuristic_leaves_the_time_of_the_outer_one_alone()
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(event))
    try:
        tq.solve("1 2 3 / 4 0 5 / 7 8 6", algorithm="bfs")
    finally:
        sys.setprofile(None)
    assert "call" in calls


def test_a_library_is_cut_short_only_where_own_code_called_it() -> None:
    with Alarm(lambda: 0.0):
        variance(NUMBERS)

    def own() -> None:
        variance(NUMBERS)

    with pytest.raises(CutShort), Alarm(lambda: 0.0):
        own()


@pytest.mark.usefixtures("_default_interrupts")
def test_one_ctrl_c_ends_an_endless_heuristic() -> None:
    def pressed(board: tq.Board) -> int:
        signal.raise_signal(signal.SIGINT)
        return forever(board)

    result = tq.solve(NEAR, algorithm=tq.AStar(tq.FromFunction(pressed)))
    assert (result.outcome, result.reason) == (tq.Outcome.STOPPED, "interrupted")
    *_, last = tq.trace(NEAR, algorithm=tq.AStar(tq.FromFunction(pressed)))
    assert isinstance(last, Finished)
    assert last.result.outcome is tq.Outcome.STOPPED
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_compare_and_race_go_on_with_the_others(file: Path) -> None:
    own = f"astar({file}:forever)"
    compared = run("compare", NEAR, "-a", own, "-a", "bfs", "--max-seconds", "0.5", "--json")
    assert [row["outcome"] for row in json.loads(compared.stdout)] == ["limit", "solved"]
    puzzle, start = tq.Puzzle(tq.Goal.blank_last(3, 3)), tq.Board.parse(NEAR)
    searches: list[Algorithm] = [tq.BreadthFirst(), tq.AStar(tq.FromFunction(forever))]
    contest = Contest(puzzle, start, searches, tq.Limits(seconds=0.5), By.EXPANSIONS)
    while contest.running:
        contest.advance(1, 1)
    assert [runner.is_solved for runner in contest.runners] == [True, False]
