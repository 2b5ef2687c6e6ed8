"""Study files: what they say is what is run, and an error names the key at fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import taquin as tq
from taquin.lab.report.document import FigureKind
from taquin.lab.report.measures import MEASURES
from taquin.lab.report.spec import ErrorBars, Statistic, TableKind, read_report
from taquin.lab.study.definition import Search, Study, jobs_of, named_sets
from taquin.lab.study.reading import read_study, study_of_toml
from taquin.model.scramble import random_board, random_walk
from taquin.model.solvability import solvability

ONE_BOARD = 'boards = [{ start = "1 2 / 0 3" }]\n'
ONE_SEARCH = 'searches = [{ algorithm = "bfs" }]\n'


def test_a_study_says_everything_about_itself() -> None:
    study = study_of_toml(
        """
        name = "mine"
        title = "A title"
        description = "What it asks."
        notes = ["one", "two"]
        repetitions = 3
        [limits]
        nodes = ["1k", 2_000]
        seconds = 1.5
        depth = 80
        memory = "2G"
        counting = "dequeued"
        [[boards]]
        label = "P1"
        start = "A B / _ ."
        goal = "* A / B _"
        metric = "multi"
        columns = { row = 2, name = "x" }
        printed = { "BFS" = 10891 }
        [[searches]]
        label = "BFS"
        algorithm = "bfs"
        columns = { kind = "blind" }
        [report]
        anything = { goes = 1 }
        """
    )
    assert (study.name, study.title, study.description) == ("mine", "A title", "What it asks.")
    assert (study.notes, study.repetitions) == (("one", "two"), 3)
    assert study.limits == tuple(
        tq.Limits(nodes, 1.5, 80, 2 * 10**9, tq.search.Count.DEQUEUED) for nodes in (1000, 2000)
    )
    (case,) = study.cases
    assert case.puzzle.metric is tq.Metric.MULTI
    assert (case.start.text(), case.puzzle.goal.text()) == ("A B / 0 .", "* A / B 0")
    assert (case.label, case.columns, case.printed) == (
        "P1",
        {"row": 2, "name": "x"},
        {"BFS": 10891},
    )
    assert study.searches == (
        Search("BFS", tq.BreadthFirst(), columns={"method": "bfs", "kind": "blind"}),
    )
    assert study.report == {"anything": {"goes": 1}}
    assert len(list(jobs_of(study))) == 2 * 3


def test_searches_engines_and_own_code_are_written_in_the_grammar_and_lists_multiplied() -> None:
    study = study_of_toml(
        ONE_BOARD
        + """
        [[searches]]
        algorithm = ["astar(manhattan, weight=2)", "idastar:linear-conflict"]
        [[searches]]
        engine = ["cpu", "cpu(tables=large)"]
        [[searches]]
        engine = "glass"
        algorithm = "bfs"
        [[searches]]
        algorithm = ["greedy", "mine.py:Search"]
        heuristic = ["patterns(small)", "mine.py:f"]
        [[searches]]
        label = "each {algorithm} {heuristic}"
        algorithm = ["bfs", "astar", "idastar"]
        heuristic = ["h1", "manhattan"]
        """
    )
    assert [(each.label, each.engine, each.columns["method"]) for each in study.searches[:8]] == [
        ("wastar(manhattan, weight=2)", "auto", "astar(manhattan, weight=2)"),
        ("idastar(linear-conflict)", "auto", "idastar:linear-conflict"),
        ("cpu", "cpu", "cpu"),
        ("cpu(tables=large)", "cpu(tables=large)", "cpu(tables=large)"),
        ("bfs", "glass", "bfs"),
        ("greedy(patterns(small))", "auto", "greedy"),
        ("greedy(mine.py:f)", "auto", "greedy"),
        ("mine.py:Search", "auto", "mine.py:Search"),
    ]
    expected: dict[str, tq.Algorithm | None] = {
        "each bfs": tq.BreadthFirst(),
        "each astar h1": tq.AStar(tq.Misplaced()),
        "each astar manhattan": tq.AStar(tq.Manhattan()),
        "each idastar h1": tq.IDAStar(tq.Misplaced()),
        "each idastar manhattan": tq.IDAStar(tq.Manhattan()),
    }
    assert {search.label: search.algorithm for search in study.searches[8:]} == expected


def test_conventions_are_laid_upon_those_of_the_algorithm() -> None:
    study = study_of_toml(
        ONE_BOARD
        + """
        [conventions.s3]
        duplicates = "dequeue"
        directions = "RLDU"
        [[searches]]
        algorithm = "astar"
        heuristic = "manhattan-agent"
        conventions = ["s3", { ties = "heap", bumps = true }]
        [[searches]]
        algorithm = "idastar"
        conventions = { directions = "UDLR" }
        """
    )
    first, second = (search.algorithm for search in study.searches)
    assert first == tq.AStar(
        tq.heuristics.ManhattanWithAgent(),
        conventions=tq.search.Conventions(
            duplicates=tq.search.Duplicates.DEQUEUE,
            ties=tq.search.Ties.HEAP,
            directions=(tq.Direction.RIGHT, tq.Direction.LEFT, tq.Direction.DOWN, tq.Direction.UP),
            bumps=True,
        ),
    )
    assert second is not None
    assert second.conventions.duplicates is tq.IDAStar().conventions.duplicates


def test_seeds_go_to_the_searches_that_draw_lots() -> None:
    study = study_of_toml(
        "seeds = 2\n"
        + ONE_BOARD
        + """
        searches = [
            { algorithm = ["bfs", "dfs"] },
            { label = "fixed", algorithm = "dfs", seeds = [] },
            { label = "three", algorithm = "ids", seeds = [7, 8, 9] },
        ]
        """
    )
    assert {search.label: search.seeds for search in study.searches} == {
        "bfs": (),
        "dfs": (1, 2),
        "fixed": (),
        "three": (7, 8, 9),
    }
    runs = [(job.run.search, job.algorithm, job.run.seed) for job in jobs_of(study)]
    expected: list[tuple[str, tq.Algorithm | None, int | None]] = [
        ("bfs", tq.BreadthFirst(), None),
        ("dfs", tq.DepthFirst(seed=1), 1),
        ("dfs", tq.DepthFirst(seed=2), 2),
    ]
    assert runs[:3] == expected
    assert ("fixed", tq.DepthFirst(), None) in runs


def test_a_search_may_have_options_limits_and_the_engine_s_own_choice() -> None:
    study = study_of_toml(
        ONE_BOARD
        + """
        searches = [
            { algorithm = "capped-beam", cap = 5, limits = { nodes = 7 } },
            { label = "fastest", algorithm = "best" },
            { label = "w", algorithm = "wastar", weight = [2, 3] },
        ]
        """
    )
    beam, best, two, three = study.searches
    assert beam.algorithm == tq.search.CappedBeam(cap=5)
    assert beam.limits == (tq.Limits(nodes=7),)
    assert best.algorithm is None
    assert (two.algorithm, three.algorithm) == (tq.AStar(weight=2), tq.AStar(weight=3))
    assert (two.columns["weight"], three.columns["weight"]) == (2, 3)


def test_random_boards_are_those_of_their_seeds() -> None:
    study = study_of_toml(
        """
        goal = "blank-first"
        boards = [
            { scramble = { size = "3x3", moves = [5, 9], count = 2, seed = 4 } },
            { uniform = { size = "2x3", count = 2, seed = 1 }, goal = "snail" },
            { uniform = { count = 1 }, goal = "* A / B _", label = "named" },
        ]
        """
        + ONE_SEARCH
    )
    eight, six = tq.Goal.blank_first(3, 3), tq.Goal.snail(2, 3)
    assert [case.start for case in study.cases[:6]] == [
        *(random_walk(eight, moves, 4, number=each) for moves in (5, 9) for each in (1, 2)),
        *(random_board(six, 1, number=each) for each in (1, 2)),
    ]
    columns = {"size": "3x3", "moves": 9, "board_seed": 4, "board_number": 1}
    assert study.cases[2].columns == columns
    assert [case.label for case in study.cases[4:]] == ["2x3 #1", "2x3 #2", "named #1"]


def test_reversed_boards_have_start_and_goal_exchanged() -> None:
    text = """
    searches = [{ algorithm = "bfs" }]
    [[boards]]
    start = "1 2 3 / 4 0 5 / 7 8 6"
    [[boards]]
    start = "1 2 3 / 4 0 5 / 7 8 6"
    label = "backwards"
    reversed = true
    """
    there, back = study_of_toml(text).cases
    goals = back.puzzle.goal.cells, there.puzzle.goal.cells
    assert (there.start.cells, back.start.cells) == goals
    with pytest.raises(tq.TaquinError, match="reversed: expected a goal that is one board"):
        study_of_toml('goal = "1 2 * / * * * / * * *"\n' + text)


def test_boards_come_from_files_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("# two boards\n1 2 / 0 3\n0 1 / 3 2\n")
    (tmp_path / "one.txt").write_text("3\n1 2 3\n4 5 6\n7 8 0\n")
    (tmp_path / "mine.toml").write_text(
        'boards = [{ file = "many.txt" }, { file = "one.txt" }]\n' + ONE_SEARCH
    )
    study = read_study(tmp_path / "mine.toml")
    assert study.name == "mine"
    assert [case.start.text() for case in study.cases] == [
        "1 2 / 0 3",
        "0 1 / 3 2",
        "1 2 3 / 4 5 6 / 7 8 0",
    ]
    assert [case.label for case in study.cases] == ["many 1", "many 2", "one 3"]


def test_the_named_sets_have_all_of_their_boards_and_korf_s_are_solvable() -> None:
    study = study_of_toml('boards = [{ set = "korf100" }]\n' + ONE_SEARCH)
    assert len(study.cases) == 100
    nodes = 276_361_933
    assert study.cases[0].columns == {"optimal": 57, "manhattan": 41, "nodes": nodes} | {
        "nodes_1985": nodes
    }
    for case in study.cases:
        assert case.puzzle.goal == tq.Goal.blank_first(4, 4)
        assert solvability(case.puzzle, case.start).answer is tq.Solvability.YES
    few = study_of_toml('boards = [{ set = "korf100", numbers = [79, 3] }]\n' + ONE_SEARCH)
    assert [case.label for case in few.cases] == ["korf100 79", "korf100 3"]
    texts = {name: f'boards = [{{ set = "{name}" }}]\n' + ONE_SEARCH for name in named_sets()}
    counts = {name: len(study_of_toml(text).cases) for name, text in texts.items()}
    assert counts == {"korf100": 100, "random24": 1000}


SLIPS = r"""
boards = [{}] · boards[1]: expected one of start, starts, file
boards { unform = 5 } · unform: there is no such key. Did you
boards { start = "1 2 3" } · start: line 1, column 5
boards { start = "1 2 / 0 3", goal = "1 2 / 3 4" }
    · goal: a goal that names every cell needs one blank
