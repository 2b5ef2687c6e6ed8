"""`taquin tree`: pictures on standard output and in files."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"


def test_a_picture_and_graphviz_go_to_standard_output() -> None:
    svg = run("tree", NEAR)
    assert svg.exit_code == 0
    assert ElementTree.fromstring(svg.stdout).tag.endswith("svg")
    assert run("tree", NEAR, "--format", "dot").stdout.startswith("digraph")


def test_the_number_of_nodes_is_kept() -> None:
    few = run("tree", NEAR, "--format", "dot", "--nodes", "4").stdout
    assert sum("label=<" in line for line in few.split("\n")) == 4


def test_the_file_says_the_format_by_how_it_ends(tmp_path: Path) -> None:
    for name, begins in (("a.svg", "<svg"), ("a.dot", "digraph"), ("picture", "<svg")):
        result = run("tree", NEAR, "-o", str(tmp_path / name))
        assert (result.exit_code, result.stdout) == (0, "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert sorted(os.listdir(tmp_path)) == ["a.dot", "a.svg", "picture"]


def test_limits_hold_for_the_drawing_and_the_cut_is_said(tmp_path: Path) -> None:
    board = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
    for words, said in (
        (("--max-seconds", "0.5"), "The tree is cut: limit of 0.5 seconds."),
        (("--max-memory", "1M"), "The tree is cut: limit of 1 MB of memory."),
        (("--max-depth", "3"), "The tree is cut: limit of 3 moves."),
    ):
        file = tmp_path / "tree.dot"
        result = run("tree", board, "--nodes", "1000000", *words, "-o", str(file))
        assert result.exit_code == 3
        assert said in result.stderr
        assert file.read_text().startswith("digraph")


@pytest.mark.parametrize(("exam", "blanks"), [("values", 8), ("order", 0), ("both", 8)])
def test_an_exam_has_blanks_and_a_solution(exam: str, blanks: int, tmp_path: Path) -> None:
    file = tmp_path / "exam.svg"
    # The start, its four children and three of the second expansion, which is not cut.
    words = ("1 2 3 / 4 0 5 / 7 8 6", "-a", "astar", "--nodes", "6", "--exam", exam)
    assert run("tree", *words, "-o", str(file)).exit_code == 0
    answers = (tmp_path / "exam-answers.svg").read_text(encoding="utf-8")
    drawn = file.read_text(encoding="utf-8")
    assert drawn.count("__ = __ + __") == blanks
    assert ('class="turn"' in drawn) == (exam == "values")
    assert ("2 = 0 + 2" in drawn) == (exam == "order")
    assert "2 = 0 + 2" in answers
    assert "8 nodes, solved in 2 moves" in answers
    assert 'class="turn"' in answers
