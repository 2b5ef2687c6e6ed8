"""`taquin moves`: count, invert, mirror, join, apply and shorten move sequences."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf

import click

import taquin as tq
from taquin.analysis.grading import moves_named
from taquin.analysis.solutions import Detour, detours, replaced
from taquin.cli.command import OK, SIZE, STOPPED, command, flag, option
from taquin.cli.inputs import start_of, text_in
from taquin.cli.options import grid_of, json_option, metric_option, resource_limit_options
from taquin.cli.output import print_json
from taquin.cli.running import solve
from taquin.cli.screen import paragraph, say
from taquin.engine.choose import Auto
from taquin.notation import board_json, moves_on, write_moves
from taquin.notation.answers import read_pushes
from taquin.notation.moves import (
    Mirror,
    Sequence,
    Style,
    inverted,
    read_sequence,
    simplified,
    slides_in,
    write_sequence,
)
from taquin.search.control import Control, Ended
from taquin.search.result import Task
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts

_WINDOW = {tq.Metric.SINGLE: 20, tq.Metric.MULTI: 10}
"""The most moves of a detour."""


@command(
    "taquin moves DDDLLUUUL",
    "taquin moves D3L2U3L --invert",
    'taquin moves "D2 R U" LDR --simplify --style cstimer',
    "taquin moves scramble.txt --size 4x4 | taquin solve",
    'taquin moves LURD --on "1 2 3 / 4 0 5 / 7 8 6"',
    'taquin moves "5 6" --on "1 2 3 / 4 0 5 / 7 8 6"',
    'taquin moves solution.txt --on "8 1 3 / 4 0 2 / 7 6 5" --optimize',
    epilog="Exit status: 0 done, 2 bad input or an illegal move, 3 stopped or a limit.",
)
@click.argument("moves", nargs=-1, required=True, metavar="MOVES...")
@flag("Changes", "--blank", "MOVES are directions of the blank, not of the tile.")
@flag("Changes", "--simplify", "Remove moves that undo the previous one.")
@flag("Changes", "--invert", "Print the inverse sequence.")
@option("Changes", "--mirror", "Print the sequence for the reflected board.", one_of=Mirror)
@option("Board", "--on BOARD", "Apply the moves to this board, and print the result.")
@option("Board", "--size", "Apply them to the solved board of this size: a scramble.", type=SIZE)
@flag("Board", "--optimize", "With --on or --size: find detours of up to 20 moves, or 10 slides.")
@metric_option
@option(
    "Output",
    "--style",
    "The notation of moves; with --on or --size, print them before the board.  [default: short]",
    one_of=Style,
)
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
    metric: tq.Metric,
    style: Style | None,
    as_json: bool,
    limits: tq.Limits,
) -> int:
    """Count, invert, mirror, join, apply and shorten move sequences.

    MOVES are letters (D3L2, DDD LL), words or arrows, a file that holds them, or - for standard
    input; several are joined. Directions are those of the tile. With --on or --size they may also
    be the numbers of tiles (8 6 3). The sequence is printed with its length in single tiles and in
    slides of several tiles; with --on or --size, the resulting board. --max-seconds limits all of
    --optimize.
    """
    if on is not None and size is not None:
        raise click.UsageError("choose one of --on and --size")
    if optimize and on is None and size is None:
        raise click.UsageError("--optimize needs the board that the moves start from: --on, --size")
    start = end = None
    if on is not None:
        start = start_of([on], "")
    elif size is not None:
        solved = tq.Goal.blank_last(grid_of(size).rows, size[1])
        start = tq.Board(solved.grid, solved.cells)
    sequence = _read(" ".join(map(text_in, moves)), start, blank, metric)
    if simplify:
        sequence = simplified(sequence)
    if invert:
        sequence = inverted(sequence)
    if mirror is not None:
        sequence = tuple(map(mirror.of, sequence))
    passes: list[list[Detour]] = []
    reason = ""
    if start is not None:
        end = start
        # Illegal moves are counted as they are written, tile by tile.
        for move in moves_on(start, write_sequence(sequence, Style.LONG)):
            end = end.apply(move)
    if start is not None and optimize:
        sequence, passes, reason = _optimized(start, sequence, metric, limits)
    status = STOPPED if reason else OK
    shown = style or Style.SHORT
    single, slides = len(sequence), slides_in(sequence)
    if as_json:
        print_json(
            {
                "moves": write_sequence(sequence, shown),
                "single": single,
                "multi": slides,
                "start": None if start is None else board_json(start),
                "end": None if end is None else board_json(end),
                "detours": [
                    {
                        "pass": number,
                        "first": detour.first,
                        "last": detour.last,
                        "moves": write_moves(detour.moves, metric),
                        "shorter": write_moves(detour.shorter, metric),
                    }
                    for number, found in enumerate(passes, 1)
                    for detour in found
                ],
                "reason": reason,
            }
        )
        return status
    for number, found in enumerate(passes, 1):
        if number > 1:
            say(f"Pass {number}, numbered after the changes above:")
        for detour in found:
            say(_sentence(detour, metric))
    if reason:
        say(f"Stopped: {reason}. Some detours may be left.")
    if end is None or optimize or style is not None:
        click.echo(write_sequence(sequence, shown))
    if end is not None and not optimize:
        click.echo(end.text())
    saved = sum(len(part.moves) - len(part.shorter) for found in passes for part in found)
    unit = "single-tile move" if metric is tq.Metric.SINGLE else "slide"
    less = f"; {counted(saved, unit)} saved" if optimize else ""
    say(f"{counted(single, 'single-tile move')}, {counted(slides, 'slide')}{less}")
    return status


def _read(text: str, start: tq.Board | None, blank: bool, metric: tq.Metric) -> Sequence:
    """Return the directions of tiles that a text gives by letters or, on a board, by numbers.

    Raise NotationError for a text without moves, IllegalMoveError for an illegal tile.
    """
    try:
        sequence = read_sequence(text)
        return tuple(direction.opposite for direction in sequence) if blank else sequence
    except tq.NotationError as error:
        if start is None:
            if any(part.isdecimal() for part in text.split()):
                raise tq.NotationError(f"{error}; tiles need their board: --on, --size") from None
            raise
    made = 0
    directions: list[tq.Direction] = []
    try:
        for move in moves_named(start, read_pushes(text, start, blank), metric):
            directions += [move.direction] * len(move.tiles)
            made += 1
    except tq.IllegalMoveError as error:
        raise tq.IllegalMoveError(f"move {made + 1}, {error}") from None
    return tuple(directions)


def _optimized(
    start: tq.Board, sequence: Sequence, metric: tq.Metric, limits: tq.Limits
) -> tuple[Sequence, list[list[Detour]], str]:
    """Return the moves without detours, the detours of each pass, and the limit reached, if any."""
    control = Control(limits)

    def solved(task: Task) -> tq.Result:
        control.report("window")
        left = control.seconds_left()
        within = replace(limits, seconds=None if left == inf else max(0.0, left))
        result = solve(replace(task, limits=within), Auto(), "window")
        if result.outcome is tq.Outcome.LIMIT_REACHED and result.limit is not None:
            control.end(result.limit)
            raise Ended
        return result

    moves = moves_on(start, write_sequence(sequence), metric)
    window = _WINDOW[metric]
    passes: list[list[Detour]] = []
    with DeferredInterrupts(), suppress(Ended):
        while not passes or passes[-1]:
            passes.append([])
            try:
                for detour in detours(start, moves, metric, window, solved):
                    passes[-1].append(detour)
            finally:
                # A pass that a limit cuts short has found detours too.
                moves = replaced(moves, passes[-1])
    directions = tuple(move.direction for move in moves for _ in move.tiles)
    return directions, [found for found in passes if found], control.reason


def _sentence(detour: Detour, metric: tq.Metric) -> str:
    before, after = write_moves(detour.moves, metric), write_moves(detour.shorter, metric)
    instead = f"{after} does as well, {counted(len(detour.shorter), 'move')}"
    back = "leads back to where it began" if not detour.shorter else instead
    length = counted(len(detour.moves), "move")
    return paragraph(f"moves {detour.first} to {detour.last}: {before}, {length}; {back}")
