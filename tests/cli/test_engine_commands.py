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


def test_the_compiled_search_says_how_many_groups_it_takes() -> None:
    five = "+".join(("A../.../...", ".A./.../...", "..A/.../...", ".../A../...", ".../.A./..."))
    done = run("solve", "123456780", "--tables", five)
    assert done.exit_code == 2
    assert "at most 4 partitions and 3 groups" in done.stderr
    compressed = run("solve", " ".join(map(str, [*range(1, 25), 0])), "--tables", "small~2")
    assert compressed.exit_code == 2
    assert "compressed tables serve the compiled search on up to 16 cells" in compressed.stderr
