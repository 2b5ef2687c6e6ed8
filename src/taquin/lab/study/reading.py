"""Read a study from a TOML file, or one of those that come with taquin.

docs/lab.md describes the format. Lists of options give a search for each combination.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import chain, product
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from taquin import Algorithm, Limits, Metric, TaquinError
from taquin.engine.task import engine_named
from taquin.errors import InputError
from taquin.lab.study.definition import (
    NO_LIMITS,
    ColumnValue,
    Search,
    Study,
    names_in,
    read_cases,
    read_columns,
)
from taquin.lab.study.identity import StudyFiles
from taquin.notation.fields import LARGEST, MANY, Fields, check_numbers
from taquin.search import Count
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import CONVENTIONS, parts_of, search_from_options, supports_option
from taquin.search.user_search import UserSearch
from taquin.system.files import read_text
from taquin.system.formatting import did_you_mean

_SHIPPED = resources.files("taquin.lab") / "studies"

Conventions = Mapping[str, Any]
"""The conventions of a table, by the names of their fields."""
BEST = "best"
"""The algorithm that leaves the choice to the engine."""
_MOST_RUNS = 10_000_000
_ENDLESS = re.compile(r"[0-9][0-9_]{1000}")
_LONGEST_KEY = 60
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A placeholder for an option in a label."""
_OPTIONS = ("heuristic", "weight", "width", "cap", "max_depth", "random_order")


def shipped_studies() -> list[str]:
    """Return the names of the studies that come with taquin."""
    return names_in(_SHIPPED, ".toml")


