"""Convert events and results to and from JSON: the lines of a trace parse back to equal events.

    {"format": "taquin-trace", "version": 1, "puzzle": {…}, "algorithm": "astar(manhattan)"}
    {"event": "started", "node": {…}}
    {"event": "expanded", "node": {"number": 3, "parent": 1, "board": [[1, 2], [3, 0]],
     "move": {"tile": 3, "direction": "left"}, "depth": 2, "h": 0, "f": 2}, "frontier": 1, …}
    …
    {"event": "finished", "result": {…}}

Boards are lists of rows; null is an infinite priority; the side of a node is omitted if it is the
start. The types of the fields determine how each is written and parsed, so new events and fields
need no code here; a field with a default may be missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from functools import cache, lru_cache, partial
from math import inf
from types import NoneType
from typing import Any, get_args, get_type_hints

from taquin.errors import NotationError, TaquinError
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.rows import fold
from taquin.notation import json_values
from taquin.search.events import Event, Finished, Node
from taquin.search.grammar import method_named
from taquin.search.result import Bounds, EngineTag, Method, Outcome, Result
from taquin.search.run import Algorithm
from taquin.system.formatting import shorten

FORMAT = "taquin-trace"
"""The name of the format in the first line of a trace."""
VERSION = 1
"""The version of the format that is written, and the only supported one."""

_EVENTS = {re.sub(r"\B[A-Z]", r"-\g<0>", kind.__name__).lower(): kind for kind in get_args(Event)}
"""The event types by their names: bound-raised is `BoundRaised`."""
_NAMES = {kind: name for name, kind in _EVENTS.items()}

Record = dict[str, Any]
"""A JSON object."""


def result_record(result: Result, without: Container[str] = ()) -> Record:
    """Return a result as JSON, including derived values.

    Of the fields in `without`, the moves are null and others are omitted.
    """
    # The most important fields come first.
    first = dict.fromkeys(("outcome", "cost", "lower_bound", "optimal", "moves", "seconds"))
    derived = {"cost": result.cost, "optimal": result.optimal, "seconds": result.stats.seconds}
    return first | _written(result, without) | derived


def to_json_lines(
    events: Iterable[Event], *, puzzle: Puzzle | None = None, algorithm: Algorithm | None = None
) -> Iterator[str]:
    """Yield a header, then one JSON object for each event, without line ends.

    The header contains `puzzle` and `algorithm`, if given, for readers that need them before the
    last line; the last event always contains them.
    """
    header = {"format": FORMAT, "version": VERSION}
    header |= {"puzzle": _written(puzzle)} if puzzle else {}
    header |= {"algorithm": str(algorithm)} if algorithm else {}
    yield _dump(header)
    for event in events:
        yield _dump({"event": _NAMES[type(event)]} | _written(event))


def from_json_lines(lines: Iterable[str]) -> Iterator[Event]:
    """Parse the lines of `to_json_lines` and yield each event as soon as its line is read.

    A trace that is truncated between two lines is accepted. Raise NotationError with the line, and
    if possible the column, for any other text that is not a trace.
    """
    header = finished = False
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = _load(line)
            if not header:
                if not isinstance(value, dict) or value.get("format") != FORMAT:
                    raise NotationError(
                        f'expected the first line of a trace, {{"format": "{FORMAT}", …}}; write '
                        f"traces with `taquin trace --json`"
                    )
                if (version := value.get("version")) != VERSION:
                    found = shorten(str(version))
                    raise NotationError(
                        f"expected version {VERSION} of the trace format, found {found}"
                    )
                header = True
                continue
            if finished:
                raise NotationError("expected nothing after the event 'finished', found a line")
            name = _get(value, "event", _text)
            if name not in _EVENTS:
                known = ", ".join(_EVENTS)
                raise NotationError(f"expected an event ({known}), found {shorten(name)}")
            event: Event = _read(_EVENTS[name], value)
        except NotationError as error:
            column = _column(line, error.path) if isinstance(error, _MisfitError) else error.column
            raise NotationError(error.message, number, column) from None
        except TaquinError as error:
            raise NotationError(str(error), number) from None
        finished = isinstance(event, Finished)
        yield event
    if not header:
        raise NotationError("expected a trace, found nothing", max(number, 1))


def search_named_in(line: str) -> str:
    """Return the search that the first line of a trace names; empty if it names none."""
    try:
        return str(_get(_load(line), "algorithm", _text))
    except TaquinError:
        return ""


_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class _MisfitError(NotationError):
    """A value of the wrong type or range, somewhere in a JSON object."""

    def __init__(self, message: str, path: tuple[str, ...]) -> None:
        super().__init__(message)
        self.path = path
        """The keys that lead to it."""


_DECODER = json.JSONDecoder()


def _column(line: str, path: tuple[str, ...]) -> int:
    """Return the column of the value that the keys of `path` lead to in a line of JSON."""
    at = len(line) - len(line.lstrip())
    for wanted in path:
        key = None
        at += 1
        while key != wanted:
            key, end = _DECODER.raw_decode(line, _after(line, at))
            at = _after(line, end)
            if key != wanted:
                at = _DECODER.raw_decode(line, at)[1]
    return at + 1


def _after(line: str, at: int) -> int:
    return len(line) - len(line[at:].lstrip(" \t\r\n:,"))


def _load(line: str) -> object:
    return json_values.load_json(line, f"expected a JSON object, found {shorten(line.strip())}")


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of one type are read from JSON and written to it."""

    read: Callable[[object], Any]
    write: Callable[[Any], object] = lambda value: value


