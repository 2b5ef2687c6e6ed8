"""The traces of S3, against the facts of its printed samples."""

from __future__ import annotations

import re
from itertools import islice

import pytest

import taquin as tq
from taquin.search.driver import trace
from taquin.search.result import EngineTag, verdict
from taquin.views.traces import (
    back_traces,
    commentary,
    created_traversed,
    headline,
    levels,
    s3_times,
    verified_path,
)
from tests.glass import solve
from tests.views.worlds import (
    EIGHT,
    FOUR_MOVES,
    NAMED,
    NAMED_START,
    S3_HEAP,
    S3_QUEUE,
    S3_STACK,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
)

Places = tuple[int, ...]

A_STAR_SAMPLE: list[tuple[Places, int, int, int]] = [
    ((0, 3, 1, 3, 2, 3, 3, 3), 0, 1, 10),
    ((0, 3, 1, 3, 3, 3, 2, 3), 2, 3, 10),
    ((0, 3, 1, 3, 2, 3, 3, 2), 2, 5, 11),
    ((0, 3, 1, 3, 2, 3, 3, 3), 4, 7, 11),
    ((0, 3, 1, 3, 2, 3, 3, 3), 6, 9, 11),
    ((0, 3, 2, 3, 3, 3, 1, 3), 4, 11, 11),
    ((0, 3, 1, 3, 2, 3, 2, 2), 6, 13, 11),
    ((0, 3, 1, 3, 2, 2, 2, 3), 14, 15, 10),
    ((0, 3, 1, 3, 2, 3, 1, 2), 14, 17, 11),
    ((0, 3, 1, 2, 2, 3, 1, 3), 18, 19, 10),
    ((0, 3, 2, 3, 2, 2, 1, 3), 16, 21, 11),
    ((1, 3, 1, 2, 2, 3, 0, 3), 20, 23, 11),
    ((0, 3, 1, 2, 1, 3, 2, 3), 20, 25, 11),
]
"""Places of A, B, C and the agent as x, y; created time, traversed time, estimated cost."""

BFS_SAMPLE: list[tuple[int, Places]] = [
    (1, (0, 3, 1, 3, 3, 3, 2, 3)),
    (1, (0, 3, 1, 3, 2, 3, 3, 2)),
    (2, (0, 3, 2, 3, 3, 3, 1, 3)),
    (2, (0, 3, 1, 3, 3, 3, 2, 2)),
    (2, (0, 3, 1, 3, 2, 3, 2, 2)),
    (2, (0, 3, 1, 3, 2, 3, 3, 1)),
    (3, (1, 3, 2, 3, 3, 3, 0, 3)),
    (3, (0, 3, 2, 3, 3, 3, 1, 2)),
    (3, (0, 3, 1, 3, 3, 3, 1, 2)),
    (3, (0, 3, 1, 3, 3, 3, 3, 2)),
    (3, (0, 3, 1, 3, 3, 3, 2, 1)),
    (3, (0, 3, 1, 3, 2, 3, 1, 2)),
    (3, (0, 3, 1, 3, 2, 3, 2, 1)),
    (3, (0, 3, 1, 3, 2, 2, 2, 3)),
    (3, (0, 3, 1, 3, 2, 3, 3, 0)),
]
"""Level and places; the sample leaves out the start."""

LAST_ROUND_SAMPLE: list[tuple[int, Places | None]] = [
    (0, (0, 3, 1, 3, 2, 3, 3, 3)),
    (1, (0, 3, 1, 3, 3, 3, 2, 3)),
    (2, (0, 3, 2, 3, 3, 3, 1, 3)),
    (2, None),
    (2, (0, 3, 1, 3, 3, 3, 2, 2)),
    (2, None),
    (1, None),
    (1, (0, 3, 1, 3, 2, 3, 3, 2)),
    (2, (0, 3, 1, 3, 2, 3, 2, 2)),
    (2, None),
    (2, (0, 3, 1, 3, 2, 3, 3, 1)),
    (2, None),
    (1, None),
    (0, None),
]
"""Level and places of a board taken, or None where a path is left: the round of depth 2."""

