"""Build the report of a study from records, or a file of them; write it as HTML, LaTeX or rows.

A study without a `[report]` table gets a default report: one line for each search, one line for
each board if there are few, runs solved against the effort, and the lengths of the solutions.

`to_html` writes one self-contained page, light or dark, for screens and paper. `to_latex` and
`flat_rows`, for CSV, write the tables for other programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from html import escape
from importlib import resources
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Any, TypeVar, cast

from taquin.errors import InputError, StorageError
from taquin.lab.report.document import (
    BoardDrawing,
    FigureKind,
    Mark,
    Report,
    Section,
    Table,
    parts_of,
)
from taquin.lab.report.figures import available, figure_of, to_svg
from taquin.lab.report.measures import MEASURES, Grouping, Measure
from taquin.lab.report.spec import (
    FigureSpec,
    ReportSpec,
    SectionSpec,
    TableKind,
    TableSpec,
    read_report,
)
from taquin.lab.report.tables import table_of
from taquin.lab.run.database import Record, Records, Store
from taquin.lab.study.definition import Study, code_version
from taquin.lab.study.identity import SEPARATOR
from taquin.reasons import reason
from taquin.system.formatting import counted, printable, tex
from taquin.system.lazy import install_command

Part = TypeVar("Part")

_FEW_BOARDS = 30
_MOST_FAILURES = 5
_ENOUGH_LENGTHS = 10
_MOST_DRAWINGS = 40
"""The most boards that are drawn."""
_FINGERPRINT_LETTERS = 8
"""Letters of a fingerprint in the label of a version."""
_DEFAULT = ReportSpec()


def report_of(
    study: Study, records: Sequence[Record], planned: int | None = None, *, statistics: bool = False
) -> Report:
    """Return the report on the records of a study, according to its `[report]` table.

    With `planned`, the number of runs of the study, the report says if some are missing. With
    `statistics`, it ends with confidence intervals and paired tests of all searches.
    """
    spec = read_report(study.report)
    report = report_of_records(study.name, records, spec, planned, statistics=statistics)
    notes = (*_printable(study.notes), *report.notes)
    title = printable(study.title or study.name)
    return replace(report, title=title, description=printable(study.description), notes=notes)


def report_of_records(
    name: str,
    records: Sequence[Record],
    spec: ReportSpec = _DEFAULT,
    planned: int | None = None,
    *,
    statistics: bool = False,
) -> Report:
    """Return the report on records whose study is not available."""
    sections = _sections(spec, records, name)
    if statistics:
        table = partial(TableSpec, spec.value, pool_limits=spec.pool_limits)
        tables = (
            table("Confidence intervals", kind=TableKind.CONFIDENCE),
            table("Each two searches", kind=TableKind.PAIRED),
        )
        tests = replace(spec, sections=(SectionSpec("Statistics", tables=tables),))
        sections += _sections(tests, records, name)
    origin = _origin(records, planned)
    damaged = len(records.faults) if isinstance(records, Records) else 0
    return _printable(Report(name, name, "", sections, _failures(records), origin, damaged))


def report_of_versions(
    name: str, records: Sequence[Record], value: Measure = MEASURES["generated"]
) -> Report:
    """Return the report on the two latest versions of each search, from all records of a study.

    Versions differ in the fingerprint of user code, or in the version of taquin. Raise InputError
    if no search has two versions.
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
            parts = [part for part in own.split(SEPARATOR) if part]
            marks = [part.rpartition(" ")[2][:_FINGERPRINT_LETTERS] for part in parts]
            labels.append(f"{search} ({', '.join(marks if is_same_code else [*marks, code])})")
            runs = by_version[own, code]
            shown += [replace(run, run=replace(run.run, search=labels[-1])) for run in runs]
        title = f"{search}: the version before, and the latest"
        tables.append(TableSpec(value, title, kind=TableKind.PAIRED, against=tuple(labels)))
    if not shown:
        raise InputError(
            f"every search of {name} has records of only one version: edit its code and run the "
            f"study again"
        )
    spec = ReportSpec(value, sections=(SectionSpec("Versions", tables=tuple(tables)),))
    return report_of_records(name, shown, spec)


