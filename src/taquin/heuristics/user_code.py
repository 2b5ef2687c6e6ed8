"""Load user code: a name in a file or a module of the user's, with options in brackets.

    mine.py:estimate                        a function of a board, a class, or a value
    mine.py:Beam(linear-conflict, width=3)  the class called with a heuristic and a number

User code runs only when a search is about to begin: reading, listing and reporting a study never
run it. Its errors are reported in one sentence with file and line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

from taquin.errors import IllegalMoveError, OwnCodeError, TaquinError
from taquin.system.files import read_text
from taquin.system.interrupts import USER_FILES

_loaded: dict[tuple[str, str], ModuleType] = {}
_files: set[str] = set()
"""The files of user code that was loaded."""


@contextmanager
def blaming_user_code() -> Iterator[None]:
    """Turn an exception that user code raises into OwnCodeError; leave every other alone."""
    try:
        yield
    except Exception as error:
        # An illegal move is raised by a board, and its place in the user's code is worth naming.
        if isinstance(error, TaquinError) and not isinstance(error, IllegalMoveError):
            raise
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
    arguments: tuple[object, ...] = ()
    """What its brackets hold without a name: heuristics."""
    options: tuple[tuple[str, object], ...] = ()
    """What they hold by name: heuristics, numbers, truth values and texts."""

    @classmethod
    def read(cls, text: str, folder: str = "") -> OwnCode:
        """Return what `text` names: `file.py:name` or `module:name`, without brackets."""
        where, _, name = text.rpartition(":")
        if not where or not name.isidentifier():
            raise OwnCodeError(
                f"expected file.py:name or module:name for code of your own, found {text[:60]!r}"
            )
        return cls(where, name, folder)

    def __str__(self) -> str:
        """Return the text that names it, with its brackets."""
        named = (f"{name}={_text(value)}" for name, value in self.options)
        inner = ", ".join([*map(_text, self.arguments), *named])
        return f"{self.where}:{self.name}({inner})" if inner else f"{self.where}:{self.name}"

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
        # A pipe can be read only once, and a device may have no end.
        if self.source is not None or self.path is None or not os.path.isfile(self.path):
            return self.source
        try:
            return read_text(self.path)
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
            if os.path.isfile(self.path or ""):
                raise OwnCodeError(f"expected Python in UTF-8, at most 16 MB, in {self.where!r}")
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
        # A call with wrong arguments fails outside the user's file and would not be blamed on it.
        # Some functions of C have no signature (ValueError); they are tried.
        try:
            with suppress(ValueError):
                board = () if is_class else (None,)
                signature(value).bind(*board, *self.arguments, **dict(self.options))
        except TypeError as error:
            board_first = "" if is_class else "a board, then "
            raise OwnCodeError(
                f"{self} cannot be called ({error}): it gets {board_first}what is written in "
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


def _text(value: object) -> str:
    """Return an option as the grammar reads it."""
    if isinstance(value, tuple):
        return f"[{' '.join(map(_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "name", value))


def _digest(text: str) -> str:
    # Imported late, as other modules that only user code needs: it would slow every start.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]
