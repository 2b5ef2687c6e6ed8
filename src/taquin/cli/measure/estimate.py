"""`taquin estimate`: print the estimates of heuristics for one board or many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

import click

from taquin import Board, Heuristic, Limits, Puzzle, TaquinError
from taquin.cli.command import BAD_INPUT, OK, STOPPED, command, completing, flag, option
from taquin.cli.options import (
    BoardArguments,
    OutputFormat,
    format_options,
    limits_of,
    memory_option,
    problem_options,
    seconds_option,
)
from taquin.cli.output import Column, print_csv, print_json, print_table
from taquin.cli.running import isolation
from taquin.cli.screen import say
from taquin.errors import UnfinishedError, with_notes
from taquin.heuristics.base import holds_user_code
from taquin.heuristics.registry import HEURISTICS, BoardEstimates
from taquin.search.control import INTERRUPTED
from taquin.search.grammar import heuristic_named


@command(
    'taquin estimate "8 1 3 / 4 0 2 / 7 6 5" -H manhattan -H linear-conflict',
    "taquin scramble 4x4 --count 1000 | taquin estimate --many -H manhattan",
    'taquin estimate --many boards.txt -H "patterns(small)" -H mine.py:name --csv',
    epilog="Exit status: 0 done; 2 bad input, also on one line of many; 3 a limit or Ctrl-C.",
)
@problem_options
@option(
    "Search",
    "--heuristic -H NAME names",
    "As for taquin solve: manhattan, patterns(large), file.py:name; can be repeated.  "
    "[default: manhattan]",
    shell_complete=completing(HEURISTICS),
    multiple=True,
)
@flag(
    "Output",
    "--many",
    "Read several boards, as by taquin solve --many; print a line for each, with the estimates in "
    "the order of the heuristics.",
)
@limits_of(
    seconds_option(help="Time limit of a heuristic of your own for one board."), memory_option
)
@format_options
def estimate(
    problem: BoardArguments,
    names: tuple[str, ...],
    many: bool,
    limits: Limits,
    output: OutputFormat,
) -> int:
    """Print what heuristics estimate for a board, or for each of many.

    The estimate of an admissible heuristic is a lower bound on the number of moves. With --many,
    boards of one size and goal share all preparation, so that a million estimates take about as
    long as reading the boards.
    """
    batches = {
        heuristic: BoardEstimates(heuristic, lambda board: problem.puzzle_on(board.grid))
        for heuristic in map(heuristic_named, names or ["manhattan"])
    }

    def value(heuristic: Heuristic, start: Board) -> int:
        if not holds_user_code(heuristic):
            return batches[heuristic].value(start)
        puzzle = problem.puzzle_on(start.grid)
        # Imported late: few commands run user code.
        from taquin.analysis.isolated import estimate_of

        number: int = isolation().call(limits, heuristic, estimate_of, heuristic, puzzle, start)
        return number

    def values(start: Board) -> dict[str, int]:
        return {heuristic.name: value(heuristic, start) for heuristic in batches}

    if many:
        return _print_many(problem.read_each(), values, output)
    _, start = problem.read()
    row = values(start)
    if output == "json":
        print_json(row)
    elif output == "csv":
        print_csv([row])
    else:
        name = Column("heuristic", lambda item: item[0], left=True)
        print_table([name, Column("estimate", lambda item: str(item[1]))], list(row.items()))
    return OK


def _print_many(
    entries: Iterator[tuple[Puzzle, Board] | TaquinError],
    values: Callable[[Board], dict[str, int]],
    output: OutputFormat,
) -> int:
    """Print a line for each board, and an error for each line that is not a board."""
    status, headings = OK, chain([True], repeat(False))
    for entry in entries:
        row: dict[str, Any] = {}
        try:
            if isinstance(entry, TaquinError):
                raise entry
            start = {} if output == "text" else {"start": entry[1].text()}
            row = start | values(entry[1])
        except UnfinishedError as error:
            if str(error) == INTERRUPTED:
                raise
            status = status or STOPPED
            say(f"Stopped: {error}.")
        except TaquinError as error:
            status = BAD_INPUT
            say(f"Error: {with_notes(error)}")
        if output == "text":
            # Each line of input has a line of output.
            click.echo(" ".join(map(str, row.values())))
        elif output == "json" and row:
            print_json(row)
        elif row:
            print_csv([row], heading=next(headings))
    return status
