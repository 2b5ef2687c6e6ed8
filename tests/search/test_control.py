"""A part of a search has a time of its own, which begins when its tables are there."""

from taquin.search.control import Control
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
