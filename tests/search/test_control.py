"""The clocks of a search: parts have their own; pauses and preparation are not counted."""

from time import process_time

from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.notation.values import as_goal
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.driver import trace
from taquin.search.events import Finished
from taquin.search.result import Counters, Limit, Limits


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
