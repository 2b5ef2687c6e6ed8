"""The identity of user code in a run: a fingerprint for each part, and for the files that it reads.

    astar(mine.py:misplaced)        a name in a file       the text of that file and of what it
                                                           imports from its folder
    FromFunction(my_function)       a function             its code and everything it refers to
    MySearch(width=3)               a value of own class   its class and its attributes

The fingerprint is part of the key of a run, so that a record is used only for the code that
produced it. A function is identified by its compiled code, as its file may have been edited since
it was loaded, with its defaults, the variables of its closure, and the global names it uses in the
user's modules. Python, installed packages and taquin are identified by name.

A value without an identity, such as an open file or a generator, makes its part *unidentified*: it
gets a unique random fingerprint.

A study names the files that its user code reads:

    files = ["tab.pkl", "data/weights.npy"]        paths below the folder of the study

Such a study runs its user code in a copy of its folder that holds these files and the code:
`open("tab.pkl")` and `Path(__file__).with_name("tab.pkl")` both find the copy. So a run reads what
its key says, on every machine, and a file that the study does not name is missed at once.
"""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from hashlib import file_digest, sha256
from importlib.util import find_spec
from itertools import chain
from numbers import Number
from os.path import basename
from pathlib import Path, PurePath
from shutil import copyfile
from tempfile import TemporaryDirectory
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any
from uuid import uuid4

from taquin.errors import InputError
from taquin.heuristics.user_code import MISSING, FromFunction, UserCode, is_below, user_code_parts

_ATOMS = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented))
_CODE = (
    *("co_code", "co_exceptiontable", "co_consts", "co_names", "co_varnames", "co_freevars"),
    *("co_cellvars", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags"),
)
"""The attributes of compiled code that determine its behaviour; file and line numbers do not."""
SEPARATOR = "; "
"""Separates the parts in the text of a record."""
_UNKNOWN = "unidentified-"
_LIBRARIES = {"site-packages", "dist-packages"}
"""The folders of installed packages."""
_Cached = type(cache(len))
"""The type that `functools.cache` returns."""
_ATTRIBUTES: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (CodeType, "code", _CODE),
    (MethodType, "method", ("__func__", "__self__")),
    ((staticmethod, classmethod), "", ("__func__",)),
    (property, "property", ("fget", "fset")),
    (_Cached, "cached", ("__wrapped__",)),
)
"""Types whose values are identified by attributes: the type, its name (or ""), the attributes."""


@dataclass(frozen=True, slots=True)
class OwnPart:
    """One piece of user code."""

    place: str
    """Its file or module, and its name there: `mine.py:misplaced`."""
    fingerprint: str
    """A digest of the code and of everything it refers to; random if it is unidentified."""

    def __str__(self) -> str:
        return f"{self.place} {self.fingerprint}"


class _UnidentifiedError(Exception):
    """Raised for a value that has no identity."""


def own_parts(value: object) -> tuple[OwnPart, ...]:
    """Return every piece of user code in an algorithm or a heuristic.

    >>> own_parts(FromFunction(lambda board: 0)) == own_parts(FromFunction(lambda board: 1))
    False
    """
    return tuple(dict.fromkeys(_parts(value)))


def changed_part(value: object, recorded: str) -> str:
    """Return the place of a part that is not in `recorded`, the text of all parts; else empty."""
    known = recorded.split(SEPARATOR)
    for part in own_parts(value):
        # A part that was unidentified may be any code.
        was_unidentified = any(text.startswith(f"{part.place} {_UNKNOWN}") for text in known)
        if str(part) not in known and not was_unidentified:
            return part.place
    return ""


def _parts(value: object) -> Iterator[OwnPart]:
    if isinstance(value, UserCode):
        yield OwnPart(str(value), value.fingerprint)
        for path, text in value.modules_of(value.text):
            yield OwnPart(path, _Digester("").digest(text).hex()[:16])
        yield from _parts(value.arguments + value.options)
    elif isinstance(value, (*_ATOMS, Number, Enum)):
        return
    elif isinstance(value, tuple):
        for item in value:
            yield from _parts(item)
    elif isinstance(value, FromFunction) or _package(type(value)) != "taquin":
        owner = _owner(value.function if isinstance(value, FromFunction) else value)
        try:
            fingerprint = _Digester(_package(owner)).digest(value).hex()[:16]
        except (_UnidentifiedError, RecursionError):
            fingerprint = f"{_UNKNOWN}{uuid4().hex}"
        file = getattr(sys.modules.get(owner.__module__ or ""), "__file__", None)
        if isinstance(owner, FunctionType):
            file = owner.__code__.co_filename
        place = basename(file) if file else owner.__module__
        yield OwnPart(f"{place}:{owner.__qualname__}", fingerprint)
    elif is_dataclass(value):
        for attribute in fields(value):
            yield from _parts(getattr(value, attribute.name))


