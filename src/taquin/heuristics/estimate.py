"""Estimates of a heuristic, given in any form, for one board, many boards, or each tile.

    8 1 3        estimate("manhattan", board)                 10
    4 _ 2        estimate_by_tile("manhattan", board)         1: 1  2: 2  3: 0  4: 0
    7 6 5                                                     5: 2  6: 2  7: 0  8: 3

The share of a tile is the estimate for a goal that names only that tile, with ANY in all other
cells. If the shares do not add up to the estimate, as with linear conflict, tiles have no shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, evaluator_for, space_of
from taquin.heuristics.own import from_function
from taquin.heuristics.registry import HEURISTICS
from taquin.heuristics.user_code import blaming_user_code
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY, BLANK, WALL, Label, Metric, label_order
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, State
from taquin.notation.values import GoalLike, as_goal, as_start
from taquin.system.words import shorten, unknown

HeuristicLike = Heuristic | str | Callable[[Board], float]
"""A heuristic, its name, or a function of a board."""


def as_heuristic(value: Any) -> Heuristic:
    """Convert a heuristic, a name or a function to a heuristic; raise UnsuitableError.

    >>> as_heuristic("h2"), as_heuristic(len).name
    (Manhattan(), 'len')
    """
    if isinstance(value, type) and isinstance(value, Heuristic):
        value = value()
    if isinstance(value, Heuristic):
        return value
    if isinstance(value, str):
        name = value.strip().lower().replace("_", "-")
        if name in HEURISTICS:
            return HEURISTICS[name]
        more = "; a text with brackets is for a search: algorithm='astar(max(h1, h2))'"
        raise UnsuitableError(unknown("heuristic", value, HEURISTICS, more))
    if callable(value):
        return from_function(value)
    raise UnsuitableError(
        f"expected a heuristic: Manhattan(), its name 'manhattan', or a function of a board; found "
        f"{shorten(repr(value))}"
    )


@blaming_user_code()
def estimate(
    heuristic: HeuristicLike,
    board: BoardLike,
    goal: GoalLike = None,
    metric: Metric | str = Metric.SINGLE,
) -> int:
    """Return the estimate of `heuristic` for `board`.

    Every argument may be a value or text; the default goal is blank-last.

    >>> estimate("manhattan", "8 1 3 / 4 0 2 / 7 6 5"), estimate("misplaced", "813 4b2 765")
    (10, 5)
    """
    space = space_of(board, goal, Metric.named(metric))
    return evaluator_for(as_heuristic(heuristic), space).value(space.start)


class BoardEstimates:
    """Estimates of many boards; boards with the same grid and tiles share an evaluator."""

    def __init__(self, heuristic: Heuristic, puzzle_of: Callable[[Board], Puzzle]) -> None:
        self._heuristic, self._puzzle_of = heuristic, puzzle_of
        self._evaluators: dict[object, tuple[Space, Callable[[State], int]]] = {}

    def value(self, board: Board) -> int:
        """Return the estimate for a board; raise MismatchError if it does not fit its goal."""
        kind = (board.grid, frozenset(Counter(board.cells).items()))
        if kind not in self._evaluators:
            space = Space(self._puzzle_of(board), board)
            self._evaluators[kind] = space, evaluator_for(self._heuristic, space).value
        space, value = self._evaluators[kind]
        return value(space.encode(board))


@blaming_user_code()
def estimates(
    heuristic: HeuristicLike,
    boards: Iterable[BoardLike],
    goal: GoalLike = None,
    metric: Metric | str = Metric.SINGLE,
) -> list[int]:
    """Return the `estimate` of each board; boards with the same goal share the preparation.

    >>> estimates("manhattan", ["8 1 3 / 4 0 2 / 7 6 5", "1 2 / 3 0"])
    [10, 0]
    """
    counted = Metric.named(metric)
    by_board = BoardEstimates(
        as_heuristic(heuristic), lambda board: Puzzle(as_goal(goal, board), counted)
    )
    return [by_board.value(as_start(board, goal)) for board in boards]


@blaming_user_code()
def estimate_by_tile(
    heuristic: HeuristicLike, board: BoardLike, goal: GoalLike = None
) -> dict[Label, int]:
    """Return the contribution of each tile to the estimate; the blank's only if it is not 0.

    Tiles with the same label share an entry. Raise UnsuitableError if the estimate is not a sum
    over the tiles.

    >>> estimate_by_tile("manhattan", "8 1 3 / 4 0 2 / 7 6 5")
    {1: 1, 2: 2, 3: 0, 4: 0, 5: 2, 6: 2, 7: 0, 8: 3}
    """
    known, space = as_heuristic(heuristic), space_of(board, goal)
    full_goal, start = space.puzzle.goal, space.decode(space.start)
    shares: dict[Label, int] = {}
    try:
        for label in sorted(set(full_goal.cells) - {ANY, WALL}, key=label_order):
            cells = tuple(cell if cell in (label, WALL) else ANY for cell in full_goal.cells)
            shares[label] = estimate(known, start, Goal(full_goal.grid, cells))
        is_sum = sum(shares.values()) == estimate(known, start, full_goal)
    except UnsuitableError:
        is_sum = False
    if not is_sum:
        raise UnsuitableError(
            f"the estimate of {known.name} is not a sum over the tiles; use manhattan, misplaced "
            f"or manhattan-agent"
        )
    return {label: share for label, share in shares.items() if label != BLANK or share}
