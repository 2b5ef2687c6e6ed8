"""`taquin study`: run the experiment that a file describes, and report its records."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from taquin import TaquinError, lab
from taquin.cli.command import (
    BAD_INPUT,
    OK,
    REFUTED,
    STOPPED,
    CommandGroup,
    command,
    flag,
    int_option,
    option,
)
from taquin.cli.options import cluster_option, json_option
from taquin.cli.output import Column, print_csv, print_json, print_table
from taquin.cli.screen import columns, is_terminal, paragraph, say, shell_line, status_line
from taquin.errors import InputError
from taquin.lab.report.document import highlighted
from taquin.lab.report.reporting import report_in
from taquin.lab.report.spec import read_report
from taquin.lab.run.database import SUFFIX, default_folder, row_of, solution_fault, store_path
from taquin.lab.run.runner import living_runners
from taquin.lab.study.definition import jobs_of
from taquin.notation.fields import MANY
from taquin.system.files import atomic_write
from taquin.system.formatting import counted, printable, seconds_in_words

_STYLES: dict[str, dict[str, Any]] = {
    "heading": {"bold": True},
    "good": {"fg": "green"},
    "odd": {"fg": "yellow"},
}
_MOST_DIGESTS = 5
"""A message names so many digests at most."""
_FILE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
study_argument = click.argument("name", metavar="STUDY")
store_option = option(
    "Records", "--store PATH", "Folder or .sqlite file of the records.  [default: the data folder]"
)


@click.group(
    cls=CommandGroup,
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
@study_argument
@store_option
@int_option(
    "Engine",
    "--processes -p",
    "Worker processes; 0 runs everything in this process.  [default: one per core]",
    least=0,
)
@cluster_option
@flag("Records", "--yes -y", "Do not ask for confirmation of a large study.")
def run(name: str, store: str | None, processes: int | None, cluster: str | None, yes: bool) -> int:
    """Run the part of a study that is not recorded yet.

    STUDY is a TOML file, or the name of one that comes with taquin. You can stop it at any time,
    with Ctrl-C or by killing it: the next `run` continues where this one stopped. If the file has
    changed, only what is new is run.
    """
    if processes is not None and cluster is not None:
        raise click.UsageError("choose one of --processes and --cluster")
    study = lab.read_study(name)
    read_report(study.report, study)
    if study.runs > MANY and not yes:
        size = f"{study.name} has {study.runs:,} runs, which take about {study.runs // 400:,} MB"
        if not is_terminal(sys.stdin):
            raise InputError(f"{size}: give --yes to run them")
        click.confirm(f"{size}. Go on?", abort=True, err=True)
    path = store_path(study.name, store)
    latest = lab.StudyProgress(0, 0, 0, 0, seconds=0, estimate=None)
    with status_line() as draw:

        def report(progress: lab.StudyProgress) -> None:
            nonlocal latest
            latest = progress
            draw(describe(study.name, progress))

        try:
            records = lab.run_study(
                study, path, processes=processes, cluster=cluster, progress=report
            )
        except KeyboardInterrupt:
            draw("")
            if latest.total:
                runs = counted(latest.total, "run is", "runs are")
                click.echo(f"Stopped: {latest.done:,} of {runs} done.")
            options = {"--processes": processes, "--cluster": cluster}
            arguments = (part for pair in options.items() if pair[1] is not None for part in pair)
            click.echo(f"Go on with: {command_line('run', name, store, *arguments)}")
            return STOPPED
    print_report(lab.report_of(study, records))
    runs = counted(latest.total, "run is", "runs are")
    solved = f"{sum(record.solved for record in records):,} of {len(records):,} solved"
    seconds = seconds_in_words(latest.seconds)
    click.echo(paragraph(f"{study.name}: {runs} recorded, {solved}; {seconds}."))
    click.echo(f"Show them again with: {command_line('report', name, store)}")
    click.echo(f"Records: {path}")
    failures = [record for record in records if record.ending.is_failure]
    reasons = Counter((record.search, record.ending.value, record.reason) for record in failures)
    for (search, ending, reason), count in reasons.items():
        say(printable(f"{search}: {count:,} × {ending}: {reason}"))
    return STOPPED if failures else OK


def describe(name: str, progress: lab.StudyProgress) -> str:
    """Return the progress of a study in one line.

    >>> describe("mine", lab.StudyProgress(90, 30, 2, 1, seconds=10, estimate=20.4))
    'mine: 30 of 90 done · 2 running · 1 failed · 20 s left'
    """
    parts = [f"{name}: {progress.done:,} of {progress.total:,} done", f"{progress.running} running"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if (left := progress.estimate) is not None:
        minutes = f"{left / 60:.0f} min" if left < 6000 else f"{left / 3600:.1f} h"
        parts.append(f"{f'{left:.0f} s' if left < 100 else minutes} left")
    return " · ".join(parts)


def command_line(verb: str, name: str, store: str | None, *options: object) -> str:
    """Return a command line of `taquin study`, quoted for a shell.

    >>> command_line("run", "my study.toml", "results", "--processes", 2)
    "taquin study run 'my study.toml' --store results --processes 2"
    """
    arguments = [name, *(["--store", store] if store else []), *options]
    return f"taquin study {verb} {shell_line([*map(str, arguments)])}"


def print_report(report: lab.Report) -> None:
    """Print a report: styled for a terminal, as plain text otherwise."""
    if is_terminal(sys.stdout):
        text = lab.to_text(report, columns())
        text = highlighted(text, lambda part, kind: click.style(part, **_STYLES[kind]))
    else:
        text = lab.to_text(report, cut=False)
    click.echo(text, nl=False)


@command(
    "taquin study report s3-width",
    "taquin study report s3-width --html s3-width.html",
    "taquin study report mine.toml --plots pictures --format png",
    "taquin study report mine.toml --statistics --tables tables",
    "taquin study report mine.toml --versions",
    group=study,
)
@study_argument
@store_option
@option("Output", "--html", "Write a self-contained page with tables and plots.", type=_FILE)
@option(
    "Output",
    "--plots FOLDER",
    "Write each plot to a separate file.",
    type=click.Path(file_okay=False, path_type=Path),
)
@option("Output", "--format form", "The format of the plots.", one_of=("svg", "png"), default="svg")
@option(
    "Output",
    "--tables FOLDER",
    "Write every table as LaTeX and as CSV.",
    type=click.Path(file_okay=False, path_type=Path),
)
@flag("Content", "--statistics", "Add confidence intervals, and paired tests of all searches.")
@flag("Content", "--versions", "Compare the last two versions of each search's code instead.")
def report(
    name: str,
    store: str | None,
    html: Path | None,
    plots: Path | None,
    form: str,
    tables: Path | None,
    statistics: bool,
    versions: bool,
) -> int:
    """Show the results of a study so far, in tables and plots.

    STUDY is a TOML file, the name of one that comes with taquin, or the name of one made in Python
    that has records. --html, --plots and --tables write files instead of printing the tables.
    Confidence intervals and tests need SciPy.

    Exit status: 0 done, 2 bad input, or damaged records, which are named and left out.
    """
    study, store_file = study_or_records(name, store)
    if versions:
        value = read_report(study.report if study else {}).value
        with lab.Store(store_file) as opened:
            records = print_faults(opened.all_records())
        report = lab.report_of_versions(study.name if study else name, records, value)
        report = replace(report, damaged=len(records.faults))
    else:
        command = command_line("run", name, store)
        report = report_in(store_file, name, study, command, statistics=statistics)
    if html is not None:
        _write(html, lab.to_html(report).encode("utf-8"))
        click.echo(f"Page: {html}")
    if plots is not None:
        for figure in report.figures:
            path = plots / f"{figure.name}.{form}"
            _write(
                path, lab.to_png(figure) if form == "png" else lab.to_svg(figure).encode("utf-8")
            )
            click.echo(f"Plot: {path}")
    if tables is not None:
        for number, table in enumerate(report.tables, 1):
            path = tables / f"{report.name}-table-{number}"
            rows = io.StringIO(newline="")
            if table.rows:
                print_csv(lab.flat_rows(table), rows)
            latex = lab.to_latex(table, f"tab:{path.name}")
            for suffix, text in ((".tex", latex), (".csv", rows.getvalue())):
                _write(path.with_name(path.name + suffix), text.encode("utf-8"))
                click.echo(f"Table: {path}{suffix}")
    if html is None and plots is None and tables is None:
        print_report(report)
    return BAD_INPUT if report.damaged else OK


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write(content)


def study_or_records(name: str, store: str | None) -> tuple[lab.Study | None, Path]:
    """Return a study and the path of its records; the study is None if only records exist."""
    try:
        study = lab.read_study(name)
    except TaquinError:
        path = store_path(name, store)
        if Path(name).exists() or not path.is_file():
            raise
        return None, path
    return study, store_path(study.name, store)


def print_faults(records: lab.Records) -> lab.Records:
    """Print the damaged parts of a file of records; return the records."""
    for fault in records.faults:
        say(printable(fault[:1].upper() + fault[1:]))
    return records


@command("taquin study status s3-width", "taquin study status mine.toml", group=study)
@study_argument
@store_option
def status(name: str, store: str | None) -> int:
    """Print how many runs of a study are recorded, and whether it is running.

    Exit status: 0 done, 2 bad input, or damaged records, which are named and left out: the next
    run does them again.
    """
    study, path = study_or_records(name, store)
    if not path.is_file():
        run = command_line("run", name, store)
        click.echo(f"{name}: nothing is recorded yet. Run it with: {run}")
        return OK
    with lab.Store(path) as opened:
        runners = living_runners(opened)
        if study is None:
            records = print_faults(opened.all_records())
            runs = counted(len(records), "run is recorded", "runs are recorded")
            click.echo(f"{name}: {runs}.")
        else:
            planned = len({job.key for job in jobs_of(study)})
            records = print_faults(opened.records_of(study))
            by_key = {record.key: record for record in records}
            failed = sum(record.ending.is_failure for record in by_key.values())
            runs = counted(planned, "run is recorded", "runs are recorded")
            done = f"{study.name}: {len(by_key):,} of {runs}"
            click.echo(paragraph(f"{done}, {failed:,} of them failed."))
            if others := len(opened) - len(by_key) - len(records.faults):
                more = counted(others, "more record is", "more records are")
                why = "from other code or an earlier version of the study"
                click.echo(paragraph(f"{more} in the file, {why}."))
        processes = counted(runners, "process is", "processes are")
        click.echo(f"{processes} running it now." if runners else "No process is running it.")
    click.echo(f"Records: {path}")
    return BAD_INPUT if records.faults else OK


@command(
    "taquin study show mine.toml a1b2c3",
    "taquin study show mine.toml a1b2c3 --json",
    group=study,
    epilog="Exit status: 0 done, 2 bad input, or no such digest.",
)
@study_argument
@click.argument("digest", metavar="DIGEST")
@store_option
@json_option
def show(name: str, digest: str, store: str | None, as_json: bool) -> int:
    """Print all that is recorded of one run, or of one machine and its versions.

    DIGEST is the key of a record, or the digest of its provenance, as `taquin study export` writes
    them; the first digits are enough where no other begins with them.
    """
    _, path = study_or_records(name, store)
    with lab.Store(path) as opened:
        records = opened.all_records()
    digest = digest.strip().lower()
    runs = {record.key: record for record in records}
    found: dict[str, dict[str, Any]] = {
        key: row_of(record) for key, record in runs.items() if key.startswith(digest)
    }
    if len(found) == 1:
        ((key, row),) = found.items()
        found = {key: row | {"provenance": _facts(runs[key])}}
    for record in records:
        known = record.provenance_digest
        if known and known.startswith(digest):
            facts = found.setdefault(known, {"provenance": _facts(record), "records": 0})
            facts["records"] += 1
    if not digest or len(found) != 1:
        some = f": {', '.join(sorted(found)[:_MOST_DIGESTS])}" if digest and found else ""
        count = f"{len(found):,} begin" if found else "none begins"
        raise InputError(f"expected the digest of one record of {name}, {count} with it{some}")
    ((_, row),) = found.items()
    if as_json:
        print_json(row)
        return OK
    facts = row.pop("provenance") or {}
    lines = {**row, **{f"  {key}": value for key, value in facts.items()}}
    width = max(map(len, lines))
    for key, value in lines.items():
        if value not in (None, ""):
            click.echo(printable(f"{key:{width}}  {value}"))
    return OK


def _facts(record: lab.Record) -> dict[str, Any] | None:
    """Return the provenance of a record, headed by its digest."""
    known = record.provenance_digest
    return {"digest": known, **json.loads(record.provenance)} if known else None


@command("taquin study list", name="list", group=study)
@store_option
def list_studies(store: str | None) -> int:
    """List the studies that come with taquin, and those that have records."""
    folder = Path(store) if store else default_folder()
    files = {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    titles = {name: lab.read_study(name).title for name in lab.shipped_studies()}
    rows = [
        (printable(name), _number_of_records(files.get(name)), titles.get(name, ""))
        for name in dict.fromkeys([*titles, *files])
    ]
    headings = ("study", "records", "title")
    table = [Column(name, itemgetter(at), left=at != 1) for at, name in enumerate(headings)]
    print_table(table, rows)
    return OK


def _number_of_records(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        with lab.Store(path) as store:
            return f"{len(store):,}"
    except TaquinError:
        return "unreadable"


@command(
    "taquin study export s3-width > s3-width.csv",
    "taquin study export mine.toml --format jsonl --output mine.jsonl",
    group=study,
)
@study_argument
@store_option
@option(
    "Output",
    "--format form",
    "CSV, or one JSON object per line.",
    one_of=("csv", "jsonl"),
    default="csv",
)
@option("Output", "--output -o FILE", "Where to write.  [default: standard output]", type=_FILE)
@flag("Output", "--all everything", "Include records of other code and of earlier versions.")
def export(name: str, store: str | None, form: str, output: Path | None, everything: bool) -> int:
    """Write the records of a study, one line per run, with a column for each counter.

    Exit status: 0 done, 2 bad input, or damaged records, which are named and left out.
    """
    study, path = study_or_records(name, store)
    with lab.Store(path) as opened:
        if study is None or everything:
            records = opened.all_records()
        else:
            records = opened.records_of(study)
    if not print_faults(records):
        raise InputError(f"{path} has no records of this version of {name}: run it, or give --all")
    text = io.StringIO()
    if form == "csv":
        print_csv(records.rows(), text)
    else:
        for row in records.rows():
            print_json(row, text)
    if output is None or str(output) == "-":
        sys.stdout.write(text.getvalue())
    else:
        _write(output, text.getvalue().encode())
    return BAD_INPUT if records.faults else OK


@command(
    "taquin study replay s3-width", "taquin study replay mine.toml --store results", group=study
)
@study_argument
@store_option
def replay(name: str, store: str | None) -> int:
    """Verify every recorded solution: legal, ends at the goal, as long as recorded.

    Exit status: 0 all are right, 1 some are wrong, 2 bad input, or damaged records, which are
    named and left out.
    """
    _, path = study_or_records(name, store)
    with lab.Store(path) as opened:
        records = print_faults(opened.all_records())
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
    return REFUTED if wrong else BAD_INPUT if records.faults else OK
