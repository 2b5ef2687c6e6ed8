"""What notebooks show: pictures of boards, results, trees and audits, loaded when drawn."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape

import taquin as tq
from taquin.views.tree import search_tree
from tests.views.worlds import EIGHT, FOUR_MOVES, UNSOLVABLE, svg_texts


def labels(text: str | None) -> list[str]:
    assert text is not None
    return svg_texts(text, "label")


def test_a_board_and_a_goal_are_drawn() -> None:
    assert labels(FOUR_MOVES._repr_svg_()) == list("13425786")
    assert labels(tq.Goal.parse("* A / * 0")._repr_svg_()) == ["A"]
    assert FOUR_MOVES._repr_html_() is None


def test_a_result_is_drawn_board_by_board_or_told() -> None:
    text = tq.solve(FOUR_MOVES, algorithm=tq.AStar())._repr_html_() or ""
    assert "Solved in 4 moves; no solution is shorter" in text
    assert len(labels(text)) == 5 * 8
    none = tq.solve(UNSOLVABLE)._repr_html_() or ""
    assert "No solution: " in none
    assert len(labels(none)) == 8


def test_a_long_solution_is_played() -> None:
    result = tq.solve("8 6 7 / 2 5 4 / 3 0 1")
    text = result._repr_html_() or ""
    frame = re.fullmatch(
        r'<iframe title="Solved in 31 moves[^"]*" srcdoc="([^"]*)"[^>]*></iframe>', text
    )
    assert frame is not None
    page = unescape(frame[1])
    assert page.count('"say":') == 32
    assert "</html>" in page


def test_a_tree_is_drawn() -> None:
    tree = search_tree(tq.trace(EIGHT, FOUR_MOVES, tq.AStar()), 5)
    assert len(labels(tree._repr_svg_())) == 5 * 8
    assert tree._repr_html_() is None


def test_an_audit_is_told_with_its_counterexamples() -> None:
    puzzle = tq.Puzzle(tq.Goal.blank_last(2, 3))
    good = tq.audit(tq.Manhattan(), puzzle)._repr_html_() or ""
    assert "admissible on all 360 boards" in good
    assert "<svg" not in good
    bad = tq.audit(tq.Sum(tq.Manhattan(), tq.Manhattan()), puzzle)._repr_html_() or ""
    assert "not admissible" in bad
    picture = re.search(r"<svg.*</svg>", bad, re.DOTALL)
    assert picture is not None
    assert len(labels(picture[0])) == 3 * 5


def test_nothing_is_loaded_for_drawing_until_something_is_drawn() -> None:
    code = (
        "import sys, taquin as tq; board = tq.Board.parse('1 2 / 3 0'); tq.solve(board); "
        "assert not any('views.notebook' in name for name in sys.modules); "
        "assert board._repr_svg_().startswith('<svg'); "
        "print(sorted({'PIL', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
