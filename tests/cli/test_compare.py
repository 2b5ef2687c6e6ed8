"""`taquin compare`: the table, JSON, CSV, and searches in one word."""

from __future__ import annotations

import csv
import io
import json

import click
import pytest

from taquin.cli.compare import DEFAULT
from taquin.errors import UnsuitableError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.search.algorithms import AStar, Beam, CappedBeam, IDAStar
from taquin.search.conventions import Conventions, Duplicates, Ties
from taquin.search.grammar import search_named
from tests.cli.runs import on_screen, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"


def test_the_table_has_a_line_for_each_search() -> None:
    result = run("compare", NEAR, "-a", "bfs", "-a", "astar:misplaced")
    assert result.exit_code == 0
    heading, bfs, astar = (line.split() for line in result.stdout.splitlines())
    assert heading[:3] == ["search", "moves", "expanded"]
    assert bfs[:2] == ["bfs", "2"]
    assert astar[:2] == ["astar(misplaced)", "2"]


def test_without_searches_those_of_the_textbooks_run() -> None:
    lines = run("compare", NEAR).stdout.splitlines()
    assert [line.split("(")[0].split()[0] for line in lines[1:]] == [
        name.split(":")[0] for name in DEFAULT
    ]


def test_json_is_a_list_of_results() -> None:
    found = json.loads(run("compare", NEAR, "-a", "ids", "-a", "idastar", "--json").stdout)
    assert [each["algorithm"] for each in found] == ["ids", "idastar(manhattan)"]
    assert all(each["cost"] == 2 and each["optimal"] for each in found)


def test_csv_has_a_row_for_each_search() -> None:
    text = run("compare", NEAR, "-a", "bfs", "-a", "wastar:weight=2", "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["algorithm"] for row in rows] == ["bfs", "wastar(manhattan, weight=2)"]
    assert all(row["cost"] == "2" for row in rows)
    assert {"outcome", "optimal", "expanded", "seconds"} <= set(rows[0])


def test_the_limits_hold_for_each_search_and_are_explained() -> None:
    far = "8 6 7 / 2 5 4 / 3 0 1"
    result = run("compare", far, "-a", "bfs", "-a", "greedy", "--max-nodes", "1000")
    assert result.exit_code == 0
    assert [line.split()[1] for line in result.stdout.splitlines()[1:3]] == ["limit", "47"]
    assert "bfs: limit of 1,000 nodes generated" in result.stdout
    assert run("compare", far, "-a", "bfs", "--max-nodes", "1000").exit_code == 3


def test_an_unsolvable_board_leaves_with_status_1() -> None:
    assert run("compare", "1 2 3 / 4 5 6 / 8 7 0", "-a", "bfs", "-a", "ids").exit_code == 1


def test_json_and_csv_exclude_each_other() -> None:
    assert run("compare", NEAR, "--json", "--csv").exit_code == 2


@pytest.mark.parametrize("columns", [120, 80, 60, 40])
def test_every_column_is_on_the_screen_however_narrow_it_is(columns: int) -> None:
    words = ("-a", "bfs", "-a", "astar:duplicates=parent:ties=low-h", "--like", "s3")
    shown = click.unstyle(on_screen("compare", NEAR, *words, columns=columns)[1])
    told = " ".join(shown.split())
    for heading in ("moves", "expanded", "time", "shortest", "generated", "frontier", "least"):
        assert heading in told
    assert told.count("search ") == told.count("bfs(duplicates=dequeue,") >= (columns < 120) + 1
    assert "low-h" in told
    assert max(map(len, shown.splitlines())) <= columns


def test_a_table_like_that_of_a_source_has_the_count_it_speaks_of() -> None:
    text = run("compare", "0 1 3 / 4 2 5 / 7 8 6", "--like", "s4", "-a", "astar").stdout
    heading, row, meaning = text.splitlines()
    assert "states enqueued, S4" in heading
    assert row.split()[:4] == ["astar(manhattan,", "duplicates=parent)", "4", "10"]
    assert meaning.startswith("states enqueued, S4: entries ever put into the frontier")
    words = ("compare", NEAR, "--like", "korf", "-a", "bfs", "-a", "bidirectional")
    bfs, other = json.loads(run(*words, "--json").stdout)
    counts = bfs["stats"]
    assert bfs["like"]["value"] == counts["generated"] - counts["duplicates"] + 1
    assert other["like"]["value"] is None
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv").stdout)))
    assert [row["nodes generated, Korf (1985)"] for row in rows] == [str(bfs["like"]["value"]), ""]


@pytest.mark.parametrize(
    ("word", "search"),
    [
        ("astar", AStar(Manhattan())),
        ("idastar:linear-conflict", IDAStar(LinearConflict())),
        ("wastar:h2:weight=1.5", AStar(Manhattan(), weight=1.5)),
        ("beam:width=7", Beam(width=7)),
        ("capped-beam:cap=7", CappedBeam(cap=7)),
        (
            "astar:manhattan:duplicates=parent:ties=low-h",
            AStar(
                Manhattan(), conventions=Conventions(duplicates=Duplicates.PARENT, ties=Ties.LOW_H)
            ),
        ),
    ],
)
def test_a_search_can_be_written_in_one_word(word: str, search: object) -> None:
    assert search_named(word) == search


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("", "expected a name"),
        ("bfs:manhattan", "bfs has no use for heuristic"),
        ("astar:h1:h2", "one heuristic"),
        ("astar:colour=red", "no option 'colour'"),
        ("beam:width=wide", "found 'wide'"),
        ("beam:width=0", "1 or more, not 0"),
        ("astar:ties=random", "found 'random'"),
        ("astar:", "expected a name"),
    ],
)
def test_a_word_that_describes_no_search_is_explained(word: str, said: str) -> None:
    with pytest.raises(UnsuitableError) as raised:
        search_named(word)
    assert said in str(raised.value)
