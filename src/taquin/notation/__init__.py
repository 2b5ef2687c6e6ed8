"""Parse and write every text and JSON form of boards, goals and moves.

One parser recognises every `Form`; errors are `NotationError` and point at the character. The
public names are listed in `__init__.pyi` and loaded on first use.
"""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
