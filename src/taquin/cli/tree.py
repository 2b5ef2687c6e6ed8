"""`taquin tree`: the first nodes of a search, drawn as a tree."""

from __future__ import annotations

import os

import click

from taquin.cli.command import OK, command, option, whole
from taquin.cli.options import Problem
from taquin.cli.searches import SearchOptions, task_options
from taquin.engine.glass import default_algorithm
from taquin.search.driver import trace
from taquin.search.result import Limits
from taquin.system.files import written_whole
from taquin.views import search_tree, to_dot, to_svg
from taquin.views.tree import MANY

_FORMATS = {"dot": to_dot, "svg": to_svg}


@command(
    'taquin tree "1 2 3 / 4 0 5 / 7 8 6" -o tree.svg',
    "taquin tree puzzle.txt -a idastar --nodes 100 -o tree.svg",
    "taquin tree puzzle.txt --format dot | dot -Tpng > tree.png",
)
@task_options
@whole("Output", "--nodes", default=MANY, help="How many nodes.")
@option(
    "Output",
    "--format",
    "form",
    one_of=_FORMATS,
    help="Graphviz, or a picture.  [default: what FILE ends with, else svg]",
)
@option("Output", "--output", "-o", "file", metavar="FILE", help="Where to write it.")
def tree(
    problem: Problem,
    search: SearchOptions,
    limits: Limits,
    nodes: int,
    form: str | None,
    file: str | None,
) -> int:
    """Draw the first nodes of a search as a tree.

    BOARD is read as by `taquin solve`. The picture needs nothing else to be looked at; every node
    shows its board, when it was expanded, and what became of it.
    """
    puzzle, start = problem.read()
    algorithm = search.chosen() or default_algorithm(puzzle)
    events = trace(puzzle, start, algorithm, limits)
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
