"""The studies that come with taquin: they read, their runs are many but not too many, and those of
S3 print the figures of the document."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import tools.random24
from tools.random24 import SET, Entry, entries_in, faults_of, main

from taquin.analysis.likeness import LIKENESSES
from taquin.lab.report.document import Mark
from taquin.lab.report.reporting import report_of
from taquin.lab.report.spec import FigureSpec, TableKind, TableSpec, read_report
from taquin.lab.run.database import Records
from taquin.lab.study.definition import Case, Study, jobs_of
from taquin.lab.study.reading import read_study, shipped_studies, study_of_toml
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation import read_goal
from tests.cli.runs import run

STUDIES = [
    *("additive", "bidirectional", "branching", "korf-nodes", "korf100", "s2-heuristics"),
    *("s2-lengths", "s2-maxnodes", "s2-solved", "s3-goals", "s3-obstacles", "s3-simple"),
    *("s3-tiles", "s3-width", "s4-priorities", "scaling", "weighted"),
]


ROUND = "Iterative deepening, used once a round"
"""The iterative deepening of three of S3's studies."""


def test_the_set_random24_has_the_boards_of_its_seeds_and_sound_bounds() -> None:
    entries = list(entries_in(SET))
    assert [entry.seed for entry in entries] == list(range(1, len(entries) + 1))
    assert not [fault for entry in entries for fault in faults_of(entry)]
    goal = Goal.blank_last(5, 5)
    for entry in entries[::50]:
        board = run("scramble", "5x5", "--seed", str(entry.seed)).stdout.strip()
        assert entry.board.text() == board
        # The tests' own parity: of the permutation, and of the distance of the blank.
        cells = [int(label) for label in entry.board.cells]
        inversions = sum(a > b > 0 for place, a in enumerate(cells) for b in cells[place + 1 :])
        row, column = divmod(cells.index(0), 5)
        assert inversions % 2 == 0, "the board cannot be solved"
        assert entry.numbers["lower_bound"] % 2 == (4 - row + 4 - column) % 2
    page = Path("docs/random24.md").read_text("utf-8")
    assert sha256(SET.read_bytes()).hexdigest() in page
    solved = [entry.optimal for entry in entries if entry.optimal is not None]
    assert f"{len(entries)} boards, {len(solved)} with" in page
    assert f"mean {fmean(solved):.2f}" in page
    text = 'boards = [{ set = "random24" }]\nsearches = [{ algorithm = "bfs" }]'
    cases = study_of_toml(text).cases
    assert [case.start for case in cases] == [entry.board for entry in entries]
    assert all(case.puzzle.goal == goal for case in cases)


def test_a_damaged_entry_of_random24_is_found() -> None:
    entry = next(entries_in(SET))
    for key, value in (("lower_bound", 104), ("optimal", 104), ("manhattan", 79)):
        wrong = replace(entry, numbers=entry.numbers | {key: value})
        assert list(faults_of(wrong)), key
    assert list(faults_of(replace(entry, seed=2)))
    assert list(faults_of(replace(entry, moves="L")))


def test_boards_of_random24_are_solved_once_and_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = {"lower_bound": 4, "manhattan": 4}
    easy = Board("1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 0 18 19 20 / 21 17 22 23 24")
    monkeypatch.setattr(tools.random24, "board_of", lambda seed: easy)
    monkeypatch.setattr(tools.random24, "SET", tmp_path / "set.txt")
    (tmp_path / "set.txt").write_text(f"# a set\n{Entry(1, easy, numbers).line()}\n")
    results = tmp_path / "results.txt"
    words = ("solve", str(results), "--last", "2", "--seconds", "20")
    assert main(words) == 0
    once = results.read_text()
    assert [entry.optimal for entry in entries_in(results)] == [4, 4]
    assert main(words) == 0
    assert results.read_text() == once
    # The line of a run that was killed is left out, and its board solved again.
    results.write_text(once[:-5])
    assert main(words) == 0
    assert [entry.seed for entry in entries_in(results)] == [1, 2]
    assert main(("merge", str(results))) == 0
    merged = list(entries_in(tmp_path / "set.txt"))
    assert [(entry.seed, entry.optimal) for entry in merged] == [(1, 4), (2, 4)]
    assert all(entry.moves for entry in merged)
    assert main(("verify", str(tmp_path / "set.txt"))) == 0
    # A length that is there gets a solution of that length, and never changes.
    (tmp_path / "set.txt").write_text(f"{replace(merged[0], moves='').line()}\n")
    longer = replace(merged[0], moves=f"{merged[0].moves}RL", numbers=numbers | {"optimal": 6})
    longer.numbers["lower_bound"] = 6
    assert main(("merge", str(results))) == 0
    assert next(entries_in(tmp_path / "set.txt")) == merged[0]
    results.write_text(f"{longer.line()}\n")
    with pytest.raises(SystemExit, match="seed 1: 6, and 4 before"):
        main(("merge", str(results)))