boards { file = "none.txt" } · file: none.txt cannot be
boards { set = "korf100", printed = { bfs = "noodles" } }
    · printed.bfs: expected one of optimal, manhattan, nodes, nodes_1985, found 'noodles'
boards { set = "korf" } · set: there is no set 'korf'
boards { set = "korf100", numbers = 101 } · numbers: korf100 has boards 1 to 100, found 101
boards { scramble = { size = "3x3" } } · scramble.moves: expected a whole number
boards { scramble = { size = "3x3", moves = "many" } }
    · scramble.moves: expected whole numbers from 0 to 1,000,000, found 'many'
boards { uniform = { size = "three" } } · uniform.size: expected rows x columns
boards { start = "1 2 / 0 3", columns = { a = [1] } } · columns.a: expected a text, a number
boards { start = "1 2 / 0 3", lable = "x" } · lable: there is no such key. Did you mean label?
searches { algorithm = "astr" } · algorithm: there is no
searches = [{}] · searches[1].algorithm: expected one of bfs
searches { algorithm = "bfs", heuristic = "h1" } · heuristic: bfs does not support heuristic
searches { algorithm = "astar", heuristic = "h9" } · heuristic: there is no heuristic 'h9'
searches { algorithm = "astar", conventions = "s3" } · conventions: there is no [conventions.s3]
searches { algorithm = "astar", conventions = { ties = "no" } } · conventions.ties: expected fifo,
searches { algorithm = "bfs", seeds = 3 } · seeds: bfs makes no random choices
searches { algorithm = "bfs", label = "{color}" } · label: expected {algorithm}
searches { algorithm = "beam", width = "x" } · width: expected a whole number for width, found 'x'
searches { algorithm = "astar", heuristic = 3 } · heuristic: expected a text in quotes, found 3
searches { algorithm = "astar(h1)", heuristic = "h2" }
    · heuristic: heuristic is already given in the brackets of astar
