"""`taquin solve`: what it prints, what it reads, and its exit status."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

import taquin as tq
from taquin.search.result import Stats
from tests import truth
from tests.cli.runs import printed, process, run

PUZZLE04 = "3\n0 1 3\n4 2 5\n7 8 6\n"
UNSOLVABLE = "3\n1 2 3\n4 5 6\n8 7 0\n"
FAR = "8 6 7 / 2 5 4 / 3 0 1"
"""One of the two boards 31 moves from the goal."""
HARD = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
"""A board 49 moves from the goal."""

CLASSIC04 = """\
  1 3
4 2 5
7 8 6

1   3
4 2 5
7 8 6

1 2 3
4   5
7 8 6

1 2 3
4 5
7 8 6

1 2 3
4 5 6
7 8

Number of states enqueued = 10
Minimum number of moves = 4
"""


def test_classic_prints_what_s4_prints_and_calls_only_what_is_proven_a_minimum() -> None:
    result = run("solve", "--style", "classic", text=PUZZLE04)
    assert (result.exit_code, result.stdout, result.stderr) == (0, CLASSIC04, "")
    search = "astar(duplicates=none, ties=fifo)"
    result = run("solve", "--style", "classic", "-a", search, text=PUZZLE04)
    assert "Number of states enqueued = 13\n" in result.stdout
    result = run("solve", FAR, "--style", "classic", "-a", "greedy")
    assert result.stdout.endswith("Number of states enqueued = 171\nNumber of moves = 47\n")


def test_classic_aligns_numbers_and_claims_no_queue_that_the_fastest_engine_had_not() -> None:
    result = run("solve", FAR, "--style", "classic")
    assert result.stdout.endswith("7 8\n\nMinimum number of moves = 31\n")
    assert "enqueued" not in result.stdout
    assert "-a astar" in result.stderr
    compiled = run("solve", HARD, "--style", "classic", "--engine", "cpu(tables=none)")
    assert "\nNumber of states generated = " in compiled.stdout
    assert compiled.stdout.endswith("Minimum number of moves = 49\n")
    board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15"
    lines = run("solve", board, "--style", "classic").stdout.split("\n")
    assert lines[:4] == [" 1  2  3  4", " 5  6  7  8", " 9 10 11 12", "13 14    15"]
    assert lines[8] == "13 14 15"


@pytest.mark.parametrize(
    ("board", "goal", "way_out"),
    [
        ("1 2 3 / 8 0 4 / 7 6 5", "blank-last", " It is solvable with --goal snail."),
        ("1 2 / 0 3", "blank-last", ""),
        ("1 0 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", "blank-last",
         " It is solvable with --goal blank-first."),
    ],
)  # fmt: skip
def test_an_unsolvable_board_is_told_the_goals_it_could_be_solved_for(
    board: str, goal: str, way_out: str
) -> None:
    for command in ("solve", "check"):
        told = " ".join(run(command, board, "--goal", goal).stdout.split())
        assert ("solvable with" in told) == bool(way_out)
        assert told.endswith(way_out)
    for name in re.findall(r"--goal ([a-z-]+)", way_out):
        assert run("check", board, "--goal", name).exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-nodes", "50"], "Limit of 50 nodes generated"),
        (["--max-nodes", "50", "--count", "expanded"], "Limit of 50 nodes expanded"),
        (["--max-seconds", "0"], "Limit of 0 seconds"),
        (["--max-depth", "12"], "Limit of 12 moves"),
        (["--max-memory", "1MiB"], "Limit of 1 MiB of memory"),
    ],
)
@pytest.mark.parametrize("board", [FAR, HARD])
def test_every_limit_holds_for_all_solutions(board: str, words: list[str], said: str) -> None:
    result = run("solve", board, "--all", *words)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{said}. No solution found")


def test_all_lists_the_same_solutions_whoever_lists_them_and_any_puzzle() -> None:
    left = truth.distances([(1, 2, 3, 4, 5, 6, 7, 8, 0)], 3, 3)
    known = truth.shortest_paths((0, 1, 8, 3, 2, 7, 4, 5, 6), left, 3, 3)
    for engine in ("cpu(tables=none)", "glass"):
        lines = run("solve", "0 1 8 / 3 2 7 / 4 5 6", "--all", "--engine", engine).stdout.split()
        assert len(lines) == len(set(lines)) == len(known) == 10
    lines = run("solve", "A . / @ .", "--goal", "* A / * *", "--all").stdout.split()
    assert lines == ["LDR"]
    assert run("solve", "0 1 2 / 4 5 3 / 7 8 6", "--metric", "multi", "--all").stdout == "L2U2\n"


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("classic", "No solution possible\n"),
        ("pretty", "No solution possible: 1 inversion"),
        ("moves", ""),
    ],
)
def test_every_style_says_when_no_solution_is_possible(style: str, said: str) -> None:
    result = run("solve", "--style", style, text=UNSOLVABLE)
    assert (result.exit_code, result.stdout[: len(said)]) == (1, said)
    assert "expanded" not in result.stdout
    assert bool(result.stdout) != result.stderr.startswith("No solution possible: ")


@pytest.mark.parametrize("style", ["pretty", "classic", "moves"])
def test_a_limit_leaves_the_best_solution_so_far(style: str) -> None:
    result = run("solve", PUZZLE04, "-a", "ucs", "--max-nodes", "33", "--style", style)
    assert result.exit_code == 3
    assert "Best so far, limit of 33 nodes generated: 4 moves; no solution is" in result.output
    assert "LULU" in result.stdout or result.stdout.count("7 8") >= 5
    assert "Minimum" not in result.stdout


LARGE = "a good one; --optimal insists."


@pytest.mark.parametrize(
    ("size", "words", "status", "said"),
    [
        # Where no shortest solution is looked for, whatever ends it, however early.
        ("6x6", ("--max-seconds", "0"), 0, LARGE),
        ("6x6", ("--max-nodes", "10000"), 0, LARGE),
        ("6x6", ("--many", "--max-nodes", "10000"), 0, LARGE),
        ("5x5", ("--anytime", "--max-nodes", "10000"), 0, ""),
        ("5x5", ("--anytime", "--max-seconds", "0"), 0, ""),
        ("5x5", ("--within", "3", "--threads", "1", "--max-nodes", "20000"), 0, ""),
        # Where one is, or a promise is not kept.
        ("5x5", ("--within", "1.01", "--threads", "1", "--max-nodes", "20000"), 3, "Best so far"),
        ("5x5", ("--tables", "none", "--max-nodes", "10000"), 3, "Best so far"),
        ("5x5", ("--max-seconds", "0"), 3, "Best so far"),
        ("6x6", ("--optimal", "--max-nodes", "10000"), 3, "No solution found"),
    ],
)
def test_the_status_says_whether_the_solution_is_what_was_asked_for(
    size: str, words: tuple[str, ...], status: int, said: str, tmp_path: Path
) -> None:
    boards = [str(tq.random_board(size, seed)) for seed in ((1, 2) if "--many" in words else (1,))]
    file = tmp_path / "boards.txt"
    file.write_text("\n\n".join(boards))
    result = run("solve", str(file), "--style", "moves", *words)
    assert result.exit_code == status
    assert (said in result.stderr) if said else not result.stderr
    assert result.stderr.count(LARGE) == (said == LARGE)
    assert bool(result.stdout) == ("--optimal" not in words)


def test_pretty_shows_every_move_with_its_number_tile_and_direction() -> None:
    result = printed("solve", "1 2 3 / 4 0 5 / 7 8 6", "--engine", "glass")
    assert result.startswith(
        "start       1. 5 left   2. 6 up\n"
        "1 2 3       1 2 3       1 2 3\n"
        "4 _ 5       4 5 _       4 5 6\n"
        "7 8 6       7 8 6       7 8 _\n"
        "\n"
        "Solved in 2 moves; no solution is shorter.\n"
        "astar(manhattan), glass-box: 2 expanded, 7 generated in "
    )


def test_pretty_shows_one_board_in_ten_and_calls_only_a_proven_solution_shortest() -> None:
    result = run("solve", "8 1 3 / 4 0 2 / 7 6 5", "-a", "greedy")
    least = "the shortest has at least 10, an even number"
    assert f"Solved in 36 moves; {least}: within 260 %.\n" in result.stdout
    words = ("solve", "4 5 0 / 1 2 3", "-a", "dfs(seed=3)")
    cost = json.loads(run(*words, "--json").stdout)["cost"]
    assert cost > 100
    shown = run(*words).stdout
    assert all(f"{number}. " in shown for number in range(1, cost + 1))
    assert shown.count("_") == 1 + -(-cost // 10)


def test_json_is_one_object_with_everything() -> None:
    result = run("solve", "--json", "--engine", "table", text=PUZZLE04)
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert found["outcome"] == "solved"
    assert found["cost"] == found["lower_bound"] == 4
    assert found["optimal"] is True
    assert found["moves"][0] == {"tile": 1, "direction": "left"}
    assert found["start"] == [[0, 1, 3], [4, 2, 5], [7, 8, 6]]
    assert found["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    assert found["metric"] == "single"
    assert (found["engine"], found["algorithm"]) == ("complete table", "distances")
    assert found["limit"] is None
    assert found["reason"] == ""
    assert set(found["stats"]) == {each.name for each in fields(Stats)}
    assert found["seconds"] == found["stats"]["seconds"]


@pytest.mark.parametrize(
    ("words", "status", "outcome", "has_moves"),
    [
        (["1 2 3 / 4 5 6 / 8 7 0"], 1, "unsolvable", False),
        # An optimal search that a limit ends leaves the best solution that could be had.
        ([HARD, "--max-nodes", "1k"], 3, "limit", True),
        ([HARD, "--max-seconds", "0"], 3, "limit", True),
        ([HARD, "--max-memory", "1M"], 3, "limit", True),
        ([HARD, "--max-depth", "3"], 3, "limit", False),
        ([FAR, "-a", "beam(width=1)"], 3, "limit", False),
        ([FAR, "-a", "capped-beam(cap=5)"], 3, "limit", False),
    ],
)
def test_json_and_the_exit_status_tell_the_outcome(
    words: list[str], status: int, outcome: str, has_moves: bool
) -> None:
    result = run("solve", *words, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["outcome"]) == (status, outcome)
    assert answer["cost"] == (len(answer["moves"]) if has_moves else None)
    assert answer["optimal"] is False
    assert answer["reason"]


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        (["--engine", "table"], "distances"),
        (["--engine", "glass"], "astar(manhattan)"),
        (["-H", "h1"], "astar(misplaced)"),
        (["-a", "IDA*", "-H", "linear-conflict"], "idastar(linear-conflict)"),
        (["-a", "astar(h1, ties=lifo, weight=2)"], "wastar(misplaced, weight=2, ties=lifo)"),
        (["-a", "astar:manhattan:ties=lifo"], "astar(manhattan, ties=lifo)"),
        (["-H", "patterns(large)"], "astar(patterns(large))"),
        (["-a", "bfs(goal_test=generation)"], "bfs(goal_test=generation)"),
        (["-a", "dfs(directions=lrud)"], "dfs(directions=LRUD)"),
        (["-a", "ids(seed=4)"], "ids(seed=4)"),
        (["-H", "max(gaschnig, manhattan)"], "astar(max(gaschnig, manhattan))"),
        (["--style", "classic"], "astar(manhattan, duplicates=parent, ties=fifo)"),
        (["--style", "classic", "-a", "bfs"], "bfs"),
    ],
)
def test_the_result_tells_which_search_ran(words: list[str], ran: str) -> None:
    result = run("solve", "1 2 3 / 4 0 5 / 7 8 6", "--json", *words)
    assert json.loads(result.stdout)["algorithm"] == ran


def test_a_board_may_be_an_argument_several_words_a_file_or_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "puzzle04.txt"
    file.write_text(PUZZLE04)
    ways = [
        run("solve", "0 1 3 / 4 2 5 / 7 8 6", "--style", "moves"),
        run("solve", "--style", "moves", *["0", "1", "3", "/", "4", "2", "5", "/", "7", "8", "6"]),
        run("solve", "--style", "moves", "b13", "425", "786"),
        run("solve", "013425786", "--style", "moves"),
        run("solve", str(file), "--style", "moves"),
        run("solve", "-", "--style", "moves", text=PUZZLE04),
        run("solve", "--style", "moves", text="\ufeff" + PUZZLE04),
        run("solve", "--style", "moves", text="[[0,1,3],[4,2,5],[7,8,6]]"),
    ]
    assert [result.stdout for result in ways] == ["LULU\n"] * len(ways)
    file.write_text("1 2 3\n4 5 0\n7 8 6\n")
    for board, moves in (("1 2 3 / 4 0 5 / 7 8 6", "L\n"), ("1 2 3 / 4 5 0 / 7 8 6", "\n")):
        assert run("solve", board, "--goal", str(file), "--style", "moves").stdout == moves


def test_bytes_that_are_no_text_are_pointed_at(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_bytes(b"1 2\n3 \xff\n")
    result = run("solve", str(file))
    assert result.stderr == (
        f"Error: {file}: line 2, column 3: expected a text, found a byte that is not UTF-8\n"
    )


def test_many_leaves_with_the_status_of_the_worst_line_and_goes_on_after_it() -> None:
    solved, unsolvable, hard = "123450786", "123456870", HARD
    assert run("solve", "--many", text=f"{solved}\n").exit_code == 0
    assert run("solve", "--many", text=f"{solved}\n{unsolvable}\n").exit_code == 1
    limited = run("solve", "--many", "--max-nodes", "1000", text=f"{unsolvable}\n{hard}\n")
    assert limited.exit_code == 3
    assert run("solve", "--many", text="").exit_code == 0
    result = run("solve", "--many", "--goal", "1 2 / 3 0", text="123405786\n1 2 / 0 3\n")
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert "the start is 3×3 and the goal 2×2" in first["error"]
    assert second["cost"] == 1
    assert result.exit_code == 2


def test_many_boards_all_go_to_the_engine_that_fits_and_nodes_are_counted_as_count_says() -> None:
    done = process("solve", "--many", text=b"123405786\n123450786\n")
    engines = [json.loads(line)["engine"] for line in done.stdout.splitlines()]
    assert engines == ["complete table"] * 2
    result = run("solve", FAR, "--max-nodes", "100", "--count", "expanded", "--json")
    assert json.loads(result.stdout)["stats"]["expanded"] == 100


@pytest.mark.parametrize(
    ("like", "said"),
    [
        ("s0", "S0 counts tries: 4 (boards whose successors were generated)."),
        (
            "s2",
            "S2 counts nodes generated: 12 (successors generated, duplicates included, the start",
        ),
        ("s3", "S3 counts traversed nodes: "),
        ("s4", "S4 counts states enqueued: 10 (entries ever put into the frontier, the start"),
        (
            "korf",
            "Korf (1985) counts nodes generated: 8 (successors generated and the start, moves",
        ),
    ],
)
def test_a_solution_like_that_of_a_source_comes_with_the_count_it_speaks_of(
    like: str, said: str
) -> None:
    puzzle04 = "0 1 3 / 4 2 5 / 7 8 6"
    assert said in run("solve", puzzle04, "--like", like).stdout
    assert said in run("solve", puzzle04, "--like", like, "--style", "moves").stderr
    told = json.loads(run("solve", puzzle04, "--like", like, "--json").stdout)["like"]
    assert f"{told['source']} counts {told['count']}: {told['value']}"[: len(said)] in said


@pytest.mark.parametrize("multi", [False, True])
def test_directions_of_the_blank_are_those_that_grade_reads(multi: bool) -> None:
    board, metric = "8 1 3 / 4 0 2 / 7 6 5", ["--metric", "multi"] if multi else []
    tile = run("solve", board, *metric, "--style", "moves").stdout.strip()
    blank = run("solve", board, *metric, "--style", "moves", "--blank").stdout.strip()
    assert blank == tile.translate(str.maketrans("LRUD", "RLDU"))
    assert " yes     yes " in run("grade", board, blank, *metric, "--blank").stdout
    assert blank in run("solve", board, *metric, "--all", "--blank").stdout.splitlines()
    assert "1. blank right, 5 left" in run("solve", "1 2 3 / 4 0 5 / 7 8 6", "--blank").stdout


def test_a_certificate_that_is_not_written_is_no_success(tmp_path: Path) -> None:
    file = tmp_path / "proof.txt"
    for words, status in (
        (("867254301", "-a", "wastar(weight=3)"), 3),
        (("867254301", "-a", "astar", "--max-nodes", "5"), 3),
        (("123456870",), 1),
        (("123456708",), 0),
    ):
        result = run("solve", *words, "--certificate", str(file))
        assert (result.exit_code, "No certificate: " in result.stderr) == (status, status != 0)
    assert file.exists()
