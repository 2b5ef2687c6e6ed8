"""Make the report of a study from its records.

A study without a `[report]` table gets a default report: one line for each search, one line for
each board if there are few, runs solved against the effort, and the lengths of the solutions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from taquin.lab.report.boards import boards_of
from taquin.lab.report.document import Figure, FigureKind, Report, Section
from taquin.lab.report.figures import figure_of
from taquin.lab.report.grouping import Grouping, check_key
from taquin.lab.report.measures import MEASURES
from taquin.lab.report.spec import (
    FigureSpec,
    ReportSpec,
    SectionSpec,
    TableKind,
    TableSpec,
    read_report,
)
from taquin.lab.report.tables import table_of
from taquin.lab.run.record import Record, Records
from taquin.lab.study.study import Case, Search, Study
from taquin.lab.study.toml_table import TomlTable
from taquin.system.words import counted, printable, unknown

Shown = TypeVar("Shown")

_FEW_BOARDS = 30
_MOST_FAILURES = 5
_ENOUGH_LENGTHS = 10


def report_of(study: Study, records: Sequence[Record], planned: int | None = None) -> Report:
    """Return the report on the records of a study, according to its `[report]` table.

    With `planned`, the number of runs of the study, the report says if some are missing. Raise
    TaquinError that names the key at fault of the `[report]` table.
    """
    return _printable(
        Report(
            name=study.name,
            title=study.title or study.name,
            description=study.description,
            sections=_sections(read_report(study.report), records, study.name),
            notes=(*study.notes, *_failures(records)),
            origin=_origin(records, planned),
        )
    )


def check_report(study: Study) -> None:
    """Raise TaquinError that names the key for a `[report]` table that does not suit the study.

    This finds a mistake before anything runs.
    """
    spec = read_report(study.report)
    labels = [search.label for search in study.searches]
    sources: list[Case | Search] = [*study.cases, *study.searches]
    columns = dict.fromkeys(name for each in sources for name in each.columns)
    for number, section in enumerate(spec.sections, 1):
        asked: dict[str, tuple[TableSpec | FigureSpec, ...]] = {
            "tables": section.tables,
            "figures": section.figures,
        }
        for kind, each in ((kind, each) for kind, all_ in asked.items() for each in all_):
            place = f"report.sections[{number}].{kind}[{asked[kind].index(each) + 1}]"
            table = TomlTable({}, place)
            for name in ("rows", "columns", "x", "series"):
                with table.blaming(name):
                    check_key(getattr(each, name, "board"), columns)
            for name in each.where:
                with table.blaming("where"):
                    check_key(name, columns)
            for label in each.against:
                if label not in labels:
                    raise table.error("against", unknown("search", label, labels))


def report_of_records(name: str, records: Sequence[Record]) -> Report:
    """Return the report on records without their study, which may have been made in Python."""
    sections = _sections(ReportSpec(), records, name)
    return _printable(Report(name, name, "", sections, _failures(records), _origin(records)))


def _printable(part: Shown) -> Shown:
    """Return a part of a report with the control characters of all its texts spelled out."""
    shown: Any = part
    if isinstance(part, str):
        shown = printable(part)
    elif isinstance(part, tuple):
        shown = tuple(map(_printable, part))
    elif is_dataclass(part) and not isinstance(part, type):
        parts = {each.name: getattr(part, each.name) for each in fields(part)}
        shown = replace(part, **{name: _printable(value) for name, value in parts.items()})
    return cast("Shown", shown)


def usual_sections(spec: ReportSpec, records: Sequence[Record]) -> tuple[SectionSpec, ...]:
    """Return the sections of a report for a study that names none."""
    value, cost = spec.value, MEASURES["cost"]
    # A share or a length is not an effort; use the nodes generated then.
    effort = value if value.grows else MEASURES["generated"]
    searches = list(dict.fromkeys(record.search for record in records))
    boards = {record.board for record in records}
    has_printed = bool(spec.printed) or any(each.run.printed is not None for each in records)
    tables = [TableSpec(TableKind.OVERVIEW, value, title="Every search")]
    if has_printed:
        tables.append(TableSpec(TableKind.PRINTED, value, title="Printed and measured"))
    if len(boards) <= _FEW_BOARDS:
        tables += [
            TableSpec(
                TableKind.PIVOT, each, title=_capitalised(title), rows="board", columns="search"
            )
            for each, title in {cost: "solution length", value: value.unit}.items()
        ]
    time = MEASURES["cpu_seconds"]
    figures = [
        FigureSpec(FigureKind.CACTUS, each, title=f"Solved against {each.unit}", log="x")
        for each in dict.fromkeys((effort, time))
    ]
    if len(searches) == 2:
        figures.append(
            FigureSpec(
                FigureKind.SCATTER,
                effort,
                title=f"{searches[1]} against {searches[0]}",
                against=tuple(searches),
                log="xy",
            )
        )
    if sum(record.solved for record in records) >= _ENOUGH_LENGTHS:
        figures.append(FigureSpec(FigureKind.HISTOGRAM, cost, title="Lengths of the solutions"))
    return (
        SectionSpec(
            "Results",
            tables=tuple(replace(each, pool_limits=spec.pool_limits) for each in tables),
            figures=tuple(replace(each, pool_limits=spec.pool_limits) for each in figures),
        ),
    )


def _capitalised(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _sections(spec: ReportSpec, records: Sequence[Record], name: str) -> tuple[Section, ...]:
    usable = [record for record in records if not record.ending.is_failure]
    if not usable:
        return ()
    grouping = Grouping(usable)
    # The names of figures are used for files and for elements of a page.
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    sections, figures = [], 0
    for section in spec.sections or usual_sections(spec, records):
        drawn: list[Figure] = []
        for each in section.figures:
            figures += 1
            drawn.append(figure_of(each, grouping, spec, f"{stem}-{figures}"))
        sections.append(
            Section(
                title=section.title,
                text=section.text,
                tables=tuple(table_of(each, grouping, spec) for each in section.tables),
                figures=tuple(drawn),
                notes=section.notes,
                boards=boards_of(usable) if section.boards else (),
            )
        )
    return tuple(sections)


def _failures(records: Sequence[Record]) -> tuple[str, ...]:
    """Return notes on rows that are not valid and on runs that failed."""
    unread = list(records.faults) if isinstance(records, Records) else []
    more = [f"and {len(unread) - _MOST_FAILURES:,} more"] if len(unread) > _MOST_FAILURES else []
    unread = [f"{each[0].upper()}{each[1:]}." for each in [*unread[:_MOST_FAILURES], *more]]
    failed = [record for record in records if record.ending.is_failure]
    if not failed:
        return tuple(unread)
    shown = [
        f"{record.search} on {record.board} ({record.ending.value}: {record.reason})"
        for record in failed[:_MOST_FAILURES]
    ]
    others = f" and {len(failed) - len(shown):,} more" if len(failed) > len(shown) else ""
    runs = counted(len(failed), "run failed and is", "runs failed and are")
    return (*unread, f"{runs} left out of every number: {'; '.join(shown)}{others}.")


def _origin(records: Sequence[Record], planned: int | None = None) -> str:
    """Return the number of runs, the version of the code and the machines, in words."""
    if planned is not None and planned > len(records):
        said = [f"{len(records):,} of {counted(planned, 'run is', 'runs are')} done so far"]
    else:
        said = [counted(len(records), "run")]
    solved = sum(record.solved for record in records)
    said.append(f"{solved:,} solved")
    codes = sorted({record.run.code for record in records if record.run.code})
    if codes:
        said.append(f"taquin {' and '.join(codes)}")
    machines = sorted({record.machine for record in records if record.machine})
    if machines:
        more = f" and {len(machines) - 1} more" if len(machines) > 1 else ""
        said.append(f"{machines[0]}{more}")
    return " · ".join(said)
