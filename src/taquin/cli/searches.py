"""The options that choose a search and an engine.

--algorithm takes a search expression; --heuristic and --like complete it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from taquin.cli.command import completing, flag, gathered, number_type, option
from taquin.cli.options import cluster_option, limit_options, problem_options, threads_option
from taquin.cli.screen import is_terminal
from taquin.engine.choose import ENGINES, Auto, engine_named
from taquin.engine.settling import Settling
from taquin.errors import UnsuitableError
from taquin.heuristics.registry import HEURISTICS
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import SOURCES
from taquin.tables.patterns import NAMED_SETS

if TYPE_CHECKING:
    from taquin.engine.base import Engine
    from taquin.search.likeness import Likeness
    from taquin.search.result import Result
    from taquin.search.run import Algorithm

_PATIENCE = 5.0
"""Seconds after which, at a terminal, a solution need not be a shortest one."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search; None for those that were not given."""

    algorithm: str | None = None
    heuristic: str | None = None
    like: str | None = None

    @property
    def likeness(self) -> Likeness | None:
        """The source whose conventions the search follows, if any."""
        return likeness_named(self.like)

    def count_sentence(self, result: Result) -> str:
        """Return a sentence with the count that the source reports; empty without a source."""
        return self.likeness.sentence(result.algorithm, result.stats) if self.likeness else ""

    def chosen(self, default: Algorithm | None = None) -> Algorithm | None:
        """Return the algorithm asked for, or `default`; a heuristic alone replaces that of A*."""
        options: dict[str, Any] = {"heuristic": self.heuristic} if self.heuristic else {}
        if not options and self.algorithm is None and self.likeness is None:
            return default
        # Imported late: most boards are solved by an engine.
        from taquin.search.grammar import parts_of
        from taquin.search.options import search_from_options

        make = self.likeness.search if self.likeness else search_from_options
        if self.algorithm is not None:
            name, written = parts_of(self.algorithm)
            if "heuristic" in written and options:
                raise UnsuitableError(f"heuristic is given twice, the first time in {name}(…)")
            return make(name, {**written, **options})
        if self.likeness is not None:
            return make(self.likeness.default, options)
        if default is not None:
            options |= default.conventions.chosen()
        return make(default.name if default else "astar", options)


def likeness_named(name: str | None) -> Likeness | None:
    """Return the likeness called `name`, if there is a name."""
    if name is None:
        return None
    from taquin.search.likeness import LIKENESSES

    return LIKENESSES[name]


def like_json(likeness: Likeness | None, result: Result) -> dict[str, Any]:
    """Return a JSON object with the count that a source reports, under the key `like`."""
    if likeness is None:
        return {}
    number = likeness.counter(result.algorithm, result.stats)
    return {"like": {"source": likeness.source, "count": likeness.count, "value": number}}


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of an engine; their help texts explain them."""

    engine: str | None = None
    tables: str | None = None
    threads: int | None = None
    cluster: str | None = None
    anytime: bool = False
    optimal: bool = False
    within: float | None = None

    def chosen(self, algorithm: Algorithm | None, once: bool) -> Engine:
        """Return the engine asked for; `once` if it solves a single board."""
        if algorithm is not None and self.engine is None and self != EngineOptions():
            raise click.UsageError(f"{algorithm} does not support options of engines")
        if self.optimal and (self.anytime or self.within is not None):
            raise click.UsageError("--optimal cannot be combined with --anytime or --within")
        is_anytime = self.anytime or self.within is not None
        # Auto may choose an engine that does not support tables of the user's own.
        has_own = self.tables is not None and self.tables not in (*NAMED_SETS, "none")
        name = self.engine or ("anytime" if is_anytime else "cpu" if has_own else "auto")
        if self.cluster is not None and self.engine is None and not is_anytime:
            name = "cluster"
        if self.cluster is not None and not name.startswith("cluster"):
            raise click.UsageError(f"--engine {name} does not support --cluster; omit --engine")
        settings = {"tables": self.tables, "threads": self.threads, "address": self.cluster}
        engine = engine_named(name, within=self.within, **settings)
        if not isinstance(engine, Auto):
            return engine
        if self.optimal:
            return replace(engine, once=once, settling=None)
        settling = Settling(fallback=True)
        if once and is_terminal(sys.stdout):
            # A person at a terminal prefers a good solution to an endless wait.
            settling = Settling(_PATIENCE, fallback=True, advice="--optimal insists")
        return replace(engine, once=once, settling=settling)


engine_options = gathered(
    EngineOptions,
    "engine",
    option(
        "Engine",
        "--engine NAME",
        f"auto (the first that fits), {', '.join(ENGINES)}; see taquin engines.",
        shell_complete=completing(["auto", *ENGINES]),
    ),
    option(
        "Engine",
        "--tables SET",
        "Pattern databases of the compiled search: small, medium, large, none, or a set of your "
        "own, such as AAAB/AAAB/CCCB/CCC. (see taquin tables build).  [default: small]",
        shell_complete=completing([*NAMED_SETS, "none"]),
    ),
    threads_option,
    cluster_option,
    flag("Engine", "--anytime", "Find a good solution, then better ones until --max-seconds (10)."),
    option(
        "Engine",
        "--within F",
        "Find a solution proven to be at most F times as long as a shortest.",
        type=number_type(1),
    ),
    flag("Engine", "--optimal", "Accept only a shortest solution, however long it takes."),
)


like_option = option(
    "Conventions",
    "--like",
    "Search and count as a source does: s0 (tries), s2 (nodes generated), s3 (traversed "
    "nodes), s4 (states enqueued), korf (nodes generated, without moves back). Other options "
    "take precedence.",
    one_of=SOURCES,
)


search_options = gathered(
    SearchOptions,
    "search",
    option(
        "Search",
        "--algorithm -a SEARCH",
        f"{', '.join(ALGORITHMS)}; their textbook names too, such as dijkstra (ucs); with "
        "parameters, astar(manhattan, weight=2, ties=low-h) or astar:manhattan:ties=lifo; or your "
        "own function of a board, file.py:name or file.py:name(manhattan, option=3).",
        shell_complete=completing(ALGORITHMS),
    ),
    option(
        "Search",
        "--heuristic -H NAME",
        f"{', '.join(HEURISTICS)}, max(…), sum(…), patterns(large), or your own "
        "function, file.py:name or file.py:name(option=3).",
        shell_complete=completing(HEURISTICS),
    ),
    like_option,
)


def task_options(function: Any) -> Any:
    """Add `problem`, `search` and `limits` to a command."""
    return problem_options(search_options(limit_options()(function)))