def _owner(value: Any) -> Any:
    """Return the function or the class behind a value."""
    for kind, attribute in ((partial, "func"), (MethodType, "__func__"), (_Cached, "__wrapped__")):
        if isinstance(value, kind):
            return _owner(getattr(value, attribute))
    return value if isinstance(value, FunctionType | BuiltinFunctionType | type) else type(value)


def _package(value: object) -> str:
    """Return the name of the top-level package of a class, a function or a module."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return str(name or "builtins").partition(".")[0]


@cache
def _is_library(package: str) -> bool:
    """Return whether a package is taquin, part of Python, or installed."""
    if package in ("taquin", "builtins", "__main__") or package in sys.stdlib_module_names:
        return package != "__main__"
    module = sys.modules.get(package)
    try:
        spec = module.__spec__ if module else find_spec(package)
    except (ImportError, ValueError):
        return False
    origin = (spec and spec.origin) or ""
    return not _LIBRARIES.isdisjoint(PurePath(origin).parts)


class _Digester:
    """Compute the digest of a value with everything it refers to in `package` or user modules."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._known: dict[int, tuple[bytes, object]] = {}
        """Digests by id, with the values, which are kept alive so that no id is reused."""
        self._above: list[int] = []
        """The ids of the values that contain the current one."""

    def digest(self, value: object) -> bytes:
        """Return the digest of a value; raise _UnidentifiedError if it has none."""
        if isinstance(value, _ATOMS):
            return self._joined(type(value).__name__, repr(value))
        here = id(value)
        if here in self._known:
            return self._known[here][0]
        if here in self._above:
            # Recursive references are identified by their distance.
            return self._joined("again", len(self._above) - self._above.index(here))
        self._above.append(here)
        digest = self._of(value)
        self._above.pop()
        self._known[here] = digest, value
        return digest

    def _joined(self, kind: str, *parts: object) -> bytes:
        """Return the digest of a kind with its parts: digests, texts and numbers."""
        total = sha256(kind.encode())
        for part in parts:
            content = part if isinstance(part, bytes) else str(part).encode()
            total.update(b"%d:" % len(content))
            total.update(content)
        return total.digest()

    def _all(self, kind: str, *values: object) -> bytes:
        return self._joined(kind, *map(self.digest, values))

    def _of(self, value: Any) -> bytes:
        kind = type(value)
        if kind in (tuple, list):
            return self._all(kind.__name__, *value)
        if kind is dict:
            return self._all("dict", *chain(*value.items()))
        if kind in (set, frozenset):
            return self._joined(kind.__name__, *sorted(map(self.digest, value)))
        if isinstance(value, UserCode):
            used = self.digest(value.arguments + value.options)
            return self._joined("own", value, value.fingerprint, used)
        if isinstance(value, ModuleType):
            return self._joined("module", value.__name__)
        if isinstance(value, FunctionType | type) and self._is_named(value):
            return self._joined("named", value.__module__, value.__qualname__)
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, BuiltinFunctionType):
            owner = None if isinstance(value.__self__, ModuleType) else value.__self__
            return self._all("built-in", value.__module__, value.__qualname__, owner)
        if isinstance(value, GetSetDescriptorType | MemberDescriptorType):
            return self._joined("slot", value.__name__)
        for types, name, attributes in _ATTRIBUTES:
            if isinstance(value, types):
                parts = (getattr(value, attribute) for attribute in attributes)
                return self._all(name or kind.__name__, *parts)
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            raise _UnidentifiedError from None
        values = (reduced,) if isinstance(reduced, str) else reduced
        content = (list(part) if isinstance(part, Iterator) else part for part in values)
        return self._all("value", type(value), *content)

    def _is_named(self, value: object) -> bool:
        package = _package(value)
        is_library = package == "taquin" or (package != self._package and _is_library(package))
        # Lambdas and local functions may share a name.
        return is_library and "<" not in getattr(value, "__qualname__", "")

    def _function(self, function: FunctionType) -> bytes:
        cells: list[object] = []
        for cell in function.__closure__ or ():
            # An unbound variable has no content.
            with suppress(ValueError):
                cells.append(...)
                cells[-1] = cell.cell_contents
        return self._joined(
            "function",
            self.digest(function.__code__),
            self._all("defaults", function.__defaults__, function.__kwdefaults__, cells),
            *self._used(function.__code__, function.__globals__),
        )

    def _used(self, code: CodeType, names: dict[str, Any]) -> Iterator[bytes]:
        """Yield the digests of the global names that compiled code uses."""
        for step in dis.get_instructions(code):
            name = str(step.argval)
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and name in names:
                yield self._joined("global", name, self._global(names[name], code))
            elif step.opname == "IMPORT_NAME":
                module = sys.modules.get(name)
                if module is None and not (name and _is_library(name.partition(".")[0])):
                    raise _UnidentifiedError
                yield self._joined("import", name, self._global(module, code) if module else b"")
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from self._used(inner, names)

    def _global(self, value: object, code: CodeType) -> bytes:
        if not isinstance(value, ModuleType) or self._is_named(value):
            return self.digest(value)
        # Only the names of the user's module that the code uses.
        used = [(name, vars(value)[name]) for name in code.co_names if name in vars(value)]
        own = [self._joined(name, self._global(member, code)) for name, member in used]
        return self._joined("module", value.__name__, *own)

    def _class(self, kind: type) -> bytes:
        is_generated = "__dataclass_fields__" in vars(kind)
        members: list[object] = []
        for name, member in sorted(vars(kind).items()):
            is_special = name.startswith("__") and name.endswith("__")
            code = getattr(member, "__code__", None)
            # Skip the methods that a dataclass generates from its fields.
            is_derived = code is None or (is_generated and code.co_filename == "<string>")
            if not (is_special and is_derived) and name != "_abc_impl":
                members += [name, member]
        return self._all("class", kind.__qualname__, kind.__bases__, type(kind), members)


