"""The auditor finds proofs and the smallest counterexamples."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import taquin as tq
from taquin import Board, Goal, LinearConflict, Metric, Puzzle
from taquin.analysis import isolated
from taquin.analysis.audit import audit
from taquin.analysis.isolated import checked, checked_events, contradiction
from taquin.engine.glass import GlassBox
from taquin.engine.task import Wishes
from taquin.errors import UnfinishedError, UnsuitableError, UserCodeError
from taquin.heuristics import Sum
from taquin.heuristics.base import Zero, evaluator_for
from taquin.heuristics.per_tile import Gaschnig, Manhattan, ManhattanWithAgent
from taquin.heuristics.user_code import FromFunction, UserCode, UserHeuristic
from taquin.model.space import Space, levels_from_goal
from taquin.search.grammar import heuristic_named, search_named
from taquin.search.result import Task, verdict
from taquin.system.jobs import End, JobEnding
from tests import naive
from tests.cli.runs import run
from tests.puzzles import full, sample
from tests.search.test_user_code import manhattan
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


def test_verdicts_are_those_of_a_naive_check_and_told_after_each_level() -> None:
    goal, told = Goal.blank_last(2, 3), list[tuple[int, int]]()
    truth = distances([goal.cells], 2, 3)
    space = full(goal).space()
    evaluator = evaluator_for(Sum(Manhattan(), Gaschnig()), space)
    values = {cells: evaluator.value(space.encode(Board(goal.grid, cells))) for cells in truth}
    distance, cells = min(
        (far, tuple(map(int, cells))) for cells, far in truth.items() if values[cells] > far
    )
    heuristic = Sum(Manhattan(), Gaschnig())
    found = audit(heuristic, Puzzle(goal), progress=lambda *level: told.append(level))
    assert found.overestimate is not None
    assert found.overestimate.board.cells == cells
    assert (found.overestimate.distance, found.overestimate.estimate) == (distance, values[cells])
    assert told == [(far, sum(each <= far for each in truth.values())) for far in range(1, 22)]


def test_a_perfect_heuristic_has_no_error_and_an_admissible_one_may_be_inconsistent() -> None:
    goal = Goal.blank_last(2, 3)
    truth = distances([goal.cells], 2, 3)
    found = audit(FromFunction(lambda board: truth[board.cells], name="perfect"), Puzzle(goal))
    assert (found.admissible, found.consistent) == (True, True)
    assert (found.strength, found.max_error, found.boards) == (1.0, 0, 360)
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


WALLED = "1 * * # / * * * *"


@pytest.mark.parametrize(
    ("goal", "start", "limit", "message"),
    [
        (Goal.blank_last(4, 4), None, 500_000, "4×4 has at least 10,461,394,944,000 boards"),
        (Goal.blank_last(60, 60), None, 500_000, r"60×60 has at least 10\^11\d\d\d boards"),
        (Goal.blank_last(2, 3), None, 359, "2×3 has at least 360 boards"),
        (Goal.parse("1 2 3 / 4 # 5 / 6 7 _"), None, 40, "3×3 with 1 wall has more than 40 boards"),
        (Goal.parse(WALLED), "1 2 3 # / 4 5 6 _", 700, "2×4 with 1 wall has at least 720 boards"),
    ],
)
def test_too_many_boards_are_refused_with_their_number(
    goal: Goal, start: str | None, limit: int, message: str
) -> None:
    with pytest.raises(UnsuitableError, match=f"{message}.*raise the limit"):
        audit(Zero(), Puzzle(goal), start and Board.parse(start), limit=limit)


def test_a_limit_of_exactly_all_boards_is_enough_and_a_partial_goal_needs_a_start() -> None:
    assert audit(Zero(), Puzzle(Goal.blank_last(2, 3)), limit=360).boards == 360
    with pytest.raises(UnsuitableError, match="give a start"):
        audit(Zero(), Puzzle(Goal.parse("1 * / * *")))


def test_an_audit_that_is_stopped_keeps_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal.blank_last(3, 3)
    truth = sorted(eight_puzzle().values())
    calls: list[Board] = []
    # In the library a limit takes effect when the function returns.
    monkeypatch.setattr(
        "taquin.analysis.audit.perf_counter", lambda: 0.6 if len(calls) >= 1000 else 0.0
    )

    def late(board: Board) -> int:
        calls.append(board)
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


def test_an_audit_tells_the_line_of_a_fault_and_what_it_found_when_it_is_stopped(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def broken(board):\n    return 1 // 0\ndef forever(board):\n    while True: pass\n"
    )
    with pytest.raises(UserCodeError, match="line 2: ZeroDivisionError"):
        audit(UserHeuristic(UserCode(str(file), "broken")), Puzzle(Goal.blank_last(2, 3)))
    name = f"{file}:forever"
    stopped = run("audit", name, "--max-seconds", "0.5")
    assert stopped.exit_code == 3
    assert "stopped at the first board, limit of 0.5 seconds" in " ".join(stopped.stdout.split())


PUZZLE = tq.Puzzle(tq.Goal.blank_last(2, 3))
NAMES = ("misplaced", "manhattan", "linear-conflict", "gaschnig", "inversion-distance", "zero")


def test_dominance_is_that_of_a_naive_check_on_all_boards_of_2x3() -> None:
    space = Space(PUZZLE, tq.Board.of(PUZZLE.goal))
    states = [state for level in levels_from_goal(space) for state in level]
    values = {
        name: [evaluator_for(heuristic, space).value(state) for state in states]
        for name, heuristic in ((name, heuristic_named(name)) for name in NAMES)
    }
    found = tq.analysis.audit_all(NAMES, PUZZLE)
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
    found = tq.analysis.audit_all(
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


def test_taquin_audit_of_a_sample_proves_nothing_and_needs_no_small_size_but_a_board() -> None:
    told = run("audit", "manhattan", "--size", "4x4", "--sample", "3")
    assert told.exit_code == 0
    assert "no overestimate on a sample of 3 boards of 4×4: no proof" in told.stdout
    for size in ("0", "-1", "many"):
        assert run("audit", "manhattan", "--sample", size).exit_code == 2


HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""Its shortest solutions have 31 moves (published: one of the two hardest boards of 3×3)."""
NEAR = "1 2 3 / 4 0 5 / 7 8 6"


