"""What the documents of the lab say is so: their studies read."""

from __future__ import annotations

import re
from pathlib import Path

from taquin.lab.report.document import FigureKind
from taquin.lab.report.measures import MEASURES
from taquin.lab.report.spec import ErrorBars, Statistic, TableKind, read_report
from taquin.lab.study.reading import study_of_toml

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "lab.md").read_text(encoding="utf-8")


def test_the_studies_of_the_page_read() -> None:
    first, conventions, own, report = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    study = study_of_toml(f"{first}\n{report}")
    labels = [search.label for search in study.searches]
    assert labels[:2] == ["astar misplaced", "astar manhattan"]
    spec = read_report(study.report)
    assert set(spec.sections[0].tables[0].against) <= set(labels)
    boards = "boards = [{ start = '. . / A @', goal = '* A / * @' }]\n"
    assert study_of_toml(boards + conventions).searches[0].label == "A*"
    assert study_of_toml(boards + own).searches[1].label == "astar(mine.py:my_heuristic)"


def test_the_page_names_every_measure_statistic_and_kind() -> None:
    words = set(re.findall(r"[a-z_]+", PAGE))
    assert set(MEASURES) <= words
    for names in (Statistic, ErrorBars, TableKind, FigureKind):
        assert {member.value for member in names} <= words
