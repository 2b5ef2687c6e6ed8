"""Print what one `taquin solve` of a 15-puzzle imports, enters, nests and repeats, and its time.

python benchmarks/call_path.py                      these sources
python benchmarks/call_path.py --against OLD/src    other sources too, timed by turns with these

The first line has the four figures: functions entered, the files that contain them, the modules of
taquin imported, and the least processor time of a process. Every code object entered counts as a
function, except modules: class bodies, comprehensions and lambdas are work too.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

BOARD = "11 6 7 14 / 0 2 9 4 / 1 13 10 3 / 12 8 15 5"
SOURCES = Path(__file__).parents[1] / "src"
TURNS = 20
OBSERVED = """
import sys
from collections import Counter
calls, entered, deepest, searching, click = Counter(), set(), [], [], 0
def observe(frame, event, argument):
    global deepest, searching, click
    if event != "call" or "/taquin/" not in frame.f_code.co_filename:
        return
    stack, others, code = [], 0, frame.f_code
    if code.co_name != "<module>":
        entered.add((code.co_filename.rpartition("/taquin/")[2], code.co_firstlineno, code.co_name))
    calls[code.co_qualname if hasattr(code, "co_qualname") else code.co_name] += 1
    while frame:
        name = frame.f_code.co_filename
        if "/taquin/" in name:
            stack.append(f"{name.rpartition('/taquin/')[2]}:{frame.f_code.co_name}")
        others += "/click/" in name or "contextlib" in name
        frame = frame.f_back
    # Imports nest deeply too, but are no calls of the search.
    if any(":<module>" in each for each in stack):
        return
    if len(stack) > len(deepest):
        deepest, click = stack, others
    if len(stack) > len(searching) and "engine/cpu/team.py:search" in stack:
        searching = stack
def report():
    sys.setprofile(None)
    names = [name for name in sys.modules if name.partition(".")[0] == "taquin"]
    files = {file for file, _, _ in entered}
    print(f"functions {len(entered)}, files {len(files)}, modules {len(names)}")
    print(f"modules of all packages     {len(sys.modules)}")
    print(f"deepest stack               {len(deepest)} frames of taquin, {click} of Click")
    print(f"down to the search          {len(searching)} frames of taquin")
    for name in ("normal_form", "Space.__init__", "solvability", "plan_for"):
        print(f"calls of {name:<19}{calls[name]}")
    for stack in (deepest, searching):
        print("", *reversed(stack), sep="\\n    ")
    print("", *sorted(files), sep="\\n    ")
import atexit
atexit.register(report)
sys.setprofile(observe)
from taquin.__main__ import main
main()
"""


def seconds_of(sources: str) -> tuple[float, float]:
    """Return the wall-clock and processor seconds of one process."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run(["-m", "taquin"], sources)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def run(program: list[str], sources: str) -> str:
    """Return what the command prints, run by a program from these sources."""
    command = [sys.executable, *program, "solve", BOARD, "--style", "moves"]
    # Without cached bytecode most of the time would be that of compiling it.
    environment = {**os.environ, "PYTHONPATH": sources, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    """Print the figures of these sources and, with `--against`, of others, then the details."""
    places = {"now": str(SOURCES)}
    if sys.argv[1:2] == ["--against"]:
        places["then"] = sys.argv[2]
    counts = {}
    for name, place in places.items():
        # The solution comes first.
        _, counts[name], details = run(["-c", OBSERVED], place).split("\n", 2)
        if name == "now":
            shown = details
    turns = [{name: seconds_of(place) for name, place in places.items()} for _ in range(TURNS)]
    # The best of all turns, so that a busy moment spoils none.
    least = {name: min(turn[name][1] for turn in turns) for name in places}
    for name in places:
        print(f"{name:<5} {counts[name]}, processor time {least[name]:.3f} s")
    if "then" in places:
        now, then = (min(turn[name][0] for turn in turns) for name in ("now", "then"))
        print(f"wall-clock {now:.3f} s, was {then:.3f} s, ratio {now / then:.2f}")
        print(f"processor ratio {least['now'] / least['then']:.2f}")
    print(shown)


if __name__ == "__main__":
    main()
