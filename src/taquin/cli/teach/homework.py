"""`taquin homework`: write starter files for students."""

from __future__ import annotations

from pathlib import Path

import click

from taquin import InputError
from taquin.classroom.course import STARTERS, starter
from taquin.cli.command import OK, command
from taquin.cli.options import write_file


@command("taquin homework homework/")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def homework(folder: Path) -> int:
    """Write starter files for students, with tests.

    Students complete heuristic.py, astar.py and idastar.py; python -m unittest test_homework tests
    them. Files that exist are not replaced.
    """
    if existing := [name for name in STARTERS if (folder / name).exists()]:
        raise InputError(f"{folder / existing[0]} exists already: give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name in STARTERS:
        write_file(str(folder / name), starter(name))
    return OK