def _scaled(factor: float, **claims: bool) -> tq.FromFunction:
    def function(board: tq.Board) -> float:
        return factor * manhattan(board)

    return tq.FromFunction(function, "mine", **claims)


def test_a_lie_is_found_out_and_the_solution_compared_with_the_optimum() -> None:
    result = checked(tq.solve(HARD, algorithm=tq.AStar(_scaled(3, admissible=True))))
    assert result.cost is not None
    assert (result.lower_bound, result.optimal, result.assumes) == (31, False, "")
    longer = f"{result.cost - 31} moves longer than the optimum"
    assert result.reason == f"{longer}; mine is not admissible (63 > 31 here)"
    assert verdict(result) == f"Solved in {result.cost} moves; {result.reason}."


@pytest.mark.parametrize(
    ("board", "factor", "claims", "said"),
    [
        (HARD, 1, {}, "Solved in 31 moves; no solution is shorter (checked)."),
        (HARD, 1, {"admissible": True}, "Solved in 31 moves; no solution is shorter (checked)."),
        (NEAR, 3, {"admissible": True}, "Solved in 2 moves; no solution is shorter (checked); "
         "mine is not admissible (6 > 2 here)."),
    ],
)  # fmt: skip
def test_a_shortest_solution_gets_a_proof_with_the_flag_and_without_and_a_lie_stays_one(
    board: str, factor: int, claims: dict[str, bool], said: str
) -> None:
    result = checked(tq.solve(board, algorithm=tq.AStar(_scaled(factor, **claims))))
    assert result.cost == result.lower_bound
    assert result.optimal
    assert verdict(result) == said


