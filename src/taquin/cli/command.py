"""What every command has: options in sections, gathered into values, and examples at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What adds options to a command."""

_PLAIN = "Options"


class SectionedOption(click.Option):
    """An option that help lists under a heading of its own."""

    def __init__(self, *args: Any, section: str = _PLAIN, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class WithExamples(click.Command):
    """What makes the help of a command, or of a group of them, end with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are to be typed, then the epilog."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        super().format_epilog(ctx, formatter)


class Group(WithExamples, click.Group):
    """A group of commands whose help ends with examples."""


class Command(WithExamples):
    """A command whose options are listed in sections, and whose help ends with examples."""

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


def option(section: str, *names: str, **attributes: Any) -> Decorator:
    """Return what adds an option to a command, listed under `section` in its help."""
    return click.option(*names, cls=SectionedOption, section=section, **attributes)


def gathered(kind: type[Any], name: str, *options: Decorator) -> Decorator:
    """Return what adds `options` to a command and hands their values over as `name`, a `kind`.

    The fields of `kind`, a dataclass, have the names of the options; those without one keep their
    defaults.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(**values: Any) -> Any:
            names = [each.name for each in fields(kind) if each.name in values]
            taken = {each: values.pop(each) for each in names}
            return function(**values, **{name: kind(**taken)})

        decorated: Callable[..., Any] = command
        for add in reversed(options):
            decorated = add(decorated)
        return decorated

    return decorate