DFS_SAMPLE: list[tuple[int, Places]] = [
    (0, (0, 3, 1, 3, 2, 3, 3, 3)),
    (1, (0, 3, 1, 3, 3, 3, 2, 3)),
    (2, (0, 3, 2, 3, 3, 3, 1, 3)),
    (3, (0, 3, 2, 3, 3, 3, 1, 2)),
    (3, (1, 3, 2, 3, 3, 3, 0, 3)),
    (2, (0, 3, 1, 3, 3, 3, 2, 2)),
    (3, (0, 3, 1, 3, 3, 3, 1, 2)),
    (3, (0, 3, 1, 3, 3, 3, 2, 1)),
    (3, (0, 3, 1, 3, 3, 3, 3, 2)),
    (1, (0, 3, 1, 3, 2, 3, 3, 2)),
    (2, (0, 3, 1, 3, 2, 3, 2, 2)),
    (3, (0, 3, 1, 3, 2, 3, 2, 1)),
    (3, (0, 3, 1, 3, 2, 2, 2, 3)),
    (3, (0, 3, 1, 3, 2, 3, 1, 2)),
]
"""Level and places in one random order of directions."""

PLACES = r"A\((\d),(\d)\) B\((\d),(\d)\) C\((\d),(\d)\) agent\((\d),(\d)\)"


def numbers(pattern: str, line: str) -> Places:
    found = re.match(pattern, line)
    assert found, line
    return tuple(map(int, found.groups()))


def level_line(line: str) -> tuple[int, Places | None]:
    if line.startswith("Back"):
        return numbers(r"Back trace from level (\d+)$", line)[0], None
    level, *places = numbers(rf"Level (\d+): {PLACES}", line)
    return level, tuple(places)


def test_a_star_takes_the_13_boards_of_the_sample_at_its_times_and_costs() -> None:
    algorithm = tq.AStar(tq.heuristics.ManhattanWithAgent(), conventions=S3_HEAP)
    lines = list(islice(s3_times(trace(NAMED, NAMED_START, algorithm)), 1, 14))
    told = rf"{PLACES}: created (\d+), traversed (\d+), estimated cost (\d+) = "
    assert [numbers(told, line) for line in lines] == [
        (*places, *times) for places, *times in A_STAR_SAMPLE
    ]


def test_the_estimated_cost_adds_the_estimate_to_the_depth_of_the_parent() -> None:
    for line in islice(s3_times(trace(EIGHT, FOUR_MOVES, tq.AStar())), 1, None):
        cost, above, estimate = numbers(r".*cost (\d+) = (\d+) \+ (\d+)", line)
        assert cost == above + estimate
        if "; solved" in line:
            assert (above, estimate) == (3, 0)
            return
    pytest.fail("the solved board is not told")


def test_boards_thrown_away_are_traversed_too() -> None:
    algorithm = tq.AStar(tq.heuristics.ManhattanWithAgent(), conventions=S3_HEAP)
    events = list(trace(NAMED, NAMED_START, algorithm, tq.Limits(nodes=500)))
    lines = list(created_traversed(events))
    assert sum("known already" in line for line in lines) > 10
    steps = [int(x) for x in re.findall(r"(?m)^Step (\d+):", "\n".join(lines))]
    assert steps == list(range(1, len(lines)))
    assert lines[-1].endswith(": limit of 500 nodes generated")
    times = re.findall(r"traversed (\d+)", "\n".join(list(s3_times(events))[1:-1]))
    assert [int(x) for x in times] == list(range(1, 2 * len(lines) - 2, 2))


