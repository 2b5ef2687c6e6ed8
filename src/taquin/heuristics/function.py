"""Any Python function of a board as a heuristic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.errors import UnsuitableError
from taquin.heuristics.base import FromScratch
from taquin.model.board import Board
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True)
class FromFunction:
    """Estimate by `function`, called once for each board.

    Whether it is admissible and consistent is for its author to declare; `audit` checks it.

    >>> FromFunction(lambda board: int(board.cells[0] != 1), name="first").name
    'first'
    """

    function: Callable[[Board], int]
    """Return the estimate for a board: a whole number, 0 or more."""
    name: str = ""
    """The name shown; the function's own by default."""
    admissible: bool = False
    """Whether the estimate never exceeds the cost to the nearest goal."""
    consistent: bool = False
    """Whether the estimate never falls by more than the cost of a move."""
    counts_tile_steps: bool = False
    """Whether it counts steps of single tiles whatever the metric, not moves of the puzzle."""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", getattr(self.function, "__name__", "function"))

    def bind(self, space: Space) -> FunctionEvaluator:
        """Return the evaluator for `space`.

        Raise UnsuitableError where the search also makes steps into walls: they lead to no board.
        """
        if space.bumps and space.puzzle.grid.walls:
            raise UnsuitableError(
                f"'{self.name}' estimates boards, and a step into a wall leads to none; search "
                f"without counting such steps, or use manhattan-agent"
            )
        return FunctionEvaluator(self, space)


class FunctionEvaluator(FromScratch):
    """Ask the function of `heuristic`; raise UnsuitableError when it answers with no estimate."""

    __slots__ = ("_heuristic", "_space", "admissible", "consistent")

    def __init__(self, heuristic: FromFunction, space: Space) -> None:
        self._heuristic = heuristic
        self._space = space
        self.admissible = heuristic.admissible
        self.consistent = heuristic.consistent

    def value(self, state: State) -> int:
        """Return what the function says of the board."""
        board = self._space.decode(state)
        estimate = self._heuristic.function(board)
        if not isinstance(estimate, int) or estimate < 0:
            raise UnsuitableError(
                f"'{self._heuristic.name}' must return a whole number, 0 or more; it returned "
                f"{estimate!r} for {board.text()}"
            )
        return estimate
