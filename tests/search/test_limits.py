"""Limits, Ctrl-C and the bounds that survive them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from taquin.errors import MismatchError, UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    IDAStar,
)
from taquin.search.driver import trace
from taquin.search.events import Finished
from taquin.search.result import Count, Limit, Limits, Outcome
from tests.glass import solve

FIFTEEN = Puzzle(Goal.blank_first(4, 4))
HARD = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
HARD_LENGTH = 57
EIGHT = Puzzle(Goal.blank_last(3, 3))
DEEPEST = Board.parse("8 6 7 / 2 5 4 / 3 0 1")


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("counting", Count)
def test_a_node_limit_stops_every_search_within_one_expansion(name: str, counting: Count) -> None:
    algorithm = ALGORITHMS[name](**({"cap": 10**9} if name == "capped-beam" else {}))
    result = solve(FIFTEEN, HARD, algorithm, Limits(nodes=500, counting=counting))
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, Limit.NODES)
    assert result.reason == f"limit of 500 nodes {counting.value}"
    # Beam and bidirectional search count whole levels when they enqueue them.
    slack = 200 if counting is Count.ENQUEUED else 4
    assert 500 <= getattr(result.stats, counting.value) <= 500 + slack
    assert 1 <= result.lower_bound <= HARD_LENGTH


def test_a_node_limit_holds_while_depth_first_search_backs_out_of_a_long_path() -> None:
    # Unlimited, this search finds its solution after 67,823 nodes.
    for nodes in (20_000, 40_000, 60_000):
        result = solve(EIGHT, DEEPEST, DepthFirst(seed=3), Limits(nodes=nodes))
        assert result.limit is Limit.NODES
        assert nodes <= (result.stats.generated or 0) <= nodes + 4


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_time_limit_stops_every_search_and_keeps_its_bound(name: str) -> None:
    algorithm = ALGORITHMS[name](**({"cap": 10**9} if name == "capped-beam" else {}))
    result = solve(FIFTEEN, HARD, algorithm, Limits(seconds=0.002))
    assert result.limit is Limit.SECONDS
    assert result.reason == "limit of 0.002 seconds"
    assert result.lower_bound <= HARD_LENGTH


def test_a_slow_heuristic_does_not_delay_a_time_limit_by_a_whole_stretch() -> None:
    class Slow:
        name = "slow"
        counts_tile_steps = True

        def bind(self, space: object) -> SlowEvaluator:
            return SlowEvaluator()

    class SlowEvaluator:
        admissible = consistent = True
        calls = 0

        def value(self, state: object) -> int:
            SlowEvaluator.calls += 1
            time.sleep(0.005)
            return 0

        def step(self, value: int, child: object, tile: int, origin: int, target: int) -> int:
            return self.value(child)

    slow: Heuristic = Slow()
    result = solve(FIFTEEN, HARD, AStar(slow), Limits(seconds=0.1))
    assert result.outcome is Outcome.LIMIT_REACHED
    # 0.1 s holds 20 calls of 5 ms; a tick may come some expansions late, not hundreds.
    assert SlowEvaluator.calls < 80


def test_a_depth_limit_proves_that_no_shorter_solution_exists() -> None:
    short = solve(EIGHT, DEEPEST, BreadthFirst(), Limits(depth=12))
    assert short.outcome is Outcome.LIMIT_REACHED
    assert short.reason == "limit of 12 moves"
    assert short.lower_bound >= 13
    assert solve(EIGHT, DEEPEST, AStar(), Limits(depth=31)).cost == 31
    assert solve(EIGHT, DEEPEST, AStar(), Limits(depth=30)).lower_bound == 31


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_search_follows_a_path_beyond_the_depth_limit(name: str) -> None:
    result = solve(EIGHT, DEEPEST, ALGORITHMS[name](), Limits(depth=8, nodes=50_000))
    assert result.outcome is Outcome.LIMIT_REACHED
    assert (result.stats.max_depth or 0) <= 8


def test_a_depth_limit_still_finds_a_solution_within_it() -> None:
    start = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    for name in ALGORITHMS:
        assert solve(EIGHT, start, ALGORITHMS[name](), Limits(depth=2)).cost == 2, name


MEMORY_PROGRAM = """
from taquin.system.machine import process_memory
from tests.search.test_limits import AStar, FIFTEEN, HARD, Limits, solve
limit = process_memory() + 30_000_000
result = solve(FIFTEEN, HARD, AStar(), Limits(memory=limit))
print(result.outcome.value, result.reason.split()[-1], result.stats.peak_memory - limit)
"""


def test_a_memory_limit_stops_the_search_soon_after_it_is_passed() -> None:
    # In a process of its own: a peak is the process's, whatever ran in it before.
    done = subprocess.run(
        [sys.executable, "-c", MEMORY_PROGRAM], capture_output=True, text=True, check=True
    )
    outcome, last_word, beyond = done.stdout.split()
    assert (outcome, last_word) == ("limit", "memory")
    # The system counts what is held in batches, so the two figures differ a little.
    assert -1_000_000 <= int(beyond) < 50_000_000


def test_a_memory_limit_below_what_the_process_holds_stops_at_once() -> None:
    result = solve(FIFTEEN, HARD, AStar(), Limits(memory=1))
    assert result.outcome is Outcome.LIMIT_REACHED
    assert result.stats.expanded == 0


@pytest.fixture
def interrupt_soon() -> Iterator[None]:
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    yield
    timer.cancel()


@pytest.mark.usefixtures("interrupt_soon")
def test_ctrl_c_stops_the_search_and_keeps_what_it_found() -> None:
    result = solve(FIFTEEN, HARD, IDAStar())
    assert result.outcome is Outcome.STOPPED
    assert (result.stats.expanded or 0) > 0
    assert 41 <= result.lower_bound <= HARD_LENGTH


def test_a_caller_can_stop_a_search() -> None:
    calls = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) > 3

    result = solve(FIFTEEN, HARD, AStar(), stop=stop)
    assert result.outcome is Outcome.STOPPED
    assert len(calls) == 4


def test_progress_is_reported_with_counters_that_only_grow() -> None:
    seen: list[int] = []
    result = solve(EIGHT, DEEPEST, AStar(), progress=lambda now, _: seen.append(now.expanded))
    assert seen == sorted(seen)
    assert seen[-1] <= (result.stats.expanded or 0)


def test_limits_below_zero_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="limit on nodes must be 0 or more, not -1"):
        Limits(nodes=-1)
    with pytest.raises(UnsuitableError, match="limit on seconds"):
        Limits(seconds=float("nan"))


def test_a_limit_of_zero_nodes_expands_nothing() -> None:
    result = solve(EIGHT, DEEPEST, AStar(), Limits(nodes=0))
    assert result.outcome is Outcome.LIMIT_REACHED
    assert result.stats.expanded == 0
    assert result.lower_bound == 21


def test_a_capped_beam_stops_at_its_cap() -> None:
    start = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    assert solve(EIGHT, start, CappedBeam(cap=100)).cost == 2
    small = solve(EIGHT, DEEPEST, CappedBeam(cap=5))
    assert (small.outcome, small.limit) == (Outcome.LIMIT_REACHED, Limit.CAP)
    assert small.reason == "cap of 5 nodes kept"
    assert small.moves is None


def test_a_depth_limited_search_says_how_far_it_looked() -> None:
    result = solve(EIGHT, DEEPEST, DepthFirst(max_depth=5))
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, Limit.DEPTH)
    assert result.reason == "limit of 5 moves"


def test_bad_pairs_are_refused_before_the_first_event() -> None:
    with pytest.raises(MismatchError):
        trace(FIFTEEN, DEEPEST, AStar())


def test_an_unsolvable_board_ends_the_trace_at_once_with_the_reason() -> None:
    events = list(trace(EIGHT, Board.parse("1 2 3 / 4 5 6 / 8 7 0"), AStar()))
    assert len(events) == 1
    last = events[0]
    assert isinstance(last, Finished)
    assert last.result.outcome is Outcome.UNSOLVABLE
    assert "inversion" in last.result.reason
