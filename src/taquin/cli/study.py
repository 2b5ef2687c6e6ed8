"""`taquin study`: run the experiment that a file describes, and report it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from taquin.cli import study_records as recorded
from taquin.cli.command import OK, STOPPED, Group, command, flag, option, whole
from taquin.cli.options import cluster_option
from taquin.cli.screen import columns, is_terminal, paragraph, say, status_line
from taquin.errors import InputError
from taquin.lab.report.document import Report
from taquin.lab.report.html import to_html
from taquin.lab.report.plots import to_png, to_svg
from taquin.lab.report.reporting import check_report, report_in, report_of
from taquin.lab.report.text import highlighted, to_text
from taquin.lab.run.record import Records
from taquin.lab.run.runner import StudyProgress, run_study
from taquin.lab.run.store import store_path
from taquin.lab.study.reading import read_study
from taquin.lab.study.study import Study
from taquin.lab.study.toml_table import MANY
from taquin.system.files import atomic_write
from taquin.system.words import counted, printable, seconds_in_words

_LOOK: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "good": {"fg": "green"},
    "odd": {"fg": "yellow"},
}
"""The styles of the parts of a report on a screen."""


@click.group(
    cls=Group,
    examples=(
        "taquin study list",
        "taquin study run s3-width",
        "taquin study report s3-width",
        "taquin study run mine.toml --store results",
    ),
)
def study() -> None:
    """Run many searches on many boards, record every run, and report the results.

    A study is a TOML file, or the name of one that comes with taquin: `taquin study list`. Its
    records are kept in one file. If a study is interrupted in any way, running it again continues
    where it stopped.
    """


@command(
    "taquin study run s3-width",
    "taquin study run mine.toml --processes 4 --store results",
    "taquin study run korf100 --cluster tcp://host:8786",
    group=study,
    epilog="Exit status: 0 all runs are recorded, 2 bad input, 3 some failed, or Ctrl-C.",
)
@recorded.study_argument
@recorded.store_option
@whole(
    "Engine",
    "--processes -p",
    "Runs at the same time; 0 runs them in this process.  [default: one per core]",
    least=0,
)
@cluster_option
@flag("Records", "--yes -y", "Do not ask, however many runs there are.")
def run(name: str, store: str | None, processes: int | None, cluster: str | None, yes: bool) -> int:
    """Run the part of a study that is not recorded yet.

    STUDY is a TOML file, or the name of one that comes with taquin. You can stop it at any time,
    with Ctrl-C or by killing it: the next `run` continues where this one stopped. If the file has
    changed, only what is new is run.
    """
    if processes is not None and cluster is not None:
        raise click.UsageError("choose one of --processes and --cluster")
    study = read_study(name)
    check_report(study)
    if study.runs > MANY and not yes:
        _ask(study)
    path = store_path(study.name, store)
    latest = StudyProgress(0, 0, 0, 0, seconds=0, estimate=None)
    with status_line() as draw:

        def report(progress: StudyProgress) -> None:
            nonlocal latest
            latest = progress
            draw(describe(study.name, progress))

        try:
            records = run_study(study, path, processes=processes, cluster=cluster, progress=report)
        except KeyboardInterrupt:
            draw("")
            if latest.total:
                done = f"{latest.done:,} of {counted(latest.total, 'run is', 'runs are')} done"
                click.echo(f"Stopped: {done}.")
            options = {"--processes": processes, "--cluster": cluster}
            words = (word for pair in options.items() if pair[1] is not None for word in pair)
            click.echo(f"Go on with: {recorded.command_line('run', name, store, *words)}")
            return STOPPED
    print_report(report_of(study, records))
    click.echo(paragraph(_summary(study.name, records, latest)))
    click.echo(f"Show them again with: {recorded.command_line('report', name, store)}")
    click.echo(f"Records: {path}")
    _echo_failures(records)
    return STOPPED if any(record.ending.is_failure for record in records) else OK


def _ask(study: Study) -> None:
    """Ask whether to run a large study; raise InputError if standard input is not a terminal."""
    size = f"{study.name} has {study.runs:,} runs, which take about {study.runs // 400:,} MB"
    if not is_terminal(sys.stdin):
        raise InputError(f"{size}: give --yes if that is meant")
    click.confirm(f"{size}. Go on?", abort=True, err=True)


def describe(name: str, progress: StudyProgress) -> str:
    """Return the progress of a study in one line.

    >>> describe("mine", StudyProgress(90, 30, 2, 1, seconds=10, estimate=20.4))
    'mine: 30 of 90 done · 2 running · 1 failed · 20 s left'
    """
    done = f"{name}: {progress.done:,} of {progress.total:,} done"
    parts = [done, f"{progress.running} running"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.estimate is not None:
        parts.append(f"{_rough(progress.estimate)} left")
    return " · ".join(parts)


def _rough(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _summary(name: str, records: Records, progress: StudyProgress) -> str:
    solved = sum(record.solved for record in records)
    return (
        f"{name}: {counted(progress.total, 'run is', 'runs are')} recorded, {solved:,} of "
        f"{len(records):,} solved; {seconds_in_words(progress.seconds)}."
    )


def _echo_failures(records: Records) -> None:
    """Print each reason for failures once, with the number of failed runs."""
    reasons = Counter(
        (record.search, record.ending.value, record.reason)
        for record in records
        if record.ending.is_failure
    )
    for (search, ending, reason), count in reasons.items():
        say(printable(f"{search}: {count:,} × {ending}: {reason}"))


@command(
    "taquin study report s3-width",
    "taquin study report s3-width --html s3-width.html",
    "taquin study report mine.toml --plots pictures --format png",
    group=study,
)
@recorded.study_argument
@recorded.store_option
@option(
    "Output",
    "--html",
    "Write one page with tables and plots that needs no other file.",
    type=click.Path(dir_okay=False, path_type=Path),
)
@option(
    "Output",
    "--plots",
    "Write every plot to a file of its own.",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
)
@option("Output", "--format form", "Of the plots.", one_of=("svg", "png"), default="svg")
def report(name: str, store: str | None, html: Path | None, plots: Path | None, form: str) -> int:
    """Show the results of a study so far, in tables and plots.

    STUDY is a TOML file, the name of one that comes with taquin, or the name of one made in Python
    that has records. --html and --plots write files instead of printing the tables.
    """
    study, store_file = recorded.study_or_records(name, store)
    report = report_in(store_file, name, study, recorded.command_line("run", name, store))
    if html is not None:
        _write(html, to_html(report).encode("utf-8"))
        click.echo(f"Page: {html}")
    if plots is not None:
        for figure in report.figures:
            path = plots / f"{figure.name}.{form}"
            _write(path, to_png(figure) if form == "png" else to_svg(figure).encode("utf-8"))
            click.echo(f"Plot: {path}")
    if html is None and plots is None:
        print_report(report)
    return OK


def print_report(report: Report) -> None:
    """Print a report: styled and as wide as the screen, or as plain text to a file or pipe."""
    if not is_terminal(sys.stdout):
        click.echo(to_text(report, cut=False), nl=False)
        return
    text = highlighted(
        to_text(report, columns()), lambda part, kind: click.style(part, **_LOOK[kind])
    )
    click.echo(text, nl=False)


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically, in a folder that is made if it does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(content)


for _command in (recorded.status, recorded.list_studies, recorded.export, recorded.replay):
    study.add_command(_command)
