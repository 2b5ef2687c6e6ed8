"""Read a study from TOML: from a file, or one of those that come with taquin.

    name = "first"                       the file's own name where left out
    title = "Two heuristics"
    description = "How many boards does each expand?"
    notes = ["A remark for the report."]
    goal = "blank-last"                  for boards that name none
    metric = "single"
    repetitions = 1
    seeds = 10                           for searches that draw lots: 1 … 10; or a list
    record_moves = false                 leave the moves of solutions out of the records

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

`algorithm` is text of the grammar of searches (`taquin/search/grammar.py`), code of one's own among
it, or `best` for what the engine chooses; `engine = "cpu"` names one. They, `heuristic`, `weight`,
`width`, `cap` and `max_depth` may be lists. Where algorithms are a list, an option that one of them
has no use for is left out for that one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import product
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from taquin.engine.choose import engine_named
from taquin.errors import InputError, TaquinError
from taquin.lab.study.boards import read_cases, read_columns
from taquin.lab.study.study import NO_LIMITS, Cell, Search, Study
from taquin.lab.study.toml_table import LARGEST, TomlTable
from taquin.model.moves import Metric
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import parts_of
from taquin.search.options import CONVENTIONS, OwnSearch, search_from_options, takes
from taquin.search.result import Count, Limits
from taquin.search.run import Algorithm
from taquin.system.words import did_you_mean

_SHIPPED = resources.files("taquin.lab") / "studies"

Conventions = Mapping[str, Any]
"""The conventions that a table names, by the names of their fields."""
BEST = "best"
"""The name of whatever the engine chooses."""

_MOST_RUNS = 10_000_000
_ENDLESS = re.compile(r"[0-9][0-9_]{1000}")
_LONGEST_KEY = 60
_BLANK = re.compile(r"\{(\w+)\}")
"""What a label has in place of an option."""
_OPTIONS = ("heuristic", "weight", "width", "cap", "max_depth")


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
    table = TomlTable(_parsed(text))
    table.check_numbers()
    metric = table.member("metric", Metric, Metric.SINGLE)
    goal = table.text("goal", "blank-last")
    cases = tuple(read_cases(table.tables("boards"), goal, metric, folder or Path()))
    searches = tuple(_searches(table, _seeds(table) or (), "" if folder is None else str(folder)))
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
        record_moves=table.flag("record_moves", True),
    )
    table.finish()
    if study.runs > _MOST_RUNS:
        raise InputError(f"expected a study of at most {_MOST_RUNS:,} runs, found {study.runs:,}")
    return study


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no TOML: {error}") from None
    except RecursionError:
        raise InputError("this is no study: its lists lie too deep in each other") from None
    except ValueError:
        # Python refuses to read numbers of thousands of digits, and does not say where.
        line = next((line for line in text.splitlines() if _ENDLESS.search(line)), "")
        key = line.partition("=")[0].strip()[:_LONGEST_KEY]
        raise InputError(
            f"{key}: expected a number of at most {LARGEST:,}, found one of thousands of digits"
        ) from None


def _searches(study: TomlTable, seeds: tuple[int, ...], folder: str) -> Iterator[Search]:
    """Yield the searches of every `[[searches]]`; `seeds` go to those that draw lots.

    Code of the user's own is looked for in `folder`. Raise TaquinError that names the key at fault.
    """
    named = {
        key: _conventions(TomlTable(value, f"conventions.{key}"))
        for key, value in study.table("conventions").free().items()
    }
    for table in study.tables("searches"):
        yield from _read_search(table, named, seeds, folder)
        table.finish()


def _limits(table: TomlTable) -> tuple[Limits, ...] | None:
    """Return the limits of a table, one for each combination of its lists; None where empty."""
    counting = table.member("counting", Count, Count.GENERATED)
    choices: dict[str, list[Any]] = {
        "nodes": table.amounts("nodes"),
        "seconds": table.seconds("seconds"),
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


def _seeds(table: TomlTable) -> tuple[int, ...] | None:
    """Return the seeds of a table: their number, or a list of them; None where it names none."""
    if "seeds" not in table:
        return None
    if isinstance(table.value("seeds"), list):
        return tuple(table.numbers("seeds"))
    return tuple(range(1, table.number("seeds", least=1) + 1))


def _read_search(
    table: TomlTable, named: Mapping[str, Conventions], seeds: tuple[int, ...], folder: str
) -> Iterator[Search]:
    label = table.text("label", "")
    engines = [_engine(table, each) for each in table.texts("engine")]
    names = table.texts("algorithm") or ([BEST] if engines else [])
    if not names:
        raise table.error("algorithm", f"expected one of {', '.join(ALGORITHMS)} or {BEST}")
    conventions = _laid(table, named)
    chosen = {
        option: table.texts(option) if option == "heuristic" else table.several(option)
        for option in _OPTIONS
        if option in table
    }
    own_seeds = _seeds(table)
    limits = _limits(table.table("limits"))
    columns = read_columns(table.table("columns"))
    made: list[tuple[dict[str, Cell], Algorithm | None, str]] = []
    for engine, name in product(engines or ["auto"], names):
        word, in_brackets = _parts(table, name, folder)
        options = {
            option: values
            for option, values in chosen.items()
            if len(names) == 1 or (takes(word, option) and ":" not in word)
        }
        for values in product(*options.values()):
            given = dict(zip(options, values, strict=True))
            algorithm = _algorithm(table, word, in_brackets, {**conventions, **given}, folder)
            runs_it = engine_named(engine).takes_searches
            if algorithm is not None and not runs_it:
                raise table.error("engine", f"{engine} has a search of its own, not {name}")
            method = engine if name == BEST and engine != "auto" else name
            made.append(({"algorithm": method, **given}, algorithm, engine))
    for shown, algorithm, engine in made:
        draws_lots = hasattr(algorithm, "seed")
        if own_seeds and not draws_lots and len(names) == 1:
            raise table.error("seeds", f"{names[0]} draws no lots; searches that do: dfs, ids")
        yield Search(
            label=_label(table, label, shown, str(algorithm or shown["algorithm"]), len(made) == 1),
            algorithm=algorithm,
            seeds=(seeds if own_seeds is None else own_seeds) if draws_lots else (),
            limits=limits,
            columns={"method": shown.pop("algorithm"), **shown, **columns},
            engine=engine,
        )


def _engine(table: TomlTable, text: str) -> str:
    """Return an engine as it prints; the table's error for one that there is not."""
    with table.blaming("engine"):
        return str(engine_named(text))


