"""Imports on first use: public names, hooks into higher layers, extras.

A package `p` with the line

    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)

exports every name of its stub `p/__init__.pyi`, whose lines read

    from taquin.model.board import Board as Board

So type checkers and the runtime share one list, and importing the package only reads that small
file.

Boards and results must not import views and notation, which are higher layers: `taquin/__init__.py`
registers a drawer and a reader here. Extras may be missing: `not_installed` says what to install.
"""

from __future__ import annotations

# Every start imports this module: keep its imports minimal.
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
        from importlib import import_module

        if name not in modules:
            hint = ""
            beside = os.path.join(os.path.dirname(file), name)
            is_module = os.path.exists(f"{beside}.py") or os.path.isdir(beside)
            # `from package import module` asks here before it imports a module.
            if not (name.startswith("_") or is_module):
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


class LazyRegistry(dict[str, "Any"]):
    """A dictionary whose values, given as the text `module:name`, are loaded on first use."""

    def __getitem__(self, name: str) -> Any:
        entry = super().__getitem__(name)
        if isinstance(entry, str):
            from importlib import import_module

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


# Every start imports this module: keep its imports minimal.
if TYPE_CHECKING:
    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; returns None if it cannot."""
    Reader = Callable[[type, Any], Any]
    """Converts a text or a JSON object to a value of a type."""

_drawer: Drawer | None = None
_reader: Reader | None = None


def draw_with(drawer: Drawer) -> None:
    """Register the function that draws every `Pictured` value."""
    global _drawer
    _drawer = drawer


def read_with(reader: Reader) -> None:
    """Register the function behind `read_as`."""
    global _reader
    _reader = reader


def read_as(kind: type, value: object) -> Any:
    """Parse a text or a JSON object as a value of type `kind`; raise NotationError.

    See `taquin.notation.boards.read_value` for the types.
    """
    assert _reader is not None, "importing taquin registers the reader"
    return _reader(kind, value)


class Pictured:
    """A value that notebooks display as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawer(self, "svg") if _drawer is not None else None

    def _repr_html_(self) -> str | None:
        return _drawer(self, "html") if _drawer is not None else None


def install_command(extra: str, prefix: str = "") -> str:
    """Return the command that adds an extra to the environment at `prefix` (default: this one).

    All shells, those of Windows included, understand double quotes.

    >>> install_command("web", prefix="/usr")
    'pip install "taquin[web]"'
    """
    prefix = prefix or sys.prefix
    tool = "pip install"
    if os.path.exists(os.path.join(prefix, "pipx_metadata.json")):
        tool = "pipx install --force"
    elif os.path.exists(os.path.join(prefix, "uv-receipt.toml")):
        tool = "uv tool install"
    elif _made_by_uv(prefix):
        tool = "uv pip install"
    return f'{tool} "taquin[{extra}]"'


def not_installed(need: str, extra: str) -> str:
    """Return the message for a library that is missing; `need` is "graphs need NetworkX"."""
    # Imported late: `import taquin` needs no sentences.
    from taquin.reasons import Reason, reason

    return reason("not-installed", need=Reason(need), command=install_command(extra))


def _made_by_uv(prefix: str) -> bool:
    """Return whether uv created an environment, which then has no pip."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as settings:
            return any(line.partition("=")[0].strip() == "uv" for line in settings)
    except OSError:
        return False
