"""`taquin searches`: list the searches, each with what it guarantees and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taquin import Algorithm, Limits, solve
from taquin.cli.command import OK, command
from taquin.cli.options import json_option
from taquin.cli.output import Column, print_json, print_table
from taquin.cli.teach.heuristics import EXAMPLE, summary_of
from taquin.search.algorithms import ALGORITHMS

_MOST_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search of the list, run on the example."""

    name: str
    summary: str
    optimal: bool
    moves: int | None
    expanded: int | None

    def record(self) -> dict[str, object]:
        """Return the entry for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@command(
    "taquin searches", 'taquin compare "8 1 3 / 4 0 2 / 7 6 5" -a bfs -a astar', "taquin help astar"
)
@json_option
def searches(as_json: bool) -> int:
    """List the searches: whether their solutions are shortest, and an example.

    "moves" and "expanded" are the length of the solution and the boards expanded for
    8 1 3 / 4 0 2 / 7 6 5, which needs 14 moves, within one second. Searches with a heuristic use
    Manhattan unless another is given.
    """
    entries = [search_entry(name) for name in ALGORITHMS]
    if as_json:
        print_json([entry.record() for entry in entries])
    else:
        print_table(
            [
                Column("search", lambda entry: entry.name, left=True),
                Column("shortest", lambda entry: "yes" if entry.optimal else "no", left=True),
                Column("moves", lambda entry: "–" if entry.moves is None else f"{entry.moves:,}"),
                Column(
                    "expanded",
                    lambda entry: "–" if entry.expanded is None else f"{entry.expanded:,}",
                ),
                Column("what it does", lambda entry: entry.summary, left=True),
            ],
            entries,
        )
    return OK


def search_entry(name: str) -> SearchEntry:
    """Return the entry of a search, run on the example."""
    algorithm: Any = ALGORITHMS[name]()
    search: Algorithm = algorithm
    result = solve(EXAMPLE, algorithm=search, engine="glass", limits=Limits(seconds=_MOST_SECONDS))
    return SearchEntry(
        name, summary_of(ALGORITHMS[name]), search.optimal, result.cost, result.stats.expanded
    )


def explanation(name: str) -> str:
    """Return the text of `taquin help NAME` for a search."""
    entry = search_entry(name)
    verdict = "its solutions are shortest" if entry.optimal else "its solutions may be longer"
    example = f"Example: within a second it finds no solution of {EXAMPLE}."
    if entry.moves is not None:
        counted = "" if entry.expanded is None else f" after {entry.expanded:,} boards expanded"
        example = f"Example: {EXAMPLE} in {entry.moves:,} moves{counted}; 14 are needed."
    return (
        f"{entry.name}: a search; {verdict}.\n{entry.summary}\n{example}\n"
        f'Use: taquin trace "{EXAMPLE}" -a {entry.name}'
    )