searches { algorithm = "idastar", conventions = { ties = "heap" } }
    · conventions.ties: idastar does not support ties; it takes heuristic,
searches { algorithm = "dfs(goal_test=generation)" } · algorithm: dfs does not support goal-test
searches { algorithm = "astar(foo=1)" } · algorithm: astar does not support foo; it takes heuristic,
searches { algorithm = "best", heuristic = "h1" } · heuristic: best does not support heuristic
searches { algorithm = "mine.py:f", conventions = { bumps = true } }
    · conventions.bumps: mine.py:f does not support conventions
searches { engine = "cpu(color=red)" } · engine: the engine cpu does not support color
searches { engine = "cpu", algorithm = "astar" }
    · engine: cpu has its own search, it does not run astar
limits = { nodes = -1 } · limits.nodes: expected a number
limits = { time = 1 } · limits.time: there is no such key
limits = { seconds = '1' } · limits.seconds: expected a number of 0 or more, found '1'
repetitions = 0 · repetitions: expected a number from 1 to 1,000,000, found 0
metric = 'x' · metric: there is no choice 'x'. Expected one of single, multi
title = 3 · title: expected a text in quotes, found 3
name = 'a b' · a study's name has letters
limits.nodes = 1e400 · limits.nodes: … 9,223,372,036,854,775,807, found inf
limits.nodes = 9223372036854775808 · limits.nodes: … 9,223,372,036,854,775,807, found a
limits.nodes = '9e30' · limits.nodes: … 9,223,372,036,854,775,807, found '9
limits.memory = '99999999T' · limits.memory: expected 0 to
limits.seconds = inf · limits.seconds: … found inf
searches { algorithm = 'dfs', seeds = [9223372036854775808] }
    · seeds[1]: expected a number of at most 9,223,372
