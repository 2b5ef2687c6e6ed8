"""The trace of S3 for A*: when each board was created and traversed, and at what cost.

    A(0,3) agent(1,3): created 0, traversed 1, estimated cost 4 = 0 + 4
    A(1,3) agent(0,3): created 2, traversed 3, estimated cost 4 = 0 + 4

The clock of S3 strikes twice for every entry taken from the queue: once when it is traversed, at
1, 3, 5 …, and once when its children are created, at 2, 4, 6 …. Its estimated cost adds the
Manhattan distance to the depth of the *parent*, so it is one less than depth + estimate for every
board but the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taquin.search.events import (
    Discarded,
    Event,
    Expanded,
    Fate,
    Finished,
    Generated,
    GoalFound,
    Node,
    Started,
)
from taquin.views.wording import ending, place_names, side_name, why_discarded

_KEPT = (Fate.ENQUEUED, Fate.REOPENED)


def created_traversed(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each entry taken from the queue, thrown-away ones included.

    Remembers one number for each board that was put into the queue.
    """
    created: dict[int, int] = {}
    taken = 0
    goal: Node | None = None
    for event in events:
        match event:
            case Started(node):
                created[node.number] = 0
            case Generated(node, fate) if fate in _KEPT:
                created[node.number] = 2 * taken
            case Expanded(node) | Discarded(node):
                taken += 1
                line = _line(node, created.get(node.number, 0), 2 * taken - 1)
                if isinstance(event, Discarded):
                    line = f"{line}; {why_discarded(node)}"
                yield line
            case GoalFound(node):
                goal = node
            case Finished(result):
                if goal is not None:
                    # Only the count of entries taken tells a goal seen when taken from one seen
                    # when made.
                    traversed = 2 * taken + 1 if result.stats.dequeued > taken else None
                    yield f"{_line(goal, created.get(goal.number, 0), traversed)}; solved"
                yield ending(result)


def _line(node: Node, created: int, traversed: int | None) -> str:
    above = max(node.depth - 1, 0)
    time = "not traversed" if traversed is None else f"traversed {traversed}"
    return (
        f"{place_names(node.board)}{side_name(node)}: created {created}, {time}, "
        f"estimated cost {above + node.h} = {above} + {node.h}"
    )
