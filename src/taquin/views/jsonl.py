"""A trace as JSON lines: written as the search runs, read back into the very same events.

    {"format": "taquin-trace", "version": 1, "puzzle": {…}, "algorithm": "astar(manhattan)"}
    {"event": "started", "node": {…}}
    {"event": "expanded", "node": {…}, "frontier": 0, "closed": 0}
    …
    {"event": "finished", "result": {…}}

So any view can be had from a file, long after the search.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from taquin.errors import NotationError, TaquinError
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.events import Event, Finished
from taquin.system.words import shorten
from taquin.views.records import event_of_record, event_record, puzzle_record

FORMAT = "taquin-trace"
"""What the first line calls the format."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""


def to_json_lines(
    events: Iterable[Event],
    *,
    puzzle: Puzzle | None = None,
    algorithm: Algorithm | None = None,
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
    found = value.get("format") if isinstance(value, dict) else None
    if not isinstance(value, dict) or found != FORMAT:
        raise NotationError(
            f'expected the first line of a trace, {{"format": "{FORMAT}", …}}; write traces with '
            f"`taquin trace --json`"
        )
    version = value.get("version")
    if version != VERSION:
        raise NotationError(
            f"expected version {VERSION} of the trace format, found {shorten(str(version))}"
        )
