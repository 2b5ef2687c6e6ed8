"""Text layout within a width: wrapped lines, blocks side by side, and text tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

COLUMN_GAP = 2
"""Spaces between two columns of a table."""
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""An ANSI escape sequence that changes the style."""


def text_width(text: str) -> int:
    """Return the columns that a text occupies; styles take none, wide characters two."""
    plain = _STYLE.sub("", text) if "\x1b" in text else text
    return len(plain) if plain.isascii() else sum(map(_character_width, plain))


def _character_width(character: str) -> int:
    """Return the columns that a character occupies: 0, 1 or 2."""
    # Imported late: most texts are ASCII.
    from unicodedata import combining, east_asian_width

    return 0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1


def column_groups(widths: Sequence[int], width: int, gap: int) -> Iterator[slice]:
    """Yield slices of columns that fit side by side into `width`, at least one per slice.

    >>> list(column_groups([5, 5, 5, 30], width=12, gap=2))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    first = 0
    while first < len(widths):
        last, left = first + 1, width - widths[first]
        while last < len(widths) and gap + widths[last] <= left:
            left -= gap + widths[last]
            last += 1
        yield slice(first, last)
        first = last


def side_by_side(
    blocks: Sequence[Sequence[str]],
    width: int,
    gap: int,
    *,
    equal: bool = False,
    at_bottom: bool = False,
) -> list[list[str]]:
    """Return the lines of each row of blocks, with as many blocks side by side as fit `width`.

    With `equal`, all blocks are as wide as the widest. Blocks of different heights are aligned at
    the top, or `at_bottom`.

    >>> side_by_side([["a", "b"], ["cc"], ["d"]], width=5, gap=2)
    [['a  cc', 'b'], ['d']]
    """
    widths = [max(map(text_width, block), default=0) for block in blocks]
    if equal:
        widths = [max(widths, default=0)] * len(widths)
    rows = []
    for band in column_groups(widths, width, gap):
        height = max(map(len, blocks[band]))
        columns = []
        for block, block_width in zip(blocks[band], widths[band], strict=True):
            empty = [""] * (height - len(block))
            lines = [*empty, *block] if at_bottom else [*block, *empty]
            columns.append([line + " " * (block_width - text_width(line)) for line in lines])
        rows.append([(" " * gap).join(line).rstrip() for line in zip(*columns, strict=True)])
    return rows


def wrap_text(text: str, width: int, indent: str = "") -> list[str]:
    """Wrap a text into lines of at most `width` characters, indenting all but the first.

    A longer word is not split. Leading spaces are repeated on every line.

    >>> wrap_text("  depth 2, estimate 10", 12, "  ")
    ['  depth 2,', '    estimate', '    10']
    """
    if len(text) <= width:
        return [text]
    # Imported late: only a narrow screen needs it.
    from textwrap import wrap

    indent = text[: len(text) - len(text.lstrip())] + indent
    return wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column of a text table."""

    heading: str
    cells: Sequence[str]
    left: bool = False
    """Whether it is left-aligned, as text is; numbers are right-aligned."""

    @property
    def width(self) -> int:
        """The width that needs no wrapping."""
        return max(map(len, [self.heading, *self.cells]))

    def aligned(self, text: str, width: int) -> str:
        """Return one line of a cell, padded to `width`."""
        return text.ljust(width) if self.left else text.rjust(width)


def heading_lines(columns: Sequence[TextColumn], widths: Sequence[int]) -> list[str]:
    """Return the headings, wrapped to the widths and aligned at the bottom."""
    headings = list(map(wrap_text, [column.heading for column in columns], widths))
    height = max(map(len, headings))
    padded = ([""] * (height - len(heading)) + heading for heading in headings)
    return [_row(line, columns, widths) for line in zip(*padded, strict=True)]


def row_lines(columns: Sequence[TextColumn], widths: Sequence[int]) -> list[str]:
    """Return the rows, wrapped to the widths; each has as many lines as its longest cell."""
    return [
        _row(line, columns, widths)
        for cells in zip(*(column.cells for column in columns), strict=True)
        for line in zip_longest(*map(partial(wrap_text, indent="  "), cells, widths), fillvalue="")
    ]


def rule(widths: Sequence[int]) -> str:
    """Return the line between headings and rows."""
    return "─" * (sum(widths) + COLUMN_GAP * (len(widths) - 1))


def _row(line: Sequence[str], columns: Sequence[TextColumn], widths: Sequence[int]) -> str:
    return (" " * COLUMN_GAP).join(map(TextColumn.aligned, columns, line, widths)).rstrip()
