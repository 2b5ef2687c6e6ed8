"""Format text for people: numbers, sizes, times, suggestions, layout within a width, LaTeX.

MB is 10⁶ bytes and GB 10⁹; MiB is 2²⁰ and GiB 2³⁰, in output and in input.

The first part formats values for messages, and reads sizes. The second lays text out: wrapped
lines, blocks side by side, text tables. `tex` escapes text for LaTeX: special characters, and
symbols that its fonts lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import floor, inf, log10

from taquin.reasons import reason

# Plain strings: `re` compiles them on first use, and most commands never use them.
_AMOUNT = r"([0-9][0-9_,]*(?:\.[0-9]{1,9})?(?:[eE][0-9]{1,2})?)\s*([kKmMgGtT]?)([iI]?)([bB]?)"
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun.

    >>> counted(1, "move"), counted(1200, "try", "tries")
    ('1 move', '1,200 tries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def rounded(number: int) -> str:
    """Return a number; one of more than 15 digits is rounded down to a power of ten.

    >>> rounded(181440), rounded(7 * 10**20)
    ('181,440', '10^20')
    """
    # By its logarithm: Python refuses to print thousands of digits.
    return f"{number:,}" if number < 10**15 else f"10^{floor(log10(number))}"


def listed(items: Iterable[object], limit: int = 5) -> str:
    """Return items separated by commas; of those beyond `limit` only their number.

    >>> listed("ABC"), listed(range(8))
    ('A, B, C', '0, 1, 2, 3, 4 and 3 more')
    """
    texts = list(map(str, items))
    more = len(texts) - limit
    names = ", ".join(texts[:limit])
    return reason("and-more", names=names, count=more) if more > 0 else names


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the most similar known name, followed by a space; return "" if none is similar.

    A known name that begins with `name` takes precedence.

    >>> did_you_mean("manhatan", ["misplaced", "manhattan"])
    'Did you mean manhattan? '
    >>> did_you_mean("ida", ["ids", "idastar"])
    'Did you mean idastar? '
    """
    close = closest(name, known)
    return reason("guess", name=close) if close else ""


def closest(name: str, known: Iterable[str]) -> str:
    """Return the name that `did_you_mean` suggests; empty if none is similar."""
    # Imported late: only a misspelt name needs it.
    from difflib import get_close_matches

    names = {each.lower(): each for each in known}
    prefix = name[:60].lower()
    longer = [each for each in names if len(prefix) > 1 and each.startswith(prefix)]
    close = longer if len(longer) == 1 else get_close_matches(prefix, names, n=1)
    return names[close[0]] if close else ""


def unknown(kind: str, name: str, known: Iterable[str], more: str = "") -> str:
    """Return the error message for an unknown name; `more` follows the list of known names.

    >>> unknown("view", "level", ["levels", "json"])
    "there is no view 'level'. Did you mean levels? Expected one of levels, json"
    """
    names = list(known)
    return reason(
        "no-such",
        kind=kind,
        found=shorten(name),
        guess=did_you_mean(name, names),
        names=", ".join(names),
        more=more,
    )


def shorten(text: str, limit: int = 24) -> str:
    """Return `text` quoted for an error message, cut to about `limit` characters."""
    if len(text) <= limit:
        return repr(text)
    return reason("shortened", text=repr(text[:limit]), count=len(text))


