"""Jobs about the studies of the lab: their list, the progress of one, and its report."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from taquin.errors import TaquinError
from taquin.lab.report.reporting import code_shown, report_in, to_html
from taquin.lab.run.database import SUFFIX, Record, Store, default_folder, store_path
from taquin.lab.run.runner import living_runners
from taquin.lab.study.definition import Study
from taquin.lab.study.reading import read_study, shipped_studies
from taquin.reasons import reason
from taquin.system.formatting import shorten
from taquin.web.messages import error_reason, message, refusal_record
from taquin.web.page_jobs import Emit, Lane, PageJob, ShouldStop


@dataclass(frozen=True, slots=True)
class StudyList(PageJob):
    """List every study that comes with taquin or has records."""

    lane = Lane.QUICK
    seconds = 30.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the progress of each."""
        emit("result", {"studies": [_progress(name) for name in _names()]})


@dataclass(frozen=True, slots=True)
class StudyStatus(PageJob):
    """Report the progress of one study, and the totals of its searches."""

    name: str

    lane = Lane.QUICK
    seconds = 60.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the progress, or an error for an unknown name."""
        if _is_known(self.name, emit):
            emit("result", _progress(self.name, with_searches=True))


@dataclass(frozen=True, slots=True)
class StudyReport(PageJob):
    """Create the report of one study, an HTML page."""

    name: str

    lane = Lane.EXPORT
    seconds = 60.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the page, or an error for an unknown name."""
        name = self.name
        if _is_known(name, emit):
            report = report_in(store_path(name), name, _shipped(name), f"taquin study run {name}")
            content = base64.b64encode(to_html(report).encode()).decode()
            file = {"name": "", "type": "text/html; charset=utf-8", "base64": content}
            emit("result", {"file": file})


def _is_known(name: str, emit: Emit) -> bool:
    """Return whether a study has this name; emit an error if not.

    Only listed names are used in paths, so that a request cannot open other files.
    """
    if name in _names():
        return True
    emit("error", refusal_record(reason("no-study", found=shorten(name))) | {"status": 404})
    return False


def _names() -> list[str]:
    """Return the names of the studies that come with taquin, then of others with records."""
    recorded = (path.stem for path in sorted(default_folder().glob(f"*{SUFFIX}")))
    return list(dict.fromkeys([*shipped_studies(), *recorded]))


def _shipped(name: str) -> Study | None:
    """Return a study that comes with taquin; None for another."""
    return read_study(name) if name in shipped_studies() else None


def _progress(name: str, *, with_searches: bool = False) -> dict[str, Any]:
    """Return the progress of a study, optionally with the totals of its searches."""
    study, path = _shipped(name), store_path(name)
    progress: dict[str, Any] = {
        "name": name,
        "title": study.title if study else "",
        "description": study.description.strip() if study else "",
        "done": 0,
        "total": None if study is None else study.runs,
        "running": False,
        "updated": None,
        "trouble": None,
    }
    if path.is_file():
        try:
            with Store(path) as store:
                records = store.records_of(study, code_shown(store)) if study else None
                progress["running"] = living_runners(store) > 0
                records = store.all_records() if records is None else records
            progress["done"] = len(records)
            progress["updated"] = max((record.when for record in records), default=None)
        except TaquinError as error:
            return progress | {"trouble": message(error_reason(error))}
        if with_searches:
            by_search: dict[str, list[Record]] = {}
            for record in records:
                by_search.setdefault(record.search, []).append(record)
            progress["searches"] = [
                {
                    "search": search,
                    "runs": len(own),
                    "solved": sum(record.solved for record in own),
                    "failed": sum(record.ending.is_failure for record in own),
                    "seconds": sum(record.seconds for record in own),
                }
                for search, own in by_search.items()
            ]
    return progress
