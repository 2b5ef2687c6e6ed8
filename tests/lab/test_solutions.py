"""The solutions in the records: written by every run, and verified by replaying them."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from taquin.lab.run.database import Records, solution_fault
from taquin.lab.run.runner import run_study
from taquin.lab.study.definition import Study
from taquin.lab.study.reading import study_of_toml
from taquin.model.board import Board
from taquin.model.puzzle import Goal
from taquin.notation.moves import moves_on
from taquin.search.result import Limits
from tests.cli.runs import run

KINDS = """
searches = [{ algorithm = ["astar", "greedy"] }]
[[boards]]
label = "classic"
start = "8 1 3 / 4 0 2 / 7 6 5"
[[boards]]
label = "named tiles and a wall"
start = ". . # / A B @ / . . ."
goal = "* * # / * A * / * B @"
[[boards]]
label = "slides"
metric = "multi"
start = "1 2 3 / 0 4 5 / 7 8 6"
[[boards]]
label = "solved"
start = "1 2 / 3 0"
[[boards]]
label = "no way"
start = "2 1 / 3 0"
"""


@pytest.fixture
def records(tmp_path: Path) -> Records:
    """Return the records of every kind of puzzle."""
    return run_study(study_of_toml(KINDS, "kinds"), tmp_path, processes=0)


def test_the_solution_of_every_solved_run_is_recorded_and_right(records: Records) -> None:
    assert {each.board for each in records if each.solution is None} == {"no way"}
    assert {each.board for each in records if each.solution == ""} == {"solved"}
    for record in records:
        if record.solution is not None:
            assert solution_fault(record) == ""
    classic = next(each for each in records if each.board == "classic")
    assert classic.solution is not None
    assert len(moves_on(Board.parse(classic.run.start), classic.solution)) == classic.cost


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"solution": "LLLLLLLL"}, "move"),
        ({"solution": "L"}, "not solved"),
        ({"solution": "no moves"}, "expected moves"),
        ({"cost": 3}, "the record says 3"),
        ({"cost": None}, "the record says none"),
    ],
)
def test_a_solution_that_is_not_what_the_record_says_is_found(
    records: Records, changes: dict[str, object], fault: str
) -> None:
    classic = next(each for each in records if each.board == "classic")
    assert fault in solution_fault(replace(classic, **changes))  # type: ignore[arg-type]
    assert "\n" not in solution_fault(replace(classic, **changes))  # type: ignore[arg-type]


def test_a_huge_study_may_leave_the_moves_out(tmp_path: Path) -> None:
    study = study_of_toml(f"record_moves = false\n{KINDS}", "kinds")
    found = run_study(study, tmp_path, processes=0)
    assert {each.solution for each in found} == {None}
    assert sum(each.solved for each in found) == 8


def test_replay_verifies_every_recorded_solution(records: Records, tmp_path: Path) -> None:
    result = run("study", "replay", "kinds", "--store", str(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.startswith("kinds: 8 solutions are right: legal, ")
    with sqlite3.connect(tmp_path / "kinds.sqlite") as connection:
        connection.execute("UPDATE records SET solution = 'L' WHERE board = 'classic'")
        connection.execute("UPDATE records SET solution = NULL WHERE board = 'slides'")
        # Without checksums, as in format 7, only a replay can notice that.
        connection.execute("ALTER TABLE records DROP COLUMN checksum")
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    result = run("study", "replay", "kinds", "--store", str(tmp_path))
    assert result.exit_code == 1
    assert "4 solutions are right" in result.stdout
    assert "2 solutions are wrong" in result.stdout
    assert "2 solved runs have no moves recorded" in result.stdout
    assert "astar(manhattan) on classic: after 1 moves the board is not solved" in result.stderr


@pytest.mark.parametrize("search", ["astar", "idastar"])
def test_seconds_include_all_that_the_limit_counts(search: str, tmp_path: Path) -> None:
    hard = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
    goal = Goal.blank_first(4, 4)
    study = Study.of("hard", [hard], [search], goal=goal, limits=Limits(seconds=0.1))
    (record,) = study.run(tmp_path, processes=0)
    assert record.limit_reached == "seconds"
    assert record.seconds >= 0.1
    assert record.stats.cpu_seconds > 0