def some_searches(name: str, *labels: str) -> Study:
    """Return a shipped study with these of its searches only."""
    study = read_study(name)
    kept = tuple(search for search in study.searches if search.label in labels)
    assert len(kept) == len(labels)
    return replace(study, searches=kept)


def ran(study: Study, folder: Path) -> Records:
    """Run a study in this process."""
    return study.run(folder, processes=0)


def test_all_the_studies_are_there() -> None:
    assert shipped_studies() == STUDIES


@pytest.mark.parametrize("name", STUDIES)
def test_a_shipped_study_reads_and_lists_its_runs(name: str) -> None:
    study = read_study(name)
    jobs = list(jobs_of(study, "test"))
    assert 20 <= len(jobs) <= 2_000
    assert len({job.key for job in jobs}) == len(jobs), "two runs are the same"
    assert study.name == name
    assert study.title
    assert study.description
    assert study.notes


@pytest.mark.parametrize("name", STUDIES)
def test_a_shipped_study_has_tables_and_figures_that_name_its_searches(name: str) -> None:
    study = read_study(name)
    report = read_report(study.report)
    labels = {search.label for search in study.searches}
    assert any(section.tables for section in report.sections)
    assert any(section.figures for section in report.sections)
    assert set(report.printed) <= labels
    assert all(set(case.printed) <= labels for case in study.cases)
    for section in report.sections:
        shown: list[TableSpec | FigureSpec] = [*section.tables, *section.figures]
        for each in shown:
            assert set(each.against) <= labels
            wanted = each.where.get("search", [])
            assert set(wanted if isinstance(wanted, list) else [wanted]) <= labels


S3 = {
    "s3-simple": ({"simple": (27855, 5255)}, {("Breadth-first", "simple")}),
    "s3-width": (
        {"3": (119, 32), "4": (196, 45), "5": (262, 45), "6": (306, 45), "7": (323, 45)}
        | {"8": (331, 45)},
        {("A*", "4")},
    ),
    "s3-tiles": ({"1": (354, 173), "2": (3411, 598), "3": (30792, 1917)}, set()),
    "s3-goals": (
        {"P1": (10891, 1634), "P2": (78133, 15769), "P3": (25105, 2454), "P4": (129207, 65052)}
        | {"P5": (90805, 14301), "P6": (129993, 69940)},
        set(),
    ),
    "s3-obstacles": (
        {"1": (91614, 53352), "2": (91537, 62685), "3": (74068, 22534), "4": (76588, 22417)}
        | {"1&2": (59958, 43894), "1&3": (25166, 13731), "1&2&3&4": (347, 324)},
        set(),
    ),
}
"""By study: the traversed nodes of breadth-first search and A*, and where S3 prints another."""


