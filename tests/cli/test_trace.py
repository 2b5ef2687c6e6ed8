"""`taquin trace`: every view, JSON lines, replay, and where it is cut."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from taquin.search.algorithms import ALGORITHMS
from taquin.views import VIEWS
from tests.cli.runs import at_a_terminal, on_screen, printed, refusal, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"


@pytest.mark.parametrize(
    ("search", "first"),
    [("astar", "Try 1: f = g + h"), ("bfs", "Level 0: "), ("idastar", "Round 1 starts")],
)
def test_the_view_suits_the_search_unless_one_is_asked_for(search: str, first: str) -> None:
    assert run("trace", NEAR, "-a", search).stdout.startswith(first)


def test_json_lines_replay_to_the_same_text_in_every_view(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    file.write_text(run("trace", NEAR, "--json").stdout)
    for view in VIEWS:
        told = run("trace", NEAR, "--view", view).stdout
        again = printed("trace", "--replay", str(file), "--view", view)
        if view != "json":
            assert again == told
    piped = run("trace", "--replay", "-", text=file.read_text())
    assert piped.stdout == run("trace", NEAR, "--view", "commentary").stdout
    file.write_text("1 2 3\n")
    said = refusal("trace", "--replay", str(file))
    assert said.startswith(f"Error: {file}: line 1, column 3: expected a JSON object")


FAR = "8 6 7 / 2 5 4 / 3 0 1"


def test_a_limit_cuts_after_so_many_nodes_the_discarded_ones_included() -> None:
    result = run("trace", FAR, "--limit", "2")
    assert result.exit_code == 3
    assert "Try 2:" in result.stdout
    assert "Try 3:" not in result.stdout
    assert result.stderr == "Cut after 2 nodes dequeued.\n"
    assert result.stdout.count("queue length") == 2
    words = ("trace", FAR, "-a", "bfs(duplicates=dequeue)", "--limit", "13")
    created = run(*words, "--view", "created")
    assert len(created.stdout.splitlines()) == 13
    discarded = created.stdout.count("known already")
    assert discarded > 0
    cut = f"Cut after 13 nodes dequeued, {discarded} of them discarded.\n"
    assert created.stderr == cut
    levels = run(*words, "--view", "levels")
    assert len(levels.stdout.splitlines()) == 13 - discarded
    assert levels.stderr == cut
    assert "nodes dequeued" in " ".join(run("trace", "--help").stdout.split())


@pytest.mark.parametrize("search", ALGORITHMS)
def test_a_limit_is_the_number_that_the_ending_tells(search: str) -> None:
    """One node fewer than the search traverses cuts it; that many do not."""
    words = ("trace", "0 1 3 / 4 2 5 / 7 8 6", "-a", search, "--max-depth", "6", "--view", "levels")
    told = re.search(r"([\d,]+) nodes dequeued", run(*words).stdout)
    assert told
    nodes = int(told[1].replace(",", ""))
    assert run(*words, "--limit", str(nodes)).stderr == ""
    cut = run(*words, "--limit", str(nodes - 1))
    assert cut.stderr.startswith(f"Cut after {nodes - 1} nodes dequeued")
    assert "nodes dequeued" not in cut.stdout


@pytest.mark.parametrize(
    ("search", "second"),
    [
        ("astar", "f = g + h = 1 + 3 = 4"),
        ("greedy", "g + h = 1 + 3 = 4, f = 3"),
        ("wastar:weight=3", "g + h = 1 + 3 = 4, f = 10"),
        ("bfs", "f = g + h = 1 + 0 = 1"),
    ],
)
def test_the_view_created_shows_the_f_that_the_search_uses(search: str, second: str) -> None:
    lines = run("trace", "1 2 3 / 5 0 6 / 4 7 8", "-a", search, "--view", "created").stdout
    first, other, *_, last, ending = lines.splitlines()
    assert first.startswith("Step 1: 1 2 3 / 5 0 6 / 4 7 8: the start, ")
    assert other.startswith("Step 2: ")
    assert other.endswith(f": created in step 1, {second}")
    steps = last.split(":")[0].removeprefix("Step ")
    assert f" {steps} nodes dequeued" in ending


def test_s3s_times_and_costs_are_shown_like_s3_and_named() -> None:
    words = ("--view", "created", "--like", "s3")
    named, *lines = run("trace", NEAR, *words).stdout.splitlines()
    assert "as S3 counts them" in named
    assert "depth of the parent + the estimate" in named
    assert lines[1].endswith("created 2, traversed 3, estimated cost 2 = 0 + 2")
    assert lines[-1].startswith("S3 counts traversed nodes: 3 ")


def test_limits_and_status_hold_for_a_trace_and_its_solution_is_verified_on_request() -> None:
    result = printed("trace", FAR, "--max-nodes", "10", status=3)
    assert "limit of 10 nodes generated" in result
    assert run("trace", "1 2 3 / 4 5 6 / 8 7 0").exit_code == 1
    shown = run("trace", NEAR, "-a", "bfs", "--verify").stdout
    assert shown.endswith("This is the start: the solution of 2 moves is verified\n")
    as_json = run("trace", NEAR, "--json", "--verify")
    assert "verified" in as_json.stderr
    assert "verified" not in as_json.stdout


def test_what_a_screen_would_obey_is_shown_as_text(tmp_path: Path) -> None:
    file = tmp_path / "odd.jsonl"
    told = run("trace", NEAR, "--json").stdout
    file.write_text(told.replace('"f":2}', '"f":2,"side":"\\u001b[31mred"}'))
    _, shown = on_screen("trace", "--replay", str(file), "--view", "levels")
    assert "\x1b" not in shown
    assert "Level 0 from the \\x1b[31mred: " in shown


def test_step_goes_on_and_back_and_leaves_by_q_or_ctrl_c() -> None:
    with at_a_terminal("trace", NEAR, "--step", columns=40, status=3) as (say, await_text):
        first = await_text("step 1> ")
        assert first.startswith("Enter: next, b: back, q: quit\nTry 1: f = g + h = 0 + 2 = 2\n")
        assert max(map(len, first.split("\n"))) <= 40
        say("\n")
        assert "Try 2: " in await_text("step 2> ")
        say("b\n")
        assert "Try 1: " in await_text("step 1> ")
        say("b\n")
        assert "This is the first step." in await_text("step 1> ")
        say("what?\n")
        assert "Enter: next, b: back, q: quit" in await_text("step 1> ")
        say("q\n")
    with at_a_terminal("trace", NEAR, "--step", status=3) as (say, await_text):
        await_text("step 1> ")
        say("\x03")
        await_text("Stopped: interrupted.", again="\x03")


def test_step_ends_after_the_last_step_with_the_status_of_the_search() -> None:
    with at_a_terminal("trace", NEAR, "-a", "idastar", "--step", "--verify") as (say, await_text):
        for number in range(1, 5):
            shown = await_text(f"step {number}> ")
            say("\n")
        assert "Found a solution at depth 2 in 2 tries" in shown
        await_text("the solution of 2 moves is verified")
