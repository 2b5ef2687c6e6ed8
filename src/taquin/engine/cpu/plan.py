"""Choose the kernel for a goal, fetch its tables and automaton, and keep what was prepared."""

from __future__ import annotations

from taquin.engine.cpu.automaton import AutomatonRecipe, no_return
from taquin.engine.cpu.stacks import Plan, Stacks
from taquin.tables.build import recipes_of
from taquin.tables.patterns import PACKED_CELLS, table_set
from taquin.tables.shape import Shape
from taquin.tables.store import Progress, TableStore

_plans: dict[tuple[object, ...], Plan] = {}


def plan_for(
    shape: Shape,
    tables: str | None,
    store: TableStore,
    *,
    every_word: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Return the plan for a grid and goal; the second call for the same goal is free.

    `tables` names a set of `taquin.tables.patterns`, or is None for Manhattan distance alone.
    `every_word` keeps all shortest solutions: only undoing the last move is forbidden.
    """
    name = (shape, tables, every_word, store.folder)
    if name not in _plans:
        partitions = () if tables is None else table_set(shape, tables)
        recipes = () if tables is None else recipes_of(shape, tables)
        loaded = {
            recipe.key: store.near(recipe, threads=threads, progress=progress) for recipe in recipes
        }
        words = AutomatonRecipe(shape.rows, shape.columns)
        automaton = (
            no_return() if every_word else words.automaton(store.get(words, progress=progress))
        )
        # Imported late: each kernel is compiled, or loaded, only when a grid asks for it.
        if shape.size > PACKED_CELLS:
            from taquin.engine.cpu.wide import WidePlan

            plan: Plan = WidePlan(shape, partitions, loaded, automaton)
        elif partitions:
            from taquin.engine.cpu.packed import PackedPlan

            plan = PackedPlan(shape, partitions, loaded, automaton)
        else:
            from taquin.engine.cpu.plain import PlainPlan

            plan = PlainPlan(shape, automaton)
        # The first call makes the kernel ready, which should not count as time of a search.
        Stacks(plan.width).work(plan, 0, 0)
        _plans[name] = plan
    return _plans[name]


def table_bytes(shape: Shape, tables: str) -> int:
    """Return the memory that a named set takes for a grid and goal."""
    return sum(recipe.key.nbytes for recipe in recipes_of(shape, tables))