report.printed.x.y = 9223372036854775808 · report.printed.x.y: expected
boards { start = '1 2 / 0 3', printed = { x = 18446744073709551616 } }
    · printed.x: expected a number of at most 9,223,372,
repetitions = 1_000_000_000_000 · repetitions: expected a number from 1 to
repetitions = 1e12 · repetitions: expected a whole number
seeds = 1_000_000_000_000 · seeds: expected a number from 1 to 1,000,000
searches = 'x' · searches: expected one [[searches]] … found 'x'
searches { algorithm = 'beam', width = 2.5 } · width: expected a whole number for width, found '2.5'
searches { algorithm = 'astar', weight = true }
    · weight: expected a number such as 2 or 1.5 for weight
searches { algorithm = 'bfs', label = '{algorithm[x]}' }
    · label: expected {algorithm}, {heuristic} or another
searches { algorithm = 'bfs', label = '{algorithm:>99999999999}' }
    · label: expected {algorithm}, {heuristic} or another
searches { algorithm = 'bfs', label = '{' } · label: expected {algorithm}, {heuristic} or another
searches { algorithm = 'bfs', label = '{}' } · label: expected {algorithm}, {heuristic} or another
searches { algorithm = 'bfs', label = '{a} }' }
    · label: expected {algorithm}, {heuristic} or another
boards { uniform = { size = '3x3', count = 1_000_000_000_000 } }
    · uniform.count: expected a number from 1 to
