"""User code: any function of a board as a heuristic, given in Python or named in a text.

    FromFunction(my_function)                  in Python, with what its author claims of it
    astar(my_file.py:my_function)              in a text; so is `my_module:my_function`
    astar(my_file.py:mixed(manhattan, w=2))    with options of its own

`user_code.py` loads what a text names. `with_source` makes a copy that holds the source, so that
workers which cannot see the file run the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import Any, ClassVar, TypeVar

from taquin.errors import OwnCodeError, UnsuitableError
from taquin.heuristics.base import (
    Estimate,
    Evaluator,
    Heuristic,
    Named,
    Report,
    evaluator_for,
    holds_own_code,
    is_foreign,
    parts_of,
    prepare,
)
from taquin.heuristics.user_code import Claims, OwnCode, blaming_user_code
from taquin.model.board import Board
from taquin.model.space import Space, State
from taquin.system.interrupts import AtOnce
from taquin.system.words import safe_repr

_Value = TypeVar("_Value")
_MOST = 10**12
"""The largest estimate: larger numbers are faults, and do not fit into the numbers of a table."""


@dataclass(frozen=True, slots=True)
class FromFunction(Named):
    """Estimate by `function`, called once for each board.

    Whether it is admissible and consistent is for its author to declare; `audit` checks it.

    >>> FromFunction(lambda board: int(board.cells[0] != 1), name="first").name
    'first'
    """

    function: Callable[[Board], float]
    """Return the estimate for a board: a whole number, 0 or more. A fraction is rounded up where
    the function claims to be admissible, and rejected elsewhere."""
    name: str = ""
    """The name shown; the function's own by default."""
    admissible: bool = False
    """Whether the estimate never exceeds the cost to the nearest goal."""
    consistent: bool = False
    """Whether the estimate never falls by more than the cost of a move."""
    counts_tile_steps: bool = False
    """Whether it counts steps of single tiles whatever the metric, not moves of the puzzle."""

    is_own_code: ClassVar = True

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", getattr(self.function, "__name__", "function"))

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, which raises UnsuitableError for what is no estimate.

        Raise it also where the search makes steps into walls: they lead to no board.
        """
        if space.bumps and space.puzzle.grid.walls:
            raise UnsuitableError(
                f"'{self.name}' estimates boards, and a step into a wall leads to none; search "
                f"without counting such steps, or use manhattan-agent"
            )
        remarks: list[str] = []

        def value(state: State) -> int:
            board = space.decode(state)
            try:
                estimate = self.function(board)
            except Exception as error:
                error.add_note(f"for the board {board.text()}")
                raise
            if type(estimate) is not int:
                estimate = self._whole(estimate, board, remarks)
            if not 0 <= estimate <= _MOST:
                raise self._no_estimate(estimate, board)
            return estimate

        return Estimate(
            value, admissible=self.admissible, consistent=self.consistent, remarks=remarks
        )

    def _whole(self, estimate: Any, board: Board, remarks: list[str]) -> int:
        """Return an estimate of another type as a whole number; remark on the first fraction."""
        number = None
        # Whatever `__float__` of an unknown type raises, it gives no number.
        with suppress(Exception):
            if not isinstance(estimate, str) and hasattr(estimate, "__float__"):
                number = float(estimate)
        if number is not None:
            if number.is_integer():
                return int(number)
            if isfinite(number) and self.admissible:
                if not remarks:
                    remarks.append(
                        f"'{self.name}' returned {number:g} for {board.text()}: it is rounded up, "
                        f"as any fraction it returns; an admissible estimate stays admissible so."
                    )
                return ceil(number)
        raise self._no_estimate(estimate, board)

    def _no_estimate(self, value: object, board: Board) -> UnsuitableError:
        advice = ""
        if value is None:
            advice = "; is a return statement missing?"
        elif isinstance(value, float):
            advice = "; math.ceil rounds it up, as taquin does for one that says it is admissible"
        return UnsuitableError(
            f"'{self.name}' must return a whole number from 0 to {_MOST:,}; it returned "
            f"{safe_repr(value)} for {board.text()}{advice}"
        )


@dataclass(frozen=True, slots=True)
class OwnHeuristic(Named):
    """Estimate by user code: a function of a board, a heuristic, or the class of one.

    A function claims to be sound by attributes `admissible` and `consistent` of its own.
    """

    code: OwnCode

    counts_tile_steps = False

    @property
    def name(self) -> str:
        """The text that names it."""
        return str(self.code)

    @blaming_user_code()
    def prepare(self, space: Space, report: Report) -> None:
        """Run the code, and let its heuristics prepare what they need for `space`."""
        prepare(self._value(), space, report)
        for option in (*self.code.arguments, *dict(self.code.options).values()):
            if isinstance(option, Heuristic):
                prepare(option, space, report)

    @blaming_user_code()
    def bind(self, space: Space) -> Evaluator:
        """Run the code and return its evaluator for `space`, in moves of the metric."""
        value, code = self._value(), self.code
        if isinstance(value, FromFunction) and (code.arguments or code.options):
            arguments = [as_function(argument, space) for argument in code.arguments]
            options = {name: as_function(option, space) for name, option in code.options}
            call: Any = value.function
            value = replace(value, function=lambda board: call(board, *arguments, **options))
        return evaluator_for(value, space)

    @property
    def claims(self) -> Claims:
        """What the code says of itself; it is loaded unless that is known."""
        if self.code.claims is None:
            self._value()
        assert self.code.claims is not None, "loading it has told"
        return self.code.claims

    def _value(self) -> Heuristic:
        value = self.code.value()
        heuristic: Heuristic
        if isinstance(value, Heuristic):
            heuristic = value
        elif callable(value):
            heuristic = from_function(value, self.name)
        else:
            raise OwnCodeError(
                f"expected {self.code} to be a function of a board or a heuristic, found "
                f"{type(value).__name__}"
            )
        is_function = isinstance(heuristic, FromFunction)
        admissible = isinstance(heuristic, FromFunction) and heuristic.admissible
        self.code.claim(Claims(is_function, admissible))
        return heuristic


def as_function(value: object, space: Space) -> object:
    """Return a heuristic as a function of a board, for user code to call; others as they are."""
    if not isinstance(value, Heuristic):
        return value
    evaluate = evaluator_for(value, space).value
    return lambda board: evaluate(space.encode(board))


def from_function(function: Callable[[Board], float], name: str = "") -> FromFunction:
    """Return a function as a heuristic, with the claims that its attributes make."""
    claims = (bool(getattr(function, claim, False)) for claim in ("admissible", "consistent"))
    return FromFunction(function, name, *claims)


def how_to_claim(search: object) -> str:
    """Return what to write so that a search relies on a user's function to be admissible.

    Empty for a search that does not promise shortest solutions, or whose heuristic is no function
    or says that it is admissible.
    """
    code = getattr(search, "code", None)
    if isinstance(code, OwnCode) and code.claims is not None:
        return code.claims.advice
    heuristic = getattr(search, "heuristic", None)
    if not getattr(search, "optimal", False):
        return ""
    claim = "give it as tq.FromFunction(…, admissible=True)"
    if isinstance(heuristic, OwnHeuristic):
        claim = f"write {heuristic.code.name}.admissible = True below the function"
        if not heuristic.claims.is_function or heuristic.claims.admissible:
            return ""
    elif not isinstance(heuristic, FromFunction) or heuristic.admissible:
        return ""
    return (
        f"{heuristic.name} does not say that it is admissible, so the search cannot tell whether "
        f"the solution is optimal: if an audit finds it admissible, {claim}."
    )


def own_code_in(value: object) -> Iterator[OwnCode]:
    """Yield the user code that an algorithm or a heuristic names."""
    return (part for part in parts_of(value) if isinstance(part, OwnCode))


def own_part(heuristic: Heuristic | None) -> str:
    """Return the name of the user code that a heuristic's values depend on; empty for none.

    Where several parts of a combination are user code, it is the name of the combination.
    """
    if heuristic is None or not holds_own_code(heuristic):
        return ""
    joined = () if is_foreign(heuristic) else getattr(heuristic, "heuristics", ())
    parts = [name for part in joined if (name := own_part(part))]
    return parts[0] if len(parts) == 1 else heuristic.name


def interruptible(value: object) -> AbstractContextManager[object]:
    """Return a block in which Ctrl-C ends user code in `value`, which may never return."""
    return AtOnce() if holds_own_code(value) else nullcontext()


def with_source(value: _Value) -> _Value:
    """Return an algorithm or a heuristic with the source of the user code in it."""
    if not any(own_code_in(value)):
        return value
    from copy import deepcopy

    copied = deepcopy(value)
    for code in own_code_in(copied):
        object.__setattr__(code, "source", code.text)
    return copied
