"""Choose the kernel for a grid, fetch its tables and automaton, and keep what was prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from taquin.engine.automaton import Automaton, forbidden_words, machine, no_return
from taquin.engine.normal import Normal
from taquin.engine.shared_plan import Start
from taquin.tables.near import brought_near
from taquin.tables.patterns import PACKED_CELLS, PatternKey, table_set
from taquin.tables.recipes import VERSION, PatternRecipe, recipes_of
from taquin.tables.store import Progress, TableStore


class Plan(Protocol):
    """A kernel together with the arrays of one goal."""

    width: int
    """Words in a node."""

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""

    def work(
        self,
        shared: NDArray[np.int64],
        stacks: NDArray[np.uint64],
        paths: NDArray[np.uint8],
        controls: NDArray[np.int64],
        member: int,
        budget: int,
    ) -> None:
        """Search as a member of a team for about `budget` nodes; see `taquin.engine.sharing`."""


@dataclass(frozen=True, slots=True)
class AutomatonRecipe:
    """The automaton of needless move words of a grid, as a table of the store."""

    rows: int
    """Rows of the grid."""

    cols: int
    """Columns of the grid."""

    @property
    def length(self) -> int:
        """The longest word looked at: what a second of generation allows."""
        return 12 if min(self.rows, self.cols) == 2 else 10

    @property
    def name(self) -> str:
        """The name of the table."""
        return f"words-{self.rows}x{self.cols}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid and length of the words."""
        return {
            "kind": "move words",
            "version": VERSION,
            "rows": self.rows,
            "cols": self.cols,
            "length": self.length,
        }

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> NDArray[np.uint8]:
        """Return the automaton's rows: state after each direction, then the directions allowed."""
        automaton = machine(forbidden_words(self.rows, self.cols, self.length))
        rows = [
            (*follow, bits)
            for follow, bits in zip(automaton.follow, automaton.allowed, strict=True)
        ]
        return np.array(rows, "<u2").reshape(-1).view(np.uint8)


_plans: dict[tuple[object, ...], Plan] = {}


def plan_for(
    normal: Normal,
    tables: str | None,
    store: TableStore,
    *,
    every_word: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Return the plan for a board's grid and goal; the second call for the same goal is free.

    `tables` names a set of `taquin.tables.patterns`, or is None for Manhattan distance alone.
    `every_word` keeps all shortest solutions: only undoing the last move is forbidden.
    """
    rows, cols, blank = normal.rows, normal.cols, normal.blank
    name = (rows, cols, blank, tables, every_word, store.folder)
    if name not in _plans:
        partitions = () if tables is None else table_set(rows, cols, blank, tables)
        recipes = () if tables is None else recipes_of(rows, cols, blank, tables)
        loaded: dict[PatternKey, NDArray[np.uint8]] = {
            recipe.key: brought_near(store.get(recipe, threads=threads, progress=progress))
            for recipe in recipes
        }
        words = AutomatonRecipe(rows, cols)
        automaton = no_return() if every_word else _automaton(store.get(words, progress=progress))
        # Imported late: each kernel is compiled, or loaded, only when a grid asks for it.
        if rows * cols <= PACKED_CELLS:
            from taquin.engine.packed_plan import PackedPlan, PlainPlan

            plan: Plan = (
                PackedPlan(rows, cols, blank, partitions, loaded, automaton)
                if partitions
                else PlainPlan(rows, cols, blank, automaton)
            )
        else:
            from taquin.engine.wide_plan import WidePlan

            plan = WidePlan(rows, cols, blank, partitions, loaded, automaton)
        from taquin.engine.stacks import Stacks

        # The first call makes the kernel ready, which should not count as time of a search.
        Stacks(plan.width).work(plan, 0, 0)
        _plans[name] = plan
    return _plans[name]


def table_bytes(normal: Normal, tables: str) -> int:
    """Return the memory that a named set takes for a board's grid and goal."""
    recipes: tuple[PatternRecipe, ...] = recipes_of(normal.rows, normal.cols, normal.blank, tables)
    return sum(recipe.key.nbytes for recipe in recipes)


def _automaton(stored: NDArray[np.uint8]) -> Automaton:
    rows = stored.view("<u2").reshape(-1, 5).tolist()
    return Automaton(
        tuple(row[4] for row in rows), tuple((row[0], row[1], row[2], row[3]) for row in rows)
    )
