"""What the commands say of solutions that user code had a part in: proven, checked, or assumed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from taquin.analysis import isolated
from taquin.lab.study.reading import read_study
from tests.cli.runs import run
from tests.lab.worlds import run_into

HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""Its shortest solutions have 31 moves; the lie below finds one of 35."""
LIE = """
def manhattan(board):
    return sum(
        abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        for cell, tile in enumerate(board.cells)
        if tile
    )

def lie(board):
    return 3 * manhattan(board)

lie.admissible = True

def detour(board):
    return "RLLU"
"""
STUDY = f"""
boards = [{{ start = "{HARD}" }}]
[[searches]]
label = "lie"
algorithm = "astar(lie.py:lie)"
[[searches]]
label = "fair"
algorithm = "astar"
"""
FOUND_OUT = "4 moves longer than the optimum; lie.py:lie is not admissible (63 > 31 here)"
UNKNOWN = "optimal if lie.py:lie is admissible"


@pytest.fixture(autouse=True)
def _lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lie.py").write_text(LIE)
    monkeypatch.chdir(tmp_path)


def said(*words: str) -> str:
    """Return what a command prints, on one line."""
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return " ".join(done.output.split())


def hide_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no check find a distance in its time."""
    monkeypatch.setattr(isolated, "_shortest", lambda result: None)


def test_solve_compares_a_lie_with_the_optimum() -> None:
    assert f"Solved in 35 moves; {FOUND_OUT}." in said("solve", HARD, "-a", "astar(lie.py:lie)")
    for heuristic in ("lie.py:manhattan", "max(lie.py:manhattan, misplaced)"):
        shown = said("solve", HARD, "-a", f"astar({heuristic})")
        assert "Solved in 31 moves; no solution is shorter (checked)." in shown
        assert "%" not in shown
    moves = run("solve", HARD, "-a", "astar(lie.py:lie)", "--style", "moves")
    assert FOUND_OUT in " ".join(moves.stderr.split())
    assert len(moves.stdout.splitlines()) == 1
    near = said("solve", "1 2 3 / 4 0 5 / 7 8 6", "-a", "lie.py:detour")
    assert "Solved in 4 moves; 2 moves longer than the optimum of 2." in near


def test_solve_says_what_it_assumes_where_the_distance_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hide_distances(monkeypatch)
    shown = said("solve", HARD, "-a", "astar(lie.py:lie)")
    assert f"Solved in 35 moves; {UNKNOWN}, which is false (63 > 35 here)." in shown
    assert "at least" not in shown
    assert "no solution is shorter" not in shown


@pytest.mark.parametrize("many", [(), ("--many",)])
def test_records_say_what_is_proven(many: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("solve", *many, HARD, "-a", "astar(lie.py:lie)")
    record = json.loads(run(*words, "--json").stdout)
    kept = {key: record[key] for key in ("lower_bound", "optimal", "assumes", "estimate", "reason")}
    wanted: dict[str, Any] = {"lower_bound": 31, "optimal": False, "assumes": "", "estimate": 63}
    assert kept == wanted | {"reason": FOUND_OUT}
    hide_distances(monkeypatch)
    (row,) = csv.DictReader(io.StringIO(run(*words, "--csv").stdout))
    assert (row["lower_bound"], row["optimal"]) == ("21", "False")
    assert row["assumes"] == "lie.py:lie is admissible"


def test_compare_prints_no_value_of_user_code_as_a_bound_and_flags_contradictions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ("compare", HARD, "-a", "astar(lie.py:lie)", "-a", "astar", "-a", "idastar(lie.py:lie)")
    lines = run(*words).stdout.splitlines()
    assert [line.split()[-2] for line in lines[1:4]] == ["31", "31", "31"]
    assert ["yes" in line for line in lines[1:4]] == [False, True, False]
    assert f"astar(lie.py:lie): {FOUND_OUT}" in lines
    first, *_ = json.loads(run(*words, "--json").stdout)
    assert (first["lower_bound"], first["optimal"]) == (31, False)
    hide_distances(monkeypatch)
    shown = said("compare", HARD, "-a", "astar(lie.py:lie)", "-a", "astar(lie.py:manhattan)")
    refuted = "4 moves longer than another solution, so it is wrong that lie.py:lie is admissible"
    assert f"astar(lie.py:lie): {refuted}" in shown
    assert f"astar(lie.py:lie): {UNKNOWN}" in said("compare", HARD, "-a", "astar(lie.py:lie)")


def test_a_trace_ends_with_the_verdict() -> None:
    assert f"Solved in 35 moves; {FOUND_OUT}." in said("trace", HARD, "-a", "astar(lie.py:lie)")
    done = run("trace", HARD, "-a", "astar(lie.py:lie)", "--json")
    result = json.loads(done.stdout.splitlines()[-1])["result"]
    assert (result["lower_bound"], result["optimal"], result["reason"]) == (31, False, FOUND_OUT)


def test_records_of_a_study_hold_no_claim_of_user_code(tmp_path: Path) -> None:
    (tmp_path / "lies.toml").write_text(STUDY)
    records = run_into(tmp_path / "lies.sqlite", read_study(tmp_path / "lies.toml"))
    by_search = {record.search: record for record in records.values()}
    lie, fair = by_search["lie"], by_search["fair"]
    assert (lie.cost, lie.lower_bound, lie.optimal) == (35, 21, False)
    assert lie.reason == UNKNOWN
    assert (fair.cost, fair.optimal) == (31, True)
