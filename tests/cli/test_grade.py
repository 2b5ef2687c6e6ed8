"""`taquin grade`: files of boards and answers in, grades out."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click import unstyle

from taquin.classroom.papers import Points
from taquin.cli.running import solve_task
from taquin.search.result import Result, Task
from tests.cli.runs import on_screen, posix, printed, refusal, run

grading = import_module("taquin.cli.teach.grade")
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


def graded(folder: Path, *options: str) -> str:
    return printed("grade", str(folder / "boards.txt"), str(folder / "answers"), *options)


def test_a_folder_gives_a_row_a_student_and_a_summary_of_the_class(folder: Path) -> None:
    assert graded(folder) == (
        "student  answered  solved  shortest  points\n"
        "=eve            1       0         0  review\n"
        "ada             3       3         3     6/6\n"
        "bob             2       1         1     2/6\n"
        "\n"
        "=eve: 0 of 3 boards solved, 0 in the fewest moves\n"
        "  line 2 is ignored: there is no board 4: they are 1 to 3\n"
        "  needs review, no answer read: boards 2, 3\n"
        "  board 1: legal, but not solved after 1 move: 1 move short of the goal\n"
        "\n"
        "bob: 1 of 3 boards solved, 1 in the fewest moves\n"
        "  no answer: board 2\n"
        "  board 1: move 2, left: no tile can go left; "
        "what can move there: 6 up, 3 down, 5 right\n"
        "\n"
        "board  answered  solved  shortest\n"
        "    1         3       1         1\n"
        "    2         1       1         1\n"
        "    3         2       2         2\n"
        "\n"
        "2 students: 4.0 of 6 points on average, median 4, from 2 to 6; "
        "1 paper needs review, and is left out\n"
    )


def test_json_has_each_student_with_the_answers_and_the_class(folder: Path) -> None:
    report = json.loads(graded(folder, "--json"))
    assert [student["points"] for student in report["students"]] == [None, 6, 2]
    assert report["class"]["boards"][1] == {"board": 2, "answered": 1, "solved": 1, "shortest": 1}
    assert report["students"][2]["answers"][0] == {
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
        "right_if_swapped": False,
        "points": 0,
        "needs_review": False,
        "remark": "move 2, left: no tile can go left; what can move there: 6 up, 3 down, 5 right",
    }


def test_csv_has_a_row_a_student_or_an_answer_and_no_formula(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(graded(folder, "--csv", "--points", "3,1"))))
    assert [row["student"] for row in rows] == ["'=eve", "ada", "bob"]
    assert [(row["points"], row["of"], row["board_3"]) for row in rows] == [
        ("", "9", ""),
        ("9", "9", "3"),
        ("3", "9", "3"),
    ]
    answers = list(csv.DictReader(io.StringIO(graded(folder, "--csv", "--answers"))))
    assert [row["solved"] for row in answers] == ["False", "", ""] + ["True"] * 3 + [
        *("False", "False", "True")
    ]


def test_points_are_one_number_or_two() -> None:
    points = {"2,1": (2, 1), "3": (3, 3), "1.5,0": (1.5, 0), "1000,0.5": (1000, 0.5)}
    found = {text: Points.parse(text) for text in points}
    assert {text: (each.shortest, each.other) for text, each in found.items()} == points
    for text in ("1,2,3", "-1", "2,-0.1", "1001", "nan", "inf", "", "2,", "two"):
        with pytest.raises(ValueError, match="points for a shortest solution and for any other"):
            Points.parse(text)


def test_each_board_is_measured_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def noted(task: Task, *others: Any) -> Result:
        measured.append(task.start)
        return solve_task(task, *others)

    monkeypatch.setattr(grading, "solve_task", noted)
    graded(folder)
    assert len(measured) == len(set(measured))


def test_an_empty_folder_is_explained(tmp_path: Path) -> None:
    said = refusal("grade", "1230", str(tmp_path))
    assert "expected a file of answers for each student, found none" in said


def test_a_screen_of_40_columns_loses_nothing(folder: Path) -> None:
    words = ("grade", str(folder / "boards.txt"), str(folder / "answers"))
    status, shown = on_screen(*words, columns=40)
    assert status == 0
    shown = unstyle(shown).rpartition("\r")[2]
    for heading in ("student", "bob", "answered", "solved", "shortest", "points"):
        assert heading in shown
    assert max(len(line) for line in shown.split("\n")) <= 40


def test_what_cannot_be_read_needs_review_and_what_is_illegal_gets_nothing(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(BOARDS, encoding="utf-8")
    answers = tmp_path / "answers"
    answers.mkdir()
    papers = {
        "ada": "LU\n7 8\nup",
        "bob": "left left\n-\nup",  # Illegal; no answer; right.
        "cem": "LU\n7 banana\nup",
        "dora": "1: LU\n2: 7 8\nthird: up",  # The last line may be the answer to board 3.
        "emil": "8 moves, 6 moves\n7 8\nup",  # Numbers of moves, and nothing else.
        "emma": "no idea\n7 8\nup",  # A name and two answers, or three answers.
    }
    for name, text in papers.items():
        (answers / f"{name}.txt").write_text(text, encoding="utf-8")
    (answers / "fritz.docx").write_bytes(b"PK\x03\x04 [Content_Types].xml")
    words = ("grade", str(tmp_path / "boards.txt"), str(answers))
    result = printed(*words, "--csv", status=2)
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(result))}
    points = {name: [row[f"board_{n}"] for n in (1, 2, 3)] for name, row in rows.items()}
    assert points == {
        "ada": ["2", "2", "2"],
        "bob": ["0", "0", "2"],
        "cem": ["2", "", "2"],
        "dora": ["2", "2", ""],
        "emil": ["", "2", "2"],
        "emma": ["", "", ""],
        "fritz": ["", "", ""],
    }
    assert [row["points"] for row in rows.values()] == ["6", "2", *[""] * 5]
    assert [row["needs_review"] for row in rows.values()] == ["0", "0", "1", "1", "1", "3", ""]
    text = run(*words).stdout
    assert "2 students: 4.0 of 6 points on average" in text
    assert "5 papers need review, and are left out" in text
    assert "board 2: needs review: '7 banana': move 2, 'banana' is not a move" in text
    summary = json.loads(run(*words, "--json").stdout)["class"]
    assert (summary["mean"], summary["graded"], summary["needs_review"]) == (4, 2, 5)


def test_ctrl_c_prints_what_is_graded_so_far(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []

    def interrupted(task: Task, *others: Any) -> Result:
        measured.append(task.start)
        if len(measured) > 4:
            raise KeyboardInterrupt
        return solve_task(task, *others)

    monkeypatch.setattr(grading, "solve_task", interrupted)
    result = run("grade", str(folder / "boards.txt"), str(folder / "answers"))
    assert result.exit_code == 3
    assert "Stopped: interrupted, 1 paper graded." in result.stderr
    assert "=eve" in result.stdout
    measured.clear()
    (folder / "long.txt").write_text("LU\n7 8\nup\n", encoding="utf-8")
    monkeypatch.setattr(grading, "solve_task", lambda task, *others: interrupted(task, *others))
    result = run("grade", str(folder / "boards.txt"), str(folder / "long.txt"))
    assert result.exit_code == 3
    assert "answer graded." in result.stderr
    assert "1    yes     yes      2         2" in result.stdout


def test_ctrl_c_is_heeded_while_a_search_is_loading(folder: Path) -> None:
    posix("fcntl")
    # The search hangs before it asks for Ctrl-C, as loading and compiling do.
    program = (
        "import sys, time\n"
        "from taquin.engine import task\n"
        "def loading(self, engine, task, control):\n"
        "    print('loading', flush=True)\n"
        "    time.sleep(60)\n"
        "task.Auto.attempt = loading\n"
        "from taquin.cli.main import run\n"
        "run()\n"
    )
    words = [sys.executable, "-c", program, "grade", str(folder / "boards.txt"), "LU"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "loading\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=50)
    assert (process.returncode, said) == (3, "Stopped: interrupted, 0 papers graded.\n")
