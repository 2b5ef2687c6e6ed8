"""Every view with every algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

import taquin.views
from taquin.model.board import Board
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    IDAStar,
)
from taquin.search.driver import trace
from taquin.search.events import Event, Finished
from taquin.search.result import Limits, Outcome
from taquin.views.traces import VIEWS, view_for
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    NAMED,
    NAMED_START,
    SLIDES,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
)

WORLDS = {
    "numbers": (EIGHT, FOUR_MOVES),
    "slides": (SLIDES, FOUR_MOVES),
    "names": (NAMED, NAMED_START),
    "walls": (WALLED, WALLED_START),
    "unsolvable": (EIGHT, UNSOLVABLE),
}
HARD = Board.parse("8 6 7 / 2 5 4 / 3 0 1")


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("world", WORLDS)
def test_every_view_tells_every_search_to_its_end(world: str, view: str, name: str) -> None:
    events = list(trace(*WORLDS[world], ALGORITHMS[name](), Limits(nodes=60)))
    lines = list(VIEWS[view](events))
    assert lines
    assert all("\n" not in line for line in lines)
    assert isinstance(events[-1], Finished)
    result = events[-1].result
    if result.outcome is Outcome.SOLVED:
        assert str(result.cost) in lines[-1]
    else:
        assert result.reason in lines[-1]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.LIMIT_REACHED, Outcome.UNSOLVABLE])
def test_every_view_tells_why_a_search_ended(view: str, outcome: Outcome) -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, AStar())
    assert isinstance(last, Finished)
    result = replace(last.result, outcome=outcome, moves=None, reason="of a whim")
    *_, line = VIEWS[view]([*events, Finished(result)])
    assert "of a whim" in line


@pytest.mark.parametrize("view", VIEWS)
def test_steps_into_walls_are_told(view: str) -> None:
    lines = list(VIEWS[view](trace(WALLED, WALLED_START, BreadthFirst(BUMPING))))
    assert lines
    if view in ("commentary", "created"):
        assert any("a step into a wall" in line for line in lines)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_view_tells_lines_as_events_arrive(view: str, name: str) -> None:
    taken = 0

    def counted(events: Iterable[Event]) -> Iterator[Event]:
        nonlocal taken
        for event in events:
            taken += 1
            yield event

    events = counted(islice(trace(EIGHT, HARD, ALGORITHMS[name]()), 2_000))
    lines = VIEWS[view](events)
    assert taken == 0
    for number in range(1, 30):
        next(lines)
        assert taken <= 10 * number + 10


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_a_view(name: str) -> None:
    assert view_for(ALGORITHMS[name]()) in VIEWS


def test_the_view_suits_the_search() -> None:
    assert view_for(BreadthFirst()) == "levels"
    assert view_for(DepthFirst()) == view_for(IDAStar()) == "backtrace"
    assert view_for(AStar()) == view_for(CappedBeam()) == "commentary"


def test_every_view_has_a_summary_of_one_line() -> None:
    for view in VIEWS.values():
        assert view.summary
        assert "\n" not in view.summary
        assert len(view.summary) <= 90


def test_every_public_name_is_there() -> None:
    for name in taquin.views.__all__:
        assert getattr(taquin.views, name).__class__.__name__ != "module"
    with pytest.raises(AttributeError, match="no attribute 'to_pdf'"):
        taquin.views.to_pdf  # type: ignore[attr-defined]  # noqa: B018
