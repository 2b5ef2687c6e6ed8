"""The puzzles, searches and readers that the tests of the views share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from taquin.model.board import Board
from taquin.model.moves import Direction, Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.events import Event
from taquin.search.run import Conventions, Duplicates, LimitTest, Ties

EIGHT = Puzzle(Goal.blank_last(3, 3))
FOUR_MOVES = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
UNSOLVABLE = Board.parse("2 1 3 / 4 5 6 / 7 8 0")
HARD = Board.parse("8 6 7 / 2 5 4 / 3 0 1")

SLIDES = Puzzle(Goal.blank_last(3, 3), Metric.MULTI)

NAMED = Puzzle(Goal.parse("* A * * / * B * * / * C * * / * @ * *"))
NAMED_START = Board.parse(". . . . / . . . . / . . . . / A B C @")

WALLED = Puzzle(Goal.parse("A * * / * # * / * * *"))
WALLED_START = Board.parse(". . . / . # . / A @ .")

WORLDS = {
    "numbers": (EIGHT, FOUR_MOVES),
    "slides": (SLIDES, FOUR_MOVES),
    "names": (NAMED, NAMED_START),
    "walls": (WALLED, WALLED_START),
    "unsolvable": (EIGHT, UNSOLVABLE),
}

BLANK_LEFT_RIGHT_UP_DOWN = (Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP)
S3_QUEUE = Conventions(duplicates=Duplicates.DEQUEUE, directions=BLANK_LEFT_RIGHT_UP_DOWN)
S3_HEAP = Conventions(
    duplicates=Duplicates.DEQUEUE, ties=Ties.HEAP, directions=BLANK_LEFT_RIGHT_UP_DOWN
)
S3_STACK = Conventions(directions=BLANK_LEFT_RIGHT_UP_DOWN, limit_test=LimitTest.GENERATION)
BUMPING = Conventions(duplicates=Duplicates.DEQUEUE, bumps=True)

SVG = "{http://www.w3.org/2000/svg}"
"""The namespace before the names of SVG elements."""


class CountedEvents:
    """Events that are counted as they are consumed."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = events
        self.count = 0

    def __iter__(self) -> Iterator[Event]:
        for event in self._events:
            self.count += 1
            yield event


def svg_texts(svg: str, role: str | None = None) -> list[str]:
    """Return the texts of an SVG document, all or those of one role."""
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [text.text or "" for text in texts if role in (None, text.attrib["class"])]
