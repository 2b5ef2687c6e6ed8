"""What each address answers; truth is what the library says of the same board."""

from __future__ import annotations

import json
from itertools import chain
from math import inf
from typing import Any

import httpx
import pytest

import taquin as tq
from taquin.engine.cpu.engine import Cpu
from taquin.engine.task import ENGINES
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.puzzle import NAMED_GOALS, Goal
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import Contest, Effort
from taquin.search.grammar import CONVENTIONS, options_of, search_from_options, search_named
from taquin.search.result import Task
from taquin.views import from_json_lines
from taquin.web import page_jobs
from taquin.web.endpoints import handled
from taquin.web.page_jobs import Race, Settings, Solve, WarmUp
from tests.web.api import HARD, all_events, awaited, events
from tests.web.conftest import RECORDS

HARDEST = "8 6 7 / 2 5 4 / 3 0 1"
"""Of 31 moves, the most there are on 3×3."""
EASY = "1 2 3 / 4 0 5 / 7 8 6"
"""Of 2 moves."""
NAMED = {"board": [["A", "."], ["@", "."]], "goal": [[None, "A"], [None, None]]}
"""S3's world; null is any tile."""


def test_about_tells_the_limits_and_searches_what_is_in_the_registries(
    client: httpx.Client,
) -> None:
    found = client.get("/api/about").json()
    assert found["version"] == tq.__version__
    assert found["limits"] | {"memory": 0} == {
        "seconds": 60,
        "nodes": 100_000,
        "memory": 0,
        "cells": 100,
        "body": 65_536,
        "running": 2,
        "waiting": 2,
    }
    listed = client.get("/api/searches").json()
    names = {kind: [each["name"] for each in listed[kind]] for kind in listed}
    assert names == {
        "algorithms": list(ALGORITHMS),
        "heuristics": [name for name in HEURISTICS if name not in ALIASES],
        "engines": ["auto", *(name for name in ENGINES if name != "cluster")],
        "goals": list(NAMED_GOALS),
    }
    assert all(each["sentence"] for kind in listed.values() for each in kind)


def test_every_option_listed_is_one_that_the_grammar_takes(client: httpx.Client) -> None:
    for algorithm in client.get("/api/searches").json()["algorithms"]:
        for option in algorithm["options"]:
            assert option["sentence"] or option["name"] == "weight", option
            values = [choice["name"] for choice in option["choices"] or ()] or [option["default"]]
            for value in values:
                settled = {"bumps": "dequeue"}.get(option["name"]) if value is True else None
                search_from_options(
                    algorithm["name"], {option["name"]: value, "duplicates": settled}
                )
        assert algorithm["takes_heuristic"] == ("heuristic" in options_of(algorithm["name"]))
        heeded = {option["name"].replace("-", "_") for option in algorithm["options"]}
        assert heeded & set(CONVENTIONS)


