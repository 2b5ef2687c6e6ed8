"""Every state that meets a goal, for searches that begin there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import factorial, prod

from taquin.errors import UnsuitableError
from taquin.model.space import ANY_ID, Space, State

MOST_GOAL_STATES = 100_000
"""More than this are not listed: a search from the goal would be hopeless."""


def goal_states(space: Space) -> list[State]:
    """Return the states that meet the goal of `space`: one when the goal names every cell.

    Raise UnsuitableError when ANY cells allow more than MOST_GOAL_STATES of them.
    """
    rest = Counter(space.start)
    rest.subtract(number for number in space.goal_ids if number != ANY_ID)
    free = [cell for cell, number in enumerate(space.goal_ids) if number == ANY_ID]
    count = factorial(len(free)) // prod(factorial(number) for number in rest.values())
    if count > MOST_GOAL_STATES:
        raise UnsuitableError(
            f"{count:,} boards meet this goal, too many to begin a search from; name more cells "
            f"of the goal, or use a search that begins at the start only"
        )
    cells = list(space.goal_ids)
    return list(_fill(space, cells, free, rest))


def _fill(space: Space, cells: list[int], free: list[int], rest: Counter[int]) -> Iterator[State]:
    if not free:
        yield bytes(cells) if isinstance(space.start, bytes) else tuple(cells)
        return
    for number in sorted(rest):
        if rest[number]:
            rest[number] -= 1
            cells[free[0]] = number
            yield from _fill(space, cells, free[1:], rest)
            rest[number] += 1
