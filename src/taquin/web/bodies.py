"""The bodies of requests: JSON objects into values; every error is one sentence.

Each field is taken once, by the parser that knows it. A field that is left over is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from taquin.engine.choose import ENGINES
from taquin.errors import NotationError, UnsuitableError
from taquin.heuristics.own import own_code_in
from taquin.model.board import Arrangement, Board
from taquin.model.goal import Goal
from taquin.model.moves import ANY, Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.json_values import (
    board_of_json,
    goal_of_json,
    refuse_constant,
    shown,
    unique_keys,
)
from taquin.notation.values import as_goal, as_start
from taquin.search.grammar import search_named
from taquin.search.result import Limits
from taquin.search.run import Algorithm
from taquin.system.words import counted, shorten, unknown
from taquin.web.settings import CODE_FILE, Settings

_REMOTE = ("cluster",)
"""Engines that call other machines; requests may not name them."""


class Fields:
    """The fields of a body; each is taken once."""

    def __init__(self, body: bytes) -> None:
        self._left = _object(body)
        self._known: list[str] = []

    def take(self, name: str) -> Any:
        """Return the value of a field; None if it is missing or null."""
        self._known.append(name)
        return self._left.pop(name, None)

    def text(self, name: str) -> str | None:
        """Return the text of a field."""
        text: str | None = self._typed(name, str, "a text")
        return text

    def flag(self, name: str) -> bool:
        """Return whether a field is true."""
        return bool(self._typed(name, bool, "true or false"))

    def one_of(self, name: str, words: Sequence[str]) -> str | None:
        """Return the word of a field that takes one of `words`."""
        word = self.text(name)
        if word is not None and word not in words:
            raise UnsuitableError(f"{name}: {unknown('choice', word, words)}")
        return word

    def whole(self, name: str, least: int, most: int) -> int | None:
        """Return the whole number of a field."""
        number: int | None = self._number(name, int, "a whole number", (least, most))
        return number

    def number(self, name: str, least: float, most: float) -> float | None:
        """Return the number of a field."""
        number = self._number(name, (int, float), "a number", (least, most))
        return None if number is None else float(number)

    def words(self, name: str, least: int, most: int) -> list[str]:
        """Return the strings of a field that takes a list of them."""
        words = self.take(name)
        if (
            not isinstance(words, list)
            or not least <= len(words) <= most
            or not all(isinstance(word, str) for word in words)
        ):
            raise UnsuitableError(f"{name}: expected a list of {least} to {most} texts")
        return words

    def close(self) -> None:
        """Raise UnsuitableError if a field was not taken."""
        for name in self._left:
            raise UnsuitableError(unknown("field", name, self._known))

    def _number(
        self, name: str, kind: type | tuple[type, ...], noun: str, limits: tuple[float, float]
    ) -> Any:
        number = self._typed(name, kind, noun)
        if number is not None and not limits[0] <= number <= limits[1]:
            expected = f"a number from {limits[0]:,} to {limits[1]:,}"
            raise UnsuitableError(f"{name}: expected {expected}, found {shown(number)}")
        return number

    def _typed(self, name: str, kind: type | tuple[type, ...], noun: str) -> Any:
        value = self.take(name)
        if value is None or (isinstance(value, kind) and isinstance(value, bool) == (kind is bool)):
            return value
        raise UnsuitableError(f"{name}: expected {noun}, found {shown(value)}")


def puzzle_of(fields: Fields, settings: Settings) -> tuple[Puzzle, Board]:
    """Return the puzzle and the board of a body; raise InputError if they are not valid."""
    goal = fields.take("goal")
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
    value = fields.take("board")
    if value is None:
        return None
    goal_text = goal if goal is None or isinstance(goal, str) else "rows"
    board = as_start(value, goal_text) if isinstance(value, str) else board_of_json(value)
    refuse_size(board.grid.rows, board.grid.columns, settings)
    return board


def metric_of(fields: Fields) -> Metric:
    """Return the metric of a body."""
    return Metric(fields.one_of("metric", [metric.value for metric in Metric]) or Metric.SINGLE)


def goal_on(value: object, board: Arrangement) -> Goal:
    """Return the goal of a field, on the grid of `board`; null in it stands for any tile."""
    if value is None or isinstance(value, str):
        return as_goal(value, board)
    return goal_of_json(_with_any(value))


def search_of(text: str, settings: Settings) -> Algorithm:
    """Return the search that a text describes; raise UnsuitableError if requests may not use it.

    Requests may not run code from files (parsing the text does not run it), and may not build
    tables that would fill the disk. In a browser they may name the code that came with them.
    """
    search = search_named(text)
    for code in own_code_in(search):
        if settings.user_code is None or code.where != CODE_FILE:
            raise UnsuitableError(
                f"code of your own is not run for a request, found {shorten(text, 60)}: use "
                f"taquin solve, trace or race at the command line"
            )
        object.__setattr__(code, "source", settings.user_code)
    if re.search(r"patterns\((?!small\))", str(search)):
        raise UnsuitableError(
            f"tables other than patterns(small) are not built for a request, found "
            f"{shorten(text, 60)}"
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
    seconds, nodes = fields.number("seconds", 0, 1e9), fields.whole("nodes", 0, 10**18)
    if nodes is None and counted_nodes:
        nodes = settings.nodes
    return Limits(
        nodes=None if nodes is None else min(settings.nodes, nodes),
        seconds=settings.seconds if seconds is None else min(settings.seconds, seconds),
        depth=fields.whole("depth", 0, 10**9),
        memory=settings.memory,
    )


def refuse_size(rows: int, columns: int, settings: Settings) -> None:
    """Raise UnsuitableError for a board of more cells than the server takes."""
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


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(
            body.decode(), parse_constant=refuse_constant, object_pairs_hook=unique_keys
        )
    except UnicodeDecodeError:
        raise NotationError("expected a JSON object in UTF-8") from None
    except json.JSONDecodeError as error:
        fault = f"{error.msg[0].lower()}{error.msg[1:]}"
        raise NotationError(f"expected a JSON object: {fault}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        # Python limits the digits of a number and the depth of a list.
        raise NotationError("expected a JSON object, found numbers or lists too long") from None
    if not isinstance(value, dict):
        raise NotationError(f"expected a JSON object, found {shown(value)}")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotationError("expected a JSON object, found half a surrogate pair in it") from None
    return value