@cache
def _forms(kind: type) -> dict[str, tuple[_Form, bool]]:
    """Return the fields of a type, each with its form and whether it may be missing."""
    hints = get_type_hints(kind)
    return {
        field.name: (
            _form(hints[field.name]),
            field.default is not MISSING or field.default_factory is not MISSING,
        )
        for field in fields(kind)
    }


def _form(hint: Any) -> _Form:
    """Return the form of the declared type of a field."""
    if hint in _FORMS:
        return _FORMS[hint]
    if NoneType in get_args(hint):
        form = _form(get_args(hint)[0])
        return _Form(
            lambda value: None if value is None else form.read(value),
            lambda value: None if value is None else form.write(value),
        )
    if issubclass(hint, Enum):
        return _Form(lambda value: _member(hint, value), lambda member: member.value)
    return _Form(lambda value: _read(hint, value), _written)


def _written(value: Any, without: Container[str] = ()) -> Record:
    kind: Any = type(value)
    return {
        key: form.write(getattr(value, key))
        for key, (form, _) in _forms(kind).items()
        if key not in without
    }


def _read(kind: type, value: object) -> Any:
    record = _object(value)
    return kind(
        **{
            key: _get(record, key, form.read)
            for key, (form, may_be_missing) in _forms(kind).items()
            if key in record or not may_be_missing
        }
    )


def _get(value: object, key: str, read: Callable[[object], Any]) -> Any:
    """Return the value of `key`; errors name the key."""
    record = _object(value)
    if key not in record:
        raise NotationError(f"expected the key {key}, found {shorten(', '.join(record))}")
    try:
        return read(record[key])
    except NotationError as error:
        below = error.path if isinstance(error, _MisfitError) else ()
        raise _MisfitError(f"{key}: {error.message}", (key, *below)) from None


def _plain(kind: type, what: str, value: object) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise NotationError(f"expected {what}, found {json_values.shown(value)}")
    return value


_object = partial(_plain, dict, "an object")
_list = partial(_plain, list, "a list")
_text = partial(_plain, str, "a text")


def _int(value: object) -> Any:
    # 64 bits hold a number of 18 digits.
    if abs(number := _plain(int, "a whole number", value)) >= 10**18:
        raise NotationError("expected a whole number of at most 18 digits, found a longer one")
    return number


def _result(value: object) -> Any:
    result = _read(Result, value)
    if result.outcome is Outcome.SOLVED and result.moves is None:
        raise NotationError("expected the moves of a search that solved the board, found none")
    if result.stats.seconds == inf:
        raise NotationError("expected the seconds of a search in stats, found none")
    return result


def _member(kind: type[Enum], value: object) -> Enum:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(str(member.value) for member in kind)
        found = json_values.shown(value)
        raise NotationError(f"expected one of {known}, found {found}") from None


def _node_record(node: Node) -> Record:
    record = _written(node)
    if node.side == "start":
        del record["side"]
    return record


def _bound(value: object) -> tuple[int, ...]:
    if len(_list(value)) != 2:
        raise NotationError(f"expected a bound and its nodes, found {len(_list(value))} numbers")
    return tuple(map(_int, _list(value)))


_shared_move = lru_cache(maxsize=4096)(json_values.move_json)
"""What `move_json` returns, one for all equal moves of a record, which nobody changes."""

_FORMS: dict[Any, _Form] = {
    int: _Form(_int),
    str: _Form(_text),
    float: _Form(
        lambda value: inf if value is None else value if isinstance(value, float) else _int(value),
        lambda value: None if value == inf else value,
    ),
    Board: _Form(json_values.board_of_json, lambda board: fold(board.cells, board.grid.columns)),
    Goal: _Form(json_values.goal_of_json, json_values.goal_json),
    Move: _Form(lambda value: json_values.move_of_json(value, bumps=True), json_values.move_json),
    tuple[Move, ...]: _Form(
        lambda value: tuple(map(json_values.move_of_json, _list(value))),
        lambda moves: [_shared_move(move) for move in moves],
    ),
    Bounds: _Form(lambda value: tuple(map(_bound, _list(value))), list),
    EngineTag: _Form(lambda value: EngineTag.read(_text(value)), str),
    Method: _Form(lambda value: method_named(_text(value)), str),
    Node: _Form(lambda value: _read(Node, value), _node_record),
    Result: _Form(_result, result_record),
}
"""The types that are not written field by field."""
