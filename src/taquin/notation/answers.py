"""Parse moves as people write them, and files of answers.

    LURD   L U R D   L2 U   D×2   ←↑→↓    where the tile goes, as `solve --style moves` prints
    left up right down   ['D', 'R']       the same as names, or as Python prints them
    8 6 3 2   8-6-3-2   8 → 6 → 3         which tile moves
    7 down 4 left   1. 7 down  2. 4 left  both; step numbers and "(10 moves)" are ignored

A file of answers has a line for each board, in order, or lines that begin with the number of their
board: `3: LURD`, `Board 3: LURD`, or `Board 3` with the moves on the next line. An empty line means
no answer, a line that starts with `#` is a comment. A name may precede the answers:

    LURD             3: LURD            Name: Ada Lovelace
                     1: 8 6 3           Board 1: LURD
    8 6 3                               Board 3: 8 6 3 (3 moves)
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Label
from taquin.notation.forms import is_comment
from taquin.notation.moves import read_moves, step_text
from taquin.reasons import reason
from taquin.system.formatting import counted, shorten

# Dashes, brackets and quotes of any kind, as word processors write them, separate moves.
_TOKEN = re.compile(r"[^\s,;=>|/•·‐‑–—−()\[\]{}'\"‘’‚“”„«»`´-]+")
_DIRECTION = "up|down|left|right|[udlr]"
_WORDS = {
    "up": "hoch|oben|rauf|aufwärts|haut|arriba|upwards?",
    "down": "runter|unten|abwärts|herunter|hinunter|bas|abajo|downwards?",
    "left": "links|gauche|izquierda|izda",
    "right": "rechts|droite|derecha|dcha",
}
"""Words of other languages for each direction."""
_FILLERS = (
    "move|moves|moving|slide|push|swap|tile|tiles|first|then|and|next|finally|to|the|it|now|go|goes|"
    "is|moved|zuerst|d'abord|primero|al|au|"
    "schiebe|bewege|ziehe|zug|züge|stein|plättchen|dann|und|nach|den|die|das|zum|schluss|"
    "déplacer|déplace|glisser|pousser|pièce|case|tuile|puis|ensuite|et|vers|le|la|en|à|"
    "mover|mueve|deslizar|ficha|pieza|luego|después|entonces|y|hacia|el|por"
)
"""Words around moves that say nothing."""
_TIDY = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        *((rf"\b(?:{words})\b", f" {direction} ") for direction, words in _WORDS.items()),
        (
            r"\b[0-9]+\s*(?:moves?|steps?|slides?|züge|schritte|coups|mouvements|movimientos)\b"
            r"(?:\s*(?:in total|in all|total))?:?",
            " ",
        ),
        (
            r"\b(?:answer|moves?|solution|steps?|antwort|lösung|züge|réponse|respuesta|solución)"
            r"\s*[:=]",
            " ",
        ),
        (
            r"(?<![\w'])(?:step|move|schritt|zug|étape|coup|paso|movimiento)\s*#?[0-9]{1,6}\s*[:.)](?=\s)",
            " ",
        ),
        (rf"(?<![\w'])(?:{_FILLERS})(?![\w'])", " "),
        (r"\(\s*(?:([0-9]+)\s?[x×*]|[x×*]\s?([0-9]+))\s*\)", r" x\1\2 "),
        (rf"({_DIRECTION})\s*[x×*]\s?([0-9]+)", r"\1\2 "),
        (rf"\b([0-9]+)\s?[x×*]\s?({_DIRECTION})(?![a-z])", r"\2\1 "),
    )
)
"""Patterns of text around moves, and their replacements."""
_PRONOUNS = ("a", "à", "i")
"""Words that may also be the names of tiles."""
_STEP_NUMBER = re.compile(r"(?<!\S)\(?([0-9]{1,6})[.)](?=\s)")
_LETTERS = re.compile(rf"(?:(?:{_DIRECTION})[0-9]*)+", re.IGNORECASE)
_BOTH = re.compile(r"([0-9]{1,6})([UDLRudlr↑↓←→])")
_BOARD = (
    "board|puzzle|problem|question|task|exercise|brett|tafel|aufgabe|stellung|grille|exercice|"
    "problème|tableau|tablero|ejercicio|problema|pregunta|frage|no|nr|q"
)
_NUMBERED = re.compile(
    rf"[\s#№(•*-]*+(?:(?:{_BOARD})(?![^\W\d])[.\s#№]*+(?:(?:no|nr)\b[.\s]*+)?([0-9]{{1,6}})(?!\w)[\s:.)–—-]*+"
    rf"(?:→\s*+(?=[\w\[(]))?+|([0-9]{{1,6}})[\s)]*+:)(.*)",
    re.IGNORECASE,
)
"""A line that begins with the number of its board."""
_LISTED = re.compile(r"\s*\(?([0-9]{1,6})[.)]+\s+(.*)")
"""A line of a numbered list; the number may count boards or steps."""
_DASHED = re.compile(r"\s*([0-9]{1,6})(?:\s+[–—-]\s+(?=\D)| *\t\s*(?=\S))(.*)")
"""A line such as `1 – left, up`, or a row of a table, where all lines are numbered so."""
_ANSWER = re.compile(
    r"^\s*(?:(?:(?:answer|solution|antwort|lösung|réponse|respuesta|solución)\b(?: to| zu| à| a)?"
    r"(?: the)?(?: \w+)?|[ap])[\s#]*([0-9]{1,6})\s*[:.)=–—-]\s*|#([0-9]{1,6})[\s:.)–—-]+)",
    re.IGNORECASE,
)
"""The begin of a line such as `Answer 1: LURD`, `A1: LURD` or `#1 LURD`, which names its board."""
_NAME = re.compile(
    r"\s*(?:name|student|nom|nombre|étudiante?|vorname)\s*[:=]\s*(.*)", re.IGNORECASE
)
_ARROWS = "↑↓←→"
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff\xad]")
"""Characters without width, as browsers and word processors write them."""
_OTHER_ARROWS = str.maketrans("⬆⬇⬅➡⇧⇩⇦⇨⇑⇓⇐⇒▲▼◀▶🡑🡓🡐🡒⭡⭣⭠⭢", _ARROWS * 6)
_LETTERED = re.compile(r"\s*(?:\(([a-z])\)|([a-z])\))[\s:.]*(.*)", re.IGNORECASE)
"""A line that begins with the letter of its board: `(a) LURD`, `b) LURD`."""
_DIRECTIONS = {
    name: direction
    for direction, arrow in zip(Direction, _ARROWS, strict=True)
    for name in (str(direction), direction.letter.lower(), arrow)
}
"""The names, letters and arrows of directions."""


_NONE = (
    "un-?sol[vu]able|insolvable|impossible|infeasible|unlösbar|unmöglich|insoluble|irresoluble|"
    "imposible"
)
_UNSOLVABLE = re.compile(
    rf"\b(?:{_NONE}|not (?:be )?solvable|no solution|nicht (?:lösbar|zu lösen)|keine lösung|"
    r"(?:pas|aucune|sans) (?:de )?solution|(?:sin|no (?:tiene|hay)) solución|"
    r"no se puede resolver|geht nicht|(?:not|nicht|pas|no es) (?:possible|möglich|posible)|"
    r"(?:cannot|can not|can['’]t) be solved)\b",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(rf"[?]|\b(?:not|nicht|pas|no|no es) (?:{_NONE})\b", re.IGNORECASE)
"""What makes such a sentence ambiguous: a question or a double negation."""
_SOLVABLE = re.compile(r"\b(?:solvable|lösbar|résoluble|resoluble)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Push:
    """A move given by a direction, by a tile, or by both."""

    text: str
    """The move as written."""
    direction: Direction | None = None
    """Where the tiles go; None if not given."""
    tile: Label | None = None
    """The tile that is pushed, the farthest from the blank; None if not given."""
    count: int | None = None
    """The number of tiles that slide; None if the tile determines it."""


def read_pushes(text: str, board: Board, blank: bool = False) -> Iterator[Push]:
    """Yield the moves of `text`, for a board with the tiles of `board`.

    With `blank`, directions are where the blank goes. Raise NotationError at the first token that
    is not a move.
    """
    labels = {str(label): label for label in board.labels if label not in (0, "#")}
    tokens = _tokens(text, labels)
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        both = None if token in labels else _BOTH.fullmatch(token)
        if both and both[1] in labels:
            yield Push(token, _of_tile(_DIRECTIONS[both[2].lower()], blank), labels[both[1]])
        elif token in labels:
            following = tokens[place] if place < len(tokens) else ""
            if following in labels or following.lower() not in _DIRECTIONS:
                yield Push(token, tile=labels[token])
                continue
            place += 1
            direction = _of_tile(_DIRECTIONS[following.lower()], blank)
            yield Push(f"{token} {following}", direction, labels[token])
        else:
            for part, direction, count in _directions(token):
                yield Push(part, _of_tile(direction, blank), count=count)


def _directions(token: str) -> Iterator[tuple[str, Direction, int]]:
    """Yield the directions of a token that is not a tile, each as written and with its count."""
    if token.lower() in _DIRECTIONS:
        yield token, _DIRECTIONS[token.lower()], 1
    elif _LETTERS.fullmatch(token):
        for direction, count in read_moves(token):
            yield step_text(direction, count), direction, count
    elif set(token) <= set(_ARROWS):
        yield from ((arrow, _DIRECTIONS[arrow], 1) for arrow in token)
    elif token.isdecimal():
        raise NotationError(reason("no-tile", found=shorten(token)))
    else:
        raise NotationError(reason("not-a-move", found=shorten(token)))


def _of_tile(direction: Direction, blank: bool) -> Direction:
    return direction.opposite if blank else direction


def _tokens(text: str, labels: Container[str] = ()) -> list[str]:
    """Return the tokens of an answer that are moves, or should be."""
    for pattern, replacement in _TIDY:
        text = pattern.sub(replacement, text)
    head, _, tail = text.partition("(")
    if head.strip() and re.fullmatch(r"[0-9]+\)\s*", tail):
        # The number of moves, at the end.
        text = head
    _, *steps = _STEP_NUMBER.split(text)
    numbers, moves = list(map(int, steps[::2])), steps[1::2]
    counts_on = all(after == before + 1 for before, after in pairwise(numbers))
    is_tiles = numbers[:1] != [1] and not re.search(r"[^\W\d]|[←↑→↓]", "".join(moves))
    if counts_on and all(map(str.strip, moves)) and not is_tiles:
        # In "8. 6. 3." the numbers are tiles.
        text = _STEP_NUMBER.sub(" ", text)
    parts = text.split("→")
    if all(map(str.strip, parts)) and not any(arrow in text for arrow in "←↑↓"):
        # Arrows between all tokens are separators: word processors replace `-->` by them.
        text = " ".join(parts)
    tokens = (token if token in labels else token.rstrip(".!:") for token in _TOKEN.findall(text))
    return [token for token in tokens if token in labels or token.lower() not in ("", *_PRONOUNS)]


@dataclass(frozen=True, slots=True)
class Answers:
    """The content of a file of answers."""

    texts: tuple[str, ...]
    """The answer to each board, empty if there is none."""
    name: str = ""
    """The name of the author; empty if none is given."""
    skipped: tuple[str, ...] = ()
    """A sentence for each ignored line, with the reason."""
    has_strays: bool = False
    """Whether one of these lines may be the answer to a board that has none."""
    may_be_shifted: bool = False
    """Whether the line taken for a name may be the first answer, and the next the second."""


def read_answers(lines: Iterable[str], boards: Sequence[Board]) -> Answers:
    """Parse the answers to `boards` from the lines of a file.

    A line that belongs to no board is skipped and reported. Nothing is raised: `taquin.grade`
    parses the moves of each answer.
    """
    reader = _AnswerReader(boards)
    entries = []
    for number, line in enumerate(lines, 1):
        visible = _INVISIBLE.sub("", line).replace("\xa0", " ")
        named = _ANSWER.sub(r"\1\2: ", visible, count=1)
        entries.append((number, named.translate(_OTHER_ARROWS).strip()))
    has_comments = any(is_comment(line) for _, line in entries)
    entries = [
        (number, line)
        for number, line in entries
        if _NUMBERED.fullmatch(line) or not is_comment(line)
    ]
    entries = _with_numbers(entries)
    whole = entries[:]
    while entries and reader.is_heading(*entries[0]):
        entries.pop(0)
        while entries and not entries[0][1]:
            entries.pop(0)
    numbered = [_NUMBERED.fullmatch(line) is not None for _, line in entries if line]
    headings = [match for _, line in entries if (match := _NUMBERED.fullmatch(line))]
    are_blocks = len(headings) > 1 and not any(match[3].strip() for match in headings)
    if any(numbered[:1]) and (2 * sum(numbered) >= len(numbered) or are_blocks):
        reader.read_numbered(entries)
    elif listed := _listed(entries, len(boards)):
        reader.answers = listed
    else:
        unnamed = [entry for entry in whole if entry[1] and not _NAME.fullmatch(entry[1])]
        if len(entries) < len(boards) == len(unnamed):
            # Too few answers below a heading: the heading may be an answer that is not a move.
            if reader.skipped:
                reader = _AnswerReader(boards)
                for entry in whole:
                    if _NAME.fullmatch(entry[1]):
                        reader.is_heading(*entry)
                entries = unnamed
            else:
                reader.may_be_shifted = True
        reader.has_strays = bool(reader.skipped)
        reader.read_in_order(entries)
    if not any(reader.answers.values()) and (reader.skipped or has_comments):
        # A text, but no answer: perhaps in a form that is not known.
        reader.has_strays = True
    texts = tuple(reader.answers.get(board, "") for board in range(1, len(boards) + 1))
    skipped = tuple(reader.skipped)
    return Answers(texts, reader.name, skipped, reader.has_strays, reader.may_be_shifted)


def _with_numbers(entries: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return lines with the numbers of their boards for the letters (a), (b), … in order."""
    matches = [_LETTERED.fullmatch(line) for _, line in entries]
    letters = [(match[1] or match[2]).lower() for match in matches if match]
    if not letters or letters != [chr(ord("a") + place) for place in range(len(letters))]:
        return entries
    return [
        (number, f"{letters.index((match[1] or match[2]).lower()) + 1}: {match[3]}")
        if match
        else (number, line)
        for (number, line), match in zip(entries, matches, strict=True)
    ]


