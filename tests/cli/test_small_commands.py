"""The commands without a file of their own, and the options of `solve` for engines."""

from __future__ import annotations

import csv
import io
import json
import shlex
from itertools import permutations
from pathlib import Path

import pytest

import taquin as tq
from taquin import estimate
from taquin.analysis import depths
from taquin.cli.measure import heuristics as heuristics_module
from taquin.cli.teach import catalogue
from taquin.engine.solve import moves_left
from taquin.errors import UnfinishedError
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.solvability import Solvability, solvability
from taquin.notation import Form, read_board
from taquin.search.algorithms import ALGORITHMS
from tests import truth
from tests.cli.runs import on_screen, printed, run

PRINTED = r"""
check "1 2 3 / 4 0 5 / 7 8 6" · 0 · Solvable:
check "1 2 3 / 4 5 6 / 8 7 0" · 1 · Not solvable: 1 inversion
check "0 1 3 / 4 2 5 / 7 8 6" --by twin · 0 · solved in 4 moves, after 4 boards expanded
check "8 6 7 / 2 5 4 / 3 0 1" --by twin --max-seconds 0 · 3 · Unknown: limit of 0 seconds, after
check "1 2 3 / 8 0 4 / 7 6 5" · 1 · Not solvable
check "1 2 3 / 8 0 4 / 7 6 5" --goal snail · 0 · Solvable
check "A B . / . . @" --goal "B A * / * * *" · 0 · Solvable
check "2 1 / 3 0" --json · 1 · "answer": "no" … "start": "2 1 / 3 0" … "goal": "1 2 / 3 0"
show "b12 345 678" --after LURU --form words · 0 · 142 635 b78
show 1230 --after U · 2 · move 1, U: no tile can slide up here: 1 2 3 _
moves U --size 2x2 · 2 · move 1, U: no tile can slide up here: 1 2 3 _
show "* A / # @" · 0 · │ * │ A │ … │ █ │ │
show "* A / # @" --json · 0 · "cells": ["*", "A", "#", 0]
scramble --moves 0 --form compact · 0 · 123456780
scramble --moves 0 --goal snail --form compact · 0 · 123804765
audit manhattan --size 2x3 · 0 · manhattan: admissible on all 360 boards of 2×3
audit manhattan --size 2x3 · 0 · manhattan: consistent on all 360 boards of 2×3
audit manhattan-agent --size 2x3 · 1 · not admissible: estimate 2, distance 1 … 1 2 _ 4 5 3
audit h1 --size 2x2 --json · 0 · "heuristic": "misplaced" … "boards": 12 … "overestimate": null
audit "sum(manhattan, h1)" --size 2x2 --json · 1 · "admissible": false … "overestimate": {
audit manhattan-agent --goal "* A * / * B @" --start "A . . / B . @" · 1 · 1 on . A . / . 0 B
audit manhattan --goal "* A * / * B @" --start "A . . / B . @" · 0 · admissible
help manhattan · 0 · manhattan: a heuristic, admissible, consistent
help h2 · 0 · manhattan: a heuristic
help A* · 0 · astar: a search; its solutions are shortest
help greedy · 0 · its solutions may be longer
help solve · 0 · Usage: taquin solve
help astar · 0 · heuristic a heuristic [default: manhattan]
help astar · 0 · weight a number such as 2 or 1.5, at least 1 [default: 1]
help astar · 0 · ties fifo, lifo, low-h, heap [default: low-h]
help astar · 0 · directions U, D, L and R once each [default: DRLU]
help idastar · 0 · parent, none [default: parent]
explain-count 813402765 --count 210 --kind traversed -a astar --most 1 · 0 · These count 210
explain-count 813402765 --count 210 --kind traversed -a astar --most 1 · 0 · dequeue, ties=heap
explain-count 813402765 --count 210 --kind traversed -a astar --most 1 --json · 0 · "like": "s3"
explain-count 813402765 --count 200 --kind tries -a bidirectional · 1 · counts 200; 24 searches were
explain-count 813402765 --count 200 --kind tries -a bidirectional · 1 · The nearest are:
explain-count 813402765 --count 1 --max-seconds 0 · 3 · limit of 0 s
solve "8 6 7 / 2 5 4 / 3 0 1" --engine table --json · 0 · "cost": 31 … "engine": "complete table
solve "8 6 7 / 2 5 4 / 3 0 1" --engine cpu --json · 0 · "cost": 31 … "engine": "cpu
solve "8 6 7 / 2 5 4 / 3 0 1" --engine glass --json · 0 · "cost": 31 … "engine": "glass-box
solve "142 635 b78" --goal blank-first --style moves · 0 · DLDR
solve "142 635 b78" --goal "b12 345 678" --style moves · 0 · DLDR
solve "1 2 3 / 8 4 0 / 7 6 5" -g snail --style moves · 0 · R
solve "A . / @ ." --goal "* A / * *" --json · 0 · "cost": 3
solve "1 2 3 / 4 0 5" --goal "1,2,3,4,5,0" --style moves · 0 · L
solve "1 2 / 3 0" · 0 · start 1 2 3 _ Solved as it stands: 0 moves.
solve "1 2 3 / 0 4 5 / 7 8 6" --style moves · 0 · L2U
solve "0 1 2 / 4 5 3 / 7 8 6" --style moves --metric multi · 0 · L2U2
explore 2x3 --json · 0 · "boards": 360 … "radius": 21 … "farthest": ["4 5 0 / 1 2 3"]
explore 2 3 · 0 · 360 boards
explore --goal "1 2 # / 3 4 0" · 0 · radius
grade "1 2 3 / 4 0 5 / 7 8 6" "right down" --blank · 0 · 1 of 1 board solved, 1 in the fewest moves
grade "8 6 7 / 2 5 4 / 3 0 1" D --max-seconds 0 --json · 3 · "shortest": null
play "1 2 3 / 4 5 6 / 8 7 0" · 1 · No solution possible
"""
"""Each a command line as a shell reads it, its status, and parts of what it prints."""


