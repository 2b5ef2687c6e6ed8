"""What was probably meant where the words of a command line, or a file, are no board.

taquin solve --anytime 2 "8 1 3 / 4 0 2 / 7 6 5"      a number after an option that takes none
taquin solve "8 1 3 / 4 0 2 / 7 6 5" 2                a number beside the board
taquin check boards.txt                               a file of several boards
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice

import click

from taquin.cli.command import words_after_flags
from taquin.errors import TaquinError
from taquin.model.board import Board
from taquin.notation import read_board, read_boards, read_many
from taquin.system.words import shorten

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?(?:ms|s|k|M)?"
_LONGEST_NUMBER = 12
_SHORTEST_BOARD = 4
"""Characters of the shortest board in one word: 1230."""
_MOST_WORDS = 4
"""Words of a command line that are looked at one by one; the rows of a board are more."""
_SIZE = r"[0-9]{1,3}[x×X][0-9]{1,3}"
_LONGEST_TEXT = 60_000
"""Characters of the longest text that is read board by board."""
_ONE = "give one of them"
_INSTEAD = {"--anytime": "--max-seconds", "--optimal": "--max-seconds", "--all": "--most"}
"""The option that takes the number which people write after a flag."""


def refuse_stray_number(words: Sequence[str]) -> None:
    """Raise UsageError for a number that was meant for an option, and not for the board.

    A number directly after an option that takes none is a slip if what is left is a board in one
    word, a file or standard input; any other number is one beside a file or `-`.
    """
    flags = words_after_flags(click.get_current_context(silent=True))
    for word in words:
        others = [other for other in words if other is not word]
        if word not in flags or os.path.exists(word) or not _is_number(word):
            continue
        if (not others and len(word) < _SHORTEST_BOARD) or (
            len(others) == 1 and (_is_source(others[0]) or " " in others[0].strip())
        ):
            raise _takes_none(flags[word], word)
    if any(map(_is_source, words)) and (error := beside_the_board(words)):
        raise error


def no_board(words: Sequence[str], text: str, classic: bool) -> str | click.UsageError | None:
    """Return what was probably meant by words, and the text they stand for, that are no board.

    A sentence is about the text, an error about the words; None when there is no telling.
    """
    if error := beside_the_board(words):
        return error
    if re.fullmatch(_SIZE, size := " ".join(words).strip()):
        return _usage(f"{size} is a size, expected a board; taquin scramble {size} makes one")
    return several_boards(text, classic)


def beside_the_board(words: Sequence[str]) -> click.UsageError | None:
    """Return the error for words beside a board in one word, or beside a file; None for none."""
    if not 1 < len(words) <= _MOST_WORDS:
        return None
    boards = [word for word in words if _is_source(word) or _is_board(word)]
    others = [word for word in words if word not in boards]
    if len(boards) == len(words):
        many = _command_for_many()
        more = f", or a file of them to {many}" if many else ""
        return _usage(f"expected one board, found {len(boards)}; {_ONE}{more}")
    if len(boards) != 1:
        return None
    return _usage(f"expected one board, found {shorten(others[0])} beside it{_use_of(others[0])}")


def several_boards(text: str, classic: bool) -> str | None:
    """Say how many boards a text holds, if it holds several; None if it does not."""
    lines = text.splitlines()
    first = list(islice(read_many(lines, classic), 2))
    if len(first) == 2 and all(isinstance(found, Board) for found in first):
        # These tell what the lines are; to read a file of thousands would take long.
        count = sum(bool(line.strip()) and not line.startswith("#") for line in lines)
    else:
        count = _blocks(text, classic)
    if count < 2:
        return None
    many = _command_for_many()
    return f"expected one board, found {count:,}; {f'{many} takes them all' if many else _ONE}"


def _blocks(text: str, classic: bool) -> int:
    """Return how many boards of several lines a text holds, with empty lines between them."""
    if len(text) > _LONGEST_TEXT:
        return 0
    try:
        return len(read_boards(text, classic))
    except TaquinError:
        return 0


def _is_number(word: str) -> bool:
    """Tell whether a word is a number as options take them: `2`, `0.5`, `10s`."""
    return len(word) <= _LONGEST_NUMBER and re.fullmatch(_NUMBER, word) is not None


def _is_source(word: str) -> bool:
    return word == "-" or (not _is_number(word) and os.path.exists(word))


def _is_board(word: str) -> bool:
    try:
        read_board(word)
    except TaquinError:
        return False
    return True


def _use_of(word: str) -> str:
    """Say for which option a word may be meant; empty where there is no telling."""
    options = {name for each in _parameters() for name in each.opts}
    if _is_number(word):
        seconds = f", such as --max-seconds {word}" if "--max-seconds" in options else ""
        return f"; a number follows the option it is for{seconds}"
    # Only a slip needs them, and importing them costs every start-up.
    from taquin.heuristics.registry import HEURISTICS
    from taquin.search.algorithms import ALGORITHMS
    from taquin.search.options import algorithm_name

    name = re.split(r"[(:]", word, maxsplit=1)[0]
    for flag, is_known in (
        ("--algorithm", algorithm_name(name) in ALGORITHMS),
        ("--heuristic", name.lower() in HEURISTICS),
    ):
        if is_known and flag in options:
            return f"; write {flag} {word}"
    return ""


def _takes_none(flag: str, number: str) -> click.UsageError:
    instead = f"; write {_INSTEAD[flag]} {number}" if flag in _INSTEAD else ""
    return _usage(f"{flag} takes no number, found {number}{instead}")


def _command_for_many() -> str:
    """Return the command that takes several boards; empty if this one cannot."""
    if any(parameter.name == "many" for parameter in _parameters()):
        return f"{click.get_current_context().command_path} --many"
    return ""


def _parameters() -> Sequence[click.Parameter]:
    context = click.get_current_context(silent=True)
    return context.command.params if context else ()


def _usage(sentence: str) -> click.UsageError:
    return click.UsageError(sentence, click.get_current_context(silent=True))
