"""Which `#` starts a comment, and which is a wall.

    # made by hand          N alone comes first: every `#` starts
    3                       a comment, up to the end of its line
    1 2 3   # top row
    4 5 6
    7 8 0

    # made by hand          no N: only a whole line can be a comment, and it must start with `#`;
    1 # 3                   a `#` after other cells is a wall
    # 5 _                   a row that starts with a wall: as long as the others, all of it cells

A line that starts with `#` is therefore a comment **unless** it could be a row: `#` stands alone,
everything after it is a cell, and its rows are as long as the other rows of the text. So that
`# my board` above a board of three columns stays a comment, a row that starts with `#` in the very
first column must not hold names of several letters; one that is indented may. A text without any
other line is a board only when it has at least two rows or a `/`.
"""

from __future__ import annotations

from collections.abc import Sequence

from taquin.errors import NotationError
from taquin.model.moves import WALL, Label
from taquin.model.rows import read_label
from taquin.notation.forms import MAX_CHARACTERS
from taquin.notation.source import Word, words_of_line


def starts_with_hash(line: str) -> bool:
    """Tell whether the first character of `line` that is not a blank is `#`."""
    return line.lstrip().startswith("#")


def is_comment(line: str) -> bool:
    """Tell whether `line`, all by itself, is a comment."""
    return starts_with_hash(line) and (
        len(line) > MAX_CHARACTERS or not any(without_comments([line]))
    )


def without_comments(lines: Sequence[str]) -> list[str]:
    """Return `lines`, those that are comments made empty, by the rule for texts without N."""
    hashed = [starts_with_hash(line) for line in lines]
    if not any(hashed):
        return list(lines)
    plain = (words_of_line(line) for line, flag in zip(lines, hashed, strict=True) if not flag)
    model = next((rows for rows in plain if rows), None)
    stands_alone = model is None
    if model is None:
        last = max(number for number, flag in enumerate(hashed) if flag)
        model = words_of_line(lines[last])
    width = len(model[0])
    kept = [
        line if not is_hashed or _could_be_row(line, width) else ""
        for line, is_hashed in zip(lines, hashed, strict=True)
    ]
    if stands_alone and sum(map(starts_with_hash, kept)) == 1 and "/" not in "".join(kept):
        return [""] * len(kept)
    return kept


def has_header(lines: Sequence[str]) -> bool:
    """Tell whether the first row is N: one word alone, with longer rows below it.

    A comment may follow the word. Where it could just as well be the rest of a row with a wall, as
    in `3 # 2`, it is one unless the rows below say otherwise.
    """
    bare = [words_of_line(line) for line in without_tails(lines)]
    rows = [row for line in bare for row in line]
    if not rows or len(rows[0]) != 1 or all(len(row) == 1 for row in rows):
        return False
    header = next(line for line, row in zip(lines, bare, strict=True) if row)
    if "#" not in header:
        return True
    word, *tail = words_of_line(header)[0]
    is_prose = not all(map(_is_cell, (word, *tail))) or any(
        is_long_name(each.text) for each in tail
    )
    says_rows = rows[0][0].text == str(len(rows) - 1)
    whole = [row for line in lines for row in words_of_line(line)]
    if any(len(row) != len(whole[0]) for row in whole):
        return is_prose or says_rows
    return is_prose and says_rows and len(whole[0]) == len(rows) - 1


def without_tails(lines: Sequence[str]) -> list[str]:
    """Return `lines`, each cut at its first `#`: the rule for texts that begin with N."""
    return [line.partition("#")[0] for line in lines]


def _could_be_row(line: str, width: int) -> bool:
    rows = words_of_line(line)
    words = [word for row in rows for word in row]
    return (
        words[0].text == WALL
        and all(len(row) == width for row in rows)
        and all(map(_is_cell, words))
        and (line[0] != "#" or not any(is_long_name(word.text) for word in words))
    )


def _is_cell(word: Word) -> bool:
    try:
        read_label(word.text, word.line, word.column)
    except NotationError:
        return False
    return True


def is_long_name(label: Label) -> bool:
    """Tell whether `label` is a name of several letters, which could be a word of a comment."""
    return isinstance(label, str) and len(label) > 1 and not label.isdecimal()
