"""Import public names lazily, on first use.

A package `p` with the line

    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)

exports every name of its stub `p/__init__.pyi`, whose lines read

    from taquin.model.board import Board as Board

So type checkers and the runtime share one list, and importing the package only reads that small
file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Every start imports this module: keep its imports minimal.
if TYPE_CHECKING:
    from collections.abc import Callable


def lazy_names(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for a package with a stub of public names."""
    modules = {}
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:
        for line in stub:
            tokens = line.split()
            if tokens[:1] == ["from"] and tokens[-2:-1] == ["as"]:
                modules[tokens[-1]] = tokens[1]
    names = sorted(modules)

    def load(name: str) -> Any:
        """Import a public name on first use."""
        if name not in modules:
            hint = ""
            if not name.startswith("_"):
                # Imported late: only a misspelt name needs it.
                from taquin.system.formatting import did_you_mean

                hint = f". {did_you_mean(name, names)}".rstrip(". ")
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        module = modules[name]
        if module == package:  # a submodule, such as `taquin.lab`
            value = import_module(f"{module}.{name}")
        else:
            value = getattr(import_module(module), name)
        setattr(import_module(package), name, value)
        return value

    return load, lambda: names, names


class LazyRegistry(dict[str, Any]):
    """A dictionary whose values, given as the text `module:name`, are loaded on first use."""

    def __getitem__(self, name: str) -> Any:
        entry = super().__getitem__(name)
        if isinstance(entry, str):
            module, _, kind = entry.partition(":")
            entry = self[name] = self.loaded(getattr(import_module(f"taquin.{module}"), kind))
        return entry

    def loaded(self, value: Any) -> Any:
        """Return the value of an entry whose text names `value`."""
        return value

    def items(self) -> Any:
        """Return all names and values."""
        return [(name, self[name]) for name in self]

    def values(self) -> Any:
        """Return all values."""
        return [self[name] for name in self]
