"""`taquin export`: write a board as a task for planners."""

from __future__ import annotations

import os

import click

from taquin.cli.command import OK, command, option
from taquin.cli.options import BoardArguments, json_option, position_options, write_file
from taquin.cli.output import print_json
from taquin.views import DOMAIN, to_pddl, to_sas

_FILES = ("domain.pddl", "problem.pddl", "output.sas")


@command(
    'taquin export "8 1 3 / 4 0 2 / 7 6 5" -o task',
    'taquin export "A . / @ ." --goal "* A / * *" -o task',
    "taquin export puzzle.txt --json",
)
@position_options
@option("Output", "--output -o FOLDER folder", f"The folder for {', '.join(_FILES)}.")
@json_option
def export(problem: BoardArguments, folder: str | None, as_json: bool) -> int:
    """Write a board and its goal as a task for planners: PDDL and SAS+.

    The files domain.pddl and problem.pddl are PDDL; output.sas is the same task in SAS+, as Fast
    Downward's translator writes it. A shortest plan is a shortest solution. BOARD is read as by
    `taquin solve`.
    """
    if folder is None and not as_json:
        raise click.UsageError("expected -o FOLDER for the files, or --json")
    puzzle, start = problem.read()
    texts = (DOMAIN, to_pddl(puzzle, start), to_sas(puzzle, start))
    content = dict(zip(_FILES, texts, strict=True))
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
        for name, text in content.items():
            write_file(os.path.join(folder, name), text.encode())
    if as_json:
        print_json(content)
    return OK
