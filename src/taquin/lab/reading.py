"""Read a study from TOML: from a file, or one of those that come with taquin.

name = "first"                          the file's own name where left out
title = "Two heuristics"
description = "How many boards does each expand?"
notes = ["A remark for the report."]
goal = "blank-last"                     for boards that name none
metric = "single"
repetitions = 1
seeds = 10                              for searches that draw lots; or a list

[limits]                                each may be a list: one run with each
nodes = "1M"
seconds = 60
depth = 80
memory = "1G"
counting = "generated"                  which nodes `nodes` counts

[[boards]]                              see taquin/lab/boards.py
uniform = { size = "3x3", count = 20, seed = 1 }

[[searches]]                            see taquin/lab/searches.py
algorithm = "astar"
heuristic = ["misplaced", "manhattan"]

[report]                                how to show it; see taquin/lab/report.py
"""

from __future__ import annotations

import tomllib
from importlib import resources
from os import PathLike, fspath
from pathlib import Path

from taquin.errors import InputError, TaquinError
from taquin.lab.boards import read_cases
from taquin.lab.searches import read_limits, read_searches, read_seeds
from taquin.lab.study import NO_LIMITS, Study
from taquin.lab.toml_table import Table
from taquin.model.moves import Metric
from taquin.system.words import did_you_mean

_SHIPPED = resources.files("taquin.lab") / "studies"


def shipped_studies() -> list[str]:
    """Return the names of the studies that come with taquin."""
    return sorted(
        file.name.removesuffix(".toml")
        for file in _SHIPPED.iterdir()
        if file.name.endswith(".toml")
    )


def read_study(name: str | PathLike[str]) -> Study:
    """Return the study of a TOML file, or the shipped one of that name.

    Raise TaquinError that names the file and the key at fault.
    """
    text = fspath(name)
    path = Path(text)
    if not path.is_file() and text in shipped_studies():
        content = (_SHIPPED / f"{text}.toml").read_text(encoding="utf-8")
        return study_of_toml(content, text)
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{text}: expected a study in TOML, found what is no text") from None
    except OSError as error:
        known = shipped_studies()
        raise InputError(
            f"there is no study {text!r}: {(error.strerror or 'it cannot be read').lower()}. "
            f"{did_you_mean(text, known)}Expected a TOML file, or one of {', '.join(known)}"
        ) from None
    try:
        return study_of_toml(content, path.stem, path.parent)
    except TaquinError as error:
        raise InputError(f"{text}: {error}") from None


def study_of_toml(text: str, name: str = "study", folder: Path | None = None) -> Study:
    """Return the study that `text` describes; raise TaquinError that names the key at fault.

    `name` is its name where the text gives none; files of boards are looked for in `folder`.

    >>> study = study_of_toml('''
    ... boards = [{ start = "1 2 / 0 3" }]
    ... searches = [{ algorithm = ["bfs", "astar"], heuristic = ["h1", "h2"] }]
    ... ''')
    >>> [search.label for search in study.searches]
    ['bfs', 'astar(misplaced)', 'astar(manhattan)']
    """
    try:
        table = Table(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no TOML: {error}") from None
    metric = table.member("metric", Metric, Metric.SINGLE)
    goal = table.text("goal", "blank-last")
    cases = tuple(read_cases(table.tables("boards"), goal, metric, folder or Path()))
    searches = tuple(
        read_searches(table.tables("searches"), table.table("conventions"), read_seeds(table) or ())
    )
    study = Study(
        name=table.text("name", name),
        cases=cases,
        searches=searches,
        limits=read_limits(table.table("limits")) or NO_LIMITS,
        repetitions=table.number("repetitions", 1, least=1),
        title=table.text("title", ""),
        description=table.text("description", ""),
        notes=tuple(table.texts("notes")),
        report=dict(table.table("report").items()),
    )
    table.finish()
    return study
