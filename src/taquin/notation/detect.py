"""Which form a text is in.

The forms exclude each other, so one look decides:

    [ or {                                          JSON
    one word, then longer rows                      N_ROWS, COMMENTED when there is a `#`
    one line without `/`    one word                COMPACT
                            words for rows          WORDS
                            else                    LINE
    a word per row, all as long, two letters up     WORDS
    else                                            ROWS

No valid board is lost to WORDS: every board has a blank, and a blank in ROWS or LINE is a word of
one character. A board of one row ends with `/`, for on a line without one it would be a LINE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from taquin.errors import NotationError
from taquin.notation.characters import BLANK_MARKS
from taquin.notation.comments import (
    has_header,
    starts_with_hash,
    without_comments,
    without_tails,
)
from taquin.notation.forms import Form
from taquin.notation.source import EXAMPLE, Word, lines_of, words_of


@dataclass(frozen=True, slots=True)
class Source:
    """A text whose form is known."""

    form: Form
    """The form it is in."""
    lines: Sequence[str]
    """Its lines, the comments made empty."""
    rows: Sequence[Sequence[Word]]
    """Its rows of words; empty for JSON, whose words are none."""

    @property
    def text(self) -> str:
        """Return the lines as one text, in which every place is where it was."""
        return "\n".join(self.lines)


def detect(text: str) -> Form:
    """Return the form that `text` is read in; raise NotationError when it holds no words.

    >>> detect("b12 345 678"), detect("0,8,7,6,5,4,3,2,1")
    (<Form.WORDS: 'words'>, <Form.LINE: 'line'>)
    """
    return recognise(text).form


def recognise(text: str) -> Source:
    """Return `text` cut into words, with its form; raise NotationError when it holds no words."""
    lines = lines_of(text)
    if _opens_json(lines):
        return Source(Form.JSON, ["" if starts_with_hash(line) else line for line in lines], ())
    if has_header(lines):
        bare = without_tails(lines)
        return Source(Form.N_ROWS if bare == lines else Form.COMMENTED, bare, words_of(bare))
    lines = without_comments(lines)
    rows = words_of(lines)
    if not rows:
        found = "only comments" if "#" in text else "only separators"
        raise NotationError(f"expected a board, such as {EXAMPLE}, found {found}")
    return Source(_form_of(rows, any("/" in line for line in lines)), lines, rows)


def _opens_json(lines: Sequence[str]) -> bool:
    starts = (line.lstrip()[0] for line in lines if line.strip())
    return next((start for start in starts if start != "#"), "") in ("[", "{")


def _form_of(rows: Sequence[Sequence[Word]], has_slash: bool) -> Form:
    if len(rows) == 1 and not has_slash:
        if len(rows[0]) == 1:
            return Form.COMPACT
        return Form.WORDS if _are_rows([word.text for word in rows[0]]) else Form.LINE
    if len(rows) > 1 and all(len(row) == 1 for row in rows):
        words = [row[0].text for row in rows]
        if _same_length(words) and not any(word.strip("0") == "" for word in words):
            return Form.WORDS
    return Form.ROWS


def _are_rows(words: Sequence[str]) -> bool:
    """Tell whether each of the words on one line is a row of one-character cells."""
    marked = any(mark in word for word in words for mark in BLANK_MARKS)
    if not _same_length(words):
        # Words of unequal length are a slip, but digits round a `b` say which form was meant.
        return any(
            len(word) > 1 and any(mark in word for mark in BLANK_MARKS) for word in words
        ) and set("".join(words)) <= set("0123456789.*" + BLANK_MARKS)
    is_line = isqrt(len(words)) ** 2 == len(words) and all(word.isdecimal() for word in words)
    return (marked or len(words) == len(words[0])) and not is_line


def _same_length(words: Sequence[str]) -> bool:
    return len(words[0]) > 1 and all(len(word) == len(words[0]) for word in words)
