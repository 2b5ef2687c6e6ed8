"""Parameter types for numbers and times, which reject anything else in one sentence.

expected a whole number, 1 or more, found 'many'
expected seconds, such as 10, 0.5 or 2m, found 'soon'
"""

from __future__ import annotations

import re
from math import inf
from typing import Any

import click

from taquin.system.words import shorten

_SECONDS = r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][0-9]{1,2})?)\s*(ms|s|sec|m|min|h)?"
_UNITS = {"ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}


class Number(click.ParamType):  # type: ignore[type-arg]
    """A number from `least` to `most`; with `whole`, a whole number."""

    name = "number"

    def __init__(self, least: float, most: float = inf, *, whole: bool = False) -> None:
        self.least, self.most, self.whole = least, most, whole

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number that `value` stands for."""
        try:
            number = int(value) if self.whole else float(value)
        except ValueError:
            number = None
        least, most = self.least, self.most
        # Written this way the comparison rejects nan too.
        if number is None or not least <= number <= most:
            kind = "a whole number" if self.whole else "a number"
            bounds = f"{least:g} or more" if most == inf else f"from {least:g} to {most:g}"
            self.fail(f"expected {kind}, {bounds}, found {shorten(str(value))}", param, ctx)
        return number


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """A time in seconds, or with its unit: `10`, `0.5`, `500ms`, `2m`, `1h`."""

    name = "seconds"

    def __init__(self, *, zero: bool = True) -> None:
        self.zero = zero

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the seconds that `value` stands for."""
        if isinstance(value, int | float):
            return value
        match = re.fullmatch(_SECONDS, value.strip())
        seconds = float(match[1]) * _UNITS[match[2] or "s"] if match else None
        if seconds is None or not (seconds or self.zero):
            expected = "expected seconds, such as 10, 0.5 or 2m"
            self.fail(f"{expected}, found {shorten(value)}", param, ctx)
        return seconds
