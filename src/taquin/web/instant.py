"""Answers that the server gives itself: they need no search and a few milliseconds at most."""

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
    """Return the version and the limits of this server."""
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
    """Return the board or the goal of a text, and every form it can be written in."""
    text = fields.text("text")
    kind = fields.one_of("as", ("board", "goal")) or "board"
    fields.close()
    if text is None:
        raise UnsuitableError('expected a text: {"text": "8 6 7 / 2 5 4 / 3 0 1"}')
    position = read_board(text) if kind == "board" else read_goal(text)
    refuse_size(position.grid.rows, position.grid.columns, settings)
    forms = {}
    for form in Form:
        # Not every form can write every board.
        with suppress(TaquinError):
            forms[form.value] = _write(position, form)
    return {
        "rows": position.grid.rows,
        "columns": position.grid.columns,
        "as": kind,
        "board": rows_of(position),
        "text": position.text(),
        "forms": forms,
    }


def check(fields: Fields, settings: Settings) -> dict[str, Any]:
    """Return whether a board can be solved, and why."""
    puzzle, start = puzzle_of(fields, settings)
    fields.close()
    verdict = solvability(puzzle, start)
    manhattan = None
    with suppress(TaquinError):
        manhattan = estimate("manhattan", start, puzzle.goal, puzzle.metric)
    return {
        "solvable": {Solvability.YES: True, Solvability.NO: False}.get(verdict.answer),
        "reason": verdict.reason,
        "solved": puzzle.is_goal(start),
        "solvable_with": (
            list(solvable_goals(puzzle, start)) if verdict.answer is Solvability.NO else []
        ),
        "manhattan": manhattan,
        "rows": start.grid.rows,
        "columns": start.grid.columns,
        "board": rows_of(start),
        "goal": rows_of(puzzle.goal),
        "metric": puzzle.metric.value,
        "text": start.text(),
    }


def _write(position: Board | Goal, form: Form) -> str:
    if isinstance(position, Board):
        return write_board(position, form)
    return write_goal(position, form)
