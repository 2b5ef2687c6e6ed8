"""How each kind of table is named, described and built, for `taquin.tables.store`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.tables.patterns import PatternKey, keys_of

VERSION = 1
"""Raised when the meaning of the bytes changes: older tables are then built again."""


@dataclass(frozen=True, slots=True)
class PatternRecipe:
    """A pattern database."""

    key: PatternKey
    """What it is about."""

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.key.name

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid, pattern and index of the table."""
        return {
            "kind": "pattern database",
            "version": VERSION,
            "rows": self.key.rows,
            "cols": self.key.cols,
            "tiles": list(self.key.tiles),
            "blank": self.key.blank,
            "spots": [list(cells) for cells in self.key.spots],
        }

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> NDArray[np.uint8]:
        """Return the table, built from nothing."""
        from taquin.tables.build import build_table

        return build_table(self.key, threads=threads, progress=progress)


def recipes_of(rows: int, cols: int, blank: int, name: str) -> tuple[PatternRecipe, ...]:
    """Return the recipes of a named set for a grid whose goal has its blank in cell `blank`."""
    return tuple(PatternRecipe(key) for key in keys_of(rows, cols, blank, name))
