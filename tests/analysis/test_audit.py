"""The auditor finds proofs and the smallest counterexamples."""

from __future__ import annotations

import signal
from pathlib import Path
from time import sleep

import pytest

from taquin.analysis.audit import audit
from taquin.errors import UnsuitableError, UserCodeError
from taquin.heuristics.base import Zero, evaluator_for
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.per_tile import Gaschnig, Manhattan, ManhattanWithAgent
from taquin.heuristics.registry import Sum
from taquin.heuristics.user_code import FromFunction, UserCode, UserHeuristic
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from tests import naive
from tests.cli.runs import run
from tests.heuristics.puzzles import full, sample
from tests.truth import distances, eight_puzzle


def test_manhattan_is_proven_on_all_181440_boards_of_3x3() -> None:
    found = audit(Manhattan(), Puzzle(Goal.blank_last(3, 3)))
    truth = eight_puzzle()
    goal = Goal.blank_last(3, 3).cells
    estimates = [naive.manhattan(cells, goal, 3) for cells in list(truth)[::97]]
    assert found.boards == len(truth) == 181_440
    assert found.admissible
    assert found.consistent
    assert found.mean_distance == pytest.approx(sum(truth.values()) / len(truth))
    assert found.mean_estimate == pytest.approx(sum(estimates) / len(estimates), rel=0.02)
    assert found.verdicts()[:2] == [
        "admissible on all 181,440 boards of 3×3",
        "consistent on all 181,440 boards of 3×3",
    ]
    assert found.verdicts()[2].startswith("mean estimate 14.00 for a mean distance of 21.97 (64%)")


def test_an_audit_tells_after_each_level_how_many_boards_it_has_seen() -> None:
    goal = Goal.blank_last(2, 3)
    told: list[tuple[int, int]] = []
    audit(Manhattan(), Puzzle(goal), progress=lambda *level: told.append(level))
    truth = distances([goal.cells], 2, 3).values()
    assert told == [(far, sum(each <= far for each in truth)) for far in range(1, 22)]


def test_the_smallest_counterexample_is_nearest_to_the_goal_and_first_in_order() -> None:
    found = audit(ManhattanWithAgent(), Puzzle(Goal.blank_last(2, 3)))
    assert not found.admissible
    assert not found.consistent
    assert found.overestimate is not None
    assert found.overestimate.board == Board.parse("1 2 0 / 4 5 3")
    assert (found.overestimate.estimate, found.overestimate.distance) == (2, 1)
    assert found.fall is not None
    assert found.fall.parent == Board.parse("1 2 0 / 4 5 3")
    assert found.fall.child == Board.parse("1 2 3 / 4 5 0")
    assert (found.fall.parent_estimate, found.fall.child_estimate) == (2, 0)
    assert found.verdicts()[:2] == [
        "not admissible: estimate 2, distance 1 on 1 2 0 / 4 5 3",
        "not consistent: one move from 1 2 0 / 4 5 3 to 1 2 3 / 4 5 0 lowers the estimate "
        "from 2 to 0",
    ]


def test_verdicts_are_those_of_a_naive_check_for_sums() -> None:
    goal = Goal.blank_last(2, 3)
    truth = distances([goal.cells], 2, 3)
    space = full(goal).space()
    evaluator = evaluator_for(Sum(Manhattan(), Gaschnig()), space)
    over = [
        (distance, cells, evaluator.value(space.encode(Board(goal.grid, cells))))
        for cells, distance in truth.items()
        if evaluator.value(space.encode(Board(goal.grid, cells))) > distance
    ]
    distance, cells, estimate = min(over, key=lambda item: (item[0], [int(x) for x in item[1]]))
    found = audit(Sum(Manhattan(), Gaschnig()), Puzzle(goal))
    assert found.overestimate is not None
    assert found.overestimate.board.cells == cells
    assert (found.overestimate.distance, found.overestimate.estimate) == (distance, estimate)


def test_a_perfect_heuristic_has_strength_1_and_no_error() -> None:
    goal = Goal.blank_last(2, 3)
    truth = distances([goal.cells], 2, 3)
    found = audit(FromFunction(lambda board: truth[board.cells], name="perfect"), Puzzle(goal))
    assert found.admissible
    assert found.consistent
    assert (found.strength, found.max_error, found.boards) == (1.0, 0, 360)


def test_an_admissible_heuristic_may_be_inconsistent() -> None:
    goal = Goal.blank_last(2, 3)
    truth = distances([goal.cells], 2, 3)
    jumpy = FromFunction(lambda board: truth[board.cells] * (truth[board.cells] % 3 == 0), "jumpy")
    found = audit(jumpy, Puzzle(goal))
    assert found.admissible
    assert found.fall is not None
    assert truth[found.fall.parent.cells] == 3


