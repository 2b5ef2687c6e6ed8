"""Find a study and its records; `taquin study status`, `list`, `export` and `replay`."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path
from typing import IO

import click

from taquin.cli.command import OK, REFUTED, command, flag, option
from taquin.cli.screen import paragraph, say
from taquin.cli.table import Column, print_csv, print_json, print_table
from taquin.errors import InputError, TaquinError
from taquin.lab.run.record import Records
from taquin.lab.run.replay import solution_fault
from taquin.lab.run.runner import living_runners
from taquin.lab.run.store import SUFFIX, Store, default_folder, store_path
from taquin.lab.study.reading import read_study, shipped_studies
from taquin.lab.study.study import Study, jobs_of
from taquin.system.files import atomic_write
from taquin.system.words import counted, printable

study_argument = click.argument("name", metavar="STUDY")
store_option = option(
    "Records",
    "--store",
    "Folder of the records, or their .sqlite file.  [default: the user's data folder]",
    metavar="PATH",
)


def command_line(verb: str, name: str, store: str | None, *options: object) -> str:
    """Return the command line of a command of a study, quoted for a shell.

    >>> command_line("run", "my study.toml", "results", "--processes", 2)
    "taquin study run 'my study.toml' --store results --processes 2"
    """
    words = [name, *(["--store", store] if store else []), *options]
    return f"taquin study {verb} {shlex.join(map(str, words))}"


def study_or_records(name: str, store: str | None) -> tuple[Study | None, Path]:
    """Return a study and the file of its records; None for records of a study without a file.

    A study made in Python has records under its name, but no file that describes it.
    """
    try:
        study = read_study(name)
    except TaquinError:
        path = store_path(name, store) if not Path(name).exists() else None
        if path is None or not path.is_file():
            raise
        return None, path
    return study, store_path(study.name, store)


@command("taquin study status s3-width", "taquin study status mine.toml")
@study_argument
@store_option
def status(name: str, store: str | None) -> int:
    """Print how many runs of a study are recorded, and whether it is running."""
    study, path = study_or_records(name, store)
    if not path.is_file():
        run = command_line("run", name, store)
        click.echo(f"{name}: nothing is recorded yet. Run it with: {run}")
        return OK
    with Store(path) as opened:
        runners = living_runners(opened)
        if study is None:
            print_faults(opened.all_records())
            click.echo(f"{name}: {_are_recorded(len(opened))}.")
        else:
            planned = len({job.key for job in jobs_of(study)})
            records = opened.records_of(study)
            print_faults(records)
            by_key = {record.key: record for record in records}
            failed = sum(record.ending.is_failure for record in by_key.values())
            done = f"{study.name}: {len(by_key):,} of {_are_recorded(planned)}"
            click.echo(paragraph(f"{done}, {failed:,} of them failed."))
            if others := len(opened) - len(by_key):
                more = counted(others, "more record is", "more records are")
                why = "of other code or of an earlier version of the study"
                click.echo(paragraph(f"{more} there, {why}."))
        processes = counted(runners, "process is", "processes are")
        click.echo(f"{processes} running it now." if runners else "No process is running it.")
    click.echo(f"Records: {path}")
    return OK


@command("taquin study list", name="list")
@store_option
def list_studies(store: str | None) -> int:
    """List the studies that come with taquin, and those that have records."""
    folder = Path(store) if store else default_folder()
    files = {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    rows: list[tuple[str, str, str]] = []
    for name in [*shipped_studies(), *(name for name in files if name not in shipped_studies())]:
        title = read_study(name).title if name in shipped_studies() else ""
        rows.append((printable(name), _number_of_records(files.get(name)), title))
    if not rows:
        click.echo("There is no study yet. Write one, and run it with: taquin study run FILE")
        return OK
    columns = [
        Column("study", lambda row: str(row[0]), left=True),
        Column("records", lambda row: str(row[1])),
        Column("title", lambda row: str(row[2]), left=True),
    ]
    print_table(columns, rows)
    return OK


@command(
    "taquin study export s3-width > s3-width.csv",
    "taquin study export mine.toml --format jsonl --output mine.jsonl",
)
@study_argument
@store_option
@option(
    "Output",
    "--format form",
    "Comma-separated values, or one JSON object a line.",
    one_of=("csv", "jsonl"),
    default="csv",
)
@option(
    "Output",
    "--output -o",
    "Where to write.  [default: standard output]",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
)
@flag(
    "Output",
    "--all everything",
    "Include records of other code and of earlier versions of the study.",
)
def export(name: str, store: str | None, form: str, output: Path | None, everything: bool) -> int:
    """Write the records of a study, one run a line, every counter in a column of its own."""
    study, path = study_or_records(name, store)
    with Store(path) as opened:
        if study is None or everything:
            records = opened.all_records()
        else:
            records = opened.records_of(study)
    print_faults(records)
    if not records:
        raise InputError(f"{path} has no records of {name} as it is now: run it, or give --all")
    if output is None or str(output) == "-":
        _print_rows(records, form, sys.stdout)
        return OK
    with atomic_write(output) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        _print_rows(records, form, text)
        # The wrapper would close the file, which must stay open until it is written atomically.
        text.detach()
    return OK


@command("taquin study replay s3-width", "taquin study replay mine.toml --store results")
@study_argument
@store_option
def replay(name: str, store: str | None) -> int:
    """Verify every recorded solution: legal, solving its board, as long as the record says.

    Exit status: 0 all are right, 1 some are wrong, 2 bad input.
    """
    _, path = study_or_records(name, store)
    with Store(path) as opened:
        records = opened.all_records()
    print_faults(records)
    with_moves = [record for record in records if record.solution is not None]
    wrong = [(record, fault) for record in with_moves if (fault := solution_fault(record))]
    for record, fault in wrong:
        say(printable(f"{record.search} on {record.board}: {fault} (key {record.key})"))
    right = counted(len(with_moves) - len(wrong), "solution is", "solutions are")
    sentences = [f"{name}: {right} right: legal, solving the board, and as long as recorded."]
    if wrong:
        sentences.append(f"{counted(len(wrong), 'solution is', 'solutions are')} wrong.")
    if without := sum(record.solved and record.solution is None for record in records):
        runs = counted(without, "solved run has", "solved runs have")
        sentences.append(f"{runs} no moves recorded.")
    click.echo(paragraph(" ".join(sentences)))
    return REFUTED if wrong else OK


def print_faults(records: Records) -> None:
    """Print each part of a file of records that cannot be read on a line of its own."""
    for fault in records.faults:
        say(printable(fault[:1].upper() + fault[1:]))


def _print_rows(records: Records, form: str, stream: IO[str]) -> None:
    rows = records.rows()
    if form == "csv":
        print_csv(rows, stream)
        return
    for row in rows:
        print_json(row, stream)


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
