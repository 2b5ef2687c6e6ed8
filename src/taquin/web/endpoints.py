"""The handlers of requests: each returns a job for a worker, or a record at once.

Records at once need no search, and a few milliseconds at most.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any

from taquin import Goal, Puzzle, TaquinError, UnsuitableError, __version__, estimate
from taquin.engine.glass import default_algorithm
from taquin.model.solvability import solvability, solvable_goals
from taquin.notation import Form, can_write, read_board, read_goal, write_board
from taquin.notation.fields import Fields
from taquin.search.contest import Effort
from taquin.search.result import Limits, Task
from taquin.web.boards import MovesLeft, Scramble
from taquin.web.bodies import (
    board_of,
    engine_names,
    fields_of,
    goal_on,
    limits_of,
    metric_of,
    puzzle_of,
    refuse_size,
    search_of,
)
from taquin.web.exports import TYPES, Export
from taquin.web.job import Job
from taquin.web.searches import Race, Solve, Trace
from taquin.web.settings import BODY_BYTES, Settings

_LONGEST_WALK = 100_000
"""The most random moves; boards are well mixed long before."""
_FEWEST, _MOST = 2, 4
"""The least and the greatest number of searches in a race."""


def solve(fields: Fields, settings: Settings) -> Job:
    """Return the job of solving a board."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search", None)
    algorithm = None if text is None else search_of(text, settings)
    limits = limits_of(fields, settings, counted_nodes=algorithm is not None)
    return Solve(
        Task(puzzle, start, algorithm, limits),
        fields.one_of("engine", engine_names(), "auto"),
        fields.flag("optimal"),
        fields.number("anytime", 0, 1e9),
        fields.number("within", 1, 1e9),
    )


def trace(fields: Fields, settings: Settings) -> Job:
    """Return the job of tracing a search step by step."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search", None)
    search = default_algorithm(puzzle) if text is None else search_of(text, settings)
    limits = limits_of(fields, settings, counted_nodes=True)
    return Trace(Task(puzzle, start, search, limits), search)


def scramble(fields: Fields, settings: Settings) -> Job:
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
        raise UnsuitableError(f"the goal is {goal.grid}, not {rows}×{columns}")
    moves = fields.whole("moves", 0, _LONGEST_WALK, None)
    distance = fields.whole("distance", 0, 10**6, None)
    if moves is not None and distance is not None:
        raise UnsuitableError("choose one of moves and distance")
    return Scramble(
        Puzzle(goal, metric_of(fields)),
        Limits(seconds=settings.seconds, memory=settings.memory),
        fields.whole("seed", 0, 2**63 - 1, None),
        moves,
        distance,
        None if model is None else tuple(model.labels.elements()),
    )


def race(fields: Fields, settings: Settings) -> Job:
    """Return the job of a race."""
    puzzle, start = puzzle_of(fields, settings)
    texts = fields.texts("searches")
    if not _FEWEST <= len(texts) <= _MOST:
        raise fields.error("searches", f"expected a list of {_FEWEST} to {_MOST} texts")
    searches = tuple(search_of(text, settings) for text in texts)
    by = fields.member("by", Effort, Effort.EXPANSIONS)
    limits = limits_of(fields, settings, counted_nodes=True)
    speed, skip = fields.number("speed", 1e-6, 1e9), fields.number("skip", 0, 1e12)
    return Race(Task(puzzle, start, None, limits), searches, by, speed, skip or 0.0)


def moves_left(fields: Fields, settings: Settings) -> Job:
    """Return the job of counting the moves left."""
    puzzle, start = puzzle_of(fields, settings)
    return MovesLeft(puzzle, start, settings.memory, fields.flag("hint"))


def export(fields: Fields, settings: Settings) -> Job:
    """Return the job of writing a board, or its solution, to a file."""
    puzzle, start = puzzle_of(fields, settings)
    form = fields.one_of("format", list(TYPES), None)
    if form is None:
        raise UnsuitableError(f"format: expected one of {', '.join(TYPES)}")
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
    text = fields.text("text", None)
    kind = fields.one_of("as", ("board", "goal"), "board")
    fields.finish()
    if text is None:
        raise UnsuitableError('expected a text: {"text": "8 6 7 / 2 5 4 / 3 0 1"}')
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
