"""What is computed about boards, searches and heuristics."""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
