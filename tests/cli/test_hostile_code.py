"""User code that is hostile: one sentence, the right exit status, in time and in memory.

Each heuristic of the table runs in `solve`, `compare`, `audit`, `estimate` and `trace`. The fast
tests take every second one and the commands in turn; the slow ones take all of both.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from textwrap import indent

import pytest

from tests.cli.runs import COMMAND, posix, run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
SECONDS, ENOUGH = 1.5, 50
"""The limit where code is to reach it, and where it is to end for another reason on any machine."""
MEMORY = 200
"""Megabytes."""
COMMANDS = ("solve", "compare", "audit", "estimate", "trace")


@dataclass(frozen=True)
class Hostile:
    """A file with a heuristic `h`, and how a command that uses it has to end."""

    name: str
    source: str
    status: int
    said: str = ""
    """A part of the sentence."""


LATE = f"limit of {SECONDS:g} seconds"
HEURISTICS = """
## endless · 3 · LATE
while True:
    pass
## asleep · 3 · LATE
import time
time.sleep(1000)
## stubborn · 3 · LATE
import time
while True:
    try:
        time.sleep(1)
    except BaseException:
        pass
## long call of C · 3 · LATE
return sum(range(10**12))
## long arithmetic · 3 · LATE
return len(str(3 ** 10**8))
## deaf · 3 · LATE
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    pass
## endless output · 3 · LATE
while True:
    print("x" * 100)
## memory at once · 3 · memory
return len(b"x" * (4 << 30))
## memory in steps · 3 · memory
kept = []
while True:
    kept.append(bytearray(b"x" * 10**6))
## memory in spite of errors · 3 · limit of
kept = []
while True:
    try:
        kept.append(bytearray(b"x" * 10**6))
    except MemoryError:
        pass
## shared memory · 3 · memory
import mmap, time
area = mmap.mmap(-1, 4 << 30)
for place in range(0, 400 << 20, 4096):
    area[place] = 1
time.sleep(1000)
## exit 0 · 2 · mine.py, line 3: called sys.exit(0)
import sys
sys.exit(0)
## quit · 2 · mine.py, line 2: called sys.exit(None)
quit()
## interrupt · 2 · mine.py, line 2: KeyboardInterrupt
raise KeyboardInterrupt
## stop iteration · 2 · mine.py, line 2: StopIteration
raise StopIteration
## next of nothing · 2 · mine.py, line 2: StopIteration
return next(iter(()))
## base exception · 2 · mine.py, line 2: BaseException: no
raise BaseException("no")
## exception without words · 2 · mine.py, line 5: Mute
class Mute(Exception):
    def __str__(self):
        raise ValueError
def h(board):
    raise Mute
## hard exit · 2 · mine.py:h: its process ended (exit status 0)
import os
os._exit(0)
## abort · 2 · mine.py:h: its process crashed (SIGABRT)
import os
os.abort()
## kill · 2 · mine.py:h: its process was killed (SIGKILL
import os
os.kill(os.getpid(), 9)
## terminate · 2 · mine.py:h: its process ended (SIGTERM)
import os
os.kill(os.getpid(), 15)
## crash · 2 · mine.py:h: its process crashed (SIGSEGV)
import ctypes
ctypes.string_at(0)
## alarm · 2 · mine.py:h: its process ended (SIGALRM)
import signal, time
signal.setitimer(signal.ITIMER_REAL, 0.1)
time.sleep(1000)
## unlimited recursion · * ·
import sys
sys.setrecursionlimit(10**9)
def h(board):
    return h(board)
## closed files · 2 · mine.py:h: its process
import os
os.closerange(0, 100)
return 0
## input · 2 · mine.py, line 2: input(), sys.stdin and debuggers are not available
return int(input())
## standard input · 2 · mine.py, line 3: input(), sys.stdin and debuggers are not available
import sys
return len(sys.stdin.read())
## breakpoint · 2 · mine.py, line 2: input(), sys.stdin and debuggers are not available
breakpoint()
## closed output · 0 ·
import sys
sys.stdout.close()
sys.stderr.close()
return 0
## child · 0 ·
import os, time
children = []
def h(board):
    if not children:
        children.append(os.fork())
        if not children[0]:
            time.sleep(1000)
    return 0
## busy threads · 0 ·
import threading
def burn():
    while True:
        pass
for _ in range(3):
    threading.Thread(target=burn, daemon=True).start()
def h(board):
    return 0
## last words · 0 ·
import atexit, time
atexit.register(time.sleep, 1000)
def h(board):
    return 0
## taquin changed · 2 · mine.py:h made taquin fail
from taquin.model.space import Space
Space.decode = None
def h(board):
    return 0
