"""What a search claims when user code had a part in it, against exhaustive truth."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

import taquin as tq
from taquin.errors import UserCodeError
from taquin.heuristics.base import Estimate
from taquin.heuristics.user_code import user_part
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import Duplicates, GoalTest
from taquin.search.grammar import options_of
from taquin.search.run import Exhausted, Found, Loop, Run
from taquin.system.formatting import counted

HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""Its shortest solutions have 31 moves, and its Manhattan distance is 21."""
GOAL: tuple[int, ...] = (1, 2, 3, 4, 5, 0)


@cache
def _truth() -> dict[tuple[int, ...], int]:
    """Return the distance of every solvable board of 2×3, by breadth-first search over tuples."""
    distances, queue = {GOAL: 0}, deque([GOAL])
    while queue:
        cells = queue.popleft()
        blank = cells.index(0)
        for other in range(6):
            if abs(other // 3 - blank // 3) + abs(other % 3 - blank % 3) == 1:
                swapped = list(cells)
                swapped[blank], swapped[other] = swapped[other], 0
                if tuple(swapped) not in distances:
                    distances[tuple(swapped)] = distances[cells] + 1
                    queue.append(tuple(swapped))
    return distances


def _boards() -> list[tuple[tq.Board, int]]:
    """Return a near, a middling and a far board with their distances."""
    some = {distance: cells for cells, distance in _truth().items() if distance in (4, 11, 20)}
    grid = tq.Board("1 2 3 / 4 5 0").grid
    return [(tq.Board(grid, cells), distance) for distance, cells in some.items()]


def manhattan(board: tq.Board) -> int:
    """Return the Manhattan distance of a board with three columns; the goal is blank-last."""
    return sum(
        abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        for cell, tile in enumerate(board.cells)
        if isinstance(tile, int) and tile
    )


@dataclass(frozen=True)
class Scaled:
    """The Manhattan distance times a factor, plus a constant, as a class of the user's."""

    factor: int
    more: int = 0
    claims: bool = True
    name = "scaled"
    counts_tile_steps = True

    def bind(self, space: Any) -> Estimate:
        value = tq.Manhattan().bind(space).value
        return Estimate(
            lambda state: self.factor * value(state) + self.more,
            admissible=self.claims,
            consistent=self.claims,
        )


def _heuristics() -> Iterator[tuple[Any, bool]]:
    """Yield heuristics in user code, each with whether it is admissible."""
    for claims in (True, False):
        yield Scaled(3, claims=claims), False
        yield Scaled(1, 4, claims), False
        yield Scaled(1, claims=claims), True
    yield tq.Maximum(Scaled(3), tq.Manhattan()), False
    yield tq.Maximum(Scaled(1), tq.Misplaced()), True
    yield tq.Sum(Scaled(1), tq.Manhattan()), False


def _searches(heuristic: Any) -> Iterator[Any]:
    """Yield every search that takes a heuristic, with the conventions that its proofs rest on."""
    for name, make in ALGORITHMS.items():
        search: Any = make()
        # MM and NBS reject a heuristic that is not 0 at the goal.
        is_rejected = getattr(search, "from_both_ends", False) and getattr(heuristic, "more", 0)
        if "heuristic" in options_of(name) and not is_rejected:
            yield replace(search, heuristic=heuristic)
    yield tq.AStar(heuristic, conventions=tq.Conventions(duplicates=Duplicates.CLOSED))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("limits", "least"),
    [(tq.Limits(nodes=900), 50), (tq.Limits(nodes=40), 0), (tq.Limits(nodes=900, depth=9), 0)],
)
def test_no_search_calls_a_solution_optimal_because_user_code_says_so(
    limits: tq.Limits, least: int
) -> None:
    claims = 0
    for heuristic, is_admissible in _heuristics():
        for search in _searches(heuristic):
            for board, distance in _boards():
                result = tq.solve(board, algorithm=search, limits=limits)
                case = f"{search} on {board.text()}, {heuristic}"
                assert result.lower_bound <= distance, case
                assert result.optimal == (result.cost == result.lower_bound), case
                assert not result.optimal or result.cost == distance, case
                if result.assumes:
                    claims += 1
                    assert result.assumes.startswith("scaled is admissible"), case
                    assert result.cost == distance or not is_admissible, case
    assert claims >= least


