"""Read a study from TOML: from a file, or one of those that come with taquin.

    name = "first"                       the file's own name where left out
    title = "Two heuristics"
    description = "How many boards does each expand?"
    notes = ["A remark for the report."]
    goal = "blank-last"                  for boards that name none
    metric = "single"
    repetitions = 1
    seeds = 10                           for searches that draw lots: 1 … 10; or a list

    [limits]                             each may be a list: one run with each
    nodes = "1M"
    seconds = 60
    depth = 80
    memory = "1G"
    counting = "generated"               which nodes `nodes` counts

    [[boards]]                           see taquin/lab/study/boards.py
    uniform = { size = "3x3", count = 20, seed = 1 }

    [conventions.s3]                     conventions that go by a name
    duplicates = "dequeue"
    directions = "RLDU"

    [[searches]]
    label = "A*"
    algorithm = "astar"
    heuristic = "manhattan-agent"
    conventions = ["s3", { ties = "heap" }]     a name, a table, or both laid upon each other

    [[searches]]                         two algorithms × two heuristics
    label = "{algorithm} {heuristic}"
    algorithm = ["astar", "idastar"]
    heuristic = ["misplaced", "manhattan"]
    limits = { nodes = "10M" }           instead of those of the study

    [report]                             how to show it; see taquin/lab/report/spec.py

`algorithm` is a name of the command line, or `best` for what the engine chooses. `heuristic`,
`weight`, `width`, `cap` and `max_depth` may be lists too. Where algorithms are a list, an option
that one of them has no use for is left out for that one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import resources
from itertools import product
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from taquin.errors import InputError, TaquinError
from taquin.heuristics.registry import heuristic_named
from taquin.lab.study.boards import read_cases, read_columns
from taquin.lab.study.study import NO_LIMITS, Cell, Search, Study
from taquin.lab.study.toml_table import Table
from taquin.model.moves import Direction, Metric
from taquin.search.algorithm import Algorithm
from taquin.search.conventions import STANDARD
from taquin.search.registry import ALGORITHMS, algorithm_named
from taquin.search.result import Count, Limits
from taquin.system.words import did_you_mean

_SHIPPED = resources.files("taquin.lab") / "studies"

Conventions = Mapping[str, Any]
"""The conventions that a table names, by the names of their fields."""

BEST = "best"
"""The name of whatever the engine chooses."""

_OPTIONS = ("heuristic", "weight", "width", "cap", "max_depth")
_ENUMS = {name: type(getattr(STANDARD, name)) for name in ("duplicates", "ties", "goal_test")}


def shipped_studies() -> list[str]:
    """Return the names of the studies that come with taquin."""
    return sorted(
        file.name.removesuffix(".toml")
        for file in _SHIPPED.iterdir()
        if file.name.endswith(".toml")
    )


def read_study(name: str | PathLike[str]) -> Study:
    """Return the study of a TOML file, or the shipped one of that name.

    Raise TaquinError that names the file and the key at fault.
    """
    text = fspath(name)
    path = Path(text)
    if not path.is_file() and text in shipped_studies():
        content = (_SHIPPED / f"{text}.toml").read_text(encoding="utf-8")
        return study_of_toml(content, text)
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{text}: expected a study in TOML, found what is no text") from None
    except OSError as error:
        known = shipped_studies()
        raise InputError(
            f"there is no study {text!r}: {(error.strerror or 'it cannot be read').lower()}. "
            f"{did_you_mean(text, known)}Expected a TOML file, or one of {', '.join(known)}"
        ) from None
    try:
        return study_of_toml(content, path.stem, path.parent)
    except TaquinError as error:
        raise InputError(f"{text}: {error}") from None


def study_of_toml(text: str, name: str = "study", folder: Path | None = None) -> Study:
    """Return the study that `text` describes; raise TaquinError that names the key at fault.

    `name` is its name where the text gives none; files of boards are looked for in `folder`.

    >>> study = study_of_toml('''
    ... boards = [{ start = "1 2 / 0 3" }]
    ... searches = [{ algorithm = ["bfs", "astar"], heuristic = ["h1", "h2"] }]
    ... ''')
    >>> [search.label for search in study.searches]
    ['bfs', 'astar(misplaced)', 'astar(manhattan)']
    """
    try:
        table = Table(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no TOML: {error}") from None
    metric = table.member("metric", Metric, Metric.SINGLE)
    goal = table.text("goal", "blank-last")
    cases = tuple(read_cases(table.tables("boards"), goal, metric, folder or Path()))
    searches = tuple(
        _searches(table.tables("searches"), table.table("conventions"), _seeds(table) or ())
    )
    study = Study(
        name=table.text("name", name),
        cases=cases,
        searches=searches,
        limits=_limits(table.table("limits")) or NO_LIMITS,
        repetitions=table.number("repetitions", 1, least=1),
        title=table.text("title", ""),
        description=table.text("description", ""),
        notes=tuple(table.texts("notes")),
        report=table.table("report").free(),
    )
    table.finish()
    return study


def _searches(tables: list[Table], conventions: Table, seeds: tuple[int, ...]) -> Iterator[Search]:
    """Yield the searches of every `[[searches]]`; `seeds` go to those that draw lots.

    `conventions` is the table of those that go by a name. Raise TaquinError that names the key at
    fault.
    """
    named = {
        key: _conventions(Table(value, f"conventions.{key}"))
        for key, value in conventions.free().items()
    }
    for table in tables:
        yield from _read_search(table, named, seeds)
        table.finish()


def _limits(table: Table) -> tuple[Limits, ...] | None:
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


def _seeds(table: Table) -> tuple[int, ...] | None:
    """Return the seeds of a table: their number, or a list of them; None where it names none."""
    if "seeds" not in table:
        return None
    if isinstance(table.value("seeds"), list):
        return tuple(table.numbers("seeds"))
    return tuple(range(1, table.number("seeds", least=1) + 1))


def _read_search(
    table: Table, named: Mapping[str, Conventions], seeds: tuple[int, ...]
) -> Iterator[Search]:
    label = table.text("label", "")
    names = table.texts("algorithm")
    if not names:
        raise table.error("algorithm", f"expected one of {', '.join(ALGORITHMS)} or {BEST}")
    conventions = _laid(table, named)
    chosen = {option: table.several(option) for option in _OPTIONS if option in table}
    own_seeds = _seeds(table)
    limits = _limits(table.table("limits"))
    columns = read_columns(table.table("columns"))
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
