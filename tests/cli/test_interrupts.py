"""Ctrl-C at any moment of a search or a build ends it in good order: stopped, in one sentence."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import taquin as tq
from taquin.analysis.explore import explore, survey

PACKAGE = str(Path(tq.__file__).parent)

EASY = "1 2 3 / 4 0 5 / 7 8 6"
HARD = "15 14 8 12 / 10 11 9 13 / 2 6 5 1 / 3 7 4 0"
"""One of the hardest boards for the goal with the blank first: nothing here solves it in time."""
COMMANDS = {
    "easy": ("solve", EASY),
    "glass": ("solve", HARD, "-g", "blank-first", "-a", "bfs"),
    "many": ("solve", "--many", "-g", "blank-first", "-"),
    "cpu": ("solve", HARD, "-g", "blank-first", "--engine", "cpu", "--tables", "none"),
    "general": ("solve", HARD, "-g", "blank-first", "--engine", "general"),
    "all": ("solve", HARD, "-g", "blank-first", "--engine", "glass", "--all"),
    "trace": ("trace", HARD, "-g", "blank-first", "-a", "bfs", "--json"),
    "explore": ("explore", "3x4"),
    "tables": ("tables", "build", "4x4"),
}
MANY = f"{HARD}\n".encode() * 3
CALLS = {
    "easy": f"next(r for r in iter(lambda: tq.solve({EASY!r}), 0) if r.reason)",
    "bfs": f"tq.solve({HARD!r}, 'blank-first', algorithm='bfs')",
    "cpu": f"tq.solve({HARD!r}, 'blank-first', engine='cpu(tables=none)')",
    "general": f"tq.solve({HARD!r}, 'blank-first', engine='general')",
    "anytime": f"tq.solve({HARD!r}, 'blank-first', engine='anytime')",
    "trace": f"list(tq.trace('blank-first', {HARD!r}, 'bfs'))[-1].result",
    "every": f"ended(all(tq.all_solutions({HARD!r}, 'blank-first', engine='glass')))",
    "explore": "ended(not explore(tq.Puzzle(tq.Goal.blank_last(3, 4))).is_complete)",
    "survey": "ended(not survey(tq.Puzzle(tq.Goal.parse(WALLED)), WALLED).is_complete)",
}
LIBRARY = """
import os, random, signal, sys, threading, time, traceback
signal.signal(signal.SIGINT, signal.default_int_handler)
from types import SimpleNamespace
import taquin as tq
from taquin.analysis.explore import explore
from taquin.analysis.explore import survey
tq.solve, tq.trace, tq.all_solutions
WALLED = '1 2 3 / 4 # 5 / 6 7 8 / 9 _ #'
def ended(early):
    assert early
    return SimpleNamespace(outcome=tq.Outcome.STOPPED, reason="interrupted")
seed, count = map(int, sys.argv[1:])
dice = random.Random(seed)
for _ in range(count):
    begin, delay = threading.Event(), dice.random() ** 2 * 0.4
    def press():
        begin.wait()
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    try:
        begin.set()
        result = CALL
        told = (result.outcome.value, result.reason)
    except KeyboardInterrupt as error:
        frames = [each.filename for each in traceback.extract_tb(error.__traceback__)]
        inside = [each for each in frames if each != "<string>" and "interrupts.py" not in each]
        told = inside[1:] or ("between two calls", "")
    thread.join()
    print(told)
"""
"""A program that presses Ctrl-C while it searches, again and again."""
COMMAND_LINE = """
import os, signal, sys
class Ready:
    def find_spec(self, name, *_):
        if name == "taquin.cli.main":
            os.write(1, b"ready\\n")
signal.signal(signal.SIGINT, signal.default_int_handler)
from taquin.__main__ import main
sys.meta_path.insert(0, Ready())
main()
"""
"""The command line, that tells when Python is done with loading itself."""
LOADING = """
import builtins, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
at, real = sys.argv.pop(1), builtins.__import__
def load(name, *more):
    if name == at:
        signal.raise_signal(signal.SIGINT)
    return real(name, *more)
builtins.__import__ = load
from taquin.__main__ import main
main()
"""
"""The command line, with Ctrl-C at the import of a given module."""
CALLING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
at, calls = int(sys.argv.pop(1)), 0
def see(frame, event, _):
    global calls
    calls += event == "call"
    if event == "call" and calls == at:
        signal.raise_signal(signal.SIGINT)
from taquin.__main__ import main
sys.setprofile(see)
try:
    main()
finally:
    sys.setprofile(None)
    print(calls)
"""
"""The command line, with Ctrl-C at a given call of a function; prints their number."""
few_and_many = pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.slow)])


