"""User code: any function of a board as a heuristic, given in Python or named in a text.

    FromFunction(my_function)                  in Python, with what its author claims of it
    astar(my_file.py:my_function)              in a text; so is `my_module:my_function`

User code runs only when a search is about to begin: reading, listing and reporting a study never
run it. Its errors are reported in one sentence with file and line. `with_source` makes a copy that
holds the source, so that workers which cannot see the file run the same code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from math import ceil, isfinite
from types import ModuleType
from typing import Any, TypeVar

from taquin.errors import OwnCodeError, TaquinError, UnsuitableError
from taquin.heuristics.base import (
    Estimate,
    Evaluator,
    Heuristic,
    Named,
    Report,
    evaluator_for,
    prepare,
)
from taquin.model.board import Board
from taquin.model.space import Space, State
from taquin.system.interrupts import USER_FILES

_Value = TypeVar("_Value")

_loaded: dict[tuple[str, str], ModuleType] = {}
_files: set[str] = set()
"""The files of user code that was loaded."""


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
        if code := getattr(self.function, "__code__", None):
            USER_FILES.add(code.co_filename)

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
            if estimate < 0:
                raise self._no_estimate(estimate, board)
            return estimate

        return Estimate(
            value, admissible=self.admissible, consistent=self.consistent, remarks=remarks
        )

    def _whole(self, estimate: Any, board: Board, remarks: list[str]) -> int:
        """Return an estimate of another type as a whole number; remark on the first fraction."""
        if not isinstance(estimate, str) and hasattr(estimate, "__float__"):
            number = float(estimate)
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
            f"'{self.name}' must return a whole number, 0 or more; it returned {value!r} for "
            f"{board.text()}{advice}"
        )


@contextmanager
def blaming_user_code() -> Iterator[None]:
    """Turn an exception that user code raises into OwnCodeError; leave every other alone."""
    try:
        yield
    except TaquinError:
        raise
    except Exception as error:
        from traceback import extract_tb

        places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
        message = str(error)
        if isinstance(error, SyntaxError):
            places.append((error.filename or "", error.lineno))
            message = error.msg
        lines = [f"{file}, line {line}" for file, line in places if file in _files]
        if not lines:
            raise
        blame = OwnCodeError(f"{lines[-1]}: {type(error).__name__}: {message}")
        for note in getattr(error, "__notes__", ()):
            blame.add_note(note)
        raise blame from error


@dataclass(frozen=True, slots=True)
class OwnCode:
    """A name in a file or a module of the user's. Nothing of it runs until `load`."""

    where: str
    """The file, ending in `.py`, or the module, as it was written."""
    name: str
    folder: str = field(default="", compare=False, repr=False)
    """Where a file is looked for; the current folder when empty."""
    source: str | None = field(default=None, compare=False, repr=False)
    """The text, where `with_source` has added it."""

    @classmethod
    def read(cls, text: str, folder: str = "") -> OwnCode:
        """Return what `text` names: `file.py:name` or `module:name`."""
        where, _, name = text.rpartition(":")
        if not where or not name.isidentifier():
            raise OwnCodeError(
                f"expected file.py:name or module:name for code of your own, found {text[:60]!r}"
            )
        return cls(where, name, folder)

    def __str__(self) -> str:
        return f"{self.where}:{self.name}"

    @property
    def path(self) -> str | None:
        """The file that holds it, found without importing anything; None if there is none."""
        if self.where.endswith(".py"):
            return os.path.join(self.folder, self.where)
        parts = self.where.split(".")
        for folder in sys.path:
            stem = os.path.join(folder or os.curdir, *parts)
            for file in (f"{stem}.py", os.path.join(stem, "__init__.py")):
                if os.path.isfile(file):
                    return file
        return None

    @property
    def text(self) -> str | None:
        """The source; None where it cannot be read."""
        if self.source is not None or self.path is None:
            return self.source
        try:
            with open(self.path, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError):
            return None

    @property
    def fingerprint(self) -> str:
        """A digest of the present source, part of the key of a record."""
        text = self.text
        return "missing" if text is None else _digest(text)

    def load(self) -> Any:
        """Run the code and return the value of `name`; raise OwnCodeError with the line."""
        text = self.text
        if text is None and self.where.endswith(".py"):
            raise OwnCodeError(f"there is no file {self.where!r} to take {self.name!r} from")
        key = (self.where, self.fingerprint)
        if key not in _loaded:
            for files in (_files, USER_FILES):
                files.add(self.path or self.where)
            with blaming_user_code():
                _loaded[key] = self._run(text)
        try:
            return getattr(_loaded[key], self.name)
        except AttributeError:
            raise OwnCodeError(f"there is no {self.name!r} in {self.where}") from None

    def _run(self, text: str | None) -> ModuleType:
        if not self.where.endswith(".py"):
            try:
                return import_module(self.where)
            except ModuleNotFoundError as error:
                if text is None or error.name != self.where:
                    file = f"{self.where}.py"
                    is_file = os.path.isfile(os.path.join(self.folder, file))
                    advice = f", but a file {file}: write {file}:{self.name}" if is_file else ""
                    raise OwnCodeError(f"there is no module {error.name!r}{advice}") from None
        file = self.path or self.where
        module = ModuleType(f"taquin_own_{_digest(file)}")
        module.__file__ = file
        # Dataclasses look up the module of a class there.
        sys.modules[module.__name__] = module
        folder = os.path.dirname(os.path.abspath(file))
        sys.path.insert(0, folder)
        try:
            exec(compile(text or "", file, "exec"), module.__dict__)
        except SystemExit as leaving:
            raise OwnCodeError(f"{self.where} ends the program ({leaving})") from None
        finally:
            sys.path.remove(folder)
        return module


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
        """Run the code, and let its heuristic prepare what it needs for `space`."""
        prepare(self._value(), space, report)

    @blaming_user_code()
    def bind(self, space: Space) -> Evaluator:
        """Run the code and return its evaluator for `space`, in moves of the metric."""
        return evaluator_for(self._value(), space)

    def _value(self) -> Heuristic:
        value = self.code.load()
        value = value() if isinstance(value, type) else value
        if isinstance(value, Heuristic):
            return value
        if not callable(value):
            raise OwnCodeError(
                f"expected {self.code} to be a function of a board or a heuristic, found "
                f"{type(value).__name__}"
            )
        from inspect import signature

        # A call with wrong arguments fails outside the user's file and would not be blamed on it.
        # Some functions of C have no signature (ValueError); they are tried.
        try:
            with suppress(ValueError):
                signature(value).bind(None)
        except TypeError:
            raise OwnCodeError(f"expected {self.code} to take one argument, a board") from None
        return from_function(value, self.name)


