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
from taquin.notation.moves import read_moves, step_text
from taquin.system.words import counted, shorten

_WORD = re.compile(r"[^\s,;>-]+")
_STEP_NUMBER = re.compile(r"[0-9]{1,6}[.)]")
_LETTERS = re.compile(r"(?:[UDLRudlr][0-9]*)+")
_BOTH = re.compile(r"([0-9]{1,6})([UDLRudlr])")
_NUMBERED = re.compile(r"\s*([0-9]{1,6})\s*:(.*)", re.DOTALL)
_ARROWS = "↑↓←→"
_DIRECTIONS = {
    name: direction
    for direction, arrow in zip(Direction, _ARROWS, strict=True)
    for name in (str(direction), direction.letter.lower(), arrow)
}
"""The words, letters and arrows that name a direction."""


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
            if next_word in labels or next_word.lower() not in _DIRECTIONS:
                yield Push(word, tile=labels[word])
                continue
            place += 1
            direction = _of_tile(_DIRECTIONS[next_word.lower()], blank)
            yield Push(f"{word} {next_word}", direction, labels[word])
        else:
            for part, direction, count in _directions(word):
                yield Push(part, _of_tile(direction, blank), count=count)


def _directions(word: str) -> Iterator[tuple[str, Direction, int]]:
    """Yield the directions of a word that is no tile, each as written and with its count."""
    if word.lower() in _DIRECTIONS:
        yield word, _DIRECTIONS[word.lower()], 1
    elif _LETTERS.fullmatch(word):
        for direction, count in read_moves(word):
            yield step_text(direction, count), direction, count
    elif set(word) <= set(_ARROWS):
        yield from ((arrow, _DIRECTIONS[arrow], 1) for arrow in word)
    elif word.isdecimal():
        raise NotationError(f"there is no tile {shorten(word)} on this board")
    else:
        raise NotationError(
            f"{shorten(word)} is no move: expected letters such as LURD, words such as left, or "
            f"the numbers of tiles"
        )


def _of_tile(direction: Direction, blank: bool) -> Direction:
    return direction.opposite if blank else direction


def read_answers(lines: Iterable[str], boards: int) -> tuple[str, ...]:
    """Return the answer to each of `boards` boards, empty where there is none.

    Raise NotationError for an unknown board, two answers to one, and lines partly numbered.
    """
    entries = [
        (number, line.removeprefix("\ufeff").rstrip("\r\n"))
        for number, line in enumerate(lines, 1)
        if not is_comment(line.lstrip("\ufeff"))
    ]
    answered = [(number, line) for number, line in entries if line.strip()]
    matches = [(number, _NUMBERED.fullmatch(line)) for number, line in answered]
    if not any(match for _, match in matches):
        if answered and (last := entries.index(answered[-1])) >= boards:
            expected = f"{counted(boards, 'answer')} at most, one for each board"
            raise NotationError(f"expected {expected}, found {last + 1} lines", answered[-1][0])
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
            earlier = answers[board][0]
            raise NotationError(f"board {board} was answered in line {earlier} already", number)
        answers[board] = number, match[2].strip()
    return tuple(answers.get(board, (0, ""))[1] for board in range(1, boards + 1))
