"""Where input comes from: the words of the command line, a file, standard input, or a prompt."""

from __future__ import annotations

import os
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import BinaryIO

import click

from taquin.cli import slips
from taquin.cli.screen import is_terminal, say
from taquin.errors import InputError, NotationError, TaquinError
from taquin.model.board import Board
from taquin.model.goal import NAMED_GOALS, Goal
from taquin.model.grid import Grid
from taquin.notation import MAX_CHARACTERS, another_board, read_board, read_goal
from taquin.notation.values import no_goal
from taquin.system.words import bytes_in_words, shorten

_FILE_NAME = re.compile(r"(?:\.{0,2}/|~)\S*|[\w./\\~-]*\.[A-Za-z]\w*")
_FOLDERS = re.compile(r"(?=.*[A-Za-z]{3})[\w.-]+(?:/[\w.-]+)+")
_STDIN = "standard input"
_MOST_BYTES = 16_000_000
"""The longest file of several boards or answers: some 100,000 of them."""
_LONGEST_LINE = 64_000_000
"""Bytes of the longest line: the moves of a solution as JSON, some million of them."""
_LONGEST_NAME = 4096
"""Characters of the longest path there can be."""


def start_of(words: Sequence[str], goal: str) -> Board:
    """Return the board that `words` are, name the file of, or leave to standard input.

    Raise TaquinError that says where the fault is. Under a named goal the tiles must be 1, 2, 3 …
    """
    name, text = _text_of(words)
    classic = goal in NAMED_GOALS
    try:
        board = read_board(text, classic)
        _say_other(text, classic)
        return board
    except NotationError as error:
        if classic and (names := _names_in(text)):
            raise InputError(
                f"{_at(name)}the goal {goal} needs numbered tiles, found {names}: "
                f"give this board a --goal"
            ) from None
        raise _meant(error, words, name, text, classic) from None


def goal_of(text: str, grid: Grid) -> Goal:
    """Return the goal that `text` names, is, or names the file of; it is for boards on `grid`."""
    if text in NAMED_GOALS:
        return NAMED_GOALS[text](grid.rows, grid.columns, grid.walls)
    name, text = _text_of([text])
    try:
        return read_goal(text, grid.rows, grid.columns)
    except NotationError as error:
        if name == "" and (sentence := no_goal(text)):
            raise InputError(sentence) from None
        raise _with_source(error, f"--goal{' ' if name else ''}{name}", text) from None


def position_of(words: Sequence[str]) -> Board | Goal:
    """Return the board that `words` are, or the goal where `*` stands for any tile."""
    name, text = _text_of(words)
    try:
        if "*" in text:
            return read_goal(text)
        board = read_board(text)
        _say_other(text)
        return board
    except NotationError as error:
        raise _meant(error, words, name, text) from None


def lines_of(words: Sequence[str]) -> Iterator[str]:
    """Yield the lines that `words` are, name the file of, or leave to standard input."""
    with _opened(words) as (name, stream):
        yield from map(_decoded, raw_lines(stream, name))


def text_in(word: str) -> str:
    """Return the text that `word` is, names the file of, or leaves to standard input as `-`.

    Raise InputError when it looks like the name of a file that is not there.
    """
    with _opened([word]) as (name, stream):
        content = stream.read(_MOST_BYTES + 1)
    if not name and _names_a_file(word):
        raise InputError(f"there is no file {shorten(word)}")
    if len(content) > _MOST_BYTES:
        raise InputError(f"{_at(name)}more than {bytes_in_words(_MOST_BYTES)} of text")
    return _decoded(content)


def lines_of_file(name: str) -> Iterator[str]:
    """Yield the lines of a file, or of standard input when its name is `-`."""
    if name == "-":
        yield from map(_decoded, raw_lines(_as_utf8(_standard_input(asked=True))))
    else:
        with open(name, "rb") as file:
            yield from map(_decoded, raw_lines(_as_utf8(file), name))


def raw_lines(stream: BinaryIO, name: str = _STDIN) -> Iterator[bytes]:
    """Yield the lines of a stream; raise InputError for one without end, as that of /dev/zero."""
    while line := stream.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            most = bytes_in_words(_LONGEST_LINE)
            raise InputError(f"{_at(name)}expected lines of less than {most}, found a longer one")
        yield line


