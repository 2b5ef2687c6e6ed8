"""What is answered at once, in the server itself: no search, some milliseconds at most."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from taquin._version import __version__
from taquin.errors import TaquinError, UnsuitableError
from taquin.heuristics.estimate import estimate
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.solvability import Solvability, solvability, solvable_goals
from taquin.notation import Form, read_board, read_goal, write_board, write_goal
from taquin.web.bodies import Fields, puzzle_of, refuse_size
from taquin.web.job import rows_of
from taquin.web.settings import BODY_BYTES, Settings


def about(settings: Settings) -> dict[str, Any]:
    """Return what this server is, and what it allows."""
    return {
        "version": __version__,
        "limits": {
            "seconds": settings.seconds,
            "nodes": settings.nodes,
            "memory": settings.memory,
            "cells": settings.cells,
            "body": BODY_BYTES,
            "running": settings.running,
            "waiting": settings.waiting,
        },
        "sizes": {"least": 2, "most": 10},
    }


def read(fields: Fields, settings: Settings) -> dict[str, Any]:
    """Return the board or the goal that a text holds, and every form it can be written in."""
    text = fields.text("text")
    kind = fields.one_of("as", ("board", "goal")) or "board"
    fields.close()
    if text is None:
        raise UnsuitableError('expected a text: {"text": "8 6 7 / 2 5 4 / 3 0 1"}')
    found = read_board(text) if kind == "board" else read_goal(text)
    refuse_size(found.grid.rows, found.grid.columns, settings)
    written = {}
    for form in Form:
        # Not every form can write every board.
        with suppress(TaquinError):
            written[form.value] = _write(found, form)
    return {
        "rows": found.grid.rows,
        "columns": found.grid.columns,
        "as": kind,
        "board": rows_of(found),
        "text": found.text(),
        "forms": written,
    }


def check(fields: Fields, settings: Settings) -> dict[str, Any]:
    """Return whether a board can be solved, and why."""
    puzzle, start = puzzle_of(fields, settings)
    fields.close()
    verdict = solvability(puzzle, start)
    refuted = verdict.answer is Solvability.NO
    manhattan = None
    with suppress(TaquinError):
        manhattan = estimate("manhattan", start, puzzle.goal, puzzle.metric)
    return {
        "solvable": {Solvability.YES: True, Solvability.NO: False}.get(verdict.answer),
        "reason": verdict.reason,
        "solved": puzzle.is_goal(start),
        "solvable_with": list(solvable_goals(puzzle, start)) if refuted else [],
        "manhattan": manhattan,
        "rows": start.grid.rows,
        "columns": start.grid.columns,
        "board": rows_of(start),
        "goal": rows_of(puzzle.goal),
        "metric": puzzle.metric.value,
        "text": start.text(),
    }


def _write(found: Board | Goal, form: Form) -> str:
    return write_board(found, form) if isinstance(found, Board) else write_goal(found, form)