## nothing · 2 · must return a whole number
pass
## nan · 2 · must return a whole number
return float("nan")
## infinity · 2 · must return a whole number
return float("inf")
## huge · 2 · must return a whole number
return 10**400
## too huge to print · 2 · must return a whole number
return 10**5000
## array · 2 · must return a whole number
import numpy
return numpy.zeros((3, 3))
## truth value · 0 ·
return False
## generator · 2 · must return a whole number
yield 3
## raising object · 2 · it returned Odd
class Odd:
    def fail(self, *_):
        raise RuntimeError("no")
    __float__ = __int__ = __index__ = __eq__ = __hash__ = __repr__ = __lt__ = fail
def h(board):
    return Odd()
## endless module · 3 · LATE
# module
while True:
    pass
## exit of the module · 2 · mine.py, line 3: called sys.exit(0)
# module
import sys
sys.exit(0)
## wrong signature · 2 · cannot be called
def h():
    return 0
"""
"""Name, exit status (* for any but 0 and 70) and a part of the sentence, then the file, or the body
of its function `h(board)`."""
SEARCHES = """
## board of NumPy · 2 · moves, letters or boards
import numpy
return numpy.array(board.rows())
## row of NumPy · 2 · the solution of
import numpy
return numpy.array([1, 2])
## nothing · 2 · returned None instead of a solution
pass
## number · 2 · expected moves, letters or boards
return 5
## yields of another kind · 2 · that it expands, found 5
yield 5
## endless list · 3 · No solution found
import itertools
return itertools.repeat("L")
## endless search · 3 · LATE
while True:
    board.moves()
## loop that yields numbers · 2 · must yield events
import taquin as tq
class h:
    name, heuristic, optimal, exhaustive, cap = "mine", None, False, True, None
    conventions = tq.AStar().conventions
    def loop(self, run):
        yield 5
## loop that returns nothing · 2 · must return Found or Exhausted
import taquin as tq
class h:
    name, heuristic, optimal, exhaustive, cap = "mine", None, False, True, None
    conventions = tq.AStar().conventions
    def loop(self, run):
        yield None
