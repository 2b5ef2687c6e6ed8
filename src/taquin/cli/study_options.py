"""What the commands of `taquin study` share: which study, and where its records are."""

from __future__ import annotations

from pathlib import Path

import click

from taquin.cli.command import option
from taquin.errors import TaquinError
from taquin.lab.reading import read_study
from taquin.lab.store import store_path
from taquin.lab.study import Study

study_argument = click.argument("name", metavar="STUDY")
store_option = option(
    "Records",
    "--store",
    metavar="PATH",
    help="Folder of the records, or their .sqlite file.  [default: the user's data folder]",
)


def study_or_records(name: str, where: str | None) -> tuple[Study | None, Path]:
    """Return a study and the file of its records; None for records whose study is not at hand.

    A study made in Python has records under its name, but no file that describes it.
    """
    try:
        found = read_study(name)
    except TaquinError:
        path = store_path(name, where) if not Path(name).exists() else None
        if path is None or not path.is_file():
            raise
        return None, path
    return found, store_path(found.name, where)
