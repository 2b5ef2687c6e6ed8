"""`taquin class` and `taquin homework`: the material of a course, each part checked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import taquin as tq
from taquin.classroom import course as course_module
from taquin.classroom.course import STARTERS, Course, write_course
from taquin.cli.options import read_depths
from tests.cli.runs import run

SOLVED = {
    "astar.py": (
        'raise NotImplementedError("expand the board here")',
        """for move in here.moves():
            child = here.apply(move)
            if child not in depth or g + 1 < depth[child]:
                depth[child], parents[child] = g + 1, here
                heappush(frontier, (g + 1 + estimate(child), next(order), g + 1, child))""",
    ),
    "idastar.py": (
        "raise NotImplementedError("
        '"search depth-first: do not go back to the board before the last")',
        """board = path[-1]
    f = g + estimate(board)
    if f > bound:
        return f
    if board.is_goal():
        return None
    least = 10**9
    for move in board.moves():
        child = board.apply(move)
        if child in path:
            continue
        path.append(child)
        found = search(path, g + 1, bound)
        if found is None:
            return None
        path.pop()
        least = min(least, found)
    return least""",
    ),
}
"""What a student writes instead of the last line of a starter file."""


def test_a_course_has_boards_of_the_depths_for_every_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "course"
    words = ("class", str(folder), "--students", "3", "--depth", "2,4-5", "--seed", "1")
    result = run(*words)
    assert result.exit_code == 0, result.output
    text = (folder / "boards.txt").read_text("utf-8")
    assert text.count("# variant ") == 3
    boards = [line for line in text.splitlines() if not line.startswith("#")]
    assert [tq.solve(board).cost for board in boards] == [2, 4, 5] * 3
    names = {path.name for path in folder.iterdir()}
    assert {"index.html", "league.txt", "homework"} < names
    assert {"handouts.pdf", "handouts-answers.pdf", "exam.pdf", "exam-answers.pdf"} < names
    index = (folder / "index.html").read_text("utf-8")
    assert "taquin grade boards.txt" in index
    assert "#watch?board=" in index
    # The same seed gives the same boards, also in the same folder.
    monkeypatch.setattr(course_module, "find_spec", lambda name: None)
    assert run(*words, "--only", "handouts").exit_code == 0
    assert (folder / "boards.txt").read_text("utf-8") == text


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write pages of HTML, as without Matplotlib; a PDF takes a second to draw."""
    monkeypatch.setattr(course_module, "find_spec", lambda name: None)


@pytest.mark.usefixtures("pages")
def test_a_depth_with_too_few_boards_is_said_to_repeat_them(tmp_path: Path) -> None:
    words = ("class", str(tmp_path / "course"), "--only", "handouts", "--depth", "1,2,9")
    told = " ".join(run(*words, "--students", "5").stderr.split())
    assert "Too few different boards for 5 students (2 of depth 1, 4 of depth 2)" in told
    text = (tmp_path / "course" / "boards.txt").read_text("utf-8")
    boards = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(boards) == 15
    assert [len(set(boards[place::3])) for place in range(3)] == [2, 4, 5]