"""


def entries(text: str) -> list[Hostile]:
    found = []
    for part in text.split("## ")[1:]:
        head, _, source = part.partition("\n")
        name, status, said = (word.strip() for word in head.split("·"))
        said = LATE if said == "LATE" else said
        if not re.search(r"^(# module|def h|class h)", source, re.MULTILINE):
            source = "def h(board):\n" + indent(source, "    ")
        found.append(Hostile(name, source, -1 if status == "*" else int(status), said))
    return found


TABLE = entries(HEURISTICS)
FAST = [(TABLE[number], COMMANDS[number % 5]) for number in range(0, len(TABLE), 2)] + [
    (entry, "search") for entry in entries(SEARCHES)
]
OTHERS = [pair for pair in product(TABLE, COMMANDS) if pair not in FAST]


GOOD = "def h(board):\n    return 0\n"


def words_for(entry: Hostile, command: str, folder: Path) -> list[str]:
    seconds = ENOUGH if entry.status in (0, 2) or entry.said == "memory" else SECONDS
    own, limits = f"{folder / 'mine.py'}:h", ["--max-seconds", str(seconds)]
    limits += ["--max-memory", f"{MEMORY}M"]
    # The other row runs in a worker too: this process may hold more memory than the limit.
    other = f"astar({folder / 'good.py'}:h)"
    (folder / "good.py").write_text(GOOD)
    return {
        "solve": ["solve", NEAR, "-a", f"astar({own})", *limits],
        "compare": ["compare", NEAR, "-a", f"astar({own})", "-a", other, *limits],
        "audit": ["audit", own, "--size", "2x2", *limits],
        "estimate": ["estimate", NEAR, "-H", own, *limits],
        "trace": ["trace", NEAR, "-a", f"astar({own})", *limits],
        "search": ["solve", NEAR, "-a", own, *limits],
    }[command]


def check(entry: Hostile, command: str, folder: Path) -> None:
    if "fork" in entry.source:
        posix("fcntl")
    (folder / "mine.py").write_text(entry.source)
    began = time.perf_counter()
    told = run(*words_for(entry, command, folder))
    taken = time.perf_counter() - began
    # The machine may be busy; an endless function would take for ever.
    assert taken < 60
    assert entry.said in " ".join(told.output.split()), told.output
    if entry.status == -1:
        assert told.exit_code in (0, 2, 3) if command == "compare" else (2, 3), told.output
    elif command == "compare":
        # The other row is solved, and a fault is one of the whole table.
        assert told.exit_code == (2 if entry.status == 2 else 0), told.output
        assert "glass-box" in told.stdout
    else:
        assert told.exit_code == entry.status, told.output
    if command != "compare" and told.exit_code == 2:
        assert (told.stdout.strip(), told.stderr[:7]) == ("", "Error: ")
        # An illegal move is shown on its board.
        assert told.stderr.count("\n") == 1 or "is wrong: move" in told.stderr


def named(pairs: list[tuple[Hostile, str]]) -> list[str]:
    return [f"{entry.name}, {command}" for entry, command in pairs]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("entry", "command"), FAST, ids=named(FAST))
def test_hostile_code_costs_a_sentence(entry: Hostile, command: str, tmp_path: Path) -> None:
    check(entry, command, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "command"), OTHERS, ids=named(OTHERS))
def test_hostile_code_costs_a_sentence_in_every_command(
    entry: Hostile, command: str, tmp_path: Path
) -> None:
    check(entry, command, tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["memory at once", "memory in steps"])
def test_the_worker_holds_little_more_than_the_limit(name: str, tmp_path: Path) -> None:
    (entry,) = (entry for entry in TABLE if entry.name == name)
    (tmp_path / "mine.py").write_text(entry.source)
    words = words_for(entry, "solve", tmp_path)
    command = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL)
    peaks = [0]
    while command.poll() is None:
        peaks += [_peak(child) for child in _children(command.pid)]
        time.sleep(0.002)
    assert command.returncode == 3
    # Memory of the worker's own, which the system limits; its parent watches what is shared.
    assert 0 < max(peaks) <= 1.2 * MEMORY * 10**6


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
        return [int(child) for child in listed.split()]
    return []


def _peak(pid: int) -> int:
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    return 0


def test_prints_appear_in_order_between_the_events(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import sys\n"
        "print('loaded')\n"
        "def h(board):\n"
        "    print('seen', board.text())\n"
        "    print('aside', file=sys.stderr)\n"
        "    return 0\n"
    )
    told = run("trace", NEAR, "-a", f"astar({tmp_path / 'mine.py'}:h)", "--json")
    lines = told.stdout.splitlines()
    # The line between them tells what is searched.
    assert (lines[0], lines[2]) == ("loaded", f"seen {NEAR}")
    # A board is estimated before its event, and after the event of its parent.
    assert [line[:4] for line in lines].count("seen") == told.stderr.count("aside") > 5
    first = next(place for place, line in enumerate(lines) if '"expanded"' in line)
    assert any(line.startswith("seen") for line in lines[first:])
    assert any(line.startswith("seen") for line in lines[:first])


def test_a_worker_that_is_killed_costs_no_other_row_and_no_board(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\n"
        "def fine(board):\n    return 0\n"
        "def leaves(board):\n    os._exit(3)\n"
        "def sometimes(board):\n"
        "    while board.cells[-1] == 8 and board.cells[0] == 1: pass\n"
        "    return 0\n"
    )
    own = f"{tmp_path / 'mine.py'}"
    names = (f"astar({own}:{name})" for name in ("leaves", "sometimes", "fine"))
    words = [word for name in names for word in ("-a", name)]
    rows = json.loads(run("compare", NEAR, *words, "--max-seconds", "60", "--json").stdout)
    assert [row["outcome"] for row in rows] == ["failed", "solved", "solved"]
    boards = "1 2 3 / 4 5 6 / 7 0 8\n1 2 3 / 4 5 6 / 0 7 8\n1 2 3 / 4 0 6 / 7 5 8\n"
    words = ["--many", "-a", f"astar({own}:sometimes)", "--max-seconds", "0.5", "--json"]
    told = run("solve", *words, text=boards)
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert [answer["outcome"] for answer in answers] == ["limit", "limit", "limit"]
    assert "did not return" in answers[0]["reason"]
    assert told.exit_code == 3


@pytest.mark.parametrize("body", ["while True: pass", "sum(range(10**12))"])
def test_ctrl_c_ends_user_code(tmp_path: Path, body: str) -> None:
    posix("fcntl")
    there = tmp_path / "there"
    code = (
        f"from pathlib import Path\ndef h(board):\n    Path({str(there)!r}).touch()\n    {body}\n"
    )
    (tmp_path / "mine.py").write_text(code)
    words = ["solve", NEAR, "-a", f"astar({tmp_path / 'mine.py'}:h)"]
    command = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not there.exists():
        assert command.poll() is None
        time.sleep(0.01)
    command.send_signal(signal.SIGINT)
    told, errors = command.communicate(timeout=60)
    assert (command.returncode, errors) == (3, "")
    assert "Stopped: interrupted." in told


def test_a_search_that_is_not_at_its_end_keeps_its_counters(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import time\ncalls = []\n"
        "def h(board):\n"
        "    calls.append(board)\n"
        "    time.sleep(0.002)\n"
        "    while len(calls) > 100: pass\n"
        "    return 0\n"
    )
    words = ["-a", f"astar({tmp_path / 'mine.py'}:h)", "--max-seconds", "1", "--json"]
    answer = json.loads(run("solve", "8 6 7 / 2 5 4 / 3 0 1", *words).stdout)
    assert (answer["outcome"], answer["limit"]) == ("limit", "seconds")
    assert answer["stats"]["expanded"] > 5