def report_in(
    path: Path, name: str, study: Study | None, command: str, *, statistics: bool = False
) -> Report:
    """Return the report on the records of a study in a file; `study` is None if it is not known.

    `command` runs the study; `report_of` explains `statistics`. Raise StorageError if there is
    nothing to show.
    """
    if not path.is_file():
        raise StorageError(reason("no-records", name=name, command=command))
    with Store(path) as store:
        if study is None:
            # The latest record of each run, by any version of the code.
            records, latest = store.all_records(), dict[Hashable, Record]()
            for record in records:
                run = record.run
                key = run.board, run.search, run.start, run.limits, run.seed, run.repetition
                latest[key] = record
            shown = Records(latest.values())
            shown.faults = records.faults
            report = report_of_records(name, shown, statistics=statistics)
            if not (left_out := len(records) - len(shown)):
                return report
            more = counted(left_out, "record of earlier code is", "records of earlier code are")
            return replace(report, notes=(*report.notes, f"{more} excluded."))
        code = code_shown(store)
        records = store.records_of(study, code)
        if not records and len(store):
            raise StorageError(
                f"{path} has {counted(len(store), 'record')}, but none of this version of the "
                f"study: run it again with {command}"
            )
    report = report_of(study, records, study.runs, statistics=statistics)
    if records and code != code_version():
        note = f"The code has changed since: to measure it again, run {command}."
        return replace(report, notes=(*report.notes, note))
    return report


def code_shown(store: Store) -> str:
    """Return the version of the code whose records are shown: this one, or the latest."""
    rows = store.rows("SELECT code FROM records GROUP BY code ORDER BY max(rowid) DESC")
    codes = [str(code) for (code,) in rows]
    return codes[0] if codes and code_version() not in codes else code_version()


def _printable(part: Part) -> Part:
    """Return a part of a report with the control characters in all its texts escaped."""
    shown: Any = part
    if isinstance(part, str):
        shown = printable(part)
    elif isinstance(part, tuple):
        shown = tuple(map(_printable, part))
    elif is_dataclass(part) and not isinstance(part, type):
        names = [field.name for field in fields(part)]
        shown = replace(part, **{name: _printable(getattr(part, name)) for name in names})
    return cast("Part", shown)


def _default_section(spec: ReportSpec, records: Sequence[Record]) -> SectionSpec:
    """Return the section of a report for a study that names none."""
    value, cost, pool = spec.value, MEASURES["cost"], spec.pool_limits
    # Shares and lengths are no effort: use the nodes generated instead.
    effort = value if value.grows else MEASURES["generated"]
    searches = tuple(dict.fromkeys(record.search for record in records))
    table, figure = partial(TableSpec, pool_limits=pool), partial(FigureSpec, pool_limits=pool)
    tables = [table(value, "Every search", kind=TableKind.OVERVIEW)]
    if spec.printed or any(record.run.printed is not None for record in records):
        tables.append(table(value, "Printed and measured", kind=TableKind.PRINTED))
    if len({record.board for record in records}) <= _FEW_BOARDS:
        titles = {cost: "Solution length", value: f"{value.unit[:1].upper()}{value.unit[1:]}"}
        tables += [table(*item, rows="board", columns="search") for item in titles.items()]
    figures = [
        figure(measure, f"Solved against {measure.unit}", kind=FigureKind.CACTUS, log="x")
        for measure in dict.fromkeys((effort, MEASURES["cpu_seconds"]))
    ]
    if len(searches) == 2:
        title = f"{searches[1]} against {searches[0]}"
        figures.append(figure(effort, title, kind=FigureKind.SCATTER, against=searches, log="xy"))
    if sum(record.solved for record in records) >= _ENOUGH_LENGTHS:
        figures.append(figure(cost, "Lengths of the solutions", kind=FigureKind.HISTOGRAM))
    return SectionSpec("Results", tables=tuple(tables), figures=tuple(figures))