@pytest.mark.parametrize("case", PRINTED.strip("\n").split("\n"))
def test_a_command_prints_its_answer_and_ends_with_its_status(case: str) -> None:
    line, status, said = case.split(" · ")
    result = run(*shlex.split(line))
    assert result.exit_code == int(status), result.output
    shown = " ".join(result.output.split())
    assert [part for part in said.split(" … ") if part not in shown] == []


def test_check_of_many_boards_agrees_with_enumeration(tmp_path: Path) -> None:
    solvable = truth.distances([(1, 2, 3, 4, 5, 0)], 2, 3)
    boards = list(permutations(range(6)))[::7]
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{a} {b} {c} / {d} {e} {f}\n" for a, b, c, d, e, f in boards))
    for by in ("parity", "twin"):
        result = printed("check", "--many", str(file), "--by", by, status=1)
        lines = result.splitlines()
        assert [line.startswith("Solvable: ") for line in lines] == [b in solvable for b in boards]
        assert {line.partition(":")[0] for line in lines} == {"Solvable", "Not solvable"}
    output = run("check", "--many", str(file), "--json").stdout
    records = [json.loads(line) for line in output.splitlines()]
    assert [record["answer"] == "yes" for record in records] == [b in solvable for b in boards]


@pytest.mark.parametrize(
    ("lines", "status"),
    [("123/456/780\n", 0), ("123/456/780\n123/456/870\n", 1), ("123/456/870\n12x\n", 2)],
)
def test_the_status_of_many_checks_is_the_worst_of_all(lines: str, status: int) -> None:
    result = run("check", "--many", text=lines)
    assert result.exit_code == status
    assert len(result.stdout.splitlines()) == len(lines.splitlines())


def test_show_draws_a_board_and_writes_it_in_every_form_of_one_line() -> None:
    assert run("show", "b12 345 678").stdout == (
        "┌───┬───┬───┐\n"
        "│   │ 1 │ 2 │\n"
        "├───┼───┼───┤\n"
        "│ 3 │ 4 │ 5 │\n"
        "├───┼───┼───┤\n"
        "│ 6 │ 7 │ 8 │\n"
        "└───┴───┴───┘\n"
        "\n"
        "rows     0 1 2 / 3 4 5 / 6 7 8\n"
        "words    b12 345 678\n"
        "line     0,1,2,3,4,5,6,7,8\n"
        "compact  012345678\n"
        "json     [[0, 1, 2], [3, 4, 5], [6, 7, 8]]\n"
    )


@pytest.mark.parametrize("form", Form)
def test_show_writes_any_form_and_reads_it_back(form: Form) -> None:
    written = printed("show", "4 1 3 / 0 2 6 / 7 5 8", "--form", form.value)
    assert read_board(written) == Board.parse("4 1 3 / 0 2 6 / 7 5 8")
    again = run("show", "--form", "rows", text=written)
    assert again.stdout == "4 1 3 / 0 2 6 / 7 5 8\n"


