"""What the documents of the lab say is so: their studies read, and their notebook has run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from taquin.lab.report.document import FigureKind
from taquin.lab.report.measures import MEASURES
from taquin.lab.report.spec import ErrorBars, Statistic, TableKind, read_report
from taquin.lab.study.reading import study_of_toml

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "lab.md").read_text(encoding="utf-8")


def notebook_cells() -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads((DOCS / "lab.ipynb").read_text("utf-8"))["cells"]
    return cells


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


def test_the_notebook_has_run_from_top_to_bottom_without_an_error() -> None:
    code = [cell for cell in notebook_cells() if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert kinds <= {"stream", "execute_result", "display_data"}
    pictures = [
        output
        for cell in code
        for output in cell["outputs"]
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) >= 2


def test_the_notebook_tells_nothing_of_the_machine_it_ran_on() -> None:
    for cell in notebook_cells():
        shown = json.dumps([cell["source"], [_words(each) for each in cell.get("outputs", [])]])
        assert not re.search(r"/(tmp|home|root|usr|Users)/|\\\\Users", shown)


def _words(output: dict[str, Any]) -> list[Any]:
    data = output.get("data", {})
    return [output.get("text"), *(data[kind] for kind in data if kind.startswith("text/"))]
