"""Escape text for LaTeX: special characters, and symbols that its fonts lack."""

from __future__ import annotations

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
