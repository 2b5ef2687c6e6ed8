"""Jobs about the studies of the lab: which there are, how far they have come, and their reports."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from taquin.errors import TaquinError
from taquin.lab.report.html import to_html
from taquin.lab.report.recorded import code_shown, report_in
from taquin.lab.run.record import Records
from taquin.lab.run.runner import living_runners
from taquin.lab.run.store import SUFFIX, Store, default_folder, store_path
from taquin.lab.study.reading import read_study, shipped_studies
from taquin.lab.study.study import Study
from taquin.system.words import shorten
from taquin.web.job import STOP_SECONDS, Stop, Tell


@dataclass(frozen=True, slots=True)
class Studies:
    """Tell of every study that comes with taquin or has records."""

    is_quick = True
    seconds = 30.0
    stop_seconds = STOP_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Look at each."""
        tell("result", {"studies": [_standing(name) for name in _names()]})


@dataclass(frozen=True, slots=True)
class OneStudy:
    """Tell of one study: how far it has come, or, as a page, what came out of it."""

    name: str
    is_report: bool = False

    seconds = 60.0
    stop_seconds = STOP_SECONDS

    @property
    def is_quick(self) -> bool:
        """Tell that plots take longer."""
        return not self.is_report

    def run(self, tell: Tell, stop: Stop) -> None:
        """Look at its records."""
        # A path is no name: files are not opened at the wish of a request.
        if self.name not in _names():
            sentence = f"there is no study {shorten(self.name)}; /api/studies lists them"
            tell("error", {"error": sentence, "status": 404})
            return
        if not self.is_report:
            tell("result", _standing(self.name, summed_up=True))
            return
        study = _described(self.name)
        made = report_in(store_path(self.name), self.name, study, f"taquin study run {self.name}")
        content = base64.b64encode(to_html(made).encode()).decode()
        kind = "text/html; charset=utf-8"
        tell("result", {"file": {"name": "", "type": kind, "base64": content}})


def _names() -> list[str]:
    """Return the studies that come with taquin, then others that have records."""
    shipped = list(shipped_studies())
    found = (path.stem for path in sorted(default_folder().glob(f"*{SUFFIX}")))
    return [*shipped, *(name for name in found if name not in shipped)]


def _described(name: str) -> Study | None:
    """Return what a study is; None for one of which only the records are at hand."""
    return read_study(name) if name in shipped_studies() else None


def _standing(name: str, *, summed_up: bool = False) -> dict[str, Any]:
    """Return how far a study has come, and if asked what each of its searches did."""
    study, path = _described(name), store_path(name)
    found: dict[str, Any] = {
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
                found["running"] = living_runners(store) > 0
                records = store.all_records() if records is None else records
            found["done"] = len(records)
            found["updated"] = max((record.when for record in records), default=None)
        except TaquinError as error:
            return found | {"trouble": str(error)}
        if summed_up:
            found["searches"] = list(_sums(records))
    return found


def _sums(records: Records) -> Iterator[dict[str, Any]]:
    """Yield what each search did: its runs, how many solved their board or failed, its time."""
    for name in dict.fromkeys(record.search for record in records):
        own = [record for record in records if record.search == name]
        yield {
            "search": name,
            "runs": len(own),
            "solved": sum(record.solved for record in own),
            "failed": sum(record.ending.is_failure for record in own),
            "seconds": sum(record.seconds for record in own),
        }
