"""The lists of algorithms, heuristics, engines and goals, built from the registries."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any

from taquin.engine.base import Engine
from taquin.engine.choose import ENGINES, Auto
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.goal import NAMED_GOALS
from taquin.search import conventions
from taquin.search.algorithms import ALGORITHMS
from taquin.search.options import CONVENTIONS, options_of
from taquin.web.bodies import engine_names


@cache
def catalogue() -> dict[str, Any]:
    """Return the algorithms, heuristics, engines and goals, each with a sentence."""
    return {
        "algorithms": [_algorithm(name) for name in ALGORITHMS],
        "heuristics": [_heuristic(name) for name in HEURISTICS if name not in ALIASES],
        "engines": [_engine(name) for name in engine_names()],
        "goals": [
            {"name": name, "sentence": _sentence(make)} for name, make in NAMED_GOALS.items()
        ],
    }


def _algorithm(name: str) -> dict[str, Any]:
    make: Any = ALGORITHMS[name]
    value: Any = make()
    kinds = options_of(name)
    options = [
        _option(field, kind, getattr(value, field), type(value)) | _choices(kind, None)
        for field, kind in kinds.items()
        if field != "heuristic"
    ]
    options += [
        _option(field, kind, getattr(value.conventions, field), conventions.Conventions)
        | _choices(kind, value.supported.get(field))
        for field, kind in CONVENTIONS.items()
        if field not in value.unsupported
    ]
    return {
        "name": name,
        "title": _title(make.__name__),
        "sentence": _sentence(make),
        "options": options,
        "takes_heuristic": "heuristic" in kinds,
        "optimal": bool(value.optimal),
    }


def _heuristic(name: str) -> dict[str, Any]:
    kind = type(HEURISTICS[name])
    return {
        "name": name,
        "title": _title(kind.__name__),
        "sentence": _sentence(kind),
        "aliases": [alias for alias, target in ALIASES.items() if target == name],
    }


def _engine(name: str) -> dict[str, Any]:
    engine: Engine = Auto() if name == "auto" else ENGINES[name]()
    fit = engine.available()
    why_not = fit.why_not or None
    return {"name": name, "sentence": engine.summary, "available": bool(fit), "why_not": why_not}


def _option(name: str, kind: str, value: object, owner: type) -> dict[str, Any]:
    """Return an option of an algorithm; `owner` is the class that documents it."""
    return {
        "name": name.replace("_", "-"),
        "type": _TYPES.get(kind, "choice"),
        "choices": None,
        "default": value if isinstance(value, int | float | None) else conventions.text_of(value),
        "sentence": _documented(owner).get(name, ""),
    }


_TYPES = {
    "int": "whole",
    "float": "number",
    "bool": "flag",
    "Heuristic": "heuristic",
    "tuple[Direction, ...]": "directions",
}
"""Annotations of options, each with its type on the page."""


def _choices(kind: str, known: frozenset[Enum] | None) -> dict[str, Any]:
    """Return the choices of an option that is an enumeration; empty for others."""
    members: Any = getattr(conventions, kind, None)
    if members is None:
        return {}
    sentences = _documented(members)
    choices = [
        {"name": member.value, "sentence": sentences[member.name]}
        for member in members
        if known is None or member in known
    ]
    return {"choices": choices, "sentence": _sentence(members)}


def _title(name: str) -> str:
    """Return the name of a class or a function as ordinary text.

    >>> [_title(name) for name in ("IDAStar", "weighted_a_star", "BreadthFirst")]
    ['IDA*', 'Weighted A*', 'Breadth first']
    """
    title = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).replace("AStar", "A*").lower()
    title = re.sub(r"\b(id)?a( star|\*)", lambda match: f"{match[1] or ''}A*".upper(), title)
    return title[:1].upper() + title[1:]


def _sentence(thing: Any) -> str:
    return _first_paragraph(inspect.getdoc(thing) or "")


def _first_paragraph(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


@cache
def _documented(owner: type) -> dict[str, str]:
    """Return the docstring beneath each field or member of a class, inherited ones included."""
    sentences: dict[str, str] = {}
    for kind in reversed(owner.__mro__[:-1]):
        body = _classes(kind.__module__).get(kind.__name__, [])
        for pair in pairwise(body):
            match pair:
                case (
                    ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]),
                    ast.Expr(ast.Constant(str(text))),
                ):
                    sentences[name] = _first_paragraph(text)
    return sentences


@cache
def _classes(module: str) -> dict[str, list[ast.stmt]]:
    """Return the bodies of the classes of a module; none if its source is not available."""
    if not module.startswith("taquin."):
        return {}
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except OSError:
        return {}
    return {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
