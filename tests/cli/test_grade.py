"""`taquin grade`: files of boards and answers in, grades out."""

from __future__ import annotations

import csv
import io
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click import unstyle

from taquin.cli.running import solve
from taquin.search.result import Result, Task
from tests.cli.runs import on_screen, run

grading = import_module("taquin.cli.grade")
BOARDS = "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 4 5 6 / 0 7 8\n1 2 3 / 4 5 0 / 7 8 6\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of boards and of three students' answers to them."""
    (tmp_path / "boards.txt").write_text(BOARDS, encoding="utf-8")
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "ada.txt").write_text("LU\n7 8\nup\n", encoding="utf-8")
    (answers / "bob.txt").write_text("3: up\n1: left left\n", encoding="utf-8")
    (answers / "=eve.txt").write_text("1: L\n4: U\n", encoding="utf-8")
    (answers / ".hidden").write_text("9: L", encoding="utf-8")
    return tmp_path


def records(folder: Path) -> list[dict[str, object]]:
    result = run("grade", str(folder / "boards.txt"), str(folder / "answers"), "--json")
    assert result.exit_code == 2
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found


def test_a_folder_is_graded_student_by_student(folder: Path) -> None:
    result = run("grade", str(folder / "boards.txt"), str(folder / "answers"))
    assert result.exit_code == 2
    assert result.stdout == (
        "answer  legal  solved  moves  shortest  wrong\n"
        "=eve        –       –      –         –\n"
        "ada 1     yes     yes      2         2\n"
        "ada 2     yes     yes      2         2\n"
        "ada 3     yes     yes      1         1\n"
        "bob 1      no      no      1         2      2\n"
        "bob 2       –       –      0         2\n"
        "bob 3     yes     yes      1         1\n"
        "\n"
        "=eve: cannot be graded: line 2: there is no board 4: they are 1 to 3\n"
        "\n"
        "ada: 3 of 3 boards solved, 3 in the fewest moves\n"
        "\n"
        "bob: 1 of 3 boards solved, 1 in the fewest moves\n"
        "  no answer: board 2\n"
        "  board 1: move 2, left: no tile can go left; "
        "what can move there: 6 up, 3 down, 5 right\n"
    )


def test_json_tells_all_and_a_faulty_file_does_not_end_it(folder: Path) -> None:
    found = records(folder)
    assert [(each["student"], each["board"]) for each in found] == [
        ("=eve", None),
        *(("ada", number) for number in (1, 2, 3)),
        *(("bob", number) for number in (1, 2, 3)),
    ]
    assert found[4] == {
        "student": "bob",
        "board": 1,
        "start": "1 2 3 / 4 0 5 / 7 8 6",
        "answer": "left left",
        "legal": False,
        "solved": False,
        "moves": 1,
        "shortest": 2,
        "first_wrong": 2,
        "first_detour": None,
        "remark": "move 2, left: no tile can go left; what can move there: 6 up, 3 down, 5 right",
    }


def test_csv_holds_the_same_and_no_formula(folder: Path) -> None:
    result = run("grade", str(folder / "boards.txt"), str(folder / "answers"), "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(rows[0]) == list(records(folder)[0])
    assert rows[0]["student"] == "'=eve"
    assert [row["solved"] for row in rows] == ["", "True", "True", "True", "False", "False", "True"]


def test_each_board_is_measured_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def noted(task: Task, *others: Any) -> Result:
        measured.append(task.start)
        return solve(task, *others)

    monkeypatch.setattr(grading, "solve", noted)
    records(folder)
    assert len(measured) == len(set(measured))


def test_one_answer_needs_no_file_and_may_speak_of_the_blank() -> None:
    told = run("grade", "1 2 3 / 4 0 5 / 7 8 6", "right down", "--blank")
    assert told.exit_code == 0
    assert "1 of 1 board solved, 1 in the fewest moves" in told.stdout


def test_a_length_that_a_limit_leaves_open_is_said() -> None:
    result = run("grade", "8 6 7 / 2 5 4 / 3 0 1", "D", "--max-seconds", "0", "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)[0]["shortest"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.txt", "L"], "there is no file 'nowhere.txt'"),
        (["1230", "nowhere.txt"], "there is no file 'nowhere.txt'"),
        (["1 2 3", "L"], "the boards: line 1, column 5: expected 4, 9, 16"),
        (["1 2 / 3 0", "1: U\n2: L"], "line 2: there is no board 2"),
        (["1 2 / 3 0", "U", "--json", "--csv"], "choose one of --json and --csv"),
        (["A 2 / 3 0", "U", "--goal", "1 2 / 3 0"], "the boards, board 1: the goal asks for 1"),
    ],
)
def test_what_cannot_be_graded_is_explained(words: list[str], said: str) -> None:
    result = run("grade", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_an_empty_folder_is_explained(tmp_path: Path) -> None:
    result = run("grade", "1230", str(tmp_path))
    assert result.exit_code == 2
    assert "expected a file of answers for each student, found none" in result.stderr


def test_a_screen_of_40_columns_loses_nothing(folder: Path) -> None:
    words = ("grade", str(folder / "boards.txt"), str(folder / "answers"))
    status, shown = on_screen(*words, columns=40)
    assert status == 2
    shown = unstyle(shown).rpartition("\r")[2]
    for heading in ("answer", "bob 3", "legal", "solved", "moves", "shortest", "wrong"):
        assert heading in shown
    assert max(len(line) for line in shown.split("\n")) <= 40
