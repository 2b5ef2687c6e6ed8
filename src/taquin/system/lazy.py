"""Public names that are loaded on first use.

A package `p` with the line

    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)

offers every name of the stub beside it, `p/__init__.pyi`, whose lines read

    from taquin.model.board import Board as Board

So type checkers and the running package share one list, and importing the package only reads that
small file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Nothing else is imported here: it would slow every start.
if TYPE_CHECKING:
    from collections.abc import Callable


def lazy_names(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for a package with a stub of public names."""
    homes = {}
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:
        for line in stub:
            words = line.split()
            if words[:1] == ["from"] and words[-2:-1] == ["as"]:
                homes[words[-1]] = words[1]
    names = sorted(homes)

    def load(name: str) -> Any:
        """Load a public name on first use."""
        if name not in homes:
            hint = ""
            if not name.startswith("_"):
                # Imported late: only a misspelt name needs it.
                from taquin.system.words import did_you_mean

                hint = f". {did_you_mean(name, names)}".rstrip(". ")
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        home = homes[name]
        # `taquin.lab` is a module of the package, not a name in one.
        is_module = home == package
        value = import_module(f"{home}.{name}") if is_module else getattr(import_module(home), name)
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