def _parts(table: TomlTable, name: str, folder: str) -> tuple[str, Mapping[str, Any]]:
    """Return the name of a search and what is written in its brackets."""
    with table.blaming("algorithm"):
        return (name, {}) if name == BEST else parts_of(name, folder)


def _algorithm(
    table: TomlTable,
    name: str,
    in_brackets: Mapping[str, Any],
    options: Mapping[str, Any],
    folder: str,
) -> Algorithm | None:
    """Return a search with the options that the table has under these keys; None for the best.

    Options are added one by one, so that the error names the one at fault.
    """
    given = dict(in_brackets)
    with table.blaming("algorithm"):
        algorithm = None if name == BEST else search_from_options(name, given, folder)
    for key, value in options.items():
        option = key.rpartition(".")[2]
        if algorithm is None or isinstance(algorithm, OwnSearch):
            raise table.error(key, f"{name} takes no heuristic, option or convention")
        if option in given:
            raise table.error(key, f"{option} is in the brackets of {name} already")
        given[option] = value
        with table.blaming(key):
            algorithm = search_from_options(name, given, folder)
    return algorithm


def _label(
    table: TomlTable, label: str, shown: Mapping[str, Cell], printed: str, alone: bool
) -> str:
    known = {**dict.fromkeys(_OPTIONS, ""), **shown}
    if "{" in label:
        rest = _BLANK.sub("", label)
        if "{" in rest or "}" in rest or not set(_BLANK.findall(label)) <= set(known):
            raise table.error(
                "label", f"expected {{algorithm}}, {{heuristic}} or another option, found {label!r}"
            )
        return " ".join(_BLANK.sub(lambda blank: str(known[blank[1]]), label).split())
    if alone and label:
        return label
    return f"{label} {printed}".strip()


def _laid(table: TomlTable, named: Mapping[str, Conventions]) -> Conventions:
    """Return the conventions of a search by their keys, the later laid upon the earlier."""
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
            laid |= _conventions(TomlTable(each, f"{table.path}.conventions[{number}]"))
    # In one order: counting steps into walls asks how duplicates are treated.
    return {f"conventions.{each}": laid[each] for each in CONVENTIONS if each in laid}


def _conventions(table: TomlTable) -> Conventions:
    """Return the conventions of a table; what they may be is for the search to say."""
    found = {each: table.value(each) for each in CONVENTIONS if each in table}
    table.finish()
    return found
