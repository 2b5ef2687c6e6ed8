"""Explain common mistakes: arguments, or a file, that are not one board.

taquin solve --anytime 2 "8 1 3 / 4 0 2 / 7 6 5"      a number after an option that takes none
taquin solve "8 1 3 / 4 0 2 / 7 6 5" 2                a number beside the board
taquin check boards.txt                               a file of several boards
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, pairwise

import click

from taquin import Board, InputError, TaquinError
from taquin.cli.command import ARGUMENTS
from taquin.notation import read_board, read_boards, read_many
from taquin.system.words import shorten

_MIN_BOARD = 4
"""Characters of the shortest board in one argument: 1230."""
_MAX_ARGUMENTS = 4
"""More arguments than this are the cells of a board, and are not examined one by one."""
_MAX_TEXT = 60_000
"""Characters of the longest text that is read board by board."""
_ONE = "give one of them"
_INSTEAD = {"--anytime": "--max-seconds", "--optimal": "--max-seconds", "--all": "--most"}
"""The option for the number that users write after a flag."""


def refuse_stray_number(arguments: Sequence[str]) -> None:
    """Raise UsageError for a number after a flag, or beside a file, that an option should take."""
    context = click.get_current_context(silent=True)
    given = context.meta.get(ARGUMENTS, ()) if context else ()
    options = {name: option for option in _parameters() for name in option.opts}
    flags = {
        after: flag
        for flag, after in pairwise(given)
        if getattr(options.get(flag), "is_flag", False)
    }
    for argument in arguments:
        rest = [other for other in arguments if other is not argument]
        if argument not in flags or os.path.exists(argument) or not _is_number(argument):
            continue
        if (not rest and len(argument) < _MIN_BOARD) or (
            len(rest) == 1 and (_is_source(rest[0]) or " " in rest[0].strip())
        ):
            flag = flags[argument]
            instead = f"; write {_INSTEAD[flag]} {argument}" if flag in _INSTEAD else ""
            raise _usage(f"{flag} takes no number, found {argument}{instead}")
    if any(map(_is_source, arguments)):
        _refuse_extra_arguments(arguments)


def refuse_mistake(arguments: Sequence[str], source: str, text: str, classic: bool) -> None:
    """Raise an error with the likely meaning of a `text` that is not a board, if there is one."""
    _refuse_extra_arguments(arguments)
    if re.fullmatch("[0-9]{1,3}[x×X][0-9]{1,3}", size := " ".join(arguments).strip()):
        raise _usage(f"{size} is a size, expected a board; taquin scramble {size} generates one")
    lines = text.splitlines()
    first = list(islice(read_many(lines, classic), 2))
    count = 0
    if len(first) == 2 and all(isinstance(board, Board) for board in first):
        # Two boards are enough to decide; reading a file of thousands would take long.
        count = sum(bool(line.strip()) and not line.startswith("#") for line in lines)
    elif len(text) <= _MAX_TEXT:
        with suppress(TaquinError):
            count = len(read_boards(text, classic))
    if count > 1:
        many = _command_for_many()
        advice = f"{many} takes them all" if many else _ONE
        raise InputError(f"{source}expected one board, found {count:,}; {advice}")


def _refuse_extra_arguments(arguments: Sequence[str]) -> None:
    if not 1 < len(arguments) <= _MAX_ARGUMENTS:
        return
    boards = [argument for argument in arguments if _is_source(argument) or _is_board(argument)]
    rest = [argument for argument in arguments if argument not in boards]
    if not rest:
        many = _command_for_many()
        more = f", or a file of them to {many}" if many else ""
        raise _usage(f"expected one board, found {len(boards)}; {_ONE}{more}")
    if len(boards) == 1:
        raise _usage(
            f"expected one board, found {shorten(rest[0])} beside it{_option_hint(rest[0])}"
        )


def _is_number(argument: str) -> bool:
    """Return whether a text is a number that an option could take: `2`, `0.5`, `10s`."""
    return len(argument) <= 12 and bool(re.fullmatch(r"[0-9]+([.,][0-9]+)?(ms|s|k|M)?", argument))


def _is_source(argument: str) -> bool:
    return argument == "-" or (not _is_number(argument) and os.path.exists(argument))


def _is_board(argument: str) -> bool:
    try:
        read_board(argument)
    except TaquinError:
        return False
    return True


def _option_hint(argument: str) -> str:
    """Return the option that an argument probably belongs to; empty if unknown."""
    options = {name for parameter in _parameters() for name in parameter.opts}
    if _is_number(argument):
        seconds = f", such as --max-seconds {argument}" if "--max-seconds" in options else ""
        return f"; a number follows the option it is for{seconds}"
    from taquin.heuristics.registry import HEURISTICS
    from taquin.search.grammar import is_search

    if is_search(argument) and "--algorithm" in options:
        return f"; write --algorithm {argument}"
    if re.split("[(:]", argument)[0].lower() in HEURISTICS and "--heuristic" in options:
        return f"; write --heuristic {argument}"
    return ""


def _command_for_many() -> str:
    """Return this command with its option for several boards; empty if it has none."""
    if any(parameter.name == "many" for parameter in _parameters()):
        return f"{click.get_current_context().command_path} --many"
    return ""


def _parameters() -> Sequence[click.Parameter]:
    context = click.get_current_context(silent=True)
    return context.command.params if context else ()


def _usage(sentence: str) -> click.UsageError:
    return click.UsageError(sentence, click.get_current_context(silent=True))
