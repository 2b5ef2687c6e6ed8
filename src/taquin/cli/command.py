"""How commands are declared: exit statuses, options in sections, groups of options, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import wraps
from inspect import signature
from math import inf
from typing import Any

import click

from taquin.cli.parameters import EnumChoice, number_type
from taquin.system.layout import wrap_text

OK = 0
"""Solved, or done."""
REFUTED = 1
"""Proven unsolvable; a claim refuted."""
BAD_INPUT = 2
"""Bad input or usage."""
STOPPED = 3
"""A limit was reached, or the user stopped it: the question is open."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds options to a command."""
ARGUMENTS = "taquin.arguments"
"""The key in the meta of a context under which the arguments of a command are kept."""

_GENERAL = "Options"
_MAX_CHOICES = 40
"""Help shows choices beside the name of an option up to this many characters."""


class SectionedOption(click.Option):
    """An option that help lists under the heading `section`."""

    def __init__(self, *args: Any, section: str = _GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class WithExamples(click.Command):
    """A command or group whose help ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are to be typed, then the epilog."""
        if self.examples:
            with formatter.section("Examples"):
                indent = " " * formatter.current_indent
                for example in self.examples:
                    # A backslash at its end continues a line in a shell.
                    lines = wrap_text(indent + example, formatter.width - 2, indent)
                    formatter.write(" \\\n".join(lines) + "\n")
        super().format_epilog(ctx, formatter)


class Group(WithExamples, click.Group):
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


class Command(WithExamples):
    """A command whose help lists options in sections, and ends with examples."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and keep them for error messages."""
        ctx.meta[ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each section under its heading."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
                sections.setdefault(getattr(parameter, "section", _GENERAL), []).append(record)
        # The general ones, --help among them, come last.
        sections[_GENERAL] = sections.pop(_GENERAL, [])
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
        cls=SectionedOption,
        section=section,
        help=help,
        metavar=next(iter(metavars), None),
        show_default=attributes.get("default") is not None,
        **attributes,
    )


def flag(section: str, names: str, help: str) -> Decorator:
    """Return a decorator that adds an option without a value."""
    return option(section, names, help, is_flag=True)


def whole(
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
            arguments = {key: values.pop(key) for key in parameters if key in values}
            return function(**values, **{name: make(**arguments)})

        decorated: Callable[..., Any] = call
        for add in reversed(options):
            decorated = add(decorated)
        return decorated

    return decorate
