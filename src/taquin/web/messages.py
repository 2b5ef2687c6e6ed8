"""What Python sends to the page: messages with codes, in frames of an event stream.

    {"sentence": "limit of 60 seconds", "code": "limit-seconds", "parameters": {"count": 60}}

The page writes messages in its reader's language. A code is the name of a message in the section
`python` of the page's tables, with these parameters: numbers, names, and further messages. A
message without a code has an English sentence only, which the page marks as English. The library
writes sentences for people, so most codes are recognised by their sentences: `_SENTENCES`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Any, TypeAlias

from taquin.errors import (
    BoardError,
    IllegalMoveError,
    InputError,
    MismatchError,
    NotationError,
    StorageError,
    TaquinError,
    UserCodeError,
    with_notes,
)
from taquin.search.result import Outcome, Result, verdict

Message: TypeAlias = dict[str, Any]
"""A sentence, and for one with a code its parameters."""

_ERRORS: dict[type[TaquinError], str] = {
    NotationError: "unreadable",
    BoardError: "bad-board",
    MismatchError: "mismatch",
    IllegalMoveError: "illegal-move",
    UserCodeError: "own-code",
    StorageError: "storage",
}
"""The codes of kinds of errors; the sentence is the parameter `detail`."""
_COUNT = r"(?P<count>[\d,.e+]+)"
_INVERSIONS = rf"{_COUNT} inversions?"
_SENTENCES = {
    # why there is no solution, or that there is one
    "solved": "the start is already solved",
    "exhausted": "every reachable board was searched in vain",
    "inversions-no": rf"{_INVERSIONS}: odd, the goal is even \(.*",
    "inversions-yes": rf"{_INVERSIONS}: even, the goal is even too \(.*",
    "rows-no": rf"{_INVERSIONS}, blank in row (?P<row>\d+) of (?P<rows>\d+): (?:odd|even), "
    r"the goal is (?:odd|even) \(0 inversions, blank in row (?P<end>\d+)\).*",
    "rows-yes": rf"{_INVERSIONS}, blank in row (?P<row>\d+) of (?P<rows>\d+): (?:odd|even), "
    r"the goal is (?:odd|even) too \(0 inversions, blank in row (?P<end>\d+)\).*",
    # why a search ended early
    "limit-nodes": rf"limit of {_COUNT} nodes? \w+",
    "limit-seconds": rf"limit of {_COUNT} seconds?",
    "limit-moves": rf"limit of {_COUNT} moves?",
    "limit-memory": r"limit of (?P<size>.+) of memory",
    "limit-width": r"the beam of width (?P<width>[\d,]+) ran dry",
    "limit-cap": rf"cap of {_COUNT} nodes? kept",
    "limit-tries": rf"gave up after {_COUNT} tr(?:y|ies)",
    "memory": "out of memory",
    "interrupted": "interrupted",
    "stopped": "stopped on request",
    "no-board": "(?P<reason>.+): no board was found in time",
    # what it does meanwhile
    "stage-loading": "loading the compiled search",
    "stage-table": r"building table (?P<name>.+) (?P<percent>\d+) %",
    "settle-rest": rf"No shortest solution after {_COUNT} s: looking .* left\.",
    "settle-large": r"(?P<rows>\d+)×(?P<columns>\d+) is too large for a shortest solution: .*",
    "settle-on": rf"No shortest solution after {_COUNT} s: looking .* better ones.*",
    # what the server, or Python in the browser, cannot do
    "too-large": r"expected a board of at most (?P<cells>[\d,]+) cells?, "
    r"found (?P<rows>\d+)×(?P<columns>\d+) with [\d,]+",
    "busy": "as many searches as this server takes .*",
    "too-slow": "the search was ended: it took longer .*",
    "crashed": r"the search was ended: its process (?:crashed|ended) \((?P<name>.+)\)",
    "killed": "the search was ended: its process was killed .*",
    "server-only": "this needs a server: .*",
    "internal": "internal error: (?P<detail>.+)",
}
"""The codes of sentences; the groups are the parameters."""
_OTHERS = {
    "unsolvable": {"detail"},
    "none": {"reason", "count"},
    "ended": {"reason", "count"},
    "best": {"reason", "count", "rest"},
    "solved-already": set[str](),
    "solved-in": {"count", "rest"},
    "shortest": set[str](),
    "at-least": {"count"},
    "within": {"count", "percent"},
    "left": {"count"},
    "left-least": {"count"},
    "left-between": {"count", "least"},
}
PARAMETERS: dict[str, set[str]] = (
    {code: {"detail"} for code in _ERRORS.values()}
    | {code: set(re.compile(pattern).groupindex) for code, pattern in _SENTENCES.items()}
    | _OTHERS
)
"""Every code with the names of its parameters."""


def message(sentence: str, code: str, **parameters: object) -> Message:
    """Return the message of a code; texts among the parameters are names."""
    assert set(parameters) == PARAMETERS[code]
    return {"sentence": sentence, "code": code, "parameters": parameters}


def coded(sentence: str) -> Message:
    """Return the message of a sentence of the library; one that is not known has no code.

    >>> coded("limit of 60 seconds")["parameters"]
    {'count': 60}
    """
    for code, pattern in _SENTENCES.items():
        if match := re.fullmatch(pattern, sentence, re.DOTALL):
            found = {name: _value(name, text) for name, text in match.groupdict().items()}
            return message(sentence, code, **found)
    return {"sentence": sentence}


def _value(name: str, text: str) -> object:
    if name in ("detail", "reason"):
        return coded(text)
    number = text.replace(",", "")
    return (
        text if name in ("name", "size") else int(number) if number.isdecimal() else float(number)
    )


def error_message(error: TaquinError) -> Message:
    """Return the message of an error."""
    sentence = with_notes(error)
    if code := next((code for kind, code in _ERRORS.items() if isinstance(error, kind)), None):
        return message(sentence, code, detail=coded(sentence))
    return coded(sentence)


def refusal_record(told: Message) -> dict[str, Any]:
    """Return the record of a failed request: its sentence is named `error`."""
    return {"error": told["sentence"]} | {key: told[key] for key in told if key != "sentence"}


def verdict_message(result: Result) -> Message:
    """Return what was found, and what is proven about it."""
    sentence, cost, reason = verdict(result), result.cost, coded(result.reason)
    if result.outcome is Outcome.UNSOLVABLE:
        return message(sentence, "unsolvable", detail=reason)
    if cost is None:
        code = "ended" if result.outcome is Outcome.STOPPED else "none"
        return message(sentence, code, reason=reason, count=result.lower_bound)
    if cost == 0:
        return message(sentence, "solved-already")
    rest = _distance_message(result, sentence)
    if result.outcome is Outcome.SOLVED:
        return message(sentence, "solved-in", count=cost, rest=rest)
    return message(sentence, "best", reason=reason, count=cost, rest=rest)


def _distance_message(result: Result, sentence: str) -> Message:
    """Return how far the solution may be from a shortest one: the end of the sentence."""
    end = sentence.partition("; ")[2].removesuffix(".")
    if end == "no solution is shorter":
        return message(end, "shortest")
    if not end.startswith("the shortest has at least"):
        return coded(end)
    bound, gap = result.lower_bound, result.gap
    if gap is None or "within" not in end:
        return message(end, "at-least", count=bound)
    return message(end, "within", count=bound, percent=ceil(100 * gap))


FRAME_END = b"\n\n"
"""The end of a frame; JSON on one line does not contain it."""
_BUFFER = 1 << 14
_FLUSH_SECONDS = 0.02
"""Frames are sent together, but none is held back for longer."""


def frame(event: str, data: object) -> bytes:
    r"""Return one event of a stream; `data` is a record, or its JSON text.

    >>> frame("queued", {"place": 1})
    b'event: queued\ndata: {"place":1}\n\n'
    """
    text = data if isinstance(data, str) else json_text(data)
    return f"event: {event}\ndata: {text}\n\n".encode()


def json_text(record: object) -> str:
    """Return the JSON text of a record, without spaces."""
    return json.dumps(record, separators=(",", ":"))


def error_record(error: Exception) -> dict[str, Any]:
    """Return the record of a failure: one sentence, its code, and the HTTP status for it."""
    match error:
        case TaquinError():
            told, status = error_message(error), 400 if isinstance(error, InputError) else 422
        case MemoryError():
            told, status = coded("out of memory"), 422
        case _:
            told, status = coded(f"internal error: {type(error).__name__}: {error}"), 500
    return refusal_record(told) | {"status": status}


class FrameWriter:
    """Collects frames and writes several in one piece."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._frames: list[bytes] = []
        self._size = 0
        self._flushed_at = 0.0
        self.pieces = 0
        """The number of pieces written so far."""

    def emit(self, event: str, data: object) -> None:
        """Send a frame, now or very soon."""
        encoded = frame(event, data)
        self._frames.append(encoded)
        self._size += len(encoded)
        if self._size >= _BUFFER or monotonic() - self._flushed_at >= _FLUSH_SECONDS:
            self.flush()

    def flush(self, last: bytes = b"") -> None:
        """Write every frame and `last`."""
        self._write(b"".join(self._frames) + last)
        self._frames.clear()
        self._size, self._flushed_at = 0, monotonic()
        self.pieces += 1
