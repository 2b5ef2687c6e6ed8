"""The grammar of searches: what is printed reads back, and errors are explained."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Algorithm, Direction, Heuristic, Patterns, TaquinError
from taquin.errors import UnsuitableError
from taquin.heuristics.registry import HEURISTICS, Maximum, Sum
from taquin.heuristics.user_code import UserCode, UserHeuristic
from taquin.search.algorithms import (
    ALGORITHMS,
    AStar,
    Beam,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    IDAStar,
    UniformCost,
)
from taquin.search.grammar import (
    described_options,
    heuristic_named,
    options_of,
    search_from_options,
    search_named,
)
from taquin.search.run import Conventions, Duplicates, GoalTest, RandomOrder, Ties
from taquin.search.user_search import UserSearch

BOTH = Maximum(HEURISTICS["h1"], HEURISTICS["h2"])
GROUPS: list[list[int | str]] = [[1, 2, 5], [3, "A"]]


def heuristics() -> st.SearchStrategy[Heuristic]:
    ready: list[Heuristic] = [
        *HEURISTICS.values(),
        Patterns("large"),
        Patterns(GROUPS),
        UserHeuristic(UserCode("some/my-file.py", "estimate")),
        UserHeuristic(UserCode("package.module", "estimate")),
    ]
    return st.recursive(
        st.sampled_from(ready),
        lambda part: st.builds(
            lambda kind, parts: kind(*parts),
            st.sampled_from([Maximum, Sum]),
            st.lists(part, min_size=1, max_size=3),
        ),
        max_leaves=5,
    )


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "Heuristic": heuristics(),
    "RandomOrder": st.sampled_from(RandomOrder),
    "cooling": st.floats(0.01, 0.99),
    "int": st.integers(1, 10**6),
    "float": st.one_of(st.integers(1, 50), st.floats(1, 50)),
}
CONVENTIONS: dict[str, st.SearchStrategy[Any]] = {
    "duplicates": st.sampled_from(Duplicates),
    "ties": st.sampled_from(Ties),
    "goal_test": st.sampled_from(GoalTest),
    "directions": st.permutations(list(Direction)).map(tuple),
    "bumps": st.booleans(),
}


@st.composite
def searches(draw: st.DrawFn) -> Algorithm:
    """Draw any registered algorithm with any of its options and any convention it heeds."""
    name = draw(st.sampled_from(list(ALGORITHMS)))
    options = {
        option: draw(VALUES.get(option, VALUES[kind]))
        for option, kind in options_of(name).items()
        if draw(st.booleans())
    }
    for convention, values in CONVENTIONS.items():
        if draw(st.booleans()):
            options[convention] = draw(values)
    while True:
        try:
            return search_from_options(name, options)
        except UnsuitableError:
            # A convention that this algorithm does not heed: refused, as it should be.
            options.pop(next(key for key in reversed(options) if key in CONVENTIONS))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_description_of_a_search_has_exactly_the_choices_that_it_supports(name: str) -> None:
    described = {option.name: option for option in described_options(name)}
    for option in described.values():
        if option.default:
            assert search_named(f"{name}({option.name}={option.default})") == ALGORITHMS[name]()
    default = ALGORITHMS[name]().conventions
    for convention, kind in (("duplicates", Duplicates), ("ties", Ties), ("goal-test", GoalTest)):
        listed = described[convention].accepted.split(", ") if convention in described else []
        supported = []
        for member in kind:
            with suppress(UnsuitableError):
                search_named(f"{name}({convention}={member.value})")
                supported.append(member.value)
        # The default value of an unsupported convention is harmless.
        unchanged = [getattr(default, convention.replace("-", "_")).value]
        assert supported == (listed or unchanged)
    bumps = f"{name}(duplicates=dequeue, bumps=true)"
    with nullcontext() if "bumps" in described else pytest.raises(UnsuitableError):
        search_named(bumps)


@given(searches(), heuristics())
def test_every_search_and_heuristic_reads_back_from_what_it_prints(
    search: Algorithm, heuristic: Heuristic
) -> None:
    assert search_named(str(search)) == search
    assert heuristic_named(heuristic.name) == heuristic


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("astar", AStar()),
        ("A*", AStar()),
        ("A-star(h1)", AStar(HEURISTICS["misplaced"])),
        ("astar(manhattan, weight=2)", AStar(weight=2)),
        ("wastar", AStar(weight=2)),
        ("Dijkstra", UniformCost()),
        ("weighted-A*", AStar(weight=2)),
        ("depth_first:seed=7", DepthFirst(seed=7)),
        (" IDA* ( linear_conflict ) ", IDAStar(HEURISTICS["linear-conflict"])),
        ("beam(width=7)", Beam(width=7)),
        ("wastar:h2:weight=1.5", AStar(weight=1.5)),
        ("capped-beam:cap=7", CappedBeam(cap=7)),
        ("beam:misplaced:width=7", Beam(HEURISTICS["misplaced"], width=7)),
        ("astar:max(h1,h2):ties=lifo", AStar(BOTH, conventions=Conventions(ties=Ties.LIFO))),
        ("bfs(scored_by=h2)", BreadthFirst(scored_by=HEURISTICS["manhattan"])),
        ("astar:own.py:f:weight=2", AStar(UserHeuristic(UserCode("own.py", "f")), weight=2)),
        ("own.py:Search", UserSearch(UserCode("own.py", "Search"))),
    ],
)
def test_forms_that_people_type(text: str, search: Algorithm) -> None:
    assert search_named(text) == search


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "found the end"),
        ("astra", "Did you mean astar"),
        ("astar(manhatan)", "Did you mean manhattan"),
        ("astar(h1, h2)", "one heuristic"),
        ("astar(h1", "expected ')'"),
        ("astar h1", "nothing more"),
        ("astar(weight=0.5)", "weight must be at least 1, got"),
        ("astar(weight=heavy)", "expected a number such as 2 or 1.5 for weight, found 'heavy'"),
        ("astar(weight=2, weight=3)", "twice"),
        ("astar(wieght=2)", "does not support wieght. Did you mean weight? It takes heuristic, "),
        ("bfs(weight=2)", "bfs does not support weight; it takes scored-by, duplicates, ties"),
        ("bfs(manhattan)", "bfs does not support heuristic"),
        (
            "idastar(ties=lifo)",
            "idastar does not support ties; it takes heuristic, duplicates, directions, bumps",
        ),
        ("astar:colour=red", "astar does not support colour; it takes heuristic, weight, dup"),
        ("beam:width=wide", "found 'wide'"),
        ("astar:", "expected a name"),
        ("beam(width=0)", "width must be at least 1, got 0"),
        ("beam(ties=heap)", "beam does not support ties 'heap'; it supports: fifo, lifo"),
        ("astar(ties=random)", "expected fifo, lifo, low-h, heap for ties"),
        ("astar(directions=UDL)", "U, D, L and R once each"),
        ("astar(bumps=perhaps)", "true or false"),
        ("dfs(seed=1.5)", "a whole number"),
        ("dfs(max_depth=-1)", "max-depth must be at least 0, got -1"),
        ("astar(max())", "a name"),
        ("astar(patterns([1 2)", "expected ']'"),
        ("astar(patterns(huge))", "huge"),
        ("astar(" + "max(" * 20 + "h1" + ")" * 21, "at most"),
        ("astar" + " " * 100_000, "characters"),
    ],
)
def test_a_slip_is_explained(text: str, said: str) -> None:
    with pytest.raises(TaquinError) as caught:
        search_named(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_convention_left_open_stays_as_the_algorithm_has_it() -> None:
    order = (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT)
    search = IDAStar(conventions=Conventions(directions=order))
    assert search.conventions.duplicates is Duplicates.PARENT
    assert search == search_named("idastar(directions=UDLR)")
    assert search != IDAStar()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_makes_no_difference_is_refused_in_python_too(name: str) -> None:
    make = ALGORITHMS[name]
    unsupported = getattr(make(), "unsupported", ())
    for convention, value in (("ties", Ties.LIFO), ("goal_test", GoalTest.GENERATION)):
        chosen = Conventions(**{convention: value})  # type: ignore[arg-type]
        if convention in unsupported:
            with pytest.raises(UnsuitableError, match="does not support"):
                make(conventions=chosen)
        else:
            assert getattr(make(conventions=chosen).conventions, convention) is value
