"""Find the searches that reproduce a count: whose conventions give exactly that number of nodes.

A candidate is a search that differs from its defaults in some *choices*: the heuristic, a weight, a
convention, the order of directions, a limit on depth, the likeness of a source; a seed, which can
give any order, counts as two of them. Candidates with fewer choices run first:

    0   astar(manhattan)                    dfs
    1   astar(manhattan, ties=lifo)         dfs(max_depth=3)        astar as S3 runs it
    2   astar(misplaced, ties=lifo)         dfs(seed=7)             …

No run goes far beyond the count, so each is cheap; its number may include the start or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from itertools import combinations, permutations, product
from time import perf_counter
from typing import Any, cast

from taquin.analysis.likeness import LIKENESSES, korf_nodes
from taquin.errors import TaquinError, UnsuitableError
from taquin.model.moves import KORF_ORDER, WALL
from taquin.search.algorithms import ALGORITHMS
from taquin.search.control import INTERRUPTED, Control
from taquin.search.driver import solve
from taquin.search.grammar import CONVENTIONS, heuristic_named, parts_of, search_named
from taquin.search.result import Count, Limit, Outcome, Result, Task
from taquin.search.run import Algorithm, Duplicates, GoalTest, LimitTest, SearchValue, Ties
from taquin.system.interrupts import DeferredInterrupts, interrupted

SEARCHES = ("bfs", "astar", "dfs", "ids", "idastar", "greedy", "bidirectional", "rbfs")
"""The searches that are tried by default."""
SEEDS = 200
_DEEPEST = 40
"""The largest limit on depth that is tried for depth-first search."""
_CHOICES_OF_SEED = 2
ENOUGH = "enough were found"
_MOST_NEAR = 5
_SLACK = 100
"""Nodes beyond 1.1 times the count at which a run is stopped."""
_HEURISTICS = ("manhattan", "misplaced", "linear-conflict", "manhattan-agent")
_RUN_LIMITS = (Limit.NODES, Limit.SECONDS, Limit.MEMORY)


OptionValues = Mapping[str, Sequence[Any]]
"""Options, each with the values to try."""


class Counted(Enum):
    """A definition of a count: a counter of `Stats`, or nodes as Korf counts them."""

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
        """The difference if the start is treated the other way, and that treatment in words."""
        return (1, "and the start") if self is Counted.GENERATED else (-1, "without the start")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A search to try."""

    search: Algorithm
    choices: int
    """The number of choices that differ from the defaults."""
    settings: frozenset[tuple[str, Any]]
    """The options and conventions that are not the defaults."""
    bounded: bool = False
    """Whether one of the choices is a limit on depth."""
    like: str = ""
    """The sources that it imitates, as names of `--like`; empty for none."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A search whose number is the count, or close to it."""

    candidate: Candidate
    counted: Counted
    number: int
    start: str
    """The other treatment of the start in words; empty for the definition of the counter."""
    cost: int | None
    """The moves of the solution; None if the search ended without one."""

    @property
    def choices(self) -> int:
        """The choices of the search and of the counter."""
        return self.candidate.choices + bool(self.start) + (self.counted is Counted.KORF)


@dataclass(slots=True)
class Findings:
    """The explanations found so far."""

    exact: list[Explanation] = field(default_factory=list)
    near: list[Explanation] = field(default_factory=list)
    """The closest of the others, the closest first."""
    tried: int = 0
    ended_by: str = ""
    """The reason for an end before all candidates were tried; empty if all were."""


def reproduce(
    task: Task,
    number: int,
    kinds: Sequence[Counted] = tuple(Counted),
    searches: Sequence[str] = SEARCHES,
    most: int = 10,
    seeds: int = SEEDS,
    patience: float = 4.0,
) -> Iterator[Findings]:
    """Yield the findings after each candidate: the searches that count exactly `number`.

    The options given in `searches` are fixed. The limit on seconds is for all runs together. It
    ends when `most` searches are found and no candidate left has fewer choices. After `patience`
    seconds, explanations with more choices than a known one are skipped.
    """
    findings, began, limits = Findings(), perf_counter(), task.limits
    is_one = len(kinds) == 1 and kinds[0] is not Counted.KORF
    # Every other counter is at least as high as that of boards expanded.
    counting = Count(kinds[0].value) if is_one else Count.EXPANDED
    has_walls = WALL in task.start.cells
    with DeferredInterrupts():
        for candidate in candidates(searches, seeds, has_walls):
            seconds = perf_counter() - began
            rest = None if limits.seconds is None else limits.seconds - seconds
            plainer = [known for known in findings.exact if known.choices <= candidate.choices]
            is_late = seconds > patience
            if rest is not None and rest <= 0:
                findings.ended_by = f"limit of {limits.seconds:g} s"
            elif interrupted():
                findings.ended_by = INTERRUPTED
            elif len(plainer) >= most or any(
                is_late and known.choices < candidate.choices for known in plainer
            ):
                findings.ended_by = ENOUGH
            if findings.ended_by:
                break
            allowed = replace(
                limits, nodes=number + number // 10 + _SLACK, seconds=rest, counting=counting
            )
            # A search or a heuristic may not support this puzzle.
            with suppress(UnsuitableError):
                run = replace(task, algorithm=candidate.search, limits=allowed)
                result = solve(run, candidate.search, Control(allowed))
                _add(findings, candidate, result, number, kinds)
            findings.tried += 1
            yield findings
    findings.exact.sort(key=lambda known: known.choices)
    yield findings


