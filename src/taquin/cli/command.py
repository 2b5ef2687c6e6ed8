"""How commands are declared: exit statuses, options in sections, groups of options, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import wraps
from inspect import signature
from itertools import pairwise
from typing import Any

import click

from taquin.cli.numbers import Number
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

_GENERAL = "Options"
_MAX_CHOICES = 40
"""Help shows choices beside the name of an option up to this many characters."""
_AFTER_FLAGS = "taquin.after_flags"
_MAX_QUOTED = 60
"""Characters of an argument that a message quotes."""


class SectionedOption(click.Option):
    """An option that help lists under the heading `section`."""

    def __init__(self, *args: Any, section: str = _GENERAL, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class EnumChoice(click.Choice):  # type: ignore[type-arg]
    """A parameter type: one member of an enumeration, by its value."""

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
        """Parse the arguments, and note which follow a flag."""
        flags = {
            name
            for option in self.params
            if isinstance(option, click.Option) and option.is_flag
            for name in option.opts
        }
        ctx.meta[_AFTER_FLAGS] = {after: flag for flag, after in pairwise(args) if flag in flags}
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


def words_after_flags(context: click.Context | None) -> Mapping[str, str]:
    """Return the arguments that directly follow a flag, each with its flag."""
    flags: Mapping[str, str] = context.meta.get(_AFTER_FLAGS, {}) if context else {}
    return flags


def command(
    *examples: str, group: click.Group | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function a command, in `group` if given, with `examples`."""
    make = click.command if group is None else group.command
    return make(cls=Command, examples=examples, **attributes)


def option(
    section: str, *names: str, one_of: type[Enum] | Iterable[str] = (), **attributes: Any
) -> Decorator:
    """Return a decorator that adds an option, listed under `section`; help shows its default.

    `one_of` restricts it to these words, or to the values of an enumeration.
    """
    if isinstance(one_of, type):
        attributes["type"] = EnumChoice(one_of)
    elif words := list(one_of):
        attributes["type"] = click.Choice(words, case_sensitive=False)
    choices = getattr(attributes.get("type"), "choices", ())
    if "metavar" not in attributes and len("|".join(choices)) > _MAX_CHOICES:
        attributes["metavar"] = "NAME"
        attributes["help"] = f"{attributes['help']}  {', '.join(choices)}."
    attributes.setdefault("show_default", attributes.get("default") is not None)
    return click.option(*names, cls=SectionedOption, section=section, **attributes)


def whole(section: str, *names: str, least: int = 1, **attributes: Any) -> Decorator:
    """Return a decorator that adds an option for a whole number, `least` or more."""
    return option(section, *names, type=Number(least, whole=True), metavar="N", **attributes)


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
