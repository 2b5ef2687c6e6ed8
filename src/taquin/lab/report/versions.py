"""Compare versions of the user's own code: the records of each fingerprint as a search of its own.

An edited file makes new runs, and the records of the earlier code stay in the file of the study.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taquin.errors import InputError
from taquin.lab.report.document import Report
from taquin.lab.report.measures import MEASURES, Measure
from taquin.lab.report.reporting import report_on
from taquin.lab.report.spec import ReportSpec, SectionSpec, TableKind, TableSpec
from taquin.lab.run.record import Record
from taquin.lab.study.identity import SEPARATOR

_SHOWN = 8
"""Letters of a fingerprint in a label."""


def report_of_versions(
    name: str, records: Sequence[Record], value: Measure = MEASURES["generated"]
) -> Report:
    """Return the report on the two latest versions of each search, from all records of a study.

    Versions differ in the fingerprint of the user's own code, or in the version of taquin. Raise
    InputError if no search has two.
    """
    versions: dict[str, dict[tuple[str, str], list[Record]]] = {}
    for record in records:
        version = record.run.own_code, record.run.code
        versions.setdefault(record.search, {}).setdefault(version, []).append(record)
    shown, tables = [], [TableSpec(value, "Every version", kind=TableKind.OVERVIEW)]
    for search, by_version in versions.items():
        if len(by_version) < 2:
            continue
        latest = list(by_version)[-2:]
        is_same_code = latest[0][1] == latest[1][1]
        labels = []
        for own, code in latest:
            marks = [part.rpartition(" ")[2][:_SHOWN] for part in own.split(SEPARATOR) if part]
            labels.append(f"{search} ({', '.join(marks if is_same_code else [*marks, code])})")
            runs = by_version[own, code]
            shown += [replace(run, run=replace(run.run, search=labels[-1])) for run in runs]
        title = f"{search}: the version before, and the latest"
        tables.append(TableSpec(value, title, kind=TableKind.PAIRED, against=tuple(labels)))
    if not shown:
        raise InputError(
            f"every search of {name} has records of one version only: edit its code and run the "
            f"study again"
        )
    spec = ReportSpec(value, sections=(SectionSpec("Versions", tables=tuple(tables)),))
    return report_on(name, shown, spec)
