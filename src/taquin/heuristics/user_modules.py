"""Modules that user code imports from its own folder: find them, and load exactly what was found.

    mine.py         import helper; from shapes.square import area
    helper.py       import other
    other.py
    shapes/         of a package every module belongs to the code

They are part of the fingerprint of the code and travel to workers with it. Imports are found in the
syntax tree, so nothing is run. A module of a computed name, as in `import_module(name)`, is not
found: it is imported from the folder as usual.

The sources are loaded as they were read, so no edited file and no outdated cache of Python is
loaded under the fingerprint of another version.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.abc import ExecutionLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path, PurePosixPath
from types import ModuleType

from taquin.system.files import read_text

Modules = tuple[tuple[str, str], ...]
"""The path of each module below the folder, with slashes, and its source."""
_INIT = "__init__"
_LIBRARIES = {"site-packages", "dist-packages"}
"""The folders of installed packages."""


def modules_beside(text: str, folder: str) -> Modules:
    """Return the modules in a folder that a source imports, directly or through each other."""
    place = Path(folder)
    is_library = not _LIBRARIES.isdisjoint(place.parts) or place == Path(os.__file__).parent
    if is_library or not folder:
        return ()
    found: dict[str, str] = {}
    waiting = [text]
    while waiting:
        for name in _imports_of(waiting.pop()):
            for file in _files_of(place, name):
                path = file.relative_to(place).as_posix()
                if path not in found:
                    with suppress(OSError, UnicodeDecodeError):
                        found[path] = read_text(file)
                        waiting.append(found[path])
    return tuple(sorted(found.items()))


@lru_cache(maxsize=64)
def _imports_of(text: str) -> tuple[str, ...]:
    """Return the top-level modules and packages that a source imports, anywhere in it."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    # A relative import stays within a package, all of which is taken.
    names += [
        str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) if not node.level
    ]
    return tuple(dict.fromkeys(name.partition(".")[0] for name in names))


def _files_of(folder: Path, name: str) -> list[Path]:
    """Return the files of a module or a package of a folder, which Python would import."""
    package, module = folder / name, folder / f"{name}.py"
    if name == "taquin":
        return []
    if module.is_file() and not (package / f"{_INIT}.py").is_file():
        return [module]
    return sorted(package.rglob("*.py"))


def name_of(path: str) -> str:
    """Return the name of the module with a path.

    >>> name_of("helper.py"), name_of("shapes/__init__.py"), name_of("shapes/square.py")
    ('helper', 'shapes', 'shapes.square')
    """
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == _INIT else parts)


class _Importer(ExecutionLoader):
    """Finds and loads the modules of user code, the last version of each."""

    def __init__(self) -> None:
        self._modules: dict[str, tuple[str, str]] = {}
        """The file and the source of each module, by its name."""

    def replace(self, modules: Modules, folder: str) -> None:
        """Serve these modules; forget those that another version of the code has loaded."""
        new = {
            name_of(path): (os.path.join(folder, *path.split("/")), text) for path, text in modules
        }
        if any(self._modules.get(name) != module for name, module in new.items()):
            tops = {name.partition(".")[0] for name in new}
            self._modules = {
                name: module
                for name, module in self._modules.items()
                if name.partition(".")[0] not in tops
            }
            for name, module in list(sys.modules.items()):
                # A module that the calling program has imported itself stays.
                if name.partition(".")[0] in tops and getattr(module, "__loader__", None) is self:
                    del sys.modules[name]
        self._modules |= new

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module of user code; None for any other."""
        if name in self._modules:
            return spec_from_loader(name, self)
        if any(module.startswith(f"{name}.") for module in self._modules):
            spec = ModuleSpec(name, self, is_package=True)
            spec.submodule_search_locations = []
            return spec
        return None

    def get_filename(self, fullname: str) -> str:
        """Return the file of a module."""
        if fullname not in self._modules:
            raise ImportError(name=fullname)
        return self._modules[fullname][0]

    def get_source(self, fullname: str) -> str:
        """Return the source of a module; empty for a folder without `__init__.py`."""
        return self._modules.get(fullname, ("", ""))[1]

    def is_package(self, fullname: str) -> bool:
        """Return whether a module is a package."""
        return Path(self.get_filename(fullname)).stem == _INIT


_importer = _Importer()


@contextmanager
def importing(modules: Modules, folder: str) -> Iterator[None]:
    """Import these modules of a folder before all others; afterwards if there are no others.

    Functions may import later, when the folder is no longer searched.
    """
    _importer.replace(modules, folder)
    if folder:
        sys.path.insert(0, folder)
    with suppress(ValueError):
        sys.meta_path.remove(_importer)
    sys.meta_path.insert(0, _importer)
    try:
        yield
    finally:
        with suppress(ValueError):
            sys.path.remove(folder)
        with suppress(ValueError):
            sys.meta_path.remove(_importer)
        sys.meta_path.append(_importer)
