"""Events and results as plain values for JSON, in and out.

    {"event": "expanded", "node": {"number": 3, "parent": 1, "board": [[1, 2], [3, 0]],
     "move": {"tile": 3, "direction": "left"}, "depth": 2, "h": 0, "f": 2}, "frontier": 1, …}

Boards are lists of rows; null stands for an infinite priority; the side of a node is left out when
it is the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from enum import Enum
from math import inf
from typing import Any, TypeVar

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.moves import WALL, Direction, Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.json_values import (
    board_of_json,
    goal_json,
    goal_of_json,
    label_of_value,
    move_json,
    move_of_json,
)
from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Discarded,
    Event,
    Expanded,
    Fate,
    Finished,
    Generated,
    GoalFound,
    Node,
    Started,
)
from taquin.search.result import Outcome, Result, Stats
from taquin.system.words import shorten

Record = dict[str, Any]
"""A JSON object."""

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Enum)


def puzzle_record(puzzle: Puzzle) -> Record:
    """Return a puzzle as a value that JSON can hold; the goal tells the grid and its walls."""
    return {"goal": goal_json(puzzle.goal), "metric": puzzle.metric.value}


def result_record(result: Result) -> Record:
    """Return a result as a value that JSON can hold, with `optimal` and `seconds` for its readers.

    `seconds` stands in `stats` too.
    """
    moves = result.moves
    return {
        "outcome": result.outcome.value,
        "cost": result.cost,
        "lower_bound": result.lower_bound,
        "optimal": result.optimal,
        "moves": None if moves is None else [move_json(move) for move in moves],
        "seconds": result.stats.seconds,
        "engine": result.engine,
        "algorithm": result.algorithm,
        "reason": result.reason,
        "stats": asdict(result.stats),
        "start": _rows(result.start),
        "puzzle": puzzle_record(result.puzzle),
    }


def event_record(event: Event) -> Record:
    """Return an event as a value that JSON can hold."""
    record: Record = {"event": _NAMES[type(event)]}
    if isinstance(event, Finished):
        record["result"] = result_record(event.result)
    elif isinstance(event, BoundRaised):
        record |= {"bound": _number(event.bound), "round": event.round}
    else:
        record["node"] = _node_record(event.node)
        if isinstance(event, Expanded):
            record |= {"frontier": event.frontier, "closed": event.closed}
        elif isinstance(event, Generated):
            record["fate"] = event.fate.value
    return record


def event_of_record(value: object) -> Event:
    """Return the event that a JSON value holds; raise NotationError, without a place."""
    name = _get(value, "event", _text)
    if name not in _KINDS:
        raise NotationError(f"expected an event ({', '.join(_KINDS)}), found {shorten(name)}")
    kind = _KINDS[name]
    if kind is Finished:
        return Finished(_get(value, "result", result_of_record))
    if kind is BoundRaised:
        return BoundRaised(_get(value, "bound", _float), _get(value, "round", _int))
    node = _get(value, "node", _node_of_record)
    if kind is Expanded:
        return Expanded(node, _get(value, "frontier", _int), _get(value, "closed", _int))
    if kind is Generated:
        return Generated(node, _get(value, "fate", _member(Fate)))
    made: Event = kind(node)
    return made


def result_of_record(value: object) -> Result:
    """Return the result that a JSON value holds; raise NotationError, without a place."""
    return Result(
        outcome=_get(value, "outcome", _member(Outcome)),
        puzzle=_get(value, "puzzle", puzzle_of_record),
        start=_get(value, "start", board_of_json),
        moves=_get(value, "moves", _optional(_moves)),
        cost=_get(value, "cost", _optional(_int)),
        lower_bound=_get(value, "lower_bound", _int),
        algorithm=_get(value, "algorithm", _text),
        engine=_get(value, "engine", _text),
        stats=_get(value, "stats", _stats),
        reason=_get(value, "reason", _text),
    )


def puzzle_of_record(value: object) -> Puzzle:
    """Return the puzzle that a JSON value holds; raise NotationError, without a place."""
    return Puzzle(_get(value, "goal", goal_of_json), _get(value, "metric", _member(Metric)))


_NAMES: dict[type[Event], str] = {
    Started: "started",
    Expanded: "expanded",
    Discarded: "discarded",
    Generated: "generated",
    BoundRaised: "bound-raised",
    Backtracked: "backtracked",
    GoalFound: "goal-found",
    Finished: "finished",
}
_KINDS: dict[str, Any] = {name: kind for kind, name in _NAMES.items()}


def _node_record(node: Node) -> Record:
    record: Record = {
        "number": node.number,
        "parent": node.parent,
        "board": _rows(node.board),
        "move": None if node.move is None else move_json(node.move),
        "depth": node.depth,
        "h": node.h,
        "f": _number(node.f),
    }
    if node.side != "start":
        record["side"] = node.side
    return record


def _node_of_record(value: object) -> Node:
    return Node(
        number=_get(value, "number", _int),
        parent=_get(value, "parent", _optional(_int)),
        board=_get(value, "board", board_of_json),
        move=_get(value, "move", _optional(_move)),
        depth=_get(value, "depth", _int),
        h=_get(value, "h", _int),
        f=_get(value, "f", _float),
        side=_get(value, "side", _text) if "side" in _object(value) else "start",
    )


def _rows(board: Board) -> list[list[int | str]]:
    return [list(row) for row in board.rows()]


def _number(value: float) -> float | None:
    return None if value == inf else value


def _get(value: object, key: str, read: Callable[[object], _T]) -> _T:
    """Return what stands under `key`; errors name the key."""
    record = _object(value)
    if key not in record:
        raise NotationError(f"expected the key {key}, found {shorten(', '.join(record))}")
    try:
        return read(record[key])
    except NotationError as error:
        raise NotationError(f"{key}: {error.message}") from None


def _object(value: object) -> Record:
    if not isinstance(value, dict):
        raise NotationError(f"expected an object, found {_shown(value)}")
    return value


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"expected a whole number, found {_shown(value)}")
    return value


def _float(value: object) -> float:
    if value is None:
        return inf
    return value if isinstance(value, float) else _int(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise NotationError(f"expected a text, found {_shown(value)}")
    return value


def _optional(read: Callable[[object], _T]) -> Callable[[object], _T | None]:
    return lambda value: None if value is None else read(value)


def _member(kind: type[_E]) -> Callable[[object], _E]:
    def read(value: object) -> _E:
        for member in kind:
            if member.value == value:
                return member
        known = ", ".join(str(member.value) for member in kind)
        raise NotationError(f"expected one of {known}, found {_shown(value)}")

    return read


def _moves(value: object) -> tuple[Move, ...]:
    if not isinstance(value, list):
        raise NotationError(f"expected a list of moves, found {_shown(value)}")
    return tuple(map(move_of_json, value))


def _move(value: object) -> Move:
    """Return a move of a node: a legal one, or a step into a wall that a convention counts."""
    if isinstance(value, dict) and value.get("tile") == WALL:
        tiles = value.get("tiles", [WALL])
        if isinstance(tiles, list) and tiles:
            labels = tuple(map(label_of_value, tiles))
            return Move(labels, _get(value, "direction", _direction))
    return move_of_json(value)


def _direction(value: object) -> Direction:
    for direction in Direction:
        if str(direction) == value:
            return direction
    raise NotationError(f"expected a direction, found {_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return shorten(value if isinstance(value, str) else repr(value))


def _stats(value: object) -> Stats:
    record = _object(value)
    found: Record = {
        each.name: _get(record, each.name, _float if each.name == "seconds" else _int)
        for each in fields(Stats)
    }
    return Stats(**found)