def test_a_goal_seen_when_made_is_not_traversed() -> None:
    made = tq.search.Conventions(goal_test=tq.search.GoalTest.GENERATION)
    events = list(trace(EIGHT, FOUR_MOVES, tq.AStar(conventions=made)))
    *_, goal, end = s3_times(events)
    assert goal == (
        "1 2 3 / 4 5 6 / 7 8 0: created 8, not traversed, estimated cost 3 = 3 + 0; solved"
    )
    *_, goal, end = created_traversed(events)
    assert goal.startswith("Not dequeued: 1 2 3 / 4 5 6 / 7 8 0: created in step 4, f = g + h = ")
    assert end == "Solution found: 4 moves, 4 nodes dequeued"
    events = list(trace(EIGHT, FOUR_MOVES, tq.AStar()))
    assert "created 8, traversed 9," in list(s3_times(events))[-2]
    *_, goal, end = created_traversed(events)
    assert goal.startswith("Step 5: 1 2 3 / 4 5 6 / 7 8 0: created in step 4, ")
    assert end == "Solution found: 4 moves, 5 nodes dequeued"


def test_a_root_that_is_taken_again_was_still_created_at_time_0() -> None:
    lines = list(s3_times(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening())))
    starts = [line for line in lines if line.startswith(FOUR_MOVES.text())]
    assert len(starts) > 3
    assert all("created 0," in line for line in starts)


def test_a_board_that_rbfs_takes_again_keeps_the_time_it_was_created_at() -> None:
    board = tq.Board.parse("1 2 3 / 7 4 5 / 8 0 6")
    _, *lines, end = s3_times(trace(EIGHT, board, tq.search.RecursiveBestFirst(), check=False))
    assert "Solution" in end
    for line in lines:
        created, traversed = numbers(r".*created (\d+), traversed (\d+)", line)
        assert created < traversed


def test_breadth_first_takes_the_boards_of_the_sample_level_by_level() -> None:
    events = trace(NAMED, NAMED_START, tq.BreadthFirst(S3_QUEUE), tq.Limits(depth=3))
    start, *lines, end = levels(events)
    assert level_line(start) == (0, (0, 3, 1, 3, 2, 3, 3, 3))
    assert [level_line(line) for line in lines] == BFS_SAMPLE
    # The sample says 22: like its other counts of breadth-first search, it leaves out the start.
    assert end == "No solution found, 23 nodes dequeued: limit of 3 moves"


def test_iterative_deepening_walks_the_rounds_of_the_sample() -> None:
    algorithm = tq.IterativeDeepening(conventions=S3_STACK)
    lines = list(back_traces(trace(NAMED, NAMED_START, algorithm, tq.Limits(depth=2))))
    rounds = [number for number, line in enumerate(lines) if line.startswith("Round")]
    assert [lines[number] for number in rounds] == [
        "Round 1 starts: maximum depth 0",
        "Round 2 starts: maximum depth 1",
        "Round 3 starts: maximum depth 2",
    ]
    assert [level_line(line) for line in lines[rounds[2] + 1 : -1]] == LAST_ROUND_SAMPLE
    assert lines[-1] == "No solution found, 11 nodes dequeued: limit of 2 moves"


def test_the_rounds_of_ida_star_tell_their_bound_on_depth_plus_estimate() -> None:
    first = next(back_traces(trace(EIGHT, FOUR_MOVES, tq.IDAStar())))
    assert first == "Round 1 starts: maximum f = g + h 4"


def test_depth_first_takes_every_board_of_the_sample() -> None:
    events = trace(NAMED, NAMED_START, tq.DepthFirst(max_depth=3, conventions=S3_STACK))
    _, *lines, _ = back_traces(events)
    assert set(DFS_SAMPLE) <= {level_line(line) for line in lines}


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_every_path_of_depth_first_is_left_at_the_level_where_it_ends(seed: int | None) -> None:
    events = trace(NAMED, NAMED_START, tq.DepthFirst(max_depth=3, seed=seed, conventions=S3_STACK))
    _, *lines, _ = back_traces(events)
    open_levels: list[int] = []
    for line in lines:
        level, places = level_line(line)
        if places is None:
            assert open_levels.pop() == level
        else:
            assert level == len(open_levels)
            open_levels.append(level)
    assert not open_levels


def test_each_expansion_is_one_level_line() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst()))
    lines = [line for line in levels(events) if line.startswith("Level")]
    expanded = [event.node for event in events if isinstance(event, tq.events.Expanded)]
    assert len(lines) == len(expanded) + 1
    assert lines[: len(expanded)] == [f"Level {n.depth}: {n.board.text()}" for n in expanded]
    assert lines[-1] == "Level 4: 1 2 3 / 4 5 6 / 7 8 0: solved"