def test_scramble_gives_boards_of_the_size_that_repeat_by_their_seed() -> None:
    once = run("scramble", "4x4", "--seed", "7", "--count", "3").stdout
    assert once == run("scramble", "4", "4", "--seed", "7", "--count", "3").stdout
    assert run("scramble", "4x4", "--seed", "7", "--count", "5").stdout.startswith(once)
    boards = [
        read_board(line) for line in run("scramble", "2x3", "--count", "20").stdout.splitlines()
    ]
    puzzle = Puzzle(Goal.blank_last(2, 3))
    assert len(boards) == 20
    assert all(solvability(puzzle, board).answer is Solvability.YES for board in boards)
    assert len(read_board(run("scramble").stdout).cells) == 9
    named = read_board(run("scramble", "--goal", "* A / * # / @ B").stdout)
    assert (named.grid.rows, named.grid.columns) == (3, 2)


@pytest.mark.parametrize("kind", [(), ("--moves", "60"), ("--depth", "8")], ids=str)
def test_neighbouring_seeds_share_no_board(kind: tuple[str, ...]) -> None:
    series = [
        run("scramble", "4x4", *kind, "--seed", seed, "--count", "8").stdout.splitlines()
        for seed in ("7", "8", "9")
    ]
    assert len({board for boards in series for board in boards}) == 24


def test_scramble_walks_from_the_goal_or_makes_boards_of_an_exact_depth() -> None:
    moved = read_board(run("scramble", "--moves", "1", "--seed", "5").stdout)
    assert sum(one != other for one, other in zip(moved.cells, range(1, 10), strict=True)) <= 3
    words = ["scramble", "--depth", "20", "--count", "30", "--seed", "1"]
    result = run(*words)
    boards = [read_board(line) for line in result.stdout.splitlines()]
    assert [moves_left(board) for board in boards] == [20] * 30
    assert len(set(boards)) == 30
    assert (result.stderr, result.stdout) == ("", run(*words).stdout)


def test_scramble_says_where_chances_are_not_equal_and_when_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("MOST_BOARDS", "PILOT"):
        monkeypatch.setattr(depths, name, 0)
    walked = run("scramble", "2x3", "--depth", "9", "--seed", "1")
    assert len(walked.stdout.splitlines()) == 1
    assert "Not all boards of 9 moves were equally likely" in walked.stderr
    late = run("scramble", "4x4", "--depth", "30", "--max-seconds", "0")
    assert (late.exit_code, late.stdout) == (3, "")
    assert late.stderr == "Limit of 0 seconds: 0 of 1 board found.\n"


def test_boards_of_several_lines_stand_apart_and_on_a_screen_each_on_its_own() -> None:
    _, shown = on_screen("scramble", "4x4", "--depth", "50", "--count", "3", "--seed", "1")
    boards = [line for line in shown.split("\n") if " / " in line]
    assert len(boards) == 3
    for line in boards:
        assert read_board(line.rpartition("\x1b[K")[2].strip()).grid.rows == 4
    text = run("scramble", "2x2", "--count", "2", "--form", "classic", "--seed", "1").stdout
    one, other = text.split("\n\n")
    assert one.startswith("2\n")
    assert other.startswith("2\n")


