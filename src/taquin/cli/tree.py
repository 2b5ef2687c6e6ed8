"""`taquin tree`: the first nodes of a search, drawn as a tree."""

from __future__ import annotations

import click

from taquin.cli.command import OK, command, option, whole
from taquin.cli.options import Problem
from taquin.cli.pictures import FORMATS, PictureOptions, picture_options
from taquin.cli.running import replayed
from taquin.cli.searches import SearchOptions, task_options
from taquin.engine.glass import default_algorithm
from taquin.search.driver import trace
from taquin.search.result import Limits
from taquin.views import search_tree, to_dot
from taquin.views.pictures.drawings import tree_drawing
from taquin.views.tree import MANY


@command(
    'taquin tree "1 2 3 / 4 0 5 / 7 8 6" -o tree.svg',
    "taquin tree puzzle.txt -a idastar --nodes 100 -o tree.svg",
    "taquin tree puzzle.txt --format dot | dot -Tpng > tree.png",
    "taquin tree puzzle.txt --nodes 20 -o growing.gif",
    "taquin tree --replay search.jsonl -o tree.pdf",
)
@task_options
@whole("Output", "--nodes", default=MANY, help="How many nodes.")
@option("Output", "--replay", metavar="FILE", help="Draw a search that taquin trace --json wrote.")
@picture_options("dot", photo=False)
def tree(
    problem: Problem,
    search: SearchOptions,
    limits: Limits,
    nodes: int,
    replay: str | None,
    picture: PictureOptions,
) -> int:
    """Draw the first nodes of a search as a tree.

    BOARD is read as by `taquin solve`. The picture needs nothing else to be looked at; every node
    shows its board, when it was expanded, and what became of it.
    """
    form = picture.chosen((*FORMATS, "dot"))
    if replay is None:
        puzzle, start = problem.read()
        algorithm = search.chosen() or default_algorithm(puzzle)
        events = trace(puzzle, start, algorithm, limits)
    else:
        if problem.board:
            raise click.UsageError("give a board to search, or --replay a file; not both")
        events = replayed(replay)
    if form == "dot":
        picture.write(to_dot(search_tree(events, nodes)).encode())
    else:
        picture.draw(tree_drawing(events, nodes))
    return OK
