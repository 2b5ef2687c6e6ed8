"""How text is laid out within a width: lines that end between words, columns in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def bands(widths: Sequence[int], room: int, gap: int) -> Iterator[slice]:
    """Yield which columns stand side by side: as many as `room` holds, at least one at a time.

    >>> list(bands([5, 5, 5, 30], room=12, gap=2))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    first = 0
    while first < len(widths):
        last, left = first + 1, room - widths[first]
        while last < len(widths) and gap + widths[last] <= left:
            left -= gap + widths[last]
            last += 1
        yield slice(first, last)
        first = last


def folded(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines of at most `width` characters, all but the first behind `indent`.

    A word that is longer stays whole. Blanks at the beginning stay, on every line.

    >>> folded("  depth 2, estimate 10", 12, "  ")
    ['  depth 2,', '    estimate', '    10']
    """
    if len(text) <= width:
        return [text]
    # Only a narrow screen needs it, and importing it costs every start-up.
    from textwrap import wrap

    before = text[: len(text) - len(text.lstrip())]
    lines = wrap(
        text,
        width,
        initial_indent="",
        subsequent_indent=before + indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]
