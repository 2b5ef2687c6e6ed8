"""`tables`, `explore` and the engine's options of `solve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import run

HARD = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"


def test_a_hard_15_puzzle_is_solved_without_any_option() -> None:
    done = run("solve", HARD, "--goal", "blank-first", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["cost"] == 57
    assert found["optimal"] is True
    assert found["engine"].startswith("cpu")
    assert found["stats"]["generated"] > 0


def test_a_board_can_be_shared_out_to_a_cluster() -> None:
    pytest.importorskip("distributed", reason="the cluster extra is not installed")
    done = run("solve", HARD, "--goal", "blank-first", "--cluster", "local:2", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["cost"] == 57
    assert found["optimal"] is True
    assert found["engine"] == "cluster, 2 workers"


def test_every_shortest_solution_is_one_line() -> None:
    done = run("solve", "1 2 3 / 7 4 5 / 0 8 6", "--all")
    assert done.exit_code == 0
    assert done.stdout == "DL2U\n"
    assert "1 shortest solution" in done.stderr
    several = run("solve", "8 6 7 / 2 5 4 / 3 0 1", "--all", "--most", "3", "--json")
    lines = [json.loads(line) for line in several.stdout.splitlines()]
    assert [len(moves) for moves in lines] == [31, 31, 31]


@pytest.mark.parametrize("name", ["table", "cpu", "glass"])
def test_an_engine_can_be_asked_for_by_name(name: str) -> None:
    done = run("solve", "8 6 7 / 2 5 4 / 3 0 1", "--engine", name, "--json")
    found = json.loads(done.stdout)
    assert (found["cost"], found["optimal"]) == (31, True)
    assert name in found["engine"]


def test_engines_are_listed_with_what_they_need() -> None:
    found = json.loads(run("engines", "--json").stdout)
    names = ["table", "gpu", "cpu", "cluster", "anytime", "general", "textbook", "glass"]
    assert [engine["name"] for engine in found] == names
    assert all(engine["available"] or engine["why_not"] for engine in found)
    assert "glass" in run("engines").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "123456708", "-a", "bfs", "--threads", "2"),
        ("solve", "123456708", "-H", "manhattan", "--tables", "large"),
        ("solve", "123456708", "--most", "2"),
        ("solve", "123456708", "--all", "--many"),
        ("solve", "123456708", "--all", "--cluster", "local:1"),
        ("solve", "123456708", "--engine", "nothing"),
        ("solve", "123456708", "--engine", "cluster"),
        ("solve", "123456708", "--engine", "table", "--threads", "2"),
        ("solve", "123456708", "--engine", "table", "-a", "bfs"),
        ("solve", "123456708", "--engine", "cpu", "--cluster", "local:1"),
        ("solve", HARD, "--engine", "table"),
        ("solve", "123456708", "--threads", "0"),
        ("solve", "123456708", "--threads", "2", "--cluster", "local:2"),
        ("solve", "123456708", "--cluster", "nowhere"),
        ("solve", "1 2 # / 3 0 4", "--goal", "1 2 # / 3 4 0", "--cluster", "local:1"),
        ("explore",),
        ("explore", "3", "3", "3"),
        ("explore", "3x"),
        ("explore", "4", "4", "--max-boards", "1000"),
        ("tables", "remove"),
        ("tables", "remove", "nothing-of-that-name"),
        ("tables", "build", "6x6"),
        ("tables", "build", "banana"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_sentence(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr


def test_explore_prints_the_boards_at_each_distance() -> None:
    done = run("explore", "2x3", "--json")
    assert run("explore", "2", "3", "--json").stdout == done.stdout
    found = json.loads(done.stdout)
    assert found["boards"] == 360
    assert found["radius"] == 21
    assert found["farthest"] == ["4 5 0 / 1 2 3"]
    walled = run("explore", "--goal", "1 2 # / 3 4 0")
    assert walled.exit_code == 0
    assert "radius" in walled.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("explore", "4", "4"), "4×4 has at least 10,461,394,944,000 boards"),
        (("explore", "30", "30"), "30×30 has at least 10^2269 boards"),
        (("explore", "100", "100"), "explore a smaller grid"),
        (("explore", "3", "4", "--max-memory", "10M"), "239,500,800 boards take 90 MB"),
        (("explore", "999x999"), "999×999 has 998,001"),
        (("audit", "manhattan", "--size", "100x100"), "has at least 10^35659 boards"),
        (("audit", "manhattan", "--size", "999x999"), "up to 10,000 cells"),
        (("tables", "build", "999x999"), "up to 10,000 cells"),
        (("enter", "--size", "999x999"), "up to 10,000 cells"),
    ],
)
def test_what_would_take_for_ever_is_refused_at_once(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    "words",
    [("3", "3"), ("--goal", "1 2 3 / 4 # 5 / 6 7 0")],
    ids=["compiled", "through the model"],
)
def test_explore_stopped_by_a_limit_shows_what_it_found(words: tuple[str, ...]) -> None:
    done = run("explore", *words, "--max-seconds", "0")
    assert "boards within 1 move." in done.stderr
    assert done.exit_code == 3
    assert "distance" in done.stdout
    assert "radius" not in done.stdout
    assert done.stderr.startswith("Stopped: limit of 0 seconds. ")
    found = json.loads(run("explore", *words, "--max-seconds", "0", "--json").stdout)
    assert (found["complete"], found["histogram"][0]) == (False, 1)
    assert json.loads(run("explore", *words, "--json").stdout)["complete"] is True


@pytest.mark.parametrize("limit", [("--max-seconds", "0"), ("--max-memory", "1")])
def test_a_limit_is_enough_to_explore_a_space_without_end(limit: tuple[str, str]) -> None:
    done = run("explore", "5x5", *limit, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["complete"]) == (3, False)
    assert found["histogram"] == [1, 2, 4, 10, 26][: len(found["histogram"])]
    refused = run("explore", "5x5", *limit, "--max-boards", "1000")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "or limit the seconds instead" in run("explore", "5x5").stderr


def test_a_table_that_cannot_be_kept_is_not_called_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "file" / "cache"))
    done = run("tables", "build", "2x4")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "was built, but not kept" in done.stderr.splitlines()[-1]


def test_tables_can_be_built_listed_verified_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    assert "0 tables" in run("tables", "list").stdout
    built = run("tables", "build", "2x4")
    assert built.exit_code == 0
    assert run("tables", "build", "2", "4").stdout == built.stdout
    names = [line.split()[0] for line in built.stdout.splitlines()]
    assert names
    listed = run("tables", "list", "--json")
    assert {json.loads(line)["name"] for line in listed.stdout.splitlines()} == set(names)
    assert run("tables", "verify").exit_code == 0
    damaged = next((tmp_path / "cache").glob("*.table"))
    content = bytearray(damaged.read_bytes())
    content[5000] ^= 1
    damaged.write_bytes(content)
    assert run("tables", "verify").exit_code == 1
    assert run("tables", "remove", "--all").exit_code == 0
    assert "0 tables" in run("tables", "list").stdout


def test_tables_of_ones_own_are_built_described_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    board = "8 6 7 / 2 5 4 / 3 0 1"
    built = run("tables", "build", "3x3", "--pattern", "1 2 4 5 / 3 6 / 7 8 ~4")
    assert built.stdout.splitlines() == ["3x3-0.1-b2-min4 is ready", "3x3-0.1.3.4-b2-min4 is ready"]
    words = ("tables", "stats", "3x3", "--pattern", "AAB/AAB/CC.~4", "--sample", "200", "--json")
    found = json.loads(run(*words).stdout)
    assert [table["placements"] for table in found["tables"]] == [72, 3024]
    assert sum(found["estimates"]["counts"]) == 200
    for tables in ("AAB/AAB/CC.", "1 2 4 5 / 3 6 / 7 8~4", "small~2"):
        solved = json.loads(run("solve", board, "--tables", tables, "--json").stdout)
        assert (solved["cost"], solved["optimal"]) == (31, True)
        assert solved["engine"].startswith("cpu")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", "123456780", "--tables", "AABB/AAB."), "3 rows of 3 letters or dots"),
        (("solve", "123456780", "--tables", "huge"), "small, medium, large, none, or patterns"),
        (("solve", "123456780", "--tables", "small~5"), "2, 4, 8 or 16"),
        (("tables", "build", "3x3", "--pattern", "1 2 / 9"), "found '9'"),
        (("tables", "stats", "5x5", "--pattern", "1 2 3 4 5 6 7 / 8"), "1 to 6 tiles on 5×5"),
        (("solve", "123456780", "-H", "patterns(AAB/AAB)"), "3 rows of 3 letters or dots"),
    ],
)
def test_patterns_that_do_not_fit_are_refused_in_a_sentence(
    words: tuple[str, ...], said: str
) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_compiled_search_says_how_many_groups_it_takes() -> None:
    five = "+".join(("A../.../...", ".A./.../...", "..A/.../...", ".../A../...", ".../.A./..."))
    done = run("solve", "123456780", "--tables", five)
    assert done.exit_code == 2
    assert "at most 4 partitions and 3 groups" in done.stderr
    compressed = run("solve", " ".join(map(str, [*range(1, 25), 0])), "--tables", "small~2")
    assert compressed.exit_code == 2
    assert "compressed tables serve the compiled search on up to 16 cells" in compressed.stderr
