"""Moves as people write them down, and the files they write them into.

    LURD   L U R D   L2 U   ←↑→↓       where the tile goes, as `taquin solve --style moves` prints
    left up right down                 the same in words
    8 6 3 2   8-6-3-2                  which tile moves
    7 down 4 left   1. 7 down  2. 4 left   both; numbers of steps are passed over

A file of answers has a line for each board, in their order, or lines that begin with the number of
their board and a colon; an empty line is no answer, a line that starts with `#` a comment:

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
    """A move as a person names it: by where tiles go, by the tile, or by both."""

    text: str
    """How it was written."""
    direction: Direction | None = None
    """Where the tiles go; None when it was not said."""
    tile: Label | None = None
    """The tile that is pushed, the farthest from the blank; None when it was not said."""
    count: int | None = None
    """How many tiles slide; None when the tile tells it."""


def read_pushes(text: str, board: Board, blank: bool = False) -> Iterator[Push]:
    """Yield the moves that `text` names, for a board with these tiles.

    With `blank`, directions are where the blank goes. Raise NotationError at the first word that
    names no move, after those before it have been yielded.

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
            direction = _turned(Direction.of_letter(both[2]), blank)
            yield Push(word, direction, labels[both[1]])
        elif word in labels:
            after = words[place] if place < len(words) else ""
            known = None if after in labels else _direction(after)
            if known is None:
                yield Push(word, tile=labels[word])
            else:
                place += 1
                yield Push(f"{word} {after}", _turned(known, blank), labels[word])
        else:
            for part, known, count in _directions(word, labels):
                yield Push(part, _turned(known, blank), count=count)


def _directions(word: str, labels: dict[str, Label]) -> Iterator[tuple[str, Direction, int]]:
    """Yield the directions of a word that is no tile, each with how it was written."""
    if (known := _direction(word)) is not None:
        yield word, known, 1
    elif _LETTERS.fullmatch(word):
        for direction, count in read_moves(word):
            yield f"{direction.letter}{count if count > 1 else ''}", direction, count
    elif all(each in _BY_ARROW for each in word):
        for each in word:
            yield each, _BY_ARROW[each], 1
    elif word.isdecimal():
        raise NotationError(f"there is no tile {shorten(word)} on this board")
    else:
        raise NotationError(
            f"{shorten(word)} is no move: expected letters such as LURD, words such as left, or "
            f"the numbers of tiles"
        )


def _direction(word: str) -> Direction | None:
    """Return the one direction that a word or a letter names."""
    if len(word) == 1 and word in "UDLRudlr":
        return Direction.of_letter(word)
    return _BY_WORD.get(word.lower()) or _BY_ARROW.get(word)


def _turned(direction: Direction, blank: bool) -> Direction:
    return direction.opposite if blank else direction


def read_answers(lines: Iterable[str], boards: int) -> tuple[str, ...]:
    """Return the answer to each of so many boards, empty where there is none.

    Raise NotationError for an answer to a board that there is not, for two answers to one, and for
    lines of which only some are numbered.

    >>> read_answers(["3: LURD", "1: 8 6"], 3)
    ('8 6', '', 'LURD')
    """
    written = [
        (number, line.removeprefix("\ufeff").rstrip("\r\n"))
        for number, line in enumerate(lines, 1)
        if not is_comment(line.lstrip("\ufeff"))
    ]
    answered = [(number, line) for number, line in written if line.strip()]
    numbered = [(number, _NUMBERED.fullmatch(line)) for number, line in answered]
    if not any(match for _, match in numbered):
        if len(answered) and (last := written.index(answered[-1])) >= boards:
            raise NotationError(
                f"expected {counted(boards, 'answer')} at most, one for each board, found "
                f"{last + 1} lines",
                answered[-1][0],
            )
        texts = [line.strip() for _, line in written[:boards]]
        return tuple(texts + [""] * (boards - len(texts)))
    found: dict[int, tuple[int, str]] = {}
    for line, match in numbered:
        if match is None:
            raise NotationError(
                "expected the number of a board and a colon, such as 3: LURD, as on other lines",
                line,
            )
        board = int(match[1])
        if not 1 <= board <= boards:
            raise NotationError(f"there is no board {board}: they are 1 to {boards}", line)
        if board in found:
            raise NotationError(
                f"board {board} was answered in line {found[board][0]} already", line
            )
        found[board] = line, match[2].strip()
    return tuple(found.get(board, (0, ""))[1] for board in range(1, boards + 1))
