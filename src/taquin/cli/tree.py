"""`taquin tree`: the first nodes of a search, drawn as a tree."""

from __future__ import annotations

import os

import click

from taquin.cli.command import Command, option
from taquin.cli.options import LimitOptions, Problem
from taquin.cli.running import watch
from taquin.cli.searches import SearchOptions, task_options
from taquin.cli.status import OK
from taquin.system.files import written_whole
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
        with written_whole(file) as out:
            out.write(text.encode())
        click.echo(f"Written to {file}", err=True)
    return OK
