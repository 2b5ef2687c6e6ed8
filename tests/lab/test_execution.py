"""One run: its key, its ceiling of memory, its signs of life, its row and its solution."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from taquin.errors import UnsuitableError
from taquin.heuristics.per_tile import Misplaced
from taquin.lab.run.database import Ending, Record, Records, Store, row_of, solution_fault
from taquin.lab.run.runner import JobClaims, living_runners, run_study
from taquin.lab.study.definition import Run, Study, code_version, jobs_of
from taquin.lab.study.reading import study_of_toml
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation.moves import moves_on
from taquin.search.algorithms import AStar, DepthFirst, IDAStar
from taquin.search.result import Count, Limits, Stats
from taquin.search.run import Conventions, GoalTest, Ties
from taquin.system.machine import (
    machine,
    memory_ceiling,
    peak_memory,
    reset_peak,
    safe_memory,
    usable_cores,
)
from tests.cli.runs import printed, run

RUN = Run(*("key", "study", "board", "search", "1 0", "1 0", "single", "bfs"))
RECORD = Record(
    replace(RUN, limits=Limits(nodes=5), columns={"width": 4, "cost": "dear"}),
    ending=Ending.SOLVED,
    cost=3,
    lower_bound=3,
    stats=Stats(expanded=7, max_depth=2),
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells and limits what is held")
def test_a_process_cannot_grow_beyond_its_ceiling() -> None:
    with memory_ceiling(64 << 20):
        with pytest.raises(MemoryError):
            bytearray(256 << 20)
        assert len(bytearray(16 << 20))
    assert len(bytearray(256 << 20))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forgets the peak on request")
def test_the_peak_of_memory_is_that_of_one_run() -> None:
    held = bytearray(b"x") * (64 << 20)
    before = peak_memory()
    del held
    assert reset_peak()
    assert peak_memory() < before - (32 << 20)


def test_the_machine_is_told_in_words_and_shared_among_processes() -> None:
    assert "Python" in machine()
    assert usable_cores() >= 1
    one, two = safe_memory(1), safe_memory(2)
    assert one is None or (two is not None and two == one // 2)


def test_a_runner_lives_as_long_as_it_claims_jobs(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", write=True) as store:
        with JobClaims(store):
            assert living_runners(store) == 1
        assert living_runners(store) == 0


def test_a_row_has_every_field_counter_limit_and_column_and_rows_have_the_same_keys() -> None:
    row = row_of(RECORD)
    facts: dict[str, object] = {"expanded": 7, "max_depth": 2, "limit_nodes": 5, "cost": 3}
    facts |= {
        "limit_depth": None,
        "optimal": True,
        "ending": "solved",
        "width": 4,
        "column_cost": "dear",
    }
    assert {name: row[name] for name in facts} == facts
    first, second = Records([RECORD, Record(RUN, Ending.LIMIT)]).rows()
    assert list(first) == list(second)
    assert second["width"] is None


def test_records_become_a_data_frame_where_pandas_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UnsuitableError, match=r"taquin\[pandas\]"):
        Records([RECORD]).frame()
    monkeypatch.undo()
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = Records([RECORD, RECORD]).frame()
    assert list(frame["expanded"]) == [7, 7]


PLAIN = Study.of("plain", ["1 2 / 0 3"], [AStar()])


def keys(study: Study, code: str = "1") -> set[str]:
    return {job.key for job in jobs_of(study, code)}


def test_a_key_is_the_same_in_every_process_for_good_and_the_code_has_a_version() -> None:
    (job,) = jobs_of(PLAIN, "1")
    assert job.key == "47421a1ff373639d5393c3597751005b"
    release, _, digest = code_version().partition("+")
    assert release
    assert len(digest) == 12


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


KINDS = """
searches = [{ algorithm = ["astar", "greedy"] }]
[[boards]]
label = "classic"
start = "8 1 3 / 4 0 2 / 7 6 5"
[[boards]]
label = "named tiles and a wall"
start = ". . # / A B @ / . . ."
goal = "* * # / * A * / * B @"
[[boards]]
label = "slides"
metric = "multi"
start = "1 2 3 / 0 4 5 / 7 8 6"
[[boards]]
label = "solved"
start = "1 2 / 3 0"
[[boards]]
label = "no way"
start = "2 1 / 3 0"
"""


@pytest.fixture
def records(tmp_path: Path) -> Records:
    """Return the records of every kind of puzzle."""
    return run_study(study_of_toml(KINDS, "kinds"), tmp_path, processes=0)


def test_the_solution_of_every_solved_run_is_recorded_and_right(records: Records) -> None:
    assert {each.board for each in records if each.solution is None} == {"no way"}
    assert {each.board for each in records if each.solution == ""} == {"solved"}
    for record in records:
        if record.solution is not None:
            assert solution_fault(record) == ""
    classic = next(each for each in records if each.board == "classic")
    assert classic.solution is not None
    assert len(moves_on(Board.parse(classic.run.start), classic.solution)) == classic.cost


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"solution": "LLLLLLLL"}, "move"),
        ({"solution": "L"}, "not solved"),
        ({"solution": "no moves"}, "expected moves"),
        ({"cost": 3}, "the record says 3"),
        ({"cost": None}, "the record says none"),
    ],
)
def test_a_solution_that_is_not_what_the_record_says_is_found(
    records: Records, changes: dict[str, object], fault: str
) -> None:
    classic = next(each for each in records if each.board == "classic")
    assert fault in solution_fault(replace(classic, **changes))  # type: ignore[arg-type]
    assert "\n" not in solution_fault(replace(classic, **changes))  # type: ignore[arg-type]


def test_a_huge_study_may_leave_the_moves_out(tmp_path: Path) -> None:
    study = study_of_toml(f"record_moves = false\n{KINDS}", "kinds")
    found = run_study(study, tmp_path, processes=0)
    assert {each.solution for each in found} == {None}
    assert sum(each.solved for each in found) == 8


def test_replay_verifies_every_recorded_solution(records: Records, tmp_path: Path) -> None:
    right = printed("study", "replay", "kinds", "--store", str(tmp_path))
    assert right.startswith("kinds: 8 solutions are right: legal, ")
    solutions = {"classic": "L", "slides": None}
    wrong = [
        replace(record, solution=solutions.get(record.run.board, record.solution))
        for record in records
    ]
    (tmp_path / "kinds.sqlite").unlink()
    with Store(tmp_path / "kinds.sqlite", write=True) as store, store.transaction():
        store.add(wrong)
    result = run("study", "replay", "kinds", "--store", str(tmp_path))
    assert result.exit_code == 1
    assert "4 solutions are right" in result.stdout
    assert "2 solutions are wrong" in result.stdout
    assert "2 solved runs have no moves recorded" in result.stdout
    assert "astar(manhattan) on classic: after 1 move the board is not solved" in result.stderr


@pytest.mark.parametrize("search", ["astar", "idastar"])
def test_seconds_include_all_that_the_limit_counts(search: str, tmp_path: Path) -> None:
    hard = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
    goal = Goal.blank_first(4, 4)
    study = Study.of("hard", [hard], [search], goal=goal, limits=Limits(seconds=0.1))
    (record,) = study.run(tmp_path, processes=0)
    assert record.limit_reached == "seconds"
    assert record.seconds >= 0.1
    assert record.stats.cpu_seconds > 0
