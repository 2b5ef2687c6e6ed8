"""How commands are declared: exit statuses, types of parameters, options in sections, examples.

A type rejects any other text in one sentence:

    expected a whole number, 1 or more, found 'many'
    --within must be at least 1, got 0.5
    expected seconds, such as 10, 0.5 or 2m, found 'soon'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial, wraps
from inspect import signature
from math import inf, isnan, nan
from sys import maxsize
from typing import Any

import click

from taquin.system.formatting import amount, shorten, wrap_text
from taquin.system.interrupts import STOPPED as STOPPED
from taquin.system.interrupts import raise_on_interrupt

OK = 0
"""Solved, or done."""
REFUTED = 1
"""Proven unsolvable; a claim refuted."""
BAD_INPUT = 2
"""Bad input or usage."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds options to a command."""

_LISTS_ALL = "taquin.lists_all"
"""The key in the meta of a context that is set by `--help --all`."""
_GENERAL = "Options"
_MAX_CHOICES = 40
"""Help shows choices beside the name of an option up to this many characters."""
_MAX_QUOTED = 60
"""Characters of an argument that a message quotes."""


class Parsed(click.ParamType):  # type: ignore[type-arg]
    """A value that `parse` reads from text; its ValueError says what was expected."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self.parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that a text stands for."""
        try:
            return self.parse(value) if isinstance(value, str) else value
        except OutOfRangeError as error:
            name = max(param.opts, key=len) if param else self.name
            raise click.UsageError(f"{name} must be {error}, got {value:.24}", ctx) from None
        except ValueError as error:
            self.fail(f"expected {error}, found {shorten(value)}", param, ctx)


class OutOfRangeError(ValueError):
    """A number beyond the bounds that it names."""


def number_type(least: float, most: float = inf, *, whole: bool = False) -> Parsed:
    """Return the type of numbers from `least` to `most`; with `whole`, of whole numbers."""

    def parse(text: str) -> float:
        # A number of a port has no commas.
        last = f"{most:g}" if most < 100_000 else f"{most:,}"
        bounds = f"{least:g} or more" if most == inf else f"from {least:g} to {last}"
        try:
            number = int(text) if whole else float(text)
        except ValueError:
            number = nan
        if isnan(number):
            raise ValueError(f"{'a whole number' if whole else 'a number'}, {bounds}")
        if whole and number > maxsize and most == inf:
            raise OutOfRangeError(f"at most {maxsize:,}")
        if not least <= number <= most:
            raise OutOfRangeError(f"at least {least:g}" if most == inf else bounds)
        return number

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
    """Return rows and columns, from `4x4`, `4 4` or `4`; raise ValueError for another text."""
    pattern = r"([0-9]{1,3})(?:(?:\s*[x×X*,]\s*|\s+)([0-9]{1,3}))?"
    match = re.fullmatch(pattern, text[:40].strip())
    if match is None:
        raise ValueError("rows x columns, such as 4x4")
    return int(match[1]), int(match[2] or match[1])


TIME = Parsed("seconds", _read_seconds)
"""A time in seconds, or with its unit: `10`, `0.5`, `500ms`, `2m`, `1h`."""
POSITIVE_TIME = Parsed("seconds", partial(_read_seconds, zero=False))
AMOUNT = Parsed("n", _read_amount)
"""A whole number that may be written 1_000_000, 1e6 or 1M."""
BYTES = Parsed("size", partial(_read_amount, size=True))
"""A size in bytes: 500M, 2GB, 1GiB."""
SIZE = Parsed("size", read_size)


def completing(known: Iterable[str]) -> Callable[..., list[str]]:
    """Return the `shell_complete` of a parameter whose `known` names the tab key completes."""
    return lambda ctx, param, incomplete: [name for name in known if name.startswith(incomplete)]


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


