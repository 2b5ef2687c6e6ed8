"""The interfaces of heuristics, which estimate the number of moves to the goal.

A `Heuristic` is a small frozen value (`Manhattan()`), printable and comparable. Binding it to a
`Space` gives an `Evaluator`; an `Estimate` is an evaluator made of functions. Most heuristics count
steps of single tiles; `evaluator_for` converts that count to slides in the multi metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, State

if TYPE_CHECKING:
    from taquin.model.board import BoardLike
    from taquin.notation.boards import GoalLike

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of a table, the work done and the total work; may raise to abort it."""


class Evaluator(Protocol):
    """A heuristic bound to one space."""

    @property
    def admissible(self) -> bool:
        """Whether the value never exceeds the cost to the nearest goal."""

    @property
    def consistent(self) -> bool:
        """Whether the value never falls by more than the cost of a move."""

    def value(self, state: State, /) -> int:
        """Return the estimate for `state`."""

    def step(self, value: int, child: State, tile: int, origin: int, target: int, /) -> int:
        """Return the estimate for `child`, given its parent's `value`.

        The tile with id `tile` slid from cell `origin` to cell `target`. In the multi metric that
        is only the last tile of the slide, so `evaluator_for` ignores `step` there.
        """


@runtime_checkable
class Heuristic(Protocol):
    """An estimate of the number of moves to the goal, not yet bound to a puzzle."""

    @property
    def name(self) -> str:
        """The name used on the command line."""

    @property
    def counts_tile_steps(self) -> bool:
        """Whether the estimate counts steps of single tiles in every metric."""

    def bind(self, space: Space) -> Evaluator:
        """Return the evaluator for `space`; raise UnsuitableError if it is unsupported."""


def prepare(heuristic: Heuristic, space: Space, report: Report) -> None:
    """Call `heuristic.prepare`, if it exists, for expensive preparation before `bind`.

    `report` is called regularly; an exception raised by it aborts the work and propagates.
    """
    if hasattr(heuristic, "prepare"):
        heuristic.prepare(space, report)


class Estimate:
    """An evaluator made of functions; `step` defaults to a complete evaluation.

    `remarks` are sentences for the author of a function.
    """

    def __init__(
        self,
        value: Callable[[State], int],
        step: Callable[[int, State, int, int, int], int] | None = None,
        *,
        admissible: bool = True,
        consistent: bool = True,
        remarks: Sequence[str] = (),
    ) -> None:
        self.value, self.remarks = value, remarks
        self.step = step or (lambda value, child, tile, origin, target: self.value(child))
        self.admissible, self.consistent = admissible, consistent


def evaluator_for(heuristic: Heuristic, space: Space) -> Evaluator:
    """Return the evaluator of `heuristic` on `space`, in moves of the puzzle's metric."""
    evaluator = heuristic.bind(space)
    if space.puzzle.metric is not Metric.MULTI or not heuristic.counts_tile_steps:
        return evaluator
    # A slide is at most `longest` tile steps, so the quotient, rounded up, is admissible and
    # consistent if the count is.
    value, longest = evaluator.value, space.longest_slide
    return Estimate(
        lambda state: -(-value(state) // longest),
        admissible=evaluator.admissible,
        consistent=evaluator.consistent,
    )


class Named:
    """A mixin: print as the name, be callable with a board, count steps of single tiles.

    >>> from taquin.heuristics.per_tile import Manhattan
    >>> print(Manhattan(), Manhattan()("8 1 3 / 4 0 2 / 7 6 5"))
    manhattan 10
    """

    __slots__ = ()
    counts_tile_steps: bool = True

    def __str__(self: Heuristic) -> str:
        return self.name

    def __call__(self: Heuristic, board: BoardLike, goal: GoalLike = None) -> int:
        """Return the estimate for `board`; the default goal is blank-last."""
        space = space_of(board, goal)
        return evaluator_for(self, space).value(space.start)


def space_of(board: BoardLike, goal: GoalLike, metric: Metric = Metric.SINGLE) -> Space:
    """Return the space of a board and a goal in any form."""
    from taquin.notation.boards import as_goal, as_start

    start = as_start(board, goal)
    return Space(Puzzle(as_goal(goal, start), metric), start)


@dataclass(frozen=True, slots=True)
class Zero(Named):
    """Estimate 0 everywhere: admissible and consistent. A* with it is uniform-cost search."""

    name = "zero"
    counts_tile_steps = False

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator, the same for every space."""
        return Estimate(lambda state: 0, lambda value, child, tile, origin, target: 0)


def parts_of(value: object) -> Iterator[object]:
    """Yield an algorithm or a heuristic and, recursively, the values of its fields."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from parts_of(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for option in fields(value):
            yield from parts_of(getattr(value, option.name))


def holds_user_code(value: object) -> bool:
    """Return whether an algorithm or a heuristic contains code that is not taquin's."""
    return any(
        isinstance(part, FunctionType)
        or getattr(type(part), "is_own_code", False)
        or is_foreign(part)
        for part in parts_of(value)
    )


def is_foreign(value: object) -> bool:
    """Return whether a class outside taquin and Python made a value."""
    return type(value).__module__.partition(".")[0] not in ("taquin", "builtins")