def safe_repr(value: object, limit: int = 80) -> str:
    """Return `repr(value)` in one line of about `limit` characters, whatever the value is.

    >>> safe_repr([1, 2]), safe_repr(10**5000)
    ('[1, 2]', 'int')
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:
        # A user's class may raise anything, and Python does not print huge integers.
        return type(value).__name__
    return text if len(text) <= limit else f"{text[:limit]}…"


def printable(text: str) -> str:
    r"""Return `text` with its control characters escaped, except line ends and tabs.

    >>> print(printable("\x1b[31mred"))
    \x1b[31mred
    """
    if text.isprintable():
        return text
    return re.sub(_CONTROLS, lambda match: ascii(match[0])[1:-1], text)


def abridged(sentence: str, limit: int = 800) -> str:
    """Truncate a sentence in the middle to about `limit` characters; such a long one quotes input.

    >>> abridged("there is no file " + "x" * 5000 + ", and it is no board", 48)
    'there is no file xxxxxxx … xxxx, and it is no board'
    """
    half = limit // 2
    if len(sentence) <= limit:
        return sentence
    return f"{sentence[:half]} … {sentence[len(sentence) - half :]}"


def amount(text: str, size: bool = False) -> int | None:
    """Parse an integer written as 1_000_000, 1e6 or 1M; return None for any other text.

    With `size` it is in bytes: 60M and 60MB are 60·10⁶, 60Mi and 60MiB are 60·2²⁰.

    >>> amount("2M"), amount("60MB", size=True), amount("60MiB", size=True), amount("many")
    (2000000, 60000000, 62914560, None)
    """
    match = re.fullmatch(_AMOUNT, text.strip())
    if match is None or ((match[3] or match[4]) and not size):
        return None
    unit = 1024 if match[3] else 1000
    number = float(re.sub("[,_]", "", match[1])) * unit ** _POWERS[match[2].lower()]
    return None if number == inf else round(number)


_YEAR = 31_557_600
"""Seconds of a year."""


def seconds_in_words(seconds: float) -> str:
    """Format a duration with two or three significant digits.

    >>> [seconds_in_words(seconds) for seconds in (0.000012, 0.0012, 0.25, 3.14159, 312.4)]
    ['12 µs', '1.2 ms', '250 ms', '3.14 s', '312 s']
    >>> seconds_in_words(1e10), seconds_in_words(1e30)
    ('316 years', '10^22 years')
    """
    if seconds > _YEAR:
        return f"{rounded(int(seconds / _YEAR))} years"
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds:,.0f} s"


def size_as_given(size: int) -> str:
    """Format a memory size in the unit that gives the shortest number.

    >>> [size_as_given(size) for size in (60_000_000, 62_914_560, 1_500_000_000, 1, 7_654_321)]
    ['60 MB', '60 MiB', '1.5 GB', '1 byte', '7.7 MB']
    """
    for power, prefix in ((4, "T"), (3, "G"), (2, "M"), (1, "k")):
        for unit, name in ((1024**power, f"{prefix.upper()}iB"), (1000**power, f"{prefix}B")):
            if unit <= size < 10_000 * unit and 10 * size % unit == 0:
                return f"{size / unit:,.10g} {name}"
    return counted(size, "byte") if size < 1e6 else bytes_in_words(size)


def bytes_in_words(size: float) -> str:
    """Format a memory size in MB (10⁶ bytes)."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:,.1f} MB"


COLUMN_GAP = 2
"""Spaces between two columns of a table."""
_READABLE = 24
"""The minimum width of a folded column of text."""
_STYLE = r"\x1b\[[0-9;]*m"
"""An ANSI escape sequence that changes the style."""


def text_width(text: str) -> int:
    """Return the columns that a text occupies; styles take none, wide characters two."""
    plain = re.sub(_STYLE, "", text) if "\x1b" in text else text
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


def table_text(columns: Sequence[TextColumn], screen_width: int | None = None) -> str:
    """Return headings and rows; on a screen, in as many blocks as needed, with bold headings."""
    if screen_width is None:
        widths = [column.width for column in columns]
        return "\n".join([*heading_lines(columns, widths), *row_lines(columns, widths)])
    widths = _folded_widths(columns, screen_width)
    rest = screen_width - widths[0] - COLUMN_GAP
    blocks = []
    for band in column_groups(widths[1:], rest, COLUMN_GAP) if columns[1:] else [slice(0)]:
        shown = [columns[0], *columns[1:][band]]
        shown_widths = [widths[0], *widths[1:][band]]
        headings = [f"\x1b[1m{line}\x1b[0m" for line in heading_lines(shown, shown_widths)]
        lines = [*headings, rule(shown_widths), *row_lines(shown, shown_widths)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _folded_widths(columns: Sequence[TextColumn], screen_width: int) -> list[int]:
    widths = [column.width for column in columns]
    least = [_least_width(column) for column in columns]
    excess = sum(widths) + COLUMN_GAP * (len(widths) - 1) - screen_width
    folded_widths = list(widths)
    for index in sorted(range(len(columns)), key=lambda index: least[index] - widths[index]):
        lowest = max(least[index], _READABLE) if columns[index].left else least[index]
        saved = max(0, min(excess, widths[index] - lowest))
        folded_widths[index] -= saved
        excess -= saved
    if excess <= 0:
        return folded_widths
    # The columns do not fit side by side: the first one takes at most half of each block.
    first = min(widths[0], max(least[0], screen_width // 2))
    rest = screen_width - first - COLUMN_GAP
    return [
        first,
        *(
            min(width, max(lowest, rest)) if column.left else lowest
            for column, width, lowest in zip(columns[1:], widths[1:], least[1:], strict=True)
        ),
    ]


def _least_width(column: TextColumn) -> int:
    """Return the width of the longest word, or of the longest number: numbers are not folded."""
    words = [word for cell in column.cells for word in (cell.split() if column.left else [cell])]
    return max(map(len, [*column.heading.split(), *words]))


_ARROWS = {"←": "gets", "→": "to", "↑": "uparrow", "↓": "downarrow"}
_RELATIONS = {"≥": "ge", "≤": "le", "≠": "ne", "∈": "in", "∉": "notin"}
_SYMBOLS = {"×": "times", "·": "cdot", **_ARROWS, **_RELATIONS}
_LETTERS = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "{}$&#_%"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{symbol: f"$\\{name}$" for symbol, name in _SYMBOLS.items()},
    }
)


def tex(text: str) -> str:
    r"""Return the LaTeX source that prints a text.

    >>> print(tex("100 % ≥ a_b"))
    100 \% $\ge$ a\_b
    """
    return text.translate(_LETTERS)