def says_unsolvable(text: str) -> bool:
    """Return whether an answer says that its board has no solution, and has no moves."""
    rest, found = _UNSOLVABLE.subn("", text)
    is_sure = not _SOLVABLE.search(rest) and not _DOUBTFUL.search(text)
    return found > 0 and is_sure and not re.search(r"\b[UDLR]{2,}\b", rest)


def is_mixed(text: str, board: Board) -> bool:
    """Return whether some moves of an answer are tiles alone, and others directions alone.

    Then the numbers may mean something else, such as the board copied before the moves.
    """
    has_tile = has_direction = False
    try:
        for push in read_pushes(text, board):
            has_tile |= push.direction is None
            has_direction |= push.tile is None
    except NotationError:
        return has_tile
    return has_tile and has_direction


def begins_with_move(text: str, labels: Container[str]) -> bool:
    """Return whether the first token of a text is a move, or the number of a tile."""
    first = next(iter(_tokens(text, labels)), "")
    is_tile = first in labels or first.isdecimal() or _BOTH.fullmatch(first)
    is_direction = _LETTERS.fullmatch(first) or (first and set(first) <= set(_ARROWS))
    return bool(is_tile or is_direction)


def _listed(entries: Sequence[tuple[int, str]], boards: int) -> dict[int, str]:
    """Return the answers by board if the lines are a list numbered like the boards."""
    matches = [_LISTED.fullmatch(line) for _, line in entries if line]
    dashed = [_DASHED.fullmatch(line) for _, line in entries if line]
    if [match and int(match[1]) for match in dashed] == [*range(1, len(dashed) + 1)]:
        matches = dashed
    answers = {int(match[1]): match[2] for match in matches if match}
    has_steps = any(_STEP_NUMBER.search(text) for text in answers.values())
    is_list = len(answers) == len(matches) and all(1 <= board <= boards for board in answers)
    return answers if is_list and not has_steps else {}


