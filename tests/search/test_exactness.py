"""Every search that promises shortest solutions keeps its promise, with every heuristic.

The tests walk the registries, so that a new search or heuristic is covered without anyone
remembering. Truth comes from exhaustive enumeration.
"""

from __future__ import annotations

import tracemalloc
from functools import cache
from itertools import islice, permutations
from math import ceil, inf

import pytest

import taquin as tq
from taquin import ANY, Board, Goal, Grid, Limits, Outcome, Patterns, Puzzle, Result
from taquin.heuristics.registry import HEURISTICS
from taquin.model.space import Space
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import as_search, options_of
from taquin.search.run import Algorithm, unweighted
from tests import truth
from tests.glass import solve
from tests.puzzles import drawn

EIGHT = Puzzle(Goal.blank_last(3, 3))
LINEAR_MEMORY = {"ids", "idastar", "rbfs", "bts"}
BLIND = {"zero", "misplaced", "gaschnig", "inversion-distance", "euclidean", "chebyshev"}
"""Heuristics that leave A* too many of the 3×3 boards to look at for a quick test."""
STRONG = {"manhattan", "linear-conflict", "walking-distance", "patterns"}
"""Heuristics that bring every 3×3 board within the reach of a search in linear memory."""
WITH_ONE_SEARCH = {"corner-tiles", "last-moves", "euclidean", "chebyshev"}
"""Heuristics that only A* is tried with: the audit of all 3×3 boards proves their claims."""
WITH_ONE_HEURISTIC = {"mm", "nbs", "arastar", "peastar", "bts"}
"""Searches that are tried on deep boards and with other heuristics below."""


few_and_many = pytest.mark.parametrize("per_depth", [1, pytest.param(18, marks=pytest.mark.slow)])
"""How many 3×3 boards of each depth: over 500 of them in the long run."""


def admissible_heuristics() -> list[str]:
    space = Space(EIGHT, Board(EIGHT.grid, EIGHT.goal.cells))
    named: dict[str, str] = {}
    for name, heuristic in HEURISTICS.items():
        # Binding patterns builds tables, for which there is no folder while tests are collected.
        if isinstance(heuristic, Patterns) or heuristic.bind(space).admissible:
            named.setdefault(heuristic.name, name)
    return list(named.values())


def combinations() -> list[str]:
    found = []
    for name, entry in ALGORITHMS.items():
        if not entry().optimal:
            continue
        if name in WITH_ONE_HEURISTIC:
            found.append(f"{name}:manhattan")
        elif "heuristic" in options_of(name):
            found += [
                f"{name}:{heuristic}"
                for heuristic in admissible_heuristics()
                if name == "astar" or heuristic not in WITH_ONE_SEARCH
            ]
        else:
            found.append(name)
    return found


def make(combination: str) -> Algorithm:
    name, _, heuristic = combination.partition(":")
    return ALGORITHMS[name](**({"heuristic": HEURISTICS[heuristic]} if heuristic else {}))


def is_weak(combination: str) -> bool:
    """Tell whether deep 3×3 boards are out of a linear-memory search's reach."""
    name, _, heuristic = combination.partition(":")
    return name in LINEAR_MEMORY and heuristic not in STRONG


def is_blind(combination: str) -> bool:
    name, _, heuristic = combination.partition(":")
    return (heuristic or "zero") in BLIND and name != "bidirectional"


