"""Every view of every algorithm, compared with the events themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pytest

import taquin.views
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    IDAStar,
)
from taquin.search.driver import trace
from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Discarded,
    Event,
    Expanded,
    Finished,
    GoalFound,
)
from taquin.search.result import Limits, Outcome, Result
from taquin.views.traces import VIEWS, place_names, view_for
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    HARD,
    WALLED,
    WALLED_START,
    WORLDS,
    CountedEvents,
)


def searches() -> Iterator[tuple[list[Event], Result]]:
    """Yield the events of every algorithm in every world, and the result they end with."""
    for world in WORLDS.values():
        for algorithm in ALGORITHMS.values():
            *events, last = trace(*world, algorithm(), Limits(nodes=60))
            assert isinstance(last, Finished)
            yield [*events, last], last.result


def count(events: Sequence[Event], *kinds: type) -> int:
    return sum(isinstance(event, kinds) for event in events)


def starting(lines: Sequence[str], word: str) -> list[str]:
    return [line for line in lines if line.startswith(word)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", VIEWS)
def test_the_last_line_says_how_every_search_ended(view: str) -> None:
    for events, result in searches():
        lines = list(VIEWS[view](events))
        assert all("\n" not in line for line in lines)
        solved = result.outcome is Outcome.SOLVED
        assert (str(result.cost) if solved else result.reason) in lines[-1]


def test_levels_and_back_traces_have_a_line_for_every_board_and_every_path_left() -> None:
    for events, _ in searches():
        shown = [event for event in events if isinstance(event, Expanded | GoalFound)]
        for name in ("levels", "backtrace"):
            lines = starting(list(VIEWS[name](events)), "Level")
            assert len(lines) == len(shown)
            for line, event in zip(lines, shown, strict=True):
                assert line.startswith(f"Level {event.node.depth}")
                assert place_names(event.node.board) in line
        lines = list(VIEWS["backtrace"](events))
        assert len(starting(lines, "Back trace")) == count(events, Backtracked)
        assert len(starting(lines, "Round") + starting(lines, "Max")) == count(events, BoundRaised)


def test_the_commentary_numbers_every_expansion_and_draws_its_board() -> None:
    for events, _ in searches():
        lines = list(VIEWS["commentary"](events))
        expanded = [event.node for event in events if isinstance(event, Expanded)]
        tries = [at for at, line in enumerate(lines) if line.startswith("Try ")]
        for number, (at, node) in enumerate(zip(tries, expanded, strict=True), 1):
            assert re.match(rf"Try {number}\b.*\bg \+ h = {node.depth} ", lines[at])
            rows = str(node.board).splitlines()
            assert [line.strip() for line in lines[at + 1 : at + 1 + len(rows)]] == [
                row.strip() for row in rows
            ]
        assert len(starting(lines, "Discarded")) == count(events, Discarded)


def test_the_created_view_numbers_every_entry_that_is_dequeued() -> None:
    for events, _ in searches():
        steps = [line.split()[1].rstrip(":") for line in VIEWS["created"](events) if "Step" in line]
        dequeued = count(events, Expanded, Discarded)
        assert steps[:dequeued] == [str(number) for number in range(1, dequeued + 1)]
        assert len(steps) - dequeued in (0, 1)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.LIMIT_REACHED, Outcome.UNSOLVABLE])
def test_every_view_says_why_a_search_ended(view: str, outcome: Outcome) -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, AStar())
    assert isinstance(last, Finished)
    result = replace(last.result, outcome=outcome, moves=None, reason="of a whim")
    *_, line = VIEWS[view]([*events, Finished(result)])
    assert "of a whim" in line


@pytest.mark.parametrize("view", ["commentary", "created"])
def test_steps_into_walls_are_named(view: str) -> None:
    events = list(trace(WALLED, WALLED_START, BreadthFirst(BUMPING)))
    named = sum("a step into a wall" in line for line in VIEWS[view](events))
    moves = [event.node.move for event in events if isinstance(event, Discarded)]
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
    assert view_for(BreadthFirst()) == "levels"
    assert view_for(DepthFirst()) == view_for(IDAStar()) == "backtrace"
    assert view_for(AStar()) == view_for(CappedBeam()) == "commentary"


def test_every_view_has_a_summary_of_one_line() -> None:
    for view in VIEWS.values():
        assert re.fullmatch(r".{1,90}", view.summary)


def test_every_public_name_can_be_loaded() -> None:
    for name in taquin.views.__all__:
        assert getattr(taquin.views, name).__class__.__name__ != "module"
    with pytest.raises(AttributeError, match="no attribute 'to_pdf'"):
        taquin.views.to_pdf  # type: ignore[attr-defined]  # noqa: B018
