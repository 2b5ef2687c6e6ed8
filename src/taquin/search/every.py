"""Every shortest solution: all paths of the shortest length, once that is known.

A depth-first walk over the boards whose depth + estimate stays within the length. It remembers no
boards, because another path to a board is another solution.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from taquin.model.space import State, Step
from taquin.search.result import Count
from taquin.search.run import NODE_LIMIT, Exhausted, Run


def every_path(run: Run, length: int) -> Generator[list[State] | None, None, Exhausted]:
    """Yield every path of `length` moves to the goal, and None at every board it goes down to.

    The estimate must be admissible, and no path shorter. Counts on from what `run` has counted.
    """
    space, counters = run.space, run.counters
    steps, is_goal, step = space.stepper(), space.goal_test(), run.evaluator.step
    max_generated, max_expanded = run.most(Count.GENERATED), run.most(Count.EXPANDED)
    max_visited = min(run.most(Count.ENQUEUED), run.most(Count.DEQUEUED))
    if is_goal(space.start):
        yield [space.start]
        return Exhausted(complete=True)
    path: list[State] = []
    rest: list[tuple[int, Iterator[Step]]] = []
    entered: tuple[State, int] | None = (space.start, run.evaluator.value(space.start))
    while True:
        if entered is not None:
            yield None
            if counters.expanded >= max_expanded:
                return NODE_LIMIT
            counters.expanded += 1
            path.append(entered[0])
            rest.append((entered[1], steps(entered[0])))
            entered = None
        h, ways = rest[-1]
        for child, tile, origin, target in ways:
            if counters.generated >= max_generated:
                return NODE_LIMIT
            counters.generated += 1
            child_h = step(h, child, tile, origin, target)
            if len(path) + child_h > length:
                continue
            if counters.dequeued >= max_visited:
                return NODE_LIMIT
            counters.enqueued += 1
            counters.dequeued += 1
            if is_goal(child):
                yield [*path, child]
            else:
                entered = (child, child_h)
                break
        if entered is None:
            path.pop()
            rest.pop()
            if not rest:
                return Exhausted(complete=True)
