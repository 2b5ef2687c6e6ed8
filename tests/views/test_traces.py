"""The traces of S3, against its printed samples, and the running commentary of S0."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest

import taquin as tq
import taquin.views
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import trace
from taquin.search.grammar import search_named
from taquin.search.result import EngineTag, verdict
from taquin.views.traces import (
    VIEWS,
    back_traces,
    commentary,
    created_traversed,
    headline,
    levels,
    place_names,
    queue_order,
    s3_times,
    verified_path,
    view_for,
)
from tests.glass import solve
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    HARD,
    NAMED,
    NAMED_START,
    S3_HEAP,
    S3_QUEUE,
    S3_STACK,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
    WORLDS,
    CountedEvents,
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


def test_a_board_that_is_taken_again_keeps_the_time_it_was_created_at() -> None:
    lines = list(s3_times(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening())))
    starts = [line for line in lines if line.startswith(FOUR_MOVES.text())]
    assert len(starts) > 3
    assert all("created 0," in line for line in starts)
    board = tq.Board.parse("1 2 3 / 7 4 5 / 8 0 6")
    _, *others, end = s3_times(trace(EIGHT, board, tq.search.RecursiveBestFirst(), check=False))
    assert "Solution" in end
    for line in others:
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


def test_two_sides_tell_where_they_meet_walls_no_name_and_an_unsolvable_board_its_proof() -> None:
    lines = list(levels(trace(EIGHT, FOUR_MOVES, tq.Bidirectional())))
    assert "Level 0 from the goal: 1 2 3 / 4 5 6 / 7 8 0" in lines
    assert lines[-2].endswith(": the two searches meet")
    first = next(levels(trace(WALLED, WALLED_START, tq.AStar(tq.Manhattan()))))
    assert first == "Level 0: A(0,2) agent(1,2)"
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
    assert list(verified_path(solve(EIGHT, FOUR_MOVES, tq.AStar())))[:2] == [
        "Goal: 1 2 3 / 4 5 6 / 7 8 0",
        "Take back move 4, 6 up: 1 2 3 / 4 5 0 / 7 8 6",
    ]
    none = solve(EIGHT, UNSOLVABLE, tq.AStar())
    assert list(verified_path(none)) == ["Nothing to verify: no solution was found"]
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


def test_a_search_of_one_round_names_no_round_and_ida_star_its_bound_on_f() -> None:
    lines = list(back_traces(trace(EIGHT, FOUR_MOVES, tq.DepthFirst(max_depth=5))))
    assert lines[0] == "Maximum depth 5"
    assert not any(line.startswith("Round") for line in lines)
    told = list(commentary(trace(EIGHT, FOUR_MOVES, tq.DepthFirst(max_depth=5))))
    assert (told[0], "Round" in " ".join(told)) == ("Maximum depth 5", False)
    told = list(commentary(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening())))
    assert told[0] == "Round 1: bound 0"
    first = next(back_traces(trace(EIGHT, FOUR_MOVES, tq.IDAStar())))
    assert first == "Round 1 starts: maximum f = g + h 4"


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


CLOSED = tq.search.Conventions(duplicates=tq.search.Duplicates.CLOSED)

EMPTIED = r"Search failed after \d+ tries, the queue is empty: limit of 2 moves"
FIRST_STEP = """\
Try 1: f = g + h = 0 + 4 = 4
  _ 1 3
  4 2 5
  7 8 6
2 child boards:
  1 left, f = g + h = 1 + 3 = 4    4 up, f = g + h = 1 + 5 = 6
    1 _ 3                            4 1 3
    4 2 5                            _ 2 5
    7 8 6                            7 8 6
