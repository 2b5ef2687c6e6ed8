"""The lower bound that is raised beside the beams: a complete search, never above the truth."""

from __future__ import annotations

from itertools import islice, pairwise
from random import Random

import pytest

import taquin as tq
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.proof import Proof, _Tree
from taquin.engine.anytime.puzzle_arrays import PuzzleArrays, turned_round
from taquin.engine.cpu.automaton import no_return
from taquin.engine.glass import estimate
from taquin.search.result import Limits, Outcome, Task
from tests import naive
from tests.engine.anytime import SIX, arrays_for, is_solved, random_puzzle
from tests.truth import Cells, distances, published


def puzzle_of(board: Cells, goal: tq.Goal) -> PuzzleArrays:
    return arrays_for(Task(tq.Puzzle(goal), tq.Board(goal.grid, board)))


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4), (4, 2)])
def test_bounds_rise_to_the_length_of_a_shortest_solution(rows: int, columns: int) -> None:
    chance = Random(rows)
    labels = list(range(rows * columns))
    chance.shuffle(labels)
    goal = tq.Goal(tq.Grid(rows, columns), tuple(labels))
    for board, truth in chance.sample(sorted(distances([goal.cells], rows, columns).items()), 60):
        puzzle = puzzle_of(board, goal)
        proof = Proof(puzzle)
        bounds = [proof.bound]
        while proof.solution is None and board != goal.cells:
            proof.search(10**9, lambda: True)
            bounds.append(proof.bound)
        assert bounds[-1] == truth
        assert all(two - one in (0, 2) for one, two in pairwise(bounds))
        assert len(proof.solution or b"") == truth
        assert is_solved(puzzle, proof.solution or b"")


@pytest.mark.parametrize("seed", range(3))
def test_a_bound_without_a_solution_has_the_nodes_of_its_definition(seed: int) -> None:
    goal = tq.Goal.blank_last(3, 4)
    board = tuple(map(int, tq.random_board(goal, seed).cells))
    tree = _Tree(puzzle_of(board, goal))
    for bound in range(tree.estimate, tree.estimate + 6, 2):
        tree.begin(bound)
        assert tree.search(10**9) == b""
        nodes = naive.bound_nodes(
            *(3, 4, board, bound),
            lambda cells: naive.linear_conflict(cells, goal.cells, 4),
            no_return(),
        )
        assert tree.nodes == nodes


def test_a_search_in_slices_is_the_search_in_one_go() -> None:
    puzzle = random_puzzle(6, 6, 1)
    whole, slices = _Tree(turned_round(puzzle)), _Tree(turned_round(puzzle))
    whole.begin(whole.estimate + 8)
    slices.begin(whole.estimate + 8)
    assert whole.search(10**9) == b""
    while slices.search(7) is None:
        pass
    assert slices.nodes == whole.nodes > 10_000
    # A proof ends at once when asked to.
    proof = Proof(puzzle)
    proof.search(10**9, lambda: False)
    assert (proof.nodes, proof.bound) == (0, 142)


def test_the_bound_of_a_24_puzzle_rises_but_not_above_its_optimum() -> None:
    goal = tq.Goal.blank_first(5, 5)
    for board, (optimum, *_) in islice(published("korf50_24.txt").values(), 10):
        task = Task(tq.Puzzle(goal), tq.Board(goal.grid, board))
        proof = Proof(puzzle_of(board, goal))
        assert proof.bound == estimate(task)
        while proof.nodes < 300_000:
            proof.search(100_000, lambda: True)
        assert estimate(task) + 4 <= proof.bound <= optimum
        assert (optimum - proof.bound) % 2 == 0


def test_a_factor_that_the_estimate_does_not_prove_is_proven_by_the_search() -> None:
    limits = Limits(nodes=3_000_000)
    known = tq.solve(SIX, algorithm=Anytime(threads=1), limits=limits)
    least = estimate(Task(known.puzzle, SIX))
    assert known.outcome is Outcome.SOLVED
    assert not known.optimal
    assert known.cost is not None
    assert least + 6 <= known.lower_bound <= known.cost
    # The same search comes upon this cost and this bound again, and may end there.
    within = known.cost / known.lower_bound + 1e-9
    result = tq.solve(SIX, algorithm=Anytime(threads=1, within=within), limits=limits)
    assert result.outcome is Outcome.SOLVED
    assert result.cost is not None
    assert within * least < result.cost <= within * result.lower_bound


def test_a_search_ends_at_its_limit_on_nodes_or_as_soon_as_its_solution_is_proven() -> None:
    hard = tq.Board("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")
    engine = Anytime(threads=1)
    cut = tq.solve(hard, tq.Goal.blank_first(4, 4), algorithm=engine, limits=Limits(nodes=20_000))
    # A good solution is all that was asked for.
    assert (cut.outcome, cut.limit) == (Outcome.SOLVED, None)
    assert cut.cost is not None
    assert (cut.stats.generated or 0) <= 20_000
    assert cut.lower_bound <= 57 < cut.cost
    easy = tq.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15")
    done = tq.solve(easy, algorithm=engine, limits=Limits(nodes=20_000))
    assert (done.outcome, done.cost, done.lower_bound) == (Outcome.SOLVED, 1, 1)
    assert (done.stats.generated or 0) < 1_000
