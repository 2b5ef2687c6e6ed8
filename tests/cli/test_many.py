"""`taquin solve --many`: every style, comma-separated values, and the summary on a screen."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

import taquin as tq
from taquin.cli.output import result_json, result_line
from taquin.cli.solve.stream import histogram
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation import moves_on
from tests.cli.runs import COMMAND, on_screen, run

LINES = ["1 2 3 / 4 0 5 / 7 8 6", "1 2 3 / 4 5 6 / 8 7 0", "0 1 3 / 4 2 5 / 7 8 6"]
"""Two moves from the goal, unsolvable, and four moves from it."""
FIFTEEN = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12"
TEXT = "\n".join([*LINES, "no board"])


def test_moves_are_a_line_for_each_board_and_no_answer_an_empty_one(tmp_path: Path) -> None:
    result = run("solve", "--many", "--style", "moves", text=TEXT)
    lines = result.stdout.split("\n")
    assert [bool(line) for line in lines] == [True, False, True, False, False]
    goal = Puzzle(Goal.blank_last(3, 3))
    for board, line, length in ((LINES[0], lines[0], 2), (LINES[2], lines[2], 4)):
        start = Board.parse(board)
        moves = moves_on(start, line)
        assert (len(moves), goal.is_goal(goal.replay(start, moves)[-1])) == (length, True)
    assert result.exit_code == 2
    assert f"Board 2, {LINES[1]}:\nNo solution possible: 1 inversion" in result.stderr
    assert "Error: line 4, column 1: " in result.stderr
    boards, answers = tmp_path / "boards.txt", tmp_path / "answers.txt"
    boards.write_text("\n".join(LINES))
    answers.write_text(result.stdout)
    assert "2 of 3" in run("grade", str(boards), str(answers)).output


@pytest.mark.parametrize("name", ["boards.txt", "./boards", "/nowhere/boards", "data/boards"])
def test_a_file_that_is_not_there_is_one_sentence_and_no_record(name: str) -> None:
    result = run("solve", "--many", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: there is no file '{name}', and it is no board either\n"


def test_boards_may_take_several_lines_with_empty_ones_between() -> None:
    blocks = "\n\n".join(line.replace(" / ", "\n") for line in (LINES[0], LINES[2]))
    result = run("solve", "--many", "--style", "moves", text=blocks)
    assert (result.exit_code, result.stdout) == (0, "LU\nLULU\n")
    compared = run("compare", "--many", "-a", "bfs", text=blocks).stdout.splitlines()
    assert compared[1].split()[:5] == ["bfs", "2", "of", "2", "3.0"]
    # A line that is a board says that the others were meant for boards too.
    mixed = run("solve", "--many", "--style", "moves", text=f"1 2 3\n{LINES[0]}\n")
    assert (mixed.exit_code, mixed.stdout) == (2, "\nLU\n")


@pytest.mark.parametrize("style", ["pretty", "classic"])
def test_other_styles_are_those_of_one_board_with_an_empty_line_between(style: str) -> None:
    text = f"{LINES[0]}\n{LINES[2]}\n"
    words = ("--style", style, "-a", "astar")
    single = [run("solve", line, *words).stdout for line in (LINES[0], LINES[2])]
    shown = run("solve", "--many", *words, text=text).stdout
    without_times = [[line for line in each.splitlines() if " in " not in line] for each in single]
    assert [line for line in shown.splitlines() if " in " not in line] == [
        *without_times[0],
        "",
        *without_times[1],
    ]


def test_comma_separated_values_have_a_row_for_each_line() -> None:
    result = run("solve", "--many", "--csv", "-a", "astar", "--like", "s4", text=TEXT)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["outcome"] for row in rows] == ["solved", "unsolvable", "solved", "error"]
    assert [row["cost"] for row in rows] == ["2", "", "4", ""]
    assert (rows[2]["start"], rows[2]["states enqueued"]) == (LINES[2], "10")
    assert rows[0]["moves"] == "LU"
    (row,) = csv.DictReader(io.StringIO(run("solve", LINES[2], "--csv").stdout))
    assert (row["cost"], row["lower_bound"]) == ("4", "4")
    assert run("solve", LINES[0], "--csv", "--json").exit_code == 2


@pytest.mark.parametrize("columns", [80, 40])
def test_a_screen_gets_a_summary_and_a_pipe_none(columns: int, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join([*LINES, LINES[0]]))
    words = ("solve", "--many", "--style", "moves", str(file))
    status, shown = on_screen(*words, columns=columns)
    lines = click.unstyle(shown).splitlines()
    assert status == 1
    assert max(map(len, lines)) <= columns
    assert "4 boards: 3 solved, 1 unsolvable, in" in " ".join(lines)
    assert "Moves: 2 to 4, mean 2.7, median 2." in " ".join(lines)
    assert lines[-3:] == ["2  ██ 2", "3   0", "4  █ 1"]
    assert "4 boards" not in run(*words).output


def test_a_histogram_has_few_bars_within_the_screen_that_count_all() -> None:
    lines = list(histogram([*range(100), *[50] * 900], 30))
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 30
    assert sum(int(line.split()[-1]) for line in lines) == 1000


def test_a_program_at_the_other_end_of_the_pipes_gets_each_answer_at_once() -> None:
    words = [*COMMAND, "solve", "--many", "--style", "moves"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for board, moves in ((LINES[0], b"LU\n"), (LINES[2], b"LULU\n"), (FIFTEEN, b"LU\n")):
            # Two boards in one breath, and no third before both are answered.
            child.stdin.write(f"{board}\n{board}\n".encode())
            child.stdin.flush()
            assert [child.stdout.readline() for _ in range(2)] == [moves] * 2
        child.stdin.close()
    assert child.returncode == 0


@pytest.mark.parametrize("threads", ["1", "2"])
def test_boards_of_all_sizes_and_faults_are_answered_in_their_order(threads: str) -> None:
    entries = [FIFTEEN, LINES[0], "no board", FIFTEEN, FIFTEEN, LINES[1], FIFTEEN]
    result = run("solve", "--many", "--threads", threads, text="\n".join(entries))
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line.get("cost", "fault") for line in lines] == [2, 2, "fault", 2, 2, None, 2]
    assert (lines[2]["line"], lines[5]["outcome"]) == (3, "unsolvable")


@pytest.mark.parametrize(
    ("start", "goal", "options"),
    [
        (LINES[2], "blank-last", {}),
        (LINES[1], "blank-last", {}),
        ("1 2 / 3 0", "blank-last", {}),
        ("8 6 7 / 2 5 4 / 3 0 1", "blank-last", {"algorithm": "astar", "max_nodes": 5}),
        ("4 1 3 / 2 5 6 / 7 8 0", "blank-last", {"metric": "multi", "algorithm": "bfs"}),
        ("ä B / 0 .", "* * / 0 ä", {}),
    ],
)
def test_a_line_of_a_stream_is_what_the_encoder_writes(
    start: str, goal: str, options: dict[str, Any]
) -> None:
    result = tq.solve(start, goal, **options)
    for more in ({}, {"like": {"source": "s4", "value": None}, "moves left": [1]}):
        record = result_json(result) | more
        assert result_line(result, more) == json.dumps(record, ensure_ascii=False)
        assert json.loads(result_line(result, more)) == json.loads(json.dumps(record))