def _sections(spec: ReportSpec, records: Sequence[Record], name: str) -> tuple[Section, ...]:
    usable = [record for record in records if not record.ending.is_failure]
    if not usable:
        return ()
    grouping = Grouping(usable)
    # The names of figures are used for files and for elements of a page.
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    names = (f"{stem}-{number}" for number in count(1))
    return tuple(
        Section(
            title=section.title,
            text=section.text,
            tables=tuple(table_of(table, grouping, spec) for table in section.tables),
            figures=tuple(
                figure_of(figure, grouping, spec, next(names)) for figure in section.figures
            ),
            notes=section.notes,
            boards=tuple(_drawings(usable)) if section.boards else (),
        )
        for section in spec.sections or [_default_section(spec, records)]
    )


def _drawings(records: Sequence[Record]) -> Iterator[BoardDrawing]:
    """Yield the boards and goals of records; a shared start or goal is drawn once."""
    boards = {record.board: (record.run.start, record.run.goal) for record in records}
    # Without the common prefix of the labels: `3x3 40 moves #1`.
    split_labels = [label.split() for label in boards]
    columns = zip(*(parts[:-1] for parts in split_labels), strict=False)
    shared = len(list(takewhile(lambda column: len({*column}) == 1, columns)))
    labels = (" ".join(parts[shared:]) for parts in split_labels)
    boards = dict(list(zip(labels, boards.values(), strict=True))[:_MOST_DRAWINGS])
    starts, goals = ({*texts} for texts in zip(*boards.values(), strict=True))
    if len(starts) == 1:
        yield BoardDrawing("start", _cells(*starts))
    for label, (start, goal) in boards.items():
        if len(starts) > 1:
            yield BoardDrawing(label, _cells(start))
        if len(goals) > 1:
            yield BoardDrawing(label if len(starts) == 1 else f"{label}, goal", _cells(goal))
    if len(goals) == 1:
        yield BoardDrawing("goal", _cells(*goals))


def _cells(text: str) -> tuple[tuple[str, ...], ...]:
    rows = [row.split() for row in text.split("/")]
    # With unnamed tiles, the blank is shown as @, the agent.
    unnamed = {".", "*"}
    blank = "@" if any(unnamed & set(row) for row in rows) else ""
    shown = {**dict.fromkeys(unnamed, ""), "0": blank}
    return tuple(tuple(shown.get(cell, cell) for cell in row) for row in rows)


def _failures(records: Sequence[Record]) -> tuple[str, ...]:
    """Return notes on invalid rows and on failed runs."""
    faults = records.faults if isinstance(records, Records) else []
    hidden = len(faults) - _MOST_FAILURES
    shown = [*faults[:_MOST_FAILURES], *([f"and {hidden:,} more"] if hidden > 0 else [])]
    notes = [f"{fault[0].upper()}{fault[1:]}." for fault in shown]
    failed = [record for record in records if record.ending.is_failure]
    if failed:
        runs = counted(len(failed), "run failed and is", "runs failed and are")
        reasons = "; ".join(
            f"{record.search} on {record.board} ({record.ending.value}: {record.reason})"
            for record in failed[:_MOST_FAILURES]
        )
        hidden = len(failed) - _MOST_FAILURES
        more = f" and {hidden:,} more" if hidden > 0 else ""
        notes.append(f"{runs} excluded from all numbers: {reasons}{more}.")
    return tuple(notes)


