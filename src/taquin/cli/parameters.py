"""The kinds of values that options take: sizes, amounts, enumerations, orders of directions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import click

from taquin.model.moves import Direction
from taquin.system.words import amount

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Choice = click.Choice[str]
    ParamType = click.ParamType[Any]
else:
    # Not every version of Click lets its types be subscripted.
    Choice = click.Choice
    ParamType = click.ParamType

_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[x×X*]\s*([0-9]{1,3}))?")


class EnumChoice(Choice):
    """One member of an enumeration, by its value."""

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__([str(member.value) for member in kind], case_sensitive=False)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the member whose value is `value`."""
        if isinstance(value, self.kind):
            return value
        return self.kind(super().convert(value, param, ctx))


class Amount(ParamType):
    """A whole number that may be written 1_000_000, 1e6 or 1M; with `size` a size in bytes."""

    def __init__(self, name: str, size: bool = False) -> None:
        self.name = name
        self.size = size

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that `value` is written for."""
        if isinstance(value, int):
            return value
        number = amount(value, self.size)
        if number is None:
            examples = "500M or 2G" if self.size else "5000, 1e6 or 2M"
            self.fail(f"expected a number such as {examples}, found {value!r}", param, ctx)
        return number


class Factor(ParamType):
    """A finite number; whole ones stay whole, so that 2 prints as 2."""

    name = "factor"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number that `value` is written for."""
        try:
            number = float(value)
        except ValueError:
            number = nan
        if not isfinite(number):
            self.fail(f"expected a number such as 2 or 1.5, found {value!r}", param, ctx)
        return int(number) if number.is_integer() else number


class DirectionOrder(ParamType):
    """The four directions in one order, each by its initial."""

    name = "order"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the directions in the order of their letters."""
        if not isinstance(value, str):
            return value
        if sorted(value.upper()) != sorted("UDLR"):
            self.fail(f"expected U, D, L and R once each, found {value!r}", param, ctx)
        return tuple(Direction.of_letter(letter) for letter in value)


class GridSize(ParamType):
    """Rows × columns, such as `4x4`; one number for a square."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number of rows and of columns."""
        if not isinstance(value, str):
            return value
        match = _SIZE.fullmatch(value.strip())
        if match is None:
            self.fail(f"expected rows x columns, such as 4x4, found {value!r}", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class Named(ParamType):
    """A name that the library resolves, completed from a list of `known` ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the known names that begin with what was typed."""
        # Only the tab key needs it, and importing it costs every start-up.
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.known if name.startswith(incomplete)]
