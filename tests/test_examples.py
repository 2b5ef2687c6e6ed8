"""The scripts in `examples/`, one for each kind of user, run as they would run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
SHOWN = {
    "student": (
        "shortest solution: 14 moves",
        "row_by_row: admissible on all 360 boards of 2×3",
        "A* with it: 14 moves",
    ),
    "teacher": (
        "ada            10      10        10   20/20",
        "ben: 2 of 10 boards solved",
        "board 1: solved with 2 moves more than needed; move 1 is the first that leads away",
        "greedy(manhattan)",
    ),
    "researcher": (
        "corners: admissible on all 181,440 boards of 3×3",
        "Korf (1985) counts nodes generated: 540,860",
    ),
    "enthusiast": (
        "31 single moves, 20 slides",
        "181,440 boards, the farthest 31 moves away",
        "8 6 7\n2 5 4\n3 _ 1",
    ),
}
"""Facts that each script must come upon."""
MADE = {
    "student": {"tree.svg"},
    "teacher": {"handout.pdf", "handout-answers.pdf", "grades.csv", "solution.gif", "astar.html"},
    "researcher": {"report.html", "three-heuristics.sqlite"},
    "enthusiast": {"fifteen.gif"},
}
"""Files that each script must leave, among others."""


def test_every_script_is_run_here() -> None:
    # The checker of certificates is run by tests/analysis/test_certificate.py.
    scripts = {path.stem for path in FOLDER.glob("*.py")} - {"check_certificate"}
    assert scripts == set(SHOWN) == set(MADE)


@pytest.mark.parametrize(
    "name",
    [
        "student",
        *(pytest.param(name, marks=pytest.mark.slow) for name in SHOWN if name != "student"),
    ],
)
def test_a_script_does_what_it_is_for(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    for fact in SHOWN[name]:
        assert fact in done.stdout
    made = {path.name for path in tmp_path.iterdir() if path.stat().st_size}
    assert made >= MADE[name]
