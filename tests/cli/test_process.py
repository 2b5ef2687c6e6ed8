"""The command line as a process: signals, pipes, closed streams, and screens of any width."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from taquin.cli.main import COMMANDS
from tests.cli.runs import COMMAND, on_screen, process, run

HARD = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
SOLVED_04 = "0 1 3 / 4 2 5 / 7 8 6"


def interrupted(*words: str, text: str = "") -> tuple[int, str, str]:
    """Run a command line, press Ctrl-C while it searches; return what it left."""
    # Where tests run in the background, children would inherit that Ctrl-C is ignored.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from taquin.cli.main import run; run()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert child.stdin is not None
        child.stdin.write(text.encode())
        child.stdin.close()
        child.stdin = None
        _wait_until_it_works(child.pid)
        child.send_signal(signal.SIGINT)
        shown, said = child.communicate()
    finally:
        # A search that nobody ends would take all memory.
        child.kill()
    return child.returncode, shown.decode(), said.decode()


def _wait_until_it_works(pid: int) -> None:
    """Wait until a process holds so much memory that it must be searching."""
    page = os.sysconf("SC_PAGE_SIZE")
    for _ in range(3600):
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            if int(file.read().split()[1]) * page > 40 * 2**20:
                return
        time.sleep(0.05)
    pytest.fail("the search never began")


linux = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")


@linux
def test_ctrl_c_ends_a_search_or_many_with_status_3_and_what_was_found() -> None:
    status, shown, said = interrupted("solve", HARD, "-a", "bfs", "--json")
    found = json.loads(shown)
    assert (status, found["outcome"], said) == (3, "stopped", "")
    assert found["lower_bound"] >= 1
    assert found["stats"]["expanded"] > 1000
    status, shown, _ = interrupted(
        "solve", "--many", "-a", "bfs", text=f"{SOLVED_04}\n{HARD}\n{SOLVED_04}\n"
    )
    outcomes = [json.loads(line)["outcome"] for line in shown.splitlines()]
    assert (status, outcomes) == (3, ["solved", "stopped"])


@linux
def test_ctrl_c_ends_a_comparison_with_the_table_so_far() -> None:
    status, shown, said = interrupted(
        "compare", HARD, "-a", "greedy", "-a", "bfs", "-a", "astar", "--max-seconds", "600"
    )
    assert status == 0, "greedy solved it"
    assert [line.split()[0] for line in shown.splitlines()[:3]] == [
        "search",
        "greedy(manhattan)",
        "bfs",
    ]
    assert "astar" not in shown
    assert said == ""


def test_a_reader_that_goes_away_is_no_error() -> None:
    child = subprocess.Popen(
        [*COMMAND, "trace", HARD, "--max-nodes", "20000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert (child.wait(), said) == (3, b"")


def test_standard_input_may_be_a_pipe_and_may_hold_anything() -> None:
    done = process("solve", "--style", "moves", text=b"3\n0 1 3\n4 2 5\n7 8 6\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"LULU\n", b"")
    assert process("solve", text=b"2 1 / 3 0").returncode == 1
    junk = process("solve", text=bytes(range(256)))
    assert junk.returncode == 2
    assert junk.stderr.startswith(b"Error: standard input: line 1, column 1: ")


def test_a_full_disk_is_one_sentence_and_for_errors_too_a_status() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run(
            [*COMMAND, "show", "1230"], stdout=full, stderr=subprocess.PIPE, check=False
        )
        assert (done.returncode, done.stderr) == (2, b"Error: No space left on device\n")
        for words in (["show", "1230"], ["show", "oops"], ["nothing"]):
            done = subprocess.run([*COMMAND, *words], stdout=full, stderr=full, check=False)
            assert done.returncode == 2


def test_closed_streams_show_no_traceback() -> None:
    line = " ".join(f"'{word}'" for word in COMMAND)
    done = subprocess.run(
        ["sh", "-c", f"{line} show 1230 >&-; {line} solve <&-"], capture_output=True, check=False
    )
    many = f"echo 123405786 | {line} solve --many >&- && {line} scramble 3x3 >&-"
    assert subprocess.run(["sh", "-c", many], check=False).returncode == 0
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"expected a board" in done.stderr


def test_a_screen_has_colours_and_a_live_line_and_a_pipe_neither() -> None:
    done = process("solve", HARD, "--max-seconds", "1")
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\r" not in done.stdout + done.stderr
    status, shown = on_screen("solve", "1 2 / 0 3")
    assert status == 0
    assert "\x1b[1m\x1b[7m3\x1b[0m" in shown
    status, shown = on_screen(
        "solve", HARD, "-a", "bfs", "--engine", "glass", "--max-nodes", "250000"
    )
    assert status == 3
    assert re.search(
        r"[0-9] s · [0-9.]+[kM]? nodes · [0-9.]+[kM]?/s · bound [0-9]+ · frontier", shown
    )
    assert "\r\x1b[KNo solution found" in re.sub(r"\x1b\[[0-9;]*m", "", shown)


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
    """Return the words; numbers, their units and the time to load may differ from run to run."""
    text = re.sub("; plus [^;]*? to (load|compile|build tables)", "", " ".join(lines(shown)))
    return set(re.findall(r"[^\W\d_]+", text)) - {"µs", "ms", "s"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "columns"), [*((name, 40) for name in LINES), ("compare", 80)])
def test_no_line_is_wider_than_the_screen_and_no_word_is_broken(name: str, columns: int) -> None:
    _, shown = on_screen(*LINES[name], columns=columns)
    assert longest(shown) <= columns
    assert words(shown) == words(run(*LINES[name]).output)


def test_boards_help_and_the_prompt_fit_a_narrow_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, shown = on_screen("trace", NEAR, "--limit", "1", columns=40)
    text = "\n".join(line.rstrip() for line in lines(shown))
    assert text.startswith(
        "Try 1: f = g + h = 0 + 2 = 2\n  1 2 3\n  4 _ 5\n  7 8 6\n4 child boards:\n"
    )
    child = "  5 left, f = g + h = 1 + 1 = 2\n    1 2 3\n    4 5 _\n    7 8 6\n  2 down, f = "
    assert child in text
    assert "queue length 4, closed length 1; the\n  next:\n  f = g + h = 1 + 1 = 2: 1 2 3 /" in text
    assert text.endswith("\n\nCut after 1 node dequeued.\n")
    for columns in (80, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert max(longest(run(name, "--help").stdout) for name in COMMANDS) <= columns
    file = tmp_path / "commands.txt"
    state = "4 1 2 3 / 5 6 0 7 / 8 9 10 11 / 12 13 14 15"
    file.write_text(f"help\nsetBoard {state}\nsolve bfs\nsolve beam x\nexit\n")
    status, shown = on_screen("repl", str(file), columns=60)
    assert status == 0
    assert longest(shown) <= 60
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
