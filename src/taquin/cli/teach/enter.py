"""`taquin enter`: type in a board tile by tile as in S0, then read the commentary of its search.

x counts rows from the top and y columns from the left, both from 1, as S0 prints its boards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import click

import taquin as tq
from taquin.analysis.likeness import LIKENESSES
from taquin.cli import options
from taquin.cli.command import command, flag, option
from taquin.cli.inputs import ask
from taquin.cli.running import Watched
from taquin.cli.screen import page_width, paragraph, print_lines
from taquin.search import events as on
from taquin.system.formatting import shorten
from taquin.views import commentary
from taquin.views.traces import WIDTH

_HEURISTICS: dict[str, tq.Heuristic] = {"manhattan": tq.Manhattan(), "misplaced": tq.Misplaced()}


@command(
    "taquin enter",
    "taquin enter --algorithm bfs --max-nodes 200",
    "taquin enter --size 2x3 < positions.txt",
    epilog="Exit status: 0 solved, 1 proven unsolvable, 2 bad input, 3 a limit was reached.",
)
@options.size_option
@option(
    "Search",
    "--algorithm -a",
    "astar: children are merged by f = g + h; bfs: they are appended to the queue.",
    one_of=("astar", "bfs"),
    default="astar",
)
@option(
    "Search",
    "--heuristic -H",
    "The estimate h: Manhattan distance, or the number of misplaced tiles.",
    one_of=_HEURISTICS,
    default="manhattan",
)
@flag("Search", "--no-check", "Search even if parity proves that there is no solution.")
@options.limits_of(options.nodes_option, options.seconds_option(), options.memory_option)
def enter(
    size: tuple[int, int], algorithm: str, heuristic: str, no_check: bool, limits: tq.Limits
) -> int:
    """Type in a board tile by tile, then watch the search.

    The x and y of each tile are asked for in turn, the blank (tile 0) first: x is the row, counted
    from 1 at the top, and y the column, counted from 1 at the left. They can be piped in, one
    number per line. The goal has the blank last.

    Then every step of the search is printed: the board that is dequeued with its f = g + h, its
    children with theirs, and the lengths of the queue and of the closed list. The start has f = 0,
    as in S0, which computes no estimate for it.
    """
    grid = options.grid_of(size)
    start = entered_board(grid)
    puzzle = tq.Puzzle(tq.Goal.blank_last(grid.rows, grid.columns))
    name = "scored_by" if algorithm == "bfs" else "heuristic"
    search = LIKENESSES["s0"].search(algorithm, {name: _HEURISTICS[heuristic]})
    watched = Watched(tq.trace(puzzle, start, search, limits, check=not no_check))
    click.echo()
    print_lines(commentary(_without_score_of_start(watched), page_width(WIDTH)))
    return watched.status


def _without_score_of_start(events: Iterable[on.Event]) -> Iterator[on.Event]:
    """Yield events with the estimate 0 for the start, which S0 does not estimate."""
    for event in events:
        if isinstance(event, on.Started | on.Expanded | on.GoalFound) and event.node.parent is None:
            event = replace(event, node=replace(event.node, h=0, f=0))
        yield event


def entered_board(grid: tq.Grid) -> tq.Board:
    """Return the board that the user types in; raise NotationError if the input ends."""
    axes = "x is the row, from 1 at the top; y the column, from 1 at the left."
    click.echo(paragraph(f"Where is each tile? {axes}"))
    placed: dict[int, tq.Label] = {}
    for tile in range(grid.size):
        name = f"tile {tile}{' (the blank)' if tile == 0 else ''}"
        while True:
            row = _position(f"x of {name}: ", grid.rows, grid)
            column = _position(f"y of {name}: ", grid.columns, grid)
            cell = (row - 1) * grid.columns + column - 1
            if cell not in placed:
                break
            conflict = f"Row {row}, column {column} holds tile {placed[cell]} already"
            click.echo(paragraph(f"{conflict}; give tile {tile} another place."))
        placed[cell] = tile
    return tq.Board(grid, tuple(placed[cell] for cell in range(grid.size)))


def _position(prompt: str, most: int, grid: tq.Grid) -> int:
    while (answer := ask(prompt)) is not None:
        number = answer.strip()
        if re.fullmatch("[0-9]{1,9}", number) and 1 <= int(number) <= most:
            return int(number)
        click.echo(f"Expected a whole number from 1 to {most}, found {shorten(number)}.")
    expected = f"expected x and y of the tiles 0 to {grid.size - 1}"
    raise tq.errors.NotationError(f"the input ended at the {prompt.rstrip(': ')}; {expected}")