def _origin(records: Sequence[Record], planned: int | None = None) -> str:
    """Return the number of runs, the version of the code and the machines, as text."""
    parts = [counted(len(records), "run")]
    if planned is not None and planned > len(records):
        parts = [f"{len(records):,} of {counted(planned, 'run is', 'runs are')} done so far"]
    parts.append(f"{sum(record.solved for record in records):,} solved")
    if codes := sorted({record.run.code for record in records if record.run.code}):
        parts.append(f"taquin {' and '.join(codes)}")
    commits = {_commit(record.provenance) for record in records if record.provenance}
    if any(commits):
        parts.append(f"commit {' and '.join(sorted(filter(None, commits)))}")
    if machines := sorted({record.machine for record in records if record.machine}):
        more = f" and {len(machines) - 1} more" if len(machines) > 1 else ""
        parts.append(f"{machines[0]}{more}")
    return " · ".join(parts)


@cache
def _commit(provenance: str) -> str:
    """Return the commit that a record was made with, with a mark if its files were edited."""
    facts = json.loads(provenance)
    edited = "+edited" if facts.get("dirty") else ""
    return f"{str(facts['commit'])[:12]}{edited}" if facts.get("commit") else ""


_MARK_CLASSES = {
    **dict.fromkeys((Mark.EQUAL, Mark.INSIDE), "same"),
    **dict.fromkeys((Mark.DIFFERENT, Mark.OUTSIDE), "other"),
    Mark.NONE: "",
}
_CELL_CLASSES = {"": "none", "#": "wall", "@": "agent"}
_TABLE_WIDTH = 100
"""The most characters in a line of a table, so that it fits a sheet of paper."""


def to_html(report: Report) -> str:
    """Return the report as a self-contained page, with figures if Matplotlib is installed."""
    style = (resources.files("taquin.lab.report") / "page.css").read_text(encoding="utf-8")
    figure_numbers = count(1) if available() else None
    footer = [report.origin]
    if figure_numbers is None and any(report.figures):
        how = install_command("plots")
        footer.insert(0, f"The figures are omitted, as Matplotlib is not installed: {how}.")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{escape(report.title)}</title>",
        f"<style>\n{style}</style></head>",
        "<body><main>",
        f"<h1>{escape(report.title)}</h1>",
        *(
            f'<p class="lead">{escape(line)}</p>'
            for line in report.description.strip().splitlines()
        ),
        *(line for section in report.sections for line in _section(section, figure_numbers)),
        *(["<h2>Notes</h2>", *_notes(report.notes)] if report.notes else []),
        "<footer>",
        *(f"<p>{escape(line)}</p>" for line in footer),
        "</footer></main></body></html>",
    ]
    return "\n".join(lines) + "\n"


