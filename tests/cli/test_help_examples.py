"""Every example in every --help does what it says, with the exit status that the help documents.

An example runs in a shell, in a folder that has the files it names. What a test machine lacks, or
what would take minutes, is replaced by something that shows as much of taquin: `HARNESS` says what
and why.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import click
import pytest

from taquin.cli.main import EXAMPLES, taquin
from taquin.web import pyodide
from tests.cli.runs import at_a_terminal, posix, run

BOARD = "0 1 3 / 4 2 5 / 7 8 6"
SEARCH = """
def solve(board, h=None):
    queue, seen = [board], {board}
    for board in queue:
        if board.is_goal():
            return board
        for child in map(board.apply, board.moves()):
            if child not in seen:
                seen.add(child)
                queue.append(child)
"""
STUDY = """
name = "mine"
[[boards]]
start = "1 2 3 / 7 4 5 / 0 8 6"
[[searches]]
algorithm = "astar"
[[searches]]
algorithm = "astar(mine.py:name)"
"""
FILES = {
    "puzzle.txt": f"{BOARD}\n",
    "puzzle04.txt": "3\n 0 1 3\n 4 2 5\n 7 8 6\n",
    "boards.txt": "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 7 4 5 / 0 8 6\n0 1 3 / 4 2 5 / 7 8 6\n",
    "answers.txt": "LU\nR\n\n",
    "answers/ada.txt": "LU\n1: up\n",
    "students/anna.py": SEARCH,
    "scramble.txt": "R D3 R2 U3\n",
    "solution.txt": "RLLUR2D2LURULDLU\n",
    "mine.py": "def name(board):\n    return 0\n",
    "mine.toml": STUDY,
    "solves.txt": "R D2 R U2 : D2 L U2 L\nR D3\n",
    "commands.txt": "setState b12 345 678\nsolve A-star h2\n",
    "positions.txt": "2 2 1 1 1 2 1 3 2 1 2 3".replace(" ", "\n"),
    "typed.txt": "2 2 1 1 1 2 1 3 2 1 2 3 3 3 3 1 3 2".replace(" ", "\n"),
}
"""The files that examples read."""
BEFORE = {
    "--replay search.jsonl": "taquin trace puzzle.txt --json > search.jsonl",
    "report mine.toml": "taquin study run mine.toml",
    "--versions": "echo '# edited' >> mine.py && taquin study run mine.toml",
    "status mine.toml": "taquin study run mine.toml",
    "export mine.toml": "taquin study run mine.toml",
    "replay mine.toml": "taquin study run mine.toml --store results",
    "answers.zip": "python -m zipfile -c answers.zip answers/",
    "show mine.toml": "taquin study run mine.toml",
    "tables verify": "taquin tables build 3x3 --pattern AAB/AAB/CC.",
    "tables remove": "taquin tables build 3x3 --pattern AAB/AAB/CC.",
}
"""What an example that has these words needs before it."""
STATUSES = {
    'taquin check "1 2 3 / 4 5 6 / 8 7 0"': 1,
    'taquin check "1 2 3 / 4 5 6 / 8 7 0" --by twin': 1,
    "taquin check puzzle.txt --goal snail": 1,
    'taquin check "A # . / B @ ." --goal "B # * / A * *"': 1,
    'taquin explain-count puzzle.txt --count 98 --kind traversed -a "dfs(max_depth=11)"': 1,
    "taquin audit manhattan-agent --size 2x3": 1,
    'taquin audit "sum(misplaced, gaschnig)" --goal blank-first': 1,
    'taquin audit manhattan-agent --start "A . . / B . @" --goal "* A * / * B @"': 1,
    "taquin explore 3x4 --metric multi": 3,
    "taquin explore 5x5 --max-seconds 10": 3,
    # The user quits before the end.
    "taquin trace puzzle.txt -a idastar --step": 3,
}
"""The documented status where it is not 0: a board that is not solvable, a claim that is refuted, a
count that no search gives on that board, a limit, a stop."""
HARNESS = {
    # The boards of 3×4 take minutes and some gigabytes; a limit shows as much.
    "explore 3x4": ("$", " --max-seconds 1"),
    "explore 5x5": ("--max-seconds 10", "--max-seconds 1"),
    # Large tables take minutes to build.
    "--set large": ("--set large", "--set small"),
    # All seeds take as long as the limit on a slow machine.
    "--kind traversed": ("$", " --seeds 2 --max-seconds 600"),
    # Thirty sheets take half a minute.
    "--variants 30": ("--variants 30", "--variants 2"),
    # No Dask scheduler listens at that address, and Korf's boards take hours: two workers and two
    # runs take their place.
    "--cluster": ("korf100 --cluster tcp://host:8786", "mine.toml --cluster local:1"),
    # Its runs take minutes: they are done once, by `study run`, and a small study is reported.
    "report s3-width": ("report s3-width", "report mine.toml"),
    "status s3-width": ("status s3-width", "status mine.toml"),
    "export s3-width": ("export s3-width", "export mine.toml"),
    "replay s3-width": ("replay s3-width", "replay mine.toml --store results"),
    # The key of a record depends on the machine.
    "show mine.toml": ("a1b2c3", "$(taquin study export mine.toml | tail -n 1 | cut -d, -f1)"),
    # These shells need not be installed: the script is printed all the same.
    "completion zsh": ('eval "$(taquin completion zsh)"', "taquin completion zsh"),
    "completion fish": ("| source", ""),
    # Drawing is Graphviz's part.
    "| dot": ("| dot -Tpng", "| cat"),
}
"""Words of an example, and what replaces what in it; "$" is its end."""
SERVING = ("taquin serve", "python -m http.server")
"""What serves until Ctrl-C; the port of an example may be in use, so any free one is taken."""
AT_TERMINAL = ("taquin play", "--step")
"""What waits for lines at a terminal: the user types q. Any other example reads no terminal."""


def _examples(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the examples of a command and of those below it."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _examples(below, context)
    yield from getattr(command, "examples", ())


ALL = [*(example for example, _ in EXAMPLES), *_examples(taquin, click.Context(taquin))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that examples read, and `taquin` on the path."""
    work = tmp_path / "work"
    for name, text in FILES.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text, encoding="utf-8")
    (work / "public").mkdir()
    command = tmp_path / "taquin"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m taquin "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    python = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{tmp_path}:{python}:{os.environ['PATH']}")
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return work


