"""The encoding of printed text: UTF-8 in pipes and files, its own on a terminal.

taquin reads everything that it prints, and it reads UTF-8. On Windows Python would encode a
pipe in the code page of the system, which has no box drawing, and replace each such character
with `?`. A terminal keeps its own encoding; characters that it lacks become ASCII that looks
alike and reads back:

    ┌───┬───┐        +---+---+
    │ 1 │ 2 │        | 1 | 2 |
    └───┴───┘        +---+---+
"""

from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper

from taquin.cli.screen import is_terminal

LOOKALIKES = "taquin-lookalikes"
"""The name of the error handler, as `str.encode` takes it."""
_ASCII = {
    **dict.fromkeys("─━═–−⁻", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("█▒", "#"),
    **dict(zip("░×·•☺µ←→↑↓◄►", ".x**@u<>^v<>", strict=True)),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)),
    "…": "...",
    "≥": ">=",
    "≠": "!=",
}


def set_encodings() -> None:
    """Set the encodings of standard output and of the error stream."""
    codecs.register_error(LOOKALIKES, _lookalikes)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if is_terminal(stream) else "utf-8"
            stream.reconfigure(encoding=encoding, errors=LOOKALIKES)


def _lookalikes(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for what an encoding lacks, `?` where nothing looks alike, and its end."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in lacking), error.end
