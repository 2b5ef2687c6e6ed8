"""What every command has: an exit status, options in sections gathered into values, examples."""

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
"""What adds options to a command."""

_PLAIN = "Options"
_MANY = 40
"""Characters of the choices that help shows beside the name of an option."""
_AFTER_FLAGS = "taquin.after_flags"
_LONGEST = 60
"""Characters of what was typed that a message quotes."""


class SectionedOption(click.Option):
    """An option that help lists under a heading of its own."""

    def __init__(self, *args: Any, section: str = _PLAIN, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class EnumChoice(click.Choice):  # type: ignore[type-arg]
    """One member of an enumeration, by its value."""

    def __init__(self, kind: type[Enum]) -> None:
        super().__init__([str(member.value) for member in kind], case_sensitive=False)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the member whose value is `value`."""
        try:
            # What the enumeration knows by another name too.
            return self.kind(value)
        except ValueError:
            return self.kind(super().convert(str(value)[:_LONGEST], param, ctx))


class WithExamples(click.Command):
    """What makes the help of a command, or of a group of them, end with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are to be typed, then the epilog."""
        if self.examples:
            with formatter.section("Examples"):
                indent = " " * formatter.current_indent
                for example in self.examples:
                    # A shell takes lines that end in a backslash for one.
                    lines = wrap_text(indent + example, formatter.width - 2, indent)
                    formatter.write(" \\\n".join(lines) + "\n")
        super().format_epilog(ctx, formatter)


class Group(WithExamples, click.Group):
    """A group of commands whose help ends with examples; alone it shows that help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their use."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its whole first sentence."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, each.get_short_help_str(limit=10**6))
                    for name, each in self.commands.items()
                ]
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line; none at all ask for help."""
        return super().parse_args(ctx, args or ["--help"])


class Command(WithExamples):
    """A command whose options are listed in sections, and whose help ends with examples."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line, and note what follows each flag."""
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
                sections.setdefault(getattr(parameter, "section", _PLAIN), []).append(record)
        # The plain ones, --help among them, come last.
        sections[_PLAIN] = sections.pop(_PLAIN, [])
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=min(30, formatter.width // 3))


def words_after_flags(context: click.Context | None) -> Mapping[str, str]:
    """Return the words that came directly after an option without a value, each with its option."""
    found: Mapping[str, str] = context.meta.get(_AFTER_FLAGS, {}) if context else {}
    return found


def command(
    *examples: str, group: click.Group | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return what makes a function a command, of `group` if any; its help ends with `examples`."""
    make = click.command if group is None else group.command
    return make(cls=Command, examples=examples, **attributes)


def option(
    section: str, *names: str, one_of: type[Enum] | Iterable[str] = (), **attributes: Any
) -> Decorator:
    """Return what adds an option to a command, listed under `section`; help shows its default.

    An option that is `one_of` something takes these words, or the values of an enumeration.
    """
    if isinstance(one_of, type):
        attributes["type"] = EnumChoice(one_of)
    elif words := list(one_of):
        attributes["type"] = click.Choice(words, case_sensitive=False)
    choices = getattr(attributes.get("type"), "choices", ())
    if "metavar" not in attributes and len("|".join(choices)) > _MANY:
        # A column of help is no place for them all.
        attributes["metavar"] = "NAME"
        attributes["help"] = f"{attributes['help']}  {', '.join(choices)}."
    attributes.setdefault("show_default", attributes.get("default") is not None)
    return click.option(*names, cls=SectionedOption, section=section, **attributes)


def whole(section: str, *names: str, least: int = 1, **attributes: Any) -> Decorator:
    """Return what adds an option that takes a whole number, `least` or more."""
    return option(section, *names, type=Number(least, whole=True), metavar="N", **attributes)


def gathered(make: Callable[..., Any], name: str, *options: Decorator) -> Decorator:
    """Return what adds `options` to a command and hands them over as `name`, what `make` makes.

    The parameters of `make`, say a dataclass, have the names of the options; those that are no
    option keep their defaults.
    """
    wanted = signature(make).parameters

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def called(**values: Any) -> Any:
            taken = {each: values.pop(each) for each in wanted if each in values}
            return function(**values, **{name: make(**taken)})

        decorated: Callable[..., Any] = called
        for add in reversed(options):
            decorated = add(decorated)
        return decorated

    return decorate
