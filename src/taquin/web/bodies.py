"""The bodies of requests: JSON objects into values; every error is one sentence.

Each field is read once, by the parser of its type. Unknown fields are errors.
"""

from __future__ import annotations

import json
import re
from typing import Any

from taquin import ANY, Algorithm, Goal, Limits, Metric, NotationError, Puzzle, UnsuitableError
from taquin.engine.choose import ENGINES
from taquin.heuristics.own import own_code_in
from taquin.model.board import Arrangement, Board
from taquin.notation.fields import Fields
from taquin.notation.json_values import board_of_json, goal_of_json, load_json
from taquin.notation.values import as_goal, as_start
from taquin.search.grammar import search_named
from taquin.system.words import counted, shorten
from taquin.web.settings import CODE_FILE, Settings

_REMOTE = ("cluster",)
"""Engines that use other machines; requests may not name them."""


def fields_of(body: bytes) -> Fields:
    """Return the fields of a request; raise InputError for anything but a JSON object."""
    try:
        value = load_json(body.decode(), "expected a JSON object")
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise NotationError("expected a JSON object in UTF-8") from None
    except UnicodeEncodeError:
        raise NotationError("expected a JSON object, found a lone surrogate in it") from None
    return Fields(value)


def puzzle_of(fields: Fields, settings: Settings) -> tuple[Puzzle, Board]:
    """Return the puzzle and the board of a body; raise InputError if they are not valid."""
    goal = fields.value("goal")
    start = board_of(fields, goal, settings)
    if start is None:
        raise UnsuitableError(
            'expected a board: {"board": "8 6 7 / 2 5 4 / 3 0 1"}, or its rows as lists'
        )
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
    for code in own_code_in(search):
        if settings.user_code is None or code.where != CODE_FILE:
            raise UnsuitableError(
                f"requests cannot run user code, found {shorten(text, 60)}: use taquin solve, "
                f"trace or compare at the command line"
            )
        object.__setattr__(code, "source", settings.user_code)
    if re.search(r"patterns\((?!small\))", str(search)):
        raise UnsuitableError(
            f"requests can use only the tables patterns(small), found {shorten(text, 60)}"
        )
    return search


def engine_names() -> list[str]:
    """Return the names of the engines that requests may use."""
    return ["auto", *(name for name in ENGINES if name not in _REMOTE)]


def limits_of(fields: Fields, settings: Settings, *, counted_nodes: bool) -> Limits:
    """Return the limits of a body, lowered to those of the server.

    Compiled engines do not count nodes, so the server's limit on nodes applies only to searches
    that do (`counted_nodes`).
    """
    seconds, nodes = fields.number("seconds", 0, 1e9), fields.whole("nodes", 0, 10**18, None)
    if nodes is None and counted_nodes:
        nodes = settings.nodes
    return Limits(
        nodes=None if nodes is None else min(settings.nodes, nodes),
        seconds=settings.seconds if seconds is None else min(settings.seconds, seconds),
        depth=fields.whole("depth", 0, 10**9, None),
        memory=settings.memory,
    )


def refuse_size(rows: int, columns: int, settings: Settings) -> None:
    """Raise UnsuitableError for a board with more cells than the server supports."""
    if rows * columns > settings.cells:
        raise UnsuitableError(
            f"expected a board of at most {counted(settings.cells, 'cell')}, found "
            f"{rows}×{columns} with {rows * columns:,}"
        )


def _with_any(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_any(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_any(item) for key, item in value.items()}
    return ANY if value is None else value
