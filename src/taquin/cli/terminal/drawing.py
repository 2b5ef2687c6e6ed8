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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import click

from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import BLANK, WALL, Label, Move
from taquin.model.rows import fold
from taquin.system.layout import STYLE, character_width, text_width


def clip(text: str, width: int) -> str:
    """Return as much of a styled text as `width` columns hold, with all of its styles.

    >>> clip("abc", 2)
    'ab'
    """
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
    text = clip(text, width)
    left = (width - text_width(text)) // 2
    return padded(" " * left + text, width)


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


def keys_help(pairs: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return what each key does, in dim lines."""
    return [
        click.style(line, dim=True)
        for line in flowed((f"{key} {what}" for key, what in pairs), width)
    ]


def too_small(wide: int, high: int, need: tuple[int, int]) -> list[str]:
    """Return the message for a window that is too small."""
    words = f"This window has {wide} columns and {high} lines; "
    words += f"{need[0]} and {need[1]} are needed. Make it larger, or press q to leave."
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


@dataclass(frozen=True, slots=True)
class Look:
    """What is highlighted on a board."""

    goal: Goal
    """Tiles in their goal cells are green."""
    moved: Move | None = None
    """The move that led here: its tiles are bold."""
    hint: Move | None = None
    """A move to make: its tiles are inverted."""
    agent: str = ""
    """What is drawn in the blank, if anything."""


def draw_tiles(board: Board, scale: Scale, look: Look) -> list[str]:
    """Return a board as lines of one width."""
    inks = _inks(board, look)
    label_width, columns = _label_width(board), board.grid.columns
    blank = look.agent or ("_" if scale is Scale.PLAIN else "")
    words = [blank if label == BLANK else str(label) for label in board.cells]
    # Numbers stand below each other.
    words = [" " * (label_width - text_width(word)) + word for word in words]
    if scale is Scale.PLAIN:
        inked = [ink(word) for ink, word in zip(inks, words, strict=True)]
        return [" ".join(row) for row in fold(inked, columns)]
    spaces, lines = scale.value
    wide = label_width + 2 * spaces
    rule = [_line(corners, wide, columns) for corners in ("┌┬┐", "├┼┤", "└┴┘")]
    post = click.style("│", dim=True)
    drawn = [rule[0]]
    for row, cells_of_row in enumerate(
        fold(list(zip(inks, words, board.cells, strict=True)), columns)
    ):
        for line in range(lines):
            middle = line == lines // 2
            parts = [
                ink("▒" * wide if kind == WALL else centred(word if middle else "", wide))
                for ink, word, kind in cells_of_row
            ]
            drawn.append(post + post.join(parts) + post)
        drawn.append(rule[1 if row < board.grid.rows - 1 else 2])
    return drawn


def bar(value: float, largest: float, width: int) -> str:
    """Return a bar of `width` columns, filled as far as `value` is of `largest`.

    >>> bar(1, 2, 4)
    '██░░'
    """
    filled = round(width * min(1.0, value / largest)) if largest else 0
    # A value above zero is always visible.
    filled = max(filled, 1) if value else filled
    return "█" * filled + "░" * (width - filled)


def enter() -> str:
    """Return the sign for the enter key, in the encoding of the output."""
    return "↵" if _shows("↵") else " enter"


def arrows() -> str:
    """Return the signs for the four arrow keys."""
    return "↑↓←→" if _shows("↑↓←→") else "arrows"


def sideways() -> str:
    """Return the signs for the left and right arrow keys."""
    return "← →" if _shows("←→") else "left right"


def _line(corners: str, wide: int, columns: int) -> str:
    return click.style(corners[0] + corners[1].join(["─" * wide] * columns) + corners[2], dim=True)


def _shows(marks: str) -> bool:
    """Return whether the output can write these characters."""
    try:
        marks.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _label_width(board: Board) -> int:
    return max(text_width(str(label)) for label in board.cells)


def _inks(board: Board, look: Look) -> list[Callable[[str], str]]:
    """Return the style of each cell."""
    blank, ray = board.blank, board.grid.ray
    moved = ray(blank, look.moved.direction)[: len(look.moved.tiles)] if look.moved else ()
    hint = ray(blank, look.hint.direction.opposite)[: len(look.hint.tiles)] if look.hint else ()
    return [
        _ink(label, home=label == wanted, moved=cell in moved, hint=cell in hint)
        for cell, (label, wanted) in enumerate(zip(board.cells, look.goal.cells, strict=True))
    ]


def _ink(label: Label, *, home: bool, moved: bool, hint: bool) -> Callable[[str], str]:
    style: dict[str, object] = {}
    if label == WALL:
        style["dim"] = True
    elif label != BLANK:
        style["fg"] = "green" if home else None
        style["bold"] = moved or None
    if hint:
        style["reverse"] = True
    return lambda text: click.style(text, **style)  # type: ignore[arg-type]
