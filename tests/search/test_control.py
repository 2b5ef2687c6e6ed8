"""The clocks of a search: parts have their own; pauses and preparation are not counted."""

from dataclasses import replace
from threading import Thread
from time import process_time

import pytest

from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.notation.values import as_goal
from taquin.search import clock
from taquin.search.algorithms import AStar
from taquin.search.control import Control, Ended
from taquin.search.driver import trace
from taquin.search.events import Finished
from taquin.search.result import Counters, EngineTag, Limit, Limits, Preparation, Task, effort


def test_a_part_is_given_its_time_when_the_search_proper_begins() -> None:
    part = Control(Limits()).part(0.0)
    assert part.tick(Counters(stage="building tables")), "that takes the time it takes"
    part.begin()
    assert not part.tick(Counters())
    assert part.limit is Limit.SECONDS


def test_a_part_takes_no_longer_than_the_whole_may() -> None:
    part = Control(Limits(seconds=0.0)).part(3600.0)
    part.begin()
    assert not part.tick(Counters())


def busy(seconds: float) -> None:
    until = process_time() + seconds
    while process_time() < until:
        pass


def test_processor_time_leaves_out_preparation_and_pauses() -> None:
    control = Control()
    busy(0.05)
    control.begin()
    with control.paused():
        busy(0.05)
    busy(0.02)
    assert 0.02 <= control.cpu_seconds < 0.05


def test_the_processor_time_of_a_search_is_in_its_result_without_that_of_its_watcher() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    before = process_time()
    watched = 0.0
    for event in trace(Puzzle(as_goal(None, start)), start, AStar(), Limits(nodes=2000)):
        began = process_time()
        busy(0.0001)
        watched += process_time() - began
        if isinstance(event, Finished):
            spent = event.result.stats.cpu_seconds
    assert 0 < spent <= process_time() - before - watched


class Watch:
    """A clock on the wall that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(clock, "perf_counter", lambda: self.now)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def test_a_limit_on_seconds_counts_from_the_search_on_and_names_what_came_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = Watch(monkeypatch)
    control = Control(Limits(seconds=3))
    with control.compiling("compiling a kernel, once"):
        watch.wait(6)
    control.prepare("loading the compiled search")
    watch.wait(0.5)
    control.begin()
    watch.wait(2)
    assert control.tick(Counters()), "the search has taken two seconds of three"
    with control.compiling("compiling another kernel, in the midst of the search"):
        watch.wait(4)
    assert control.tick(Counters())
    watch.wait(1)
    assert not control.tick(Counters())
    start = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
    task = Task(Puzzle(as_goal(None, start)), start)
    result = control.result(task, AStar(), EngineTag("test"), Counters())
    assert result.limit is Limit.SECONDS
    assert result.stats.seconds == 3
    assert result.preparation == Preparation(compiling=10, loading=0.5)


def test_building_tables_is_ended_some_time_after_the_limit_and_counted_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = Watch(monkeypatch)
    control = Control(Limits(seconds=3))
    control.building("4x4", 0, 10)
    watch.wait(9)
    control.building("4x4", 5, 10)
    control.begin()
    watch.wait(2)
    assert control.tick(Counters()), "the search has taken two seconds of three"
    control.building("4x4", 5, 10)
    watch.wait(4)
    with pytest.raises(Ended):
        control.building("4x4", 9, 10)
    assert control.limit is Limit.SECONDS


def test_compiling_in_a_thread_that_builds_tables_is_not_counted_as_building(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = Watch(monkeypatch)
    control = Control(Limits(seconds=1))
    control.building("4x4", 0, 10)

    def compiled() -> None:
        with control.compiling("compiling a kernel, once"):
            watch.wait(10)
            control.building("4x4", 0, 10)
            watch.wait(10)

    thread = Thread(target=compiled)
    thread.start()
    thread.join()
    watch.wait(2)
    control.building("4x4", 5, 10)
    control.begin()
    start = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
    task = Task(Puzzle(as_goal(None, start)), start)
    result = control.result(task, AStar(), EngineTag("test"), Counters(), moves=())
    assert result.preparation == Preparation(compiling=20, building=2)


def test_preparation_is_told_when_somebody_had_to_wait_for_it() -> None:
    start = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
    task = Task(Puzzle(as_goal(None, start)), start)
    control = Control()
    quick = control.result(task, AStar(), EngineTag("test"), Counters(), moves=())
    assert "plus" not in effort(quick)
    slow = replace(quick, preparation=Preparation(compiling=6.1, building=2.0, loading=0.3))
    assert effort(slow).endswith("; plus 6.1 s to compile, 2.0 s to build tables")
