"""`make docs`: the reference shows every public name, although names are loaded on first use."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import taquin
import taquin.lab
import taquin.notation
import taquin.views

pytest.importorskip("pdoc")

MAKEFILE = Path(__file__).parents[1] / "Makefile"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the reference, made by the very line of the Makefile."""
    folder = tmp_path_factory.mktemp("site")
    (line,) = (each for each in MAKEFILE.read_text("utf-8").splitlines() if "-m pdoc" in each)
    _, *words = shlex.split(line.replace("site", str(folder)))
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return folder


def page_of(pages: Path, package: object) -> str:
    """Return the page of a package."""
    name = str(getattr(package, "__name__", ""))
    return (pages / f"{name.replace('.', '/')}.html").read_text("utf-8")


@pytest.mark.parametrize("package", [taquin, taquin.lab, taquin.notation, taquin.views])
def test_every_public_name_has_its_place(pages: Path, package: object) -> None:
    shown = set(re.findall(r'<section id="([\w]+)"', page_of(pages, package)))
    assert set(getattr(package, "__all__", ())) - {"lab"} <= shown


@pytest.mark.parametrize("package", [taquin, taquin.lab, taquin.notation, taquin.views])
def test_a_page_opens_with_the_docstring_of_its_package(pages: Path, package: object) -> None:
    page = page_of(pages, package)
    opening = unescape(page.split('class="docstring"')[1].split("</div>")[0])
    assert str(package.__doc__).split("\n")[0] in opening


def test_docstrings_are_shown(pages: Path) -> None:
    page = unescape(page_of(pages, taquin))
    for value in (taquin.Board, taquin.solve, taquin.AStar):
        assert str(value.__doc__).split("\n")[0].split("`")[0].rstrip() in page


def test_the_first_page_leads_to_the_others(pages: Path) -> None:
    page = page_of(pages, taquin)
    for other in sorted((pages / "taquin").glob("*.html")):
        assert f'href="taquin/{other.name}"' in page
