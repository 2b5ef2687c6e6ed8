"""The command line as a process: signals, pipes, closed streams, and screens of any width."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.runs import COMMAND, on_screen, process

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
def test_ctrl_c_ends_a_search_with_status_3_and_what_was_found() -> None:
    status, shown, said = interrupted("solve", HARD, "-a", "bfs", "--json")
    found = json.loads(shown)
    assert (status, found["outcome"], said) == (3, "stopped", "")
    assert found["lower_bound"] >= 1
    assert found["stats"]["expanded"] > 1000


@linux
def test_ctrl_c_ends_many_after_the_board_under_way() -> None:
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


def test_a_full_disk_is_one_sentence() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run(
            [*COMMAND, "show", "1230"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"Error: No space left on device\n")


def test_a_full_disk_for_errors_too_leaves_the_status() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w", encoding="ascii") as full:
        for words in (["show", "1230"], ["show", "oops"], ["nothing"]):
            done = subprocess.run([*COMMAND, *words], stdout=full, stderr=full, check=False)
            assert done.returncode == 2


def test_ctrl_c_before_the_command_is_loaded_is_one_sentence() -> None:
    code = (
        "import builtins\n"
        "real = builtins.__import__\n"
        "def load(name, *more):\n"
        "    if name == 'click': raise KeyboardInterrupt\n"
        "    return real(name, *more)\n"
        "builtins.__import__ = load\n"
        "from taquin.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"Stopped: interrupted.\n")


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


def test_nothing_is_coloured_and_no_live_line_drawn_in_a_pipe() -> None:
    done = process("solve", HARD, "--max-seconds", "1")
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\r" not in done.stdout + done.stderr


def test_the_moved_tile_stands_out_on_a_screen() -> None:
    status, shown = on_screen("solve", "1 2 / 0 3")
    assert status == 0
    assert "\x1b[1m\x1b[7m3\x1b[0m" in shown


def test_no_color_is_honoured() -> None:
    for command in (["solve", SOLVED_04], ["compare", SOLVED_04, "-a", "bfs"]):
        status, shown = on_screen(*command, NO_COLOR="1")
        assert status == 0
        assert not re.search(r"\x1b\[[0-9;]*[3-4][0-9]m|\x1b\[7m", shown)


def test_a_long_search_shows_a_live_line_and_erases_it() -> None:
    status, shown = on_screen(
        "solve", HARD, "-a", "bfs", "--engine", "glass", "--max-seconds", "1.2"
    )
    assert status == 3
    assert re.search(
        r"[0-9] s · [0-9.]+[kM]? nodes · [0-9.]+[kM]?/s · bound [0-9]+ · frontier", shown
    )
    assert "\r\x1b[KNo solution found" in re.sub(r"\x1b\[[0-9;]*m", "", shown)
