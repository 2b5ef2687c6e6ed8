"""Limits, Ctrl-C and the bounds that survive them, with the parity of every solution."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import count

import pytest

import taquin as tq
from taquin import Board, FromFunction, Goal, Metric, Puzzle, trace
from taquin.errors import MismatchError, UnsuitableError
from taquin.events import Finished
from taquin.model.space import Space
from taquin.search import control, driver
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    IDAStar,
)
from taquin.search.control import Control
from taquin.search.grammar import search_named
from taquin.search.result import Count, Counters, Limit, Limits, Outcome, Task, verdict
from taquin.system.formatting import counted
from tests import truth
from tests.glass import solve

FIFTEEN = Puzzle(Goal.blank_first(4, 4))
HARD = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
HARD_LENGTH = 57
EIGHT = Puzzle(Goal.blank_last(3, 3))
DEEPEST = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
SAMPLE_2X3 = sorted(truth.distances([(1, 2, 3, 4, 5, 0)], 2, 3).items())[7::60]
"""A few boards of 2×3, each with the length of its shortest solution."""


def unbounded(name: str) -> tq.Algorithm:
    """Return a search that no cap of its own ends."""
    return ALGORITHMS[name](**({"cap": 10**9} if name == "capped-beam" else {}))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("nodes", [1, 2, 500])
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("counting", Count)
def test_no_search_ever_counts_more_nodes_than_the_limit(
    name: str, counting: Count, nodes: int
) -> None:
    result = solve(FIFTEEN, HARD, unbounded(name), Limits(nodes=nodes, counting=counting))
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, Limit.NODES)
    assert result.reason == f"limit of {counted(nodes, 'node')} {counting.value}"
    # A beam enqueues a whole level or none of it, a search from both ends at least both.
    slack = (
        {"beam": 100, "bidirectional": 1, "mm": 1, "nbs": 1}.get(name, 0)
        if counting is Count.ENQUEUED
        else 0
    )
    assert nodes - slack <= getattr(result.stats, counting.value) <= nodes
    assert 1 <= result.lower_bound <= HARD_LENGTH


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("counting", Count)
def test_as_many_nodes_as_a_search_takes_are_enough_and_one_less_is_not(
    name: str, counting: Count
) -> None:
    puzzle, start = Puzzle(Goal.blank_last(2, 3)), Board.parse("1 5 2 / 0 4 3")
    free = solve(puzzle, start, ALGORITHMS[name]())
    taken = getattr(free.stats, counting.value)
    assert free.cost is not None
    limited = solve(puzzle, start, ALGORITHMS[name](), Limits(nodes=taken, counting=counting))
    assert (limited.outcome, limited.moves) == (Outcome.SOLVED, free.moves)
    short = solve(puzzle, start, ALGORITHMS[name](), Limits(nodes=taken - 1, counting=counting))
    assert short.limit is Limit.NODES


@pytest.mark.slow
def test_a_node_limit_holds_while_depth_first_search_backs_out_of_a_long_path() -> None:
    # Unlimited, this search finds its solution after 67,823 nodes.
    for nodes in (20_000, 40_000, 60_000):
        result = solve(EIGHT, DEEPEST, DepthFirst(seed=3), Limits(nodes=nodes))
        assert (result.limit, result.stats.generated) == (Limit.NODES, nodes)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_time_limit_stops_every_search_and_keeps_its_bound(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    monkeypatch.setattr(control, "perf_counter", lambda: next(looks))
    result = solve(FIFTEEN, HARD, unbounded(name), Limits(seconds=5))
    assert (result.limit, result.reason) == (Limit.SECONDS, "limit of 5 seconds")
    assert result.lower_bound <= HARD_LENGTH


def test_a_slow_heuristic_does_not_delay_a_time_limit_by_a_whole_stretch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = count(1)
    now = 0.0

    def slow(board: Board) -> int:
        nonlocal now
        now = 0.005 * next(calls)
        return 0

    for module in (control, driver):
        monkeypatch.setattr(module, "perf_counter", lambda: now)
    result = solve(FIFTEEN, HARD, AStar(FromFunction(slow)), Limits(seconds=2))
    assert result.limit is Limit.SECONDS
    # 2 s hold 400 calls of 5 ms; a tick may come some expansions late, not hundreds.
    assert 400 <= next(calls) < 430


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_search_goes_beyond_the_depth_limit_and_each_finds_a_solution_within(name: str) -> None:
    result = solve(EIGHT, DEEPEST, ALGORITHMS[name](), Limits(depth=8, nodes=50_000))
    assert result.outcome is Outcome.LIMIT_REACHED
    assert (result.stats.max_depth or 0) <= 8
    start = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
    assert solve(EIGHT, start, ALGORITHMS[name](), Limits(depth=2)).cost == 2


ESTIMATING = (
    *("greedy", "astar", "wastar", "idastar", "rbfs", "beam", "capped-beam", "bts", "widastar"),
    *("mm", "nbs", "arastar", "focal", "potential", "peastar"),
)


@pytest.mark.parametrize("name", ESTIMATING)
def test_estimates_keep_a_search_within_its_depth_limit_and_prove_what_lies_beyond(
    name: str,
) -> None:
    # Below the estimate of the start there is nothing to search.
    result = solve(FIFTEEN, HARD, ALGORITHMS[name](), Limits(depth=20))
    assert (result.limit, result.stats.expanded, result.lower_bound) == (Limit.DEPTH, 0, 41)
    result = solve(FIFTEEN, HARD, ALGORITHMS[name](), Limits(depth=42, nodes=10_000))
    assert (result.limit, result.lower_bound) == (Limit.DEPTH, 43)


CONVENTIONS = [
    "bfs", "bfs(duplicates=closed)", "bfs(goal-test=generation)", "ucs(duplicates=parent)", "ids",
    "ids(duplicates=closed)", "dfs", "greedy", "greedy(duplicates=closed)",
    "astar", "astar(misplaced)", "astar(duplicates=closed)", "astar(inversion-distance)",
    "astar(manhattan-agent)", "wastar", "wastar(duplicates=dequeue, weight=9)", "idastar",
    "idastar(duplicates=closed)", "idastar(manhattan-agent)", "rbfs", "rbfs(manhattan-agent)",
    "rbfs(goal-test=generation)", "beam(width=3)", "beam(width=500)", "bidirectional",
    "mm", "mm(manhattan-agent)", "nbs", "nbs(manhattan-agent)",
    "arastar", "arastar(manhattan-agent)", "peastar", "peastar(manhattan-agent)", "bts", "widastar",
    "focal", "focal(manhattan-agent)", "potential", "lrtastar", "lss-lrtastar",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", CONVENTIONS)
def test_under_a_depth_limit_bounds_stay_true_and_solutions_are_found_within_it(text: str) -> None:
    puzzle = Puzzle(Goal.blank_last(2, 3))
    search = search_named(text)
    for cells, length in SAMPLE_2X3:
        start = Board(puzzle.grid, cells)
        for depth in range(max(0, length - 3), length + 3):
            result = solve(puzzle, start, search, Limits(depth=depth))
            assert result.lower_bound <= length
            if result.moves is not None:
                assert length <= len(result.moves) <= depth
            elif depth >= length:
                # Only a search that forgets, or never comes back to a board, may miss it.
                assert not search.optimal or "closed" in text or "agent" in text
            else:
                assert result.limit in (Limit.DEPTH, Limit.WIDTH)
                assert not search.optimal or result.lower_bound > depth or "agent" in text


MEMORY_PROGRAM = """
from taquin.system.machine import process_memory
from tests.search.test_limits import AStar, FIFTEEN, HARD, Limits, solve
limit = process_memory() + 30_000_000
result = solve(FIFTEEN, HARD, AStar(), Limits(memory=limit))
print(result.outcome.value, result.reason.split()[-1], result.stats.peak_memory - limit)
"""


@pytest.mark.slow
def test_a_memory_limit_stops_the_search_soon_after_it_is_passed() -> None:
    # In a process of its own: a peak is the process's, whatever ran in it before.
    done = subprocess.run(
        [sys.executable, "-c", MEMORY_PROGRAM], capture_output=True, text=True, check=True
    )
    outcome, last_word, beyond = done.stdout.split()
    assert (outcome, last_word) == ("limit", "memory")
    # The system counts what is held in batches, so the two figures differ a little.
    assert -1_000_000 <= int(beyond) < 50_000_000


def test_ctrl_c_and_the_caller_stop_a_search_which_keeps_what_it_found() -> None:
    seen: list[int] = []

    def press(now: Counters, seconds: float) -> None:
        seen.append(now.expanded)
        if len(seen) > 3:
            signal.raise_signal(signal.SIGINT)

    result = solve(FIFTEEN, HARD, IDAStar(), progress=press)
    assert result.outcome is Outcome.STOPPED
    assert seen == sorted(seen)
    assert seen[-1] <= (result.stats.expanded or 0) > 0
    assert 41 <= result.lower_bound <= HARD_LENGTH
    looks = count()
    assert solve(FIFTEEN, HARD, AStar(), stop=lambda: next(looks) == 3).outcome is Outcome.STOPPED
    assert next(looks) == 4


def test_limits_below_zero_and_pairs_that_do_not_fit_are_refused_before_the_first_event() -> None:
    with pytest.raises(UnsuitableError, match="limit on nodes must be at least 0, got -1"):
        Limits(nodes=-1)
    with pytest.raises(UnsuitableError, match="limit on seconds"):
        Limits(seconds=float("nan"))
    with pytest.raises(MismatchError):
        trace(FIFTEEN, DEEPEST, AStar())


@pytest.mark.parametrize(
    ("algorithm", "limits", "limit", "reason", "least"),
    [
        (AStar(), Limits(nodes=0), Limit.NODES, "limit of 0 nodes generated", 21),
        (AStar(), Limits(memory=1), Limit.MEMORY, "limit of 1 byte of memory", 21),
        (AStar(), Limits(depth=30), Limit.DEPTH, "limit of 30 moves", 31),
        (BreadthFirst(), Limits(depth=12), Limit.DEPTH, "limit of 12 moves", 13),
        (DepthFirst(max_depth=5), Limits(), Limit.DEPTH, "limit of 5 moves", 1),
        (CappedBeam(cap=5), Limits(), Limit.CAP, "cap of 5 nodes kept", 1),
    ],
)
def test_a_limit_is_named_and_what_was_proven_before_it_kept(
    algorithm: tq.Algorithm, limits: Limits, limit: Limit, reason: str, least: int
) -> None:
    result = solve(EIGHT, DEEPEST, algorithm, limits)
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, limit)
    assert (result.reason, result.moves) == (reason, None)
    assert least <= result.lower_bound <= 31
    assert (result.stats.expanded == 0) is (limits.nodes == 0 or limits.memory == 1)


def test_limits_that_are_just_enough_are_no_hindrance_and_parity_closes_a_gap_of_one() -> None:
    assert solve(EIGHT, DEEPEST, AStar(), Limits(depth=31)).cost == 31
    assert solve(EIGHT, Board.parse("1 2 3 / 4 0 5 / 7 8 6"), CappedBeam(cap=100)).cost == 2
    # All that greedy search proves is the estimate of the start, 7; the solution has 8 moves.
    result = tq.solve("0 3 6 / 1 4 2 / 7 5 8", algorithm="greedy(misplaced)")
    assert result.cost == result.lower_bound == 8
    assert verdict(result) == "Solved in 8 moves; no solution is shorter."


def test_an_unsolvable_board_ends_the_trace_at_once_with_the_reason() -> None:
    (last,) = trace(EIGHT, Board.parse("1 2 3 / 4 5 6 / 8 7 0"), AStar())
    assert isinstance(last, Finished)
    assert last.result.outcome is Outcome.UNSOLVABLE
    assert "inversion" in last.result.reason


FIFO = tq.AStar(conventions=tq.search.Conventions(ties=tq.search.Ties.FIFO))
"""An A* that goes on for a while after its first solution."""


@pytest.mark.parametrize(
    "algorithm", [tq.AStar(weight=3), tq.Beam(width=50), tq.Bidirectional(), tq.Greedy()], ids=str
)
def test_improvements_fall_and_the_last_is_the_solution(algorithm: tq.Algorithm) -> None:
    *events, last = tq.trace(EIGHT, DEEPEST, algorithm)
    costs = [event.cost for event in events if isinstance(event, tq.events.Improved)]
    assert costs == sorted(set(costs), reverse=True)
    assert isinstance(last, Finished)
    assert costs[-1] == last.result.cost


@pytest.mark.slow
def test_a_solution_that_a_first_try_came_upon_is_not_lost() -> None:
    generated, events = 0, tq.trace(EIGHT, DEEPEST, FIFO)
    while not isinstance(event := next(events), tq.events.Improved):
        generated += isinstance(event, tq.events.Generated)
    task, control = Task(EIGHT, DEEPEST), Control()
    assert control.attempt(generated, lambda: driver.solve(task, FIFO, control)) is None
    # The next search is ended before it finds anything.
    control.end(tq.Limit.SECONDS, 1)
    result = driver.solve(task, tq.IDAStar(), control)
    assert (result.outcome, result.limit) == (tq.Outcome.LIMIT_REACHED, tq.Limit.SECONDS)
    assert EIGHT.is_goal(result.boards()[-1])
    assert result.stats.generated == generated


def test_an_interrupt_returns_the_best_so_far() -> None:
    goal = tq.Board(EIGHT.grid, EIGHT.goal.cells)
    space = Space(EIGHT, DEEPEST)
    manhattan = tq.Manhattan().bind(space)
    known: list[tq.Board] = []

    def estimate(board: tq.Board) -> int:
        if known:
            raise KeyboardInterrupt
        if board == goal:
            known.append(board)
        return manhattan.value(space.encode(board))

    algorithm = tq.AStar(tq.FromFunction(estimate), conventions=FIFO.conventions)
    result = tq.solve(DEEPEST, algorithm=algorithm)
    assert result.outcome is tq.Outcome.STOPPED
    assert result.cost is not None
    assert EIGHT.is_goal(result.boards()[-1])


@pytest.mark.parametrize(
    "goal", ["1 2 3 / 4 5 0", "0 1 2 / 3 4 5", "* 1 * / * * 0", "1 * 3 / 4 5 *", "* * # / 1 2 0"]
)
def test_solutions_have_the_parity_that_the_puzzle_tells(goal: str) -> None:
    puzzle = Puzzle(Goal.parse(goal))
    fillers = iter(range(10, 20))
    full = tuple(next(fillers) if label == "*" else label for label in puzzle.goal.cells)
    if 0 not in full:
        # Either of the free cells may be the blank's; here both are of one colour.
        full = tuple(0 if label == 10 else label for label in full)
    known = truth.distances(truth.arrangements(full, puzzle.goal.cells), 2, 3)
    for cells, distance in known.items():
        assert puzzle.solution_parity(Board(puzzle.grid, cells)) == distance % 2
    # None is claimed where solutions of both may exist.
    for free in (Puzzle(Goal("1 * * / * * *")), Puzzle(Goal.blank_last(2, 3), Metric.MULTI)):
        assert free.solution_parity([[0, 1, 2], [3, 4, 5]]) is None


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("nodes", [5, 300, 301])
def test_a_search_cut_short_has_proven_a_bound_of_the_right_parity(name: str, nodes: int) -> None:
    told: list[float] = []

    def note(counters: Counters, seconds: float) -> None:
        told.append(counters.bound)

    result = tq.solve(DEEPEST, algorithm=unbounded(name), limits=Limits(nodes=nodes), progress=note)
    assert result.lower_bound % 2 == 1
    assert result.lower_bound <= 31
    assert all(bound % 2 == 1 for bound in told)
    assert ", an odd number" in verdict(result)