@cache
def spread_boards(per_depth: int) -> tuple[tuple[truth.Cells, int], ...]:
    """Return boards of 3×3 evenly over all depths, every board of the rarest depths included."""
    by_depth: dict[int, list[truth.Cells]] = {}
    for cells, depth in truth.eight_puzzle().items():
        by_depth.setdefault(depth, []).append(cells)
    chosen = []
    for depth, boards in sorted(by_depth.items()):
        step = max(1, len(boards) // per_depth)
        chosen += [(cells, depth) for cells in boards[::step][:per_depth]]
    assert {depth for _, depth in chosen} == set(range(32))
    return tuple(chosen)


def check_exact(result: Result, depth: int) -> None:
    assert result.outcome is Outcome.SOLVED
    assert result.cost == depth == result.lower_bound
    assert result.optimal
    assert len(result.boards()) == depth + 1


SMALL = ((2, 2), (2, 3), (3, 2))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("combination", combinations())
@pytest.mark.parametrize(
    ("rows", "columns", "is_whole"),
    [
        *((*grid, False) for grid in SMALL),
        *(pytest.param(*grid, True, marks=pytest.mark.slow) for grid in SMALL),
    ],
)
def test_an_optimal_search_is_exact_on_small_boards(
    combination: str, rows: int, columns: int, is_whole: bool
) -> None:
    # Searches in linear memory take long where they know little; 3×2 is 2×3, lying down.
    every = 1 if (rows, columns) == (2, 2) else 23 if is_weak(combination) or rows > columns else 3
    algorithm = make(combination)
    goal = Goal.blank_last(rows, columns)
    distances = truth.distances([goal.cells], rows, columns)
    boards = islice(permutations(range(rows * columns)), 0, None, 1 if is_whole else every)
    for cells in boards:
        result = solve(Puzzle(goal), Board(goal.grid, cells), algorithm)
        if cells in distances:
            check_exact(result, distances[cells])
        else:
            assert result.outcome is Outcome.UNSOLVABLE
            assert result.reason


@pytest.mark.sampled(5)
@few_and_many
@pytest.mark.parametrize(
    "combination",
    [
        each
        for each in combinations()
        if not is_blind(each)
        and not is_weak(each)
        and each.partition(":")[0] not in WITH_ONE_HEURISTIC
    ],
)
def test_an_informed_search_is_exact_on_boards_of_every_depth(
    combination: str, per_depth: int
) -> None:
    algorithm = make(combination)
    for cells, depth in spread_boards(per_depth):
        check_exact(solve(EIGHT, Board(EIGHT.grid, cells), algorithm), depth)


@pytest.mark.sampled(5)
@few_and_many
@pytest.mark.parametrize(
    "combination", [each for each in combinations() if is_blind(each) or is_weak(each)]
)
def test_a_blind_search_is_exact_or_stops_cleanly_on_boards_of_every_depth(
    combination: str, per_depth: int
) -> None:
    algorithm = make(combination)
    # In the long run a search that remembers boards is given all the nodes that it takes.
    limits = Limits(nodes=2_000 if per_depth == 1 or is_weak(combination) else None)
    outcomes = []
    for cells, depth in spread_boards(per_depth):
        result = solve(EIGHT, Board(EIGHT.grid, cells), algorithm, limits)
        if result.outcome is Outcome.SOLVED:
            check_exact(result, depth)
        else:
            assert result.outcome is Outcome.LIMIT_REACHED
            assert "limit of" in result.reason
            assert result.lower_bound <= depth <= (result.cost or depth)
        outcomes.append(result.outcome)
    assert outcomes.count(Outcome.SOLVED) > 4 * per_depth


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [name for name, entry in ALGORITHMS.items() if entry().exhaustive])
def test_an_exhaustive_search_proves_unsolvable_boards_by_itself(name: str) -> None:
    algorithm = ALGORITHMS[name]()
    assert algorithm.exhaustive
    goal = Goal.blank_last(2, 3)
    puzzle = Puzzle(goal)
    solvable = truth.distances([goal.cells], 2, 3)
    for cells in list(permutations(range(6)))[::7]:
        result = solve(puzzle, Board(goal.grid, cells), algorithm, check=False)
        expected = Outcome.SOLVED if cells in solvable else Outcome.UNSOLVABLE
        assert result.outcome is expected
        if expected is Outcome.UNSOLVABLE:
            assert "every reachable board" in result.reason


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_search_replays_and_reports_the_unsolvable_by_parity(name: str) -> None:
    algorithm = ALGORITHMS[name]()
    puzzle = Puzzle(Goal.blank_last(2, 3))
    result = solve(puzzle, Board.parse("4 1 2 / 5 3 0"), algorithm)
    assert result.outcome is Outcome.SOLVED
    assert result.cost is not None
    assert result.cost >= result.lower_bound
    assert puzzle.is_goal(result.boards()[-1])
    unsolvable = solve(EIGHT, Board.parse("1 2 3 / 4 5 6 / 8 7 0"), algorithm)
    assert unsolvable.outcome is Outcome.UNSOLVABLE
    assert unsolvable.moves is None


@pytest.mark.parametrize("name", [name for name, entry in ALGORITHMS.items() if entry().optimal])
def test_an_optimal_search_is_exact_with_names_repeats_walls_and_partial_goals(name: str) -> None:
    compared = 0
    for seed in range(60):
        puzzle = drawn(seed)
        # A search from both ends has to list the goals, and one in linear memory takes long.
        if puzzle.puzzle.goal.cells.count(ANY) < 5 and 0 < (puzzle.left or 1) < 12:
            result = solve(puzzle.puzzle, puzzle.start, ALGORITHMS[name]())
            if puzzle.left is None:
                assert result.outcome is Outcome.UNSOLVABLE
            else:
                check_exact(result, puzzle.left)
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("weight", [1.03, 1.1, 1.7, 2.3])
def test_a_weight_does_not_round_a_lower_bound_up(weight: float) -> None:
    assert all(ceil(unweighted(weight * h, weight)) == h for h in range(500))
    puzzle = Puzzle(Goal.blank_last(2, 3))
    exact = truth.distances([(1, 2, 3, 4, 5, 0)], 2, 3)
    for cells, moves in islice(exact.items(), 0, None, 7):
        board = Board(Grid(2, 3), cells)
        for name in ("wastar", "widastar"):
            search = as_search(f"{name}(manhattan, weight={weight})")
            assert (solve(puzzle, board, search).lower_bound or 0) <= moves


