"""`taquin study run`: run what a study still lacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from taquin.cli.command import Command, option
from taquin.cli.screen import columns, is_terminal, paragraph
from taquin.cli.status import OK, STOPPED
from taquin.cli.study_records import store_option, study_argument
from taquin.lab.run.record import Records
from taquin.lab.run.runner import Progress, run_study
from taquin.lab.run.store import store_path
from taquin.lab.study.reading import read_study
from taquin.system.words import seconds_in_words

_ERASE = "\r\x1b[K"


@click.command(
    cls=Command,
    examples=(
        "taquin study run s3-width",
        "taquin study run mine.toml --processes 4 --store results",
        "taquin study run korf100 --cluster tcp://host:8786",
    ),
    epilog="Exit status: 0 all runs are recorded, 2 bad input, 3 some failed, or stopped by hand.",
)
@study_argument
@store_option
@option(
    "Machine",
    "--processes",
    "-p",
    type=click.IntRange(min=0),
    metavar="N",
    help="Runs at the same time; 0 for no process but this one.  [default: one per core]",
)
@option(
    "Machine",
    "--cluster",
    metavar="ADDRESS",
    help="A Dask scheduler, such as tcp://host:8786; local:N starts N workers here.",
)
def run(name: str, store: str | None, processes: int | None, cluster: str | None) -> int:
    """Run what is not yet recorded of a study.

    STUDY is a TOML file, or the name of one that comes with taquin. Stop it when you like, with
    Ctrl-C or worse: the next `run` goes on where this one stopped. A changed file runs only what is
    new.
    """
    if processes is not None and cluster is not None:
        raise click.UsageError("choose one of --processes and --cluster")
    study = read_study(name)
    path = store_path(study.name, store)
    with _progress_line(study.name) as draw:
        latest: list[Progress] = []

        def report(progress: Progress) -> None:
            latest[:] = [progress]
            draw(progress)

        try:
            records = run_study(study, path, processes=processes, cluster=cluster, progress=report)
        except KeyboardInterrupt:
            draw(None)
            if latest:
                click.echo(f"Stopped: {latest[0].done:,} of {latest[0].total:,} runs are done.")
            click.echo(f"Go on with: taquin study run {name}")
            return STOPPED
    # Reports need code that a run does not, so it is loaded when there is something to show.
    from taquin.cli.study_report import print_report
    from taquin.lab.report.reporting import report_of

    print_report(report_of(study, records))
    click.echo(paragraph(_summary(study.name, records, latest[0])))
    click.echo(f"Records: {path}")
    _echo_failures(records)
    return STOPPED if any(record.ending.is_failure for record in records) else OK


@contextmanager
def _progress_line(name: str) -> Iterator[Callable[[Progress | None], None]]:
    """Yield what draws the line of progress, where someone watches; it is gone in the end."""
    watched = is_terminal(sys.stderr)

    def draw(progress: Progress | None) -> None:
        if watched:
            line = "" if progress is None else describe(name, progress)[: columns() - 1]
            sys.stderr.write(_ERASE + line)
            sys.stderr.flush()

    try:
        yield draw
    finally:
        draw(None)


def describe(name: str, progress: Progress) -> str:
    """Return how far a study has come, in one line.

    >>> describe("mine", Progress(90, 30, 2, 1, seconds=10, estimate=20.4))
    'mine: 30 of 90 done · 2 running · 1 failed · 20 s left'
    """
    parts = [
        f"{name}: {progress.done:,} of {progress.total:,} done",
        f"{progress.running} running",
    ]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.estimate is not None:
        parts.append(f"{_rough(progress.estimate)} left")
    return " · ".join(parts)


def _rough(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _summary(name: str, records: Records, progress: Progress) -> str:
    solved = sum(record.solved for record in records)
    return (
        f"{name}: {progress.total:,} runs are recorded, {solved:,} of {len(records):,} solved; "
        f"{seconds_in_words(progress.seconds)}. Show them again with: taquin study report {name}"
    )


def _echo_failures(records: Records) -> None:
    """Say once each what went wrong."""
    reasons: dict[tuple[str, str], int] = {}
    for record in records:
        if record.ending.is_failure:
            told = (record.search, f"{record.ending.value}: {record.reason}")
            reasons[told] = reasons.get(told, 0) + 1
    for (search, reason), count in reasons.items():
        click.echo(paragraph(f"{search}: {count:,} × {reason}", err=True), err=True)
