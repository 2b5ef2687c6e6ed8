"""`taquin trace`: every view, JSON lines, replay, and where it is cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taquin.views import VIEWS
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_tells_the_search_to_its_end(view: str) -> None:
    result = run("trace", NEAR, "--view", view)
    assert result.exit_code == 0
    assert "olution" in result.stdout or '"event":"finished"' in result.stdout


@pytest.mark.parametrize(
    ("search", "first"),
    [("astar", "Try 1: score 2"), ("bfs", "Level 0: "), ("idastar", "Round 1 starts")],
)
def test_the_view_suits_the_search_unless_one_is_asked_for(search: str, first: str) -> None:
    assert run("trace", NEAR, "-a", search).stdout.startswith(first)


def test_json_lines_replay_to_the_same_text_in_every_view(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    file.write_text(run("trace", NEAR, "--json").stdout)
    for view in VIEWS:
        told = run("trace", NEAR, "--view", view).stdout
        again = run("trace", "--replay", str(file), "--view", view)
        assert again.exit_code == 0
        if view != "json":
            assert again.stdout == told
    piped = run("trace", "--replay", "-", text=file.read_text())
    assert piped.stdout == run("trace", NEAR, "--view", "commentary").stdout


def test_the_header_of_json_lines_names_the_puzzle_and_the_search() -> None:
    header = json.loads(run("trace", NEAR, "--view", "json").stdout.split("\n")[0])
    assert header["algorithm"] == "astar(manhattan)"
    assert header["puzzle"]["metric"] == "single"


def test_a_limit_cuts_after_so_many_steps() -> None:
    result = run("trace", "8 6 7 / 2 5 4 / 3 0 1", "--limit", "2")
    assert result.exit_code == 3
    assert "Try 2:" in result.stdout
    assert "Try 3:" not in result.stdout
    assert result.stderr == "Cut after 2 steps.\n"
    assert result.stdout.count("queue length") == 2


def test_a_limit_beyond_the_end_cuts_nothing() -> None:
    result = run("trace", NEAR, "--limit", "99")
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_limits_of_a_search_hold_for_a_trace() -> None:
    result = run("trace", "8 6 7 / 2 5 4 / 3 0 1", "--max-nodes", "10")
    assert result.exit_code == 3
    assert "limit of 10 nodes generated" in result.stdout


def test_an_unsolvable_board_leaves_with_status_1() -> None:
    assert run("trace", "1 2 3 / 4 5 6 / 8 7 0").exit_code == 1


def test_the_solution_is_walked_back_on_request() -> None:
    shown = run("trace", NEAR, "-a", "bfs", "--verify").stdout
    assert shown.endswith("This is the start: the solution of 2 moves is verified\n")
    as_json = run("trace", NEAR, "--json", "--verify")
    assert "verified" in as_json.stderr
    assert "verified" not in as_json.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: expected a trace, found nothing"),
        ("1 2 3\n", "line 1: expected a JSON object"),
        ("{}\n", "line 1: expected the first line of a trace"),
        ('{"format": "taquin-trace", "version": 1}\n{"event": "sneezed"}\n', "line 2: expected"),
    ],
)
def test_a_file_that_is_no_trace_is_named_with_the_line(
    content: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "no.jsonl"
    file.write_text(content)
    result = run("trace", "--replay", str(file))
    assert result.exit_code == 2
    assert f"Error: {file}: {said}" in result.stderr


def test_a_missing_file_and_a_board_beside_a_replay_are_refused(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    result = run("trace", "--replay", str(missing))
    assert (result.exit_code, result.stderr) == (
        2,
        f"Error: {missing}: No such file or directory\n",
    )
    both = run("trace", NEAR, "--replay", "-")
    assert both.exit_code == 2
    assert "not both" in both.stderr
