"""`taquin study report`: what came out, on the screen, as a page, and as pictures."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from taquin.cli.command import Command, option
from taquin.cli.screen import columns, is_terminal
from taquin.cli.status import OK
from taquin.cli.study_records import store_option, study_argument, study_or_records
from taquin.errors import StorageError
from taquin.lab.report.document import Report
from taquin.lab.report.html import to_html
from taquin.lab.report.plots import to_png, to_svg
from taquin.lab.report.reporting import report_of, report_of_records
from taquin.lab.report.text import to_rich, to_text
from taquin.lab.run.store import Store
from taquin.lab.study.job import code_version
from taquin.system.files import written_whole


@click.command(
    cls=Command,
    examples=(
        "taquin study report s3-width",
        "taquin study report s3-width --html s3-width.html",
        "taquin study report mine.toml --plots pictures --format png",
    ),
)
@study_argument
@store_option
@option(
    "Output",
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write one page with tables and plots that needs no other file.",
)
@option(
    "Output",
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write every plot to a file of its own.",
)
@option(
    "Output",
    "--format",
    "form",
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="What --plots writes.",
)
def report(name: str, store: str | None, html: Path | None, plots: Path | None, form: str) -> int:
    """Show what came out of a study so far, in tables and plots.

    STUDY is a TOML file, the name of one that comes with taquin, or the name of one made in Python
    that has records. With --html or --plots files are written, and the tables are not printed.
    """
    made = _report(name, store)
    if html is not None:
        _write(html, to_html(made).encode("utf-8"))
        click.echo(f"Page: {html}")
    if plots is not None:
        for figure in made.figures:
            path = plots / f"{figure.name}.{form}"
            _write(path, to_png(figure) if form == "png" else to_svg(figure).encode("utf-8"))
            click.echo(f"Plot: {path}")
    if html is None and plots is None:
        print_report(made)
    return OK


def print_report(made: Report) -> None:
    """Print a report: drawn to the width of a screen, as plain text elsewhere."""
    if not is_terminal(sys.stdout):
        click.echo(to_text(made, cut=False), nl=False)
        return
    from rich.console import Console

    Console(highlight=False, width=columns()).print(to_rich(made, columns()), end="")


def _report(name: str, store: str | None) -> Report:
    study, path = study_or_records(name, store)
    if not path.is_file():
        raise StorageError(f"nothing is recorded of {name} yet: taquin study run {name} does it")
    with Store(path) as opened:
        if study is None:
            return report_of_records(name, list(opened.records()))
        code = _code(opened)
        records = opened.records_of(study, code)
        if not records and len(opened):
            raise StorageError(
                f"{path} has {len(opened):,} records, but all of an earlier version of the study: "
                f"run it again with taquin study run {name}"
            )
        made = report_of(study, records, study.runs)
    if records and code != code_version():
        note = f"The code has changed since: to measure it anew, taquin study run {name}."
        return replace(made, notes=(*made.notes, note))
    return made


def _code(store: Store) -> str:
    """Return the version of the code whose records to show: this one, or else the latest there."""
    found = [
        str(code)
        for (code,) in store.rows("SELECT code FROM records GROUP BY code ORDER BY max(rowid) DESC")
    ]
    return found[0] if found and code_version() not in found else code_version()


def _write(path: Path, content: bytes) -> None:
    """Write a file so that there is either the whole of it or what was there before."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            file.write(content)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from None