@pytest.mark.parametrize(
    "name",
    [
        *("s3-simple", "s3-width", "s3-tiles"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("s3-goals", "s3-obstacles")),
    ],
)
def test_an_s3_study_reports_the_exact_figures_of_breadth_first_and_a_star(
    name: str, tmp_path: Path
) -> None:
    figures, errata = S3[name]
    study = some_searches(name, "Breadth-first", "A*")
    cases = tuple(case for case in study.cases if case.label in figures)
    assert len(cases) == len(figures) > 0
    study = replace(study, cases=cases)
    table = next(report_of(study, ran(study, tmp_path)).tables)
    for column, found in figures.items():
        for search, nodes in zip(("Breadth-first", "A*"), found, strict=True):
            entry = table.entry((search, "measured"), column)
            other = (search, column) in errata
            assert entry.value == nodes
            assert entry.mark is (Mark.DIFFERENT if other else Mark.EQUAL)


BOTH = ("Breadth-first", "A*")
TRACES = ("Breadth-first to depth 3", "Depth-first to depth 3", "Iterative deepening to depth 2")
MEASURED = "measured"
FIGURES: dict[str, tuple[str, tuple[str, ...], str, int, list[tuple[Any, ...]]]] = {
    "A* is two moves too long past the obstacles 1 and 3": (
        *("s3-obstacles", BOTH, "1&3", 1),
        [("Breadth-first", 46), ("A*", 48)],
    ),
    "around the ring depth-first takes 67 nodes and iterative deepening about 11,450": (
        *("s3-obstacles", ("Depth-first", ROUND), "1&2&3&4", 0),
        [
            (("Depth-first", "median of {}"), Mark.EQUAL),
            *(((ROUND, end), pytest.approx(11_450, abs=10)) for end in ("lowest", "highest")),
        ],
    ),
    "depth-first spreads around the figure printed for one tile": (
        *("s3-tiles", ("Depth-first",), "1", 0),
        [(("Depth-first", "median of 15"), Mark.INSIDE)],
    ),
    "depth-first spreads around the figure printed for two tiles": (
        *("s3-tiles", ("Depth-first",), "2", 0),
        [(("Depth-first", "median of 15"), Mark.INSIDE)],
    ),
    "S3 prints the nodes of its traces, and the start is one more": (
        *("s3-simple", TRACES, "simple", 2),
        [
            *(((label, "printed"), n) for label, n in zip(TRACES, (22, 17, 11), strict=True)),
            ((TRACES[0], MEASURED), 23, Mark.OUTSIDE),
            ((TRACES[1], MEASURED), 17, Mark.INSIDE),
            ((TRACES[2], MEASURED), 11, Mark.INSIDE),
        ],
    ),
    "S4 prints ten states enqueued for puzzle04": (
        *("s4-priorities", (), "puzzle04", 0),
        [
            (("Manhattan, optimised", MEASURED), 10, Mark.EQUAL),
            (("Manhattan, plain", MEASURED), 13),
        ],
    ),
    "Korf's column of 1985 comes out exactly": (
        *("korf-nodes", (), "no. 79", 0),
        [(("IDA*", MEASURED), 540_860, Mark.EQUAL)],
    ),
}
"""What studies show: of some searches, for a board, in a table the figures and marks of rows."""


@pytest.mark.parametrize("fact", FIGURES)
def test_a_study_shows_the_figure_of_its_source(fact: str, tmp_path: Path) -> None:
    name, labels, board, number, rows = FIGURES[fact]
    study = some_searches(name, *labels) if labels else read_study(name)
    (case,) = (case for case in study.cases if case.label == board)
    study = replace(study, cases=(case,))
    table = list(report_of(study, ran(study, tmp_path)).tables)[number]
    for row, *expected in rows:
        seeds = len(study.searches[0].seeds)
        labelled = row if isinstance(row, str) else (row[0], row[1].format(seeds))
        entry = table.entry(labelled, board)
        for wanted in expected:
            assert wanted == (entry.mark if isinstance(wanted, Mark) else entry.value)


@pytest.mark.parametrize("label", ["Breadth-first", "Depth-first", "Iterative deepening", "A*"])
def test_the_rows_of_s3_simple_search_as_its_likeness_does(label: str) -> None:
    names = {"Breadth-first": "bfs", "Depth-first": "dfs", "Iterative deepening": "ids"}
    (search,) = some_searches("s3-simple", label).searches
    like = LIKENESSES["s3"].search(names.get(label, "astar"), {"bumps": None})
    assert str(search.algorithm) == str(like).replace(", bumps=true", "")


