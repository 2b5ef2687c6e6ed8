"""User code: load a name in a file or a module of the user's, and make heuristics of it.

    mine.py:estimate                        a function of a board, a class, or a value
    mine.py:Beam(linear-conflict, width=3)  the class called with a heuristic and a number

User code runs only when a search is about to begin: parsing, listing and reporting a study never
run it. Every exception that it raises is reported in one sentence with file and line.

In the library, user code runs in the calling process. The command line and studies run it in a
worker process (`taquin.analysis.isolated`). Results contain what the parent needs to know about the
code (`Claims`), so the parent never loads it.

`UserCode` loads the code. The second part makes heuristics of it, named in a text or given in
Python:

    FromFunction(my_function)                  in Python, with the claims of its author
    astar(my_file.py:my_function)              in a text; so is `my_module:my_function`
    astar(my_file.py:mixed(manhattan, w=2))    with options

`with_source` makes a copy that contains the source, with the modules of the same folder that it
imports (`user_modules.py`), so that workers without access to the files run the same code, and that
an edit during a search changes nothing.
"""

from __future__ import annotations

import os
import sys
from _thread import get_ident
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass, field, replace
from importlib import import_module
from io import StringIO, UnsupportedOperation
from itertools import chain
from math import ceil, floor, isfinite
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from taquin.errors import IllegalMoveError, TaquinError, UnsuitableError, UserCodeError
from taquin.heuristics.base import (
    Estimate,
    Evaluator,
    Heuristic,
    Named,
    Report,
    evaluator_for,
    holds_user_code,
    is_foreign,
    parts_of,
    prepare,
)
from taquin.model.board import Board
from taquin.model.space import Space, State
from taquin.system import interrupts
from taquin.system.formatting import listed, safe_repr
from taquin.system.interrupts import AtOnce

_loaded: dict[tuple[str, str, str], ModuleType] = {}
"""Modules by the place of the code, the folder that it runs in, and its fingerprint."""
_files: set[str] = set()
"""The files of all user code loaded so far."""


MISSING = "missing"
"""The fingerprint of a file that cannot be read."""


@contextmanager
def blaming_user_code() -> Iterator[None]:
    """Convert exceptions raised by user code, SystemExit included, to UserCodeError."""
    try:
        yield
    except BaseException as error:
        if (blame := _blame(error)) is None:
            raise
        raise blame from error


def _blame(error: BaseException) -> UserCodeError | None:
    """Return the UserCodeError for an exception raised by user code; None for any other."""
    # A board raises IllegalMoveError; report the line of user code that caused it.
    if isinstance(error, TaquinError) and not isinstance(error, IllegalMoveError):
        return None
    if isinstance(error, KeyboardInterrupt) and not interrupts.are_for_parent:
        return None
    if isinstance(error, MemoryError):
        # A limit, not a fault.
        return None
    if type(error).__module__.partition(".")[0] == "taquin" and not isinstance(error, Exception):
        return None
    raised, cause = error, error.__cause__
    if isinstance(error, RuntimeError) and isinstance(cause, StopIteration):
        # Python replaces a StopIteration that leaves a generator, such as a search.
        raised = cause
    places = []
    trace = raised.__traceback__
    while trace is not None:
        places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    try:
        message = f"{type(raised).__name__}: {raised}"
    except Exception:
        message = type(raised).__name__
    if isinstance(raised, SyntaxError):
        places.append((raised.filename or "", raised.lineno or 1))
        message = f"{type(raised).__name__}: {raised.msg}"
    elif isinstance(raised, SystemExit):
        message = f"called sys.exit({raised.code!r}); return an estimate or a solution instead"
    elif isinstance(raised, UnsupportedOperation):
        message = str(raised)
    lines = [f"{file}, line {line}" for file, line in places if file in _files]
    if not lines:
        return None
    blame = UserCodeError(f"{lines[-1]}: {message.removesuffix(': ')}{_advice(raised, message)}")
    for note in getattr(error, "__notes__", ()):
        blame.add_note(note)
    return blame