def test_a_bidirectional_search_tells_its_sides_and_where_they_meet() -> None:
    lines = list(levels(trace(EIGHT, FOUR_MOVES, tq.Bidirectional())))
    assert "Level 0 from the goal: 1 2 3 / 4 5 6 / 7 8 0" in lines
    assert lines[-2].endswith(": the two searches meet")


def test_a_board_that_cannot_be_solved_is_told_with_the_proof() -> None:
    for view in (levels, back_traces, created_traversed):
        (line,) = view(trace(EIGHT, UNSOLVABLE, tq.AStar()))
        assert line.startswith("No solution, 0 nodes dequeued: 1 inversion")


def test_a_verified_path_walks_from_the_goal_back_to_the_start() -> None:
    result = solve(
        NAMED, NAMED_START, tq.AStar(tq.heuristics.ManhattanWithAgent(), conventions=S3_HEAP)
    )
    assert result.cost is not None
    lines = list(verified_path(result))
    assert lines[0] == "Goal: A(1,0) B(1,1) C(1,2) agent(1,3)"
    assert lines[-2].endswith(": A(0,3) B(1,3) C(2,3) agent(3,3)")
    assert lines[-1] == f"This is the start: the solution of {result.cost} moves is verified"
    assert len(lines) == result.cost + 2
    taken = [numbers(r"Take back move (\d+),", line)[0] for line in lines[1:-1]]
    assert taken == list(range(result.cost, 0, -1))


def test_a_verified_path_of_a_numbered_board_tells_tile_and_direction() -> None:
    assert list(verified_path(solve(EIGHT, FOUR_MOVES, tq.AStar())))[:2] == [
        "Goal: 1 2 3 / 4 5 6 / 7 8 0",
        "Take back move 4, 6 up: 1 2 3 / 4 5 0 / 7 8 6",
    ]


def test_a_path_that_does_not_lead_to_the_goal_is_refused() -> None:
    wrong = tq.Result(
        outcome=tq.Outcome.SOLVED,
        puzzle=EIGHT,
        start=FOUR_MOVES,
        moves=(tq.Move((1,), tq.Direction.LEFT),),
        lower_bound=1,
        algorithm=tq.AStar(),
        engine=EngineTag("none"),
    )
    with pytest.raises(tq.errors.IllegalMoveError):
        list(verified_path(wrong))


def test_no_path_is_nothing_to_verify() -> None:
    result = solve(EIGHT, UNSOLVABLE, tq.AStar())
    assert list(verified_path(result)) == ["Nothing to verify: no solution was found"]


def test_walls_and_fillers_are_not_named() -> None:
    first = next(levels(trace(WALLED, WALLED_START, tq.AStar(tq.Manhattan()))))
    assert first == "Level 0: A(0,2) agent(1,2)"


def test_a_search_of_one_round_names_no_round() -> None:
    lines = list(back_traces(trace(EIGHT, FOUR_MOVES, tq.DepthFirst(max_depth=5))))
    assert lines[0] == "Maximum depth 5"
    assert not any(line.startswith("Round") for line in lines)
    told = list(commentary(trace(EIGHT, FOUR_MOVES, tq.DepthFirst(max_depth=5))))
    assert (told[0], "Round" in " ".join(told)) == ("Maximum depth 5", False)
    told = list(commentary(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening())))
    assert told[0] == "Round 1: bound 0"


def test_moves_and_their_bound_have_their_thousands_apart_alike() -> None:
    long = tq.Result(
        outcome=tq.Outcome.SOLVED,
        puzzle=EIGHT,
        start=FOUR_MOVES,
        moves=(tq.Move((1,), tq.Direction.LEFT),) * 23292,
        lower_bound=5230,
        algorithm=tq.AStar(),
        engine=EngineTag("none"),
    )
    for said in (headline(long), verdict(long)):
        assert "Solved in 23,292 moves; the shortest has at least 5,230" in said
