"""`taquin compare`: the table, JSON, CSV, and searches in one word."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest

from taquin import Board, Goal, Limits, Puzzle
from taquin.cli.visualise.compare import DEFAULT, _figures, _runs
from taquin.engine.glass import GlassBox
from taquin.search.grammar import search_named
from tests.cli.runs import on_screen, printed, process, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
ODD = "1 2 3 / 4 5 6 / 8 7 0"
FIFTEEN = "5 1 6 2 / 13 10 4 0 / 14 8 3 12 / 9 7 15 11"
"""20,079 boards expanded by IDA*: more than are tried before compiled code is loaded."""


def test_the_table_the_list_and_the_rows_have_one_for_each_search() -> None:
    result = printed("compare", NEAR, "-a", "bfs", "-a", "astar:misplaced")
    heading, bfs, astar = (line.split() for line in result.splitlines())
    assert heading[:3] == ["search", "moves", "expanded"]
    assert bfs[:2] == ["bfs", "2"]
    assert astar[:2] == ["astar(misplaced)", "2"]
    found = json.loads(run("compare", NEAR, "-a", "ids", "-a", "idastar", "--json").stdout)
    assert [each["algorithm"] for each in found] == ["ids", "idastar(manhattan)"]
    assert all(each["cost"] == 2 and each["optimal"] for each in found)
    text = run("compare", NEAR, "-a", "bfs", "-a", "wastar:weight=2", "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["algorithm"] for row in rows] == ["bfs", "wastar(manhattan, weight=2)"]
    assert all(row["cost"] == "2" for row in rows)
    assert {"outcome", "optimal", "expanded", "seconds"} <= set(rows[0])
    # Without searches, those of the textbooks run.
    lines = run("compare", NEAR).stdout.splitlines()
    assert [line.split("(")[0].split()[0] for line in lines[1:]] == [
        name.split(":")[0] for name in DEFAULT
    ]


def test_limits_hold_for_each_search_and_of_an_unsolvable_board_the_verdict_is_said_once() -> None:
    far = "8 6 7 / 2 5 4 / 3 0 1"
    result = printed("compare", far, "-a", "bfs", "-a", "greedy", "--max-nodes", "1000")
    assert [line.split()[1] for line in result.splitlines()[1:3]] == ["limit", "47"]
    assert "bfs: limit of 1,000 nodes generated" in result
    assert run("compare", far, "-a", "bfs", "--max-nodes", "1000").exit_code == 3
    told = printed("compare", ODD, status=1)
    assert told.count("\n") == 1
    assert told.startswith("No solution possible: 1 inversion")
    assert told.endswith("It is solvable with --goal snail.\n")
    found = json.loads(run("compare", ODD, "-a", "bfs", "-a", "ids", "--json").stdout)
    assert [each["outcome"] for each in found] == ["unsolvable", "unsolvable"]


def test_a_search_runs_on_the_engine_that_solve_chooses_whatever_ran_before() -> None:
    for board, engine in ((NEAR, "glass-box"), (FIFTEEN, "textbook")):
        (_, found) = json.loads(
            run("compare", board, "-a", "greedy", "-a", "idastar", "--json").stdout
        )
        done = process("solve", board, "-a", "idastar", "--json")
        alone = json.loads(done.stdout)
        assert found["engine"] == alone["engine"]
        assert found["engine"].startswith(engine)
        assert found["stats"]["expanded"] == alone["stats"]["expanded"]
    shown = run("compare", FIFTEEN, "-a", "idastar", "--engine", "glass").stdout.splitlines()
    assert shown[0].split()[-1] == "engine"
    assert shown[1].split()[:3] == ["idastar(manhattan)", "32", f"{found['stats']['expanded']:,}"]
    assert shown[1].split()[-1] == "glass-box"


def test_by_expansions_the_first_place_is_for_the_fewest_and_ties_share_one() -> None:
    board = "0 1 3 / 4 2 5 / 7 8 6"
    words = ("compare", board, "-a", "dfs", "-a", "bfs", "-a", "astar", "-a", "greedy")
    head, *rows = run(*words, "--max-nodes", "60", "--by", "expansions").stdout.splitlines()
    assert head.split()[:4] == ["search", "place", "moves", "expanded"]
    assert [row.split()[:3] for row in rows[:4]] == [
        ["astar(manhattan)", "1", "4"],
        ["greedy(manhattan)", "1", "4"],
        ["bfs", "3", "4"],
        ["dfs", "–", "limit"],
    ]
    many = ("compare", "--many", "-a", "bfs", "-a", "astar", "--by", "expansions")
    _, *means = run(*many, text=f"{NEAR}\n{board}\n").stdout.splitlines()
    assert [row.split()[:2] for row in means[:2]] == [["astar(manhattan)", "1"], ["bfs", "2"]]


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text("def h(board):\n    return 1 // abs(board.blank - 5)\n")
    return f"astar({file}:h)"


def test_a_heuristic_that_raises_loses_its_own_row_only(own: str) -> None:
    result = run("compare", NEAR, "-a", "bfs", "-a", own, "-a", "astar")
    rows = result.stdout.splitlines()
    assert [row.split()[1] for row in rows[1:4]] == ["2", "failed", "2"]
    assert "line 2: ZeroDivisionError: " in rows[4]
    assert rows[4].startswith(f"{own} failed: ")
    assert rows[4].endswith(", for the board 1 2 3 / 4 5 0 / 7 8 6")
    assert result.exit_code == 2
    found = json.loads(run("compare", NEAR, "-a", own, "-a", "astar", "--json").stdout)
    assert [each["outcome"] for each in found] == ["failed", "solved"]
    (record,) = csv.DictReader(io.StringIO(run("compare", NEAR, "-a", own, "--csv").stdout))
    assert (record["outcome"], record["expanded"]) == ("failed", "")
    assert "ZeroDivisionError" in record["reason"]


def test_searches_that_are_not_counted_are_named_in_one_line(tmp_path: Path) -> None:
    boards = "1 2 3 / 4 5 6 / 7 0 8\n1 2 3 / 4 5 6 / 0 7 8\n"
    code = 'def solve(board):\n    return "LL" if str(board).endswith("_ 7 8") else "L"\n'
    names = []
    for stem in ("one", "two"):
        file = tmp_path / f"{stem}.py"
        file.write_text(code)
        names.append(f"{file}:solve")
    words = [word for name in [*names, "bfs"] for word in ("-a", name)]
    told = run("compare", "--many", *words, text=boards).stderr.splitlines()
    assert len(told) == 1
    assert told[0].startswith(f"{names[0]}, {names[1]} are not counted, as they build their own")


def test_many_boards_make_a_row_of_means_over_the_same_boards(own: str) -> None:
    """Two moves and four are a mean of three; the third board only A* solves, the last nobody."""
    text = f"{NEAR}\n0 1 3 / 4 2 5 / 7 8 6\n8 1 3 / 4 0 2 / 7 6 5\n{ODD}\n"
    words = ("compare", "--many", "-a", "bfs", "-a", "astar:linear-conflict", "-a", own)
    result = run(*words, "--max-nodes", "3000", "--max-seconds", "600", text=text)
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[1:5] for row in rows[1:3]] == [["2", "of", "3", "3.0"], ["3", "of", "3", "3.0"]]
    assert rows[3][1:5] == ["0", "of", "3", "–"]
    told = result.stdout
    assert "means over the 2 boards that each search solved that solved any. 1 unsolvable" in told
    assert f"{own} failed on 3 boards, the first {NEAR}: " in told
    assert "bfs: limit of 3,000 nodes generated on 1 board, the first 8 1 3 / 4 0 2 / 7 6 5" in told
    runs = json.loads(
        run(
            *("compare", "--many", "-a", "bfs", "-a", "astar", "--json", "--max-seconds", "600"),
            text=text,
        ).stdout
    )
    means = [sum(each["stats"]["expanded"] for each in runs[:4][at::2]) / 2 for at in (0, 1)]
    assert rows[1][5] == f"{means[0]:,.1f}"
    records = csv.DictReader(io.StringIO(run(*words, "--csv", text=text).stdout))
    assert [record["board"] for record in records] == [
        str(n) for n in (1, 2, 3, 4) for _ in range(3)
    ]
    # A line that is no board is told, and the others are compared.
    result = run("compare", "--many", "-a", "bfs", text=f"oops\n{NEAR}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: line 1, column 1: ")
    assert result.stdout.splitlines()[1].split()[:4] == ["bfs", "1", "of", "1"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("columns", [120, 80, 60, 40])
def test_every_column_is_on_the_screen_however_narrow_it_is(columns: int) -> None:
    words = ("-a", "bfs", "-a", "astar:duplicates=parent:ties=lifo", "--like", "s3")
    shown = click.unstyle(on_screen("compare", NEAR, *words, columns=columns)[1])
    told = " ".join(shown.split())
    for heading in ("moves", "expanded", "time", "shortest", "generated", "frontier", "least"):
        assert heading in told
    assert told.count("search ") == told.count("bfs(duplicates=dequeue,") >= (columns < 120) + 1
    assert "lifo" in told
    assert max(map(len, shown.splitlines())) <= columns


def test_a_table_like_that_of_a_source_has_the_count_it_speaks_of() -> None:
    text = run("compare", "0 1 3 / 4 2 5 / 7 8 6", "--like", "s4", "-a", "astar").stdout
    heading, row, meaning = text.splitlines()
    assert "states enqueued, S4" in heading
    assert row.split()[:5] == ["astar(manhattan,", "duplicates=parent,", "ties=fifo)", "4", "10"]
    assert meaning.startswith("states enqueued, S4: entries ever put into the frontier")
    words = ("compare", NEAR, "--like", "korf", "-a", "bfs", "-a", "bidirectional")
    bfs, other = json.loads(run(*words, "--json").stdout)
    counts = bfs["stats"]
    assert bfs["like"]["value"] == counts["generated"] - counts["duplicates"] + 1
    assert other["like"]["value"] is None
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv").stdout)))
    assert [row["nodes generated, Korf (1985)"] for row in rows] == [str(bfs["like"]["value"]), ""]


def test_rows_of_different_engines_are_pointed_out(tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15\n", encoding="utf-8")
    words = ("compare", "--many", str(boards), "-a", "ids", "-a", "idastar")
    said = " ".join(run(*words).stdout.split())
    assert "different engines (" in said
    assert "different engines" not in run(*words, "--engine", "glass").stdout


def test_nodes_and_time_are_plotted_against_depth(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    boards, plot = tmp_path / "boards.txt", tmp_path / "plot.svg"
    boards.write_text(f"{NEAR}\n1 2 3 / 4 5 6 / 7 0 8\n", encoding="utf-8")
    assert run("compare", "--many", str(boards), "-a", "bfs", "-o", str(plot)).exit_code == 0
    assert plot.read_text("utf-8").count("<svg") == 1
    puzzle = Puzzle(Goal.blank_last(3, 3))
    starts = [(puzzle, Board(text)) for text in (NEAR, "1 2 3 / 4 5 6 / 7 0 8")]
    runs = list(_runs(starts, [search_named("bfs")], GlassBox(), Limits()))
    nodes, time = _figures(runs)
    expanded = [run.result.stats.expanded for run in runs if run.result]
    assert [(point.x, point.y) for point in nodes.points] == [(1, expanded[1]), (2, expanded[0])]
    assert [point.x for point in time.points] == [1, 2]
