"""Load user code: a name in a file or a module of the user's, with options in brackets.

    mine.py:estimate                        a function of a board, a class, or a value
    mine.py:Beam(linear-conflict, width=3)  the class called with a heuristic and a number

User code runs only when a search is about to begin: parsing, listing and reporting a study never
run it. Every exception that it raises is reported in one sentence with file and line.

In the library, user code runs in the calling process. The command line and studies run it in a
worker process (`taquin.engine.isolated`). Results contain what the parent needs to know about the
code (`Claims`), so the parent never loads it.
"""

from __future__ import annotations

import os
import sys
from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from io import UnsupportedOperation
from types import ModuleType
from typing import Any

from taquin.errors import IllegalMoveError, OwnCodeError, TaquinError
from taquin.system import interrupts

_loaded: dict[tuple[str, str], ModuleType] = {}
_files: set[str] = set()
"""The files of all user code loaded so far."""


@contextmanager
def blaming_user_code() -> Iterator[None]:
    """Convert exceptions raised by user code, SystemExit included, to OwnCodeError."""
    try:
        yield
    except BaseException as error:
        if (blame := _blame(error)) is None:
            raise
        raise blame from error


def _blame(error: BaseException) -> OwnCodeError | None:
    """Return the OwnCodeError for an exception raised by user code; None for any other."""
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
    blame = OwnCodeError(f"{lines[-1]}: {message.removesuffix(': ')}")
    for note in getattr(error, "__notes__", ()):
        blame.add_note(note)
    return blame


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
class OwnCode:
    """A name in a file or a module of the user's. Nothing is executed before `load`."""

    where: str
    """The file, ending in `.py`, or the module, as it was written."""
    name: str
    folder: str = field(default="", compare=False, repr=False)
    """The folder of a relative file; the current folder by default."""
    source: str | None = field(default=None, compare=False, repr=False)
    """The source, if `with_source` has added it."""
    arguments: tuple[object, ...] = ()
    """The positional arguments in its brackets: heuristics."""
    options: tuple[tuple[str, object], ...] = ()
    """The keyword arguments: heuristics, numbers, truth values and texts."""
    claims: Claims | None = field(default=None, compare=False, repr=False)
    """Facts about the code; None until it was loaded, here or in a worker process."""

    @classmethod
    def read(cls, text: str, folder: str = "") -> OwnCode:
        """Parse `file.py:name` or `module:name`, without brackets; raise OwnCodeError."""
        where, _, name = text.rpartition(":")
        if not where or not name.isidentifier():
            raise OwnCodeError(
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
        """The hash of the current source, part of the key of a record."""
        text = self.text
        return "missing" if text is None else _digest(text)

    def load(self) -> Any:
        """Run the code and return the value of `name`; raise OwnCodeError with the line."""
        text = self.text
        if text is None and self.where.endswith(".py"):
            if os.path.isfile(self.path or ""):
                raise OwnCodeError(f"expected Python in UTF-8, at most 16 MB, in {self.where!r}")
            raise OwnCodeError(f"there is no file {self.where!r} to load {self.name!r} from")
        key = (self.where, self.fingerprint)
        if key not in _loaded:
            _files.add(self.path or self.where)
            with blaming_user_code():
                _loaded[key] = self._run(text)
        try:
            return getattr(_loaded[key], self.name)
        except AttributeError:
            raise OwnCodeError(f"there is no {self.name!r} in {self.where}") from None

    def claim(self, claims: Claims) -> None:
        """Store facts about the code."""
        object.__setattr__(self, "claims", claims)

    def value(self) -> Any:
        """Run the code and return its value, a class called with the options.

        A function is returned as it is; raise OwnCodeError if it cannot be called with a board and
        the options.
        """
        value = self.load()
        if not callable(value) or (not isinstance(value, type) and hasattr(value, "name")):
            if self.arguments or self.options:
                raise OwnCodeError(f"{self.where}:{self.name} is a value and takes no options")
            return value
        from inspect import signature

        is_class = isinstance(value, type)
        # A call with wrong arguments would fail outside the user's file and not be attributed to
        # it. Some C functions have no signature (ValueError); call them without this check.
        try:
            with suppress(ValueError):
                board = () if is_class else (None,)
                signature(value).bind(*board, *self.arguments, **dict(self.options))
        except TypeError as error:
            board_first = "" if is_class else "a board, then "
            raise OwnCodeError(
                f"{self} cannot be called ({error}): it gets {board_first}the arguments in "
                f"brackets, such as {self.where}:{self.name}(manhattan, option=3)"
            ) from None
        return value(*self.arguments, **dict(self.options)) if is_class else value

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
        # Dataclasses look up the module of a class in `sys.modules`.
        sys.modules[module.__name__] = module
        folder = os.path.dirname(os.path.abspath(file))
        sys.path.insert(0, folder)
        try:
            exec(compile(text or "", file, "exec"), module.__dict__)
        finally:
            with suppress(ValueError):
                sys.path.remove(folder)
        return module


def _text(value: object) -> str:
    """Return an option in the syntax of the grammar."""
    if isinstance(value, tuple):
        return f"[{' '.join(map(_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "name", value))


def _digest(text: str) -> str:
    # Imported late, like other modules that only user code needs: it slows down every start.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]
