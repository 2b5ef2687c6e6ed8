"""Find the searches that reproduce a count: whose conventions give exactly that number of nodes.

A candidate is a search that differs from its defaults in some *choices*: the heuristic, a weight, a
convention, the order of directions, a limit on depth, the ways of a source; a seed, which stands
for any order, weighs as much as two of them. Candidates with fewer choices run first:

    0   astar(manhattan)                    dfs
    1   astar(manhattan, ties=lifo)         dfs(max_depth=3)        astar as S3 runs it
    2   astar(misplaced, ties=lifo)         dfs(seed=7)             …

No run goes far beyond the count, so each costs little; what it counts may include the start or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from itertools import combinations, permutations, product
from time import perf_counter
from typing import Any, cast

from taquin.errors import TaquinError, UnsuitableError
from taquin.model.moves import KORF_ORDER, WALL
from taquin.search.algorithms import ALGORITHMS
from taquin.search.control import INTERRUPTED, Control
from taquin.search.conventions import Duplicates, GoalTest, LimitTest, Ties
from taquin.search.driver import solve
from taquin.search.grammar import parts_of, search_named
from taquin.search.likeness import LIKENESSES, korf_nodes
from taquin.search.options import CONVENTIONS
from taquin.search.result import Count, Limit, Outcome, Result, Task
from taquin.search.run import Algorithm
from taquin.search.terms import heuristic_named
from taquin.search.value import SearchValue
from taquin.system.interrupts import DeferredInterrupts, interrupted

SEARCHES = ("bfs", "astar", "dfs", "ids", "idastar", "greedy", "bidirectional", "rbfs")
"""The searches that are tried unless others are named."""
SEEDS = 200
_DEEPEST = 40
"""The largest limit on depth that is tried for depth-first search."""
_WEIGHT_OF_SEED = 2
ENOUGH = "enough were found"
_MOST_NEAR = 5
_SLACK = 100
"""Nodes, besides a tenth of the count, by which a run may exceed it, to be called near."""
_HEURISTICS = ("manhattan", "misplaced", "linear-conflict", "manhattan-agent")
_CUT_BY = (Limit.NODES, Limit.SECONDS, Limit.MEMORY)


Ways = Mapping[str, Sequence[Any]]
"""Options, each with the values to try."""


class Counted(Enum):
    """What a number may count: a counter of `Stats`, or nodes as Korf counts them."""

    EXPANDED = "expanded"
    GENERATED = "generated"
    ENQUEUED = "enqueued"
    DEQUEUED = "dequeued"
    KORF = "korf"

    def of(self, result: Result) -> int | None:
        """Return the number of a result; None if the search does not count it."""
        if self is Counted.KORF:
            return korf_nodes(result.algorithm, result.stats)
        number: int | None = getattr(result.stats, self.value)
        return number

    @property
    def other(self) -> tuple[int, str]:
        """What to add for the other treatment of the start, and that treatment in words."""
        return (1, "and the start") if self is Counted.GENERATED else (-1, "without the start")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A search to try."""

    search: Algorithm
    choices: int
    """In how many choices it differs from the defaults."""
    settings: frozenset[tuple[str, Any]]
    """The options and conventions that are not the defaults."""
    bounded: bool = False
    """Whether one of the choices is a limit on depth."""
    like: str = ""
    """The sources that search so, as `--like` names them; empty for none."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A search whose number is the count, or near to it."""

    candidate: Candidate
    counted: Counted
    number: int
    start: str
    """The unusual treatment of the start in words; empty for the definition of the counter."""
    cost: int | None
    """The moves of the solution; None if the search ended without one."""

    @property
    def choices(self) -> int:
        """The choices of the search, and of what is counted."""
        return self.candidate.choices + bool(self.start) + (self.counted is Counted.KORF)