def test_iterative_deepening_at_width_3_is_near_its_print_only_with_nothing_left_out(
    tmp_path: Path,
) -> None:
    study = some_searches(
        "s3-width", "Iterative deepening", "Iterative deepening, nothing left out"
    )
    study = replace(study, cases=study.cases[:1])
    table = next(report_of(study, ran(study, tmp_path)).tables)
    like, plain = (search.label for search in study.searches)
    assert table.entry((like, "median of 30"), "3").mark is Mark.OUTSIDE
    assert table.entry((plain, "median of 30"), "3").mark is Mark.INSIDE
    few, many = (table.entry((label, "median of 30"), "3").value for label in (like, plain))
    assert few is not None
    assert many is not None
    assert few / many == pytest.approx(0.2, abs=0.05)


def test_korf_nodes_shows_all_hundred_boards_beside_his_column() -> None:
    shown = {case.start.text(): case.printed["IDA*"] for case in read_study("korf-nodes").cases}
    every = {case.start.text(): case.columns["nodes_1985"] for case in read_study("korf100").cases}
    assert len(shown) == 100
    assert shown == every


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_shipped_study_runs_to_its_report(name: str, tmp_path: Path) -> None:
    study = read_study(name)
    records = study.run(tmp_path)
    assert not any(record.ending.is_failure for record in records)
    report = report_of(study, records, len(records))
    assert all(table.rows for table in report.tables)
    assert all(any(series.points for series in figure.series) for figure in report.figures)


@pytest.mark.slow
def test_s3_only_four_slots_can_hold_an_obstacle(tmp_path: Path) -> None:
    study = some_searches("s3-obstacles", "Breadth-first")
    study = replace(study, cases=tuple(each for each in study.cases if "row" in each.columns))
    slots = list(report_of(study, ran(study, tmp_path)).tables)[-1]
    told = {row.labels[0]: [entry.text for entry in row.entries] for row in slots.rows}
    assert told == {row: ["no solution", "42", "42", "no solution"] for row in ("2", "3")}
    walls = {(case.columns["row"], case.columns["column"]): case.puzzle for case in study.cases}
    for (row, column), puzzle in walls.items():
        (wall,) = puzzle.goal.grid.walls
        assert divmod(wall, 4) == (int(row) - 1, int(column) - 1)


def test_s3_the_drawn_goal_and_the_verification_figure_take_the_nodes_of_the_notes(
    tmp_path: Path,
) -> None:
    study = some_searches("s3-simple", "Breadth-first", "A*")
    start = study.cases[0].start
    goals = {
        "* @ * * / * C * * / * B * * / * A * *": (12_809, 802),
        "* * * * / * * * * / * B C @ / A * * *": (1_286, 171),
    }
    cases = tuple(Case(goal, start, Puzzle(read_goal(goal))) for goal in goals)
    records = ran(replace(study, cases=cases), tmp_path)
    found = [record.stats.dequeued for record in records]
    assert found == [nodes for pair in goals.values() for nodes in pair]
    notes = " ".join(study.notes)
    assert all(f"{nodes:,}" in notes for nodes in found if nodes)


@pytest.mark.parametrize("name", [name for name in STUDIES if name.startswith("s2")])
def test_an_s2_study_shows_time_and_space(name: str) -> None:
    spec = read_report(read_study(name).report)
    tables = [table for section in spec.sections for table in section.tables]
    shown = {table.value.name for table in tables}
    has_overview = any(table.kind is TableKind.OVERVIEW for table in tables)
    assert has_overview or {"cpu_seconds", "max_frontier", "peak_memory"} <= shown


def test_s3_goals_draws_its_patterns(tmp_path: Path) -> None:
    study = some_searches("s3-goals", "A*")
    study = replace(study, cases=study.cases[:3])
    boards = report_of(study, ran(study, tmp_path)).sections[0].boards
    assert [board.label for board in boards] == ["start", "P1", "P2", "P3"]
    assert boards[3].cells[2] == ("@", "C", "B", "A")
