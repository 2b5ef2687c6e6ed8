"""`taquin engines`: list the engines."""

from __future__ import annotations

from taquin.cli.command import OK, command
from taquin.cli.options import json_option
from taquin.cli.output import Column, print_json, print_table
from taquin.engine.choose import ENGINES


@command("taquin engines", "taquin solve puzzle.txt --engine cpu")
@json_option
def engines(as_json: bool) -> int:
    """List the engines, and which this machine can run.

    A board is solved by the first engine that supports it, unless --engine names one.
    """
    rows = [
        {
            "name": engine.name,
            "for": engine.summary,
            "available": bool(engine.available()),
            "why_not": engine.available().why_not,
        }
        for engine in (make() for make in ENGINES.values())
    ]
    if as_json:
        print_json(rows)
    else:
        columns = [
            Column("engine", lambda row: row["name"], left=True),
            Column("for", lambda row: row["for"], left=True),
            Column("here", lambda row: row["why_not"] or "yes", left=True),
        ]
        print_table(columns, rows)
    return OK