@dataclass(slots=True)
class Inquiry:
    """What has been found so far."""

    exact: list[Explanation] = field(default_factory=list)
    near: list[Explanation] = field(default_factory=list)
    """The nearest of the others, the nearest first."""
    tried: int = 0
    ended_by: str = ""
    """Why it ended before all candidates were tried, in words; empty if it did not."""


def reproduce(
    task: Task,
    number: int,
    kinds: Sequence[Counted] = tuple(Counted),
    searches: Sequence[str] = SEARCHES,
    most: int = 10,
    seeds: int = SEEDS,
) -> Iterator[Inquiry]:
    """Yield what is known after each candidate: which searches count exactly `number`.

    The options that a search of `searches` names are fixed. The limit on seconds is that of all
    runs together. It ends when `most` searches are found and no other has fewer choices.
    """
    inquiry, began, limits = Inquiry(), perf_counter(), task.limits
    is_one = len(kinds) == 1 and kinds[0] is not Counted.KORF
    # Every other counter is at least as high as that of boards expanded.
    counting = Count(kinds[0].value) if is_one else Count.EXPANDED
    has_walls = WALL in task.start.cells
    with DeferredInterrupts():
        for candidate in candidates(searches, seeds, has_walls):
            rest = None if limits.seconds is None else limits.seconds - perf_counter() + began
            if rest is not None and rest <= 0:
                inquiry.ended_by = f"limit of {limits.seconds:g} s"
            elif interrupted():
                inquiry.ended_by = INTERRUPTED
            elif sum(known.choices <= candidate.choices for known in inquiry.exact) >= most:
                inquiry.ended_by = ENOUGH
            if inquiry.ended_by:
                break
            allowed = replace(
                limits, nodes=number + number // 10 + _SLACK, seconds=rest, counting=counting
            )
            # A search or a heuristic may not take this puzzle.
            with suppress(UnsuitableError):
                run = replace(task, algorithm=candidate.search, limits=allowed)
                result = solve(run, candidate.search, Control(allowed))
                _note(inquiry, candidate, result, number, kinds)
            inquiry.tried += 1
            yield inquiry
    inquiry.exact.sort(key=lambda known: known.choices)
    yield inquiry


def _note(
    inquiry: Inquiry, candidate: Candidate, result: Result, number: int, kinds: Sequence[Counted]
) -> None:
    """Add the simplest explanation by a run that ended by itself, if it is exact, or is near."""
    if result.outcome is Outcome.STOPPED or result.limit in _CUT_BY:
        return
    if candidate.bounded and result.cost is None:
        # Whoever gives a count has a solution, unless the depth was given with it.
        return
    explanations = []
    for kind in kinds:
        counter = kind.of(result)
        if counter is not None:
            step, words = kind.other
            for value, start in ((counter, ""), (counter + step, words)):
                explanations.append(Explanation(candidate, kind, value, start, result.cost))

    def distance(explanation: Explanation) -> tuple[int, int]:
        return abs(explanation.number - number), explanation.choices

    if not explanations:
        return
    best = min(explanations, key=distance)
    if best.number == number:
        # A source's way to search is worth knowing, even if a plainer one has the same count.
        if candidate.like or not any(_covers(other, best) for other in inquiry.exact):
            inquiry.exact.append(best)
    elif not any(_covers(other, best) for other in inquiry.near):
        inquiry.near.append(best)
        inquiry.near.sort(key=distance)
        del inquiry.near[_MOST_NEAR:]


def _covers(known: Explanation, other: Explanation) -> bool:
    """Return whether a known explanation has the same number with some of the other's choices."""
    if (known.counted, known.number, known.start) != (other.counted, other.number, other.start):
        return False
    first, second = known.candidate, other.candidate
    return first.search.name == second.search.name and first.settings <= second.settings


