"""Read input from arguments, files, standard input or a prompt.

`start_of`, `goal_of`, `lines_of` and `text_in` read what the arguments of a command, a file or a
pipe hold; `ask` asks at a prompt.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice
from time import monotonic
from typing import Any, BinaryIO, TypeVar

import click
from click.core import ParameterSource

from taquin import Board, Goal, Grid, TaquinError
from taquin.cli.screen import is_terminal, say
from taquin.errors import InputError, NotationError, UnfinishedError
from taquin.model.puzzle import NAMED_GOALS, named_goal
from taquin.notation import (
    MAX_CHARACTERS,
    another_board,
    read_board,
    read_boards,
    read_goal,
    read_many,
)
from taquin.notation.boards import no_goal
from taquin.system.formatting import bytes_in_words, listed, shorten

_MAX_ARGUMENTS = 4
"""More arguments than this are the cells of a board, and are not examined one by one."""
_MAX_TEXT = 60_000
"""Characters of the longest text that is read board by board."""


def _refuse_mistake(arguments: Sequence[str], source: str, text: str, classic: bool) -> None:
    """Raise an error with the likely meaning of a `text` that is not a board, if there is one."""
    _refuse_extra_arguments(arguments, _is_board)
    if re.fullmatch("[0-9]{1,3}[x×X][0-9]{1,3}", size := " ".join(arguments).strip()):
        raise click.UsageError(
            f"{size} is a size, expected a board; taquin scramble {size} generates one"
        )
    # Two boards are enough to decide; reading a file of thousands would take long.
    boards = list(islice(read_many(text.splitlines(), classic), 2))
    if len(text) <= _MAX_TEXT and not all(isinstance(board, Board) for board in boards):
        with suppress(TaquinError):
            boards = [*read_boards(text, classic)]
    if len(boards) > 1 and all(isinstance(board, Board) for board in boards):
        context = click.get_current_context(silent=True)
        has_many = context and any(option.name == "many" for option in context.command.params)
        advice = "--many reads them all" if has_many else "give one of them"
        raise InputError(f"{source}expected one board, found several; {advice}")


def _refuse_extra_arguments(arguments: Sequence[str], is_one: Callable[[str], bool]) -> None:
    """Raise UsageError if there are arguments beside one that is a board or a file by itself."""
    if not 1 < len(arguments) <= _MAX_ARGUMENTS:
        return
    if boards := [argument for argument in arguments if is_one(argument)]:
        extra = next((each for each in arguments if each not in boards), arguments[1])
        raise click.UsageError(f"expected one board, found {shorten(extra)} beside it")


def _is_source(argument: str) -> bool:
    # A number is a cell, even if a file has its name.
    return argument == "-" or (not argument.isdecimal() and os.path.exists(argument))


def _is_board(argument: str) -> bool:
    try:
        read_board(argument)
    except TaquinError:
        return _is_source(argument)
    return True


Position = TypeVar("Position", Board, Board | Goal)
_STDIN = "standard input"
_MAX_BYTES = 16_000_000
"""Size limit of a file of boards or answers: about 100,000 of them."""
_MAX_LINE = 64_000_000
"""Size limit of a line in bytes: a solution of about a million moves as JSON."""


def start_of(arguments: Sequence[str], goal: str) -> Board:
    """Return the board in `arguments`: a board, a file name, or `-` or nothing for stdin."""
    return _read(arguments, lambda text: read_board(text, goal in NAMED_GOALS), goal)


def position_of(arguments: Sequence[str]) -> Board | Goal:
    """Return the board given by `arguments`, or the goal if `*` stands for any tile in it."""
    return _read(arguments, lambda text: read_goal(text) if "*" in text else read_board(text))


def _read(arguments: Sequence[str], read: Callable[[str], Position], goal: str = "") -> Position:
    name, text = _text_of(arguments)
    classic = goal in NAMED_GOALS
    try:
        position = read(text)
    except NotationError as error:
        if classic and (names := _tile_names(text)):
            fault = f"needs numbered tiles, found {names}: give this board a --goal"
            raise InputError(f"{_at(name)}the goal {goal} {fault}") from None
        _refuse_mistake(arguments, _at(name), text, classic)
        raise _with_source(error, name, text) from None
    if isinstance(position, Board):
        numbers = text.split()
        if not name and numbers[1:] == list(map(str, position.cells)):
            # In a list of boards the first number is clear; alone it may be a mistake.
            board = position.text()
            say(f"Note: {numbers[0]} is taken as the number of the board {board}, not as a tile.")
        second = another_board(text, classic)
        if second is not None:
            board = second.text()
            say(f"Note: the first row may be a size; for the board {board}, leave it out.")
    return position


def goal_of(text: str, grid: Grid) -> Goal:
    """Return the goal for boards on `grid` given by `text`: a name, the goal itself, or a file."""
    if text in NAMED_GOALS:
        return named_goal(text, grid)
    name, text = _text_of([text])
    try:
        return read_goal(text, grid.rows, grid.columns)
    except NotationError as error:
        if name == "" and (sentence := no_goal(text)):
            raise InputError(sentence) from None
        raise _with_source(error, f"--goal{' ' if name else ''}{name}", text) from None


def lines_of(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the lines of `arguments`: the text itself, a file, or `-` or nothing for stdin."""
    with _opened(arguments) as (name, stream):
        if not name and _is_like_path(argument := " ".join(arguments)):
            try:
                read_board(argument)
            except NotationError as error:
                raise _with_source(error, "", argument) from None
        yield from map(_decoded, raw_lines(stream, name))