@pytest.mark.parametrize("metric", Metric, ids=str)
def test_boards_and_distances_are_exhaustive_on_any_puzzle(metric: Metric) -> None:
    for seed in range(60):
        puzzle = sample(seed, most_open=6)
        truth = puzzle.distances(metric)
        space = puzzle.space(metric)
        start = Board(space.puzzle.grid, puzzle.start)
        found = audit(Zero(), space.puzzle, start)
        assert found.boards == len(truth)
        assert found.mean_distance == pytest.approx(sum(truth.values()) / len(truth))
        assert found.max_error == max(truth.values())
        sound = audit(LinearConflict(), space.puzzle, start)
        assert sound.admissible
        assert sound.consistent


def test_a_partial_goal_needs_a_start() -> None:
    with pytest.raises(UnsuitableError, match="give a start"):
        audit(Zero(), Puzzle(Goal.parse("1 * / * *")))


@pytest.mark.parametrize(
    ("puzzle", "start", "limit", "message"),
    [
        (Goal.blank_last(4, 4), None, 500_000, "4×4 has at least 10,461,394,944,000 boards"),
        (Goal.blank_last(60, 60), None, 500_000, r"60×60 has at least 10\^11\d\d\d boards"),
        (Goal.blank_last(2, 3), None, 359, "2×3 has at least 360 boards"),
        (Goal.parse("1 2 3 / 4 # 5 / 6 7 _"), None, 40, "3×3 with 1 wall has more than 40 boards"),
        (
            Goal.parse("1 * * # / * * * *"),
            Board.parse("1 2 3 # / 4 5 6 _"),
            700,
            "2×4 with 1 wall has at least 720 boards",
        ),
    ],
)
def test_too_many_boards_are_refused_with_their_number(
    puzzle: Goal, start: Board | None, limit: int, message: str
) -> None:
    with pytest.raises(UnsuitableError, match=f"{message}.*raise the limit"):
        audit(Zero(), Puzzle(puzzle), start, limit=limit)


def test_a_limit_of_exactly_all_boards_is_enough() -> None:
    assert audit(Zero(), Puzzle(Goal.blank_last(2, 3)), limit=360).boards == 360


def test_a_fault_in_code_of_ones_own_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def broken(board):\n    return 1 // 0\n")
    heuristic = UserHeuristic(UserCode(str(file), "broken"))
    with pytest.raises(UserCodeError, match="line 2: ZeroDivisionError"):
        audit(heuristic, Puzzle(Goal.blank_last(2, 3)))


def test_an_audit_that_is_stopped_keeps_what_it_found() -> None:
    goal = Goal.blank_last(3, 3)
    truth = sorted(eight_puzzle().values())
    calls = []

    def late(board: Board) -> int:
        calls.append(board)
        if len(calls) == 1000:
            # In the library a limit takes effect when the function returns.
            sleep(0.6)
        return 0

    found = audit(late, goal, seconds=0.5)
    assert (found.stopped, found.overestimate, found.fall) == ("limit of 0.5 seconds", None, None)
    assert not found.admissible
    assert not found.consistent
    assert found.boards == sum(each <= found.depth for each in truth) > 500
    assert f"on {found.boards} boards within {found.depth} moves of the goal" in str(found)
    calls.clear()
    too_much = audit(lambda board: late(board) + 99, goal, seconds=0.5)
    assert too_much.overestimate is not None
    assert too_much.overestimate.distance == 0


def test_one_ctrl_c_keeps_what_an_audit_found() -> None:
    calls = []

    def pressed(board: Board) -> int:
        calls.append(board)
        while len(calls) > 100:
            if len(calls) == 101:
                calls.append(board)
                signal.raise_signal(signal.SIGINT)
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = audit(pressed, Goal.blank_last(3, 3))
    finally:
        signal.signal(signal.SIGINT, before)
    # 1, 2, 4, 8, 16, 20 and 39 boards are at the distances 0 to 6.
    assert (found.boards, found.depth, found.stopped) == (90, 6, "interrupted")


def test_taquin_audit_prints_what_it_found_when_it_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def forever(board):\n    while True: pass\n")
    name = f"{tmp_path / 'mine.py'}:forever"
    stopped = run("audit", name, "--max-seconds", "0.5")
    assert stopped.exit_code == 3
    assert "stopped at the first board, limit of 0.5 seconds" in " ".join(stopped.stdout.split())
