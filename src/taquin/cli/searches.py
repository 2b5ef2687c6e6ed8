"""Which search is to run, and which engine is to run it.

A search is chosen by the text of the grammar, by single options, or by both together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

import click

from taquin.cli.command import Decorator, gathered, option
from taquin.cli.numbers import Number
from taquin.cli.options import Named, cluster_option, limit_options, problem_options, threads_option
from taquin.cli.screen import is_terminal
from taquin.engine.choose import ENGINES, Auto, engine_named
from taquin.engine.seam import Engine
from taquin.errors import UnsuitableError
from taquin.heuristics.registry import HEURISTICS
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import SOURCES, Duplicates, GoalTest, Ties
from taquin.search.grammar import parts_of
from taquin.search.options import search_from_options
from taquin.search.result import Result
from taquin.search.run import Algorithm

if TYPE_CHECKING:
    from taquin.search.likeness import Likeness

_PATIENCE = 5.0
"""Seconds at a terminal before a good solution will do where no shortest one is found."""
_IMPLIED = {"weight": "wastar", "width": "beam", "cap": "capped-beam", "seed": "dfs"}
"""Options that say which algorithm is meant when none is named."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """A search as it was asked for, each part as it was typed; None for whatever was left open."""

    algorithm: str | None = None
    heuristic: str | None = None
    weight: str | None = None
    width: str | None = None
    cap: str | None = None
    seed: str | None = None
    duplicates: str | None = None
    ties: str | None = None
    goal_test: str | None = None
    directions: str | None = None
    bumps: bool | None = None
    like: str | None = None

    @property
    def likeness(self) -> Likeness | None:
        """Return the source whose ways the search is to follow; None for none."""
        return likeness_named(self.like)

    def told(self, result: Result) -> str:
        """Return the count that the source speaks of, in a sentence; empty without a source."""
        return self.likeness.sentence(result.algorithm, result.stats) if self.likeness else ""

    def chosen(self, usual: Algorithm | None = None) -> Algorithm | None:
        """Return the algorithm asked for, and `usual` when nothing was.

        What was asked for changes `usual` where it names no algorithm of its own. Raise
        UnsuitableError for an option the algorithm has no use for.
        """
        given: dict[str, Any] = {
            each.name: value
            for each in fields(self)
            if each.name not in ("algorithm", "like")
            and (value := getattr(self, each.name)) is not None
        }
        if self.algorithm is not None:
            name, written = parts_of(self.algorithm)
            if twice := written.keys() & given.keys():
                raise UnsuitableError(f"{min(twice)} is given twice, the first time in {name}(…)")
            return self._made(name, {**written, **given})
        implied = (_IMPLIED[key] for key in given if key in _IMPLIED)
        if self.likeness is not None:
            return self._made(next(implied, self.likeness.usual), given)
        if not given:
            return usual
        name = next(implied, usual.name if usual else "astar")
        if usual is not None and usual.name == name:
            given = {**usual.conventions.chosen(), **given}
        return search_from_options(name, given)

    def _made(self, name: str, options: Mapping[str, Any]) -> Algorithm:
        search = self.likeness.search if self.likeness else search_from_options
        return search(name, options)


def likeness_named(name: str | None) -> Likeness | None:
    """Return the likeness called `name`; None for none."""
    if name is None:
        return None
    # Only this needs it, and importing it costs every start-up.
    from taquin.search.likeness import LIKENESSES

    return LIKENESSES[name]


def like_json(likeness: Likeness | None, result: Result) -> dict[str, Any]:
    """Return the count that a source speaks of, as a part of an object of JSON."""
    if likeness is None:
        return {}
    number = likeness.tally(result.algorithm, result.stats)
    return {"like": {"source": likeness.source, "count": likeness.count, "value": number}}


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What was said about the engine; None for whatever was left open."""

    engine: str | None = None
    """Its name, or text such as `cpu(tables=large)`."""
    tables: str | None = None
    """Name of the set of pattern tables, or `none`."""
    threads: int | None = None
    """Cores it may use."""
    cluster: str | None = None
    """Address of a Dask scheduler that shares the search out."""
    anytime: bool | None = None
    """Whether any good solution will do, the better the longer one waits."""
    optimal: bool | None = None
    """Whether only a shortest solution will do."""
    within: float | None = None
    """How many times as long as a shortest solution it may be."""

    def chosen(self, algorithm: Algorithm | None, once: bool) -> Engine:
        """Return the engine asked for; `once` when it is to solve a single board.

        Raise UnsuitableError for settings that the engine has no use for, or the algorithm.
        """
        if algorithm is not None and self.engine is None and self != EngineOptions():
            raise click.UsageError(f"the options of engines are not for {algorithm}")
        if self.optimal and (self.anytime or self.within is not None):
            raise click.UsageError("--optimal is the opposite of --anytime and --within")
        settles = self.anytime or self.within is not None
        name = self.engine or ("anytime" if settles else "auto")
        if self.cluster is not None and self.engine is None and not settles:
            name = "cluster"
        if self.cluster is not None and not name.startswith("cluster"):
            raise click.UsageError(f"--cluster is not for --engine {name}")
        given = {"tables": self.tables, "threads": self.threads, "address": self.cluster}
        engine = engine_named(name, within=self.within, **given)
        if not isinstance(engine, Auto):
            return engine
        # Somebody who looks at a screen would rather see a good solution than wait for ever.
        waits = self.optimal or not once or not is_terminal(sys.stdout)
        patience = None if waits else _PATIENCE
        chosen = replace(
            engine,
            once=once,
            only_optimal=bool(self.optimal),
            settles=not self.optimal,
            patience=patience,
        )
        return replace(chosen, advice="--optimal insists") if patience else chosen


