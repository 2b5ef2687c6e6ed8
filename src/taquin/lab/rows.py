"""A record as a row of the table `records`, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from taquin.lab.record import Cell, Ending, Record
from taquin.search.result import Count, Limits, Stats

_LIMITS = {"nodes": "INTEGER", "seconds": "REAL", "depth": "INTEGER", "memory": "INTEGER"}
_COUNTERS = tuple(each.name for each in fields(Stats))
_ENDINGS = {ending.value: ending for ending in Ending}
_TEXTS = ("key", "study", "board", "search", "start", "goal", "metric", "algorithm")

TYPES: Mapping[str, str] = {
    "key": "TEXT PRIMARY KEY",
    **dict.fromkeys(_TEXTS[1:], "TEXT NOT NULL"),
    **{f"limit_{name}": kind for name, kind in _LIMITS.items()},
    "counting": "TEXT NOT NULL",
    "ending": "TEXT NOT NULL",
    "ran": "TEXT NOT NULL",
    "seed": "INTEGER",
    "repetition": "INTEGER NOT NULL",
    "columns": "TEXT NOT NULL",
    "printed": "REAL",
    "reason": "TEXT NOT NULL",
    "cost": "INTEGER",
    "lower_bound": "INTEGER NOT NULL",
    "optimal": "INTEGER NOT NULL",
    **{name: "REAL NOT NULL" if name == "seconds" else "INTEGER NOT NULL" for name in _COUNTERS},
    "engine": "TEXT NOT NULL",
    "code": "TEXT NOT NULL",
    "machine": "TEXT NOT NULL",
    "when": "TEXT NOT NULL",
}
"""The columns of the table, each with its type in SQL; `columns` holds JSON."""

NAMES = ", ".join(f'"{name}"' for name in TYPES)
"""The columns as SQL lists them."""


def row_of(record: Record) -> tuple[Any, ...]:
    """Return what the table holds of a record."""
    limits, stats = record.limits, record.stats
    return (
        *(getattr(record, name) for name in _TEXTS),
        *(getattr(limits, name) for name in _LIMITS),
        limits.counting.value,
        record.ending.value,
        record.ran,
        record.seed,
        record.repetition,
        json.dumps(dict(record.columns), ensure_ascii=False),
        record.printed,
        record.reason,
        record.cost,
        record.lower_bound,
        int(record.optimal),
        *(getattr(stats, name) for name in _COUNTERS),
        record.engine,
        record.code,
        record.machine,
        record.when,
    )


def record_of(row: Sequence[Any]) -> Record:
    """Return the record of a row."""
    key, study, board, search, start, goal, metric, algorithm = row[: len(_TEXTS)]
    after_texts = len(_TEXTS)
    after_limits = after_texts + len(_LIMITS) + 1
    ending, ran, seed, repetition, columns, printed = row[after_limits : after_limits + 6]
    reason, cost, lower_bound, _ = row[after_limits + 6 : after_limits + 10]
    first = after_limits + 10
    after = first + len(_COUNTERS)
    return Record(
        key=key,
        study=study,
        board=board,
        search=search,
        start=start,
        goal=goal,
        metric=metric,
        algorithm=algorithm,
        limits=_limits(*row[after_texts:after_limits]),
        ending=_ENDINGS[ending],
        ran=ran,
        seed=seed,
        repetition=repetition,
        columns=_columns(columns),
        printed=printed,
        reason=reason,
        cost=cost,
        lower_bound=lower_bound,
        stats=Stats(*row[first:after]),
        engine=row[after],
        code=row[after + 1],
        machine=row[after + 2],
        when=row[after + 3],
    )


@lru_cache(maxsize=256)
def _limits(
    nodes: int | None, seconds: float | None, depth: int | None, memory: int | None, counting: str
) -> Limits:
    return Limits(nodes, seconds, depth, memory, Count(counting))


@lru_cache(maxsize=4096)
def _columns(text: str) -> Mapping[str, Cell]:
    columns: dict[str, Cell] = json.loads(text)
    return columns
