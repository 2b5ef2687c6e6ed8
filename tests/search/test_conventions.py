"""What the conventions change, and the published counts they reproduce."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taquin as tq
from taquin import Board, FromFunction, Goal, Misplaced, Puzzle
from taquin.errors import UnsuitableError
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    Bidirectional,
    BreadthFirst,
    DepthFirst,
    IDAStar,
    IterativeDeepening,
    RecursiveBestFirst,
)
from taquin.search.best_first import frontier_for
from taquin.search.events import Entry
from taquin.search.grammar import search_from_options
from taquin.search.result import Count, Limit, Limits, Stats
from taquin.search.run import Conventions, Duplicates, GoalTest, LimitTest, Ties
from tests import naive, truth
from tests.glass import solve

EIGHT = Puzzle(Goal.blank_last(3, 3))
PUZZLE04 = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
START = Board.parse("8 1 3 / 4 0 2 / 7 6 5")


def test_ida_star_generates_exactly_the_nodes_of_korf_1985() -> None:
    cells, (_, length, nodes, _) = truth.published("korf100.txt")[79]
    puzzle = Puzzle(Goal.blank_first(4, 4))
    result = solve(puzzle, Board(puzzle.grid, cells), IDAStar())
    assert result.cost == length
    assert result.optimal
    # Korf counts the root, and not the move that takes the last one back.
    assert (result.stats.generated or 0) - (result.stats.duplicates or 0) + 1 == nodes


@pytest.mark.parametrize(
    "duplicates", [way for way in Duplicates if way is not Duplicates.GENERATED]
)
@pytest.mark.parametrize("ties", Ties)
def test_a_star_is_exact_under_every_way_to_treat_duplicates_and_ties(
    duplicates: Duplicates, ties: Ties
) -> None:
    algorithm = AStar(conventions=Conventions(duplicates=duplicates, ties=ties))
    result = solve(EIGHT, START, algorithm)
    assert result.cost == truth.eight_puzzle()[START.cells]
    assert result.optimal
    result.boards()


def test_conventions_change_the_counts_of_breadth_first_search_and_not_its_cost() -> None:
    enqueued = [
        solve(EIGHT, START, BreadthFirst(Conventions(duplicates=duplicates))).stats.enqueued or 0
        for duplicates in (Duplicates.REACHED, Duplicates.CLOSED, Duplicates.DEQUEUE)
    ]
    assert enqueued == sorted(set(enqueued))
    # Testing on generation saves the last level.
    late = solve(EIGHT, START, BreadthFirst())
    early = solve(EIGHT, START, BreadthFirst(Conventions(goal_test=GoalTest.GENERATION)))
    assert (early.cost, early.optimal) == (late.cost, True)
    assert (early.stats.expanded or 0) < (late.stats.expanded or 0)


def test_boards_are_reopened_when_an_inconsistent_heuristic_misleads() -> None:
    """An estimate that is exact on some boards and 0 on others is admissible, not consistent."""
    exact = truth.eight_puzzle()

    def patchy(board: Board) -> int:
        return exact[board.cells] if hash(board.cells) % 3 == 0 else 0

    heuristic = FromFunction(patchy, admissible=True)
    reopened = updated = 0
    for cells, depth in list(exact.items())[5000:60000:6000]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), AStar(heuristic))
        assert result.cost == depth
        assert result.assumes == "patchy is admissible" or result.optimal
        twin = naive.a_star(
            cells, EIGHT.goal.cells, 3, lambda other: patchy(Board(EIGHT.grid, other))
        )
        assert (result.stats.reopened, result.stats.updated) == (twin["reopened"], twin["updated"])
        reopened, updated = reopened + twin["reopened"], updated + twin["updated"]
    assert reopened > 0
    assert updated > 0


TEN = [tq.random_board("3x3", seed=seed) for seed in range(1, 11)]
GOAL = EIGHT.goal.cells


def test_a_star_breaks_ties_by_low_h_then_first_come_first_out() -> None:
    expanded = 0
    for board in TEN:
        stats = solve(EIGHT, board, AStar()).stats
        twin = naive.a_star(board.cells, GOAL, 3, lambda other: naive.manhattan(other, GOAL, 3))
        # By a consistent estimate, no closed board is ever reached by a cheaper path.
        assert twin["reopened"] == 0
        assert {name: getattr(stats, name) for name in twin if name != "cost"} == {
            name: number for name, number in twin.items() if name != "cost"
        }
        expanded += twin["expanded"]
    assert expanded == 4794


def test_searches_by_f_break_ties_by_low_h_unless_told_otherwise() -> None:
    for name in ("astar", "wastar", "peastar"):
        assert search_from_options(name, {}).conventions.ties is Ties.LOW_H
        assert "ties=fifo" in str(search_from_options(name, {"ties": "fifo"}))
        assert "ties" not in str(search_from_options(name, {"ties": "low-h"}))


def test_iterative_deepening_does_not_expand_boards_at_the_limit() -> None:
    late = Conventions(limit_test=LimitTest.GENERATION)
    for cells, depth in [*list(truth.eight_puzzle().items())[:3000:500], (START.cells, 14)]:
        board = Board(EIGHT.grid, cells)
        stats = solve(EIGHT, board, IterativeDeepening()).stats
        assert (depth, stats.expanded, stats.dequeued) == naive.iterative_deepening(cells, GOAL, 3)
        after = solve(EIGHT, board, IterativeDeepening(conventions=late)).stats
        # Both visit the same boards; those at the limit are expanded too, but for the goal.
        assert after.dequeued == stats.dequeued
        assert after.expanded == (after.dequeued or 0) - 1
    assert (stats.expanded, after.expanded) == (12_261, 21_511)


@pytest.mark.parametrize("limit", [0, 2, 6, 12])
def test_depth_limited_search_does_not_expand_boards_at_the_limit(limit: int) -> None:
    parent = Conventions(Duplicates.PARENT)
    _, expanded, visited = naive.depth_limited(START.cells, GOAL, 3, limit)
    results = [solve(EIGHT, START, DepthFirst(max_depth=limit, conventions=parent))]
    if limit:
        free = DepthFirst(conventions=parent)
        results.append(solve(EIGHT, START, free, Limits(depth=limit)))
    for result in results:
        assert result.limit is Limit.DEPTH
        assert (result.stats.expanded, result.stats.dequeued) == (expanded, visited)


def test_depth_first_search_that_generates_all_successors_counts_its_stack() -> None:
    algorithm = DepthFirst(conventions=Conventions(Duplicates.GENERATED))
    goal = Goal.blank_last(2, 3)
    for cells in list(truth.distances([goal.cells], 2, 3))[::40]:
        stats = solve(Puzzle(goal), Board(goal.grid, cells), algorithm).stats
        twin = naive.stack_search(cells, goal.cells, 3)
        assert {name: getattr(stats, name) for name in twin} == twin
    corner = Board.parse("1 2 3 / 4 0 6 / 7 5 8")
    first = solve(EIGHT, corner, algorithm, Limits(nodes=1, counting=Count.EXPANDED)).stats
    assert (first.generated, first.enqueued, first.max_frontier) == (4, 5, 4)


@pytest.mark.slow
def test_necessary_expansions_are_those_before_the_bound_reaches_the_cost() -> None:
    """Every front-to-end search makes at least the fewest possible, and NBS at most twice those."""
    for cells, depth in list(truth.eight_puzzle().items())[9_000:30_000:8000]:
        board = Board(EIGHT.grid, cells)
        least = naive.least_necessary(cells, GOAL, 3, depth)
        found = {
            name: solve(EIGHT, board, search_from_options(name, {})).stats
            for name in ("astar", "mm", "nbs")
        }
        for stats in found.values():
            assert stats.necessary is not None
            assert least <= stats.necessary <= (stats.expanded or 0)
        assert (found["nbs"].necessary or 0) <= 2 * least
        # Without estimates every board nearer than the level before the last is necessary.
        levels = solve(EIGHT, board, Bidirectional()).stats
        assert least <= (levels.necessary or 0) < (levels.expanded or 0)


def test_necessary_expansions_are_counted_only_where_a_shortest_solution_is_proven() -> None:
    for algorithm in (AStar(weight=5), IDAStar(), DepthFirst(), RecursiveBestFirst()):
        assert solve(EIGHT, START, algorithm, Limits(nodes=5_000)).stats.necessary is None
    assert solve(EIGHT, START, AStar(), Limits(nodes=20)).stats.necessary is None
    assert solve(EIGHT, START, BreadthFirst()).stats.necessary == sum(
        depth < 14 for depth in truth.distances([START.cells], 3, 3).values()
    )


def test_iterative_deepening_with_a_table_of_reached_boards_is_exact() -> None:
    algorithm = IterativeDeepening(conventions=Conventions(Duplicates.REACHED))
    for cells, depth in list(truth.eight_puzzle().items())[:8000:900]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), algorithm)
        assert (result.cost, result.optimal) == (depth, True)


def test_a_seed_fixes_the_random_order_of_depth_first_search() -> None:
    puzzle, start = Puzzle(Goal.blank_last(2, 3)), Board.parse("4 1 2 / 5 3 0")
    one, same, *others = (
        solve(puzzle, start, DepthFirst(seed=seed)).stats.expanded for seed in (1, 1, 2, 3)
    )
    assert one == same
    assert {one} != {one, *others}


def test_algorithms_print_what_makes_them_differ_and_have_the_names_of_the_registry() -> None:
    parent = Conventions(duplicates=Duplicates.PARENT, ties=Ties.LIFO)
    printed = {
        AStar(): "astar(manhattan)",
        AStar(Misplaced(), weight=2): "wastar(misplaced, weight=2)",
        AStar(conventions=parent): "astar(manhattan, duplicates=parent, ties=lifo)",
        BreadthFirst(): "bfs",
    }
    assert {search: str(search) for search in printed} == printed
    assert len({AStar(), AStar(), AStar(weight=2)}) == 2
    for name, entry in ALGORITHMS.items():
        assert name in (entry().name, "wastar")
        assert entry.__doc__


def test_conventions_and_goals_that_an_algorithm_cannot_follow_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="rbfs does not support duplicates 'reached'"):
        RecursiveBestFirst(conventions=Conventions(Duplicates.REACHED))
    with pytest.raises(UnsuitableError, match="bidirectional does not support duplicates"):
        Bidirectional(Conventions(duplicates=Duplicates.NONE))
    with pytest.raises(UnsuitableError, match="duplicates=dequeue"):
        BreadthFirst(Conventions(bumps=True))
    cells = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 _"
    puzzle = Puzzle(Goal.parse("1 * * * / * * * * / * * * * / * * * *"))
    with pytest.raises(UnsuitableError, match="boards meet this goal"):
        solve(puzzle, Board.parse(cells), Bidirectional(), Limits(nodes=10))


BOARDS = ("1 2 3 / 4 0 5 / 7 8 6", "4 5 0 / 1 2 3", "4 1 2 / 0 5 3")
VALUES: dict[str, tuple[Any, ...]] = {"ties": tuple(Ties), "goal_test": tuple(GoalTest)}


def counts(name: str, board: str, **convention: Any) -> tuple[object, ...]:
    """Return all that is counted when a search runs with one convention changed by force."""
    # A wide beam prunes nothing on a small board.
    search = search_from_options(name, {"width": 4} if name == "beam" else {})
    object.__setattr__(search, "conventions", replace(search.conventions, **convention))
    start = Board.parse(board)
    puzzle = Puzzle(Goal.blank_last(start.grid.rows, start.grid.columns))
    stats: Stats = replace(
        solve(puzzle, start, search).stats, seconds=0, cpu_seconds=0, peak_memory=0
    )
    return astuple(stats)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("convention", VALUES)
def test_exactly_the_conventions_that_make_a_difference_can_be_chosen(
    name: str, convention: str
) -> None:
    differs = any(
        len({counts(name, board, **{convention: value}) for value in VALUES[convention]}) > 1
        for board in BOARDS
    )
    assert differs is (convention not in getattr(search_from_options(name, {}), "unsupported", ()))


@pytest.mark.parametrize("board", BOARDS)
def test_a_beam_knows_only_the_ties_that_differ(board: str) -> None:
    first_in, *others = (counts("beam", board, ties=ties) for ties in (Ties.FIFO, *Ties))
    known = ALGORITHMS["beam"]().supported["ties"]  # type: ignore[attr-defined]
    for ties, found in zip(Ties, others, strict=True):
        assert ties in known or found == first_in


Item = tuple[int, int, int]
"""Priority, estimate, serial number."""

operations = st.lists(
    st.one_of(st.none(), st.tuples(st.integers(0, 6), st.integers(0, 3))), max_size=120
)


class LibstdcxxHeap:
    """std::push_heap and std::pop_heap with `greater`, transcribed step by step from their
    specification in libstdc++ (hole, adjust, push back up)."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def push(self, item: Item) -> None:
        self.items.append(item)
        self.push_heap(len(self.items) - 1, 0, item)

    def push_heap(self, hole: int, top: int, item: Item) -> None:
        parent = (hole - 1) // 2
        while hole > top and self.items[parent][0] > item[0]:
            self.items[hole] = self.items[parent]
            hole = parent
            parent = (hole - 1) // 2
        self.items[hole] = item

    def pop(self) -> Item:
        first, last = self.items[0], self.items.pop()
        length = len(self.items)
        if length:
            hole = second = 0
            while second < (length - 1) // 2:
                second = 2 * (second + 1)
                if self.items[second][0] > self.items[second - 1][0]:
                    second -= 1
                self.items[hole] = self.items[second]
                hole = second
            if length % 2 == 0 and second == (length - 2) // 2:
                second = 2 * (second + 1)
                self.items[hole] = self.items[second - 1]
                hole = second - 1
            self.push_heap(hole, 0, last)
        return first