@dataclass(frozen=True, slots=True)
class StudyFiles:
    """The files of a study. Raise InputError for a path that does not lead below the folder."""

    names: tuple[str, ...] = ()
    """Their paths, from the folder of the study."""
    folder: str = ""
    """The folder of the study; the current folder by default."""

    def __post_init__(self) -> None:
        for name in self.names:
            if not name or not is_below(name):
                raise InputError(f"expected a file below the folder of the study, found {name!r}")

    def parts(self, home: str = "") -> tuple[OwnPart, ...]:
        """Return the identity of each file, of the copy in `home` if there is one."""
        parts = []
        for name in self.names:
            fingerprint = MISSING
            with suppress(OSError), open(os.path.join(home or self.folder, name), "rb") as file:
                fingerprint = file_digest(file, "sha256").hexdigest()[:16]
            parts.append(OwnPart(name, fingerprint))
        return tuple(parts)

    @contextmanager
    def copied(self, algorithms: object) -> Iterator[str]:
        """Copy the files, and the code of some algorithms, to a folder; it is empty for no files.

        Raise InputError for a file that cannot be read.
        """
        if not self.names:
            yield ""
            return
        # A file that is in use cannot be deleted on Windows.
        with TemporaryDirectory(prefix="taquin-", ignore_cleanup_errors=True) as home:
            for name in self.names:
                target = Path(home, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    copyfile(os.path.join(self.folder, name), target)
                except OSError as error:
                    raise InputError(
                        f"files: cannot read {name!r} in the folder of the study "
                        f"({(error.strerror or str(error)).lower()})"
                    ) from None
            for code in user_code_parts(algorithms):
                # It may look at the folder that it is in.
                if code.text is not None and code.where.endswith(".py") and is_below(code.where):
                    target = Path(home, code.where)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(code.text, encoding="utf-8")
            yield home


def contents(home: str) -> Mapping[str, bytes]:
    """Return the files of a folder by their paths, to send them to another machine."""
    files = (path for path in Path(home).rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}


def written(files: Mapping[str, bytes]) -> TemporaryDirectory[str]:
    """Write what `contents` returned into a new folder."""
    folder = TemporaryDirectory(prefix="taquin-", ignore_cleanup_errors=True)
    for path, content in files.items():
        target = Path(folder.name, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder
