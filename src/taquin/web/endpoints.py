"""The handlers of requests: each returns a job for a worker, or a record at once.

First come the fields of request bodies, JSON objects that become values. Each field is read once,
by the parser of its type; unknown fields are errors, and every error is one sentence. The handlers
follow; a record at once needs no search, and a few milliseconds at most. `catalogue` builds the
lists of algorithms, heuristics, engines and goals from the registries.

`openapi` describes the HTTP interface in OpenAPI 3.0. Every handler of `POSTS` reads a small body
there, through fields that record the keys, the types and the limits, so the description cannot
differ from the code.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any

from taquin import ANY, Algorithm, Goal, Metric, Puzzle, TaquinError, __version__, estimate
from taquin.engine.glass import default_algorithm
from taquin.engine.task import ENGINES, Auto
from taquin.errors import NotationError, UnsuitableError
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.heuristics.user_code import user_code_parts
from taquin.model.board import Arrangement, Board
from taquin.model.puzzle import NAMED_GOALS
from taquin.model.solvability import solvability, solvable_goals
from taquin.notation import Form, can_write, read_board, read_goal, write_board
from taquin.notation.boards import as_goal, as_start
from taquin.notation.fields import Fields
from taquin.notation.json_values import board_of_json, goal_of_json, load_json
from taquin.reasons import reason
from taquin.search import run as search_run
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import Effort
from taquin.search.grammar import CONVENTIONS, options_of, search_named
from taquin.search.result import Limits, Task
from taquin.search.run import option_names
from taquin.system.formatting import shorten
from taquin.web.messages import message
from taquin.web.page_jobs import (
    BODY_BYTES,
    CODE_FILE,
    TYPES,
    Export,
    MovesLeft,
    PageJob,
    Race,
    Scramble,
    Settings,
    Solve,
    Trace,
)

_REMOTE = ("cluster",)
"""Engines that use other machines; requests may not name them."""


def fields_of(body: bytes) -> Fields:
    """Return the fields of a request; raise InputError for anything but a JSON object."""
    try:
        value = load_json(body.decode(), reason("json-object"))
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise NotationError(reason("json-bytes")) from None
    except UnicodeEncodeError:
        raise NotationError(reason("json-surrogate")) from None
    return Fields(value)


def puzzle_of(fields: Fields, settings: Settings) -> tuple[Puzzle, Board]:
    """Return the puzzle and the board of a body; raise InputError if they are not valid."""
    goal = fields.value("goal")
    start = board_of(fields, goal, settings)
    if start is None:
        raise UnsuitableError(reason("text-board", example='{"board": "8 6 7 / 2 5 4 / 3 0 1"}'))
    puzzle = Puzzle(goal_on(goal, start), metric_of(fields))
    puzzle.check(start)
    return puzzle, start


def board_of(fields: Fields, goal: object, settings: Settings) -> Board | None:
    """Return the board of a body whose goal field is `goal`; None if it has no board."""
    value = fields.value("board")
    if value is None:
        return None
    goal_text = goal if goal is None or isinstance(goal, str) else "rows"
    board = as_start(value, goal_text) if isinstance(value, str) else board_of_json(value)
    refuse_size(board.grid.rows, board.grid.columns, settings)
    return board


def metric_of(fields: Fields) -> Metric:
    """Return the metric of a body."""
    return fields.member("metric", Metric, Metric.SINGLE)


def goal_on(value: object, board: Arrangement) -> Goal:
    """Return the goal of a field, on the grid of `board`; null in it stands for any tile."""
    if value is None or isinstance(value, str):
        return as_goal(value, board)
    return goal_of_json(_with_any(value))


def search_of(text: str, settings: Settings) -> Algorithm:
    """Return the search that a text describes; raise UnsuitableError if requests may not use it.

    Requests may not run code from files (parsing the text does not run it), and may not build
    tables that would fill the disk. In a browser they may use the code that is part of them.
    """
    search = search_named(text)
    for code in user_code_parts(search):
        if settings.user_code is None or code.where != CODE_FILE:
            raise UnsuitableError(reason("no-user-code", found=shorten(text, 60)))
        object.__setattr__(code, "source", settings.user_code)
    if re.search(r"patterns\((?!small\))", str(search)):
        raise UnsuitableError(reason("only-small", found=shorten(text, 60)))
    return search


def engine_names() -> list[str]:
    """Return the names of the engines that requests may use."""
    return ["auto", *(name for name in ENGINES if name not in _REMOTE)]


def limits_of(fields: Fields, settings: Settings, *, is_named: bool) -> Limits:
    """Return the limits of a body, capped by the server's limits.

    Not every engine counts nodes, so the server's limit on them applies to searches by name.
    """
    seconds, nodes = fields.number("seconds", 0, 1e9), fields.whole("nodes", 0, 10**18, None)
    if settings.nodes is not None and (nodes is not None or is_named):
        nodes = min(settings.nodes, settings.nodes if nodes is None else nodes)
    return Limits(
        nodes=nodes,
        seconds=settings.seconds if seconds is None else min(settings.seconds, seconds),
        depth=fields.whole("depth", 0, 10**9, None),
        memory=settings.memory,
    )


def refuse_size(rows: int, columns: int, settings: Settings) -> None:
    """Raise UnsuitableError for a board with more cells than the server supports."""
    if rows * columns > settings.cells:
        raise UnsuitableError(reason("too-large", count=settings.cells, rows=rows, columns=columns))


def _with_any(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_any(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_any(item) for key, item in value.items()}
    return ANY if value is None else value


_LONGEST_WALK = 100_000
"""The most random moves; boards are well mixed long before."""
_FEWEST, _MOST = 2, 4
"""The least and the greatest number of searches in a race."""


def solve(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of solving a board."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search", None)
    algorithm = None if text is None else search_of(text, settings)
    limits = limits_of(fields, settings, is_named=algorithm is not None)
    return Solve(
        Task(puzzle, start, algorithm, limits),
        fields.one_of("engine", engine_names(), "auto"),
        fields.flag("optimal"),
        fields.number("anytime", 0, 1e9),
        fields.number("within", 1, 1e9),
    )


def trace(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of tracing a search step by step."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search", None)
    search = default_algorithm(puzzle) if text is None else search_of(text, settings)
    limits = limits_of(fields, settings, is_named=True)
    return Trace(Task(puzzle, start, search, limits), search)


def scramble(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of drawing a random board."""
    goal_field = fields.value("goal")
    model = board_of(fields, goal_field, settings)
    rows, columns = fields.whole("rows", 1, 10_000, None), fields.whole("columns", 1, 10_000, None)
    if model is None:
        rows, columns = rows or columns or 3, columns or rows or 3
        refuse_size(rows, columns, settings)
    goal = goal_on(goal_field, model or Goal.blank_last(rows or 3, columns or 3))
    refuse_size(goal.grid.rows, goal.grid.columns, settings)
    if rows not in (None, goal.grid.rows) or columns not in (None, goal.grid.columns):
        rows, columns = rows or goal.grid.rows, columns or goal.grid.columns
        raise UnsuitableError(reason("goal-size", goal=goal.grid.shape, rows=rows, columns=columns))
    moves = fields.whole("moves", 0, _LONGEST_WALK, None)
    distance = fields.whole("distance", 0, 10**6, None)
    if moves is not None and distance is not None:
        raise UnsuitableError(reason("moves-or-distance"))
    return Scramble(
        Puzzle(goal, metric_of(fields)),
        Limits(seconds=settings.seconds, memory=settings.memory),
        fields.whole("seed", 0, 2**63 - 1, None),
        moves,
        distance,
        None if model is None else tuple(model.labels.elements()),
    )


