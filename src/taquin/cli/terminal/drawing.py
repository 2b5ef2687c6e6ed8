"""Lines for a window: styled text cut and padded to a width, and boards in the size that fits.

The three scales of a board:

    ┌─────┬─────┐
    │     │     │     ┌───┬───┐
    │  1  │  2  │     │ 1 │ 2 │     1 2
    │     │     │     ├───┼───┤     3 _
    ├─────┼─────┤     │ 3 │   │
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from enum import Enum

import click

from taquin import BLANK, WALL, Board, Goal, Move
from taquin.model.rows import fold
from taquin.system.layout import STYLE, character_width, text_width
from taquin.views.wording import has_names


def clip(text: str, width: int) -> str:
    """Return as much of a styled text as `width` columns hold, with all of its styles."""
    if text_width(text) <= width:
        return text
    kept, left = [], width
    for part in re.split(rf"({STYLE.pattern})", text):
        if STYLE.fullmatch(part):
            kept.append(part)
            continue
        for letter in part:
            left -= character_width(letter)
            if left < 0:
                break
            kept.append(letter)
    return "".join(kept)


def padded(text: str, width: int) -> str:
    """Return a styled text in exactly `width` columns."""
    text = clip(text, width)
    return text + " " * (width - text_width(text))


def centred(text: str, width: int) -> str:
    """Return a styled text in the middle of `width` columns."""
    return padded(" " * ((width - text_width(text)) // 2) + text, width)


def apart(left: str, right: str, width: int) -> str:
    """Return two texts at the ends of a line; where both do not fit, the left one is cut."""
    left = padded(left, max(0, width - text_width(right) - 2))
    return clip(f"{left}  {right}", width)


def flowed(words: Iterable[str], width: int, gap: str = "   ") -> list[str]:
    """Return groups of words in as few lines as hold them; one as long as a line is broken up.

    >>> flowed(["one", "two", "three"], 9)
    ['one   two', 'three']
    """
    lines: list[str] = []
    for word in words:
        if text_width(word) > width and " " in word:
            lines += flowed(word.split(" "), width, " ")
        elif lines and text_width(lines[-1]) + len(gap) + text_width(word) <= width:
            lines[-1] += gap + word
        else:
            lines.append(clip(word, width))
    return lines


def keys_help(keys: Iterable[str], width: int) -> list[str]:
    """Return keys and what each does, in dim lines in the middle of the window."""
    return [centred(click.style(line, dim=True), width) for line in flowed(keys, width)]


def too_small(wide: int, high: int, columns: int, lines: int) -> list[str]:
    """Return the message for a window that is too small."""
    words = f"This window has {wide} columns and {high} lines; "
    words += f"{columns} and {lines} are needed. Make it larger, or press q to leave."
    return flowed(words.split(), max(1, wide), gap=" ")


class Scale(Enum):
    """The size of a drawn board: spaces beside a label, lines of a cell."""

    LARGE = (2, 3)
    BOXED = (1, 1)
    PLAIN = (0, 0)

    def size(self, board: Board) -> tuple[int, int]:
        """Return the columns and lines that a board takes."""
        rows, columns, label = board.grid.rows, board.grid.columns, _label_width(board)
        if self is Scale.PLAIN:
            return columns * (label + 1) - 1, rows
        spaces, lines = self.value
        return columns * (label + 2 * spaces + 1) + 1, rows * (lines + 1) + 1


def scale_for(board: Board, wide: int, high: int) -> Scale | None:
    """Return the largest scale in which a board fits; None when it does not fit in any."""
    for scale in Scale:
        width, height = scale.size(board)
        if width <= wide and height <= high:
            return scale
    return None


def draw_tiles(
    board: Board, scale: Scale, goal: Goal, moved: Move | None = None, hint: Move | None = None
) -> list[str]:
    """Return a board as lines of one width.

    Tiles in their goal cells are green, those that `moved` last bold, those of a `hint` inverted.
    """
    label_width, grid = _label_width(board), board.grid
    blank = "@" if has_names(board) else "_" if scale is Scale.PLAIN else ""
    spaces, lines = scale.value
    wide = label_width + 2 * spaces
    moved_cells = grid.ray(board.blank, moved.direction)[: len(moved.tiles)] if moved else ()
    hint_cells = grid.ray(board.blank, hint.direction.opposite)[: len(hint.tiles)] if hint else ()

    def styled(cell: int, line: int) -> str:
        label = board.cells[cell]
        is_tile = label not in (WALL, BLANK)
        word = blank if label == BLANK else str(label)
        # Numbers stand below each other.
        text = " " * (label_width - text_width(word)) + word if line == lines // 2 else ""
        return click.style(
            "▒" * wide if label == WALL and lines else centred(text, wide),
            fg="green" if is_tile and label == goal.cells[cell] else None,
            bold=(is_tile and cell in moved_cells) or None,
            dim=label == WALL or None,
            reverse=cell in hint_cells or None,
        )

    rows = fold(range(grid.size), grid.columns)
    if scale is Scale.PLAIN:
        return [" ".join(styled(cell, 0) for cell in row) for row in rows]
    top, between, bottom = (
        click.style(left + middle.join(["─" * wide] * grid.columns) + right, dim=True)
        for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    post = click.style("│", dim=True)
    drawn: list[str] = []
    for row in rows:
        drawn.append(between if drawn else top)
        for line in range(lines):
            drawn.append(post + post.join(styled(cell, line) for cell in row) + post)
    return [*drawn, bottom]


def bar(value: float, largest: float, width: int) -> str:
    """Return a bar of `width` columns, filled as far as `value` is of `largest`."""
    filled = round(width * min(1.0, value / largest)) if largest else 0
    # A value above zero is always visible.
    filled = max(filled, 1) if value else filled
    return "█" * filled + "░" * (width - filled)


def sign(marks: str, words: str) -> str:
    """Return the signs for keys, or `words` if the encoding of the output lacks the signs."""
    try:
        marks.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return words
    return marks


def _label_width(board: Board) -> int:
    return max(text_width(str(label)) for label in board.cells)
