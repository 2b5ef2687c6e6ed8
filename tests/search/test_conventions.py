"""What the conventions change, and the published counts they reproduce."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.errors import UnsuitableError
from taquin.heuristics.misplaced import Misplaced
from taquin.heuristics.own import FromFunction
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
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
from taquin.search.conventions import Conventions, Duplicates, GoalTest, Ties
from taquin.search.options import search_from_options
from taquin.search.result import Limits
from tests import truth
from tests.glass import solve

EIGHT = Puzzle(Goal.blank_last(3, 3))
PUZZLE04 = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
START = Board.parse("8 1 3 / 4 0 2 / 7 6 5")


@pytest.mark.parametrize(
    ("duplicates", "enqueued"), [(Duplicates.PARENT, 10), (Duplicates.NONE, 13)]
)
def test_s4_counts_of_states_enqueued_for_puzzle04(duplicates: Duplicates, enqueued: int) -> None:
    result = solve(EIGHT, PUZZLE04, AStar(conventions=Conventions(duplicates=duplicates)))
    assert result.cost == 4
    assert result.stats.enqueued == enqueued


def korf_instance(number: int) -> tuple[Board, int, int]:
    data = Path(__file__).parents[1] / "data" / "korf100.txt"
    for line in data.read_text().splitlines():
        words = line.split()
        if words and words[0] == str(number):
            values = [int(word) for word in words]
            return (
                Board.of_rows([values[start : start + 4] for start in (1, 5, 9, 13)]),
                values[18],
                values[19],
            )
    raise AssertionError(f"no instance {number}")


@pytest.mark.parametrize(
    "number",
    [79, pytest.param(12, marks=pytest.mark.slow), pytest.param(42, marks=pytest.mark.slow)],
)
def test_ida_star_generates_exactly_the_nodes_of_korf_1985(number: int) -> None:
    board, length, nodes = korf_instance(number)
    result = solve(Puzzle(Goal.blank_first(4, 4)), board, IDAStar())
    assert result.cost == length
    assert result.optimal
    # Korf counts the root, and not the move that takes the last one back.
    made, back = result.stats.generated, result.stats.duplicates
    assert made is not None
    assert back is not None
    assert made - back + 1 == nodes


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


def test_counts_differ_between_conventions_and_agree_on_the_cost() -> None:
    counts = {
        duplicates: solve(
            EIGHT, START, BreadthFirst(Conventions(duplicates=duplicates))
        ).stats.enqueued
        or 0
        for duplicates in (Duplicates.REACHED, Duplicates.CLOSED, Duplicates.DEQUEUE)
    }
    assert counts[Duplicates.REACHED] < counts[Duplicates.CLOSED] < counts[Duplicates.DEQUEUE]


def test_testing_on_generation_saves_breadth_first_search_its_last_level() -> None:
    late = solve(EIGHT, START, BreadthFirst())
    early = solve(EIGHT, START, BreadthFirst(Conventions(goal_test=GoalTest.GENERATION)))
    assert early.cost == late.cost
    assert early.optimal
    assert (early.stats.expanded or 0) < (late.stats.expanded or 0)


def test_testing_on_generation_makes_a_star_claim_only_what_is_proven() -> None:
    algorithm = AStar(conventions=Conventions(goal_test=GoalTest.GENERATION))
    assert not algorithm.optimal
    for cells, depth in list(truth.eight_puzzle().items())[::9000]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), algorithm)
        assert result.cost is not None
        assert result.lower_bound <= depth <= result.cost


def test_an_inadmissible_heuristic_is_never_called_optimal() -> None:
    def triple(board: Board) -> int:
        return 3 * sum(label not in (0, cell + 1) for cell, label in enumerate(board.cells))

    for name in ("astar", "idastar", "rbfs"):
        algorithm = search_from_options(name, {"heuristic": FromFunction(triple)})
        for cells, depth in list(truth.eight_puzzle().items())[:60000:6000]:
            result = solve(EIGHT, Board(EIGHT.grid, cells), algorithm, Limits(nodes=20_000))
            assert result.lower_bound <= depth
            assert not result.optimal or result.cost == depth


def test_boards_are_reopened_when_an_inconsistent_heuristic_misleads() -> None:
    """An estimate that is exact on some boards and 0 on others is admissible, not consistent."""
    exact = truth.eight_puzzle()

    def patchy(board: Board) -> int:
        return exact[board.cells] if hash(board.cells) % 3 == 0 else 0

    heuristic = FromFunction(patchy, admissible=True)
    reopened = 0
    for cells, depth in list(exact.items())[5000:60000:6000]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), AStar(heuristic))
        assert result.cost == depth
        assert result.optimal
        reopened += result.stats.reopened or 0
    assert reopened > 0


def test_a_seed_fixes_the_random_order_of_depth_first_search() -> None:
    puzzle, start = Puzzle(Goal.blank_last(2, 3)), Board.parse("4 1 2 / 5 3 0")
    counts = [solve(puzzle, start, DepthFirst(seed=seed)).stats.expanded for seed in (1, 1, 2, 3)]
    assert counts[0] == counts[1]
    assert len(set(counts)) > 1


def test_iterative_deepening_with_a_table_of_reached_boards_is_exact() -> None:
    algorithm = IterativeDeepening(conventions=Conventions(Duplicates.REACHED))
    for cells, depth in list(truth.eight_puzzle().items())[:8000:900]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), algorithm)
        assert result.cost == depth
        assert result.optimal


def test_algorithms_print_what_makes_them_differ() -> None:
    assert str(AStar()) == "astar(manhattan)"
    assert str(AStar(Misplaced(), weight=2)) == "wastar(misplaced, weight=2)"
    parent = Conventions(duplicates=Duplicates.PARENT, ties=Ties.LOW_H)
    assert str(AStar(conventions=parent)) == "astar(manhattan, duplicates=parent, ties=low-h)"
    assert str(BreadthFirst()) == "bfs"
    assert AStar() == AStar()
    assert len({AStar(), AStar(), AStar(weight=2)}) == 2


def test_conventions_an_algorithm_cannot_follow_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="rbfs cannot do duplicates 'reached'"):
        RecursiveBestFirst(conventions=Conventions(Duplicates.REACHED))
    with pytest.raises(UnsuitableError, match="bidirectional cannot do duplicates"):
        Bidirectional(Conventions(duplicates=Duplicates.NONE))
    with pytest.raises(UnsuitableError, match="on dequeue"):
        BreadthFirst(Conventions(bumps=True))


def test_options_an_algorithm_has_no_use_for_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="bfs has no use for weight"):
        search_from_options("bfs", {"weight": 2})
    with pytest.raises(UnsuitableError, match="Did you mean astar"):
        search_from_options("astra", {})
    with pytest.raises(UnsuitableError, match="weight must be 1 or more"):
        search_from_options("wastar", {"weight": 0.5})
    with pytest.raises(UnsuitableError, match="width of a beam"):
        search_from_options("beam", {"width": 0})


def test_names_in_the_registry_are_the_names_of_the_values() -> None:
    for name, entry in ALGORITHMS.items():
        assert name in (entry().name, "wastar")
        assert entry.__doc__


def test_weighted_a_star_stays_within_its_promise() -> None:
    for cells, depth in list(truth.eight_puzzle().items())[::15000]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), AStar(weight=1.5))
        assert result.cost is not None
        assert depth <= result.cost <= 1.5 * depth
        assert result.lower_bound <= depth


def test_a_bidirectional_search_needs_goals_it_can_list() -> None:
    cells = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 _"
    puzzle = Puzzle(Goal.parse("1 * * * / * * * * / * * * * / * * * *"))
    with pytest.raises(UnsuitableError, match="boards meet this goal"):
        solve(puzzle, Board.parse(cells), Bidirectional(), Limits(nodes=10))
