"""What needs an extra says so in one sentence where it is not installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import taquin as tq
from taquin.search.control import Control
from taquin.views import search_tree, to_networkx
from tests.cli.runs import refusal


@pytest.mark.parametrize(("library", "module", "extra"), [("gymnasium", "taquin.gym", "gym")])
def test_a_module_names_the_extra_that_it_needs(
    library: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(module)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(tq.errors.MissingError, match=rf'is not installed: .*"taquin\[{extra}\]"'):
        __import__(module)


def test_a_graph_names_the_extra_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    tree = search_tree(tq.trace(tq.Puzzle(tq.Goal("2x2")), tq.Board("1 2 / 0 3"), tq.AStar()))
    with pytest.raises(tq.errors.MissingError, match=r'is not installed: .*"taquin\[graphs\]"'):
        to_networkx(tree)


@pytest.mark.parametrize(
    ("line", "library"),
    [
        ("solve BOARD -o s.gif", "PIL"),
        ("solve BOARD --format png", "PIL"),
        ("solve BOARD -o s.pdf", "matplotlib"),
        ("trace BOARD -o s.gif", "PIL"),
        ("tree BOARD -o s.png", "PIL"),
        ("tree BOARD --exam both -o s.pdf", "matplotlib"),
        ("compare --many BOARD -o s.svg", "matplotlib"),
        ("scramble --sheet s.png", "PIL"),
        ("scramble --depth 9 --sheet s.pdf", "matplotlib"),
    ],
)
def test_a_command_names_a_missing_extra_before_it_searches(
    line: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    before = Control.created
    said = refusal(*("1 2 3 / 4 0 5 / 7 8 6" if word == "BOARD" else word for word in line.split()))
    assert 'which is not installed: pip install "taquin[p' in said
    assert Control.created == before


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "1203", "-o", "no/s.svg"],
        ["solve", "1203", "-o", "folder.svg"],
        ["solve", "1203", "--certificate", "no/proof.txt"],
        ["trace", "1203", "-o", "no/s.svg"],
        ["tree", "1203", "-o", "no/s.svg"],
        ["compare", "--many", "1203", "-o", "no/s.svg"],
        ["scramble", "2x2", "--sheet", "no/s.svg"],
    ],
)
def test_a_command_names_a_missing_folder_before_it_searches(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    before = Control.created
    assert re.search("Error: .*: (No such file or|Is a) directory", refusal(*words))
    assert Control.created == before