def _section(section: Section, figure_numbers: Iterable[int] | None) -> Iterator[str]:
    """Yield a section, without its figures if `figure_numbers` is None."""
    yield f"<section><h2>{escape(section.title)}</h2>"
    if section.text:
        yield f"<p>{escape(section.text)}</p>"
    if section.boards:
        yield '<div class="boards">'
        yield from map(_board, section.boards)
        yield "</div>"
    for table in section.tables:
        for part in parts_of(table, _TABLE_WIDTH):
            yield from _table(part)
        for line in filter(None, (table.caption, table.legend)):
            yield f'<p class="caption">{escape(line)}</p>'
    # Figures first: `zip` must not consume a number that the next section needs.
    for figure, number in zip(section.figures, figure_numbers or (), strict=False):
        yield "<figure>"
        yield to_svg(figure, caption=False, page=True)
        caption = f"{escape(figure.title)}. {escape(figure.caption)}"
        label = f'<figcaption id="{figure.name}-caption"><b>Figure {number}.</b>'
        yield f"{label} {caption}</figcaption>"
        yield "</figure>"
    if section.notes:
        yield from _notes(section.notes)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f'<div class="wide"><table><caption>{escape(table.title)}</caption><thead>'
    if table.over and table.columns:
        empty = f'<th class="over" colspan="{len(table.headings)}"></th>'
        over = f'<th class="over" colspan="{len(table.columns)}">{escape(table.over)}</th>'
        yield f"<tr>{empty}{over}</tr>"
    headings = [f'<th class="label" scope="col">{escape(text)}</th>' for text in table.headings]
    headings += [f'<th scope="col">{escape(text)}</th>' for text in table.columns]
    yield f"<tr>{''.join(headings)}</tr></thead><tbody>"
    group, has_marks = None, bool(table.legend)
    for row in table.rows:
        is_first = row.labels[0] != group
        group = row.labels[0]
        classes = ["group"] if is_first and len(row.labels) > 1 else []
        classes += ["printed"] if row.labels[-1] == "printed" else []
        first, *others = row.labels
        shown = escape(first) if is_first else ""
        cells = [f'<th class="label" scope="row">{shown}</th>']
        cells += [f'<th class="label minor" scope="row">{escape(label)}</th>' for label in others]
        for entry in row.entries:
            # Every cell of a table with marks reserves space for one, to align the digits.
            mark = f'<span class="mark">{entry.mark.value}</span>' if has_marks else ""
            cells.append(f'<td class="{_MARK_CLASSES[entry.mark]}">{escape(entry.text)}{mark}</td>')
        yield f'<tr class="{" ".join(classes)}">{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _board(board: BoardDrawing) -> str:
    width = max(map(len, board.cells), default=1)
    cells = "".join(
        f'<span class="{_CELL_CLASSES.get(cell, "tile")}">{escape(text)}</span>'
        for cell in chain(*board.cells)
        for text in ["" if cell == "#" else cell]
    )
    return (
        f'<div class="board"><b>{escape(board.label)}</b>'
        f'<div style="grid-template-columns: repeat({width}, 1fr)">{cells}</div></div>'
    )


def _notes(notes: Iterable[str]) -> list[str]:
    return ['<ul class="notes">', *(f"<li>{escape(note)}</li>" for note in notes), "</ul>"]


def to_latex(table: Table, label: str = "") -> str:
    r"""Return a table as LaTeX, to be included by `\input`; it needs `\usepackage{booktabs}`.

    `\ref` finds it by `label`, by default `tab:` and the title in small letters.
    """
    label = label or f"tab:{'-'.join(re.findall('[a-z0-9]+', table.title.lower()))}"
    caption = " ".join(filter(None, [table.title and f"{table.title}.", table.caption]))
    lines = [
        r"% In the preamble: \usepackage{booktabs}. In the text: \input{FILE}",
        r"\begin{table}",
        rf"\caption{{{tex(' '.join(filter(None, [caption, table.legend])))}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{'l' * len(table.headings)}{'r' * len(table.columns)}}}",
        r"\toprule",
    ]
    if table.over and table.columns:
        over = rf"\multicolumn{{{len(table.columns)}}}{{c}}{{{tex(table.over)}}}"
        lines.append(_line([*[""] * len(table.headings), over]))
    lines += [_line(map(tex, (*table.headings, *table.columns))), r"\midrule"]
    for row in table.rows:
        entries = (f"{entry.text} {entry.mark.value}".strip() for entry in row.entries)
        lines.append(_line(map(tex, (*row.labels, *entries))))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def flat_rows(table: Table) -> list[dict[str, str | float | None]]:
    """Return the rows of a table, with numbers in full and None for a dash.

    A number that is only a lower bound is a text: `>= 5000`.
    """
    names = [heading or "figure" for heading in table.headings]
    columns = [f"{table.over} {name}" if name in names else name for name in table.columns]
    rows = []
    for row in table.rows:
        values: list[str | float | None] = [*row.labels]
        for entry in row.entries:
            if entry.value is None:
                values.append(None if entry.text == "–" else entry.text)
            else:
                is_bound = entry.text.startswith("≥")
                values.append(f">= {entry.value}" if is_bound else entry.value)
        rows.append(dict(zip((*names, *columns), values, strict=True)))
    return rows
