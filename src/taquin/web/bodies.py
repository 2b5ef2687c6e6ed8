"""What a request holds: JSON into values, every fault one sentence.

A body is an object. Each field is taken by the one who knows what it means; what is left over then
is a field that nobody knows, and refused.
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
from taquin.notation.json_values import board_of_json, goal_of_json, shown
from taquin.notation.values import as_goal, as_start
from taquin.search.grammar import search_named
from taquin.search.result import Limits
from taquin.search.run import Algorithm
from taquin.system.words import counted, shorten, unknown
from taquin.web.settings import Settings

_REMOTE = ("cluster",)
"""Engines that would call other machines: not for whoever sends a request."""


class Fields:
    """The fields of a body, each to be taken once."""

    def __init__(self, body: bytes) -> None:
        self._left = _object(body)
        self._known: list[str] = []

    def take(self, name: str) -> Any:
        """Return the value of a field; None where it is missing or null."""
        self._known.append(name)
        return self._left.pop(name, None)

    def text(self, name: str) -> str | None:
        """Return the text of a field."""
        text: str | None = self._of(name, str, "a text")
        return text

    def flag(self, name: str) -> bool:
        """Return whether a field is true."""
        return bool(self._of(name, bool, "true or false"))

    def one_of(self, name: str, words: Sequence[str]) -> str | None:
        """Return the word of a field that takes one of some."""
        word = self.text(name)
        if word is not None and word not in words:
            raise UnsuitableError(f"{name}: {unknown('choice', word, words)}")
        return word

    def whole(self, name: str, least: int, most: int) -> int | None:
        """Return the whole number of a field."""
        number = self._of(name, int, "a whole number")
        return None if number is None else int(_within(name, number, least, most))

    def number(self, name: str, least: float, most: float) -> float | None:
        """Return the number of a field."""
        number = self._of(name, (int, float), "a number")
        return None if number is None else float(_within(name, number, least, most))

    def words(self, name: str, least: int, most: int) -> list[str]:
        """Return the texts of a field that takes a list of them."""
        found = self.take(name)
        if (
            not isinstance(found, list)
            or not least <= len(found) <= most
            or not all(isinstance(each, str) for each in found)
        ):
            raise UnsuitableError(f"{name}: expected a list of {least} to {most} texts")
        return found

    def close(self) -> None:
        """Raise UnsuitableError if there is a field that nobody took."""
        for name in self._left:
            raise UnsuitableError(unknown("field", name, self._known))

    def _of(self, name: str, kind: type | tuple[type, ...], what: str) -> Any:
        value = self.take(name)
        if value is None or (isinstance(value, kind) and isinstance(value, bool) == (kind is bool)):
            return value
        raise UnsuitableError(f"{name}: expected {what}, found {shown(value)}")


def puzzle_of(fields: Fields, settings: Settings) -> tuple[Puzzle, Board]:
    """Return the puzzle of a body and its board; raise InputError for what is none."""
    wanted = fields.take("goal")
    start = board_of(fields, wanted, settings)
    if start is None:
        raise UnsuitableError(
            'expected a board: {"board": "8 6 7 / 2 5 4 / 3 0 1"}, or its rows as lists'
        )
    puzzle = Puzzle(goal_on(wanted, start), metric_of(fields))
    puzzle.check(start)
    return puzzle, start


def board_of(fields: Fields, goal: object, settings: Settings) -> Board | None:
    """Return the board of a body, for a goal as it was given; None without one."""
    board = fields.take("board")
    if board is None:
        return None
    by_name = goal if goal is None or isinstance(goal, str) else "rows"
    found = as_start(board, by_name) if isinstance(board, str) else board_of_json(board)
    refuse_size(found.grid.rows, found.grid.columns, settings)
    return found


def metric_of(fields: Fields) -> Metric:
    """Return what a body counts as one move."""
    return Metric(fields.one_of("metric", [each.value for each in Metric]) or Metric.SINGLE)


def goal_on(value: object, board: Arrangement) -> Goal:
    """Return the goal of a field, for boards like this one; null stands for any tile in it."""
    if value is None or isinstance(value, str):
        return as_goal(value, board)
    return goal_of_json(_with_any(value))


def search_of(text: str) -> Algorithm:
    """Return the search that a text describes; raise UnsuitableError for one not for requests.

    That is code of one's own, of which reading such a text runs nothing, and tables that would fill
    the disk.
    """
    search = search_named(text)
    if any(own_code_in(search)):
        raise UnsuitableError(
            f"code of your own is not run for a request, found {shorten(text, 60)}: use "
            f"taquin solve, trace or race at the command line"
        )
    if re.search(r"patterns\((?!small\))", str(search)):
        raise UnsuitableError(
            f"tables other than patterns(small) are not built for a request, found "
            f"{shorten(text, 60)}"
        )
    return search


def engine_names() -> list[str]:
    """Return the engines that a request may name."""
    return ["auto", *(name for name in ENGINES if name not in _REMOTE)]


def engine_of(fields: Fields) -> str:
    """Return the name of the engine that a body asks for."""
    return fields.one_of("engine", engine_names()) or "auto"


def limits_of(fields: Fields, settings: Settings, *, counted_nodes: bool) -> Limits:
    """Return the limits that a body asks for, none of them above the server's.

    Engines of their own count no nodes, so only a search by name is limited in them unasked.
    """
    seconds = fields.number("seconds", 0, 1e9)
    nodes = fields.whole("nodes", 0, 10**18)
    if nodes is not None or counted_nodes:
        nodes = min(settings.nodes, settings.nodes if nodes is None else nodes)
    return Limits(
        nodes=nodes,
        seconds=min(settings.seconds, settings.seconds if seconds is None else seconds),
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
        return [_with_any(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_any(each) for key, each in value.items()}
    return ANY if value is None else value


def _within(name: str, number: float, least: float, most: float) -> float:
    if not least <= number <= most:
        raise UnsuitableError(
            f"{name}: expected a number from {least:,} to {most:,}, found {shown(number)}"
        )
    return number


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body.decode(), parse_constant=_refuse, object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise NotationError("expected a JSON object in UTF-8") from None
    except json.JSONDecodeError as error:
        what = f"{error.msg[0].lower()}{error.msg[1:]}"
        raise NotationError(f"expected a JSON object: {what}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        # Python reads no number of so many digits, and no list so deep.
        raise NotationError("expected a JSON object, found numbers or lists too long") from None
    if not isinstance(value, dict):
        raise NotationError(f"expected a JSON object, found {shown(value)}")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotationError("expected a JSON object, found half a character in it") from None
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotationError("expected each field once, found one twice")
    return found


def _refuse(word: str) -> None:
    raise NotationError(f"expected a JSON object, found {word} in it, which is no number of JSON")