def _add(
    findings: Findings, candidate: Candidate, result: Result, number: int, kinds: Sequence[Counted]
) -> None:
    """Add the simplest explanation by a run that ended by itself, if it is exact or close."""
    if result.outcome is Outcome.STOPPED or result.limit in _RUN_LIMITS:
        return
    if candidate.bounded and result.cost is None:
        # A reported count belongs to a solution, unless the depth was given with it.
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
        # A likeness is informative even if a simpler search has the same count.
        if candidate.like or not any(_covers(other, best) for other in findings.exact):
            findings.exact.append(best)
    elif not any(_covers(other, best) for other in findings.near):
        findings.near.append(best)
        findings.near.sort(key=distance)
        del findings.near[_MOST_NEAR:]


def _covers(known: Explanation, other: Explanation) -> bool:
    """Return whether a known explanation has the same number with a subset of the choices."""
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
    bases: list[tuple[Algorithm, int, OptionValues]] = []
    sources: dict[str, list[str]] = {}
    for text in searches:
        name, given = parts_of(text)
        plain, fixed = search_named(text), {option.replace("-", "_") for option in given}
        every = _values_to_try(plain, seeds, has_walls)
        values: OptionValues = {option: every[option] for option in every if option not in fixed}
        bases.append((plain, 0, values))
        for source, likeness in LIKENESSES.items():
            search = likeness.search(name, given)
            if str(search) == str(plain):
                continue
            own = {option: values[option] for option in values if option in ("max_depth", "seed")}
            bases.append((search, 1, own))
            sources.setdefault(str(search), []).append(source)
    tried = set()
    for level in range(1 + max(least + sum(map(_choices, to_try)) for _, least, to_try in bases)):
        for base, least, to_try in bases:
            for options in _combinations(to_try, level - least):
                changed = _with(base, options)
                if changed is not None and str(changed) not in tried:
                    tried.add(str(changed))
                    like = ", ".join(sources.get(str(changed), ()))
                    is_bounded = "max_depth" in options
                    yield Candidate(changed, level, _settings(changed), is_bounded, like)


def _combinations(to_try: OptionValues, choices: int) -> Iterator[dict[str, Any]]:
    """Yield every assignment of values to options that counts as so many `choices`."""
    for size in range(len(to_try) + 1):
        for names in combinations(to_try, size):
            # A seed shuffles the directions.
            if sum(map(_choices, names)) == choices and not {"seed", "directions"} <= {*names}:
                for values in product(*(to_try[name] for name in names)):
                    yield dict(zip(names, values, strict=True))


def _with(search: Any, options: Mapping[str, Any]) -> Algorithm | None:
    """Return a search with these options; None if it does not support the combination."""
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
    plain: Any = ALGORITHMS[search.name]()
    parts: Any = ((search, plain), (search.conventions, plain.conventions))
    return frozenset(
        (option.name, value)
        for own, default in parts
        for option in fields(own)
        if option.name != "conventions"
        and (value := getattr(own, option.name)) != getattr(default, option.name)
    )


def _choices(option: str) -> int:
    return _CHOICES_OF_SEED if option == "seed" else 1


def _values_to_try(search: Any, seeds: int, has_walls: bool) -> OptionValues:
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
    own = {option.name: getattr(search, option.name) for option in fields(search)}  # type: ignore[arg-type]
    current = {**own, **search.conventions.chosen()}
    return {
        name: [
            value
            for value in listed
            if value in search.supported.get(name, listed) and value != current[name]
        ]
        for name, listed in values.items()
        if name in current and name not in search.unsupported
    }
