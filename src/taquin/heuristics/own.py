"""Heuristics made of user code: any function of a board, given in Python or named in a text.

    FromFunction(my_function)                  in Python, with the claims of its author
    astar(my_file.py:my_function)              in a text; so is `my_module:my_function`
    astar(my_file.py:mixed(manhattan, w=2))    with options

`user_code.py` loads the code. `with_source` makes a copy that contains the source, so that workers
without access to the file run the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from math import ceil, isfinite
from types import FunctionType
from typing import Any, TypeVar

from taquin.errors import OwnCodeError, UnsuitableError
from taquin.heuristics.base import (
    Estimate,
    Evaluator,
    Heuristic,
    Named,
    Report,
    evaluator_for,
    prepare,
)
from taquin.heuristics.user_code import Claims, OwnCode, blaming_user_code
from taquin.model.board import Board
from taquin.model.space import Space, State
from taquin.system.interrupts import AtOnce
from taquin.system.words import safe_repr

_Value = TypeVar("_Value")
_MOST = 10**12
"""The maximum estimate; larger ones are errors and would overflow."""


@dataclass(frozen=True, slots=True)
class FromFunction(Named):
    """Estimate by `function`, called once for each board.

    Its author declares whether it is admissible and consistent; `audit` checks these claims.

    >>> FromFunction(lambda board: int(board.cells[0] != 1), name="first").name
    'first'
    """

    function: Callable[[Board], float]
    """Return the estimate for a board: an integer, 0 or more. A fraction is rounded up if the
    function claims to be admissible, and rejected otherwise."""
    name: str = ""
    """The name; by default that of the function."""
    admissible: bool = False
    """Whether the estimate never exceeds the cost to the nearest goal."""
    consistent: bool = False
    """Whether the estimate never falls by more than the cost of a move."""
    counts_tile_steps: bool = False
    """Whether it counts steps of single tiles in every metric, not moves of the puzzle."""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", getattr(self.function, "__name__", "function"))

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, which raises UnsuitableError for invalid estimates.

        Also raise it if the search makes steps into walls: their states are not boards.
        """
        if space.bumps and space.puzzle.grid.walls:
            raise UnsuitableError(
                f"'{self.name}' estimates boards, but a step into a wall leads to no board; search "
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
                estimate = self._as_int(estimate, board, remarks)
            if not 0 <= estimate <= _MOST:
                raise self._invalid_estimate(estimate, board)
            return estimate

        return Estimate(
            value, admissible=self.admissible, consistent=self.consistent, remarks=remarks
        )

    def _as_int(self, estimate: Any, board: Board, remarks: list[str]) -> int:
        """Convert an estimate of another type to an integer; remark on the first fraction."""
        number = None
        # `__float__` of an unknown type may raise anything.
        with suppress(Exception):
            if not isinstance(estimate, str) and hasattr(estimate, "__float__"):
                number = float(estimate)
        if number is not None:
            if number.is_integer():
                return int(number)
            if isfinite(number) and self.admissible:
                if not remarks:
                    remarks.append(
                        f"'{self.name}' returned {number:g} for {board.text()}: fractions are "
                        f"rounded up, which keeps an admissible estimate admissible."
                    )
                return ceil(number)
        raise self._invalid_estimate(estimate, board)

    def _invalid_estimate(self, value: object, board: Board) -> UnsuitableError:
        advice = ""
        if value is None:
            advice = "; is a return statement missing?"
        elif isinstance(value, float):
            advice = "; use math.ceil, or declare it admissible: then fractions are rounded up"
        return UnsuitableError(
            f"'{self.name}' must return a whole number from 0 to {_MOST:,}; it returned "
            f"{safe_repr(value)} for {board.text()}{advice}"
        )


@dataclass(frozen=True, slots=True)
class OwnHeuristic(Named):
    """Estimate by user code: a function of a board, a heuristic, or the class of one.

    The attributes `admissible` and `consistent` of a function are its claims.
    """

    code: OwnCode

    counts_tile_steps = False

    @property
    def name(self) -> str:
        """The text form of the code."""
        return str(self.code)

    @blaming_user_code()
    def prepare(self, space: Space, report: Report) -> None:
        """Run the code, and prepare its heuristics for `space`."""
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
        """The claims of the code, which is loaded unless they are known."""
        if self.code.claims is None:
            self._value()
        assert self.code.claims is not None, "`_value` sets them"
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
    """Convert a heuristic to a function of a board for user code; return other values unchanged."""
    if not isinstance(value, Heuristic):
        return value
    evaluate = evaluator_for(value, space).value
    return lambda board: evaluate(space.encode(board))


def from_function(function: Callable[[Board], float], name: str = "") -> FromFunction:
    """Return a heuristic that calls a function, with the claims of the function's attributes."""
    claims = (bool(getattr(function, claim, False)) for claim in ("admissible", "consistent"))
    return FromFunction(function, name, *claims)


def how_to_claim(search: object) -> str:
    """Return advice how to declare that a user's function is admissible.

    Empty if the search does not find shortest solutions, or if its heuristic is not a function or
    is already declared admissible.
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
        f"{heuristic.name} is not declared admissible, so the solution is not proven optimal: if "
        f"an audit finds it admissible, {claim}."
    )


def _parts_of(value: object) -> Iterator[object]:
    """Yield an algorithm or a heuristic and, recursively, the values of its fields."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from _parts_of(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for option in fields(value):
            yield from _parts_of(getattr(value, option.name))


def own_code_in(value: object) -> Iterator[OwnCode]:
    """Yield the user code in an algorithm or a heuristic."""
    return (part for part in _parts_of(value) if isinstance(part, OwnCode))


def holds_own_code(value: object) -> bool:
    """Return whether an algorithm or a heuristic contains code that is not taquin's."""
    return any(
        isinstance(part, FromFunction | OwnCode | FunctionType) or is_foreign(part)
        for part in _parts_of(value)
    )


def is_foreign(value: object) -> bool:
    """Return whether the class of a value is defined outside taquin and Python."""
    return type(value).__module__.partition(".")[0] not in ("taquin", "builtins")


def own_part(heuristic: Heuristic | None) -> str:
    """Return the name of the user code that a heuristic depends on; empty for none.

    If several parts of a combination are user code, return the name of the combination.
    """
    if heuristic is None or not holds_own_code(heuristic):
        return ""
    joined = () if is_foreign(heuristic) else getattr(heuristic, "heuristics", ())
    parts = [name for part in joined if (name := own_part(part))]
    return parts[0] if len(parts) == 1 else heuristic.name


def interruptible(value: object) -> AbstractContextManager[object]:
    """Return a context in which Ctrl-C interrupts user code in `value`, which may never return."""
    return AtOnce() if holds_own_code(value) else nullcontext()


def with_source(value: _Value) -> _Value:
    """Return a copy of an algorithm or a heuristic that contains the source of its user code."""
    if not any(own_code_in(value)):
        return value
    from copy import deepcopy

    copied = deepcopy(value)
    for code in own_code_in(copied):
        object.__setattr__(code, "source", code.text)
    return copied