@pytest.mark.sampled(3)
@few_and_many
@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_library_is_stopped_whenever_ctrl_c_comes_and_the_next_one_works(
    call: str, count: int
) -> None:
    code = LIBRARY.replace("CALL", CALLS[call])
    words = [sys.executable, "-c", code, "1", str(count)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = Counter(done.stdout.splitlines())
    # A loop of easy boards, or over events, is also interrupted where it is no call of ours.
    own = told.pop("('between two calls', '')", 0) if call in ("easy", "trace") else 0
    assert told == {"('stopped', 'interrupted')": count - own}


SMALL, TINY = tq.Puzzle(tq.Goal.blank_last(2, 3)), tq.Puzzle(tq.Goal.blank_last(2, 2))
FAR = "4 5 0 / 1 2 3"
MOMENTS: dict[str, Callable[[], object]] = {
    "solve": lambda: tq.solve("0 1 / 3 2", algorithm="astar").outcome,
    "trace": lambda: list(tq.trace(TINY, "0 1 / 3 2", "astar"))[-1].result.outcome,  # type: ignore[union-attr]
    "every": lambda: sum(1 for _ in tq.all_solutions("0 1 / 3 2", engine="glass")),
    "explore": lambda: explore(TINY).is_complete,
    "survey": lambda: survey(SMALL, FAR).is_complete,
}
"""Calls of the library that are short enough to press Ctrl-C at each function they call."""


@pytest.mark.parametrize("moments", [40, pytest.param(10**6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("call", MOMENTS)
def test_no_function_of_the_library_lets_ctrl_c_escape(call: str, moments: int) -> None:
    MOMENTS[call]()
    calls = 0

    def pressing(at: int) -> Callable[[FrameType, str, object], None]:
        def see(frame: FrameType, event: str, _: object) -> None:
            nonlocal calls
            if event == "call" and PACKAGE in frame.f_code.co_filename:
                calls += 1
                if calls == at:
                    signal.raise_signal(signal.SIGINT)

        return see

    def pressed(at: int) -> str:
        """Press at the so manieth function, and return where that came out."""
        nonlocal calls
        calls = 0
        sys.setprofile(pressing(at))
        try:
            MOMENTS[call]()
        except KeyboardInterrupt as error:
            frames = traceback.extract_tb(error.__traceback__)
            # The call itself, before it puts off Ctrl-C, and what does so.
            return " ".join(
                frame.name for frame in frames[3:] if "interrupts.py" not in frame.filename
            )
        finally:
            sys.setprofile(None)
        return ""

    assert pressed(0) == ""
    every = calls
    assert every > 50
    escaped = {at: pressed(at) for at in range(1, every, max(1, every // moments))}
    assert {at: names for at, names in escaped.items() if names} == {}


@pytest.mark.sampled(3)
@few_and_many
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_status_3_and_one_sentence_whenever_ctrl_c_comes(
    name: str, count: int, tmp_path: Path
) -> None:
    dice = random.Random(name)
    for number in range(count):
        delay = dice.random() ** 2 * 1.2
        status, shown, said = _pressed(COMMANDS[name], delay, tmp_path / str(number))
        words = f"{shown}{said}"
        assert not re.search("Traceback|KeyboardInterrupt|ignored", words), (delay, words)
        # What was done by then is done.
        assert (status, words.lower().count("interrupted")) in {(3, 1), (0, 0)}, (
            delay,
            status,
            words,
        )
        assert status == 3 or name in ("easy", "tables")


@pytest.mark.parametrize(
    "module", ["gc", "taquin.cli.main", "click", "taquin.model.board", "taquin.engine.task"]
)
def test_ctrl_c_while_modules_load_is_one_sentence_and_status_3(module: str) -> None:
    assert _ending(LOADING, module)[:2] == (3, "Stopped: interrupted.\n")


@pytest.mark.parametrize("count", [3, pytest.param(200, marks=pytest.mark.slow)])
def test_ctrl_c_in_any_function_from_the_first_import_on_has_status_3(count: int) -> None:
    calls = int(_ending(CALLING, "0")[2].split()[-1])
    # In the last ones the solution is printed and Python shuts down.
    for at in range(1, calls - 100, calls // count):
        # Outside a command, Click ends the line of the terminal's ^C first.
        status, said, _ = _ending(CALLING, str(at))
        assert (status, said.lstrip("\n")) in {(3, "Stopped: interrupted.\n"), (3, "")}, at


def _ending(code: str, at: str) -> tuple[int, str, str]:
    """Solve an easy board in a process that runs `code`; return its status and what it says."""
    words = [sys.executable, "-c", code, at, "solve", EASY]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, done.stdout


def _pressed(words: tuple[str, ...], delay: float, cache: Path) -> tuple[int, str, str]:
    """Run a command line, press Ctrl-C so many seconds after its start; return what it left."""
    child = subprocess.Popen(
        [sys.executable, "-c", COMMAND_LINE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TAQUIN_CACHE": str(cache)},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(MANY)
    child.stdin.close()
    child.stdin = None
    assert os.read(child.stdout.fileno(), 6) == b"ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    shown, said = child.communicate()
    return child.returncode, shown.decode(), said.decode()