@pytest.mark.parametrize(
    "text", [HARDEST, "867254301", "3\n8 6 7\n2 5 4\n3 0 1", "[[8,6,7],[2,5,4],[3,0,1]]"]
)
def test_a_text_in_any_notation_is_read_and_written_in_every_other(
    client: httpx.Client, text: str
) -> None:
    found = client.post("/api/read", json={"text": text}).json()
    assert (found["rows"], found["columns"]) == (3, 3)
    assert found["board"] == [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
    assert all(
        tq.Board.of(tq.notation.read_board(form)).text() == HARDEST
        for form in found["forms"].values()
    )
    found = client.post("/api/read", json={"text": "1 * / * *", "as": "goal"}).json()
    assert found["board"] == [[1, "*"], ["*", "*"]]


def test_check_tells_what_the_library_tells(client: httpx.Client) -> None:
    good = client.post("/api/check", json={"board": HARDEST}).json()
    assert (good["solvable"], good["manhattan"], good["solved"]) == (True, 21, False)
    assert good["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    bad = client.post("/api/check", json={"board": "1 2 3 / 8 0 4 / 7 6 5"}).json()
    assert (bad["solvable"], bad["solvable_with"]) == (False, ["snail"])
    assert client.post("/api/check", json=NAMED).json()["solvable"] is True


def test_the_same_seed_gives_the_same_board_also_of_the_tiles_of_a_board(
    client: httpx.Client,
) -> None:
    asked = {"rows": 4, "columns": 4, "seed": 7}
    one, other = (client.post("/api/scramble", json=asked).json() for _ in range(2))
    assert one == other
    assert one["text"] == tq.random_board(Goal.blank_last(4, 4), 7).text()
    assert one["uniform"] is True
    found = client.post("/api/scramble", json=NAMED | {"seed": 1}).json()
    assert sorted(map(str, chain(*found["board"]))) == sorted([".", ".", "0", "A"])


@pytest.mark.parametrize("distance", [0, 7, 31])
def test_a_scramble_of_a_distance_has_that_distance(client: httpx.Client, distance: int) -> None:
    found = client.post("/api/scramble", json={"rows": 3, "distance": distance}).json()
    assert tq.moves_left(found["board"]) == distance == found["distance"]


def test_the_moves_left_are_those_of_the_library_and_none_of_what_cannot_be_solved(
    client: httpx.Client,
) -> None:
    for board in (HARDEST, EASY, "1 2 3 / 4 5 6 / 7 8 0"):
        # A hint may take ten seconds, which a busy machine may need.
        found = client.post("/api/left", json={"board": board, "hint": True}).json()
        assert found["left"] == found["lower_bound"] == tq.moves_left(board)
        assert (found["move"] is None) == (found["left"] == 0)
        if found["move"]:
            start = tq.Board.of(board)
            after = [
                each
                for move, each in tq.Puzzle(Goal.blank_last(3, 3)).successors(start)
                if move.tile == found["move"]["tile"]
            ]
            assert tq.moves_left(after[0]) == found["left"] - 1
    found = client.post("/api/left", json={"board": "1 2 3 / 4 5 6 / 8 7 0"}).json()
    assert (found["left"], found["move"]) == (None, None)
    assert found["sentence"].startswith("No solution possible")


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"search": "astar(manhattan)"},
        {"search": "bidirectional", "seconds": 50},
        {"engine": "table"},
        {"engine": "glass", "optimal": True},
        {"anytime": 0.3},
        {"metric": "multi"},
    ],
)
def test_a_board_is_solved_and_its_solution_replays(client: httpx.Client, how: Any) -> None:
    found = all_events(client, "/api/solve", {"board": HARDEST, "seconds": 60} | how)
    assert found[0][0] == "started"
    assert found[0][1]["engine"] in ENGINES
    name, result = found[-1]
    assert (name, result["outcome"]) == ("result", "solved")
    assert result["boards"][0] == [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
    assert result["boards"][-1] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    assert len(result["boards"]) == len(result["moves"]) + 1 == result["cost"] + 1
    assert result["sentence"]
    if how.get("metric") is None:
        # How good a solution is at hand after so long depends on what else the machine does.
        assert result["cost"] == 31 or (how.get("anytime") and result["cost"] >= 31)


def test_a_search_that_is_asked_to_stop_tells_its_result(client: httpx.Client) -> None:
    with client.stream("POST", "/api/solve", json={"board": HARD, "anytime": 5}) as reply:
        heard = events(reply.iter_lines())
        assert "improved" in (name for name, _ in heard)
        turn = {"turn": reply.headers["taquin-turn"]}
        assert client.post("/api/stop", json=turn).json() == {"stopped": True}
        *_, (name, result) = heard
    assert (name, result["outcome"]) == ("result", "stopped")
    assert len(result["moves"]) == result["cost"] >= 70
    # What is over, and what never was, is not stopped.
    for each in (turn, {"turn": "nobody"}):
        assert awaited(lambda: not client.post("/api/stop", json=each).json()["stopped"])  # noqa: B023


def test_what_is_asked_by_post_says_so(client: httpx.Client) -> None:
    asked, other = client.get("/api/solve"), client.get("/api/nothing")
    assert (asked.status_code, other.status_code) == (405, 404)
    assert "method not allowed" in asked.json()["error"]


def test_a_trace_is_that_of_the_library(client: httpx.Client) -> None:
    found = all_events(client, "/api/trace", {"board": EASY, "search": "idastar(linear-conflict)"})
    assert {name for name, _ in found[:-2]} == {"record"}
    assert [name for name, _ in found[-2:]] == ["ending", "record"]
    lines = [json.dumps(record) for name, record in found if name == "record"]
    mine = list(from_json_lines(lines))
    truth = list(tq.trace(EASY, algorithm="idastar(linear-conflict)"))
    assert mine[:-1] == truth[:-1]
    assert found[0][1]["algorithm"] == "idastar(linear-conflict)"


def test_a_race_ends_as_each_search_ends_by_itself(client: httpx.Client) -> None:
    board = "8 1 3 / 4 0 2 / 7 6 5"
    searches = ["bfs", "astar(manhattan)", "greedy(misplaced)"]
    found = all_events(client, "/api/race", {"board": board, "searches": searches})
    assert {name for name, _ in found[:-1]} == {"frame"}
    name, result = found[-1]
    assert name == "result"
    for runner, search in zip(result["runners"], searches, strict=True):
        truth = tq.solve(board, algorithm=search)
        assert (runner["name"], runner["cost"]) == (search, truth.cost)
        assert runner["expanded"] == truth.stats.expanded
    assert sorted(runner["place"] for runner in result["runners"]) == [1, 2, 3]


def test_a_race_can_be_slowed_down(client: httpx.Client) -> None:
    asked = {"board": EASY, "searches": ["bfs", "ucs"], "speed": 40}
    found = all_events(client, "/api/race", asked)
    before = 0
    for _, record in found[:-1]:
        for runner in record["runners"]:
            assert runner["expanded"] <= before + 2
        before = max(runner["expanded"] for runner in record["runners"])
    skipped = all_events(client, "/api/race", {**asked, "skip": 5})
    # A frame advances by two expansions, or by fewer where they take longer than a frame.
    assert all(5 <= runner["expanded"] <= 7 for runner in skipped[0][1]["runners"])
    assert skipped[-1][1]["runners"][0]["moves"] == found[-1][1]["runners"][0]["moves"]


def test_a_race_that_skips_begins_at_the_same_expansion_however_often_it_is_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[float, float]] = []

    class Interrupted(Contest):
        def advance(self, amount: float, seconds: float) -> None:
            asked.append((self.level, amount))
            super().advance(min(amount, 2), 3600)

    monkeypatch.setattr(page_jobs, "Contest", Interrupted)
    puzzle, start = tq.Puzzle(Goal.blank_last(3, 3)), tq.Board(HARDEST)
    task = Task(puzzle, start, None, tq.Limits(seconds=3600))
    searches = tuple(search_named(text) for text in ("bfs", "ucs"))
    steps = Race(task, searches, Effort.EXPANSIONS, 1.0, 5.0).steps(lambda *_: None, lambda: False)
    next(steps)
    steps.close()
    assert asked[:3] == [(0, 5), (2, 3), (4, 1)]
    assert asked[3][0] == 5