engine_options = gathered(
    EngineOptions,
    "engine",
    option(
        "Engine",
        "--engine",
        type=Named("name", ["auto", *ENGINES]),
        help=f"auto (the first that fits), {', '.join(ENGINES)}; see taquin engines.",
    ),
    option(
        "Engine",
        "--tables",
        one_of=("small", "medium", "large", "none"),
        help="Pattern tables of the compiled search.  [default: small]",
    ),
    threads_option,
    cluster_option,
    option(
        "Engine",
        "--anytime",
        is_flag=True,
        default=None,
        help="Any good solution, at once, and better ones until --max-seconds (10) are over.",
    ),
    option(
        "Engine",
        "--within",
        type=Number(1),
        metavar="F",
        help="A solution that is proven to be at most F times as long as a shortest.",
    ),
    option(
        "Engine",
        "--optimal",
        is_flag=True,
        default=None,
        help="Only a shortest solution, however long it takes.",
    ),
)


def _convention(name: str, known: Iterable[Enum], metavar: str, help: str) -> Decorator:
    kind = Named(metavar, [each.value for each in known])
    return option("Conventions", f"--{name}", type=kind, help=help)


like_option = option(
    "Conventions",
    "--like",
    one_of=SOURCES,
    help="Search and count as a source does: s0 (tries), s2 (nodes generated), s3 (traversed "
    "nodes), s4 (states enqueued), korf (nodes generated, the way back left out). What else is "
    "given has precedence.",
)


search_options = gathered(
    SearchOptions,
    "search",
    option(
        "Search",
        "--algorithm",
        "-a",
        type=Named("search", ALGORITHMS),
        help=f"{', '.join(ALGORITHMS)}; their textbook names too, such as dijkstra (ucs); with "
        "options, astar(manhattan, ties=lifo) or astar:manhattan:ties=lifo; or your own, "
        "file.py:name.",
    ),
    option(
        "Search",
        "--heuristic",
        "-H",
        type=Named("name", HEURISTICS),
        help=f"{', '.join(HEURISTICS)}, max(…), sum(…), patterns(large), or your own "
        "function, file.py:name.",
    ),
    option("Search", "--weight", metavar="W", help="Weight of the estimate (astar, wastar)."),
    option("Search", "--width", metavar="K", help="Boards kept of each level (beam)."),
    option("Search", "--cap", metavar="K", help="Boards kept in all (capped-beam)."),
    option("Search", "--seed", metavar="N", help="Random order of directions (dfs, ids)."),
    like_option,
    _convention(
        "duplicates",
        Duplicates,
        "WHEN",
        "When a board met before is thrown away: reached, made, closed, dequeue, parent, none.",
    ),
    _convention(
        "ties", Ties, "ORDER", "Which of equal entries comes first: fifo, lifo, low-h, heap."
    ),
    _convention(
        "goal-test", GoalTest, "WHEN", "When a board is tested for the goal: expansion, generation."
    ),
    _convention("directions", (), "ORDER", "Order of moves, where the tile goes: DRLU."),
    option(
        "Conventions",
        "--bumps",
        is_flag=True,
        default=None,
        help="Count steps into walls too (with --duplicates dequeue).",
    ),
)


def task_options(function: Any) -> Any:
    """Add a puzzle, a search and its limits to a command: `problem`, `search` and `limits`."""
    return problem_options(search_options(limit_options()(function)))
