"""The glass-box searches: any puzzle, any heuristic, every step visible."""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