def test_what_is_not_seen_is_not_claimed() -> None:
    """A wrong value elsewhere shows only in a solution that is too long."""
    blind = tq.FromFunction(
        lambda board: 0 if board.text() == NEAR else 3 * manhattan(board), "blind", admissible=True
    )
    for algorithm in (
        tq.AStar(blind),
        tq.Greedy(blind),
        tq.AStar(replace(blind, admissible=False)),
    ):
        result = replace(
            tq.solve(NEAR, algorithm=algorithm),
            moves=tuple(tq.solve(NEAR, algorithm=lambda board: "RLLU").moves or ()),
            lower_bound=2,
        )
        assert checked(result).reason == "2 moves longer than the optimum of 2"
    longer = replace(result, assumes="blind is admissible")
    assert checked(longer).reason.endswith("of 2, so it is wrong that blind is admissible")


def test_without_a_distance_the_assumption_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=tq.AStar(_scaled(1, admissible=True)))
    limited = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm="bfs", max_nodes=900)
    assert limited.outcome is tq.Outcome.LIMIT_REACHED
    monkeypatch.setattr(isolated, "run", lambda *_: limited)
    result = checked(found)
    assert (result.optimal, result.lower_bound) == (False, max(10, limited.lower_bound))
    assert verdict(result) == "Solved in 14 moves; optimal if mine is admissible."


def test_only_user_code_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "run", lambda *_: pytest.fail("searched again"))
    for algorithm in ("greedy(manhattan)", "bfs", "beam(width=3)"):
        result = tq.solve(HARD, algorithm=algorithm, max_nodes=10**5)
        assert checked(result) == result
    unsolved = tq.solve(HARD, algorithm=tq.AStar(_scaled(3)), max_nodes=10)
    assert checked(unsolved) == unsolved


def test_the_library_does_no_second_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "checked", lambda result: 1 / 0)
    detour: Callable[[tq.Board], str] = lambda board: "RLLU"  # noqa: E731
    result = tq.solve(NEAR, algorithm=detour)
    assert (result.cost, result.lower_bound, result.engine.name) == (4, 2, "glass-box")
    assert [each.cost for each in tq.solve_many([NEAR], algorithm=detour)] == [4]


def test_a_shorter_solution_contradicts_an_assumption_and_the_last_event_is_checked() -> None:
    lie = tq.solve(HARD, algorithm=tq.AStar(_scaled(3, admissible=True)))
    assert lie.cost is not None
    longer = f"{lie.cost - 31} moves longer than another solution"
    assert contradiction(lie, 31) == f"{longer}, so it is wrong that mine is admissible"
    assert contradiction(lie, lie.cost) == ""
    assert contradiction(tq.solve(NEAR), 0) == ""
    *_, last = checked_events(tq.trace(NEAR, algorithm=tq.AStar(_scaled(1))))
    assert isinstance(last, tq.events.Finished)
    assert last.result.optimal


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (End.MEMORY, "limit of 50 MB of memory"),
        (End.STOPPED, "interrupted"),
        (End.SECONDS, "limit of 3 seconds; {} did not return"),
    ],
)
def test_what_ended_a_worker_is_the_reason_of_its_result(
    how: End, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Ended:
        is_closed = False

        def __init__(self, module: str) -> None: ...

        def messages(self, *job: object, **limits: object) -> Iterator[JobEnding]:
            yield JobEnding(how)

    monkeypatch.setattr(isolated, "spare", [])
    monkeypatch.setattr(isolated, "JobProcess", Ended)
    file = tmp_path / "mine.py"
    file.write_text("def h(board): return 0\n")
    search, limits = search_named(f"astar({file}:h)"), tq.Limits(seconds=3, memory=50_000_000)
    isolation = isolated.Isolation(lambda text, is_error: None, lambda line: None)
    task = Task(Puzzle(Goal.blank_last(3, 3)), Board(HARD), search, limits)
    result = isolation.solve(task, Wishes(GlassBox()))
    assert result.reason == reason.format(f"{file}:h")
    with pytest.raises(UnfinishedError, match=reason.split(";")[0]):
        isolation.call(limits, search, max, (1, 2))
