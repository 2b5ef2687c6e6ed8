"""CONTRIBUTING.md followed to the letter, in a copy of the source: what it promises comes true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import taquin
from taquin.system.compiled import CHECKED
from tests.web.browser import chrome
from tests.web.site import serving

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the text below a heading that begins with `title`."""
    return TEXT.split(f"## {title}")[1].split("\n## ")[0]


def steps(title: str) -> list[tuple[str, str, str]]:
    """Return the code of a section: the file, what it comes after there, and the lines."""
    found = []
    for block in re.findall(r"```(?:python|js|c)\n(.*?)```", section(title), re.DOTALL):
        first, _, code = block.partition("\n")
        match = re.fullmatch(r"(?:#|//) src/(\S+?)(?:, after `(.*)`)?", first)
        assert match, first
        found.append((match[1], match[2] or "", code))
    return found


def follow(title: str, source: Path) -> int:
    """Do what a section says in the folder `source`; return in how many files."""
    files = set()
    for file, after, code in steps(title):
        path = source / file
        files.add(file)
        if not after:
            assert not path.exists(), f"{file} is there already"
            path.write_text(code, encoding="utf-8")
            continue
        text = path.read_text(encoding="utf-8")
        assert text.count(after) == 1, f"{file}: {after!r} is there {text.count(after)} times"
        line = next(each for each in text.split("\n") if after in each)
        path.write_text(text.replace(line, f"{line}\n{code.rstrip()}"), encoding="utf-8")
    return len(files)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    shutil.copytree(
        Path(taquin.__file__).parent,
        tmp_path / "taquin",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return tmp_path


def command(source: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "taquin", *words],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def places(title: str) -> int:
    """Return the number of places that a heading promises."""
    words = {"one": 1, "two": 2, "three": 3, "four": 4}
    return words[section(title).split("\n")[0].removeprefix(": ").split()[0]]


def test_a_heuristic_is_added_as_the_text_says(source: Path) -> None:
    assert follow("Add a heuristic", source) == places("Add a heuristic")
    assert "corner: admissible on all 360 boards" in command(
        source, "audit", "corner", "--size", "2x3"
    )
    told = command(source, "solve", "1 2 3 / 4 0 5 / 7 8 6", "-a", "astar", "-H", "corner")
    assert "astar(corner)" in told


def test_a_search_is_added_as_the_text_says(source: Path) -> None:
    assert follow("Add a search", source) == places("Add a search")
    told = command(source, "solve", "1 2 3 / 4 0 5 / 7 8 6", "-a", "pessimist(h1, ties=lifo)")
    assert "pessimist(misplaced, ties=lifo)" in told


def test_a_notation_is_added_as_the_text_says(source: Path) -> None:
    assert follow("Add a notation", source) == places("Add a notation")
    table = r"1 & 2 & 3 \\ 4 & 0 & 5"
    assert command(source, "show", "1 2 3 / 4 0 5", "--form", "latex") == f"{table}\n"
    assert command(source, "show", table, "--form", "rows") == "1 2 3 / 4 0 5\n"


def test_an_engine_is_added_as_the_text_says(source: Path) -> None:
    assert follow("Add an engine", source) == places("Add an engine")
    assert "boards that need no solving" in command(source, "engines")
    assert '"engine": "lucky"' in command(source, "solve", "1 2 3 / 4 5 6 / 7 8 0", "--json")
    assert "lucky" not in command(source, "solve", "1 2 3 / 4 5 6 / 7 0 8")


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_a_kernel_is_added_as_the_text_says(source: Path, tmp_path: Path) -> None:
    assert follow("Add a kernel", source) == places("Add a kernel")
    program = """
import subprocess, sys
from pathlib import Path
from taquin.analysis.inversions import Permutation, count_inversions
from taquin.system.arrays import array, uint8
from taquin.system.compiled import SOURCES, sources_digest

digest = f'-DTAQUIN_SOURCES="{sources_digest()}"'
sources = [f"{SOURCES}/library.c", f"{SOURCES}/inversions.c"]
subprocess.run(["cc", "-shared", "-fPIC", digest, *sources, "-o", sys.argv[1]], check=True)
print(count_inversions(Permutation(array([2, 0, 1], uint8))))
"""
    library = str(tmp_path / "kernels.so")
    told = subprocess.run(
        [sys.executable, "-c", program, library],
        env={**os.environ, "PYTHONPATH": str(source), CHECKED: library},
        capture_output=True,
        text=True,
    )
    assert told.stdout == "2\n", told.stderr


@pytest.mark.slow
def test_a_plot_is_added_as_the_text_says(source: Path, tmp_path: Path) -> None:
    assert follow("Add a plot", source) == places("Add a plot")
    study = tmp_path / "dotted.toml"
    study.write_text(
        """
        boards = [{ starts = ["1 2 / 0 3", "1 0 / 3 2"] }]
        searches = [{ algorithm = ["bfs", "astar"] }]
        [[report.sections]]
        title = "Runs"
        figures = [{ kind = "dots", title = "Every run", value = "expanded" }]
        """
    )
    kept = ("--store", str(tmp_path / "records"))
    command(source, "study", "run", str(study), *kept, "--processes", "0")
    assert "Every run: drawn by" in command(source, "study", "report", str(study), *kept)
    pytest.importorskip("matplotlib", reason="plots need Matplotlib")
    command(source, "study", "report", str(study), *kept, "--plots", str(tmp_path / "plots"))
    (picture,) = (tmp_path / "plots").glob("*.svg")
    # Two searches on two boards each: four points.
    assert picture.read_text(encoding="utf-8").count("<use ") >= 4


@pytest.mark.slow
def test_a_button_is_added_to_the_page_as_the_text_says(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert follow("Add a button to the page", source) == places("Add a button to the page")
    if not chrome.found():
        pytest.skip(chrome.MISSING)
    monkeypatch.setenv("PYTHONPATH", str(source))
    with serving("--no-open", "--no-warm") as site, chrome.started() as browser:
        page = browser.new_page()
        page.goto(site.address)
        page.locator(".more > summary").click()
        page.get_by_role("button", name="Solve", exact=True).click()
        page.locator("#tab-solve[aria-selected=true]").wait_for()
