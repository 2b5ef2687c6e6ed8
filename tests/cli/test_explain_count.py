"""`taquin explain-count`: the table, the JSON, the exit status, limits and Ctrl-C."""

from __future__ import annotations

import json

import pytest

from tests.cli.runs import run

BOARD = "8 1 3 / 4 0 2 / 7 6 5"


def test_a_count_is_explained_in_a_table_and_as_json() -> None:
    words = ("explain-count", BOARD, "--count", "210", "--kind", "traversed", "-a", "astar")
    result = run(*words, "--most", "1")
    assert result.exit_code == 0, result.stderr
    assert "These count 210" in result.stdout
    assert "astar(manhattan-agent, duplicates=dequeue, ties=heap" in result.stdout
    value = json.loads(run(*words, "--most", "1", "--json").stdout)
    (found,) = value["exact"]
    assert (found["like"], found["kind"], found["number"]) == ("s3", "dequeued", 210)
    assert value["count"] == 210


def test_a_count_that_no_search_has_is_refuted_with_the_nearest() -> None:
    result = run("explain-count", BOARD, "--count", "200", "--kind", "tries", "-a", "bidirectional")
    assert result.exit_code == 1
    assert "No search counts 200; 24 searches were tried, all there are." in result.stdout
    assert "The nearest are:" in result.stdout


def test_a_limit_keeps_what_was_found() -> None:
    result = run("explain-count", BOARD, "--count", "1", "--max-seconds", "0")
    assert result.exit_code == 3
    assert "limit of 0 s" in result.stdout


def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from taquin.analysis import explain_count

    presses = iter([False] * 30 + [True] * 10**6)
    monkeypatch.setattr(explain_count, "interrupted", lambda: next(presses))
    words = ("explain-count", BOARD, "--count", "78", "-a", "astar", "--kind", "traversed")
    result = run(*words)
    assert result.exit_code == 0
    assert "30 searches were tried (interrupted)" in result.stdout
    assert "astar(manhattan, ties=lifo)" in result.stdout
    assert run(*words[:3], "5", *words[4:]).exit_code == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--count", "many"), "expected a number such as"),
        (("--count", "9", "-a", "astarr"), "Did you mean"),
        (("--count", "9", "--kind", "seen"), "'seen' is not one of"),
        ((), "--count"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run("explain-count", BOARD, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unsolvable_board_is_refused_before_any_search() -> None:
    result = run("explain-count", "1 2 3 / 5 4 0", "--count", "360")
    assert result.exit_code == 2
    assert "No solution possible" in result.stderr
    assert result.stdout == ""
