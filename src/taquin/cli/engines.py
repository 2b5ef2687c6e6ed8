"""How the compiled search is to run: its tables and its threads."""

from __future__ import annotations

from dataclasses import dataclass

import click

from taquin.cli.command import gathered, option
from taquin.cli.screen import paragraph


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What was said about the compiled search; None for whatever was left open."""

    tables: str | None = None
    """Name of the set of pattern tables, or `none`."""
    threads: int | None = None
    """Cores it may use."""
    cluster: str | None = None
    """Address of a Dask scheduler that shares the search out."""

    @property
    def table_set(self) -> str | None:
        """Return the name of the set; None for no tables at all."""
        return None if self.tables == "none" else self.tables or "small"

    @property
    def given(self) -> str:
        """Return the option that was given; empty when none was."""
        named = {"--tables": self.tables, "--threads": self.threads, "--cluster": self.cluster}
        return next((name for name, value in named.items() if value is not None), "")


AUTOMATIC = EngineOptions()
"""Nothing was said."""

engine_options = gathered(
    EngineOptions,
    "engine",
    option(
        "Engine",
        "--tables",
        type=click.Choice(["small", "large", "none"]),
        help="Pattern tables of the compiled search.  [default: small]",
    ),
    option(
        "Engine",
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Cores the compiled search may use.  [default: all]",
    ),
    option(
        "Engine",
        "--cluster",
        metavar="ADDRESS",
        help="Share the search out to the workers of a Dask scheduler; local:N starts N here.",
    ),
)


def say(line: str) -> None:
    """Tell the user something about the tables on disk."""
    click.echo(paragraph(line, err=True), err=True)