def ask(prompt: str) -> str | None:
    """Return the line that answers `prompt`; None when the input is at its end.

    A line that does not come from a terminal is printed after its prompt, so that the output
    reads like the session it stands for.
    """
    if sys.stdin is not None and is_terminal(sys.stdin):
        return _typed(prompt)
    # Without a standard input at all there is nothing to read either.
    line = None if sys.stdin is None else next(raw_lines(sys.stdin.buffer), None)
    if line is None:
        click.echo(prompt.rstrip())
        return None
    text = decoded(line)
    click.echo(f"{prompt}{text}".rstrip())
    return text


def decoded(line: bytes) -> str:
    """Return a line as text that is safe to print, without its end."""
    text = line.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    return "".join(
        each if each.isprintable() else " " if each.isspace() else "\ufffd" for each in text
    )


def _text_of(words: Sequence[str]) -> tuple[str, str]:
    """Return where a text comes from, and the text."""
    with _opened(words) as (name, stream):
        # Enough to tell that a text is too long, without holding all of it.
        return name, _decoded(stream.read(4 * MAX_CHARACTERS + 4))


@contextmanager
def _opened(words: Sequence[str]) -> Iterator[tuple[str, BinaryIO]]:
    """Yield where a text comes from, empty for the command line itself, and its bytes."""
    slips.refuse_stray_number(words)
    if not words or list(words) == ["-"]:
        yield _STDIN, _as_utf8(_standard_input(asked=bool(words)))
    elif len(words) == 1 and os.path.exists(words[0]):
        with open(words[0], "rb") as file:
            yield words[0], _as_utf8(file)
    else:
        yield "", BytesIO(os.fsencode(" ".join(words)))


def _standard_input(asked: bool) -> BinaryIO:
    if sys.stdin is None or (not asked and is_terminal(sys.stdin)):
        raise click.UsageError(
            'expected a board, such as "8 6 7 / 2 5 4 / 3 0 1", or the name of a file',
            click.get_current_context(silent=True),
        )
    return sys.stdin.buffer


def _as_utf8(stream: BinaryIO) -> BinaryIO:
    """Return a stream of UTF-16, as Windows PowerShell writes files, as one of UTF-8.

    Its byte order mark tells it; any other stream is returned as it is.
    """
    peek = getattr(stream, "peek", None)
    if peek is None or peek(2)[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE):
        return stream
    return BytesIO(stream.read(_MOST_BYTES).decode("utf-16", errors="replace").encode())


def _decoded(content: bytes) -> str:
    # What is no text keeps its place as U+FFFD, so that the reader can point at it.
    return content.decode("utf-8", errors="replace")


def _names_in(text: str) -> str:
    """Return the names of the tiles, if `text` is a board that has any."""
    try:
        labels = read_board(text).labels
    except NotationError:
        return ""
    names = [label for label in labels if isinstance(label, str) and label != "#"]
    return ", ".join(names[:5]) + ("…" if len(names) > 5 else "")


def _at(name: str) -> str:
    return f"{name}: " if name else ""


def _meant(
    error: NotationError, words: Sequence[str], name: str, text: str, classic: bool = False
) -> Exception:
    """Return the error for words that are no board: what was probably meant, or what is wrong."""
    meant = slips.no_board(words, text, classic)
    if isinstance(meant, str):
        return InputError(f"{_at(name)}{meant}")
    return meant or _with_source(error, name, text)


def _with_source(error: NotationError, name: str, text: str) -> TaquinError:
    """Say which file or option is at fault, and that a file is missing where one was meant."""
    word = text.strip() if len(text) <= _LONGEST_NAME else ""
    if not word or not _names_a_file(word):
        return InputError(f"{_at(name)}{error}")
    return InputError(f"{_at(name)}there is no file {shorten(word, 60)}, and it is no board either")


def _names_a_file(word: str) -> bool:
    """Tell whether a word that is no board looks like a path: rows would be equally long."""
    if _FILE_NAME.fullmatch(word):
        return True
    return bool(_FOLDERS.fullmatch(word)) and len(set(map(len, word.split("/")))) > 1


def _say_other(text: str, classic: bool = False) -> None:
    """Say what a text may be meant for besides what it is taken for."""
    if (other := another_board(text, classic)) is not None:
        say(f"Note: this may also be {other.text()} under its size; if so, leave the size out.")


def _typed(prompt: str) -> str | None:
    with suppress(ImportError):
        # Importing it is all it takes to give `input` a history and a line editor.
        import readline  # noqa: F401
    sys.stdout.flush()
    try:
        return input(prompt)
    except EOFError:
        click.echo()
        return None
    except UnicodeDecodeError:
        return "\ufffd"
