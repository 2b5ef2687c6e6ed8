"""`taquin moves`: sequences in, sequences, lengths and boards out."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest

from taquin.analysis.solutions import detours, replaced
from taquin.engine.base import run as solve
from taquin.engine.task import Auto
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation import moves_on, write_moves
from taquin.notation.moves import (
    Mirror,
    Style,
    inverted,
    read_moves,
    read_sequence,
    slides_in,
    write_sequence,
)
from taquin.search.control import Control
from tests.cli.runs import run
from tests.truth import distances, eight_puzzle


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["DDDLLUUUL"], "D3L2U3L"),
        (["down left2", "↑↑↑￩", "^v<>"], "DL2U3LUDLR"),
        (["D3L2U3L", "--invert"], "RD3R2U3"),
        (["D3L2U3L", "--mirror", "diagonal"], "R3U2L3U"),
        (["D3L2U3L", "--mirror", "left-right"], "D3R2U3R"),
        (["D3L2U3L", "--blank"], "U3R2D3R"),
        (["LU", "DRR", "--simplify"], "R"),
        (["D3L2U3L", "--style", "cstimer"], "D3 L2 U3 L"),
        (["D2L", "--style", "words"], "down down left"),
        (["D3 R2 U", "--size", "4x4"], "1 6 2 3 / 5 0 7 4 / 9 10 11 8 / 13 14 15 12"),
        (
            ["D3 R2 U", "--size", "4x4", "--style", "cstimer"],
            "D3 R2 U\n1 6 2 3 / 5 0 7 4 / 9 10 11 8 / 13 14 15 12",
        ),
        (["8", "--on", "1 2 3 / 4 5 6 / 7 0 8"], "1 2 3 / 4 5 6 / 7 8 0"),
        (["6 down 5", "8-7", "--size", "3x3"], "1 2 3 / 4 8 5 / 0 7 6"),
        (
            ["13", "--size", "4x4", "--metric", "multi", "--style", "short"],
            "R3\n1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 0 13 14 15",
        ),
        (["L 5", "--blank", "--size", "3x3"], "1 2 3 / 4 0 6 / 7 5 8"),
    ],
)
def test_moves_are_text_to_count_and_change(words: list[str], expected: str) -> None:
    result = run("moves", *words)
    assert (result.exit_code, result.stdout) == (0, f"{expected}\n")


@pytest.mark.parametrize("style", Style)
def test_every_style_reads_back(style: Style) -> None:
    moves = read_sequence("UUDL10RU")
    back = read_sequence(write_sequence(moves, style))
    assert (inverted(back)[::-1] if style is Style.CSTIMER_BLANK else back) == moves


@pytest.mark.parametrize("style", ["cstimer", "cstimer-arrows", "cstimer-blank"])
def test_the_scrambles_of_cstimer_give_one_board_in_each_of_its_types(style: str) -> None:
    board = run("scramble", "4x4", "--seed", "3", "--moves", "30").stdout
    moves = run("scramble", "4x4", "--seed", "3", "--moves", "30", "--as-moves").stdout.strip()
    scramble = run("moves", moves, "--style", style).stdout.strip()
    assert " " in scramble
    blank = ("--blank",) if style == "cstimer-blank" else ()
    assert run("moves", scramble, "--size", "4x4", *blank).stdout == board


def test_a_state_of_slidysim_is_read_and_written() -> None:
    state = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
    assert run("show", state, "--form", "slidysim").stdout == f"{state}\n"
    line = run("moves", "R2D", "--on", state, "--style", "short")
    assert line.exit_code == 2  # The blank is in the first column.
    end = run("moves", "L2D", "--on", state).stdout
    assert end == "5 3 0 9 / 2 4 8 1 / 7 10 14 13 / 12 11 6 15\n"


def test_an_inverted_or_mirrored_sequence_leads_where_it_should() -> None:
    start = Board.parse("1 2 3 / 4 5 6 / 7 8 0")
    moves = read_sequence("DRULDDRUU"[:8])
    end = start.apply(write_sequence(moves))
    assert end.apply(write_sequence(inverted(moves))) == start
    mirrored = start.apply(write_sequence(map(Mirror.DIAGONAL.of, moves)))
    turned = Board.of([list(column) for column in zip(*end.rows(), strict=True)])
    names = dict(zip((1, 2, 3, 4, 5, 6, 7, 8, 0), (1, 4, 7, 2, 5, 8, 3, 6, 0), strict=True))
    assert mirrored.cells == tuple(names[int(label)] for label in turned.cells)


@pytest.mark.parametrize("metric", Metric)
def test_no_window_without_detours_can_be_shorter(metric: Metric) -> None:
    goal = Goal.blank_last(2, 3)
    puzzle = Puzzle(goal, metric)
    chance = Random(7)
    boards, moves = [Board(goal.grid, goal.cells)], []
    for _ in range(30):
        move, board = chance.choice(list(puzzle.successors(boards[-1])))
        boards.append(board)
        moves.append(move)
    window = 12
    way = tuple(moves)
    while parts := list(
        detours(boards[0], way, metric, window, lambda t: solve(t, Auto(), Control()))
    ):
        for part in parts:
            assert len(part.shorter) < len(part.moves) == part.last - part.first + 1 <= window
        way = replaced(way, parts)
    end = boards[0]
    passed = [end]
    for move in way:
        end = end.apply(move)
        passed.append(end)
    assert end == boards[-1]
    if metric is Metric.SINGLE:
        for first, board in enumerate(passed):
            true = distances([board.cells], 2, 3)
            for last in range(first, min(first + window + 1, len(passed))):
                assert true[passed[last].cells] == last - first


def test_the_coach_names_the_first_detours_and_a_sequence_has_two_lengths() -> None:
    words = ("moves", "RLRDLU", "--size", "3x3", "--optimize", "--json")
    record = json.loads(run(*words).stdout)
    assert record["detours"] == [{"pass": 1, "first": 1, "last": 2, "moves": "RL", "shorter": ""}]
    lengths = json.loads(run("moves", "DDDLLUUUL", "--json").stdout)
    assert (lengths["single"], lengths["multi"]) == (9, 4)
    assert record["moves"] == write_moves(moves_on(Board("123456780"), "RDLU"))


@pytest.mark.parametrize("metric", Metric)
def test_the_detours_explain_every_move_that_is_saved(metric: Metric) -> None:
    board, chance, walk = Board("123456780"), Random(5), ""
    for _ in range(80):
        move = chance.choice(board.moves())
        board, walk = board.apply(move), walk + move.direction.letter
    unit = "single" if metric is Metric.SINGLE else "multi"
    before = json.loads(run("moves", walk, "--json").stdout)[unit]
    words = ("moves", walk, "--size", "3x3", "--optimize", "--metric", metric.value)
    record = json.loads(run(*words, "--json").stdout)

    def length(text: str) -> int:
        steps = read_moves(text)
        return sum(count for _, count in steps) if metric is Metric.SINGLE else len(steps)

    saved = [length(part["moves"]) - length(part["shorter"]) for part in record["detours"]]
    assert max(part["pass"] for part in record["detours"]) > 1
    assert before - record[unit] == sum(saved)
    said = run(*words).stderr
    assert said.count("moves ") - said.count("single-tile moves ") >= len(saved)
    assert "Pass 2, numbered after the changes above:" in said
    assert f"{sum(saved)} {'single-tile moves' if unit == 'single' else 'slides'} saved" in said


def test_the_limit_on_seconds_is_for_all_windows_together() -> None:
    board, chance, walk = Board.of(Goal.blank_last(4, 4).rows()), Random(5), ""
    for _ in range(4000):
        move = chance.choice(board.moves())
        board, walk = board.apply(move), walk + move.direction.letter
    # What is loaded and built once takes no part of the limit.
    words = ("--size", "4x4", "--optimize", "--max-seconds")
    run("moves", walk[:16], *words, "60")
    # Without the limit it takes a minute and more.
    result = run("moves", walk, *words, "3")
    assert result.exit_code == 3
    assert "Stopped: limit of 3 seconds. Some detours may be left." in result.stderr
    shorter = result.stdout.strip()
    assert len(read_sequence(shorter)) < 4000
    assert Board.of(Goal.blank_last(4, 4).rows()).apply(shorter) == board


SOLVES = """# a session
8 1 3 / 4 0 2 / 7 6 5 : LUR2D2LURULDLURL
8 1 3/4 0 2/7 6 5 LUR2D2LURULDLU
R D2 R U2 ; D2 L U L
8 1 3 / 4 0 2 / 7 6 5 | 2 3 1
8 1 3 / 4 0 2 / 7 6 5 : LLLL
"""


def test_many_solves_are_measured_against_shortest_ways(tmp_path: Path) -> None:
    file = tmp_path / "solves.txt"
    file.write_text(SOLVES)
    result = run("moves", "--many", str(file), "--size", "3x3", "--optimize", "--csv")
    assert result.exit_code == 2
    assert "Error: line 6: move 2, L: no tile can slide left here" in result.stderr
    rows = list(csv.DictReader(result.stdout.splitlines()))
    true = eight_puzzle()
    for row in rows:
        start = Board.parse(row["start"])
        end = start.apply(row["moves"])
        moves = read_sequence(row["moves"])
        assert (int(row["single"]), int(row["multi"])) == (len(moves), slides_in(moves))
        assert row["solved"] == str(end.cells == (1, 2, 3, 4, 5, 6, 7, 8, 0))
        if row["solved"] == "True":
            assert int(row["shortest"]) == true[tuple(map(int, start.cells))]
        assert int(row["more"]) == len(moves) - int(row["shortest"])
        assert int(row["shortest"]) <= int(row["without_detours"]) <= len(moves)
    assert [row["line"] for row in rows] == ["2", "3", "4", "5"]
    assert [row["solved"] for row in rows] == ["True", "True", "False", "False"]
    assert [(row["more"], row["detours"]) for row in rows[:2]] == [("2", "1"), ("0", "0")]


def test_solves_without_a_start_have_lengths_alone() -> None:
    result = run("moves", "--many", "D3L2U3L")
    assert result.stdout.split() == ["line", "single", "slides", "1", "9", "4"]
    assert result.stderr == "1 solve: mean 9.0 single-tile moves, 4.0 slides\n"
    # A line that cannot be read is named once, and the others are measured.
    result = run("moves", "--many", "R D\nxx", "--csv")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: line 2: expected moves")
    assert len(result.stdout.splitlines()) == 2


def test_many_solves_share_the_limit_on_seconds(tmp_path: Path) -> None:
    board, chance, walk = Board.of(Goal.blank_last(5, 5).rows()), Random(5), ""
    for _ in range(2000):
        move = chance.choice(board.moves())
        board, walk = board.apply(move), walk + move.direction.letter
    file = tmp_path / "solves.txt"
    near = "1 2 3 / 4 0 5 / 7 8 6 : LU"
    file.write_text(f"{walk}\n{near}\n")
    # What is loaded and built once takes no part of the limit.
    assert run("moves", "--many", near, "--size", "5x5").exit_code == 0
    assert run("moves", "--many", walk, "--size", "5x5", "--max-seconds", "1").exit_code == 3
    # Without the limit it takes minutes.
    words = ("moves", "--many", str(file), "--size", "5x5", "--max-seconds", "3", "--json")
    result = run(*words)
    hard, easy = map(json.loads, result.stdout.splitlines())
    assert (hard["shortest"], hard["more"]) == (None, None)
    assert 0 <= hard["lower_bound"] < 2000
    assert easy["shortest"] == 2
    assert result.exit_code == 3
    assert "Stopped: limit of 3 seconds. Some lengths are not known." in result.stderr
