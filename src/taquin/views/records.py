"""Events and results as JSON: a trace in lines that read back into the very same events.

    {"format": "taquin-trace", "version": 1, "puzzle": {…}, "algorithm": "astar(manhattan)"}
    {"event": "started", "node": {…}}
    {"event": "expanded", "node": {"number": 3, "parent": 1, "board": [[1, 2], [3, 0]],
     "move": {"tile": 3, "direction": "left"}, "depth": 2, "h": 0, "f": 2}, "frontier": 1, …}
    …
    {"event": "finished", "result": {…}}

Boards are lists of rows; null stands for an infinite priority; the side of a node is left out when
it is the start. A table says of each type which fields it has and how each is written and read, so
a new event is one line in `_EVENTS`. Any view can be had from a file, long after the search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from math import inf
from typing import Any

from taquin.errors import NotationError, TaquinError
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.json_values import (
    board_of_json,
    goal_json,
    goal_of_json,
    move_json,
    move_of_json,
    shown,
)
from taquin.search.algorithm import Algorithm
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

FORMAT = "taquin-trace"
"""What the first line of a trace calls the format."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

Record = dict[str, Any]
"""A JSON object."""


def puzzle_record(puzzle: Puzzle) -> Record:
    """Return a puzzle as a value that JSON can hold; the goal tells the grid and its walls."""
    return _written(puzzle, _PUZZLE)


def result_record(result: Result) -> Record:
    """Return a result as a value that JSON can hold, with `optimal` and `seconds` for its readers.

    `seconds` stands in `stats` too.
    """
    # What most readers look for stands first.
    first = dict.fromkeys(("outcome", "cost", "lower_bound", "optimal", "moves", "seconds"))
    derived = {"optimal": result.optimal, "seconds": result.stats.seconds}
    return first | _written(result, _RESULT) | derived


def event_record(event: Event) -> Record:
    """Return an event as a value that JSON can hold."""
    name, table = _EVENTS[type(event)]
    return {"event": name} | _written(event, table)


def event_of_record(value: object) -> Event:
    """Return the event that a JSON value holds; raise NotationError, without a place."""
    name = _get(value, "event", _text)
    if name not in _KINDS:
        raise NotationError(f"expected an event ({', '.join(_KINDS)}), found {shorten(name)}")
    kind = _KINDS[name]
    made: Event = kind(**_read(value, _EVENTS[kind][1]))
    return made


def result_of_record(value: object) -> Result:
    """Return the result that a JSON value holds; raise NotationError, without a place."""
    return Result(**_read(value, _RESULT))


def to_json_lines(
    events: Iterable[Event], *, puzzle: Puzzle | None = None, algorithm: Algorithm | None = None
) -> Iterator[str]:
    """Yield a header, then one JSON object for each event, without line ends.

    The header tells `puzzle` and `algorithm` where they are given. Readers that want to know them
    before the last line need that; the last event tells them in any case.
    """
    header: dict[str, object] = {"format": FORMAT, "version": VERSION}
    if puzzle is not None:
        header["puzzle"] = puzzle_record(puzzle)
    if algorithm is not None:
        header["algorithm"] = str(algorithm)
    yield _dump(header)
    for event in events:
        yield _dump(event_record(event))


