"""How text is laid out within a width: lines that end between words, columns in groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def column_groups(widths: Sequence[int], width: int, gap: int) -> Iterator[slice]:
    """Yield the columns that stand side by side within `width`, at least one at a time.

    >>> list(column_groups([5, 5, 5, 30], width=12, gap=2))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    first = 0
    while first < len(widths):
        end, rest = first + 1, width - widths[first]
        while end < len(widths) and gap + widths[end] <= rest:
            rest -= gap + widths[end]
            end += 1
        yield slice(first, end)
        first = end


def wrap_text(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines of at most `width` characters, all but the first behind `indent`.

    A longer word stays whole. The indentation of the text itself stays on every line.

    >>> wrap_text("  depth 2, estimate 10", 12, "  ")
    ['  depth 2,', '    estimate', '    10']
    """
    if len(text) <= width:
        return [text]
    # Imported late: only narrow screens need it, and it would slow every start.
    from textwrap import wrap

    own_indent = text[: len(text) - len(text.lstrip())]
    lines = wrap(
        text,
        width,
        subsequent_indent=own_indent + indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]
