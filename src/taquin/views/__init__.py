"""Text and picture output made from the events of a search.

Nothing here prints: a view takes events and yields lines as they arrive, or returns a text. The
public names are listed in `__init__.pyi` and loaded on first use.
"""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
