"""Locate the library of compiled kernels of this platform, and compute the symbols of kernels.

Every start imports this module, so it does not even import pathlib.

A symbol is a hash of the code that a kernel is compiled from:

    @kernel
    def walk(tree: Tree) -> int:      walk, and by name everything that it uses: `step`, `Tree`,
        return step(tree, LIMIT)      `LIMIT`, what these use, and so on, across files

Only code counts: the syntax tree without docstrings. Comments, line endings and unrelated functions
in the same file do not change the symbol, so libraries are rebuilt only when compiled code changes.

Parsing takes a tenth of a second, so `native/kernels.json` records the symbols, with hashes of the
files that they were computed from. Symbols are computed here only after such a file was edited,
which happens in a checkout. `tools/kernels.py` writes the record.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from taquin.system.arrays import Kind, records_in
from taquin.system.compiled import FOLDER, can_run_kernels, library_path, no_kernels

if TYPE_CHECKING:
    import ast


def missing_kernel(name: str) -> str:
    """Return the message for a kernel that is not in this platform's library."""
    if not can_run_kernels():
        return no_kernels()
    return (
        f"the library {library_path()} is outdated: it lacks the current {name}. In a checkout "
        "run make kernels; otherwise reinstall taquin"
    )


INTERFACE = 1
"""Increase it when the calling convention of kernels, or the compiler, changes."""
PACKAGE = os.path.dirname(os.path.dirname(__file__))
RECORD = "kernels.json"
_OPAQUE = {f"taquin.system.{name}" for name in ("arguments", "arrays", "kernels")}
"""Modules of which compiled code uses only names built into the compiler."""


def symbol_of(function: Callable[..., Any], kinds: Sequence[Kind]) -> str:
    """Return the symbol under which libraries export a kernel for arguments of some kinds."""
    name, digest = _name(function), kinds_digest(kinds)
    record = recorded_symbols(os.path.join(FOLDER, RECORD))
    files, symbols = record.get(name, ({}, {}))
    if digest in symbols and all(is_unchanged(file, files[file]) for file in files):
        return str(symbols[digest])
    return computed_symbol(function, kinds)[0]


def computed_symbol(
    function: Callable[..., Any], kinds: Sequence[Kind]
) -> tuple[str, dict[str, str]]:
    """Return the symbol of a kernel, and the hashes of the files that it was computed from."""
    start = [(function.__module__, function.__qualname__)]
    records = {(record.__module__, record.__qualname__) for record in records_in(kinds)}
    texts, files = _reachable([*start, *sorted(records)])
    text = "\n".join([str(INTERFACE), _name(function), *map(str, kinds), *sorted(texts)])
    symbol = f"kernel_{_hash_of(text)}"
    return symbol, {file: file_digest(file) for file in sorted(files)}


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _hash_of(text: str) -> str:
    # Imported late: it loads OpenSSL, and most boards need no kernel.
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]


def kinds_digest(kinds: Sequence[Kind]) -> str:
    """Return a short hash of the kinds of a kernel's arguments."""
    return _hash_of("\n".join(map(str, kinds)))[:8]


@cache
def recorded_symbols(path: str) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Return the record: for each kernel the files of its code and its symbols by kinds."""
    try:
        with open(path, encoding="utf-8") as file:
            record: dict[str, tuple[dict[str, str], dict[str, str]]] = json.load(file)
            return record
    except (OSError, ValueError):
        return {}


def is_unchanged(file: str, digest: str) -> bool:
    """Return whether a source has the recorded hash, or is not installed."""
    return file_digest(file) in (digest, "")


@cache
def file_digest(file: str) -> str:
    """Return the hash of a source file of the package; empty if there is no such file."""
    content = _content(file)
    return content and _hash_of(content)


@cache
def _content(file: str) -> str:
    try:
        # Universal newlines: a checkout with CRLF has the same code.
        with open(os.path.join(PACKAGE, file), encoding="utf-8") as source:
            return source.read()
    except OSError:
        return ""


class _Module:
    """The top level of a source: which statements bind which name."""

    def __init__(self, name: str) -> None:
        import ast

        self.bound: dict[str, list[ast.stmt]] = {}
        """For each name the statements that define it or register an implementation of it."""
        self.imported: dict[str, tuple[str, str]] = {}
        """For each name imported from taquin, its module and its name there."""
        self.file = _file_of(name)
        for statement in ast.parse(_content(self.file)).body:
            for node in [statement, *getattr(statement, "body", ())]:
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taquin"):
                    for alias in node.names:
                        self.imported[alias.asname or alias.name] = (str(node.module), alias.name)
            for bound in _names_bound(statement):
                self.bound.setdefault(bound, []).append(statement)


@cache
def _module(name: str) -> _Module:
    return _Module(name)


def _file_of(module: str) -> str:
    """Return the file of a module of taquin, below the package."""
    return f"{module.removeprefix('taquin.').replace('.', '/')}.py"


@cache
def _has_source(module: str) -> bool:
    return module.startswith("taquin.") and bool(_content(_file_of(module)))


def _names_bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines; `f` for an implementation under `@f.register`."""
    import ast

    targets: list[ast.expr] = []
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
        for node in statement.decorator_list:
            called = node.func if isinstance(node, ast.Call) else node
            if isinstance(called, ast.Attribute) and called.attr == "register":
                targets.append(called.value)
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    for target in targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _reachable(start: Sequence[tuple[str, str]]) -> tuple[set[str], set[str]]:
    """Return the code that is reachable from some (module, name) pairs, and its files."""
    import ast

    texts: set[str] = set()
    files: set[str] = set()
    # The module of a record registers the implementations that the record selects.
    registered: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for module in sorted({module for module, _ in start}):
        for name, origin in _module(module).imported.items():
            registered.setdefault(origin, []).append((module, name))
    seen: set[tuple[str, str]] = set()
    waiting = list(start)
    while waiting:
        module, name = place = waiting.pop()
        if place in seen or module in _OPAQUE or not _has_source(module):
            continue
        seen.add(place)
        source = _module(module)
        files.add(source.file)
        waiting += registered.get(place, ())
        if name in source.imported:
            waiting.append(source.imported[name])
        for statement in source.bound.get(name, ()):
            texts.add(f"{module} {_text(statement)}")
            for node in ast.walk(statement):
                if isinstance(node, ast.Name):
                    waiting.append((module, node.id))
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    # `module.name`, where the module was imported as a whole.
                    origin = source.imported.get(node.value.id, ("", ""))
                    waiting.append((".".join(origin), node.attr))
    return texts, files


def _text(node: object) -> str:
    """Return a syntax tree as text, the same in all versions of Python, without docstrings."""
    import ast

    if isinstance(node, list):
        return "[" + " ".join(_text(item) for item in node if not _is_docstring(item)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [
        f"{name}={_text(value)}"
        for name, value in ast.iter_fields(node)
        # Fields that newer versions of Python added are empty in code that older ones can parse.
        if value not in (None, []) and name not in ("ctx", "kind", "type_comment")
    ]
    return f"{type(node).__name__}({' '.join(fields)})"


def _is_docstring(node: object) -> bool:
    import ast

    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return isinstance(node.value.value, str)
    return False
