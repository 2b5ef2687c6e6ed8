"""Every state that meets a goal, and the levels of states around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import factorial, prod

from taquin.errors import UnsuitableError
from taquin.model.space import ANY_ID, Space, State

MOST_GOAL_STATES = 100_000
"""More than this are not listed: a search from the goal would be hopeless."""


def goal_states(space: Space, most: int = MOST_GOAL_STATES) -> list[State]:
    """Return the states that meet the goal of `space`: one when the goal names every cell.

    Raise UnsuitableError when ANY cells allow more than `most` of them.
    """
    rest = left_over(space)
    count = arrangements(rest)
    if count > most:
        raise UnsuitableError(
            f"{count:,} boards meet this goal, too many to begin a search from; name more cells "
            f"of the goal, or use a search that begins at the start only"
        )
    free = [cell for cell, number in enumerate(space.goal_ids) if number == ANY_ID]
    return list(_fill(space, list(space.goal_ids), free, rest))


def levels_from_goal(space: Space) -> Iterator[list[State]]:
    """Yield the states at distance 0, 1, 2 … from the goal: moves can be taken back.

    Raise UnsuitableError when ANY cells allow more than MOST_GOAL_STATES goal states.
    """
    slide, rays = space.slider(), space.rays
    level = goal_states(space)
    seen = set(level)
    while level:
        yield level
        after: list[State] = []
        for state in level:
            start_blank = state.index(0)
            for ray in rays[start_blank]:
                child, blank = state, start_blank
                for cell in ray:
                    child, blank = slide(child, blank, cell), cell
                    if child not in seen:
                        seen.add(child)
                        after.append(child)
        level = after


def left_over(space: Space) -> Counter[int]:
    """Return the ids of `space`, the blank's included, that the goal gives no cell."""
    return Counter(space.start) - Counter(space.goal_ids)


def arrangements(tiles: Counter[int]) -> int:
    """Return in how many ways `tiles` can be laid out in a row."""
    return factorial(tiles.total()) // prod(map(factorial, tiles.values()))


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
