"""The documents as programs: what they show, found and run.

What a fenced block is, and what becomes of it:

    $ taquin solve …        a session: run by the shell, and what it prints is compared with what is
    shown output            shown; `> ` continues a command, a line `…` stands for any lines
    taquin study list       a line that begins with taquin: run, and must succeed
    ```python               run, all of a document in one namespace; `>>>` as doctests
    # mine.py               a first line that is but the name of a file: written into the folder

All blocks of a document are run in one folder, in their order. A line right above a block says what
is to be done otherwise, and why:

    <!-- not run: it needs a cluster -->
    <!-- slow -->                           only in `make test-all`
    <!-- status 1 -->                       what its last command exits with
    <!-- needs networkx -->                 only where this module is installed
    <!-- with a server -->                  `taquin serve` runs meanwhile, at SERVER as it is shown
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

VARYING = (
    (re.compile(r"; plus [^\n]* to (?:compile|build tables|load)\b"), ""),
    (re.compile(r"\b[0-9][0-9,.]* (?:ms|s|µs|seconds?)\b"), "TIME"),
    (re.compile(r"\b[0-9][0-9,.]*[kMG]?/s\b"), "RATE"),
    (re.compile(r"\b[0-9][0-9,.]* (?:kB|MB|GB|MiB|GiB)(?!\w)"), "MEMORY"),
    (re.compile(r"\b[0-9]+ (?:threads?|cores?)\b"), "HANDS"),
    (re.compile(r"\b(seed) [0-9]+\b"), r"\1 SEED"),
    (re.compile(r"\b(?:uv )?pip install\b"), "INSTALL"),
)
"""What differs from run to run and from machine to machine, and what stands for it."""
SERVER = "http://localhost:8015"
"""Where documents say that the server is; wherever it is, it stands for that."""
ELLIPSIS = "…"
"""A line that stands for any lines."""
PROGRAMS = ("taquin", "make", "pip", "python", "python3", "dask", "kubectl")
"""A line of a plain block that begins with one of these is a command."""

_FENCE = re.compile(r"^([ ]*)```([^\n`]*)\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"<!-- (not run: .+|slow|status [0-9]+|needs \w+|with a server) -->")
_FILE = re.compile(r"# ([\w-]+\.\w+)")
_TIMED = re.compile(r"\b(?:TIME|MEMORY|time|seconds|memory)\b|–$")
"""The rows and the head of a table of which a column is as wide as its times happen to be."""
_GAP = re.compile(r" {2,}")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    language: str
    """The word after the fence; empty for none."""
    text: str
    """What stands between the fences."""
    line: int
    """Its first line in the document."""
    marks: tuple[str, ...]
    """What the lines right above it ask for."""

    @property
    def is_run(self) -> bool:
        """Return whether it is not excluded, and has the module that it needs."""
        needed = [mark[6:] for mark in self.marks if mark.startswith("needs ")]
        is_excluded = any(mark.startswith("not run") for mark in self.marks)
        return not is_excluded and all(map(find_spec, needed))

    @property
    def is_slow(self) -> bool:
        """Return whether it takes long."""
        return "slow" in self.marks

    @property
    def needs_server(self) -> bool:
        """Return whether a server is to run meanwhile."""
        return "with a server" in self.marks

    @property
    def status(self) -> int:
        """Return what its last command exits with."""
        return next((int(mark[7:]) for mark in self.marks if mark.startswith("status")), 0)

    @property
    def file(self) -> str:
        """Return the name of the file that it shows; empty for none."""
        match = _FILE.fullmatch(self.text.split("\n")[0].strip())
        return match[1] if match else ""

    def steps(self) -> list[tuple[str, str | None]]:
        """Return its commands, each with what it prints; None where that is not shown."""
        if not self.text.startswith("$ "):
            lines = [line.partition("  #")[0].strip() for line in self.text.split("\n")]
            return [(line, None) for line in lines if line.split(" ")[0] in PROGRAMS]
        found: list[tuple[str, str | None]] = []
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            while shown and (shown[0].startswith("> ") or command.endswith("\\")):
                command += "\n" + shown.pop(0).removeprefix("> ")
            text = "\n".join(shown).strip("\n")
            found.append((command, text or None))
        return found


def blocks_of(document: Path) -> list[Block]:
    """Return the fenced blocks of a document, in their order."""
    text = document.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        before = text[: match.start()]
        marks = []
        for above in reversed(before.rstrip("\n").split("\n")):
            if (mark := _MARK.fullmatch(above.strip())) is None:
                break
            marks.append(mark[1])
        words = match[2].split()
        line = before.count("\n") + 2
        found.append(Block(words[0] if words else "", dedent(match[3]), line, tuple(marks)))
    return found


def python_of(document: Path) -> str:
    """Return all Python that a document shows at a prompt or as a script, on the same lines.

    What is shown to raise an exception is left out.
    """
    shown: dict[int, str] = {}
    for block in blocks_of(document):
        if block.language not in ("python", "pycon") or block.file or not block.is_run:
            continue
        parts = [(0, block.text)]
        if ">>> " in block.text:
            examples = doctest.DocTestParser().get_examples(block.text)
            parts = [(each.lineno, each.source) for each in examples if each.exc_msg is None]
        for first, text in parts:
            shown |= dict(enumerate(text.split("\n"), block.line + first))
    return "\n".join(shown.get(line, "") for line in range(1, max(shown, default=0) + 1)) + "\n"


def normal(text: str) -> list[str]:
    """Return the lines of an output, without what varies and without blanks at their ends."""
    for pattern, instead in VARYING:
        text = pattern.sub(instead, text)
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    return [_GAP.sub("  ", line) if _TIMED.search(line) else line for line in lines]


def agree(printed: str, shown: str) -> bool:
    """Tell whether an output is what is shown, where a line `…` stands for any lines."""
    pieces: list[list[str]] = [[]]
    for line in normal(shown):
        if line.strip() == ELLIPSIS:
            pieces.append([])
        else:
            pieces[-1].append(line)
    pattern = r"(?:.*\n)*?".join(
        "".join(re.escape(each) + "\n" for each in some) for some in pieces
    )
    return re.fullmatch(pattern, "\n".join(normal(printed)) + "\n") is not None


class Reader:
    """Whoever does what a document shows, in a folder."""

    def __init__(self, document: Path, folder: Path, server: str = SERVER) -> None:
        self._document, self._folder, self._server = document, folder, server
        self._names: dict[str, object] = {"__name__": "__main__"}
        programs = folder / ".programs"
        programs.mkdir()
        taquin = programs / "taquin"
        taquin.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m taquin "$@"\n', encoding="utf-8")
        taquin.chmod(0o755)
        self._environment = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / ".data"),
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }

    def do(self, block: Block) -> None:
        """Run one block; raise AssertionError where it does not do what it shows."""
        if block.file:
            (self._folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language in ("python", "pycon"):
            self._run_python(block)
        elif block.language in ("", "console", "sh"):
            steps = block.steps()
            for number, (command, shown) in enumerate(steps, 1):
                status = block.status if number == len(steps) else 0
                self._run_command(block, command, shown, status)

    def _run_python(self, block: Block) -> None:
        where = f"{self._document.name}:{block.line}"
        if ">>> " in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, self._names, where, str(self._document), block.line
            )
            doctest.DebugRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
            self._names.update(test.globs)
        else:
            # Blank lines before it make the lines of a traceback those of the document.
            exec(compile("\n" * (block.line - 1) + block.text, where, "exec"), self._names)

    def _run_command(self, block: Block, command: str, shown: str | None, status: int) -> None:
        where = f"{self._document.name}:{block.line}: {command}"
        assert shown is not None or command.split()[0] == "taquin" or block.text.startswith("$ "), (
            f"{where}\nonly taquin is run here: mark the block <!-- not run: why -->"
        )
        done = subprocess.run(
            ["bash", "-c", command.replace(SERVER, self._server)],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == status, f"{where}\nstatus {done.returncode}:\n{done.stdout}"
        assert shown is None or agree(done.stdout, shown), (
            f"{where}\nprints\n\n{done.stdout}\nand not\n\n{shown}\n"
        )
