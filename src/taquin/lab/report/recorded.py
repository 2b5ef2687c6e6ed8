"""Make the report on a file of records: choose the records to show, and add notes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

from taquin.errors import StorageError
from taquin.lab.report.document import Report
from taquin.lab.report.reporting import report_of, report_of_records
from taquin.lab.run.record import Record, Records
from taquin.lab.run.store import Store
from taquin.lab.study.study import Study, code_version
from taquin.system.words import counted


def report_in(path: Path, name: str, study: Study | None, again: str) -> Report:
    """Return the report on the records of a study in a file; `study` is None if it is not known.

    `again` is the command that runs it. Raise StorageError if there is nothing to show.
    """
    if not path.is_file():
        raise StorageError(f"nothing is recorded of {name} yet: {again} does it")
    with Store(path) as opened:
        if study is None:
            return _report_of_latest(name, opened.all_records())
        code = code_shown(opened)
        records = opened.records_of(study, code)
        if not records and len(opened):
            raise StorageError(
                f"{path} has {counted(len(opened), 'record')}, but none of this version of the "
                f"study: run it again with {again}"
            )
        report = report_of(study, records, study.runs)
    if records and code != code_version():
        note = f"The code has changed since: to measure it anew, {again}."
        return replace(report, notes=(*report.notes, note))
    return report


def _report_of_latest(name: str, records: Records) -> Report:
    """Return the report on the latest record of each run, by any version of the code."""
    latest: dict[Hashable, Record] = {}
    for record in records:
        run = record.run
        latest[run.board, run.search, run.start, run.limits, run.seed, run.repetition] = record
    shown = Records(latest.values())
    shown.faults = records.faults
    report = report_of_records(name, shown)
    if not (left_out := len(records) - len(shown)):
        return report
    more = counted(left_out, "record of earlier code is", "records of earlier code are")
    return replace(report, notes=(*report.notes, f"{more} left out."))


def code_shown(store: Store) -> str:
    """Return the version of the code whose records to show: this one, or else the latest."""
    codes = [
        str(code)
        for (code,) in store.rows("SELECT code FROM records GROUP BY code ORDER BY max(rowid) DESC")
    ]
    return codes[0] if codes and code_version() not in codes else code_version()
