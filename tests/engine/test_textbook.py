"""Searches by name in compiled code: every counter is that of the glass box."""

from __future__ import annotations

import gc
import random
from dataclasses import replace

import pytest

import taquin as tq
from taquin.engine.base import run
from taquin.engine.general import parallel
from taquin.engine.glass import GlassBox
from taquin.engine.task import Auto
from taquin.engine.textbook import driver
from taquin.engine.textbook.driver import StateTable
from taquin.engine.textbook.engine import Textbook
from taquin.model.puzzle import Puzzle
from taquin.search.control import Control
from taquin.search.grammar import as_search
from taquin.search.result import Count, Limit, Limits, Outcome, Result, Stats, Task
from taquin.system import machine
from tests import truth
from tests.puzzles import drawn

SEARCHES = (
    "bfs",
    "greedy(linear-conflict, ties=low-h)",
    "astar",
    "astar(linear-conflict, ties=fifo)",
    "astar(walking-distance, ties=lifo)",
    "astar(max(patterns([1 2 3], [4 5]), manhattan))",
    "wastar(manhattan, weight=1.2)",
    "bidirectional",
    "mm(linear-conflict)",
    "nbs",
    "idastar(linear-conflict)",
    "idastar(patterns([1 2 3], [4 5]), directions=ULRD)",
)
SIZES = ((4, 4), (3, 4), (5, 5), (2, 7))


def solved(task: Task, threads: int = 1) -> Result:
    return run(task, Textbook(threads), Control(task.limits))


def counted(stats: Stats) -> Stats:
    return replace(stats, seconds=0, cpu_seconds=0, peak_memory=0)