def from_function(function: Callable[[Board], float], name: str = "") -> FromFunction:
    """Return a function as a heuristic, with the claims that its attributes make."""
    claims = (bool(getattr(function, claim, False)) for claim in ("admissible", "consistent"))
    return FromFunction(function, name, *claims)


def _digest(text: str) -> str:
    # Imported late, as other modules that only user code needs: it would slow every start.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]


def how_to_claim(search: object) -> str:
    """Return what to write so that solutions found with a user's function are proven shortest.

    Empty for a search that does not promise shortest solutions, or whose heuristic is no function
    or says that it is admissible.
    """
    heuristic = getattr(search, "heuristic", None)
    if not getattr(search, "optimal", False):
        return ""
    claim = "give it as tq.FromFunction(…, admissible=True)"
    if isinstance(heuristic, OwnHeuristic):
        claim = f"write {heuristic.code.name}.admissible = True below the function"
        heuristic = heuristic._value()
    if not isinstance(heuristic, FromFunction) or heuristic.admissible:
        return ""
    return (
        f"{heuristic.name} does not say that it is admissible, so no solution is proven shortest: "
        f"if an audit finds it so, {claim}."
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
    """Yield the user code that an algorithm or a heuristic names."""
    return (part for part in _parts_of(value) if isinstance(part, OwnCode))


def holds_own_code(value: object) -> bool:
    """Return whether an algorithm or a heuristic contains code that is not taquin's."""
    return any(
        isinstance(part, FromFunction | OwnCode)
        or type(part).__module__.partition(".")[0] not in ("taquin", "builtins")
        for part in _parts_of(value)
    )


def alarm_for(value: object, seconds_left: Callable[[], float]) -> AbstractContextManager[object]:
    """Return a block that ends user code in `value` when no seconds are left."""
    if not holds_own_code(value):
        return nullcontext()
    from taquin.system.alarm import Alarm

    return Alarm(seconds_left)


def with_source(value: _Value) -> _Value:
    """Return an algorithm or a heuristic with the source of the user code in it."""
    if not any(own_code_in(value)):
        return value
    from copy import deepcopy

    copied = deepcopy(value)
    for code in own_code_in(copied):
        object.__setattr__(code, "source", code.text)
    return copied