def _advice(error: BaseException, message: str) -> str:
    """Return advice for the common mistakes in searches; empty for others."""
    if isinstance(error, TypeError) and "not supported between instances of" in message:
        # Also for nodes and states of the user's own.
        return (
            "; entries of a heap with equal priorities are compared by their next part: add a "
            "counter before the board, (f, next(counter), board)"
        )
    if isinstance(error, RecursionError):
        return "; limit the depth, or use a loop with a list of boards instead of recursion"
    if isinstance(error, IndexError | TypeError) and _is_about_board(error):
        return "; board.cells[i] is the label of cell i, and board[row, column] that of a place"
    is_attribute = isinstance(error, AttributeError) and isinstance(error.obj, Board)
    if is_attribute or (isinstance(error, TypeError) and "Board' has no len()" in message):
        return (
            "; board.cells is the tuple of its tiles, row by row, and board.moves(), "
            "board.apply(move) and board.is_goal() are what a search needs"
        )
    return ""


def _is_about_board(error: BaseException) -> bool:
    """Return whether indexing a board, which has rows, raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is Board.__getitem__.__code__


def place_in_user_code(thread: int | None = None) -> str:
    """Return the file and line of user code that a thread is running; empty if it runs none."""
    frame = sys._current_frames().get(get_ident() if thread is None else thread)
    while frame is not None and frame.f_code.co_filename not in _files:
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}, line {frame.f_lineno}"


@dataclass(frozen=True, slots=True)
class Claims:
    """Facts about user code that are known once it has been loaded."""

    is_function: bool
    """Whether it is a function of a board."""
    admissible: bool = False
    """Whether a heuristic claims to be admissible."""
    has_heuristic: bool = False
    """Whether a search uses a heuristic."""
    advice: str = ""
    """A sentence: what a search needs to declare for provably shortest solutions."""


@dataclass(frozen=True, slots=True)
class UserCode:
    """A name in a file or a module of the user's. Nothing is executed before `load`."""

    where: str
    """The file, ending in `.py`, or the module, as it was written."""
    name: str
    folder: str = field(default="", compare=False, repr=False)
    """The folder of a relative file; the current folder by default."""
    source: str | None = field(default=None, compare=False, repr=False)
    """The source, if `with_source` has added it."""
    modules: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    """With the source: path and source of each module of its folder that it imports."""
    home: str = field(default="", compare=False, repr=False)
    """A copy of `folder` with the files that a study names, where the code runs; empty for none."""
    arguments: tuple[object, ...] = ()
    """The positional arguments in its brackets: heuristics."""
    options: tuple[tuple[str, object], ...] = ()
    """The keyword arguments: heuristics, numbers, truth values and texts."""
    claims: Claims | None = field(default=None, compare=False, repr=False)
    """Facts about the code; None until it was loaded, here or in a worker process."""

    is_own_code: ClassVar = True

    @classmethod
    def read(cls, text: str, folder: str = "") -> UserCode:
        """Parse `file.py:name` or `module:name`, without brackets; raise UserCodeError."""
        where, _, name = text.rpartition(":")
        if not where or not name.isidentifier():
            raise UserCodeError(
                f"expected file.py:name or module:name for code of your own, found {text[:60]!r}"
            )
        return cls(where, name, folder)

    def __str__(self) -> str:
        """Return the text form, with its brackets."""
        named = (f"{name}={_text(value)}" for name, value in self.options)
        inner = ", ".join([*map(_text, self.arguments), *named])
        return f"{self.where}:{self.name}({inner})" if inner else f"{self.where}:{self.name}"

    @property
    def path(self) -> str | None:
        """The file of the code, found without importing anything; None if there is none."""
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
        """The source; None if it cannot be read."""
        # A pipe can be read only once, and a device may be endless.
        if self.source is not None or self.path is None or not os.path.isfile(self.path):
            return self.source
        try:
            # Imported late: it slows down every start.
            from taquin.system.files import read_text

            return read_text(self.path)
        except (OSError, UnicodeDecodeError):
            return None

    @property
    def fingerprint(self) -> str:
        """The hash of the current source and of what it imports, part of the key of a record."""
        text = self.text
        return MISSING if text is None else _fingerprint(text, self.modules_of(text))

    def modules_of(self, text: str | None) -> tuple[tuple[str, str], ...]:
        """Return path and source of each module of its folder that it imports, given its source."""
        if self.source is not None or text is None:
            return self.modules
        # Imported late: it slows down every start.
        from taquin.heuristics.user_modules import modules_beside

        first = text if self.where.endswith(".py") else f"import {self.where}"
        return modules_beside(first, self._root)

    @property
    def _root(self) -> str:
        """The folder from which the code imports its modules; empty for a module not found."""
        if (path := self.path) is None:
            return ""
        if self._is_at_home:
            path = os.path.join(self.home, self.where)
        folder, name = os.path.split(os.path.abspath(path))
        if not self.where.endswith(".py"):
            for _ in range(self.where.count(".") + (name == "__init__.py")):
                folder = os.path.dirname(folder)
        return folder

    def load(self) -> Any:
        """Run the code and return the value of `name`; raise UserCodeError with the line."""
        text = self.text
        if text is None and self.where.endswith(".py"):
            if os.path.isfile(self.path or ""):
                raise UserCodeError(f"expected Python in UTF-8, at most 16 MB, in {self.where!r}")
            raise UserCodeError(f"there is no file {self.where!r} to load {self.name!r} from")
        modules = self.modules_of(text)
        key = (self.where, self.home, _fingerprint(text or "", modules))
        if key not in _loaded:
            _files.add(self.path or self.where)
            with blaming_user_code():
                _loaded[key] = self._run(text, modules)
        try:
            return getattr(_loaded[key], self.name)
        except AttributeError:
            message = f"there is no {self.name!r} in {self.where}{self.names_to_choose}"
            raise UserCodeError(message) from None

    @property
    def names_to_choose(self) -> str:
        """The functions and classes of the file, as the end of a message; nothing is run."""
        import ast

        try:
            nodes = ast.parse(self.text or "").body
        except (SyntaxError, ValueError):
            return ""
        kinds = ast.FunctionDef, ast.ClassDef
        names = [n.name for n in nodes if isinstance(n, kinds) and not n.name.startswith("_")]
        return f", which has {listed(names, 10)}" if names else ", which has no functions"

    def claim(self, claims: Claims) -> None:
        """Store facts about the code."""
        object.__setattr__(self, "claims", claims)

    def value(self) -> Any:
        """Run the code and return its value, a class called with the options.

        A function is returned as it is; raise UserCodeError if it cannot be called with a board and
        the options.
        """
        value = self.load()
        if not callable(value) or (not isinstance(value, type) and hasattr(value, "name")):
            if self.arguments or self.options:
                raise UserCodeError(f"{self.where}:{self.name} is a value and takes no options")
            return value
        from inspect import signature

        is_class = isinstance(value, type)
        first = parameters_of(value)[:1]
        # A call with wrong arguments would fail outside the user's file and not be attributed to
        # it. Some C functions have no signature (ValueError); call them without this check.
        try:
            with suppress(ValueError):
                before = () if is_class else (None, None) if takes_goal(value) else (None,)
                # The heuristic of a problem is a member of it.
                arguments = () if first == ["problem"] else self.arguments
                signature(value).bind(*before, *arguments, **dict(self.options))
        except TypeError as error:
            board_first = "" if is_class else "a board, then "
            raise UserCodeError(
                f"{self} cannot be called ({error}): it gets {board_first}the arguments in "
                f"brackets, such as {self.where}:{self.name}(manhattan, option=3)"
            ) from None
        return value(*self.arguments, **dict(self.options)) if is_class else value

    def _run(self, text: str | None, modules: tuple[tuple[str, str], ...]) -> ModuleType:
        from taquin.heuristics.user_modules import importing

        file = self.path or self.where
        with importing(modules, self._root):
            if not self.where.endswith(".py"):
                try:
                    return import_module(self.where)
                except ModuleNotFoundError as error:
                    if text is None or error.name != self.where:
                        name = f"{self.where}.py"
                        is_file = os.path.isfile(os.path.join(self.folder, name))
                        advice = f", but a file {name}: write {name}:{self.name}" if is_file else ""
                        raise UserCodeError(f"there is no module {error.name!r}{advice}") from None
            module = ModuleType(f"taquin_own_{_digest(self.home + file)}")
            module.__file__ = os.path.join(self.home, self.where) if self._is_at_home else file
            # Dataclasses look up the module of a class in `sys.modules`.
            sys.modules[module.__name__] = module
            # Messages name the file that the user knows.
            exec(compile(text or "", file, "exec"), module.__dict__)
        return module

    @property
    def _is_at_home(self) -> bool:
        """Whether its file is below the folder of which `home` is a copy."""
        return bool(self.home) and self.where.endswith(".py") and is_below(self.where)