def candidates(
    searches: Sequence[str], seeds: int = SEEDS, has_walls: bool = False
) -> Iterator[Candidate]:
    """Yield every search to try, those with the fewest choices first.

    >>> [str(candidate.search) for candidate in candidates(["bidirectional"])][:2]
    ['bidirectional', 'bidirectional(directions=DRUL)']
    """
    bases: list[tuple[Algorithm, int, Ways]] = []
    sources: dict[str, list[str]] = {}
    for text in searches:
        name, given = parts_of(text)
        plain, fixed = search_named(text), {option.replace("-", "_") for option in given}
        every = _ways(plain, seeds, has_walls)
        ways: Ways = {option: every[option] for option in every if option not in fixed}
        bases.append((plain, 0, ways))
        for source, likeness in LIKENESSES.items():
            search = likeness.search(name, given)
            if str(search) == str(plain):
                continue
            own = {option: ways[option] for option in ways if option in ("max_depth", "seed")}
            bases.append((search, 1, own))
            sources.setdefault(str(search), []).append(source)
    tried = set()
    for level in range(1 + max(least + sum(map(_weight, to_try)) for _, least, to_try in bases)):
        for base, least, to_try in bases:
            for options in _combinations(to_try, level - least):
                changed = _with(base, options)
                if changed is not None and str(changed) not in tried:
                    tried.add(str(changed))
                    like = ", ".join(sources.get(str(changed), ()))
                    is_bounded = "max_depth" in options
                    yield Candidate(changed, level, _settings(changed), is_bounded, like)


def _combinations(ways: Ways, weight: int) -> Iterator[dict[str, Any]]:
    """Yield every choice of values for options that weigh so much together."""
    for size in range(len(ways) + 1):
        for names in combinations(ways, size):
            # A seed shuffles the directions.
            if sum(map(_weight, names)) == weight and not {"seed", "directions"} <= {*names}:
                for values in product(*(ways[name] for name in names)):
                    yield dict(zip(names, values, strict=True))


def _with(search: Any, options: Mapping[str, Any]) -> Algorithm | None:
    """Return a search with these options; None if it does not take them together."""
    if not options:
        return cast(Algorithm, search)
    chosen = {name: value for name, value in options.items() if name in CONVENTIONS}
    others = {name: value for name, value in options.items() if name not in CONVENTIONS}
    try:
        changed = replace(search, **others, conventions=replace(search.conventions, **chosen))
    except TaquinError:
        return None
    return cast(Algorithm, changed)


def _settings(search: Any) -> frozenset[tuple[str, Any]]:
    if not isinstance(search, SearchValue):
        return frozenset()
    usual: Any = ALGORITHMS[search.name]()
    parts: Any = ((search, usual), (search.conventions, usual.conventions))
    return frozenset(
        (option.name, value)
        for own, default in parts
        for option in fields(own)
        if option.name != "conventions"
        and (value := getattr(own, option.name)) != getattr(default, option.name)
    )


def _weight(option: str) -> int:
    return _WEIGHT_OF_SEED if option == "seed" else 1


def _ways(search: Any, seeds: int, has_walls: bool) -> Ways:
    """Return the options of a search, each with the values to try besides its own."""
    if not isinstance(search, SearchValue):
        return {}
    values: dict[str, Sequence[Any]] = {
        "heuristic": [heuristic_named(name) for name in _HEURISTICS],
        "duplicates": list(Duplicates),
        "ties": list(Ties),
        "goal_test": list(GoalTest),
        "limit_test": list(LimitTest),
        "directions": list(permutations(KORF_ORDER)),
        "weight": [2, 3, 5],
        "max_depth": range(1, _DEEPEST + 1),
        "bumps": [True] if has_walls else [],
        "seed": range(seeds),
    }
    usual = search.conventions.chosen()
    own = {option.name: getattr(search, option.name) for option in fields(search)}  # type: ignore[arg-type]
    ways = {}
    for name, listed in values.items():
        if name in search.unsupported or name not in {**usual, **own}:
            continue
        known = search.supported.get(name, listed)
        current = usual.get(name, own.get(name))
        ways[name] = [value for value in listed if value in known and value != current]
    return ways