def test_heuristics_searches_and_engines_are_listed_with_true_properties(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A second may be too short on a busy machine.
    monkeypatch.setattr(catalogue, "Limits", lambda seconds: tq.Limits(nodes=400_000))
    rows = {row["name"]: row for row in json.loads(run("searches", "--json").stdout)}
    assert set(rows) == set(ALGORITHMS)
    assert {row["moves"] for row in rows.values() if row["optimal"]} == {14}
    assert rows["bfs"]["expanded"] > 100 * rows["astar"]["expanded"]
    rows = {row["name"]: row for row in json.loads(run("heuristics", "--json").stdout)}
    assert set(rows) == set(HEURISTICS) - set(ALIASES)
    assert all(row["example"] <= 14 for row in rows.values() if row["admissible"])
    assert rows["manhattan"]["example"] == 10
    assert not rows["manhattan-agent"]["admissible"]
    found = json.loads(run("engines", "--json").stdout)
    names = ["table", "gpu", "cpu", "cluster", "anytime", "general", "textbook", "glass"]
    assert [engine["name"] for engine in found] == names
    assert all(engine["available"] or engine["why_not"] for engine in found)
    assert "glass" in run("engines").stdout


def boards(*words: str) -> list[tq.Board]:
    result = printed("scramble", *words, "--seed", "5")
    return [tq.Board(line) for line in result.splitlines()]


def test_boards_are_chosen_by_their_solutions_their_gap_or_as_unsolvable() -> None:
    for words, least, most in ((["--solutions", "1"], 1, 1), (["--solutions", "4+"], 4, 10**6)):
        (board,) = boards("2x3", *words)
        assert least <= len(list(tq.all_solutions(board))) <= most
    for board in boards("2x3", "--gap", "8-10", "--count", "3"):
        assert 8 <= (tq.moves_left(board) or 0) - tq.estimate("manhattan", board) <= 10
    (board,) = boards("3x3", "--depth", "12", "--gap", "4")
    assert (tq.moves_left(board), tq.estimate("manhattan", board)) == (12, 8)
    for board in boards("4x4", "--unsolvable", "--count", "3"):
        assert not tq.solvability(board)


def test_boards_that_are_not_found_or_not_in_time_are_counted() -> None:
    for words in (["--gap", "2"], ["--solutions", "1"], ["--unsolvable"], ["--moves", "9"], []):
        result = run("scramble", "3x3", "--max-seconds", "0", *words)
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr == "Limit of 0 seconds: 0 of 1 board found.\n"
    result = run("scramble", "2x3", "--depth", "2", "--gap", "8")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "0 of 1 board found" in result.stderr


BOARD = "8 1 3 / 4 0 2 / 7 6 5"


def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from taquin.analysis import explain_count

    presses = iter([False] * 30 + [True] * 10**6)
    monkeypatch.setattr(explain_count, "interrupted", lambda: next(presses))
    words = ("explain-count", BOARD, "--count", "78", "-a", "astar", "--kind", "traversed")
    result = printed(*words)
    assert "30 searches were tried (interrupted)" in result
    assert "astar(manhattan, ties=lifo)" in result
    assert run(*words[:3], "5", *words[4:]).exit_code == 3


NAMES = ("manhattan", "max(misplaced, gaschnig)")
NAMED = ("-H", NAMES[0], "-H", NAMES[1])


def test_one_board_has_a_row_for_each_heuristic(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("def h(board):\n    return 7\n")
    assert printed("estimate", BOARD, "-H", f"{own}:h").split()[-1] == "7"
    done = run("estimate", BOARD, *NAMED)
    rows = [line.rsplit(maxsplit=1) for line in done.stdout.splitlines()]
    assert rows[1:] == [["manhattan", "10"], [NAMES[1], rows[2][1]]]
    assert json.loads(run("estimate", BOARD, *NAMED, "--json").stdout) == {
        "manhattan": 10,
        NAMES[1]: int(rows[2][1]),
    }
    assert run("estimate", BOARD, "--csv").stdout.splitlines() == ["manhattan", "10"]


def test_many_boards_have_the_estimates_of_each() -> None:
    boards = run("scramble", "3x4", "--count", "20", "--seed", "5").stdout
    lines = boards.splitlines()
    expected = [estimate("manhattan", line) for line in lines]
    assert run("estimate", "--many", text=boards).stdout.split() == list(map(str, expected))
    rows = csv.DictReader(io.StringIO(run("estimate", "--many", "--csv", text=boards).stdout))
    assert [(row["start"], int(row["manhattan"])) for row in rows] == list(
        zip(lines, expected, strict=True)
    )
    records = run("estimate", "--many", "--json", *NAMED, text=boards).stdout.splitlines()
    assert [json.loads(record)["manhattan"] for record in records] == expected
    assert all(json.loads(record).keys() == {"start", *NAMES} for record in records)


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_a_bad_line_costs_that_line(form: tuple[str, ...]) -> None:
    done = run("estimate", "--many", *form, text=f"{BOARD}\nbanana\n1 2 / 3 0\n")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: line 2")
    assert len(done.stdout.splitlines()) == {(): 3, ("--csv",): 3, ("--json",): 2}[form]


HARD = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"


def test_a_board_can_be_shared_out_to_a_cluster() -> None:
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    done = printed("solve", HARD, "--goal", "blank-first", "--cluster", "local:2", "--json")
    found = json.loads(done)
    assert found["cost"] == 57
    assert found["optimal"] is True
    assert found["engine"] == "cluster, 2 workers"


def test_every_shortest_solution_is_one_line() -> None:
    done = run("solve", "1 2 3 / 7 4 5 / 0 8 6", "--all")
    assert done.exit_code == 0
    assert done.stdout == "DL2U\n"
    assert "1 shortest solution" in done.stderr
    several = run("solve", "8 6 7 / 2 5 4 / 3 0 1", "--all", "--most", "3", "--json")
    lines = [json.loads(line) for line in several.stdout.splitlines()]
    assert [len(moves) for moves in lines] == [31, 31, 31]


@pytest.mark.parametrize(
    "words",
    [("3", "3"), ("--goal", "1 2 3 / 4 # 5 / 6 7 0")],
    ids=["compiled", "through the model"],
)
def test_explore_stopped_by_a_limit_shows_what_it_found(words: tuple[str, ...]) -> None:
    done = run("explore", *words, "--max-seconds", "0")
    assert "boards within 1 move." in done.stderr
    assert done.exit_code == 3
    assert "distance" in done.stdout
    assert "radius" not in done.stdout
    assert done.stderr.startswith("Stopped: limit of 0 seconds. ")
    found = json.loads(run("explore", *words, "--max-seconds", "0", "--json").stdout)
    assert (found["complete"], found["histogram"][0]) == (False, 1)
    assert json.loads(run("explore", *words, "--json").stdout)["complete"] is True


@pytest.mark.parametrize("limit", [("--max-seconds", "0"), ("--max-memory", "1")])
def test_a_limit_is_enough_to_explore_a_space_without_end(limit: tuple[str, str]) -> None:
    done = run("explore", "5x5", *limit, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["complete"]) == (3, False)
    assert found["histogram"] == [1, 2, 4, 10, 26][: len(found["histogram"])]
    refused = run("explore", "5x5", *limit, "--max-boards", "1000")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "or limit the seconds instead" in run("explore", "5x5").stderr


def test_a_table_that_cannot_be_kept_is_not_called_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "file" / "cache"))
    done = run("tables", "build", "2x4")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "was built, but not kept" in done.stderr.splitlines()[-1]


