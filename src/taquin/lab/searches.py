"""The searches of a study: algorithms × heuristics × conventions, each with a label.

    [conventions.s3]                               conventions that go by a name
    duplicates = "dequeue"
    directions = "RLDU"

    [[searches]]
    label = "A*"
    algorithm = "astar"
    heuristic = "manhattan-agent"
    conventions = ["s3", { ties = "heap" }]        a name, a table, or both laid upon each other

    [[searches]]                                   two algorithms × two heuristics
    label = "{algorithm} {heuristic}"
    algorithm = ["astar", "idastar"]
    heuristic = ["misplaced", "manhattan"]

    [[searches]]
    label = "DFS"
    algorithm = "dfs"
    seeds = 20                                     1 … 20; or a list of seeds
    limits = { nodes = "1M" }                      instead of those of the study

`algorithm` is a name of the command line, or `best` for what the engine chooses. `heuristic`,
`weight`, `width`, `cap` and `max_depth` may be lists too. Where algorithms are a list, an option
that one of them has no use for is left out for that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from taquin.errors import TaquinError
from taquin.heuristics.registry import heuristic_named
from taquin.lab.boards import read_columns
from taquin.lab.record import Cell
from taquin.lab.study import Search
from taquin.lab.toml_table import Table
from taquin.model.moves import Direction
from taquin.search.algorithm import Algorithm
from taquin.search.conventions import STANDARD
from taquin.search.registry import ALGORITHMS, algorithm_named
from taquin.search.result import Count, Limits

Conventions = Mapping[str, Any]
"""The conventions that a table names, by the names of their fields."""

BEST = "best"
"""The name of whatever the engine chooses."""

_OPTIONS = ("heuristic", "weight", "width", "cap", "max_depth")
_ENUMS = {name: type(getattr(STANDARD, name)) for name in ("duplicates", "ties", "goal_test")}


def read_searches(
    tables: list[Table], conventions: Table, seeds: tuple[int, ...]
) -> Iterator[Search]:
    """Yield the searches of every `[[searches]]`; `seeds` go to those that draw lots.

    `conventions` is the table of those that go by a name. Raise TaquinError that names the key at
    fault.
    """
    named = {
        key: _conventions(Table(value, f"conventions.{key}")) for key, value in conventions.items()
    }
    for table in tables:
        yield from _read_entry(table, named, seeds)
        table.finish()


def read_limits(table: Table) -> tuple[Limits, ...] | None:
    """Return the limits of a table, one for each combination of its lists; None where empty."""
    seconds = table.several("seconds")
    for each in seconds:
        if isinstance(each, bool) or not isinstance(each, int | float) or not each >= 0:
            raise table.error("seconds", f"expected a number from 0 on, found {each!r}")
    counting = table.member("counting", Count, Count.GENERATED)
    choices: dict[str, list[Any]] = {
        "nodes": table.amounts("nodes"),
        "seconds": seconds,
        "depth": table.numbers("depth"),
        "memory": table.amounts("memory", size=True),
    }
    table.finish()
    given = {name: values for name, values in choices.items() if values}
    if not given:
        return None
    return tuple(
        Limits(counting=counting, **dict(zip(given, values, strict=True)))
        for values in product(*given.values())
    )


def read_seeds(table: Table) -> tuple[int, ...] | None:
    """Return the seeds of a table: their number, or a list of them; None where it names none."""
    if "seeds" not in table:
        return None
    if isinstance(table.value("seeds"), list):
        return tuple(table.numbers("seeds"))
    return tuple(range(1, table.number("seeds", least=1) + 1))


def _read_entry(
    table: Table, named: Mapping[str, Conventions], seeds: tuple[int, ...]
) -> Iterator[Search]:
    label = table.text("label", "")
    names = table.texts("algorithm")
    if not names:
        raise table.error("algorithm", f"expected one of {', '.join(ALGORITHMS)} or {BEST}")
    conventions = _laid(table, named)
    chosen = {option: table.several(option) for option in _OPTIONS if option in table}
    own_seeds = read_seeds(table)
    limits = read_limits(table.table("limits"))
    columns = dict(read_columns(table.table("columns")))
    made: list[tuple[dict[str, Cell], Algorithm | None]] = []
    for name in names:
        options = {
            option: values
            for option, values in chosen.items()
            if len(names) == 1 or _takes(name, option)
        }
        for values in product(*options.values()):
            given = dict(zip(options, values, strict=True))
            made.append(({"algorithm": name, **given}, _algorithm(table, given, name, conventions)))
    for shown, algorithm in made:
        draws_lots = hasattr(algorithm, "seed")
        if own_seeds and not draws_lots and len(names) == 1:
            raise table.error("seeds", f"{names[0]} draws no lots; searches that do: dfs, ids")
        yield Search(
            label=_label(table, label, shown, algorithm, alone=len(made) == 1),
            algorithm=algorithm,
            seeds=(seeds if own_seeds is None else own_seeds) if draws_lots else (),
            limits=limits,
            columns={"method": shown.pop("algorithm"), **shown, **columns},
        )


def _algorithm(
    table: Table, options: Mapping[str, Any], name: str, conventions: Conventions
) -> Algorithm | None:
    if name == BEST:
        if options or conventions:
            raise table.error("algorithm", f"{BEST} takes no heuristic, option or convention")
        return None
    given = dict(options)
    if "cap" in given:
        given["nodes"] = given.pop("cap")
    try:
        if "heuristic" in given:
            given["heuristic"] = heuristic_named(str(given["heuristic"]))
        plain = algorithm_named(name)
        return algorithm_named(name, **given, conventions=replace(plain.conventions, **conventions))
    except TaquinError as error:
        raise table.error("", str(error)) from None
    except TypeError:
        raise table.error("", f"{given} are no options that {name} can take") from None


def _takes(name: str, option: str) -> bool:
    entry = ALGORITHMS.get(name.lower())
    return entry is None or (option if option != "cap" else "nodes") in entry.options


def _label(
    table: Table, label: str, shown: Mapping[str, Cell], algorithm: Algorithm | None, alone: bool
) -> str:
    if "{" in label:
        blanks = dict.fromkeys(_OPTIONS, "")
        try:
            return " ".join(label.format_map({**blanks, **shown}).split())
        except (KeyError, ValueError, IndexError, AttributeError):
            raise table.error(
                "label", f"expected {{algorithm}}, {{heuristic}} or another option, found {label!r}"
            ) from None
    if alone and label:
        return label
    return f"{label} {algorithm or BEST}".strip()


def _laid(table: Table, named: Mapping[str, Conventions]) -> Conventions:
    """Return the conventions of a search, the later of its list laid upon the earlier."""
    laid: dict[str, Any] = {}
    for number, each in enumerate(table.several("conventions"), 1):
        if isinstance(each, str):
            if each not in named:
                known = ", ".join(named) or "none"
                raise table.error(
                    "conventions", f"there is no [conventions.{each}]; the names are: {known}"
                )
            laid |= named[each]
        else:
            laid |= _conventions(Table(each, f"{table.path}.conventions[{number}]"))
    return laid


def _conventions(table: Table) -> Conventions:
    found: dict[str, Any] = {}
    for name, kind in _ENUMS.items():
        if name in table:
            found[name] = table.member(name, kind, getattr(STANDARD, name))
    if "directions" in table:
        letters = table.text("directions").upper()
        if sorted(letters) != sorted("UDLR"):
            raise table.error("directions", f"expected U, D, L and R once each, found {letters!r}")
        found["directions"] = tuple(Direction.of_letter(letter) for letter in letters)
    if "bumps" in table:
        found["bumps"] = table.flag("bumps")
    table.finish()
    return found