def race(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of a race."""
    puzzle, start = puzzle_of(fields, settings)
    texts = fields.texts("searches")
    if not _FEWEST <= len(texts) <= _MOST:
        raise fields.unexpected("searches", reason("some-texts", least=_FEWEST, most=_MOST), texts)
    searches = tuple(search_of(text, settings) for text in texts)
    by = fields.member("by", Effort, Effort.EXPANSIONS)
    limits = limits_of(fields, settings, is_named=True)
    speed, skip = fields.number("speed", 1e-6, 1e9), fields.number("skip", 0, 1e12)
    return Race(Task(puzzle, start, None, limits), searches, by, speed, skip or 0.0)


def moves_left(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of counting the moves left."""
    puzzle, start = puzzle_of(fields, settings)
    return MovesLeft(puzzle, start, settings.memory, fields.flag("hint"))


def export(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of writing a board, or its solution, to a file."""
    puzzle, start = puzzle_of(fields, settings)
    form = fields.one_of("format", list(TYPES), None)
    if form is None:
        raise fields.missing("format", reason("one-of", names=", ".join(TYPES)), ["format"])
    theme = fields.one_of("theme", ("light", "dark"), None)
    moves = fields.value("moves")
    return Export(puzzle, start, moves, form, None if theme is None else theme == "dark")


def about(settings: Settings) -> dict[str, Any]:
    """Return the version and the limits of this server."""
    return {
        "version": __version__,
        "limits": {
            **{name: getattr(settings, name) for name in ("seconds", "nodes", "memory", "cells")},
            "body": BODY_BYTES,
            "running": settings.running,
            "waiting": settings.waiting,
        },
        "sizes": {"least": 2, "most": 10},
    }


def read(fields: Fields, settings: Settings) -> dict[str, Any]:
    """Return the board or the goal of a text, and every form it can be written in."""
    text = fields.required_text("text")
    kind = fields.one_of("as", ("board", "goal"), "board")
    fields.finish()
    position = read_board(text) if kind == "board" else read_goal(text)
    refuse_size(position.grid.rows, position.grid.columns, settings)
    forms = [form for form in Form if can_write(position, form)]
    return {
        "rows": position.grid.rows,
        "columns": position.grid.columns,
        "as": kind,
        "board": position.rows(),
        "text": position.text(),
        "forms": {form.value: write_board(position, form) for form in forms},
    }


def check(fields: Fields, settings: Settings) -> dict[str, Any]:
    """Return whether a board can be solved, and why."""
    puzzle, start = puzzle_of(fields, settings)
    verdict = solvability(puzzle, start)
    manhattan = None
    with suppress(TaquinError):
        manhattan = estimate("manhattan", start, puzzle.goal, puzzle.metric)
    return {
        "solvable": bool(verdict),
        "reason": verdict.reason,
        "message": message(verdict.reason),
        "solved": puzzle.is_goal(start),
        "solvable_with": [] if verdict else list(solvable_goals(puzzle, start)),
        "manhattan": manhattan,
        "rows": start.grid.rows,
        "columns": start.grid.columns,
        "board": start.rows(),
        "goal": puzzle.goal.rows(),
        "metric": puzzle.metric.value,
        "text": start.text(),
    }


class ResponseKind(Enum):
    """How a request is answered."""

    RECORD = "record"
    """The handler returns the record itself."""
    RESULT = "result"
    """The handler returns a job; the response is its last record, or its file."""
    STREAM = "stream"
    """The handler returns a job; the response is the stream of its events."""


POSTS: dict[str, tuple[ResponseKind, Callable[[Fields, Settings], Any]]] = {
    "read": (ResponseKind.RECORD, read),
    "check": (ResponseKind.RECORD, check),
    "scramble": (ResponseKind.RESULT, scramble),
    "left": (ResponseKind.RESULT, moves_left),
    "export": (ResponseKind.RESULT, export),
    "solve": (ResponseKind.STREAM, solve),
    "trace": (ResponseKind.STREAM, trace),
    "race": (ResponseKind.STREAM, race),
}
"""The requests with a body, under `/api/`, on a server and in a browser."""


def handled(name: str, body: bytes, settings: Settings) -> Any:
    """Return the value of the handler `name` for a body; raise InputError for a bad body."""
    fields = fields_of(body)
    value = POSTS[name][1](fields, settings)
    fields.finish()
    return value


@cache
def catalogue() -> dict[str, Any]:
    """Return the algorithms, heuristics, engines and goals, each with a sentence."""
    return {
        "algorithms": [_algorithm(name) for name in ALGORITHMS],
        "heuristics": [
            {
                "name": name,
                "title": _title(type(heuristic).__name__),
                "sentence": _sentence(type(heuristic)),
                "aliases": [alias for alias, target in ALIASES.items() if target == name],
            }
            for name, heuristic in HEURISTICS.items()
            if name not in ALIASES
        ],
        "engines": [
            {
                "name": name,
                "sentence": engine.summary,
                "available": bool(engine.available()),
                "why_not": message(why_not) if (why_not := engine.available().why_not) else None,
            }
            for name in engine_names()
            for engine in [Auto() if name == "auto" else ENGINES[name]()]
        ],
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
        _option(field, kind, getattr(value.conventions, field), search_run.Conventions)
        | _choices(kind, value.supported.get(field))
        for field, kind in CONVENTIONS.items()
        if field.replace("_", "-") in option_names(value)
    ]
    return {
        "name": name,
        "title": _title(make.__name__),
        "sentence": _sentence(make),
        "options": options,
        "takes_heuristic": "heuristic" in kinds,
        "optimal": bool(value.optimal),
    }


def _option(name: str, kind: str, value: object, owner: type) -> dict[str, Any]:
    """Return an option of an algorithm; `owner` is the class that documents it."""
    return {
        "name": name.replace("_", "-"),
        "type": _TYPES.get(kind, "choice"),
        "choices": None,
        "default": value if isinstance(value, int | float | None) else search_run.text_of(value),
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
    members: Any = getattr(search_run, kind, None)
    if not hasattr(members, "__members__"):
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


Schema = dict[str, Any]

GETS = {
    "/runtime.json": ("What the browser itself runs, all searches or user code; its files", "json"),
    "/api/openapi.json": ("This description", "json"),
    "/api/about": ("Version, limits, numbers of running and queued searches", "json"),
    "/api/searches": ("Algorithms with their options, heuristics, engines, goals", "json"),
    "/api/studies": ("The studies of the lab", "json"),
    "/api/studies/{name}": ("One study and its progress", "json"),
    "/api/studies/{name}/report": ("The report of a study as a page", "html"),
}
"""The addresses without a body: a summary, and the content type."""

_BOARD = "1 2 3 / 4 0 5 / 7 8 6"
_BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "read": ("Read a text in any notation, and write it in every other", {"text": _BOARD}),
    "check": ("Whether a board can be solved, and why", {"board": _BOARD}),
    "scramble": ("A random board, or one of an exact distance", {}),
    "left": ("The number of moves left, and the next move", {"board": _BOARD}),
    "export": ("A solution as a file", {"board": _BOARD, "format": "svg"}),
    "solve": ("Solve a board", {"board": _BOARD}),
    "trace": ("A search step by step", {"board": _BOARD}),
    "race": ("Two to four searches side by side", {"board": _BOARD, "searches": ["bfs", "astar"]}),
}
"""For each of POSTS a summary, and a minimal body with the required keys."""
_ROWS = {"type": "array", "items": {"type": "array", "items": {}}}
_VALUES: dict[str, Schema] = {
    "board": {
        "description": 'A text in any notation, or rows with 0 for the blank and "#" for a wall.',
        "anyOf": [{"type": "string"}, _ROWS, {"type": "object"}],
    },
    "goal": {
        "description": "A name, a text, or rows with null for any tile; blank-last by default.",
        "anyOf": [{"type": "string"}, _ROWS, {"type": "object"}],
    },
    "moves": {
        "description": "Letters, directions or tiles, or a list as in a result.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {}}],
    },
}
"""The fields with several types."""
_STOP: Schema = {
    "type": "object",
    "properties": {"turn": {"type": "string"}},
    "required": ["turn"],
    "additionalProperties": False,
}
_EMPTY: Schema = {"type": "object", "additionalProperties": False}
_ERRORS = {
    "400": "A bad request",
    "403": "The Origin or the Host is not this server's",
    "405": "Another method; Allow has those of the address",
    "408": "The body took too long to arrive",
    "413": f"A body of more than {BODY_BYTES:,} bytes",
    "422": "This machine cannot do it",
    "503": "The queue is full; Retry-After has the seconds to wait",
}


class _RecordingFields(Fields):
    """Fields that record how each key is read."""

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.properties: dict[str, Schema] = {}

    def value(self, key: str, default: Any = None) -> Any:
        self.properties.setdefault(key, _VALUES.get(key, {}))
        return super().value(key, default)

    def note(self, key: str, **schema: Any) -> None:
        known = {name: value for name, value in schema.items() if value is not None}
        self.properties[key] = self.properties.get(key, {}) | known


@cache
def openapi() -> dict[str, Any]:
    """Return the description, an OpenAPI document."""
    paths = {path: {"get": _get(path)} for path in GETS}
    paths |= {f"/api/{name}": {"post": _post(name)} for name in POSTS}
    answer = _responses({"application/json": {"schema": {"type": "object"}}})
    stop = {"summary": "End a stream with its result so far, by its header taquin-turn"}
    paths["/api/stop"] = {
        "post": stop | {"requestBody": _body(_STOP, {"turn": "…"}), "responses": answer}
    }
    stream = _responses({"text/event-stream": {}})
    python = {"summary": "Download Python for the browser, once; not on a public server"}
    paths["/api/python"] = {
        "post": python | {"requestBody": _body(_EMPTY, {}), "responses": stream}
    }
    text = {"type": "string"}
    properties = {"error": text, "code": text, "parameters": {"type": "object"}}
    error = {"type": "object", "properties": properties, "required": ["error"]}
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "taquin",
            "version": __version__,
            "description": "Sliding-tile puzzles: boards, searches and studies.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": error}},
    }


def _get(path: str) -> Schema:
    summary, kind = GETS[path]
    content: Schema = {"text/html": {}} if kind == "html" else {"application/json": {}}
    operation: Schema = {"summary": summary, "responses": _responses(content)}
    if "{name}" in path:
        name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
        operation["parameters"] = [name]
        operation["responses"] |= _errors({"404": "There is no such study"})
    return operation


def _post(name: str) -> Schema:
    """Return the operation of one of POSTS, with the fields that its handler reads."""
    summary, smallest = _BODIES[name]
    kind, handler = POSTS[name]
    fields = _RecordingFields(smallest)
    handler(fields, Settings())
    optional = fields.properties.keys() - smallest.keys()
    schema = {
        "type": "object",
        "properties": {
            key: _nullable(value) if key in optional else value
            for key, value in fields.properties.items()
        },
        "required": list(smallest),
        "additionalProperties": False,
    }
    if not smallest:
        del schema["required"]
    content: Schema = {"application/json": {"schema": {"type": "object"}}}
    if kind is ResponseKind.STREAM:
        content = {"text/event-stream": {}}
    elif name == "export":
        content = {content_type: {} for content_type in TYPES.values()}
    return {
        "summary": summary,
        "requestBody": _body(schema, smallest),
        "responses": _responses(content),
    }


def _nullable(schema: Schema) -> Schema:
    """Return the schema of a key that may be null, like one that is missing."""
    if "anyOf" in schema:
        first, *others = schema["anyOf"]
        return schema | {"anyOf": [_nullable(first), *others]}
    if "enum" in schema:
        schema = schema | {"enum": [*schema["enum"], None]}
    return schema | {"nullable": True}


def _body(schema: Schema, example: dict[str, Any]) -> Schema:
    content = {"application/json": {"schema": schema, "example": example}}
    return {"required": True, "content": content}


def _responses(content: Schema) -> Schema:
    return {"200": {"description": "The answer", "content": content}} | _errors(_ERRORS)


def _errors(sentences: dict[str, str]) -> Schema:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {code: {"description": text, "content": content} for code, text in sentences.items()}