queue length 2, closed length 1
"""


def test_a_step_tells_the_board_taken_its_children_and_the_lengths() -> None:
    text = "\n".join(commentary(trace(EIGHT, FOUR_MOVES, tq.AStar())))
    assert text.startswith(FIRST_STEP)
    assert "left out: 1 known already" in text


@pytest.mark.parametrize(
    "algorithm",
    [
        tq.AStar(),
        tq.AStar(tq.Misplaced(), conventions=CLOSED),
        tq.BreadthFirst(CLOSED),
        tq.BreadthFirst(S3_QUEUE),
        tq.BreadthFirst(tq.search.Conventions(goal_test=tq.search.GoalTest.GENERATION)),
        tq.Greedy(),
        tq.Bidirectional(),
        tq.Beam(width=3),
    ],
    ids=str,
)
def test_tries_are_the_boards_expanded_and_the_depth_is_the_cost(algorithm: tq.Algorithm) -> None:
    result = solve(EIGHT, FOUR_MOVES, algorithm)
    *_, line = commentary(trace(EIGHT, FOUR_MOVES, algorithm))
    assert line == f"Found a solution at depth {result.cost} in {result.stats.expanded} tries"


@pytest.mark.parametrize("algorithm", [tq.AStar(), tq.BreadthFirst(CLOSED), tq.Greedy()], ids=str)
def test_the_queue_length_after_a_step_is_what_the_next_one_finds(algorithm: tq.Algorithm) -> None:
    events = list(trace(EIGHT, FOUR_MOVES, algorithm, tq.Limits(nodes=300)))
    steps = [event for event in events if isinstance(event, tq.events.Expanded)]
    text = "\n".join(commentary(events))
    lengths = [
        (int(queue), int(closed))
        for queue, closed in re.findall(r"queue length (\d+), closed length (\d+)", text)
    ]
    assert len(lengths) == len(steps)
    assert lengths[:-1] == [(step.frontier + 1, step.closed) for step in steps[1:]]


_SORTED = [
    search
    for ties in ("fifo", "lifo", "low-h")
    for duplicates in ("none", "parent", "closed", "reached", "dequeue")
    for search in (
        f"astar(manhattan, ties={ties}, duplicates={duplicates})",
        f"astar(misplaced, weight=3, ties={ties}, duplicates={duplicates})",
        f"greedy(manhattan, ties={ties}, duplicates={duplicates})",
        f"ucs(ties={ties}, duplicates={duplicates})",
        f"bfs(ties={ties}, duplicates={duplicates}, goal_test=generation)",
    )
]


@pytest.mark.parametrize("text", _SORTED)
def test_the_queue_after_a_step_begins_with_the_board_of_the_next_try(text: str) -> None:
    start, search = tq.Board("8 1 3 / 4 0 2 / 7 6 5"), search_named(text)
    ties = queue_order(search)
    assert ties is not None
    events = list(trace(EIGHT, start, search, tq.Limits(nodes=150)))
    lines = list(commentary(events, ties=ties))
    shown = [lines[at + 1].strip() for at, line in enumerate(lines) if line.endswith("the next:")]
    taken = [
        event for event in events if isinstance(event, tq.events.Expanded | tq.events.Discarded)
    ]
    after = [
        other.node.board.text()
        for one, other in pairwise(taken)
        if isinstance(one, tq.events.Expanded)
    ]
    assert [line.rpartition(": ")[2] for line in shown[: len(after)]] == after
    assert len(after) > 3


def test_a_trace_that_breaks_off_at_a_solution_tells_it() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.Greedy()))
    (place,) = (at for at, event in enumerate(events) if isinstance(event, tq.events.Improved))
    assert any("A solution of 4 moves is known" in line for line in commentary(events[: place + 1]))
    # If the search goes on to its goal, the solution is told there.
    assert not any("is known" in line for line in commentary(events))


def test_children_come_in_order_of_f_on_lines_that_stay_within_a_screen() -> None:
    events = trace(EIGHT, FOUR_MOVES, tq.BreadthFirst(), tq.Limits(nodes=200))
    told = "\n".join(commentary(events))
    headings = re.findall(r"^  \d .*, .*g \+ h = .*$", told, flags=re.MULTILINE)
    assert headings
    for heading in headings:
        values = [int(value) for value in re.findall(r"g \+ h = \d+ \+ \d+ = (\d+)", heading)]
        assert values
        assert values == sorted(values)
    for line in commentary(trace(NAMED, NAMED_START, tq.Greedy(), tq.Limits(nodes=400))):
        assert len(line) <= 102
        assert line == line.rstrip()


def test_depth_first_tells_what_it_leaves_out_when_it_comes_back() -> None:
    limited = tq.DepthFirst(
        max_depth=1, conventions=tq.search.Conventions(tq.search.Duplicates.PARENT)
    )
    events = list(trace(EIGHT, FOUR_MOVES, limited))
    text = "\n".join(commentary(events))
    left_out = Counter(
        event.fate
        for event in events
        if isinstance(event, tq.events.Generated) and event.fate is not tq.events.Fate.ENQUEUED
    )
    assert _told(text, "at the depth limit") == left_out[tq.events.Fate.LIMIT] == 2
    late = replace(limited.conventions, limit_test=tq.search.LimitTest.GENERATION)
    text = "\n".join(commentary(trace(EIGHT, FOUR_MOVES, tq.DepthFirst(1, conventions=late))))
    assert (_told(text, "where it came from"), _told(text, "beyond the bound")) == (2, 4)
    assert "Dropped" not in text


def _told(text: str, reason: str) -> int:
    in_steps = re.findall(rf"^left out: .*?(\d+) {reason}", text, flags=re.MULTILINE)
    return sum(map(int, in_steps)) + text.count(f"Left out, {reason}")


def test_f_is_shown_apart_and_what_is_dropped_or_discarded_is_told() -> None:
    first = next(commentary(trace(EIGHT, FOUR_MOVES, tq.AStar(weight=2.5))))
    assert first == "Try 1: g + h = 0 + 4 = 4, f = 10"
    text = "\n".join(commentary(trace(EIGHT, FOUR_MOVES, tq.Beam(width=1))))
    assert "Dropped: g + h = 1 + 5 = 6, f = 5: 4 1 3 / 0 2 5 / 7 8 6" in text
    events = trace(NAMED, NAMED_START, tq.BreadthFirst(S3_QUEUE), tq.Limits(depth=2))
    assert (
        "Discarded, known already: f = g + h = 2 + 0 = 2: A(0,3) B(1,3) C(2,3) agent(3,3)"
    ) in commentary(events)


@pytest.mark.parametrize(
    ("start", "search", "limits", "ending"),
    [
        ("1 2 3 / 4 5 6 / 7 0 8", "astar", {}, "Found a solution at depth 1 in 1 try"),
        ("2 1 / 3 0", "bfs", {}, "Search failed after 12 tries, the queue is empty: .+"),
        (FOUR_MOVES, "bfs", {"depth": 2}, EMPTIED),
        (FOUR_MOVES, "bfs(duplicates=dequeue)", {"depth": 2}, EMPTIED),
        (FOUR_MOVES, "astar(zero)", {"depth": 2}, EMPTIED),
        (
            *(FOUR_MOVES, "astar", {"depth": 2}),
            "Not searched, at least 4 moves would be needed: limit of 2 moves",
        ),
        (FOUR_MOVES, "bfs", {"nodes": 10}, r"Gave up after \d tries: limit of 10 nodes generated"),
        (FOUR_MOVES, "capped-beam(cap=3)", {}, r"Gave up after \d tr(y|ies): cap of 3 nodes kept"),
    ],
)
def test_the_last_line_tells_failing_from_giving_up(
    start: tq.Board | str, search: str, limits: dict[str, Any], ending: str
) -> None:
    board = tq.Board(start)
    puzzle = tq.Puzzle(tq.Goal.blank_last(board.grid.rows, board.grid.columns))
    events = trace(puzzle, board, search_named(search), tq.Limits(**limits), check=False)
    *_, line = commentary(events)
    assert re.fullmatch(ending, line)
    (line,) = commentary(trace(EIGHT, UNSOLVABLE, tq.AStar()))
    assert line.startswith("Not searched, there is no solution: 1 inversion")


KNOWN = "A solution of 4 moves is known"


def test_a_solution_on_the_way_is_told_once_and_a_meeting_is_not_called_solved() -> None:
    lines = list(commentary(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst())))
    assert lines.count(KNOWN) == 1
    assert lines[lines.index(KNOWN) + 1].startswith("queue length ")
    events = list(trace(EIGHT, FOUR_MOVES, tq.AStar()))
    assert [type(event) for event in events[-3:]] == [
        tq.events.Improved,
        tq.events.GoalFound,
        tq.events.Finished,
    ]
    for view in (commentary, levels, back_traces):
        assert KNOWN not in view(events)
        assert KNOWN in view([*events[:-2], events[-1]])
    lines = list(commentary(trace(EIGHT, FOUR_MOVES, tq.Bidirectional())))
    assert any(line.startswith("The two searches meet: ") for line in lines)
    assert any(line.startswith("Try 2 from the goal: ") for line in lines)
    assert not any(line.startswith("Solved") for line in lines)


def test_a_search_that_gives_up_or_stops_tells_the_best_solution_it_has() -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, tq.BreadthFirst())
    assert isinstance(last, tq.events.Finished)
    given_up = replace(last.result, outcome=tq.Outcome.LIMIT_REACHED, reason="limit of 9 nodes")
    *_, line = commentary([*events, tq.events.Finished(given_up)])
    assert re.fullmatch(r"Gave up after \d+ tries with a solution of 4 moves: limit of 9.*", line)
    stopped = replace(last.result, outcome=tq.Outcome.STOPPED, moves=None, reason="interrupted")
    *_, line = commentary([*events, tq.events.Finished(stopped)])
    assert line == f"Stopped after {last.result.stats.expanded} tries: interrupted"


def searches() -> Iterator[tuple[list[tq.events.Event], tq.Result]]:
    """Yield the events of every algorithm in every world, and the result they end with."""
    for world in WORLDS.values():
        for algorithm in ALGORITHMS.values():
            *events, last = trace(*world, algorithm(), tq.Limits(nodes=60))
            assert isinstance(last, tq.events.Finished)
            yield [*events, last], last.result


def count(events: Sequence[tq.events.Event], *kinds: type) -> int:
    return sum(isinstance(event, kinds) for event in events)


def starting(lines: Sequence[str], word: str) -> list[str]:
    return [line for line in lines if line.startswith(word)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", VIEWS)
def test_the_last_line_says_how_every_search_ended(view: str) -> None:
    for events, result in searches():
        lines = list(VIEWS[view](events))
        assert all("\n" not in line for line in lines)
        solved = result.outcome is tq.Outcome.SOLVED
        assert (str(result.cost) if solved else result.reason) in lines[-1]


def test_levels_and_back_traces_have_a_line_for_every_board_and_every_path_left() -> None:
    for events, _ in searches():
        shown = [
            event for event in events if isinstance(event, tq.events.Expanded | tq.events.GoalFound)
        ]
        for name in ("levels", "backtrace"):
            lines = starting(list(VIEWS[name](events)), "Level")
            assert len(lines) == len(shown)
            for line, event in zip(lines, shown, strict=True):
                assert line.startswith(f"Level {event.node.depth}")
                assert place_names(event.node.board) in line
        lines = list(VIEWS["backtrace"](events))
        assert len(starting(lines, "Back trace")) == count(events, tq.events.Backtracked)
        assert len(starting(lines, "Round") + starting(lines, "Max")) == count(
            events, tq.events.BoundRaised
        )


def test_the_commentary_numbers_every_expansion_and_draws_its_board() -> None:
    for events, _ in searches():
        lines = list(VIEWS["commentary"](events))
        expanded = [event.node for event in events if isinstance(event, tq.events.Expanded)]
        tries = [at for at, line in enumerate(lines) if line.startswith("Try ")]
        for number, (at, node) in enumerate(zip(tries, expanded, strict=True), 1):
            assert re.match(rf"Try {number}\b.*\bg \+ h = {node.depth} ", lines[at])
            rows = str(node.board).splitlines()
            assert [line.strip() for line in lines[at + 1 : at + 1 + len(rows)]] == [
                row.strip() for row in rows
            ]
        assert len(starting(lines, "Discarded")) == count(events, tq.events.Discarded)


def test_the_created_view_numbers_every_entry_that_is_dequeued() -> None:
    for events, _ in searches():
        steps = [line.split()[1].rstrip(":") for line in VIEWS["created"](events) if "Step" in line]
        dequeued = count(events, tq.events.Expanded, tq.events.Discarded)
        assert steps[:dequeued] == [str(number) for number in range(1, dequeued + 1)]
        assert len(steps) - dequeued in (0, 1)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "outcome", [tq.Outcome.STOPPED, tq.Outcome.LIMIT_REACHED, tq.Outcome.UNSOLVABLE]
)
def test_every_view_says_why_a_search_ended(view: str, outcome: tq.Outcome) -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, tq.AStar())
    assert isinstance(last, tq.events.Finished)
    result = replace(last.result, outcome=outcome, moves=None, reason="of a whim")
    *_, line = VIEWS[view]([*events, tq.events.Finished(result)])
    assert "of a whim" in line


@pytest.mark.parametrize("view", ["commentary", "created"])
def test_steps_into_walls_are_named(view: str) -> None:
    events = list(trace(WALLED, WALLED_START, tq.BreadthFirst(BUMPING)))
    named = sum("a step into a wall" in line for line in VIEWS[view](events))
    moves = [event.node.move for event in events if isinstance(event, tq.events.Discarded)]
    assert named == sum(move is not None and "#" in move.tiles for move in moves) > 0


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_yields_lines_as_events_arrive(view: str) -> None:
    for algorithm in ALGORITHMS.values():
        events = CountedEvents(islice(trace(EIGHT, HARD, algorithm()), 2_000))
        lines = VIEWS[view](events)
        assert events.count == 0
        for number in range(1, 30):
            next(lines)
            assert events.count <= 10 * number + 10


def test_the_view_suits_the_search_and_a_queue_is_shown_where_there_is_one() -> None:
    assert all(view_for(algorithm()) in VIEWS for algorithm in ALGORITHMS.values())
    assert view_for(tq.BreadthFirst()) == "levels"
    assert view_for(tq.DepthFirst()) == view_for(tq.IDAStar()) == "backtrace"
    assert view_for(tq.AStar()) == view_for(tq.search.CappedBeam()) == "commentary"
    for text in ("dfs", "idastar", "astar(ties=heap)", "beam", "bidirectional"):
        assert queue_order(search_named(text)) is None


def test_every_public_name_can_be_loaded() -> None:
    for name in taquin.views.__all__:
        assert getattr(taquin.views, name).__class__.__name__ != "module"
    with pytest.raises(AttributeError, match="no attribute 'to_pdf'"):
        taquin.views.to_pdf  # type: ignore[attr-defined]  # noqa: B018
