"""Format numbers, sizes, times and suggestions for messages, and parse sizes.

MB is 10⁶ bytes and GB 10⁹; MiB is 2²⁰ and GiB 2³⁰, in output and in input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import floor, inf, log10

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
    return ", ".join(texts[:limit]) + (f" and {more} more" if more > 0 else "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the most similar known name, followed by a space; return "" if none is similar.

    A known name that begins with `name` takes precedence.

    >>> did_you_mean("manhatan", ["misplaced", "manhattan"])
    'Did you mean manhattan? '
    >>> did_you_mean("ida", ["ids", "idastar"])
    'Did you mean idastar? '
    """
    # Imported late: only a misspelt name needs it.
    from difflib import get_close_matches

    names = {each.lower(): each for each in known}
    prefix = name[:60].lower()
    longer = [each for each in names if len(prefix) > 1 and each.startswith(prefix)]
    close = longer if len(longer) == 1 else get_close_matches(prefix, names, n=1)
    return f"Did you mean {names[close[0]]}? " if close else ""


def unknown(kind: str, name: str, known: Iterable[str], more: str = "") -> str:
    """Return the error message for an unknown name; `more` follows the list of known names.

    >>> unknown("view", "level", ["levels", "json"])
    "there is no view 'level'. Did you mean levels? Expected one of levels, json"
    """
    names = list(known)
    return (
        f"there is no {kind} {shorten(name)}. {did_you_mean(name, names)}"
        f"Expected one of {', '.join(names)}{more}"
    )


def shorten(text: str, limit: int = 24) -> str:
    """Return `text` quoted for an error message, cut to about `limit` characters."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}… ({len(text)} characters)"


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


def seconds_in_words(seconds: float) -> str:
    """Format a duration with two or three significant digits.

    >>> [seconds_in_words(seconds) for seconds in (0.000012, 0.0012, 0.25, 3.14159, 312.4)]
    ['12 µs', '1.2 ms', '250 ms', '3.14 s', '312 s']
    """
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
