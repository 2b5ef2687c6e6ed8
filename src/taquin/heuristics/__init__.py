"""Heuristics: estimates of the number of moves to the goal."""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
