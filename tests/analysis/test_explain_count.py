"""Which searches give a count: the known answers of the sources, the order, the nearest."""

from __future__ import annotations

from collections import deque
from itertools import islice

import pytest

import taquin as tq
from taquin.analysis.explain_count import (
    ENOUGH,
    Counted,
    Explanation,
    Findings,
    candidates,
    reproduce,
)
from taquin.analysis.likeness import LIKENESSES
from taquin.search.result import Limits, Task
from tests.glass import solve

SIMPLE = ". . . . / . . . . / . . . . / A B C @"
COLUMN = "* A * * / * B * * / * C * * / * @ * *"
VERIFIED = "* * * * / * * * * / * B C @ / A * * *"
EXAMPLE = "0 1 3 / 4 2 5 / 7 8 6"
FOURTEEN = "8 1 3 / 4 0 2 / 7 6 5"


def task_of(board: str, goal: str = "blank-last", depth: int | None = None) -> Task:
    start = tq.Board.parse(board)
    wanted = tq.Goal.blank_last(3, 3) if goal == "blank-last" else tq.Goal.parse(goal)
    return Task(tq.Puzzle(wanted), start, limits=Limits(depth=depth))


def found_in(task: Task, number: int, kind: Counted, search: str, **settings: int) -> Findings:
    (findings,) = deque(reproduce(task, number, [kind], [search], **settings), maxlen=1)
    return findings


def texts(found: list[Explanation]) -> list[str]:
    return [f"{one.candidate.search} {one.start}".strip() for one in found]


@pytest.mark.parametrize(
    ("board", "goal", "depth", "search", "number", "expected"),
    [
        # S3's appendix; the 22 does not count the start.
        (SIMPLE, COLUMN, 3, "bfs", 22, "bfs(duplicates=dequeue) without the start"),
        (SIMPLE, COLUMN, None, "dfs(max_depth=3)", 17, "dfs(max_depth=3, duplicates=parent)"),
        (SIMPLE, COLUMN, 2, "ids", 11, "ids"),
        # S3's verification figure.
        (
            SIMPLE,
            VERIFIED,
            None,
            "dfs(max_depth=11, limit_test=generation)",
            98,
            "dfs(max_depth=11, seed=160, limit_test=generation)",
        ),
    ],
)
def test_the_printed_counts_of_s3_are_explained(
    board: str, goal: str, depth: int | None, search: str, number: int, expected: str
) -> None:
    found = found_in(task_of(board, goal, depth), number, Counted.DEQUEUED, search, most=1)
    assert expected in texts(found.exact)


@pytest.mark.parametrize(
    ("search", "number", "kind", "like"),
    [
        ("astar", 5255, Counted.DEQUEUED, "s3"),
        pytest.param("bfs", 27_854, Counted.DEQUEUED, "s3", marks=pytest.mark.slow),
    ],
)
def test_the_way_of_a_source_is_found_early(
    search: str, number: int, kind: Counted, like: str
) -> None:
    for findings in reproduce(task_of(SIMPLE, COLUMN), number, [kind], [search]):
        if findings.exact:
            break
    assert findings.exact[0].candidate.like == like
    assert str(findings.exact[0].candidate.search) == str(LIKENESSES[like].search(search, {}))
    assert findings.tried < 60


@pytest.mark.slow
def test_near_misses_of_the_19674_nodes_of_s3_are_listed() -> None:
    # They depend on chance; no order of moves and none of two hundred seeds gives them.
    tried = reproduce(task_of(SIMPLE, COLUMN), 19_674, [Counted.DEQUEUED], ["dfs"])
    (findings,) = deque(islice(tried, 60), maxlen=1)
    assert not findings.exact
    assert str(findings.near[0].candidate.search) == "dfs(directions=DULR)"
    assert findings.near[0].number == 19_201


def test_ten_states_and_thirteen_are_the_critical_optimisation_of_s4() -> None:
    found = found_in(task_of(EXAMPLE), 10, Counted.ENQUEUED, "astar", most=6)
    assert "astar(manhattan, duplicates=parent)" in texts(found.exact)
    likes = {one.candidate.like for one in found.exact if one.candidate.like}
    assert likes >= {"s4", "korf"}
    found = found_in(task_of(EXAMPLE), 13, Counted.ENQUEUED, "astar", most=2)
    assert texts(found.exact)[-1] == "astar(manhattan, duplicates=none)"
    assert found.ended_by == ENOUGH


@pytest.mark.parametrize(
    ("number", "expected"), [(12_261, "ids"), (21_511, "ids(limit_test=generation)")]
)
def test_both_ways_to_treat_the_depth_limit_are_found(number: int, expected: str) -> None:
    found = found_in(task_of(FOURTEEN), number, Counted.EXPANDED, "ids", most=1)
    assert texts(found.exact)[0] == expected


def test_every_explanation_counts_what_it_says_when_it_is_run_by_itself() -> None:
    task = task_of(FOURTEEN)
    tried = reproduce(task, 78, searches=["astar", "idastar", "greedy"], most=12)
    (findings,) = deque(tried, maxlen=1)
    assert len(findings.exact) >= 12
    for found in [*findings.exact, *findings.near]:
        stats = solve(task.puzzle, task.start, found.candidate.search).stats
        raw = {
            "korf": (stats.generated or 0) - (stats.duplicates or 0) + 1,
            **{kind: getattr(stats, kind) for kind in ("expanded", "generated")},
            **{kind: getattr(stats, kind) for kind in ("enqueued", "dequeued")},
        }[found.counted.value]
        change = {"": 0, "without the start": -1, "and the start": 1}[found.start]
        assert raw + change == found.number
    assert all(found.number == 78 for found in findings.exact)
    assert all(found.number != 78 for found in findings.near)
    assert [found.choices for found in findings.exact] == sorted(
        found.choices for found in findings.exact
    )


def test_an_explanation_with_superfluous_choices_is_left_out() -> None:
    found = found_in(task_of(FOURTEEN), 78, Counted.DEQUEUED, "astar", most=5)
    settings = [one.candidate.settings for one in found.exact if not one.candidate.like]
    assert not any(first < second for first in settings for second in settings)


def test_candidates_come_once_each_the_plainest_first_and_fixed_options_stay() -> None:
    every = list(candidates(["idastar"], seeds=3))
    assert [one.choices for one in every] == sorted(one.choices for one in every)
    assert len({str(one.search) for one in every}) == len(every)
    assert str(every[0].search) == "idastar(manhattan)"
    for one in candidates(["dfs(max_depth=4)"], seeds=3):
        assert "max_depth=4" in str(one.search)


def test_the_nearest_are_named_where_no_search_has_the_count() -> None:
    found = found_in(task_of(FOURTEEN), 200, Counted.EXPANDED, "bidirectional")
    assert not found.exact
    assert found.tried == 24
    assert not found.ended_by
    assert found.near
    distances = [abs(one.number - 200) for one in found.near]
    assert distances == sorted(distances)