def test_a_search_reports_its_progress_as_often_as_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = tq.Limits(nodes=20_000)
    task = Task(tq.Puzzle(Goal.blank_last(4, 4)), tq.Board(HARD), search_named("bfs"), limits)
    for seconds, often in ((0.0, True), (inf, False)):
        monkeypatch.setattr(page_jobs, "_PROGRESS_SECONDS", seconds)
        names: list[str] = []
        Solve(task, "glass").run(lambda name, record: names.append(name), lambda: False)  # noqa: B023
        assert (names[0], "progress" in names, names[-1]) == ("started", often, "result")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("form", "kind", "begins"),
    [
        ("gif", "image/gif", b"GIF89a"),
        ("svg", "image/svg+xml", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
        ("text", "text/plain; charset=utf-8", b"Solved in 2 moves: LU"),
        ("json", "application/json", b"{"),
    ],
)
def test_a_solution_is_exported(client: httpx.Client, form: str, kind: str, begins: bytes) -> None:
    for moves in ("LU", [{"tile": 5, "direction": "left"}, {"tile": 6, "direction": "up"}]):
        reply = client.post("/api/export", json={"board": EASY, "moves": moves, "format": form})
        assert (reply.status_code, reply.headers["content-type"]) == (200, kind)
        assert reply.content.startswith(begins)
        assert "attachment" in reply.headers["content-disposition"]


