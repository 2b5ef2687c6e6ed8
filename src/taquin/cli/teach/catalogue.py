"""`taquin heuristics` and `taquin searches`: what there is, with its properties and an example."""

from __future__ import annotations

import timeit
from dataclasses import asdict, dataclass
from typing import Any

from taquin import Algorithm, Board, Goal, Heuristic, Limits, Puzzle, solve
from taquin.cli.command import OK, command
from taquin.cli.options import json_option
from taquin.cli.output import Column, print_json, print_table
from taquin.heuristics.base import evaluator_for, prepare
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.space import Space
from taquin.search.algorithms import ALGORITHMS

EXAMPLE = "8 1 3 / 4 0 2 / 7 6 5"
"""The board of the examples; a shortest solution has 14 moves."""
_SHORTEST = 14
_REPEATS = 200
_MOST_SECONDS = 1.0
_SOURCES = {
    "misplaced": "Nilsson 1971",
    "manhattan": "Doran & Michie 1966",
    "linear-conflict": "Hansson, Mayer & Yung 1992",
    "corner-tiles": "Korf & Taylor 1996",
    "last-moves": "Korf & Taylor 1996",
    "gaschnig": "Gaschnig 1979",
    "walking-distance": "Takahashi 2002",
    "patterns": "Culberson & Schaeffer 1998; Korf & Felner 2002",
}


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A line of a list."""

    name: str
    summary: str

    def record(self) -> dict[str, object]:
        """Return the entry for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HeuristicEntry(CatalogueEntry):
    """A heuristic of the list."""

    admissible: bool
    consistent: bool
    example: int
    microseconds: float
    source: str


@command("taquin heuristics", 'taquin estimate "8 1 3 / 4 0 2 / 7 6 5"', "taquin help manhattan")
@json_option
def heuristics(as_json: bool) -> int:
    """List the heuristics: admissibility, cost, source, and an example.

    An admissible heuristic never overestimates; of a consistent one, the estimate also falls by at
    most the cost of a move. "example" is the estimate for 8 1 3 / 4 0 2 / 7 6 5, which is 14 moves
    from the goal, and "µs" the time of that estimate in Python on this machine.
    """
    entries = [heuristic_entry(name) for name in HEURISTICS if name not in ALIASES]
    if as_json:
        print_json([entry.record() for entry in entries])
    else:
        print_table(
            [
                Column("heuristic", lambda entry: entry.name, left=True),
                Column("admissible", lambda entry: "yes" if entry.admissible else "no", left=True),
                Column("consistent", lambda entry: "yes" if entry.consistent else "no", left=True),
                Column("example", lambda entry: str(entry.example)),
                Column("µs", lambda entry: f"{entry.microseconds:.1f}"),
                Column("what it does", lambda entry: entry.summary, left=True),
                Column("source", lambda entry: entry.source or "–", left=True),
            ],
            entries,
        )
    return OK


def heuristic_entry(name: str) -> HeuristicEntry:
    """Return the entry of a heuristic, measured on the example."""
    heuristic: Heuristic = HEURISTICS[name]
    board = Board(EXAMPLE)
    space = Space(Puzzle(Goal.blank_last(3, 3)), board)
    prepare(heuristic, space, lambda title, done, total: None)
    evaluator = evaluator_for(heuristic, space)
    value = evaluator.value(space.start)
    times = timeit.repeat(lambda: evaluator.value(space.start), number=_REPEATS)
    microseconds = min(times) / _REPEATS * 1e6
    name = ALIASES.get(name, name)
    return HeuristicEntry(
        name, summary_of(type(heuristic)), evaluator.admissible, evaluator.consistent, value,
        microseconds, _SOURCES.get(name, ""),
    )  # fmt: skip


def summary_of(kind: object) -> str:
    """Return the first paragraph of the documentation of a class, in one line."""
    return " ".join((kind.__doc__ or "").strip().partition("\n\n")[0].split())


def explanation_of_heuristic(name: str) -> str:
    """Return the text of `taquin help NAME` for a heuristic."""
    entry = heuristic_entry(name)
    verdict = "admissible" if entry.admissible else "not admissible"
    verdict += ", consistent" if entry.consistent else ", not consistent"
    source = f"\nSource: {entry.source}." if entry.source else ""
    return (
        f"{entry.name}: a heuristic, {verdict}.\n{entry.summary}{source}\n"
        f"Example: it estimates {entry.example} for {EXAMPLE}, which needs {_SHORTEST} moves.\n"
        f'Use: taquin solve "{EXAMPLE}" -a "astar({entry.name})"'
    )


@dataclass(frozen=True, slots=True)
class SearchEntry(CatalogueEntry):
    """A search of the list, run on the example."""

    optimal: bool
    moves: int | None
    expanded: int | None


@command(
    "taquin searches", 'taquin compare "8 1 3 / 4 0 2 / 7 6 5" -a bfs -a astar', "taquin help astar"
)
@json_option
def searches(as_json: bool) -> int:
    """List the searches: whether they find shortest solutions, and an example.

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


def explanation_of_search(name: str) -> str:
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