# --- searches with a paper and a loop of their own, and what each promises


PROMISES: dict[str, float] = {
    "mm(manhattan)": 1,
    "nbs(manhattan)": 1,
    "arastar(manhattan)": 1,
    "peastar(manhattan)": 1,
    "bts(manhattan)": 1,
    "wastar(manhattan, weight=1.5)": 1.5,
    "widastar(manhattan, weight=1.5)": 1.5,
    "focal(manhattan, weight=1.2)": 1.2,
    "astar(manhattan, goal_test=generation)": inf,
    "potential(manhattan, weight=1.2)": 1.2,
    "lrtastar(manhattan)": inf,
    "lss-lrtastar(manhattan)": inf,
    "hill-climbing(manhattan)": inf,
    "annealing(manhattan)": inf,
}
"""Searches, and how many times longer than a shortest solution theirs may be."""


def check(text: str, most: float, boards: list[tuple[truth.Cells, int]]) -> None:
    search = as_search(text)
    assert search.optimal is (most == 1)
    for cells, depth in boards:
        result = solve(EIGHT, Board(EIGHT.grid, cells), search)
        assert result.outcome is Outcome.SOLVED
        assert result.cost is not None
        assert result.cost == 0 if depth == 0 else depth <= result.cost <= most * depth
        assert result.lower_bound <= depth
        assert result.optimal or most > 1
        assert EIGHT.is_goal(result.boards()[-1])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", PROMISES)
def test_a_search_keeps_its_promise_on_boards_of_every_depth(text: str) -> None:
    # A search that promises no length takes longer, and has less to be checked.
    check(text, PROMISES[text], [*spread_boards(1)[:: 1 if PROMISES[text] < inf else 6]])


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text, most in PROMISES.items() if most < inf])
def test_a_search_keeps_its_promise_on_every_3x3_board(text: str) -> None:
    # With pattern tables it takes minutes, with Manhattan an hour.
    by_tables = text.replace("manhattan", "patterns")
    check(by_tables, PROMISES[text], [*truth.eight_puzzle().items()])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", ["mm", "nbs", "arastar", "peastar"])
@pytest.mark.parametrize("heuristic", ["zero", "patterns"])
def test_an_optimal_search_is_exact_with_weak_and_inconsistent_estimates(
    text: str, heuristic: str
) -> None:
    search = as_search(f"{text}({heuristic})")
    for cells, depth in spread_boards(1)[:24:4]:
        result = solve(EIGHT, Board(EIGHT.grid, cells), search)
        assert result.cost == result.lower_bound == depth


@pytest.mark.parametrize("name", ["mm", "nbs"])
def test_a_search_from_both_ends_refuses_an_estimate_that_knows_one_goal_only(name: str) -> None:
    def misplaced(board: Board) -> int:
        return sum(a != b for a, b in zip(board.cells, EIGHT.goal.cells, strict=True))

    with pytest.raises(tq.errors.UnsuitableError, match="misplaced supports one goal only; use"):
        tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=name, heuristic=misplaced)


def test_mm_never_expands_a_board_beyond_the_middle() -> None:
    for cells, depth in spread_boards(1)[:22:3]:
        for event in tq.trace(EIGHT, Board(EIGHT.grid, cells), "mm(manhattan)"):
            if isinstance(event, tq.events.Expanded):
                assert 2 * event.node.depth <= depth


@pytest.mark.parametrize("text", ["widastar(manhattan, weight=1)", "bts(manhattan)"])
def test_the_memory_of_a_deepening_search_is_linear_in_the_depth(text: str) -> None:
    search = as_search(text)
    # What is imported and cached does not count.
    solve(EIGHT, Board.parse("1 2 3 / 4 5 6 / 7 0 8"), search)
    tracemalloc.start()
    result = solve(EIGHT, Board.parse("8 6 7 / 2 5 4 / 3 0 1"), search)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (result.stats.expanded or 0) > 1_000
    assert peak < 200_000
