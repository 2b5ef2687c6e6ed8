r"""What a terminal sends, as keys: `up`, `enter`, `page-down`, or the character itself.

b"\x1b[A"  is  "up"         b"\x1b"  alone, or long before the rest, is  "escape"
b"q"       is  "q"          b"\xc3\xa9"  is  "é"
"""

from __future__ import annotations

import re

GONE = "gone"
"""The key that is delivered when the terminal was closed."""

_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])")
_BEGUN = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?")
_LONGEST = 32
"""The most bytes of a sequence."""

_FINALS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERED = dict.fromkeys("17", "home") | dict.fromkeys("48", "end")
_NUMBERED |= {"3": "delete", "5": "page-up", "6": "page-down"}
_CONTROLS = {8: "backspace", 9: "tab", 10: "enter", 13: "enter", 32: "space", 127: "backspace"}
_PLAIN = {"OM": "enter"} | {f"O{chr(ord('p') + digit)}": str(digit) for digit in range(10)}
"""Keys of a numeric pad, as some terminals send them."""


def read_keys(data: bytes, *, is_complete: bool = False) -> tuple[list[str], bytes]:
    """Return the keys that `data` holds, and the bytes of one that is not complete yet.

    If `is_complete`, nothing follows: an escape without a rest is the key itself. Unknown sequences
    are left out.
    """
    keys: list[str] = []
    while data:
        key, size = (_escaped if data[0] == 0x1B else _character)(data, is_complete)
        if not size:
            break
        keys += [key] if key else []
        data = data[size:]
    return keys, data


def _escaped(data: bytes, is_complete: bool) -> tuple[str, int]:
    """Return the key that an escape begins, empty for an unknown one, and its bytes; 0 to wait."""
    if sequence := _SEQUENCE.match(data):
        word = sequence.group()[1:].decode("ascii")
        # A cursor key with a modifier is still that key: "[1;5A".
        name = _FINALS.get(word[-1], "")
        if word[-1] == "~":
            name = _NUMBERED.get(word[1:-1].partition(";")[0], "")
        return _PLAIN.get(word, name), sequence.end()
    if _BEGUN.fullmatch(data) and len(data) < _LONGEST and not is_complete:
        return "", 0
    return "escape", 1


def _character(data: bytes, is_complete: bool) -> tuple[str, int]:
    """Return the character that `data` begins with and its bytes; 0 to wait for the rest of it."""
    first = data[0]
    if first < 0x80:
        return _CONTROLS.get(first, chr(first) if 32 < first < 127 else ""), 1
    size = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if len(data) < size and not is_complete:
        return "", 0
    try:
        return data[:size].decode("utf-8"), size
    except UnicodeDecodeError:
        return "", 1
