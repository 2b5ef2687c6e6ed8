"""`taquin tree`: the first nodes of a search, drawn as a tree."""

from __future__ import annotations

import os
from contextlib import suppress

import click

from taquin.cli.command import Command, option
from taquin.cli.options import LimitOptions, Problem
from taquin.cli.running import watch
from taquin.cli.searches import SearchOptions, task_options
from taquin.cli.status import OK
from taquin.views import search_tree, to_dot, to_svg
from taquin.views.tree import MANY

_FORMATS = {"dot": to_dot, "svg": to_svg}


@click.command(
    cls=Command,
    examples=(
        'taquin tree "1 2 3 / 4 0 5 / 7 8 6" -o tree.svg',
        "taquin tree puzzle.txt -a idastar --nodes 100 -o tree.svg",
        "taquin tree puzzle.txt --format dot | dot -Tpng > tree.png",
    ),
)
@task_options
@option(
    "Output",
    "--nodes",
    type=click.IntRange(min=1),
    default=MANY,
    show_default=True,
    metavar="N",
    help="How many nodes.",
)
@option(
    "Output",
    "--format",
    "form",
    type=click.Choice(list(_FORMATS)),
    help="Graphviz, or a picture.  [default: what FILE ends with, else svg]",
)
@option("Output", "--output", "-o", "file", metavar="FILE", help="Where to write it.")
def tree(
    problem: Problem,
    search: SearchOptions,
    limits: LimitOptions,
    nodes: int,
    form: str | None,
    file: str | None,
) -> int:
    """Draw the first nodes of a search as a tree.

    BOARD is read as by `taquin solve`. The picture needs nothing else to be looked at; every node
    shows its board, when it was expanded, and what became of it.
    """
    puzzle, start = problem.read()
    _, events = watch(puzzle, start, search.chosen(), limits.limits())
    chosen = form or (os.path.splitext(file or "")[1].lstrip(".").lower() or "svg")
    if chosen not in _FORMATS:
        raise click.UsageError(f"cannot write {file!r}: give --format dot or svg")
    text = _FORMATS[chosen](search_tree(events, nodes))
    if file is None or file == "-":
        click.echo(text)
    else:
        write_whole(file, text)
        click.echo(f"Written to {file}", err=True)
    return OK


def write_whole(file: str, text: str) -> None:
    """Write a file so that it is there completely, or as it was before."""
    if os.path.exists(file) and not os.path.isfile(file):
        # A device or a pipe cannot be replaced; a directory explains itself.
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        return
    target = os.path.realpath(file)
    draft = f"{target}.{os.getpid()}.draft"
    try:
        with open(draft, "x", encoding="utf-8") as out:
            out.write(text)
        os.replace(draft, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, file) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
