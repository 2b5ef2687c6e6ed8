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


@pytest.mark.parametrize("package", [taquin, taquin.lab, taquin.notation, taquin.views])
def test_every_public_name_has_its_place(pages: Path, package: object) -> None:
    name = str(getattr(package, "__name__", ""))
    page = (pages / f"{name.replace('.', '/')}.html").read_text("utf-8")
    shown = set(re.findall(r'<section id="([\w]+)"', page))
    assert set(getattr(package, "__all__", ())) - {"lab"} <= shown


def test_docstrings_are_shown(pages: Path) -> None:
    page = unescape((pages / "taquin.html").read_text("utf-8"))
    for value in (taquin.Board, taquin.solve, taquin.AStar):
        first = str(value.__doc__).split("\n")[0].split("`")[0].rstrip()
        assert first in page
    assert (pages / "taquin" / "classroom.html").exists()
