"""The parts that commands share: amounts, the live line, the screen, the memory of the machine."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import click
import pytest

from taquin import Board, Goal, Limits, Puzzle, Result
from taquin.cli import running
from taquin.cli.command import AMOUNT, BYTES, SIZE
from taquin.cli.running import describe, live_line, short_number
from taquin.cli.screen import columns, paragraph, say, side_by_side, status_line
from taquin.engine.glass import GlassBox
from taquin.engine.task import Wishes, solve
from taquin.search.control import Control
from taquin.search.result import Counters, Task
from taquin.system import machine


class Screen(io.StringIO):
    """A stream that passes for a screen."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("kind", "amounts"),
    [
        (
            AMOUNT,
            {"0": 0, "50": 50, "1_000": 10**3, "1,000": 10**3, "1e6": 10**6, "2.5M": 25 * 10**5},
        ),
        (BYTES, {"500M": 500 * 10**6, "2GB": 2 * 10**9, "1.5gib": 3 * 2**29, "64 KiB": 2**16}),
        (SIZE, {"4x3": (4, 3), "4 X 3": (4, 3), "4×3": (4, 3), "5": (5, 5)}),
    ],
)
def test_amounts_and_sizes(kind: click.ParamType[object], amounts: dict[str, object]) -> None:
    assert {text: kind.convert(text, None, None) for text in amounts} == amounts


@pytest.mark.parametrize("text", ["", "-1", "x", "1GB", "1e999", "M", "1.2.3", "0x10"])
def test_what_is_no_amount_or_size_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        AMOUNT.convert(text, None, None)
    with pytest.raises(click.BadParameter):
        SIZE.convert("4x", None, None)


def test_the_live_line_never_exceeds_its_width() -> None:
    counters = Counters(expanded=10**9, frontier=10**9, bound=80)
    for width in range(5, 100):
        assert len(describe(counters, 3661.0, width, label="astar(manhattan)")) <= width
    assert describe(Counters(), 0, 80).startswith("0 s")


@pytest.mark.parametrize(
    "number", [0, 1, 12, 999, 1000, 9949, 9950, 99_999, 999_499, 999_500, 10**13]
)
def test_short_numbers_are_near_the_number(number: int) -> None:
    text = short_number(number)
    value = AMOUNT.convert(text, None, None)
    assert abs(value - number) <= 0.05 * number + 0.5


def test_the_live_line_waits_then_draws_and_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with live_line() as draw:
        assert draw is not None
        draw(Counters(), 0.1)
        assert screen.getvalue() == ""
        draw(Counters(expanded=5000), 0.5)
        draw(Counters(expanded=6000), 0.51)
    assert screen.getvalue().count("5.0k nodes") == 1
    assert "6.0k nodes" not in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_a_note_of_work_is_drawn_and_erased_where_somebody_watches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    with live_line() as draw, status_line("working"):
        assert draw is None
    assert pipe.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setenv("TERM", "xterm")
    with status_line("working"):
        assert screen.getvalue().endswith("working")
        # What is said meanwhile is not written behind it.
        say("something")
    assert screen.getvalue().split("\r\x1b[K") == ["", "working", "something\n"]
    say("more")
    assert screen.getvalue().endswith("something\nmore\n")
    with status_line("working"):
        pass
    assert screen.getvalue().endswith("working\r\x1b[K")


def test_blocks_stand_side_by_side_as_far_as_the_screen_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "21")
    blocks = [[f"{number}.", click.style("1 2", bold=True), "3 _"] for number in range(1, 6)]
    assert columns() == 21
    assert click.unstyle(side_by_side(blocks)) == (
        "1.    2.    3.    4.\n1 2   1 2   1 2   1 2\n3 _   3 _   3 _   3 _\n\n5.\n1 2\n3 _"
    )
    assert side_by_side([]) == ""


def test_paragraphs_are_folded_on_screens_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    text = "a sentence that is longer than the screen"
    assert paragraph(text) == text
    monkeypatch.setattr(sys, "stdout", Screen())
    assert paragraph(text) == "a sentence that is\nlonger than the\nscreen"


def test_the_memory_limit_is_three_quarters_of_what_the_container_may_take(
    tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = f"{tmp_path}/memory.max"
    monkeypatch.setattr(machine, "_CONTAINER_LIMITS", (limit,))
    whole = machine.safe_memory()
    assert whole is not None
    for content, expected in (("max\n", whole), (f"{2**20}\n", 3 * 2**18)):
        with open(limit, "w", encoding="ascii") as file:
            file.write(content)
        assert machine.safe_memory() == expected


@pytest.mark.parametrize(
    ("content", "cores"),
    [
        (("max 100000\n",), 64),
        (("200000 100000\n",), 2),
        (("50000 100000\n",), 1),
        (("250000 100000\n",), 3),
        (("-1\n", "100000\n"), 64),
        (("400000\n", "100000\n"), 4),
        (("400000\n", "0\n"), 64),
        (("nonsense",), 64),
        ((), 64),
    ],
)
def test_a_container_uses_the_cores_that_its_quota_gives(
    content: tuple[str, ...], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tuple(tmp_path / str(number) for number in range(max(1, len(content))))
    for file, text in zip(files, content, strict=False):
        file.write_text(text, "ascii")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(machine, "_CONTAINER_QUOTAS", (files,))
    machine._quota.cache_clear()
    try:
        assert machine.usable_cores() == cores
    finally:
        machine._quota.cache_clear()


@pytest.mark.parametrize(
    ("limit", "counted"),
    [(Limits(seconds=10), 2.0), (Limits(seconds=1), 0.75), (Limits(nodes=1), 0.0)],
)
def test_the_start_of_the_process_counts_towards_the_limit_of_its_search(
    limit: Limits, counted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "perf_counter", lambda: 7.0)
    seen: list[float] = []

    def search(task: Task, wishes: Wishes, control: Control) -> Result:
        seen.append(control.earlier.elapsed)
        return solve(task, wishes, control)

    monkeypatch.setattr(running, "solve", search)
    board = Board("1 2 3 / 4 0 5 / 7 8 6")
    task = Task(Puzzle(Goal.blank_last(3, 3)), board, limits=limit)
    running.solve_task(task, Wishes(GlassBox()))
    with click.Context(click.Command("solve"), obj=5.0):
        running.solve_task(task, Wishes(GlassBox()))
    assert seen == [0.0, counted]
