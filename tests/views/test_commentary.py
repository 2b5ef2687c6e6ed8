"""The running commentary of S0."""

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
from taquin.views.traces import (
    VIEWS,
    _Waiting,
    back_traces,
    commentary,
    levels,
    place_names,
    queue_order,
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
    S3_QUEUE,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
    WORLDS,
    CountedEvents,
)

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


def test_the_queue_after_a_step_begins_with_the_board_of_the_next_try() -> None:
    start, search = tq.Board("8 1 3 / 4 0 2 / 7 6 5"), tq.AStar()
    events = list(trace(EIGHT, start, search, tq.Limits(nodes=60)))
    lines = list(commentary(events, ties=queue_order(search)))
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
    assert len(after) > 20


def test_a_trace_that_breaks_off_at_a_solution_tells_it() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.Greedy()))
    (place,) = (at for at, event in enumerate(events) if isinstance(event, tq.events.Improved))
    assert any("A solution of 4 moves is known" in line for line in commentary(events[: place + 1]))
    # If the search goes on to its goal, the solution is told there.
    assert not any("is known" in line for line in commentary(events))


def test_children_come_in_order_of_f() -> None:
    events = trace(EIGHT, FOUR_MOVES, tq.BreadthFirst(), tq.Limits(nodes=200))
    told = "\n".join(commentary(events))
    headings = re.findall(r"^  \d .*, .*g \+ h = .*$", told, flags=re.MULTILINE)
    assert headings
    for heading in headings:
        values = [int(value) for value in re.findall(r"g \+ h = \d+ \+ \d+ = (\d+)", heading)]
        assert values
        assert values == sorted(values)


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


def test_f_is_shown_apart_where_it_is_not_g_plus_h() -> None:
    first = next(commentary(trace(EIGHT, FOUR_MOVES, tq.AStar(weight=2.5))))
    assert first == "Try 1: g + h = 0 + 4 = 4, f = 10"


def test_what_a_beam_drops_is_told() -> None:
    text = "\n".join(commentary(trace(EIGHT, FOUR_MOVES, tq.Beam(width=1))))
    assert "Dropped: g + h = 1 + 5 = 6, f = 5: 4 1 3 / 0 2 5 / 7 8 6" in text


def test_entries_thrown_away_when_taken_are_told() -> None:
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


def test_a_solution_on_the_way_is_told_with_the_step_that_made_it() -> None:
    lines = list(commentary(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst())))
    assert lines.count(KNOWN) == 1
    assert lines[lines.index(KNOWN) + 1].startswith("queue length ")


def test_a_solution_that_is_the_goal_taken_next_is_not_told_twice() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.AStar()))
    assert [type(event) for event in events[-3:]] == [
        tq.events.Improved,
        tq.events.GoalFound,
        tq.events.Finished,
    ]
    for view in (commentary, levels, back_traces):
        assert KNOWN not in view(events)
        assert KNOWN in view([*events[:-2], events[-1]])


def test_a_search_that_gives_up_tells_the_best_solution_it_has() -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, tq.BreadthFirst())
    assert isinstance(last, tq.events.Finished)
    given_up = replace(last.result, outcome=tq.Outcome.LIMIT_REACHED, reason="limit of 9 nodes")
    *_, line = commentary([*events, tq.events.Finished(given_up)])
    assert re.fullmatch(r"Gave up after \d+ tries with a solution of 4 moves: limit of 9.*", line)


def test_a_stopped_search_says_so() -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, tq.AStar())
    assert isinstance(last, tq.events.Finished)
    stopped = replace(last.result, outcome=tq.Outcome.STOPPED, moves=None, reason="interrupted")
    *_, line = commentary([*events, tq.events.Finished(stopped)])
    assert line == "Stopped after 4 tries: interrupted"


def test_the_meeting_of_two_sides_is_not_called_solved() -> None:
    lines = list(commentary(trace(EIGHT, FOUR_MOVES, tq.Bidirectional())))
    assert any(line.startswith("The two searches meet: ") for line in lines)
    assert any(line.startswith("Try 2 from the goal: ") for line in lines)
    assert not any(line.startswith("Solved") for line in lines)


def test_lines_stay_within_a_screen_where_boards_are_small() -> None:
    for line in commentary(trace(NAMED, NAMED_START, tq.Greedy(), tq.Limits(nodes=400))):
        assert len(line) <= 102
        assert line == line.rstrip()


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


def test_the_view_suits_the_search() -> None:
    assert all(view_for(algorithm()) in VIEWS for algorithm in ALGORITHMS.values())
    assert view_for(tq.BreadthFirst()) == "levels"
    assert view_for(tq.DepthFirst()) == view_for(tq.IDAStar()) == "backtrace"
    assert view_for(tq.AStar()) == view_for(tq.search.CappedBeam()) == "commentary"


def test_every_public_name_can_be_loaded() -> None:
    for name in taquin.views.__all__:
        assert getattr(taquin.views, name).__class__.__name__ != "module"
    with pytest.raises(AttributeError, match="no attribute 'to_pdf'"):
        taquin.views.to_pdf  # type: ignore[attr-defined]  # noqa: B018


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
def test_the_first_board_of_the_queue_is_the_next_one(text: str) -> None:
    search = search_named(text)
    ties = queue_order(search)
    assert ties is not None
    waiting, steps = _Waiting(ties), 0
    start = tq.Board("8 1 3 / 4 0 2 / 7 6 5")
    for event in trace(EIGHT, start, search, tq.Limits(nodes=150)):
        if isinstance(event, tq.events.Expanded | tq.events.Discarded):
            assert event.node == waiting.first()[0]
            steps += 1
        if isinstance(event, tq.events.Expanded):
            assert len(waiting.entries) - 1 == event.frontier
        waiting.follow(event)
    assert steps > 3


def test_searches_without_such_a_queue_show_none() -> None:
    for text in ("dfs", "idastar", "astar(ties=heap)", "beam", "bidirectional"):
        assert queue_order(search_named(text)) is None