SLOW = ("taquin study", "taquin tables", "taquin league", "taquin serve", "http.server", "explore")
"""What starts several processes, builds tables, or visits all boards of a size."""


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, marks=[pytest.mark.slow] * any(words in example for words in SLOW))
        for example in dict.fromkeys(ALL)
    ],
)
def test_every_example_of_every_help_runs(
    example: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posix("pty")
    if not shutil.which("bash"):
        pytest.skip("examples are for a shell, and bash is not installed")
    monkeypatch.chdir(folder)
    line = example
    if line.startswith("taquin enter") and "<" not in line:
        # It asks for the place of each tile.
        line += " < typed.txt"
    for words, (old, new) in HARNESS.items():
        if words in line:
            line = line + new if old == "$" else line.replace(old, new)
    if "--cluster" in line:
        pytest.importorskip("distributed")
    if "--photo" in line:
        pytest.importorskip("PIL.Image").new("RGB", (60, 60), "grey").save("cat.jpg")
    if "taquin site" in line:
        # A test stays offline, so files that pass for npm's package take its place.
        package = folder / "node_modules" / "pyodide"
        package.mkdir(parents=True)
        for name in pyodide.DIGESTS:
            (package / name).write_text(name)
        digests = {name: sha256(name.encode()).hexdigest() for name in pyodide.DIGESTS}
        monkeypatch.setattr(pyodide, "DIGESTS", digests)
        line = line if "--pyodide" in line else f"{line} --pyodide node_modules/pyodide"
    if "taquin tables" in line:
        monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "tables"))
    for words, before in BEFORE.items():
        if words in line:
            assert _status(before) == 0
    if line.startswith(SERVING):
        status = _served(line)
    elif any(words in line for words in AT_TERMINAL) and not set(line) & set("|<"):
        status = _typed(line, STATUSES.get(example, 0))
    elif line.startswith("taquin ") and not set(line) & set("|<>#"):
        status = run(*shlex.split(line)[1:]).exit_code
    else:
        status = _status(line)
    assert status == STATUSES.get(example, 0)


def _status(line: str) -> int:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    print(done.stdout[-2000:], done.stderr[-2000:])
    return done.returncode


def _served(line: str) -> int:
    """Return the status of a server that Ctrl-C ends once it listens."""
    is_taquin = line.startswith("taquin")
    line += " --port 0 --no-open --no-warm" if is_taquin else " 0"
    server = subprocess.Popen(
        ["bash", "-c", f"exec {line}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert server.stdout is not None
    said = ""
    for text in server.stdout:
        said += text
        if "http://" in text:
            break
    server.send_signal(signal.SIGINT)
    rest, _ = server.communicate(timeout=60)
    print(said, rest)
    # Python's own server may not yet catch Ctrl-C when it says that it listens.
    return 0 if not is_taquin and server.returncode == -signal.SIGINT else server.returncode


def _typed(line: str, status: int) -> int:
    """Return the status of a command at a terminal whose user types q."""
    with at_a_terminal(*shlex.split(line)[1:], status=status) as (say, await_text):
        await_text("> ")
        say("q\n")
    return status