def is_below(path: str) -> bool:
    """Return whether a path leads to a place below the folder that it is relative to."""
    return not os.path.isabs(path) and os.path.normpath(path).split(os.sep)[0] != os.pardir


def _text(value: object) -> str:
    """Return an option in the syntax of the grammar."""
    if isinstance(value, tuple):
        return f"[{' '.join(map(_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "name", value))


def _digest(text: str) -> str:
    # Imported late, like other modules that only user code needs: it slows down every start.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]


def _fingerprint(text: str, modules: tuple[tuple[str, str], ...]) -> str:
    return _digest("\0".join([text, *chain(*modules)]))


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
    function claims to be admissible, and down otherwise."""
    name: str = ""
    """The name; by default that of the function."""
    admissible: bool = False
    """Whether the estimate never exceeds the cost to the nearest goal."""
    consistent: bool = False
    """Whether the estimate never falls by more than the cost of a move."""
    counts_tile_steps: bool = False
    """Whether it counts steps of single tiles in every metric, not moves of the puzzle."""

    is_own_code: ClassVar = True

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", getattr(self.function, "__name__", "function"))

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, which raises UnsuitableError for invalid estimates.

        Also raise it if the search makes steps into walls: their states are not boards.
        """
        refuse_async(self.function, self.name)
        if space.bumps and space.puzzle.grid.walls:
            raise UnsuitableError(
                f"'{self.name}' estimates boards, but a step into a wall leads to no board; search "
                f"without counting such steps, or use manhattan-agent"
            )
        remarks: list[str] = []

        def call(board: Board) -> Any:
            try:
                return self.function(board)
            except Exception as error:
                error.add_note(f"for the board {board.text()}")
                raise

        is_first = True

        def value(state: State) -> int:
            nonlocal is_first
            board = space.decode(state)
            estimate = call(board)
            if is_first:
                is_first = False
                self._check_repeatable(estimate, call, board, remarks)
            if type(estimate) is not int:
                estimate = self._as_int(estimate, board, remarks)
            if not 0 <= estimate <= _MOST:
                raise self._invalid_estimate(estimate, board)
            return estimate

        return Estimate(
            value, admissible=self.admissible, consistent=self.consistent, remarks=remarks
        )

    def _check_repeatable(
        self, estimate: Any, call: Callable[[Board], Any], board: Board, remarks: list[str]
    ) -> None:
        """Remark that a board got two estimates, if it does when it is estimated twice more."""
        # What the function prints is wanted once.
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            again = (call(board), call(board))
        others = [other for other in again if safe_repr(other) != safe_repr(estimate)]
        if others:
            remarks.append(
                f"'{self.name}' returned {safe_repr(estimate)} and {safe_repr(others[0])} for "
                f"{board.text()}: a heuristic must depend on the board alone, so counts change "
                f"from run to run."
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
            if isfinite(number):
                if not remarks:
                    how, effect = "down", ""
                    if self.admissible:
                        how, effect = "up", ", which keeps an admissible estimate admissible"
                    remarks.append(
                        f"'{self.name}' returned {number:g} for {board.text()}: fractions are "
                        f"rounded {how}{effect}."
                    )
                return ceil(number) if self.admissible else floor(number)
        raise self._invalid_estimate(estimate, board)

    def _invalid_estimate(self, value: object, board: Board) -> UnsuitableError:
        advice = ""
        if value is None:
            advice = "; is a return statement missing?"
        elif isinstance(value, float) and value > 0:
            advice = "; for a board that cannot be solved, return a large number such as 10**6"
        return UnsuitableError(
            f"'{self.name}' must return a whole number from 0 to {_MOST:,}; it returned "
            f"{safe_repr(value)} for {board.text()}{advice}"
        )


@dataclass(frozen=True, slots=True)
class UserHeuristic(Named):
    """Estimate by user code: a function of a board, a heuristic, or the class of one.

    The attributes `admissible` and `consistent` of a function are its claims.
    """

    code: UserCode

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
        has_more = code.arguments or code.options
        if isinstance(value, FromFunction) and (has_more or takes_goal(value.function)):
            arguments = [as_function(argument, space) for argument in code.arguments]
            options = {name: as_function(option, space) for name, option in code.options}
            call: Any = value.function
            if takes_goal(call):
                arguments.insert(0, goal_board(space))
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
            raise UserCodeError(
                f"expected {self.code} to be a function of a board or a heuristic, found "
                f"{type(value).__name__}"
            )
        is_function = isinstance(heuristic, FromFunction)
        admissible = isinstance(heuristic, FromFunction) and heuristic.admissible
        self.code.claim(Claims(is_function, admissible))
        return heuristic


def parameters_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that a call must give; none where they are unknown."""
    # Imported late: it slows down every start.
    from inspect import Parameter, signature

    with suppress(TypeError, ValueError):
        parameters = signature(function).parameters.values()
        return [each.name for each in parameters if each.default is Parameter.empty]
    return []


def refuse_async(function: Callable[..., Any], name: str) -> None:
    """Raise UserCodeError for an `async def`, whose call returns no result but a coroutine."""
    from inspect import isasyncgenfunction, iscoroutinefunction

    # An object is called by the method of its class.
    for call in (function, type(function).__call__):
        if iscoroutinefunction(call) or isasyncgenfunction(call):
            raise UserCodeError(f"'{name}' is an async function: write def instead of async def")


def takes_goal(function: Callable[..., Any]) -> bool:
    """Return whether a function of a board takes the goal too, as `search(start, goal)` does."""
    return parameters_of(function)[1:2] in (["goal"], ["goal_state"], ["goal_board"], ["target"])


def goal_board(space: Space) -> Board:
    """Return the goal as a board, for comparison; raise UnsuitableError if boards differ there."""
    goal = space.puzzle.goal
    if not goal.is_full:
        raise UnsuitableError(
            "a function of a board and the goal needs a goal that names every cell"
        )
    return Board.trusted(goal.grid, goal.cells)


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
    if isinstance(code, UserCode) and code.claims is not None:
        return code.claims.advice
    heuristic = getattr(search, "heuristic", None)
    if not getattr(search, "optimal", False):
        return ""
    claim = "give it as tq.FromFunction(…, admissible=True)"
    if isinstance(heuristic, UserHeuristic):
        claim = f"write {heuristic.code.name}.admissible = True below the function"
        if not heuristic.claims.is_function or heuristic.claims.admissible:
            return ""
    elif not isinstance(heuristic, FromFunction) or heuristic.admissible:
        return ""
    return (
        f"{heuristic.name} is not declared admissible, so the solution is not proven optimal: if "
        f"an audit finds it admissible, {claim}."
    )


def user_code_parts(value: object) -> Iterator[UserCode]:
    """Yield the user code in an algorithm or a heuristic."""
    return (part for part in parts_of(value) if isinstance(part, UserCode))


def user_part(heuristic: Heuristic | None) -> str:
    """Return the name of the user code that a heuristic depends on; empty for none.

    If several parts of a combination are user code, return the name of the combination.
    """
    if heuristic is None or not holds_user_code(heuristic):
        return ""
    joined = () if is_foreign(heuristic) else getattr(heuristic, "heuristics", ())
    parts = [name for part in joined if (name := user_part(part))]
    return parts[0] if len(parts) == 1 else heuristic.name


def interruptible(value: object) -> AbstractContextManager[object]:
    """Return a context in which Ctrl-C interrupts user code in `value`, which may never return."""
    return AtOnce() if holds_user_code(value) else nullcontext()


def with_source(value: _Value, home: str = "") -> _Value:
    """Return a copy of an algorithm or a heuristic that contains the source of its user code.

    Later edits of its files do not change the copy. It runs in the folder `home` if one is given.
    """
    parts = user_code_parts(value)
    if all(code.source is not None and code.home == (home or code.home) for code in parts):
        return value
    from copy import deepcopy

    copied = deepcopy(value)
    for code in user_code_parts(copied):
        text = code.text
        modules = code.modules_of(text)
        carried = {"modules": modules, "source": text, "home": home or code.home}
        for name, part in carried.items():
            object.__setattr__(code, name, part)
    return copied
