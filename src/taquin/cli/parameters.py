"""The types of parameters, each of which rejects any other text in one sentence.

expected a whole number, 1 or more, found 'many'
expected seconds, such as 10, 0.5 or 2m, found 'soon'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import click

from taquin.system.words import amount, shorten

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_MAX_QUOTED = 60
"""Characters of an argument that a message quotes."""
_MAX_SIZE = 40
"""Characters of the longest size of a grid."""


class Parsed(click.ParamType):  # type: ignore[type-arg]
    """A value that `parse` reads from text; its ValueError says what was expected."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self.parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that a text stands for."""
        try:
            return self.parse(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(f"expected {error}, found {shorten(value)}", param, ctx)


def number_type(least: float, most: float = inf, *, whole: bool = False) -> Parsed:
    """Return the type of numbers from `least` to `most`; with `whole`, of whole numbers."""

    def parse(text: str) -> float:
        with suppress(ValueError):
            number = int(text) if whole else float(text)
            # This is false for nan too.
            if least <= number <= most:
                return number
        kind = "a whole number" if whole else "a number"
        bounds = f"{least:g} or more" if most == inf else f"from {least:g} to {most:g}"
        raise ValueError(f"{kind}, {bounds}")

    return Parsed("number", parse)


def _read_seconds(text: str, zero: bool = True) -> float:
    pattern = r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][0-9]{1,2})?)\s*(ms|s|sec|m|min|h)?"
    units = {"ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}
    match = re.fullmatch(pattern, text.strip())
    seconds = float(match[1]) * units[match[2] or "s"] if match else None
    if seconds is None or not (seconds or zero):
        raise ValueError("seconds, such as 10, 0.5 or 2m")
    return seconds


def _read_amount(text: str, size: bool = False) -> int:
    number = amount(text, size)
    if number is None:
        raise ValueError(f"a number such as {'500M or 2G' if size else '5000, 1e6 or 2M'}")
    return number


def read_size(text: str) -> tuple[int, int]:
    """Return rows and columns, such as `4x4` or `4 4`; one number stands for a square.

    Raise ValueError if the text is something else.
    """
    pattern = r"([0-9]{1,3})(?:(?:\s*[x×X*,]\s*|\s+)([0-9]{1,3}))?"
    match = re.fullmatch(pattern, text[:_MAX_SIZE].strip())
    if match is None:
        raise ValueError("rows x columns, such as 4x4")
    return int(match[1]), int(match[2] or match[1])


SECONDS = Parsed("seconds", _read_seconds)
"""A time in seconds, or with its unit: `10`, `0.5`, `500ms`, `2m`, `1h`."""
POSITIVE_SECONDS = Parsed("seconds", partial(_read_seconds, zero=False))
AMOUNT = Parsed("n", _read_amount)
"""A whole number that may be written 1_000_000, 1e6 or 1M."""
BYTES = Parsed("size", partial(_read_amount, size=True))
"""A size in bytes: 500M, 2GB, 1GiB."""
GRID_SIZE = Parsed("size", read_size)


class Named(click.ParamType):  # type: ignore[type-arg]
    """Text that the library resolves; `name` is its metavar, `known` names are completed."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the known names that begin with `incomplete`."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.known if name.startswith(incomplete)]


class EnumChoice(click.Choice):  # type: ignore[type-arg]
    """One member of an enumeration, by its value."""

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__([str(member.value) for member in kind], case_sensitive=False)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the member whose value is `value`."""
        try:
            # The enumeration may accept further names.
            return self.kind(value)
        except ValueError:
            return self.kind(super().convert(str(value)[:_MAX_QUOTED], param, ctx))