def test_a_flag_is_reported_as_an_assumption_and_a_lie_as_one() -> None:
    lie = tq.FromFunction(lambda board: 3 * manhattan(board), "lie", admissible=True)
    result = tq.solve(HARD, algorithm=tq.AStar(lie))
    assert result.cost is not None
    assert result.cost > 31
    assert (result.optimal, result.lower_bound, result.estimate) == (False, 21, 63)
    assert result.assumes == "lie is admissible"
    said = f"Solved in {counted(result.cost, 'move')}; optimal if lie is admissible, which is false"
    assert str(result).startswith(f"{said} (63 > {result.cost} here).")
    fair = tq.FromFunction(manhattan, "fair", admissible=True)
    result = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=tq.IDAStar(fair))
    assert (result.cost, result.optimal, result.lower_bound) == (14, False, 10)
    assert str(result).startswith("Solved in 14 moves; optimal if fair is admissible.\n")


def test_the_part_that_is_user_code_is_named() -> None:
    fair = tq.FromFunction(lambda board: 0, "fair")
    other = tq.FromFunction(lambda board: 0, "other")
    assert user_part(tq.Maximum(tq.Manhattan(), tq.Misplaced())) == ""
    assert user_part(tq.Maximum(tq.Manhattan(), fair)) == "fair"
    assert user_part(tq.Maximum(tq.Maximum(other), fair)) == "max(max(other), fair)"
    assert user_part(None) == ""


@dataclass(frozen=True)
class Liar:
    """A loop of the user's that claims a bound, or that there is no solution."""

    bound: float | None
    name = "liar"
    heuristic = None
    conventions = tq.AStar().conventions
    optimal = True
    exhaustive = True
    cap = None

    def loop(self, run: Run) -> Loop:
        yield None
        if self.bound is None:
            return Exhausted(complete=True)
        run.counters.bound = self.bound
        path = [tq.Board("1 2 3 / 4 0 5"), tq.Board("1 2 3 / 0 4 5"), tq.Board("1 2 3 / 4 0 5")]
        path.append(tq.Board("1 2 3 / 4 5 0"))
        return Found([run.space.encode(board) for board in path])


def test_a_loop_of_the_users_proves_neither_a_bound_nor_that_there_is_no_solution() -> None:
    result = tq.solve("1 2 3 / 4 0 5", algorithm=Liar(3))
    assert (result.cost, result.lower_bound, result.optimal) == (3, 1, False)
    assert result.assumes == "liar is correct"
    with pytest.raises(UserCodeError, match=r"liar says .* in vain, but 1 2 3 / 4 0 5 has a sol"):
        tq.solve("1 2 3 / 4 0 5", algorithm=Liar(None))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_deepest_board_is_the_deepest_dequeued_or_the_goal(name: str) -> None:
    search: Any = ALGORITHMS[name]()
    searches = [search]
    if "goal_test" not in search.unsupported:
        on_generation = tq.Conventions(goal_test=GoalTest.GENERATION).over(search.conventions)
        searches.append(replace(search, conventions=on_generation))
    for each in searches:
        for limits in (tq.Limits(nodes=2000), tq.Limits(nodes=30)):
            deepest, stats = 0, None
            for event in tq.trace("4 1 2 / 5 0 3", algorithm=each, limits=limits):
                if isinstance(event, tq.Expanded | tq.Discarded | tq.GoalFound):
                    deepest = max(deepest, event.node.depth)
                elif isinstance(event, tq.Generated) and event.fate is tq.Fate.LIMIT:
                    # A board at the limit is visited, and not expanded.
                    deepest = max(deepest, event.node.depth)
                elif isinstance(event, tq.Finished):
                    stats = event.result.stats
            assert stats is not None
            assert stats.max_depth == deepest, (str(each), limits)


def test_the_depth_of_a_function_includes_its_solution() -> None:
    def counted(board: tq.Board) -> str:
        return "LL" if board.moves() else ""

    result = tq.solve("1 2 3 / 0 4 5", algorithm=counted)
    assert (result.cost, result.stats.max_depth) == (2, 2)
    uncounted = tq.solve("1 2 3 / 0 4 5", algorithm=lambda board: "LL")
    assert (uncounted.cost, uncounted.stats.max_depth) == (2, None)