def test_a_board_alone_is_exported_and_moves_that_do_not_solve_it_are_refused(
    client: httpx.Client,
) -> None:
    reply = client.post("/api/export", json=NAMED | {"format": "text"})
    assert reply.text == f"{tq.Board.of(NAMED['board'])}\n"
    reply = client.post("/api/export", json={"board": EASY, "moves": "LL", "format": "text"})
    assert reply.status_code == 400
    assert "no tile can go left" in reply.json()["error"]


def test_so_many_moves_are_exported_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [{"tile": 5, "direction": "left"}, {"tile": 6, "direction": "up"}]
    monkeypatch.setattr(page_jobs, "_MOST_MOVES", 2)
    for moves in ("LU", steps):
        body = json.dumps({"board": EASY, "moves": moves, "format": "text"}).encode()
        job = handled("export", body, Settings())
        events: list[str] = []
        job.run(lambda name, record: events.append(name), lambda: False)  # noqa: B023
        assert events == ["result"]
    monkeypatch.setattr(page_jobs, "_MOST_MOVES", 1)
    with pytest.raises(tq.errors.UnsuitableError, match="expected at most 1 moves, found more"):
        job.run(lambda name, record: None, lambda: False)


def test_studies_are_listed_and_no_file_is_opened_for_the_name_of_another(
    client: httpx.Client,
) -> None:
    found = client.get("/api/studies").json()["studies"]
    assert "s3-width" in [study["name"] for study in found]
    *shipped, mine = found
    assert all(study["done"] == 0 and study["total"] for study in shipped)
    assert (mine["name"], mine["done"], mine["total"]) == ("mine", RECORDS, None)
    one = client.get("/api/studies/s3-width").json()
    assert one["total"] == 462
    for name in ("nonsense", "..%2Fx", "pyproject.toml", "%2Fetc%2Fpasswd"):
        assert client.get(f"/api/studies/{name}").status_code == 404
    reply = client.get("/api/studies/s3-width/report")
    assert (reply.status_code, "has no records yet" in reply.json()["error"]) == (422, True)


def test_a_study_with_records_has_a_page_that_can_do_nothing_but_be_read(
    client: httpx.Client,
) -> None:
    found = client.get("/api/studies/mine").json()
    assert sum(search["runs"] for search in found["searches"]) == RECORDS
    assert (found["running"], found["trouble"]) == (False, None)
    reply = client.get("/api/studies/mine/report")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in reply.text
    assert "content-disposition" not in reply.headers
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert reply.headers["x-frame-options"] == "SAMEORIGIN"


def test_a_worker_that_is_warm_has_the_tables_that_it_needs(table_folder: object) -> None:
    names: list[str] = []
    WarmUp(1 << 30).run(lambda name, record: names.append(name), lambda: False)
    assert names == ["result"]
    puzzle = tq.Puzzle(Goal.blank_last(4, 4))
    assert not Cpu().has_to_build(Task(puzzle, tq.random_board(puzzle.goal, 1)))


def test_a_search_by_name_runs_in_compiled_code_whatever_its_limit_on_nodes(
    client: httpx.Client,
) -> None:
    for limits in ({}, {"nodes": 50_000}, {"depth": 90}):
        asked = {"board": HARD, "search": "idastar", **limits}
        assert all_events(client, "/api/solve", asked)[0][1]["engine"].startswith("textbook")
