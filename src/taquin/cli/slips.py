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
from taquin.model.board import Board
from taquin.notation import read_many

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?(?:ms|s|k|M)?"
_LONGEST_NUMBER = 12
_SHORTEST_BOARD = 4
"""Characters of the shortest board in one word: 1230."""
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
        if word not in flags or os.path.exists(word) or not is_number(word):
            continue
        if (not others and len(word) < _SHORTEST_BOARD) or (
            len(others) == 1 and (_is_source(others[0]) or " " in others[0].strip())
        ):
            raise _takes_none(flags[word], word)
    if (stray := stray_number(words)) and any(map(_is_source, words)):
        raise beside_the_board(stray)


def stray_number(words: Sequence[str]) -> str | None:
    """Return the number beside a board that is one word, or beside a file; None for none."""
    numbers = [word for word in words if is_number(word)]
    others = [word for word in words if not is_number(word)]
    if len(numbers) == len(others) == 1 and (_is_source(others[0]) or " " in others[0].strip()):
        return numbers[0]
    return None


def beside_the_board(number: str) -> click.UsageError:
    """Return the error for a number that no option takes."""
    return click.UsageError(
        f"expected one board, found {number} beside it; a number follows the option it is for, "
        f"such as --max-seconds {number.rstrip('mskM')}",
        click.get_current_context(silent=True),
    )


def several_boards(text: str, classic: bool) -> str:
    """Say how many boards a text holds, if it holds several, one on each line; else nothing."""
    lines = text.splitlines()
    first = list(islice(read_many(lines, classic), 2))
    if len(first) < 2 or not all(isinstance(found, Board) for found in first):
        return ""
    # The first two tell what the lines are; to read a file of thousands would take long.
    count = sum(bool(line.strip()) and not line.startswith("#") for line in lines)
    return f"expected one board, found {count:,}, one on each line; {_what_to_do()}"


def is_number(word: str) -> bool:
    """Tell whether a word is a number as options take them: `2`, `0.5`, `10s`."""
    return len(word) <= _LONGEST_NUMBER and re.fullmatch(_NUMBER, word) is not None


def _is_source(word: str) -> bool:
    return word == "-" or (not is_number(word) and os.path.exists(word))


def _takes_none(flag: str, number: str) -> click.UsageError:
    bare = number.rstrip("mskM")
    instead = f"; write {_INSTEAD[flag]} {bare}" if flag in _INSTEAD else ""
    return click.UsageError(
        f"{flag} takes no number, found {number}{instead}", click.get_current_context(silent=True)
    )


def _what_to_do() -> str:
    context = click.get_current_context(silent=True)
    names = {parameter.name for parameter in context.command.params} if context else set()
    if context and "many" in names:
        return f"{context.command_path} --many takes them all"
    return "give one of them"
