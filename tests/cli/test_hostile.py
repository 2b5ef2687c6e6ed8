"""Whatever is typed, a command ends with a status from 0 to 3 and, at most, a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
import pytest

from taquin.cli.main import taquin
from tests.cli.runs import COMMAND, posix, run

WORDS = [
    *("", " ", "0", "-1", "1", "2", "3", "7", "1e400", "9" * 400, "9" * 5000, "nan", "inf", "0.5"),
    *("2x2", "2x3", "0x0", "-3x3", "999x999", "3x", "x", "٣", "²", "½", "１２３", "\u202e"),
    *("e\u0301", "🙂", "{x[y]}", "$$"),
    *("\0", "a\0b", "\x1b[31m", "\ud800", "\udcff", "a" * 3000, "(" * 500, "max(" * 200),
    *("1 2 / 0 3", "1 2 3 / 4 0 5 / 7 8 6", "1230", "1 2 # / 0 3 4", "A B / B _", "* * / * 0"),
    *("[[1, 2], [0, 3]]", "[" * 2000, "/", "//", "# #", "0", "1 1 / 0 0", "1 2 3 / 4 5 6 / 8 7 0"),
    *("manhattan", "astar", "astar(", "astar(weight=x)", "bfs", "beam:width=0", "x.py:y", "sum()"),
    *(".", "/", "/dev/null", "/nowhere/x.svg", "folder", "secret", "junk", "-", "--", "-x", "none"),
    *("blank-first", "snail", "single", "multi", "list", "table", "svg", "json", "csv", "moves"),
]
"""What nobody should type, beside what everybody does."""
SENSE = ["1 2 / 0 3", "1 2 3 / 4 0 5 / 7 8 6", "8 6 7 / 2 5 4 / 3 0 1", "2x3", "bfs", "manhattan"]
"""What gets a command further than to its first refusal."""
LEFT_ALONE = {"cluster", "web", "jobs", "follow", "wait"}
"""Options that start servers or wait."""
TINY = {
    "--max-seconds": "0.05",
    "--max-nodes": "500",
    "--max-boards": "1000",
    "--limit": "5",
    "--most": "3",
}
"""What keeps every run short, where a command has it."""


def leaves(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that does something, with its words."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*path, name))


def line(chance: Random, path: tuple[str, ...], command: click.Command) -> list[str]:
    """Return a command line with some options and arguments, most of them nonsense."""
    words = list(path)
    options = [
        each
        for each in command.params
        if isinstance(each, click.Option) and each.name not in LEFT_ALONE and each.name != "help"
    ]
    known = {name for each in options for name in each.opts}
    words += [part for name, value in TINY.items() if name in known for part in (name, value)]
    if path == ("scramble",):
        words += ["--count", "2"]
    if path == ("class",):
        words += ["--students", "1", "--only", "league"]
    for each in chance.sample(options, chance.randint(0, min(3, len(options)))):
        words.append(chance.choice(each.opts))
        if not each.is_flag:
            kind = each.type
            choices = list(kind.choices) if isinstance(kind, click.Choice) else WORDS
            words.append(chance.choice(choices if chance.random() < 0.8 else WORDS))
    return words + chance.choices(WORDS if chance.random() < 0.3 else SENSE, k=chance.randint(0, 2))


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a few traps in it, and keep off what the user has."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "user"))
    # A download of Pyodide is neither hostile nor quick.
    monkeypatch.setattr("taquin.web.pyodide.DIGESTS", {})
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "secret").write_text("1 2 / 0 3")
    (tmp_path / "secret").chmod(0)


# What it is told right, serve does until Ctrl-C; tests/web holds it against nonsense.
ALL = [leaf for leaf in leaves(taquin, ()) if leaf[0] != ("serve",)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_no_command_line_is_a_fault_of_the_program(
    path: tuple[str, ...], command: click.Command
) -> None:
    chance = Random(" ".join(path))
    for _ in range(25):
        words = line(chance, path, command)
        print(words)  # shown if it fails
        result = run(*words, text=chance.choice(["", "1 2 / 0 3\n", "\0\n" * 50, "quit\n"]))
        assert len(result.stderr) < 3000


@pytest.mark.sampled(4)
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is nothing without an end here")
@pytest.mark.parametrize(
    "words", [("repl",), ("repl", "/dev/zero"), ("solve", "--many"), ("trace", "--replay", "-")]
)
def test_a_line_without_end_is_one_sentence(words: tuple[str, ...]) -> None:
    with open("/dev/zero", "rb") as endless:
        ended = subprocess.run([*COMMAND, *words], stdin=endless, capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert ended.stderr.endswith(b"expected lines of less than 64 MB, found a longer one\n")
    assert ended.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs pipes with a name")
def test_a_pipe_is_read_until_the_limit_that_the_user_gives(tmp_path: Path) -> None:
    silent = tmp_path / "silent"
    os.mkfifo(silent)
    sentence = f"Stopped: {silent} did not end within 0.1 s.\n"
    for words in (["solve", str(silent)], ["trace", str(silent)], ["solve", "1230", "-g", silent]):
        ended = run(*map(str, words), "--max-seconds", "0.1")
        assert (ended.exit_code, " ".join(ended.stderr.split())) == (3, sentence.strip()), words
    ours, theirs = os.pipe()
    with open(ours, encoding="ascii") as reader, open(theirs, "w", encoding="ascii") as writer:
        # A board without the end of the input is not enough: another may follow.
        writer.write("1 2 / 0 3\n")
        writer.flush()
        command = [*COMMAND, "solve", "--max-seconds", "0.1"]
        stuck = subprocess.run(command, stdin=reader, capture_output=True, check=False)
        assert (stuck.returncode, stuck.stdout) == (3, b"")
        assert stuck.stderr == b"Stopped: standard input did not end within 0.1 s.\n"
    command = [*COMMAND, "solve", "--style", "moves", "--max-seconds", "60"]
    assert subprocess.run(command, input=b"1 2 / 0 3", capture_output=True).stdout == b"L\n"


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """Return a folder with files that have no end, or too much before it, and none that wait."""
    for name in ("zero.py", "zero.toml", "zero.txt"):
        (tmp_path / name).symlink_to("/dev/zero")
    for name in ("huge", "huge.py", "huge.toml"):
        with open(tmp_path / name, "wb") as file:
            # A hole takes no room on the disk.
            file.truncate(64 << 30)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "of.toml").write_text(
        'boards = [{ file = "zero.txt" }]\nsearches = [{ algorithm = "astar" }]\n'
    )
    return tmp_path


@pytest.mark.sampled(5)
@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/zero and a limit on memory")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("study status zero.toml", "more than 16 million bytes"),
        ("study run zero.toml", "more than 16 million bytes"),
        ("study report huge.toml", "more than 16 million bytes"),
        ("study run of.toml --store .", "zero.txt cannot be read: more than 16 million bytes"),
        ("study status .", "is a directory"),
        ("solve 123456708 -H zero.py:h", "there is no file 'zero.py'"),
        ("solve 123456708 -a pipe.py:h", "there is no file 'pipe.py'"),
        ("solve 123456708 -H huge.py:h", "expected Python in UTF-8, at most 16 MB"),
        ("solve zero.txt", "this is too long for a board"),
        ("solve --many huge", "expected lines of less than 64 MB"),
        ("solve 123456708 --goal huge", "this is too long for a board"),
        ("show 123456708 -o x.svg --photo zero.txt", "at most 20 MB"),
        ("moves zero.txt", "more than 16 MB of text"),
        ("grade zero.txt huge", "more than 16 MB of text"),
        ("repl huge", "expected lines of less than 64 MB"),
        ("trace --replay zero.txt", "expected lines of less than 64 MB"),
    ],
)
def test_a_file_without_an_end_is_one_sentence(endless: Path, words: str, sentence: str) -> None:
    resource = posix("resource")

    def at_most_a_gigabyte() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))

    done = subprocess.run(
        [*COMMAND, *words.split()],
        cwd=endless,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=at_most_a_gigabyte,
    )
    assert done.returncode == 2, done.stderr
    assert sentence in " ".join(done.stderr.split())
    assert done.stderr.startswith("Error: ")