def test_tables_can_be_built_listed_verified_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    assert "0 tables" in run("tables", "list").stdout
    built = printed("tables", "build", "2x4")
    assert run("tables", "build", "2", "4").stdout == built
    names = [line.split()[0] for line in built.splitlines()]
    assert names
    listed = run("tables", "list", "--json")
    assert {json.loads(line)["name"] for line in listed.stdout.splitlines()} == set(names)
    assert set(names) <= set(printed("tables", "list").split())
    assert run("tables", "verify").exit_code == 0
    damaged = next((tmp_path / "cache").glob("*.table"))
    content = bytearray(damaged.read_bytes())
    content[5000] ^= 1
    damaged.write_bytes(content)
    assert run("tables", "verify").exit_code == 1
    assert run("tables", "remove", "--all").exit_code == 0
    assert "0 tables" in run("tables", "list").stdout


def test_tables_of_ones_own_are_built_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    board = "8 6 7 / 2 5 4 / 3 0 1"
    built = run("tables", "build", "3x3", "--pattern", "1 2 4 5 / 3 6 / 7 8 ~4")
    assert built.stdout.splitlines() == ["3x3-0.1-b2-min4 is ready", "3x3-0.1.3.4-b2-min4 is ready"]
    for tables in ("AAB/AAB/CC.", "1 2 4 5 / 3 6 / 7 8~4", "small~2"):
        solved = json.loads(run("solve", board, "--tables", tables, "--json").stdout)
        assert (solved["cost"], solved["optimal"]) == (31, True)
        assert solved["engine"].startswith("cpu")


@pytest.mark.parametrize(
    ("reason", "status", "lines"), [("interrupted", 3, 0), ("limit of 3 seconds", 2, 3)]
)
def test_ctrl_c_ends_the_estimates_of_many_boards_and_a_limit_those_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, status: int, lines: int
) -> None:
    class Ended:
        def call(self, *job: object) -> int:
            raise UnfinishedError(reason)

    (tmp_path / "mine.py").write_text("def h(board): return 0\n")
    (tmp_path / "boards.txt").write_text("1 2 3 0\n1 2 / 3\n1 2 0 3\n")
    monkeypatch.setattr(heuristics_module, "isolation", Ended)
    own = f"{tmp_path / 'mine.py'}:h"
    done = run("estimate", "--many", str(tmp_path / "boards.txt"), "-H", own)
    assert (done.exit_code, done.stdout) == (status, "\n" * lines)
    stopped = [line for line in done.stderr.splitlines() if line.startswith("Stopped: ")]
    assert stopped == [f"Stopped: {reason}."] * max(1, lines - 1)
    # A board that is none is a fault of the input, whatever else stopped.
    assert ("Error: " in done.stderr) == (status == 2)
