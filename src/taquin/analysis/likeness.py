"""The sources as ways to search and to count: `--like s3` reproduces the figures of S3.

    like         its search                    its count
    s0           A*, or breadth-first          tries
    s2           A* or a capped beam without   nodes generated
                 duplicate detection
    s2-repaired  the same with duplicate       nodes generated
                 detection
    s3           A* with the agent counted     traversed nodes
    s4           A*, critical optimisation     states enqueued
    korf         IDA* (1985)                   nodes generated, moves back to the parent excluded

A likeness sets defaults; explicit options override them. Defaults that a search does not support
are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from taquin.heuristics.per_tile import Manhattan, ManhattanWithAgent
from taquin.model.moves import KORF_ORDER, Direction
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import algorithm_name, search_from_options
from taquin.search.result import Method, Stats
from taquin.search.run import Algorithm, Conventions, Duplicates, LimitTest, RandomOrder, Ties
from taquin.search.user_search import UserSearch

SourceCount = Callable[[Method, Stats], int | None]
"""(method, counters) → the number that a source would print; None if unknown."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How one source searches, and what it counts."""

    source: str
    count: str
    """The source's name of the number it prints."""
    definition: str
    """The exact definition of that number, as a clause."""
    counter: SourceCount
    conventions: Conventions
    default: str = "astar"
    """The default search."""
    search_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Further options of single searches, by name."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names by which the source means another search."""

    def search(self, name: str, options: Mapping[str, Any]) -> Algorithm:
        """Return the search called `name` as the source runs it; `options` override that.

        Raise UnsuitableError as `search_from_options` does.

        >>> print(LIKENESSES["s4"].search("astar", {"heuristic": "hamming"}))
        astar(misplaced, duplicates=parent, ties=fifo)
        """
        key = algorithm_name(name)
        overrides = {option.replace("-", "_"): value for option, value in options.items()}
        if key in self.renamed:
            key = self.renamed[key]
            if "width" in overrides:
                overrides["cap"] = overrides.pop("width")
        if key not in ALGORITHMS:
            return search_from_options(name, options)
        plain: Any = ALGORITHMS[key]()
        defaults = {**self.conventions.chosen(), **self.search_options.get(key, {})}
        supported = {
            option: value
            for option, value in defaults.items()
            if option not in plain.unsupported and value in plain.supported.get(option, (value,))
        }
        if "duplicates" in overrides or "duplicates" not in supported:
            # `bumps` needs the source's own treatment of duplicates.
            supported.pop("bumps", None)
        return search_from_options(key, {**supported, **overrides})

    def sentence(self, method: Method, stats: Stats) -> str:
        """Return the number with its name and definition, as a sentence."""
        number = self.counter(method, stats)
        if number is None:
            return f"{self.source} counts {self.count}; {method} does not count them."
        return f"{self.source} counts {self.count}: {number:,} ({self.definition})."


def korf_nodes(method: Method, stats: Stats) -> int | None:
    """Return the nodes that Korf would report: with the start, without moves back to the parent.

    None unless the search discards exactly these moves and counts them.
    """
    # Reading the conventions of a user's search would run its code.
    conventions = None if isinstance(method, UserSearch) else getattr(method, "conventions", None)
    if conventions is None or conventions.duplicates is not Duplicates.PARENT:
        return None
    if stats.generated is None or stats.duplicates is None:
        return None
    return stats.generated - stats.duplicates + 1


def _by_blank(letters: str) -> tuple[Direction, ...]:
    """Return an order of moves from the directions of the blank."""
    return tuple(Direction.of_letter(letter).opposite for letter in letters)


_WITH_AGENT = {"heuristic": ManhattanWithAgent(), "ties": Ties.HEAP}
# S3 pushes the successors on a stack, which returns the last one first.
_FROM_STACK = {
    "directions": _by_blank("DURL"),
    "random_order": RandomOrder.CYCLE,
    "bumps": False,
    "limit_test": LimitTest.GENERATION,
}
_WITHOUT_MEMORY = {"duplicates": Duplicates.NONE}

_S2_REPAIRED = Likeness(
    "S2, repaired,",
    "nodes generated",
    "successors generated, duplicates included, the start not",
    lambda method, stats: stats.generated,
    Conventions(ties=Ties.FIFO),
    renamed={"beam": "capped-beam"},
)

LIKENESSES: Mapping[str, Likeness] = {
    "s0": Likeness(
        "S0",
        "tries",
        "boards whose successors were generated",
        lambda method, stats: stats.expanded,
        Conventions(Duplicates.CLOSED, Ties.FIFO, directions=_by_blank("RLUD")),
        search_options={"bfs": {"scored_by": Manhattan()}},
    ),
    # S2 enqueues every neighbour, without duplicate detection.
    "s2": replace(
        _S2_REPAIRED,
        source="S2",
        search_options=dict.fromkeys(("astar", "wastar", "greedy", "capped-beam"), _WITHOUT_MEMORY),
    ),
    "s2-repaired": _S2_REPAIRED,
    "s3": Likeness(
        "S3",
        "traversed nodes",
        "entries taken from the frontier, the start and duplicates included",
        lambda method, stats: stats.dequeued,
        Conventions(Duplicates.DEQUEUE, directions=_by_blank("LRUD"), bumps=True),
        search_options={
            **dict.fromkeys(("astar", "wastar", "greedy"), _WITH_AGENT),
            # S3 marks a board when it is pushed on the stack; obstacles are marked from the start.
            "dfs": {"duplicates": Duplicates.GENERATED, **_FROM_STACK},
            # Its printed traces show that only the move back to the parent is discarded.
            "ids": {"duplicates": Duplicates.PARENT, **_FROM_STACK},
        },
    ),
    "s4": Likeness(
        "S4",
        "states enqueued",
        "entries ever put into the frontier, the start included",
        lambda method, stats: stats.enqueued,
        Conventions(Duplicates.PARENT, Ties.FIFO),
    ),
    "korf": Likeness(
        "Korf (1985)",
        "nodes generated",
        "successors generated and the start, moves back to the parent excluded",
        korf_nodes,
        Conventions(Duplicates.PARENT, directions=KORF_ORDER),
        default="idastar",
    ),
}
"""Every likeness by its name."""
