"""Certificates hold for boards of all depths, and what is tampered with is rejected."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from runpy import run_path

import pytest

import taquin as tq
from taquin.analysis import solutions
from taquin.analysis.solutions import certify
from tests.cli.runs import run
from tests.truth import Cells, eight_puzzle

CHECKER = Path(__file__).parents[2] / "examples" / "check_certificate.py"
CHECKED = run_path(str(CHECKER))
"""The functions of the checker, by name."""
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
FARTHEST = "8 6 7 / 2 5 4 / 3 0 1"


def text_of(result: tq.Result) -> str:
    return b"".join(certify(result).lines()).decode("ascii")


def verdict(text: str) -> str:
    """Return what the checker says, without its process."""
    try:
        return f"Holds: {CHECKED['check'](text)}"
    except (ValueError, IndexError) as why:
        return f"Rejected: {why}"


@pytest.fixture(scope="module")
def proof() -> str:
    return text_of(tq.solve(FARTHEST))


def test_the_checker_imports_nothing_of_taquin_and_is_short() -> None:
    source = CHECKER.read_text("utf-8")
    assert "import taquin" not in source
    assert "from taquin" not in source
    assert len([line for line in source.splitlines() if line]) <= 100


@pytest.mark.slow
def test_the_estimate_of_the_checker_exceeds_no_distance() -> None:
    estimate = CHECKED["estimate_for"]("123456780", 3)
    for cells, depth in eight_puzzle().items():
        assert estimate("".join(map(str, cells))) <= depth


def test_certificates_hold_for_boards_of_every_depth() -> None:
    by_depth: dict[int, list[Cells]] = {}
    for cells, depth in eight_puzzle().items():
        by_depth.setdefault(depth, []).append(cells)
    assert max(by_depth) == 31
    chance = Random(1)
    for depth, boards in by_depth.items():
        for cells in {*chance.sample(boards, min(3, len(boards)))}:
            result = tq.solve([list(cells[at : at + 3]) for at in (0, 3, 6)])
            said = verdict(text_of(result))
            assert said.startswith(f"Holds: from {''.join(map(str, cells))} to 123456780"), said
            assert f"length {depth}, and no solution is shorter" in said


@pytest.mark.parametrize(
    ("goal", "moves"),
    [
        (tq.Goal.blank_last(2, 3), 30),
        (tq.Goal.blank_first(4, 4), 40),
        (tq.Goal.blank_last(4, 2), 30),
        (tq.Goal.blank_last(5, 5), 20),
        (tq.Goal.blank_last(6, 6), 12),
    ],
)
def test_other_sizes_and_goals_are_certified_too(goal: tq.Goal, moves: int) -> None:
    for seed in range(3):
        board = tq.random_walk(goal, moves, seed)
        result = tq.solve(board, goal=goal, algorithm="astar(linear-conflict)")
        assert f"length {result.cost}, and no" in verdict(text_of(result))


def test_the_script_says_what_it_found_and_exits_accordingly(proof: str, tmp_path: Path) -> None:
    for name, text, status in (("right", proof, 0), ("wrong", proof[:-30], 1), ("none", "", 1)):
        (tmp_path / name).write_text(text, encoding="ascii")
        command = [sys.executable, "-I", str(CHECKER), str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        assert ("Holds: " in done.stdout) == (status == 0)
        assert ("Rejected: " in done.stderr) == (status == 1)


def edited(line: int, change: Callable[[str], str]) -> Callable[[str], str]:
    def edit(proof: str) -> str:
        lines = proof.split("\n")
        lines[line] = change(lines[line])
        return "\n".join(lines)

    return edit


def test_no_board_can_be_left_out(proof: str) -> None:
    words = re.split(r"(\s+)", proof)
    boards = [at for at, word in enumerate(words) if len(word) == 9]
    # The first two are the goal and the start.
    for at in Random(2).sample(boards[2:], 60):
        said = verdict("".join(words[:at] + words[at + 1 :]))
        assert said.startswith("Rejected: "), (words[at], said)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (edited(4, lambda moves: moves[:-2]), "does not reach the goal"),
        (edited(4, lambda moves: moves[1:]), "not legal"),
        (edited(4, lambda moves: moves + moves[-1] * 2), "missing"),
        (edited(4, lambda moves: "0" + moves), "not legal"),
        (edited(4, lambda moves: "x" + moves), "substring not found"),
        (edited(5, lambda ends: "0 0"), "not the first board"),
        (edited(5, lambda ends: "40 40"), "missing"),
        (edited(1, lambda size: "1 9"), "not legal"),
        (edited(1, lambda size: "-3 -3"), "tiles of a board"),
        (edited(3, lambda goal: "123456708"), "does not reach the goal"),
        (edited(2, lambda start: "867254300"), "tiles of a board"),
        (edited(6, lambda layer: "123456780"), "not the first board"),
        (lambda proof: proof.replace("taquin certificate 1", "certificate"), "certificate"),
    ],
)
def test_what_is_tampered_with_is_rejected(
    edit: Callable[[str], str], why: str, proof: str
) -> None:
    said = verdict(edit(proof))
    assert said.startswith("Rejected: ")
    assert why in said


def test_a_longer_solution_cannot_be_certified() -> None:
    for seed in range(8):
        result = tq.solve(tq.random_board("3x3", seed))
        assert result.moves
        last = result.moves[-1]
        back = replace(last, direction=last.direction.opposite)
        detour = (*result.moves, back, last)
        longer = replace(result, moves=detour, lower_bound=len(detour))
        assert longer.boards()[-1].cells == GOAL
        assert "is in both groups" in verdict(text_of(longer))


def test_the_command_says_the_size_and_writes_the_file(tmp_path: Path) -> None:
    file = tmp_path / "proof.txt"
    result = run("solve", FARTHEST, "--style", "moves", "--certificate", str(file))
    assert result.exit_code == 0
    assert f"Certificate: 2,676 boards, about 26,760 bytes, to {file}." in result.stderr
    assert verdict(file.read_text("ascii")).startswith("Holds: ")
    assert abs(file.stat().st_size - 26_760) < 200


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("A . / @ .", "--goal", "* A / * *"), 2, "once each, and at most 36 cells"),
        (("1 2 / 0 3", "--metric", "multi"), 2, "do not support --metric multi"),
        (("2 1 3 / 4 5 6 / 7 8 0",), 1, "No certificate: it is for a solution"),
        ((FARTHEST, "-a", "greedy"), 3, "No certificate: it is for a solution"),
        ((FARTHEST, "--all"), 2, "--certificate cannot be combined with --many or --all"),
        ((FARTHEST,), 2, "more than 1,000 boards, too many to check in minutes"),
    ],
)
def test_what_cannot_be_certified_is_refused_in_a_sentence(
    words: tuple[str, ...],
    status: int,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solutions, "MOST_BOARDS", 1000)
    file = tmp_path / "proof.txt"
    result = run("solve", *words, "--certificate", str(file))
    assert result.exit_code == status
    assert sentence in result.stderr
    assert not file.exists()
