"""`taquin heuristics` and `taquin searches`: what there is, with its properties and an example."""

from __future__ import annotations

import timeit
from functools import partial
from operator import itemgetter
from typing import Any

import click

from taquin import Board, Goal, Heuristic, Limits, Puzzle, solve
from taquin.cli.command import OK, command
from taquin.cli.options import json_option
from taquin.cli.output import Column, print_json, print_table
from taquin.cli.screen import columns
from taquin.heuristics.base import evaluator_for, prepare
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.space import Space
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import algorithm_name, described_options

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


Entry = dict[str, Any]
"""A line of a list, as JSON prints it."""


@command("taquin heuristics", 'taquin estimate "8 1 3 / 4 0 2 / 7 6 5"', "taquin help manhattan")
@json_option
def heuristics(as_json: bool) -> int:
    """List the heuristics: admissibility, cost, source, and an example.

    An admissible heuristic never overestimates; of a consistent one, the estimate also falls by at
    most the cost of a move. "example" is the estimate for 8 1 3 / 4 0 2 / 7 6 5, which is 14 moves
    from the goal, and "µs" the time of that estimate in Python on this machine.
    """
    entries = [_heuristic(name) for name in HEURISTICS if name not in ALIASES]
    columns = [
        Column("heuristic", itemgetter("name"), left=True),
        Column("admissible", partial(_yes_or_no, "admissible"), left=True),
        Column("consistent", partial(_yes_or_no, "consistent"), left=True),
        Column("example", lambda entry: str(entry["example"])),
        Column("µs", lambda entry: f"{entry['microseconds']:.1f}"),
        Column("what it does", itemgetter("summary"), left=True),
        Column("source", lambda entry: entry["source"] or "–", left=True),
    ]
    return _print(entries, columns, as_json)


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
    columns = [
        Column("search", itemgetter("name"), left=True),
        Column("shortest", partial(_yes_or_no, "optimal"), left=True),
        Column("moves", partial(_number, "moves")),
        Column("expanded", partial(_number, "expanded")),
        Column("what it does", itemgetter("summary"), left=True),
    ]
    return _print([_search(name) for name in ALGORITHMS], columns, as_json)


def _print(entries: list[Entry], columns: list[Column], as_json: bool) -> int:
    if as_json:
        print_json(entries)
    else:
        print_table(columns, entries)
    return OK


def _yes_or_no(key: str, entry: Entry) -> str:
    return "yes" if entry[key] else "no"


def _number(key: str, entry: Entry) -> str:
    return "–" if entry[key] is None else f"{entry[key]:,}"


def _heuristic(name: str) -> Entry:
    """Return the entry of a heuristic, measured on the example."""
    heuristic: Heuristic = HEURISTICS[name]
    space = Space(Puzzle(Goal.blank_last(3, 3)), Board(EXAMPLE))
    prepare(heuristic, space, lambda title, done, total: None)
    evaluator = evaluator_for(heuristic, space)
    times = timeit.repeat(lambda: evaluator.value(space.start), number=_REPEATS)
    name = ALIASES.get(name, name)
    return {
        "name": name,
        "summary": _summary(type(heuristic)),
        "admissible": evaluator.admissible,
        "consistent": evaluator.consistent,
        "example": evaluator.value(space.start),
        "microseconds": min(times) / _REPEATS * 1e6,
        "source": _SOURCES.get(name, ""),
    }


def _search(name: str) -> Entry:
    """Return the entry of a search, run on the example."""
    search: Any = ALGORITHMS[name]()
    result = solve(EXAMPLE, algorithm=search, engine="glass", limits=Limits(seconds=_MOST_SECONDS))
    return {
        "name": name,
        "summary": _summary(ALGORITHMS[name]),
        "optimal": search.optimal,
        "moves": result.cost,
        "expanded": result.stats.expanded,
    }


def _summary(kind: object) -> str:
    """Return the first paragraph of the documentation of a class, in one line."""
    return " ".join((kind.__doc__ or "").strip().partition("\n\n")[0].split())


def explanation(name: str) -> str:
    """Return the text of `taquin help NAME` for a heuristic or a search; empty for another name."""
    if name.lower() in HEURISTICS:
        return _explanation_of_heuristic(_heuristic(name.lower()))
    name = algorithm_name(name)
    return _explanation_of_search(_search(name)) if name in ALGORITHMS else ""


def _explanation_of_heuristic(entry: Entry) -> str:
    verdict = "admissible" if entry["admissible"] else "not admissible"
    verdict += ", consistent" if entry["consistent"] else ", not consistent"
    source = f"\nSource: {entry['source']}." if entry["source"] else ""
    return (
        f"{entry['name']}: a heuristic, {verdict}.\n{entry['summary']}{source}\n"
        f"Example: it estimates {entry['example']} for {EXAMPLE}, which needs {_SHORTEST} moves.\n"
        f'Use: taquin solve "{EXAMPLE}" -a "astar({entry["name"]})"'
    )


def _explanation_of_search(entry: Entry) -> str:
    name = entry["name"]
    verdict = "its solutions are shortest" if entry["optimal"] else "its solutions may be longer"
    example = f"Example: within a second it finds no solution of {EXAMPLE}."
    if entry["moves"] is not None:
        nodes = entry["expanded"]
        counted = "" if nodes is None else f" after {nodes:,} boards expanded"
        example = f"Example: {EXAMPLE} in {entry['moves']:,} moves{counted}; 14 are needed."
    formatter = click.HelpFormatter(width=columns())
    with formatter.section(f"Options, such as {name}(directions=UDLR)"):
        formatter.write_dl(
            [
                (
                    option.name,
                    option.accepted + f"  [default: {option.default}]" * bool(option.default),
                )
                for option in described_options(name)
            ]
        )
    return (
        f"{name}: a search; {verdict}.\n{entry['summary']}\n{example}\n"
        f'Use: taquin trace "{EXAMPLE}" -a {name}\n\n{formatter.getvalue().rstrip()}'
    )
