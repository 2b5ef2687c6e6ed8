"""`taquin study report`: tables on the screen, one page, pictures; files whole or not at all."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from taquin.lab.run.database import Store
from taquin.lab.study.definition import Study
from tests.cli.runs import on_screen, run

needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="Matplotlib, of the extra 'plots', is not installed"
)

TOML = """
title = "Tiny"
boards = [{ label = "one", start = "1 2 / 0 3", printed = { "A*" = 1, "BFS" = 99 } }]
searches = [{ label = "A*", algorithm = "astar" }, { label = "BFS", algorithm = "bfs" }]
[[report.sections]]
title = "Nodes"
tables = [{ kind = "printed", value = "expanded" }]
figures = [{ kind = "bars", title = "Nodes" }]
"""


@pytest.fixture
def study(tmp_path: Path) -> str:
    """Return the file of a study that has run."""
    path = tmp_path / "tiny.toml"
    path.write_text(TOML, encoding="utf-8")
    Study.read(path).run(tmp_path, processes=0)
    return str(path)


def test_the_tables_are_printed(study: str, tmp_path: Path) -> None:
    result = run("study", "report", study, "--store", str(tmp_path))
    assert result.exit_code == 0
    assert result.output.startswith("Tiny\n====\n")
    assert "1 =" in result.output
    assert "≠ not as printed" in result.output
    assert "2 runs · 2 solved" in result.output


def test_on_a_screen_the_tables_are_drawn_to_its_width(study: str, tmp_path: Path) -> None:
    status, shown = on_screen("study", "report", study, "--store", str(tmp_path), columns=60)
    assert status == 0
    assert "Tiny" in shown
    assert "─" in shown


@needs_matplotlib
def test_a_page_and_pictures_are_written(study: str, tmp_path: Path) -> None:
    page, folder = tmp_path / "deep" / "page.html", tmp_path / "pictures"
    result = run(
        *("study", "report", study, "--store", str(tmp_path)),
        *("--html", str(page), "--plots", str(folder), "--format", "png"),
    )
    assert result.exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in folder.iterdir()] == ["tiny-1.png"]
    assert str(page) in result.output
    assert os.listdir(page.parent) == ["page.html"]


def test_records_of_other_code_are_shown_with_a_note(study: str, tmp_path: Path) -> None:
    from dataclasses import replace

    from taquin.lab.study.definition import jobs_of

    path = tmp_path / "tiny.sqlite"
    with Store(path) as store:
        records = list(store.records())
    keys = [job.key for job in jobs_of(Study.read(study), "0.0.1")]
    path.unlink()
    with Store(path, write=True) as store, store.transaction():
        store.add(
            replace(record, run=replace(record.run, key=key, code="0.0.1"))
            for record, key in zip(records, keys, strict=True)
        )
    result = run("study", "report", study, "--store", str(tmp_path))
    assert result.exit_code == 0
    assert "taquin 0.0.1" in result.output
    assert "The code has changed since" in result.output


def test_records_of_an_earlier_text_of_the_study_are_not_mixed_in(
    study: str, tmp_path: Path
) -> None:
    Path(study).write_text(TOML.replace("1 2 / 0 3", "0 1 / 3 2"), encoding="utf-8")
    result = run("study", "report", study, "--store", str(tmp_path))
    assert result.exit_code == 2
    assert "none of this version of the study" in result.output
