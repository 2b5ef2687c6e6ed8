"""The traces of S3 for blind searches: which level each board lies on, and where a path ends.

Level 0: A(0,3) B(1,3) agent(2,3)          Round 3 starts: maximum depth 2
Level 1: A(0,3) B(2,3) agent(1,3)          Level 0: A(0,3) B(1,3) agent(2,3)
Level 1: A(0,3) B(1,3) agent(2,2)          Level 1: A(0,3) B(2,3) agent(1,3)
Level 2: A(1,3) B(2,3) agent(0,3)          Back trace from level 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Event,
    Expanded,
    Finished,
    GoalFound,
    Node,
    Started,
)
from taquin.views.wording import ending, place_names, side_name


def levels(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each board taken, with its level in the search tree."""
    two_sided = False
    for event in events:
        match event:
            case Started(node):
                two_sided = two_sided or node.side != "start"
            case Expanded(node):
                yield _level(node)
            case GoalFound(node):
                yield f"{_level(node)}: {'the two searches meet' if two_sided else 'solved'}"
            case Finished(result):
                yield ending(result)


def back_traces(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each board taken, each path left, and the start of each round."""
    uses_estimate = False
    for event in events:
        match event:
            case Started(node):
                uses_estimate = node.h > 0
            case BoundRaised(bound, number):
                limit = "depth + estimate" if uses_estimate else "depth"
                yield f"Round {number} starts: maximum {limit} {bound:g}"
            case Expanded(node):
                yield _level(node)
            case Backtracked(node):
                yield f"Back trace from level {node.depth}"
            case GoalFound(node):
                yield f"{_level(node)}: solved"
            case Finished(result):
                yield ending(result)


def _level(node: Node) -> str:
    return f"Level {node.depth}{side_name(node)}: {place_names(node.board)}"
