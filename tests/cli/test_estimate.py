"""`estimate`: one board, many, and faults in some of their lines."""

from __future__ import annotations

import csv
import io
import json

import pytest

from taquin import estimate
from tests.cli.runs import run

BOARD = "8 1 3 / 4 0 2 / 7 6 5"
NAMES = ("manhattan", "max(misplaced, gaschnig)")
HEURISTICS = ("-H", NAMES[0], "-H", NAMES[1])


def test_one_board_has_a_row_for_each_heuristic() -> None:
    done = run("estimate", BOARD, *HEURISTICS)
    rows = [line.rsplit(maxsplit=1) for line in done.stdout.splitlines()]
    assert rows[1:] == [["manhattan", "10"], [NAMES[1], rows[2][1]]]
    assert json.loads(run("estimate", BOARD, *HEURISTICS, "--json").stdout) == {
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
    records = run("estimate", "--many", "--json", *HEURISTICS, text=boards).stdout.splitlines()
    assert [json.loads(record)["manhattan"] for record in records] == expected
    assert all(json.loads(record).keys() == {"start", *NAMES} for record in records)


@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_a_bad_line_costs_that_line(form: tuple[str, ...]) -> None:
    done = run("estimate", "--many", *form, text=f"{BOARD}\nbanana\n1 2 / 3 0\n")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: line 2")
    assert len(done.stdout.splitlines()) == {(): 3, ("--csv",): 3, ("--json",): 2}[form]


def test_a_heuristic_that_does_not_serve_a_board_is_refused_in_a_sentence() -> None:
    walled = run("estimate", "1 2 / # 0", "--goal", "1 2 / # 0", "-H", "patterns(small)")
    assert (walled.exit_code, walled.stdout) == (2, "")
    assert "classic" in walled.stderr
    assert run("estimate", BOARD, "-H", "nothing").exit_code == 2
