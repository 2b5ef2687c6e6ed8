"""`taquin solve --all`: every shortest solution, printed as it is found."""

from __future__ import annotations

import sys

import click

from taquin.cli.engines import EngineOptions, say
from taquin.cli.live import live_line
from taquin.cli.options import Problem
from taquin.cli.results import json_line
from taquin.cli.screen import paragraph
from taquin.cli.status import OK, REFUTED, STOPPED
from taquin.engine.choose import all_solutions
from taquin.errors import UnsuitableError
from taquin.model.moves import Metric
from taquin.model.solvability import Solvability, solvability
from taquin.notation import move_json, write_moves
from taquin.system.words import counted


def print_every_solution(
    problem: Problem, engine: EngineOptions, most: int | None, as_json: bool
) -> int:
    """Print a line for each shortest solution, and how many there were."""
    puzzle, start = problem.read()
    if puzzle.metric is not Metric.SINGLE:
        raise UnsuitableError("--all counts single moves; leave --metric out")
    verdict = solvability(puzzle, start)
    if verdict.answer is Solvability.NO:
        click.echo(paragraph(f"No solution possible: {verdict.reason}."))
        return REFUTED
    found, stopped = 0, False
    with live_line() as progress:
        try:
            for moves in all_solutions(
                start,
                puzzle.goal,
                most=most,
                tables=engine.table_set,
                threads=engine.threads,
                notice=say,
                progress=progress,
            ):
                found += 1
                if as_json:
                    click.echo(json_line([move_json(move) for move in moves]))
                else:
                    click.echo(write_moves(moves, puzzle.metric))
                sys.stdout.flush()
        except KeyboardInterrupt:
            stopped = True
    if stopped or not as_json:
        told = counted(found, "shortest solution")
        if stopped:
            told = f"Stopped: interrupted. {told} so far; there may be more"
        elif found == most:
            told += "; there may be more"
        click.secho(told, bold=True, err=True)
    return STOPPED if stopped else OK
