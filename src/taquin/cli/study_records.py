"""Which study, and where its records are; `taquin study status`, `list` and `export`."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import IO

import click

from taquin.cli.command import Command, option
from taquin.cli.screen import paragraph
from taquin.cli.status import OK
from taquin.cli.table import Column, print_table
from taquin.errors import InputError, TaquinError
from taquin.lab.run.claims import living_runners
from taquin.lab.run.record import Records
from taquin.lab.run.store import SUFFIX, Store, default_folder, store_path
from taquin.lab.study.job import jobs_of
from taquin.lab.study.reading import read_study, shipped_studies
from taquin.lab.study.study import Study
from taquin.system.words import counted

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


@click.command(
    cls=Command, examples=("taquin study status s3-width", "taquin study status mine.toml")
)
@study_argument
@store_option
def status(name: str, store: str | None) -> int:
    """Tell how far a study has come."""
    study, path = study_or_records(name, store)
    if not path.is_file():
        click.echo(f"{name}: nothing is recorded yet. Run it with: taquin study run {name}")
        return OK
    with Store(path) as opened:
        runners = living_runners(opened)
        if study is None:
            click.echo(f"{name}: {_are_recorded(len(opened))}.")
        else:
            keys = {job.key for job in jobs_of(study)}
            found = [record for record in opened.records() if record.key in keys]
            failed = sum(record.ending.is_failure for record in found)
            lines = [
                f"{study.name}: {len(found):,} of {_are_recorded(len(keys))}, {failed:,} of them "
                f"failed."
            ]
            if others := len(opened) - len(found):
                lines.append(
                    f"{counted(others, 'more record is', 'more records are')} there, of other code "
                    f"or of an earlier version of the study."
                )
            for line in lines:
                click.echo(paragraph(line))
        click.echo(f"{runners:,} at work on it now." if runners else "Nobody is at work on it.")
    click.echo(f"Records: {path}")
    return OK


@click.command("list", cls=Command, examples=("taquin study list",))
@store_option
def list_studies(store: str | None) -> int:
    """List the studies that come with taquin, and those that have records."""
    folder = Path(store) if store else default_folder()
    files = {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    rows: list[tuple[str, str, str]] = []
    for name in [*shipped_studies(), *(name for name in files if name not in shipped_studies())]:
        title = read_study(name).title if name in shipped_studies() else ""
        rows.append((name, _number_of_records(files.get(name)), title))
    if not rows:
        click.echo("There is no study yet. Write one, and run it with: taquin study run FILE")
        return OK
    print_table(
        [
            Column("study", lambda row: str(row[0]), left=True),
            Column("records", lambda row: str(row[1])),
            Column("title", lambda row: str(row[2]), left=True),
        ],
        rows,
    )
    return OK


@click.command(
    cls=Command,
    examples=(
        "taquin study export s3-width > s3-width.csv",
        "taquin study export mine.toml --format jsonl --output mine.jsonl",
    ),
)
@study_argument
@store_option
@option(
    "Output",
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="Comma-separated values, or one JSON object a line.",
)
@option(
    "Output",
    "--output",
    "-o",
    type=click.File("w", encoding="utf-8", atomic=True),
    metavar="FILE",
    help="Where to write.  [default: standard output]",
)
@option(
    "Output",
    "--all",
    "everything",
    is_flag=True,
    help="Records of other code and earlier versions of the study too.",
)
def export(
    name: str, store: str | None, form: str, output: IO[str] | None, everything: bool
) -> int:
    """Write the records of a study, one run a line, every counter in a column of its own."""
    study, path = study_or_records(name, store)
    with Store(path) as opened:
        if study is None or everything:
            records = Records(opened.records())
        else:
            records = opened.records_of(study)
    if not records:
        raise InputError(f"{path} has no records of {name} as it is now: run it, or give --all")
    stream = output or sys.stdout
    rows = records.rows()
    if form == "jsonl":
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return OK


def _are_recorded(runs: int) -> str:
    return counted(runs, "run is recorded", "runs are recorded")


def _number_of_records(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        with Store(path) as store:
            return f"{len(store):,}"
    except TaquinError:
        return "unreadable"