class _SectionedOption(click.Option):
    """An option that help lists under the heading `section`."""

    def __init__(self, *args: Any, section: str = _GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class WithHelp(click.Command):
    """A command or group whose help ends with examples; `--help --all` lists every option."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; beside --help, --all is not an option of the command."""
        if "--all" in args and not {"--help", "-h"}.isdisjoint(args):
            ctx.meta[_LISTS_ALL] = True
            args = [argument for argument in args if argument != "--all"]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                indent = " " * formatter.current_indent
                for example in self.examples:
                    # A backslash at its end continues a line in a shell.
                    lines = wrap_text(indent + example, formatter.width - 2, indent)
                    formatter.write(" \\\n".join(lines) + "\n")
        super().format_epilog(ctx, formatter)


class CommandGroup(WithHelp, click.Group):
    """A group of commands whose help ends with examples; without arguments it prints its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their use."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its whole first sentence."""
        commands = self.commands.items()
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(limit=10**6)) for name, command in commands]
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without any, print the help."""
        return super().parse_args(ctx, args or ["--help"])


class Command(WithHelp):
    """A command whose help lists options in sections, and ends with examples.

    Help lists the options in `common` only, if there are such; `--help --all` lists all of them.
    """

    def __init__(self, *args: Any, common: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.common = frozenset(common.split())

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, whose modules are loaded: from here Ctrl-C ends it cleanly."""
        raise_on_interrupt()
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each section under its heading."""
        sections: dict[str, list[tuple[str, str]]] = {}
        is_short = self.common and _LISTS_ALL not in ctx.meta
        left_out = 0
        for parameter in self.get_params(ctx):
            section = getattr(parameter, "section", _GENERAL)
            if not isinstance(parameter, click.Option):
                continue
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            if is_short and section != _GENERAL and not self.common.intersection(parameter.opts):
                left_out += 1
            else:
                sections.setdefault(section, []).append(record)
        # The general ones, --help among them, come last.
        general = sections.setdefault(_GENERAL, [])
        if left_out:
            general.append(("--help --all", f"List {left_out} more options."))
        sections[_GENERAL] = sections.pop(_GENERAL)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=min(30, formatter.width // 3))


def command(
    *examples: str, group: click.Group | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function a command, in `group` if given, with `examples`."""
    return (group or click).command(cls=Command, examples=examples, **attributes)


def option(
    section: str,
    names: str,
    help: str,
    *,
    one_of: type[Enum] | Iterable[str] = (),
    **attributes: Any,
) -> Decorator:
    """Return a decorator that adds an option, listed under `section`; help shows its default.

    `names` are those that Click takes, and the metavar in capitals, as in "--output -o FILE file".
    `one_of` restricts the option to these words, or to the values of an enumeration.
    """
    metavars = [name for name in names.split() if name.isupper() and name[0] != "-"]
    if isinstance(one_of, type):
        attributes["type"] = EnumChoice(one_of)
    elif words := list(one_of):
        attributes["type"] = click.Choice(words, case_sensitive=False)
    choices = getattr(attributes.get("type"), "choices", ())
    if not metavars and len("|".join(choices)) > _MAX_CHOICES:
        metavars = ["NAME"]
        help += f"  {', '.join(choices)}."
    return click.option(
        *(name for name in names.split() if name not in metavars),
        cls=_SectionedOption,
        section=section,
        help=help,
        metavar=next(iter(metavars), None),
        show_default=isinstance(attributes.get("default"), str | int | float),
        **attributes,
    )


def flag(section: str, names: str, help: str) -> Decorator:
    """Return a decorator that adds an option without a value."""
    return option(section, names, help, is_flag=True)


def int_option(
    section: str, names: str, help: str, least: int = 1, most: float = inf, **attributes: Any
) -> Decorator:
    """Return a decorator that adds an option for a whole number from `least` to `most`."""
    kind = number_type(least, most, whole=True)
    return option(section, f"{names} N", help, type=kind, **attributes)


def gathered(make: Callable[..., Any], name: str, *options: Decorator) -> Decorator:
    """Return a decorator that adds `options` and passes them as one argument, `name=make(…)`.

    The parameters of `make`, which is often a dataclass, are named like the options; parameters
    without an option keep their defaults.
    """
    parameters = signature(make).parameters

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(**values: Any) -> Any:
            values[name] = make(**{key: values.pop(key) for key in parameters if key in values})
            return function(**values)

        decorated: Callable[..., Any] = call
        for add in reversed(options):
            decorated = add(decorated)
        return decorated

    return decorate