def read_study(name: str | PathLike[str]) -> Study:
    """Return the study of a TOML file, or the shipped one of that name.

    Raise TaquinError that names the file and the key at fault.
    """
    text = fspath(name)
    path = Path(text)
    if not path.is_file() and text in shipped_studies():
        return study_of_toml((_SHIPPED / f"{text}.toml").read_text(encoding="utf-8"), text)
    try:
        content = read_text(path)
    except UnicodeDecodeError:
        raise InputError(f"{text}: expected TOML, found a file that is not text") from None
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

    `name` is its name if the text gives none; paths are relative to `folder`.

    >>> study = study_of_toml('''
    ... boards = [{ start = "1 2 / 0 3" }]
    ... searches = [{ algorithm = ["bfs", "astar"], heuristic = ["h1", "h2"] }]
    ... ''')
    >>> [search.label for search in study.searches]
    ['bfs', 'astar(misplaced)', 'astar(manhattan)']
    """
    content = _parsed(text)
    check_numbers(content)
    table = Fields(content)
    metric = table.member("metric", Metric, Metric.SINGLE)
    goal = table.text("goal", "blank-last")
    cases = read_cases(table.tables("boards"), goal, metric, folder or Path())
    seeds, own_folder = _seeds(table) or (), "" if folder is None else str(folder)
    named = {
        key: _conventions(Fields(value, f"conventions.{key}"))
        for key, value in table.table("conventions").free().items()
    }
    file_names = tuple(table.texts("files"))
    with table.blaming("files"):
        files = StudyFiles(file_names, own_folder)
    searches = [_searches(entry, named, seeds, own_folder) for entry in table.tables("searches")]
    study = Study(
        name=table.text("name", name),
        cases=tuple(cases),
        searches=tuple(chain(*searches)),
        limits=_limits(table.table("limits")) or NO_LIMITS,
        repetitions=table.whole("repetitions", 1, MANY, 1),
        title=table.text("title", ""),
        description=table.text("description", ""),
        notes=tuple(table.texts("notes")),
        report=table.table("report").free(),
        record_moves=table.flag("record_moves", True),
        files=files,
    )
    table.finish()
    if study.runs > _MOST_RUNS:
        raise InputError(f"expected a study of at most {_MOST_RUNS:,} runs, found {study.runs:,}")
    return study


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}") from None
    except RecursionError:
        raise InputError("this is not a study: its lists are nested too deeply") from None
    except ValueError:
        # Python refuses to read numbers of thousands of digits, without a line number.
        line = next((line for line in text.splitlines() if _ENDLESS.search(line)), "")
        key = line.partition("=")[0].strip()[:_LONGEST_KEY]
        raise InputError(
            f"{key}: expected a number of at most {LARGEST:,}, found one of thousands of digits"
        ) from None


def _limits(table: Fields) -> tuple[Limits, ...] | None:
    """Return the limits of a table, one for each combination of its lists; None if it is empty."""
    counting = table.member("counting", Count, Count.GENERATED)
    choices: list[list[Any]] = [
        table.amounts("nodes"),
        table.seconds("seconds"),
        table.numbers("depth"),
        table.amounts("memory", size=True),
    ]
    table.finish()
    if not any(choices):
        return None
    combinations = product(*(values or [None] for values in choices))
    return tuple(
        Limits(nodes, seconds, depth, memory, counting)
        for nodes, seconds, depth, memory in combinations
    )


def _seeds(table: Fields) -> tuple[int, ...] | None:
    """Return the seeds of a table: a number of seeds, or a list; None without the key."""
    if "seeds" not in table:
        return None
    if isinstance(table.value("seeds"), list):
        return tuple(table.numbers("seeds"))
    return tuple(range(1, table.whole("seeds", 1, MANY, 1) + 1))


def _searches(
    table: Fields, named: Mapping[str, Conventions], seeds: tuple[int, ...], folder: str
) -> Iterator[Search]:
    """Yield a search for each combination of the lists of a `[[searches]]`."""
    label, engine_texts = table.text("label", ""), table.texts("engine")
    with table.blaming("engine"):
        engines = [str(engine_named(text)) for text in engine_texts]
    names = table.texts("algorithm") or ([BEST] if engines else [])
    if not names:
        raise table.error("algorithm", f"expected one of {', '.join(ALGORITHMS)} or {BEST}")
    conventions = _merged_conventions(table, named)
    lists = {
        option: table.texts(option) if option == "heuristic" else table.several(option)
        for option in _OPTIONS
        if option in table
    }
    own_seeds = _seeds(table)
    limits = _limits(table.table("limits"))
    columns = read_columns(table.table("columns"))
    searches: list[tuple[dict[str, ColumnValue], Algorithm | None, str]] = []
    for engine, name in product(engines or ["auto"], names):
        with table.blaming("algorithm"):
            search_name, in_brackets = (name, {}) if name == BEST else parts_of(name, folder)
        options = {
            option: values
            for option, values in lists.items()
            if len(names) == 1 or (supports_option(search_name, option) and ":" not in search_name)
        }
        for values in product(*options.values()):
            chosen = dict(zip(options, values, strict=True))
            algorithm = _algorithm(
                table, search_name, in_brackets, {**conventions, **chosen}, folder
            )
            if algorithm is not None and not engine_named(engine).takes_searches:
                raise table.error("engine", f"{engine} has its own search, it does not run {name}")
            method = engine if name == BEST and engine != "auto" else name
            searches.append(({"method": method, **chosen}, algorithm, engine))
    for chosen, algorithm, engine in searches:
        is_random = hasattr(algorithm, "seed")
        if own_seeds and not is_random and len(names) == 1:
            raise table.error("seeds", f"{names[0]} makes no random choices, as dfs and ids do")
        text = str(algorithm or chosen["method"])
        yield Search(
            label=_label(table, label, chosen, text, len(searches) == 1),
            algorithm=algorithm,
            seeds=(seeds if own_seeds is None else own_seeds) if is_random else (),
            limits=limits,
            columns={**chosen, **columns},
            engine=engine,
        )
    table.finish()


def _algorithm(
    table: Fields,
    name: str,
    in_brackets: Mapping[str, Any],
    options: Mapping[str, Any],
    folder: str,
) -> Algorithm | None:
    """Return a search with these options of the table; None for `best`."""
    known = dict(in_brackets)
    with table.blaming("algorithm"):
        algorithm = None if name == BEST else search_from_options(name, known, folder)
    # One by one, so that the error names the wrong option.
    for key, value in options.items():
        option = key.rpartition(".")[2]
        if algorithm is None or (isinstance(algorithm, UserSearch) and "." in key):
            unsupported = "conventions" if algorithm else "heuristics, options or conventions"
            raise table.error(key, f"{name} does not support {unsupported}")
        if option in known:
            raise table.error(key, f"{option} is already given in the brackets of {name}")
        known[option] = value
        with table.blaming(key):
            algorithm = search_from_options(name, known, folder)
    return algorithm


def _label(
    table: Fields, label: str, chosen: Mapping[str, ColumnValue], text: str, is_only: bool
) -> str:
    """Return the label of a search with its placeholders filled in; by default its `text`."""
    if "{" not in label:
        return label if is_only and label else f"{label} {text}".strip()
    known = {**dict.fromkeys(_OPTIONS, ""), **chosen, "algorithm": chosen["method"]}
    rest = _PLACEHOLDER.sub("", label)
    if "{" in rest or "}" in rest or not set(_PLACEHOLDER.findall(label)) <= set(known):
        raise table.error(
            "label", f"expected {{algorithm}}, {{heuristic}} or another option, found {label!r}"
        )
    return " ".join(_PLACEHOLDER.sub(lambda match: str(known[match[1]]), label).split())


def _merged_conventions(table: Fields, named: Mapping[str, Conventions]) -> Conventions:
    """Return the conventions of a search by their keys; later ones replace earlier ones."""
    merged: dict[str, Any] = {}
    for number, entry in enumerate(table.several("conventions"), 1):
        if not isinstance(entry, str):
            merged |= _conventions(Fields(entry, f"{table.path}.conventions[{number}]"))
        elif entry in named:
            merged |= named[entry]
        else:
            known = f"the names are: {', '.join(named) or 'none'}"
            raise table.error("conventions", f"there is no [conventions.{entry}]; {known}")
    # In a fixed order, because the check of `bumps` depends on `duplicates`.
    return {f"conventions.{name}": merged[name] for name in CONVENTIONS if name in merged}


def _conventions(table: Fields) -> Conventions:
    """Return the conventions of a table; the search checks their values."""
    conventions = {name: table.value(name) for name in CONVENTIONS if name in table}
    table.finish()
    return conventions
