"""Pictures from the command line: formats, places, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.runs import on_screen, printed, process, refusal, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
BEGINS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF-", "gif": b"GIF89a"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", BEGINS)
@pytest.mark.parametrize("command", ["show", "solve", "trace", "tree"])
def test_every_command_writes_every_format(command: str, form: str, tmp_path: Path) -> None:
    file = tmp_path / f"picture.{form}"
    result = run(command, NEAR, "-o", str(file))
    assert (result.exit_code, result.stderr) == (0, f"Written to {file}\n")
    assert file.read_bytes().startswith(BEGINS[form])
    assert os.listdir(tmp_path) == [file.name]


def test_solve_tells_its_solution_too_unless_the_picture_takes_the_output(tmp_path: Path) -> None:
    words = ("solve", NEAR, "--style", "moves", "-o")
    assert run(*words, str(tmp_path / "a.svg")).stdout == "LU\n"
    failed = run(*words, str(tmp_path / f"{'a' * 300}.svg"))
    assert (failed.exit_code, failed.stdout) == (2, "LU\n")
    assert failed.stderr.endswith("File name too long\n")
    alone = process("solve", NEAR, "-o", "-", "--format", "png")
    assert alone.stdout.startswith(BEGINS["png"])
    assert alone.stdout.endswith(b"IEND\xaeB`\x82")
    none = run("solve", "2 1 3 / 4 5 6 / 7 8 0", "-o", str(tmp_path / "none.svg"))
    assert (none.exit_code, "Nothing to draw." in none.stderr) == (1, True)
    assert os.listdir(tmp_path) == ["a.svg"]


def test_a_picture_has_the_size_and_the_colours_asked_for(tmp_path: Path) -> None:
    gif = str(tmp_path / "a.gif")
    assert run("solve", NEAR, "-o", gif, "--size", "400").exit_code == 0
    with Image.open(gif) as image:
        assert max(image.size) == 400
    for flag, bright in (("--dark", False), ("--light", True)):
        file = str(tmp_path / "board.png")
        assert run("show", NEAR, "-o", file, flag).exit_code == 0
        with Image.open(file) as image:
            assert (sum(image.convert("RGB").getpixel((5, 5))) > 384) == bright  # type: ignore


def test_no_picture_goes_to_a_screen() -> None:
    words = ("tree", NEAR)
    status, shown = on_screen(*words)
    assert status == 2
    assert shown.startswith("Error: a terminal cannot show a picture: give -o")
    assert run(*words).stdout.startswith("<svg")
    assert on_screen(*words, "--format", "dot")[0] == 0
    status, shown = on_screen("show", NEAR, "--format", "png")
    assert status == 2
    assert "a terminal cannot show PNG: give -o FILE" in shown


def test_a_recorded_search_is_drawn_as_the_search_itself(tmp_path: Path) -> None:
    record = tmp_path / "search.jsonl"
    record.write_text(run("trace", NEAR, "-a", "bfs", "--json").stdout, encoding="utf-8")
    for form in ("svg", "dot", "png"):
        words = ("--nodes", "5", "--format", form)
        now = run("tree", NEAR, "-a", "bfs", *words)
        later = run("tree", "--replay", str(record), *words)
        assert now.stdout_bytes == later.stdout_bytes != b""
        if form != "png":
            assert "bfs" in now.stdout
            assert "the first 5 nodes; the nodes after them are not drawn" in now.stdout


def test_what_is_no_photo_and_a_long_title_are_refused(tmp_path: Path) -> None:
    picture = str(tmp_path / "a.svg")
    for words, said in (
        (("show", NEAR, "--photo", __file__, "-o", picture), "expected a photo, PNG or JPEG"),
        (("scramble", "--sheet", picture, "--title", "x" * 121), "at most 120 characters"),
    ):
        assert said in refusal(*words)
    assert os.listdir(tmp_path) == []


def test_a_sheet_goes_beside_its_answers_and_the_boards_are_printed_too(tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    result = printed(
        "scramble", "--moves", "3", "--count", "2", "--seed", "5", "--sheet", str(file)
    )
    assert len(result.splitlines()) == 2
    assert sorted(os.listdir(tmp_path)) == ["sheet-answers.svg", "sheet.svg"]
    answers = (tmp_path / "sheet-answers.svg").read_text(encoding="utf-8")
    for board in result.splitlines():
        assert board in answers
    assert "seed 5" not in file.read_text(encoding="utf-8")
    assert "seed 5" in answers


# --- search trees ---------------------------------------------------------------------------------


def test_the_file_says_the_format_by_how_it_ends_and_a_pipe_is_written_through(
    tmp_path: Path,
) -> None:
    for name, begins in (("a.svg", "<svg"), ("a.dot", "digraph"), ("picture", "<svg")):
        result = run("tree", NEAR, "-o", str(tmp_path / name))
        assert (result.exit_code, result.stdout) == (0, "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    assert sorted(os.listdir(tmp_path)) == ["a.dot", "a.svg", "picture"]
    through = process("show", NEAR, "-o", "/dev/stdout", "--format", "gif")
    assert through.stdout.startswith(BEGINS["gif"])
    assert through.stdout.endswith(b";")


def test_limits_hold_for_pictures_and_the_cut_is_said(tmp_path: Path) -> None:
    board = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
    for words, said in (
        (("--max-seconds", "0.2"), "The tree is cut: limit of 0.2 seconds."),
        (("--max-memory", "1M"), "The tree is cut: limit of 1 MB of memory."),
        (("--max-depth", "3"), "The tree is cut: limit of 3 moves."),
    ):
        file = tmp_path / "tree.dot"
        result = run("tree", board, "--nodes", "1000000", *words, "-o", str(file))
        assert result.exit_code == 3
        assert said in result.stderr
        assert file.read_text().startswith("digraph")
    file = tmp_path / "turns.svg"
    result = run("trace", "8 6 7 / 2 5 4 / 3 0 1", "--limit", "7", "-o", str(file))
    assert result.exit_code == 3
    text = file.read_text(encoding="utf-8")
    assert ">7.  " in text
    assert ">8.  " not in text


@pytest.mark.parametrize(("exam", "blanks"), [("values", 8), ("order", 0), ("both", 8)])
def test_an_exam_has_blanks_and_a_solution(exam: str, blanks: int, tmp_path: Path) -> None:
    file = tmp_path / "exam.svg"
    # The start, its four children and three of the second expansion, which is not cut.
    words = (NEAR, "-a", "astar", "--nodes", "6", "--exam", exam)
    assert run("tree", *words, "-o", str(file)).exit_code == 0
    answers = (tmp_path / "exam-answers.svg").read_text(encoding="utf-8")
    drawn = file.read_text(encoding="utf-8")
    assert drawn.count("__ = __ + __") == blanks
    assert ('class="turn"' in drawn) == (exam == "values")
    assert ("2 = 0 + 2" in drawn) == (exam == "order")
    assert "2 = 0 + 2" in answers
    assert "8 nodes, solved in 2 moves" in answers
    assert 'class="turn"' in answers