class SortedItems:
    """Items that come out by a key, the least first."""

    def __init__(self, key: Callable[[Item], tuple[int, ...]]) -> None:
        self.items, self.key = list[Item](), key

    def push(self, item: Item) -> None:
        self.items.append(item)
        self.items.sort(key=self.key)

    def pop(self) -> Item:
        return self.items.pop(0)


NAIVE: dict[Ties, Callable[[], SortedItems | LibstdcxxHeap]] = {
    Ties.FIFO: lambda: SortedItems(lambda item: (item[0], item[2])),
    Ties.LIFO: lambda: SortedItems(lambda item: (item[0], -item[2])),
    Ties.LOW_H: lambda: SortedItems(lambda item: item),
    Ties.HEAP: LibstdcxxHeap,
}


@pytest.mark.parametrize("ties", Ties)
@given(operations=operations)
def test_entries_come_out_in_the_order_of_their_definition(
    ties: Ties, operations: list[tuple[int, int] | None]
) -> None:
    frontier, naive = frontier_for(ties), NAIVE[ties]()
    for serial, operation in enumerate(operations):
        if operation is not None:
            item = (*operation, serial)
            naive.push(item)
            frontier.push(*operation, cast(Entry, item))
        elif naive.items:
            assert frontier.lowest() == naive.items[0][0]
            assert cast(Item, frontier.pop()) == naive.pop()
