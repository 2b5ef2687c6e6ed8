"""`taquin league`: a folder of students' searches in, one table and one page out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import run

BOARDS = "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 4 5 6 / 0 7 8\n"
STUDENTS = {
    "anna": """
def solve(board):
    queue, seen = [board], {board}
    for board in queue:
        if board.is_goal():
            return board
        for move in board.moves():
            child = board.apply(move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
""",
    "ben": "def solve(board):\n    while True:\n        pass",
    "cem": "def solve(board):\n    print('hello')\n    return 'RLLU'",
    "dora": "def solve(board:",
    "emil": "def answer(board):\n    return 'LU'",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards.txt").write_text(BOARDS)
    (tmp_path / "class").mkdir()
    for name, code in STUDENTS.items():
        (tmp_path / "class" / f"{name}.py").write_text(code)
    return tmp_path


def test_one_students_failure_costs_that_row_only(folder: Path) -> None:
    page = folder / "league.html"
    result = run(
        *("league", str(folder / "class"), str(folder / "boards.txt"), "--processes", "1"),
        *("--max-seconds", "0.3", "--json", "-o", str(page)),
    )
    assert result.exit_code == 0, result.output
    rows = {row["student"]: row for row in json.loads(result.stdout)}
    assert list(rows) == ["anna", "cem", "ben", "dora", "emil"]
    assert [(row["right"], row["shortest"]) for row in rows.values()] == [
        (2, 2), (1, 0), (0, 0), (0, 0), (0, 0),
    ]  # fmt: skip
    assert (rows["anna"]["expanded"], rows["cem"]["expanded"]) == (9, 0)
    faults = [row["runs"][1]["reason"] for row in rows.values()]
    for said, fault in zip(
        ("", "move 1, R: no tile", "limit of 0.3 sec", "SyntaxError", "no 'solve'"),
        faults,
        strict=True,
    ):
        assert said in fault
    text = page.read_text(encoding="utf-8")
    assert "4 (+2)" in text
    assert "cem, board 2: the solution of cem.py:solve is wrong: move 1, R" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "no folder 'nowhere'"),
        (["."], "a file NAME.py for each student"),
        (["class", "1 2 3 / 4 5 6 / 8 7 0"], "board 1: No solution possible"),
    ],
)
def test_what_is_no_league_is_explained(
    folder: Path, words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    result = run("league", *words)
    assert (result.exit_code, said in result.stderr) == (2, True), result.output