@pytest.mark.usefixtures("pages")
def test_a_course_is_graded_with_its_boards(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    words = ("--students", "2", "--depth", "3,6", "--seed", "5", "--only", "handouts")
    assert run("class", str(folder), *words).exit_code == 0
    lines = (folder / "boards.txt").read_text("utf-8").splitlines()
    answers = tmp_path / "answers"
    answers.mkdir()
    for student, boards in (("ada", lines[1:3]), ("bo", lines[4:6])):
        moves = [tq.write_moves(tq.solve(board).moves) for board in boards]
        (answers / f"{student}.txt").write_text("\n".join(moves), encoding="utf-8")
    result = run("grade", str(folder / "boards.txt"), str(answers), "--csv")
    assert [line.split(",")[2] for line in result.stdout.splitlines()[1:]] == ["4", "4"]


@pytest.mark.usefixtures("pages")
def test_every_student_gets_the_teachers_own_boards_and_other_folders_are_left_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.txt").write_text("1 2 3 / 4 0 5 / 7 8 6\n", encoding="utf-8")
    words = ("class", str(tmp_path / "c"), "--boards", str(tmp_path / "mine.txt"))
    assert run(*words, "--only", "handouts").exit_code == 0
    assert (tmp_path / "c" / "boards.txt").read_text("utf-8") == "1 2 3 / 4 0 5 / 7 8 6\n"
    assert (tmp_path / "c" / "handouts-answers.html").read_text("utf-8").count("<svg") == 1
    before = set(tmp_path.iterdir())
    assert run("class", str(tmp_path)).exit_code == 2
    assert set(tmp_path.iterdir()) == before


def test_homework_has_tests_that_pass_once_it_is_done(tmp_path: Path) -> None:
    assert run("homework", str(tmp_path / "hw")).exit_code == 0
    assert run("homework", str(tmp_path / "hw")).exit_code == 2
    assert {path.name for path in (tmp_path / "hw").iterdir()} == set(STARTERS)
    assert "skipped" in _homework_tests(tmp_path / "hw")
    for name, (before, after) in SOLVED.items():
        path = tmp_path / "hw" / name
        code = path.read_text("utf-8").replace(before, after)
        path.write_text(
            code.replace("parents = {board: None}", "parents, depth = {board: None}, {board: 0}")
        )
    done = _homework_tests(tmp_path / "hw")
    assert "OK" in done
    assert "skipped" not in done


def _homework_tests(folder: Path) -> str:
    command = [sys.executable, "-m", "unittest", "test_homework"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("text", "depths"),
    [("12", (12,)), ("5,10, 15", (5, 10, 15)), ("5-8", (5, 6, 7, 8)), ("3,2-4", (3, 2, 4))],
)
def test_depths_are_lists_and_ranges(text: str, depths: tuple[int, ...]) -> None:
    assert read_depths(text) == depths


def test_a_second_run_keeps_edited_homework_and_lists_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    words = ("class", str(folder), "--students", "2", "--depth", "3", "--seed", "1", "--only")
    run(*words, "homework,league")
    (folder / "homework" / "astar.py").write_text("# mine\n", encoding="utf-8")
    assert run(*words, "homework").exit_code == 0
    assert (folder / "homework" / "astar.py").read_text("utf-8") == "# mine\n"
    index = (folder / "index.html").read_text("utf-8")
    assert "league.txt" in index
    assert "handouts" not in index


@pytest.mark.usefixtures("pages")
def test_the_exam_is_one_page_with_a_whole_search(tmp_path: Path) -> None:
    write_course(Course(tmp_path, students=1, depths=(6,), seed=1, parts=("exam",)))
    for name, is_answer in (("exam", False), ("exam-answers", True)):
        page = (tmp_path / f"{name}.html").read_text("utf-8")
        assert page.count("<svg") == page.count('viewBox="0 0 595 842"') == 1
        # The goal is in the tree.
        assert ("= 4 + 0" in page) == ("Green" in page) == is_answer
        assert (">Name<" in page) != is_answer


@pytest.mark.parametrize(("depths", "count"), [((2, 4, 6), 12), ((8,), 10), ((1, 9), 7)])
def test_a_league_has_ten_boards_or_more_unless_a_depth_has_too_few(
    tmp_path: Path, depths: tuple[int, ...], count: int
) -> None:
    course = Course(tmp_path, students=1, depths=depths, seed=1, parts=("league",))
    assert [path.name for path in write_course(course)] == ["league.txt", "index.html"]
    boards = (tmp_path / "league.txt").read_text("utf-8").splitlines()
    assert len(set(boards)) == len(boards) == count
    assert {tq.moves_left(board) for board in boards} == set(depths)
