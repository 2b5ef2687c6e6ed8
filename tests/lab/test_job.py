"""The key of a run: the same for the same run, another for any other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from taquin.heuristics.per_tile import Misplaced
from taquin.lab.study.definition import Study, code_version, jobs_of
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.algorithms import AStar, DepthFirst, IDAStar
from taquin.search.conventions import Conventions, GoalTest, Ties
from taquin.search.result import Count, Limits

PLAIN = Study.of("plain", ["1 2 / 0 3"], [AStar()])


def keys(study: Study, code: str = "1") -> set[str]:
    return {job.key for job in jobs_of(study, code)}


def test_a_key_is_the_same_in_every_process_for_good() -> None:
    (job,) = jobs_of(PLAIN, "1")
    assert job.key == "47421a1ff373639d5393c3597751005b"


def test_whatever_decides_what_comes_out_changes_the_key() -> None:
    board = ["1 2 / 0 3"]
    different = [
        keys(PLAIN),
        keys(PLAIN, code="2"),
        keys(Study.of("a", ["0 1 / 3 2"], [AStar()])),
        keys(Study.of("a", board, [AStar()], goal=Goal.parse("1 * / 3 0"))),
        keys(Study.of("a", board, [AStar()], goal=Puzzle(Goal.blank_last(2, 2), Metric.MULTI))),
        keys(Study.of("a", board, [AStar(Misplaced())])),
        keys(Study.of("a", board, [AStar(weight=2)])),
        keys(Study.of("a", board, [IDAStar()])),
        keys(Study.of("a", board, [AStar(conventions=Conventions(ties=Ties.LIFO))])),
        keys(Study.of("a", board, [AStar(conventions=Conventions(goal_test=GoalTest.GENERATION))])),
        keys(Study.of("a", board, [AStar()], limits=Limits(nodes=5))),
        keys(Study.of("a", board, [AStar()], limits=Limits(seconds=5))),
        keys(Study.of("a", board, [AStar()], limits=Limits(nodes=5, counting=Count.EXPANDED))),
        keys(Study.of("a", board, [DepthFirst()])),
        keys(Study.of("a", board, [DepthFirst()], seeds=[1, 2])),
    ]
    for one, other in combinations(different, 2):
        assert not one & other


def test_names_and_labels_do_not_change_the_key() -> None:
    named = Study.of("other", {"x": "1 2 / 0 3"}, {"y": AStar()}, title="z")
    (case,) = named.cases
    described = replace(named, cases=(replace(case, columns={"a": 1}, printed={"y": 2}),))
    assert keys(PLAIN) == keys(named) == keys(described)


def test_repetitions_and_seeds_are_runs_of_their_own() -> None:
    study = Study.of("a", ["1 2 / 0 3"], [DepthFirst()], seeds=[1, 2, 3], repetitions=2)
    runs = list(jobs_of(study))
    assert len({job.key for job in runs}) == 6
    assert {(job.run.seed, job.run.repetition) for job in runs} == {
        (seed, repetition) for seed in (1, 2, 3) for repetition in (1, 2)
    }
    assert {job.run.algorithm for job in runs} == {"dfs"}


def test_the_version_of_the_code_names_the_release_and_the_source() -> None:
    release, _, digest = code_version().partition("+")
    assert release
    assert len(digest) == 12
