"""Moves as people write them, and files of answers.

    LURD   L U R D   L2 U   ←↑→↓       where the tile goes, as `taquin solve --style moves` prints
    left up right down                 the same in words
    8 6 3 2   8-6-3-2                  which tile moves
    7 down 4 left   1. 7 down  2. 4 left   both; numbers of steps are skipped

A file of answers has a line for each board, in order, or lines that begin with the number of their
board and a colon. An empty line is no answer, a line that starts with `#` is a comment:

    LURD             3: LURD
                     1: 8 6 3
    8 6 3
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Label
from taquin.notation.forms import is_comment
from taquin.notation.moves import read_moves
from taquin.system.words import counted, shorten

_WORD = re.compile(r"[^\s,;>-]+")
_STEP_NUMBER = re.compile(r"[0-9]{1,6}[.)]")
_LETTERS = re.compile(r"(?:[UDLRudlr][0-9]*)+")
_BOTH = re.compile(r"([0-9]{1,6})([UDLRudlr])")
_NUMBERED = re.compile(r"\s*([0-9]{1,6})\s*:(.*)", re.DOTALL)
_BY_WORD = {str(direction): direction for direction in Direction}
_BY_ARROW = dict(zip("↑↓←→", Direction, strict=True))


@dataclass(frozen=True, slots=True)
class Push:
    """A move named by a direction, by a tile, or by both."""

    text: str
    """The move as written."""
    direction: Direction | None = None
    """Where the tiles go; None if not given."""
    tile: Label | None = None
    """The tile that is pushed, the farthest from the blank; None if not given."""
    count: int | None = None
    """How many tiles slide; None if the tile determines it."""


def read_pushes(text: str, board: Board, blank: bool = False) -> Iterator[Push]:
    """Yield the moves that `text` names, for a board with the tiles of `board`.

    With `blank`, directions are where the blank goes. Raise NotationError at the first word that
    names no move.

    >>> [push.text for push in read_pushes("8 6 left, U2", Board.parse("1 2 3 / 4 5 6 / 7 8 0"))]
    ['8', '6 left', 'U2']
    """
    words = [match[0] for match in _WORD.finditer(text) if not _STEP_NUMBER.fullmatch(match[0])]
    labels = {str(label): label for label in board.labels if label not in (0, "#")}
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        both = None if word in labels else _BOTH.fullmatch(word)
        if both and both[1] in labels:
            yield Push(word, _of_tile(Direction.of_letter(both[2]), blank), labels[both[1]])
        elif word in labels:
            next_word = words[place] if place < len(words) else ""
            direction = None if next_word in labels else _direction(next_word)
            if direction is None:
                yield Push(word, tile=labels[word])
            else:
                place += 1
                yield Push(f"{word} {next_word}", _of_tile(direction, blank), labels[word])
        else:
            for part, direction, count in _directions(word):
                yield Push(part, _of_tile(direction, blank), count=count)


def _directions(word: str) -> Iterator[tuple[str, Direction, int]]:
    """Yield the directions of a word that is no tile, each as written and with its count."""
    if (direction := _direction(word)) is not None:
        yield word, direction, 1
    elif _LETTERS.fullmatch(word):
        for direction, count in read_moves(word):
            yield f"{direction.letter}{count if count > 1 else ''}", direction, count
    elif all(character in _BY_ARROW for character in word):
        for arrow in word:
            yield arrow, _BY_ARROW[arrow], 1
    elif word.isdecimal():
        raise NotationError(f"there is no tile {shorten(word)} on this board")
    else:
        raise NotationError(
            f"{shorten(word)} is no move: expected letters such as LURD, words such as left, or "
            f"the numbers of tiles"
        )


def _direction(word: str) -> Direction | None:
    """Return the direction that a word, a letter or an arrow names, or None."""
    if len(word) == 1 and word in "UDLRudlr":
        return Direction.of_letter(word)
    return _BY_WORD.get(word.lower()) or _BY_ARROW.get(word)


def _of_tile(direction: Direction, blank: bool) -> Direction:
    """Return where the tile goes; with `blank`, `direction` is where the blank goes."""
    return direction.opposite if blank else direction


def read_answers(lines: Iterable[str], boards: int) -> tuple[str, ...]:
    """Return the answer to each of `boards` boards, empty where there is none.

    Raise NotationError for an answer to an unknown board, for two answers to one board, and where
    only some lines are numbered.

    >>> read_answers(["3: LURD", "1: 8 6"], 3)
    ('8 6', '', 'LURD')
    """
    entries = [
        (number, line.removeprefix("\ufeff").rstrip("\r\n"))
        for number, line in enumerate(lines, 1)
        if not is_comment(line.lstrip("\ufeff"))
    ]
    answered = [(number, line) for number, line in entries if line.strip()]
    matches = [(number, _NUMBERED.fullmatch(line)) for number, line in answered]
    if not any(match for _, match in matches):
        if len(answered) and (last := entries.index(answered[-1])) >= boards:
            raise NotationError(
                f"expected {counted(boards, 'answer')} at most, one for each board, found "
                f"{last + 1} lines",
                answered[-1][0],
            )
        texts = [line.strip() for _, line in entries[:boards]]
        return tuple(texts + [""] * (boards - len(texts)))
    answers: dict[int, tuple[int, str]] = {}
    for number, match in matches:
        if match is None:
            raise NotationError(
                "expected the number of a board and a colon, such as 3: LURD, as on other lines",
                number,
            )
        board = int(match[1])
        if not 1 <= board <= boards:
            raise NotationError(f"there is no board {board}: they are 1 to {boards}", number)
        if board in answers:
            raise NotationError(
                f"board {board} was answered in line {answers[board][0]} already", number
            )
        answers[board] = number, match[2].strip()
    return tuple(answers.get(board, (0, ""))[1] for board in range(1, boards + 1))