def compare(task: Task, threads: int = 1) -> bool:
    """Assert that compiled code does what the glass box does, count for count, where it fits."""
    if not Textbook().fits(task):
        return False
    glass = run(task, GlassBox(), Control(task.limits))
    result = solved(task, threads)
    assert counted(result.stats) == counted(glass.stats)
    assert result.moves == glass.moves
    # A start that is solved has a first bound in the glass box only.
    assert result.bounds == glass.bounds or glass.bounds == ((0, 0),)
    assert (result.outcome, result.lower_bound) == (glass.outcome, glass.lower_bound)
    assert (result.limit, result.reason) == (glass.limit, glass.reason)
    return True


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the threads share small trees."""
    monkeypatch.setattr(parallel, "_ALONE", 50)
    monkeypatch.setattr(parallel, "_ROOTS", 4)


@pytest.mark.usefixtures("eager")
def test_ida_star_on_any_puzzle_generates_the_nodes_of_the_glass_box() -> None:
    compared = 0
    for seed in range(100):
        puzzle, rng = drawn(seed), random.Random(seed)
        order = "".join(rng.sample("UDLR", 4))
        heuristic, duplicates = rng.choice(["manhattan", "zero"]), rng.choice(["parent", "none"])
        text = f"idastar({heuristic}, duplicates={duplicates}, directions={order})"
        limits = Limits(nodes=10_000)
        task = Task(puzzle.puzzle, puzzle.start, as_search(text), limits)
        compared += all(compare(task, threads) for threads in (1, 3))
    assert compared > 5


@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("search", SEARCHES)
def test_every_counter_is_that_of_the_glass_box(search: str, seed: int) -> None:
    for number, size in enumerate(SIZES):
        goal = (tq.Goal.blank_last, tq.Goal.blank_first)[seed % 2](*size)
        start = tq.random_walk(goal, 12 + 4 * seed, 10 * seed + number)
        compare(Task(Puzzle(goal), start, as_search(search), Limits(nodes=8_000)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_limit_on_nodes_ends_both_at_the_same_node(search: str) -> None:
    goal = tq.Goal.blank_last(4, 4)
    start = tq.random_board(goal, 1)
    for counting in Count:
        for nodes in (0, 1, 58, 301):
            limits = Limits(nodes=nodes, counting=counting)
            compare(Task(Puzzle(goal), start, as_search(search), limits))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("duplicates", ["parent", "none"])
@pytest.mark.parametrize("counting", [Count.EXPANDED, Count.GENERATED, Count.ENQUEUED])
def test_a_limit_on_nodes_ends_ida_star_at_every_node(counting: Count, duplicates: str) -> None:
    goal = tq.Goal.blank_last(3, 4)
    for seed, most, by in ((3, 60, 1), (4, 4_000, 211)):
        task = Task(
            Puzzle(goal),
            tq.random_walk(goal, 14 + 4 * seed, seed),
            as_search(f"idastar(duplicates={duplicates}, directions=LURD)"),
        )
        for nodes in range(0, most, by):
            limited = replace(task, limits=Limits(nodes=nodes, counting=counting))
            compare(limited, threads=1 + 2 * (nodes % 4 == 0))


def test_a_limit_on_depth_ends_ida_star_as_in_the_glass_box() -> None:
    goal = tq.Goal.blank_first(3, 4)
    for seed in range(3):
        task = Task(Puzzle(goal), tq.random_walk(goal, 30, seed), tq.IDAStar())
        for depth in range(27):
            for nodes in (None, 200):
                compare(replace(task, limits=Limits(nodes=nodes, depth=depth)))
    zero = replace(task, algorithm=as_search("idastar(zero)"), limits=Limits(depth=5))
    assert not Textbook().fits(zero)


@pytest.mark.parametrize("search", ["astar", "bidirectional", "mm", "nbs", "idastar"])
def test_every_2x3_board_has_the_solution_that_enumeration_finds(search: str) -> None:
    goal = tq.Goal.blank_last(2, 3)
    left = truth.distances([goal.cells], 2, 3)
    assert len(left) == 360
    for cells, moves in list(left.items())[::7]:
        result = solved(Task(Puzzle(goal), tq.Board(goal.grid, cells), as_search(search)))
        assert (result.cost, result.optimal) == (moves, True)


@pytest.mark.parametrize("search", ["astar(ties=lifo)", "wastar", "nbs", "mm"])
def test_ranks_and_tables_that_grow_change_nothing(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = tq.Goal.blank_last(3, 4)
    task = Task(Puzzle(goal), tq.random_board(goal, 2), as_search(search))
    usual = solved(task)
    monkeypatch.setattr(driver, "_FIRST_G", 4)
    monkeypatch.setattr(driver, "_LEAST_SLOTS", 32)
    monkeypatch.setattr(driver, "_RESERVES", False)
    grown = solved(task)
    assert (counted(grown.stats), grown.moves) == (counted(usual.stats), usual.moves)


@pytest.mark.parametrize("search", ["astar", "bidirectional", "nbs"])
def test_a_search_keeps_its_limit_on_memory(search: str) -> None:
    goal = tq.Goal.blank_last(4, 4)
    limits = Limits(memory=machine.process_memory() + (24 << 20))
    task = Task(Puzzle(goal), tq.random_board(goal, 3), as_search(search), limits)
    result = solved(task)
    assert (result.outcome, result.limit) == (Outcome.LIMIT_REACHED, Limit.MEMORY)
    # 24 bytes for each board, and some of the memory is for other things.
    assert 500_000 < (result.stats.enqueued or 0) <= (24 << 20) / 16
    assert result.lower_bound > 30 or search == "bidirectional"


@pytest.mark.slow
def test_korfs_counts_of_1985_come_out_exactly() -> None:
    puzzle = Puzzle(tq.Goal.blank_first(4, 4))
    easy = [
        (board, length, nodes)
        for board, (_, length, nodes, _) in truth.published("korf100.txt").values()
        if nodes < 3_000_000
    ]
    assert len(easy) == 16
    for board, length, nodes in easy:
        task = Task(puzzle, tq.Board(puzzle.grid, board), tq.IDAStar())
        result = solved(task, threads=2)
        found = (result.stats.generated or 0) - (result.stats.duplicates or 0) + 1
        assert (result.cost, found) == (length, nodes)


def test_a_named_search_that_it_does_not_know_is_left_to_the_glass_box() -> None:
    repeated = Task(Puzzle(tq.Goal.parse("a a / b 0")), tq.Board.parse("a a / 0 b"), tq.IDAStar())
    goal = tq.Goal.blank_last(4, 4)
    classic = Task(Puzzle(goal), tq.random_walk(goal, 9, 1), tq.IDAStar())
    others = [as_search(f"idastar({option})") for option in ("gaschnig", "duplicates=reached")]
    for task in (repeated, *(replace(classic, algorithm=search) for search in others)):
        assert not Textbook().fits(task)
        assert type(Auto().engine_for(task)) is not Textbook
    assert type(Auto().engine_for(classic)) is Textbook


def test_a_try_in_the_glass_box_adds_nothing_to_the_counts_of_a_named_search() -> None:
    # The glass box would need more nodes than a try has.
    start = "1 13 2 8 / 5 10 3 4 / 7 6 11 12 / 9 14 15 0"
    alone = tq.solve(start, algorithm="idastar", engine="textbook")
    tried = tq.solve(start, algorithm="idastar", engine=Auto(once=True))
    assert (alone.stats.generated or 0) > 10_000
    assert tried.engine.name == "textbook"
    assert counted(tried.stats) == counted(alone.stats)


@pytest.mark.parametrize("search", ["astar(manhattan)", "mm(manhattan)", "bidirectional"])
def test_a_search_leaves_no_memory_to_the_collector_of_garbage(search: str) -> None:
    gc.collect()
    gc.disable()
    try:
        tq.solve(tq.random_board(tq.Goal.blank_last(3, 3), 1), algorithm=search, engine="textbook")
        assert not [kept for kept in gc.get_objects() if isinstance(kept, StateTable)]
    finally:
        gc.enable()