class _AnswerReader:
    """Collects the answers of a file, line by line."""

    def __init__(self, boards: Sequence[Board]) -> None:
        self.labels = {str(label) for board in boards for label in board.labels}
        self.boards = len(boards)
        self.answers: dict[int, str] = {}
        self.name = ""
        self.skipped: list[str] = []
        self.has_strays = self.may_be_shifted = False

    def is_heading(self, number: int, line: str) -> bool:
        """Return whether a line before the answers is a heading, and store the name in it."""
        if match := _NAME.fullmatch(line):
            self.name = match[1].strip(" _")
        elif not line or _NUMBERED.fullmatch(line) or self._is_answer(line):
            return False
        elif (match := _LISTED.fullmatch(line)) and 1 <= int(match[1]) <= self.boards:
            # The rest of the line may be an answer in a form that is not known.
            return False
        elif (
            not self.name and re.fullmatch(r"[^\W\d_][^\d:.!?,=\[{]*", line) and line.count(" ") < 5
        ):
            self.name = line
        else:
            self._skip(number, f"{shorten(line, 40)} is not an answer")
        return True

    def read_numbered(self, entries: Iterable[tuple[int, str]]) -> None:
        """Read lines that begin with the numbers of their boards."""
        lines: dict[int, int] = {}
        waiting: int | None = None
        for number, line in entries:
            if match := _NUMBERED.fullmatch(line):
                board = int(match[1] or match[2])
                waiting = None
                if not 1 <= board <= self.boards:
                    self._stray(number, f"there is no board {board}: they are 1 to {self.boards}")
                elif self.answers.get(board):
                    self._skip(number, f"board {board} was answered in line {lines[board]} already")
                else:
                    self.answers[board], lines[board] = match[3].strip(), number
                    waiting = None if self.answers[board] else board
            elif line and waiting is not None and self._is_answer(line):
                self.answers[waiting] = f"{self.answers[waiting]}\n{line}".strip()
                lines[waiting] = number
            elif line:
                self._stray(number, "expected the number of a board and a colon, such as 3: LURD")

    def read_in_order(self, entries: Sequence[tuple[int, str]]) -> None:
        """Read a line for each board; a single board may have a line for each move."""
        if (
            self.boards == 1
            and len(entries) > 1
            and not any(_NUMBERED.fullmatch(line) for _, line in entries)
        ):
            moves = [line for _, line in entries if begins_with_move(line, self.labels)]
            self.answers[1] = "\n".join(moves)
            return
        answered = [entry for entry in entries if entry[1]]
        if len(entries) > self.boards == len(answered):
            # Every board has its line, with empty lines between them.
            entries = answered
        for board, (number, line) in enumerate(entries, 1):
            match = _NUMBERED.fullmatch(line)
            if board <= self.boards and match and int(match[1] or match[2]) != board:
                self._stray(number, f"board {board} is next, as most lines have no number")
            elif board <= self.boards:
                listed = _LISTED.fullmatch(line)
                if listed and int(listed[1]) == board and not _STEP_NUMBER.search(listed[2]):
                    line = listed[2]
                self.answers[board] = match[3].strip() if match else line
            elif line:
                self._skip(number, f"all {counted(self.boards, 'board')} have their lines")

    def _is_answer(self, line: str) -> bool:
        return begins_with_move(line, self.labels) or says_unsolvable(line)

    def _stray(self, number: int, reason: str) -> None:
        self.has_strays = True
        self._skip(number, reason)

    def _skip(self, number: int, reason: str) -> None:
        self.skipped.append(f"line {number} is ignored: {reason}")