def is_input_ready(arguments: Sequence[str]) -> bool:
    """Return whether the next line of `arguments` can be read at once: a pipe may be slow."""
    if arguments and list(arguments) != ["-"]:
        return True
    stream: Any = sys.stdin and sys.stdin.buffer
    try:
        number = stream.fileno()
        if stat.S_ISREG(os.fstat(number).st_mode):
            return True
        if is_terminal(sys.stdin):
            return False
        os.set_blocking(number, False)
        try:
            return bool(stream.peek(1))
        finally:
            os.set_blocking(number, True)
    except (AttributeError, OSError):
        # No such input, or a system that does not say.
        return False


def text_in(argument: str) -> str:
    """Return the text given by `argument`: the text, a file, or `-` for stdin."""
    with _opened([argument]) as (name, stream):
        content = stream.read(_MAX_BYTES + 1)
    if not name and _is_like_path(argument):
        raise InputError(f"there is no file {shorten(argument)}")
    if len(content) > _MAX_BYTES:
        raise InputError(f"{_at(name)}more than {bytes_in_words(_MAX_BYTES)} of text")
    if fault := _document_kind(content):
        raise InputError(f"{_at(name)}expected plain text, found {fault}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # What Word calls plain text on Windows.
        return content.decode("cp1252", errors="replace")


def _document_kind(content: bytes) -> str:
    """Return what a file is if it is not text, and what to do about it; empty for text."""
    if content.startswith(b"PK\x03\x04"):
        if b"[Content_Types].xml" in content or b"mimetypeapplication/vnd.oasis" in content:
            return "a document of a word processor; save it as plain text (.txt)"
        return "a zip archive; unpack it and give its folder"
    if content.startswith((b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        return "a document of a word processor; save it as plain text (.txt)"
    if content.startswith(b"%PDF"):
        return "a PDF; copy the answers into a text file (.txt)"
    return "a binary file; save it as plain text (.txt)" if b"\0" in content else ""


def lines_of_file(name: str) -> Iterator[str]:
    """Yield the lines of a file, or of standard input if its name is `-`."""
    if name == "-":
        yield from lines_of([name])
    else:
        with open(name, "rb") as file:
            yield from map(_decoded, raw_lines(_as_utf8(file), name))


def raw_lines(stream: BinaryIO, name: str = _STDIN) -> Iterator[bytes]:
    """Yield the lines of a stream; raise InputError for an endless line, as in /dev/zero."""
    while line := stream.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            limit = bytes_in_words(_MAX_LINE)
            raise InputError(f"{_at(name)}expected lines of less than {limit}, found a longer one")
        yield line


def ask(prompt: str) -> str | None:
    """Return the answer to `prompt`, None at the end of input; echo an answer from a pipe."""
    if is_terminal(sys.stdin):
        return _typed(prompt)
    line = next(raw_lines(sys.stdin.buffer), None) if sys.stdin else None
    text = None if line is None else printable_line(line)
    click.echo(f"{prompt}{text or ''}".rstrip())
    return text


def printable_line(line: bytes) -> str:
    """Return a line as text that is safe to print, without its line ending."""
    text = line.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    return "".join(
        character if character.isprintable() else " " if character.isspace() else "\ufffd"
        for character in text
    )


def _text_of(arguments: Sequence[str]) -> tuple[str, str]:
    """Return the source of a text, as `_opened` names it, and the text."""
    with _opened(arguments, _given_seconds()) as (name, stream):
        # Enough to detect a text that is too long.
        return name, _decoded(stream.read(4 * MAX_CHARACTERS + 4))


def _given_seconds() -> float | None:
    """Return the --max-seconds that the user gave; None for a default or no such option."""
    context = click.get_current_context(silent=True)
    if (
        context is None
        or context.get_parameter_source("seconds") is not ParameterSource.COMMANDLINE
    ):
        return None
    seconds: float = context.params["seconds"]
    return seconds


class _TimedPipe(RawIOBase):
    """A pipe whose reader waits `seconds` at most for its end; then it raises UnfinishedError."""

    def __init__(self, file: Any, name: str, seconds: float) -> None:
        self._file, self._name, self._seconds = file, name, seconds
        self._deadline = monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        from select import select

        left = max(0.0, self._deadline - monotonic())
        if not select([self._file], [], [], left)[0]:
            raise UnfinishedError(f"{self._name} did not end within {self._seconds:g} s")
        content = os.read(self._file.fileno(), len(buffer))
        buffer[: len(content)] = content
        return len(content)


def _timed(file: Any, name: str, seconds: float | None) -> Any:
    """Return a file whose end is awaited for `seconds` at most, if it is a pipe."""
    with suppress(AttributeError, OSError):
        # Windows waits for sockets only.
        if seconds is not None and os.name == "posix":
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
                return BufferedReader(_TimedPipe(file, name, seconds))
    return file


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a named pipe before anything writes to it, too."""
    return os.open(path, flags | (os.O_NONBLOCK if stat.S_ISFIFO(os.stat(path).st_mode) else 0))


@contextmanager
def _opened(
    arguments: Sequence[str], seconds: float | None = None
) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the name of a source, empty for the arguments themselves, and its bytes.

    A terminal is read only if `-` names it. The end of a pipe is awaited for `seconds` at most.
    """
    _refuse_extra_arguments(arguments, _is_source)
    if not arguments or list(arguments) == ["-"]:
        if sys.stdin is None or (not arguments and is_terminal(sys.stdin)):
            raise click.UsageError(
                'expected a board, such as "8 6 7 / 2 5 4 / 3 0 1", or the name of a file'
            )
        yield _STDIN, _as_utf8(_timed(sys.stdin.buffer, _STDIN, seconds))
    elif len(arguments) == 1 and os.path.exists(arguments[0]):
        opener = None if seconds is None else _open_at_once
        with open(arguments[0], "rb", opener=opener) as file:
            yield arguments[0], _as_utf8(_timed(file, arguments[0], seconds))
    else:
        yield "", BytesIO(os.fsencode(" ".join(arguments)))


def _as_utf8(stream: BinaryIO) -> BinaryIO:
    """Return a stream of UTF-8; UTF-16, which Windows PowerShell writes, is converted."""
    peek = getattr(stream, "peek", None)
    if peek is None or peek(2)[:2] not in (BOM_UTF16_LE, BOM_UTF16_BE):
        return stream
    return BytesIO(stream.read(_MAX_BYTES).decode("utf-16", errors="replace").encode())


def _decoded(content: bytes) -> str:
    # Bytes that are not text become U+FFFD, so that error messages can give their column.
    return content.decode("utf-8", errors="replace")


def _tile_names(text: str) -> str:
    """Return the names of tiles in `text`, if it is a board that has any."""
    try:
        labels = read_board(text).labels
    except NotationError:
        return ""
    return listed(label for label in labels if isinstance(label, str) and label != "#")


def _at(name: str) -> str:
    return f"{name}: " if name else ""


def _with_source(error: NotationError, name: str, text: str) -> TaquinError:
    """Return `error` with the name of its source, or the error for a file that does not exist."""
    path = text.strip()
    if not path or len(path) > 4096 or not _is_like_path(path):
        return InputError(f"{_at(name)}{error}")
    return InputError(f"{_at(name)}there is no file {shorten(path, 60)}, and it is no board either")


def _is_like_path(text: str) -> bool:
    """Return whether a text looks like a path and not like rows, which are equally long."""
    if re.fullmatch(r"(?:\.{0,2}/|~|[A-Za-z]:\\)\S*|[\w./\\~-]*\.[A-Za-z]\w*", text):
        return True
    is_path = re.fullmatch(r"(?=.*[A-Za-z]{3})[\w.-]+(?:/[\w.-]+)+", text)
    return bool(is_path) and len(set(map(len, text.split("/")))) > 1


def _typed(prompt: str) -> str | None:
    with suppress(ImportError):
        # It adds a history and a line editor to `input`.
        import readline  # noqa: F401
    sys.stdout.flush()
    try:
        return input(prompt)
    except EOFError:
        click.echo()
        return None
    except UnicodeDecodeError:
        return "\ufffd"
