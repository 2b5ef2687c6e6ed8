"""From a file of records to a report: which of them to show, and what there is to say of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from taquin.errors import StorageError
from taquin.lab.report.document import Report
from taquin.lab.report.reporting import report_of, report_of_records
from taquin.lab.run.store import Store
from taquin.lab.study.study import Study, code_version


def report_in(path: Path, name: str, study: Study | None, again: str) -> Report:
    """Return the report on what a file has recorded of a study; None if only records are at hand.

    `again` is the command that runs it. Raise StorageError where there is nothing to show.
    """
    if not path.is_file():
        raise StorageError(f"nothing is recorded of {name} yet: {again} does it")
    with Store(path) as opened:
        if study is None:
            return report_of_records(name, opened.all_records())
        code = code_shown(opened)
        records = opened.records_of(study, code)
        if not records and len(opened):
            raise StorageError(
                f"{path} has {len(opened):,} records, but all of an earlier version of the study: "
                f"run it again with {again}"
            )
        made = report_of(study, records, study.runs)
    if records and code != code_version():
        note = f"The code has changed since: to measure it anew, {again}."
        return replace(made, notes=(*made.notes, note))
    return made


def code_shown(store: Store) -> str:
    """Return the version of the code whose records to show: this one, or else the latest there."""
    found = [
        str(code)
        for (code,) in store.rows("SELECT code FROM records GROUP BY code ORDER BY max(rowid) DESC")
    ]
    return found[0] if found and code_version() not in found else code_version()
