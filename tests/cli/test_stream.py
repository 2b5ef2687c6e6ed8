"""Streams of boards: what is printed, on one thread or several."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

import taquin as tq
from taquin.cli.output import result_json, result_line
from taquin.cli.solve.solve import histogram
from taquin.notation import moves_on
from tests import naive
from tests.cli.runs import COMMAND, on_screen, printed, run

FOUR = (*range(1, 16), 0)
NINE = "1 2 3 / 4 0 5 / 7 8 6"
UNSOLVABLE = "2 1 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0"
HARD = "15 14 8 12 / 10 11 9 13 / 2 6 5 1 / 3 7 4 0"
"""One of the hardest boards for the goal with the blank first: nothing here solves it in time."""
MEASURED = r'"(seconds|cpu_seconds|peak_memory|building|loading)": [-0-9.e]+'


def lines(count: int, seed: int = 1) -> list[str]:
    """Return boards of 4×4 that are solved within milliseconds."""
    rng = random.Random(seed)
    boards = [naive.shuffled(4, 4, FOUR, rng.randrange(60), rng) for _ in range(count)]
    return [" / ".join(" ".join(map(str, b[at : at + 4])) for at in (0, 4, 8, 12)) for b in boards]


@pytest.fixture(autouse=True, scope="module")
def _tables() -> None:
    """Build the tables before any test, which may have to wait for those of another test."""
    run("solve", "--many", "--tables", "small", text="\n".join(lines(2)))


def without_times(text: str) -> str:
    """Return JSON lines without what differs from run to run."""
    return re.sub(MEASURED, "", text)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [(), ("--style", "moves"), ("--csv",), ("--style", "classic")])
def test_threads_print_what_one_thread_prints(words: tuple[str, ...], tmp_path: Path) -> None:
    boards = lines(330)
    boards[100] += "\n\n# a comment"
    boards[130] = "no board"
    boards[150] = UNSOLVABLE
    boards[200] = NINE
    boards[300] = "5 " + boards[300]
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(boards))
    told = ("solve", "--many", str(file), "--tables", "small", *words)
    alone = run(*told, "--threads", "1")
    beside = run(*told, "--threads", "2")
    if words == ("--csv",):
        cut = [line.rsplit(",", 3)[0] for line in alone.stdout.splitlines()]
        assert [line.rsplit(",", 3)[0] for line in beside.stdout.splitlines()] == cut
    else:
        assert without_times(beside.stdout) == without_times(alone.stdout)
    assert beside.stderr == alone.stderr
    assert (beside.exit_code, alone.exit_code) == (2, 2)
    if not words:
        answers = [json.loads(line) for line in beside.stdout.splitlines()]
        assert [answer["line"] for answer in answers if "error" in answer] == [133, 303]
        assert {answer["engine"] for answer in answers if "engine" in answer} >= {"cpu, 1 thread"}


def test_limits_hold_on_threads_as_on_one(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    rng = random.Random(7)
    hard = [" ".join(map(str, naive.random_board(4, 4, FOUR, rng))) for _ in range(4)]
    file.write_text("\n".join([*lines(60), *hard, *lines(30)]))
    told = ("solve", "--many", str(file), "--tables", "small", "--max-nodes", "20000")
    alone, beside = (run(*told, "--threads", threads) for threads in ("1", "2"))
    assert without_times(beside.stdout) == without_times(alone.stdout)
    assert (beside.exit_code, alone.exit_code) == (3, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_answers_a_beginning_of_the_stream(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    rng = random.Random(3)
    easy = [naive.shuffled(4, 4, tuple(range(16)), 20, rng) for _ in range(200)]
    file.write_text("\n".join([*(" ".join(map(str, b)) for b in easy), *[HARD] * 4]))
    words = ("solve", "--many", str(file), "-g", "blank-first", "--tables", "small")
    with subprocess.Popen(
        [*COMMAND, *words, "--threads", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        shown = [child.stdout.readline() for _ in range(150)]
        child.send_signal(signal.SIGINT)
        shown += child.stdout.readlines()
        said = child.stderr.read()
    answers = [json.loads(line) for line in shown]
    outcomes = [answer["outcome"] for answer in answers]
    assert child.returncode == 3
    assert set(outcomes[:-1]) == {"solved"}
    assert outcomes[-1] == "stopped" or said.strip() == b"Stopped: interrupted."
    starts = [tuple(cell for row in answer["start"] for cell in row) for answer in answers[:200]]
    assert starts == easy[: len(answers)]
    assert b"Traceback" not in said


LINES = ["1 2 3 / 4 0 5 / 7 8 6", "1 2 3 / 4 5 6 / 8 7 0", "0 1 3 / 4 2 5 / 7 8 6"]
"""Two moves from the goal, unsolvable, and four moves from it."""
FIFTEEN = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12"
TEXT = "\n".join([*LINES, "no board"])


def test_moves_are_a_line_for_each_board_and_no_answer_an_empty_one(tmp_path: Path) -> None:
    result = run("solve", "--many", "--style", "moves", text=TEXT)
    lines = result.stdout.split("\n")
    assert [bool(line) for line in lines] == [True, False, True, False, False]
    goal = tq.Puzzle(tq.Goal.blank_last(3, 3))
    for board, line, length in ((LINES[0], lines[0], 2), (LINES[2], lines[2], 4)):
        start = tq.Board.parse(board)
        moves = moves_on(start, line)
        assert (len(moves), goal.is_goal(goal.replay(start, moves)[-1])) == (length, True)
    assert result.exit_code == 2
    assert f"Board 2, {LINES[1]}:\nNo solution possible: 1 inversion" in result.stderr
    assert "Error: line 4, column 1: " in result.stderr
    boards, answers = tmp_path / "boards.txt", tmp_path / "answers.txt"
    boards.write_text("\n".join(LINES))
    answers.write_text(result.stdout)
    assert "2 of 3" in run("grade", str(boards), str(answers)).output


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


def test_a_screen_gets_a_summary_and_a_pipe_none(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join([*LINES, LINES[0]]))
    words = ("solve", "--many", "--style", "moves", str(file))
    status, shown = on_screen(*words, columns=40)
    lines = click.unstyle(shown).splitlines()
    assert status == 1
    assert max(map(len, lines)) <= 40
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
    entries = [FIFTEEN, LINES[0], "1 2 / 2 0", "# a comment", FIFTEEN, "", LINES[1], FIFTEEN]
    result = printed("solve", "--many", "--threads", threads, text="\n".join(entries), status=2)
    lines = [json.loads(line) for line in result.splitlines()]
    assert [line.get("cost", "fault") for line in lines] == [2, 2, "fault", 2, None, 2]
    assert (lines[2]["line"], lines[4]["outcome"]) == (3, "unsolvable")
    assert "tile 2 appears twice" in lines[2]["error"]


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


@pytest.mark.parametrize("metric", ["single", "multi"])
def test_many_moves_are_one_string_that_the_reader_of_moves_takes(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.cli.output._MOST_OBJECTS", 3)
    start = tq.Board("4 1 3 / 2 5 6 / 7 8 0")
    result = tq.solve(start, metric=metric)
    assert result.cost
    record = json.loads(result_line(result, {}))
    if result.cost > 3:
        assert moves_on(start, record["moves"], result.puzzle.metric) == result.moves
        record["moves"] = result_json(result)["moves"]
    assert record == json.loads(json.dumps(result_json(result)))
