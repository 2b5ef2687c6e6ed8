"""The built-in heuristics by their names in the grammar, estimates of boards, and combinations.

`HEURISTICS` has the built-in heuristics, and `as_heuristic` takes one in any form (see
`taquin.search.grammar`). `estimate`, `estimates` and `estimate_by_tile` apply a heuristic to one
board, to many, or to each tile. `Maximum` and `Sum` combine heuristics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from taquin.errors import UnsuitableError
from taquin.heuristics.base import (
    Estimate,
    Heuristic,
    Named,
    Report,
    Zero,
    evaluator_for,
    prepare,
    space_of,
)
from taquin.model.board import Board, BoardLike
from taquin.model.moves import ANY, BLANK, WALL, Label, Metric, label_order
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space, State
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.reasons import reason
from taquin.system.formatting import shorten, unknown
from taquin.system.lazy import LazyRegistry


class _ReadyMade(LazyRegistry):
    def loaded(self, value: Any) -> Heuristic:
        """Return a heuristic with the defaults of its class."""
        heuristic: Heuristic = value()
        return heuristic


ALIASES: dict[str, str] = {"h1": "misplaced", "hamming": "misplaced", "h2": "manhattan"}
"""Alternative names of heuristics."""
_HOMES = {
    "zero": "base:Zero",
    "misplaced": "per_tile:Misplaced",
    "manhattan": "per_tile:Manhattan",
    "manhattan-agent": "per_tile:ManhattanWithAgent",
    "linear-conflict": "linear_conflict:LinearConflict",
    "corner-tiles": "linear_conflict:CornerTiles",
    "last-moves": "linear_conflict:LastMoves",
    "euclidean": "per_tile:Euclidean",
    "chebyshev": "per_tile:Chebyshev",
    "gaschnig": "per_tile:Gaschnig",
    "inversion-distance": "walking:InversionDistance",
    "walking-distance": "walking:WalkingDistance",
    "patterns": "pattern_databases:Patterns",
}
HEURISTICS: dict[str, Heuristic] = _ReadyMade(
    {name: f"heuristics.{home}" for name, home in _HOMES.items()}
    | {alias: f"heuristics.{_HOMES[name]}" for alias, name in ALIASES.items()}
)
"""Every ready-made heuristic by each of its names without options, aliases last."""


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
        raise UnsuitableError(unknown(reason("heuristic"), value, HEURISTICS, more))
    if callable(value):
        # Imported late, here and below: most processes run no user code.
        from taquin.heuristics.user_code import from_function

        return from_function(value)
    raise UnsuitableError(
        f"expected a heuristic: Manhattan(), its name 'manhattan', or a function of a board; found "
        f"{shorten(repr(value))}"
    )


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
    return estimates(heuristic, [board], goal, metric)[0]


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
    from taquin.heuristics.user_code import blaming_user_code

    counted = Metric.named(metric)
    with blaming_user_code():
        by_board = BoardEstimates(
            as_heuristic(heuristic), lambda board: Puzzle(as_goal(goal, board), counted)
        )
        return [by_board.value(as_start(board, goal)) for board in boards]


def estimate_by_tile(
    heuristic: HeuristicLike, board: BoardLike, goal: GoalLike = None
) -> dict[Label, int]:
    """Return the contribution of each tile to the estimate; the blank's only if it is not 0.

    The share of a tile is the estimate for a goal that names only that tile, with ANY in all other
    cells. Tiles with the same label share an entry. Raise UnsuitableError if the shares do not add
    up to the estimate, as with linear conflict.

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


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Combination(Named):
    """A heuristic that combines others, in moves of the metric."""

    heuristics: tuple[Heuristic, ...]
    """The heuristics to combine, at least one."""
    keyword: ClassVar[str]
    """The name of the combination in the grammar."""
    counts_tile_steps = False

    def __init__(self, *heuristics: HeuristicLike) -> None:
        if not heuristics:
            raise UnsuitableError(reason("no-sum", name=self.keyword))
        object.__setattr__(self, "heuristics", tuple(map(as_heuristic, heuristics)))

    @property
    def name(self) -> str:
        """The name used on the command line."""
        return f"{self.keyword}({', '.join(heuristic.name for heuristic in self.heuristics)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Prepare all of them for `space`."""
        for heuristic in self.heuristics:
            prepare(heuristic, space, report)

    def _combined(
        self, combine: Callable[[Iterable[int]], int], space: Space, *, sound: bool
    ) -> Estimate:
        """Return the combined evaluator; with `sound`, it inherits the claims that all make."""
        parts = [evaluator_for(heuristic, space) for heuristic in self.heuristics]
        values = [part.value for part in parts]
        return Estimate(
            lambda state: combine([value(state) for value in values]),
            admissible=sound and all(part.admissible for part in parts),
            consistent=sound and all(part.consistent for part in parts),
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.heuristics))})"


class Maximum(Combination):
    """Take the maximum of the estimates: admissible and consistent if all of them are.

    >>> print(Maximum(Zero(), "h2"), repr(Maximum(Zero(), "h2")))
    max(zero, manhattan) Maximum(Zero(), Manhattan())
    """

    __slots__ = ()
    keyword = "max"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`; raise UnsuitableError if a part does not support it."""
        return self._combined(max, space, sound=True)


class Sum(Combination):
    """Add the estimates up.

    One move may lower several of them, so the sum claims to be admissible and consistent only if
    all but one are `Zero`.
    """

    __slots__ = ()
    keyword = "sum"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`; raise UnsuitableError if a part does not support it."""
        alone = sum(not isinstance(heuristic, Zero) for heuristic in self.heuristics) <= 1
        return self._combined(sum, space, sound=alone)
