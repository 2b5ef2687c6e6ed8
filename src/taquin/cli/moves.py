"""`taquin moves`: count, invert, mirror, join, apply and shorten sequences of moves."""

from __future__ import annotations

from dataclasses import replace

import click

from taquin import Board, Goal, Limits, Metric
from taquin.cli.command import OK, SIZE, STOPPED, command, flag, option, whole
from taquin.cli.inputs import start_of, text_in
from taquin.cli.options import grid_of, json_option, metric_option, resource_limit_options
from taquin.cli.running import solve
from taquin.cli.screen import paragraph, say
from taquin.cli.table import print_json
from taquin.engine.choose import Auto
from taquin.engine.detours import Detour, detours, without
from taquin.notation import board_json, moves_on, write_moves
from taquin.notation.sequences import (
    Mirror,
    Sequence,
    Style,
    inverted,
    read_sequence,
    simplified,
    slides_in,
    write_sequence,
)
from taquin.search.result import Outcome, Result, Task
from taquin.system.words import counted


@command(
    "taquin moves DDDLLUUUL",
    "taquin moves D3L2U3L --invert",
    'taquin moves "D2 R U" LDR --simplify --style cstimer',
    "taquin moves scramble.txt --size 4x4 | taquin solve",
    'taquin moves LURDLULD --on "1 2 3 / 4 0 5 / 7 8 6"',
    'taquin moves solution.txt --on "8 1 3 / 4 0 2 / 7 6 5" --optimize',
    epilog="Exit status: 0 done, 2 bad input or an illegal move, 3 stopped or a limit.",
)
@click.argument("moves", nargs=-1, required=True, metavar="MOVES...")
@flag("Changes", "--blank", "MOVES are where the blank goes, not the tile.")
@flag("Changes", "--simplify", "Leave out moves that undo the one before.")
@flag("Changes", "--invert", "The moves that undo these.")
@option("Changes", "--mirror", "The moves on the board reflected.", one_of=Mirror)
@option("Board", "--on BOARD", "Make the moves on this board, and print what it becomes.")
@option("Board", "--size", "Make them on the solved board of this size: a scramble.", type=SIZE)
@flag("Board", "--optimize", "With --on or --size: find detours, and print shorter moves.")
@whole(
    "Board",
    "--window",
    "With --optimize: most moves of a detour.  [default: 20, or 10 slides]",
    2,
    40,
)
@metric_option
@option("Output", "--style", "How moves are written.", one_of=Style, default=Style.SHORT.value)
@json_option
@resource_limit_options
def moves(
    moves: tuple[str, ...],
    blank: bool,
    simplify: bool,
    invert: bool,
    mirror: Mirror | None,
    on: str | None,
    size: tuple[int, int] | None,
    optimize: bool,
    window: int | None,
    metric: Metric,
    style: Style,
    as_json: bool,
    limits: Limits,
) -> int:
    """Count, invert, mirror, join, apply and shorten sequences of moves.

    MOVES are letters (D3L2, DDD LL), words or arrows, a file that holds them, or - for standard
    input; several are joined. They say where the tile goes. Moves are printed, and their length in
    single tiles and in slides of several tiles; with --on or --size, the board that they lead to.
    The limits are for each window of --optimize.
    """
    sequence = read_sequence(" ".join(map(text_in, moves)))
    if blank:
        sequence = tuple(direction.opposite for direction in sequence)
    if simplify:
        sequence = simplified(sequence)
    if invert:
        sequence = inverted(sequence)
    if mirror is not None:
        sequence = tuple(map(mirror.of, sequence))
    if on is not None and size is not None:
        raise click.UsageError("choose one of --on and --size")
    if optimize and on is None and size is None:
        raise click.UsageError("--optimize needs the board that the moves start from: --on, --size")
    start = end = None
    if on is not None:
        start = start_of([on], "")
    elif size is not None:
        solved = Goal.blank_last(grid_of(size).rows, size[1])
        start = Board(solved.grid, solved.cells)
    shown: list[Detour] = []
    status = OK
    if start is not None:
        end = start
        # Illegal moves are counted as they are written, tile by tile.
        for move in moves_on(start, write_sequence(sequence, Style.LONG)):
            end = end.apply(move)
    if start is not None and optimize:
        window = window or (20 if metric is Metric.SINGLE else 10)
        sequence, shown, status = _optimized(start, sequence, metric, window, limits)
    single, slides = len(sequence), slides_in(sequence)
    if as_json:
        print_json(
            {
                "moves": write_sequence(sequence, style),
                "single": single,
                "multi": slides,
                "start": None if start is None else board_json(start),
                "end": None if end is None else board_json(end),
                "detours": [
                    {
                        "first": detour.first,
                        "last": detour.last,
                        "moves": write_moves(detour.moves, metric),
                        "shorter": write_moves(detour.shorter, metric),
                    }
                    for detour in shown
                ],
            }
        )
        return status
    for detour in shown:
        say(_sentence(detour, metric))
    if end is None or optimize:
        click.echo(write_sequence(sequence, style))
    else:
        click.echo(end.text())
    say(f"{counted(single, 'single-tile move')}, {counted(slides, 'slide')}")
    return status


def _optimized(
    start: Board, sequence: Sequence, metric: Metric, window: int, limits: Limits
) -> tuple[Sequence, list[Detour], int]:
    """Return the moves without detours, those of the first pass, and the exit status."""
    status = OK

    def solved(task: Task) -> Result:
        nonlocal status
        result = solve(replace(task, limits=limits), Auto(), "window")
        if result.outcome is Outcome.STOPPED:
            raise KeyboardInterrupt
        if result.outcome is Outcome.LIMIT_REACHED:
            status = STOPPED
        return result

    moves = moves_on(start, write_sequence(sequence), metric)
    first = parts = detours(start, moves, metric, window, solved)
    while parts:
        moves = without(moves, parts)
        parts = detours(start, moves, metric, window, solved)
    return tuple(move.direction for move in moves for _ in move.tiles), first, status


def _sentence(detour: Detour, metric: Metric) -> str:
    before, after = write_moves(detour.moves, metric), write_moves(detour.shorter, metric)
    instead = f"{after} does as well, {counted(len(detour.shorter), 'move')}"
    back = "leads back to where it began" if not detour.shorter else instead
    length = counted(len(detour.moves), "move")
    return paragraph(f"moves {detour.first} to {detour.last}: {before}, {length}; {back}")