def from_json_lines(lines: Iterable[str]) -> Iterator[Event]:
    """Yield the events that `to_json_lines` wrote, each as soon as its line is read.

    Blank lines are skipped. A trace that breaks off between two lines is read as far as it goes.
    Raise NotationError that names the line of anything else that is not a trace.
    """
    header = finished = False
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = _load(line)
            if not header:
                _check_header(value)
                header = True
                continue
            if finished:
                raise NotationError("expected nothing after the event 'finished', found a line")
            event = event_of_record(value)
        except TaquinError as error:
            message = error.message if isinstance(error, NotationError) else str(error)
            raise NotationError(message, number) from None
        finished = isinstance(event, Finished)
        yield event
    if not header:
        raise NotationError("expected a trace, found nothing", max(number, 1))


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _load(line: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise NotationError(
            f"expected a JSON object, found {shorten(line.strip())} "
            f"(column {error.colno}: {error.msg[0].lower()}{error.msg[1:]})"
        ) from None
    except (ValueError, RecursionError):
        raise NotationError("expected a JSON object, found numbers or lists too long") from None


def _check_header(value: object) -> None:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise NotationError(
            f'expected the first line of a trace, {{"format": "{FORMAT}", …}}; write traces with '
            f"`taquin trace --json`"
        )
    version = value.get("version")
    if version != VERSION:
        raise NotationError(
            f"expected version {VERSION} of the trace format, found {shorten(str(version))}"
        )


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of one type come out of JSON and go into it."""

    read: Callable[[object], Any]
    write: Callable[[Any], object] = lambda value: value


_Table = Mapping[str, _Form]
"""The fields of a type, each with its form."""


def _written(value: object, table: _Table) -> Record:
    return {key: form.write(getattr(value, key)) for key, form in table.items()}


def _read(value: object, table: _Table) -> Record:
    return {key: _get(value, key, form.read) for key, form in table.items()}


def _get(value: object, key: str, read: Callable[[object], Any]) -> Any:
    """Return what stands under `key`; errors name the key."""
    record = _object(value)
    if key not in record:
        raise NotationError(f"expected the key {key}, found {shorten(', '.join(record))}")
    try:
        return read(record[key])
    except NotationError as error:
        raise NotationError(f"{key}: {error.message}") from None


def _plain(kind: type, what: str) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise NotationError(f"expected {what}, found {shown(value)}")
        return value

    return read


_object = _plain(dict, "an object")
_list = _plain(list, "a list of moves")
_text = _plain(str, "a text")
_int = _plain(int, "a whole number")


def _optional(form: _Form) -> _Form:
    return _Form(
        lambda value: None if value is None else form.read(value),
        lambda value: None if value is None else form.write(value),
    )


def _member(kind: type[Enum]) -> _Form:
    def read(value: object) -> Enum:
        for member in kind:
            if member.value == value:
                return member
        known = ", ".join(str(member.value) for member in kind)
        raise NotationError(f"expected one of {known}, found {shown(value)}")

    return _Form(read, lambda member: member.value)


def _made_of(kind: Callable[..., object], table: _Table) -> _Form:
    return _Form(lambda value: kind(**_read(value, table)), lambda made: _written(made, table))


def _node_of_record(value: object) -> Node:
    return Node(**_read(value, _SIDED if "side" in _object(value) else _NODE))


def _node_record(node: Node) -> Record:
    return _written(node, _NODE if node.side == "start" else _SIDED)


_INT, _TEXT = _Form(_int), _Form(_text)
_FLOAT = _Form(
    lambda value: inf if value is None else value if isinstance(value, float) else _int(value),
    lambda value: None if value == inf else value,
)
_MOVES = _Form(
    lambda value: tuple(map(move_of_json, _list(value))),
    lambda moves: [move_json(move) for move in moves],
)
_BOARD = _Form(board_of_json, lambda board: [list(row) for row in board.rows()])
_PUZZLE = {"goal": _Form(goal_of_json, goal_json), "metric": _member(Metric)}
_STATS = {each.name: _FLOAT if each.name == "seconds" else _INT for each in fields(Stats)}
_RESULT = {
    "outcome": _member(Outcome),
    "cost": _optional(_INT),
    "lower_bound": _INT,
    "moves": _optional(_MOVES),
    "engine": _TEXT,
    "algorithm": _TEXT,
    "reason": _TEXT,
    "stats": _made_of(Stats, _STATS),
    "start": _BOARD,
    "puzzle": _made_of(Puzzle, _PUZZLE),
}
_NODE = {
    "number": _INT,
    "parent": _optional(_INT),
    "board": _BOARD,
    "move": _optional(_Form(lambda value: move_of_json(value, bumps=True), move_json)),
    "depth": _INT,
    "h": _INT,
    "f": _FLOAT,
}
_SIDED = _NODE | {"side": _TEXT}
_AT = {"node": _Form(_node_of_record, _node_record)}
_EVENTS: dict[Any, tuple[str, _Table]] = {
    Started: ("started", _AT),
    Expanded: ("expanded", _AT | {"frontier": _INT, "closed": _INT}),
    Discarded: ("discarded", _AT),
    Generated: ("generated", _AT | {"fate": _member(Fate)}),
    BoundRaised: ("bound-raised", {"bound": _FLOAT, "round": _INT}),
    Backtracked: ("backtracked", _AT),
    GoalFound: ("goal-found", _AT),
    Finished: ("finished", {"result": _Form(result_of_record, result_record)}),
}
"""Every type of event with its name and its fields."""
_KINDS = {name: kind for kind, (name, _) in _EVENTS.items()}
