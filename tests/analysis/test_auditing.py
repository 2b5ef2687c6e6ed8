"""Audits of several heuristics at once: a table with dominance, and samples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import taquin as tq
from taquin.heuristics.base import evaluator_for
from taquin.model.space import Space, levels_from_goal
from taquin.search.grammar import heuristic_named
from tests.cli.runs import run

PUZZLE = tq.Puzzle(tq.Goal.blank_last(2, 3))
NAMES = ("misplaced", "manhattan", "linear-conflict", "gaschnig", "inversion-distance", "zero")


def test_dominance_is_that_of_a_naive_check_on_all_boards_of_2x3() -> None:
    space = Space(PUZZLE, tq.Board.of(PUZZLE.goal))
    states = [state for level in levels_from_goal(space) for state in level]
    values = {
        name: [evaluator_for(heuristic, space).value(state) for state in states]
        for name, heuristic in ((name, heuristic_named(name)) for name in NAMES)
    }
    found = tq.audit_all(NAMES, PUZZLE)
    assert found.boards == len(states) == 360
    for name in NAMES:
        dominated = tuple(
            other
            for other in NAMES
            if values[name] != values[other]
            and all(one >= two for one, two in zip(values[name], values[other], strict=True))
        )
        assert found.dominated[name] == dominated, name
    assert all(audit.admissible for audit in found.audits)


def test_a_sample_refutes_and_proves_nothing() -> None:
    found = tq.audit_all(
        ["manhattan", "sum(misplaced, manhattan)"], tq.Puzzle(tq.Goal.blank_last(4, 4)), sample=6
    )
    sound, unsound = found.audits
    assert (sound.boards, sound.sampled, sound.overestimate) == (6, True, None)
    assert not sound.admissible
    assert "a sample of 6 boards of 4×4: no proof" in str(sound)
    assert unsound.overestimate is not None
    counterexample = unsound.overestimate
    assert tq.moves_left(counterexample.board) == counterexample.distance < counterexample.estimate
    assert found.dominated["sum(misplaced, manhattan)"] == ("manhattan",)


def test_taquin_audit_of_several_is_one_table(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def bad(board):\n    return 1 / 0\n")
    told = run("audit", "h1", "h2", "sum(h1, h2)", f"{file}:bad", "--size", "2x2")
    assert told.exit_code == 2
    lines = [line.split() for line in told.stdout.splitlines()]
    assert lines[1][:3] == ["misplaced", "yes", "yes"]
    assert lines[2][-1] == "misplaced"
    assert "sum(misplaced, manhattan): not admissible: estimate" in told.stdout
    assert "bad failed: " in told.stdout
    both = json.loads(run("audit", "h1", "h2", "--size", "2x2", "--json").stdout)
    assert [record["dominates"] for record in both] == [[], ["misplaced"]]


def test_a_sample_needs_no_small_size() -> None:
    told = run("audit", "manhattan", "--size", "4x4", "--sample", "3")
    assert told.exit_code == 0
    assert "no overestimate on a sample of 3 boards of 4×4: no proof" in told.stdout


@pytest.mark.parametrize("sample", ["0", "-1", "many"])
def test_a_sample_has_at_least_one_board(sample: str) -> None:
    assert run("audit", "manhattan", "--sample", sample).exit_code == 2
