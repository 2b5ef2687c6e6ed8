"""On a real screen of 80 and of 40 columns no line is too long, no word broken, nothing lost."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from taquin.cli.main import COMMANDS
from tests.cli.runs import on_screen, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
FIFTEEN = "5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15"
LINES = {
    "solve": ("solve", FIFTEEN, "--like", "s4"),
    "commentary": ("trace", FIFTEEN, "--limit", "3"),
    "like s3": ("trace", FIFTEEN, "--view", "created", "--like", "s3", "--limit", "9"),
    "compare": ("compare", NEAR, "--like", "korf", "-a", "bfs", "-a", "astar:ties=lifo"),
    "audit": ("audit", "manhattan-agent", "--size", "2x2"),
    "study list": ("study", "list"),
    "fault": ("solve", "1 2 3 / 4 5 6 / 7 8 8"),
    "examples": (),
    "help": ("--help",),
    "solution": ("solve", NEAR),
    "unsolvable": ("solve", "1 2 3 / 4 5 6 / 8 7 0"),
    "wrong option": ("solve", NEAR, "--metric", "leaps"),
    "limit": ("solve", FIFTEEN, "-a", "bfs", "--max-nodes", "20000"),
    "check": ("check", NEAR),
    "weights": ("compare", NEAR, "-a", "bfs", "-a", "wastar:linear-conflict:weight=2"),
    "rows": ("show", "--form", "rows", NEAR),
}


def lines(shown: str) -> list[str]:
    """Return the lines as they stay on the screen."""
    return [line.split("\r")[-1] for line in click.unstyle(shown).split("\n")]


def longest(shown: str) -> int:
    return max(map(len, lines(shown)))


def words(shown: str) -> set[str]:
    """Return the words; numbers and their units may differ from run to run."""
    return set(re.findall(r"[^\W\d_]+", "\n".join(lines(shown)))) - {"µs", "ms", "s"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "columns"), [*((name, 40) for name in LINES), ("compare", 80)])
def test_no_line_is_wider_than_the_screen_and_no_word_is_broken(name: str, columns: int) -> None:
    _, shown = on_screen(*LINES[name], columns=columns)
    assert longest(shown) <= columns
    assert words(shown) == words(run(*LINES[name]).output)


def test_a_narrow_screen_has_boards_below_each_other() -> None:
    _, shown = on_screen("trace", NEAR, "--limit", "1", columns=40)
    text = "\n".join(line.rstrip() for line in lines(shown))
    assert text.startswith(
        "Try 1: f = g + h = 0 + 2 = 2\n  1 2 3\n  4 _ 5\n  7 8 6\n4 child boards:\n"
    )
    child = "  5 left, f = g + h = 1 + 1 = 2\n    1 2 3\n    4 5 _\n    7 8 6\n  2 down, f = "
    assert child in text
    assert "queue length 4, closed length 1; the\n  next:\n  f = g + h = 1 + 1 = 2: 1 2 3 /" in text
    assert text.endswith("\n\nCut after 1 node dequeued.\n")


def test_the_help_of_every_command_fits_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (80, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert max(longest(run(name, "--help").stdout) for name in COMMANDS) <= columns


@pytest.mark.parametrize("columns", [80, 60])
def test_the_prompt_lays_out_its_help_and_the_steps_of_a_solution(
    columns: int, tmp_path: Path
) -> None:
    file = tmp_path / "commands.txt"
    state = "4 1 2 3 / 5 6 0 7 / 8 9 10 11 / 12 13 14 15"
    file.write_text(f"help\nsetBoard {state}\nsolve bfs\nsolve beam x\nexit\n")
    status, shown = on_screen("repl", str(file), columns=columns)
    assert status == 0
    assert longest(shown) <= columns
    assert shown.count(state) >= 3
    for heading in ("blank", "tile", "state", "previous state"):
        assert heading in click.unstyle(shown)


@pytest.mark.parametrize(
    ("name", "variable", "value"), [("solve", "NO_COLOR", "1"), ("compare", "TERM", "dumb")]
)
def test_a_screen_without_colours_gets_no_escape_sequence(
    name: str, variable: str, value: str
) -> None:
    assert "\x1b" in on_screen(*LINES[name])[1]
    shown = on_screen(*LINES[name], columns=80, **{variable: value})[1]
    assert "\x1b" not in shown
    assert longest(shown) <= 80