boards { scramble = { size = '3x3', moves = 1_000_000_000_000 } } · scramble.moves: expected whole
boards { uniform = { size = '999x999' } } · uniform.size: expected at most 10,000 cells
boards { uniform = { sise = '3x3' } } · uniform.sise: there is no such key. Did you mean size?
"""
"""Ends of study files, where `boards` and `searches` have one entry of these keys, and how the
errors begin; … stands for any words."""


def slips() -> Iterator[tuple[str, str]]:
    """Yield study files with a slip, and how their errors begin."""
    for line in SLIPS.strip("\n").replace("\n    ", " ").split("\n"):
        text, _, message = line.partition(" · ")
        if entry := re.fullmatch(r"(boards|searches) (\{.*\})", text):
            text, message = f"{entry[1]} = [{entry[2]}]", f"{entry[1]}[1].{message}"
        yield (
            ONE_BOARD * ("boards" not in text) + ONE_SEARCH * ("searches" not in text) + text,
            message,
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *slips(),
        ("boards = ", "this is not TOML"),
        (ONE_BOARD + ONE_SEARCH + r'"\u001b[31m" = 1', r"\x1b[31m: there is no such key"),
        ("", "boards: expected one [[boards]] or more, found nothing"),
        (ONE_BOARD, "searches: expected one [[searches]] or more, found nothing"),
        (ONE_BOARD + ONE_SEARCH + "repetitions = " + "9" * 5000, "repetitions: expected a number"),
        (ONE_BOARD + ONE_SEARCH + "x = " + "[" * 10_000 + "]" * 10_000, "this is not a study"),
        (ONE_BOARD + ONE_SEARCH + "x = " + "[" * 50 + "]" * 50, "x[1] … expected at most 20"),
        (
            ONE_BOARD + "repetitions = 1_000_000\nseeds = 99\nsearches = [{ algorithm = 'dfs' }]",
            "expected a study of at most 10,000,000 runs, found 99,000,000",
        ),
    ],
)
def test_a_slip_in_a_study_file_is_named_by_its_key(text: str, message: str) -> None:
    with pytest.raises(tq.TaquinError) as raised:
        study_of_toml(text)
    pattern = "(?s:.*)".join(map(re.escape, message.split(" … ")))
    assert re.match(pattern, str(raised.value)), str(raised.value)
    assert len(str(raised.value)) < 400


def test_a_study_that_is_not_there_is_told_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(tq.TaquinError, match="there is no study 'none'"):
        read_study("none")
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(tq.TaquinError, match="found a file that is not text"):
        read_study(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_text("x = 1")
    with pytest.raises(tq.TaquinError, match=r"b\.toml: "):
        read_study(tmp_path / "b.toml")


def test_two_boards_or_searches_of_one_label_are_refused() -> None:
    with pytest.raises(tq.errors.UnsuitableError, match="two searches labelled 'bfs'"):
        Study.of("twice", ["1 2 / 0 3"], [tq.BreadthFirst(), tq.BreadthFirst()])
    same = 'boards = [{ label = "x", start = "1 2 / 0 3" }, { label = "x", start = "0 1 / 3 2" }]\n'
    with pytest.raises(tq.errors.UnsuitableError, match="two boards labelled 'x'"):
        study_of_toml(same + ONE_SEARCH)


def test_blocks_of_random_boards_of_one_size_are_numbered_on() -> None:
    study = study_of_toml(
        """
        searches = [{ algorithm = "astar" }]
        [[boards]]
        uniform = { size = "3x3", count = 2, seed = 1 }
        [[boards]]
        scramble = { size = "3x3", moves = [5, 9], seed = 1 }
        [[boards]]
        uniform = { size = "3x3", count = 1, seed = 2 }
        [[boards]]
        scramble = { size = "3x3", moves = 5, seed = 2 }
        """
    )
    assert [case.label for case in study.cases] == [
        *("3x3 #1", "3x3 #2", "3x3 5 moves #1", "3x3 9 moves #1", "3x3 #3", "3x3 5 moves #2")
    ]


PAGE = Path(__file__).parents[2].joinpath("docs/lab.md").read_text(encoding="utf-8")


def test_the_studies_of_the_page_read() -> None:
    first, conventions, own, files, report = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    study = study_of_toml(f"{first}\n{report}")
    labels = [search.label for search in study.searches]
    assert labels[:2] == ["astar misplaced", "astar manhattan"]
    spec = read_report(study.report)
    assert set(spec.sections[0].tables[0].against) <= set(labels)
    boards = "boards = [{ start = '. . / A @', goal = '* A / * @' }]\n"
    assert study_of_toml(boards + conventions).searches[0].label == "A*"
    study = study_of_toml(files + boards + own)
    assert study.searches[1].label == "astar(mine.py:my_heuristic)"
    assert study.files.names == ("tab.pkl", "data/weights.npy")


def test_the_page_names_every_measure_statistic_and_kind() -> None:
    words = set(re.findall(r"[a-z_]+", PAGE))
    assert set(MEASURES) <= words
    for names in (Statistic, ErrorBars, TableKind, FigureKind):
        assert {member.value for member in names} <= words
