"""`taquin moves`: count, invert, mirror, join, apply and shorten move sequences.

With `--many` each line is a solve: its moves, or the board or scramble that it began with, a
separator, and its moves:

    8 1 3 / 4 0 2 / 7 6 5 : LUR2D2LURULDLU      the start, by any notation of one line
    8 1 3/4 0 2/7 6 5 LUR2D2LURULDLU            the two forms of slidysim, which need no separator
    R D2 R U2 ; 8 5 4 6 5 8                     a scramble from the solved board of --size; tiles
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean
from typing import Any

import click

import taquin as tq
from taquin.analysis.grading import moves_named
from taquin.analysis.solutions import Detour, detours, replaced
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, SIZE, STOPPED, command, flag, gathered, option
from taquin.cli.inputs import lines_of, start_of, text_in
from taquin.cli.output import Column, print_csv, print_json, print_table
from taquin.cli.running import solve_task
from taquin.cli.screen import paragraph, say
from taquin.engine.task import Auto, Wishes
from taquin.errors import NotationError
from taquin.notation import board_json, moves_on, read_board, write_moves
from taquin.notation.answers import read_pushes
from taquin.notation.boards import is_entry
from taquin.notation.moves import (
    Directions,
    Mirror,
    Style,
    inverted,
    read_sequence,
    simplified,
    slides_in,
    write_sequence,
)
from taquin.search.control import INTERRUPTED, Control, Ended
from taquin.search.result import Task
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts

_WINDOW = {tq.Metric.SINGLE: 20, tq.Metric.MULTI: 10}
"""The most moves of a detour."""
_SEPARATORS = "\t;|:"
"""Each may stand between a start and its moves, which have none in them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the text of moves is read and changed."""

    blank: bool = False
    simplify: bool = False
    invert: bool = False
    mirror: Mirror | None = None
    metric: tq.Metric = tq.Metric.SINGLE

    def read(self, text: str, start: tq.Board | None) -> Directions:
        """Return the directions of tiles that a text stands for; raise TaquinError."""
        sequence = _read(text, start, self.blank, self.metric)
        if self.simplify:
            sequence = simplified(sequence)
        if self.invert:
            sequence = inverted(sequence)
        return sequence if self.mirror is None else tuple(map(self.mirror.of, sequence))


class ShortestPaths:
    """Finds shortest paths between boards, under one limit on time for all of them."""

    def __init__(self, limits: tq.Limits) -> None:
        self.limits, self.control = limits, Control(limits)
        self.bound = 0
        """The lower bound of the search that a limit ended."""

    def solve(self, task: Task, engine: Auto = Auto()) -> tq.Result:  # noqa: B008
        """Return a result that no limit ended; raise Ended if there is none."""
        self.control.report("window")
        left = self.control.seconds_left()
        within = replace(self.limits, seconds=None if left == inf else max(0.0, left))
        result = solve_task(replace(task, limits=within), Wishes(engine, fallback=False), "window")
        if result.outcome is tq.Outcome.LIMIT_REACHED and result.limit is not None:
            self.control.end(result.limit)
        elif result.outcome is tq.Outcome.STOPPED:
            self.control.stop(INTERRUPTED)
        else:
            return result
        self.bound = result.lower_bound
        raise Ended


@command(
    "taquin moves DDDLLUUUL",
    "taquin moves D3L2U3L --invert",
    'taquin moves "D2 R U" LDR --simplify --style cstimer',
    "taquin moves scramble.txt --size 4x4 | taquin solve",
    'taquin moves LURD --on "1 2 3 / 4 0 5 / 7 8 6"',
    'taquin moves "5 6" --on "1 2 3 / 4 0 5 / 7 8 6"',
    'taquin moves solution.txt --on "8 1 3 / 4 0 2 / 7 6 5" --optimize',
    "taquin moves --many solves.txt --size 4x4 --optimize --csv",
    epilog="Exit status: 0 done, 2 bad input or an illegal move, 3 stopped or a limit.",
)
@gathered(Reading, "reading")
@click.argument("moves", nargs=-1, required=True, metavar="MOVES...")
@flag("Changes", "--blank", "MOVES are directions of the blank, not of the tile.")
@flag("Changes", "--simplify", "Remove moves that undo the previous one.")
@flag("Changes", "--invert", "Print the inverse sequence.")
@option("Changes", "--mirror", "Print the sequence for the reflected board.", one_of=Mirror)
@option("Board", "--on BOARD", "Apply the moves to this board, and print the result.")
@option("Board", "--size", "Apply them to the solved board of this size: a scramble.", type=SIZE)
@flag("Board", "--optimize", "With --on or --size: find detours of up to 20 moves, or 10 slides.")
@flag("Board", "--many", "MOVES is a file, one solve per line: moves, or a start, : and moves.")
@options.metric_option
@option(
    "Output",
    "--style",
    "The notation of moves; with --on or --size, print them before the board.  [default: short]",
    one_of=Style,
)
@options.format_options
@options.resource_limit_options
def moves(
    moves: tuple[str, ...],
    reading: Reading,
    on: str | None,
    size: tuple[int, int] | None,
    optimize: bool,
    many: bool,
    style: Style | None,
    output: options.OutputFormat,
    limits: tq.Limits,
) -> int:
    """Count, invert, mirror, join, apply and shorten move sequences.

    MOVES are letters (D3L2, DDD LL), words or arrows, a file that holds them, or - for standard
    input; several are joined. Directions are those of the tile. With --on or --size they may also
    be the numbers of tiles (8 6 3). The sequence is printed with its length in single tiles and in
    slides of several tiles; with --on or --size, the resulting board. --max-seconds limits all of
    --optimize.

    --many reads a solve from each line: moves, or what they start from (a board, or a scramble of
    the solved board of --size), then : or ; or | or a tab, then moves. It prints both lengths, the
    length of a shortest way between the same boards, and with --optimize the detours.
    --max-seconds limits all solves together: each gets an equal part of what is left.
    """
    if on is not None and size is not None:
        raise click.UsageError("choose one of --on and --size")
    if optimize and on is None and size is None and not many:
        raise click.UsageError("--optimize needs the board before the moves: give --on or --size")
    start = solved = None
    if on is not None:
        start = start_of([on], "")
    elif size is not None:
        goal = tq.Goal.blank_last(options.grid_of(size).rows, size[1])
        start = solved = tq.Board(goal.grid, goal.cells)
    metric, shown = reading.metric, style or Style.SHORT
    if many:
        lines = [line for line in enumerate(lines_of(moves), 1) if is_entry(line[1])]
        return _measure_many(lines, start, solved, reading, shown, optimize, output, limits)
    if output == "csv":
        raise click.UsageError("--csv needs --many")
    sequence = reading.read(" ".join(map(text_in, moves)), start)
    end = None if start is None else _applied(start, sequence)
    passes: list[list[Detour]] = []
    paths = ShortestPaths(limits)
    if start is not None and optimize:
        sequence, passes = _optimized(start, sequence, metric, paths)
    reason = paths.control.reason
    status = STOPPED if reason else OK
    single, slides = len(sequence), slides_in(sequence)
    if output == "json":
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
    less = f"; {counted(saved, _unit(metric))} saved" if optimize else ""
    say(f"{counted(single, 'single-tile move')}, {counted(slides, 'slide')}{less}")
    return status


def _unit(metric: tq.Metric) -> str:
    return "single-tile move" if metric is tq.Metric.SINGLE else "slide"


def _read(text: str, start: tq.Board | None, blank: bool, metric: tq.Metric) -> Directions:
    """Return the directions of tiles that a text gives by letters or, on a board, by numbers.

    Raise NotationError for a text without moves, IllegalMoveError for an illegal tile.
    """
    try:
        sequence = read_sequence(text)
        return tuple(direction.opposite for direction in sequence) if blank else sequence
    except NotationError as error:
        if start is None:
            if any(part.isdecimal() for part in text.split()):
                hint = "tiles need their board: --on, --size"
                raise NotationError(f"{error.message}; {hint}", error.line, error.column) from None
            raise
    made = 0
    directions: list[tq.Direction] = []
    try:
        for move in moves_named(start, read_pushes(text, start, blank), metric):
            directions += [move.direction] * len(move.tiles)
            made += 1
    except tq.errors.IllegalMoveError as error:
        raise tq.errors.IllegalMoveError(f"move {made + 1}, {error}") from None
    return tuple(directions)


def _applied(start: tq.Board, sequence: Directions) -> tq.Board:
    """Return the board that moves lead to; an illegal one is counted tile by tile, as written."""
    for move in moves_on(start, write_sequence(sequence, Style.LONG)):
        start = start.apply(move)
    return start


def _optimized(
    start: tq.Board, sequence: Directions, metric: tq.Metric, paths: ShortestPaths
) -> tuple[Directions, list[list[Detour]]]:
    """Return the moves without detours, and the detours of each pass; a limit ends them early."""
    moves = moves_on(start, write_sequence(sequence), metric)
    window = _WINDOW[metric]
    passes: list[list[Detour]] = []
    with DeferredInterrupts(), suppress(Ended):
        while not passes or passes[-1]:
            passes.append([])
            try:
                for detour in detours(start, moves, metric, window, paths.solve):
                    passes[-1].append(detour)
            finally:
                # A pass that a limit cuts short has found detours too.
                moves = replaced(moves, passes[-1])
    directions = tuple(move.direction for move in moves for _ in move.tiles)
    return directions, [found for found in passes if found]


@dataclass(frozen=True, slots=True)
class Solve:
    """One line of `--many`."""

    line: int
    start: tq.Board | None
    """None if it is not known."""
    moves: Directions
    metric: tq.Metric
    solved: bool | None = None
    """Whether the moves end at the goal blank-last; None without a start."""
    shortest: int | None = None
    """The length of a shortest way between the same boards; None if it is not known."""
    lower_bound: int | None = None
    """What that length is proven to reach; None without a start."""
    detours: int | None = None
    """How many detours there were in all passes; None without `--optimize`."""
    without: int | None = None
    """The moves that are left without them."""

    @property
    def length(self) -> int:
        """The number of moves in the metric."""
        is_single = self.metric is tq.Metric.SINGLE
        return len(self.moves) if is_single else slides_in(self.moves)

    @property
    def more(self) -> int | None:
        """How many more moves than necessary these are; None if that is not known."""
        return None if self.shortest is None else self.length - self.shortest

    def record(self, style: Style) -> dict[str, Any]:
        """Return the solve as a record for CSV or JSON."""
        return {
            "line": self.line,
            "start": None if self.start is None else self.start.text(),
            "moves": write_sequence(self.moves, style),
            "single": len(self.moves),
            "multi": slides_in(self.moves),
            "solved": self.solved,
            "shortest": self.shortest,
            "lower_bound": self.lower_bound,
            "more": self.more,
            "detours": self.detours,
            "without_detours": self.without,
        }


def _measure_many(
    lines: Sequence[tuple[int, str]],
    start: tq.Board | None,
    solved: tq.Board | None,
    reading: Reading,
    style: Style,
    optimize: bool,
    output: options.OutputFormat,
    limits: tq.Limits,
) -> int:
    """Print the lengths of the solve on each line; return the exit status."""
    if not lines:
        raise click.UsageError("expected a solve on each line, found none")
    control = Control(limits)
    solves: list[Solve] = []
    reasons: set[str] = set()
    faults = 0
    for place, (number, line) in enumerate(lines):
        try:
            board, sequence = _solve_in(line, start, solved, reading)
            end = None if board is None else _applied(board, sequence)
        except tq.TaquinError as error:
            # The number of the line is that in the file, not that in its own text.
            text = error.message if isinstance(error, NotationError) else str(error)
            fault = text.partition("\n")[0].rstrip(":")
            say(f"Error: line {number}: {fault}")
            faults += 1
            continue
        found = Solve(number, board, sequence, reading.metric)
        left = control.seconds_left()
        share = None if left == inf else max(0.0, left) / (len(lines) - place)
        paths = ShortestPaths(replace(limits, seconds=share))
        if board is not None and end is not None:
            found = _measured(found, board, end, paths, optimize)
        solves.append(found)
        if output == "json":
            print_json(found.record(style))
        elif output == "csv":
            print_csv([found.record(style)], heading=len(solves) == 1)
        if limit := paths.control.limit:
            # Named with its whole size, not with the part of this solve.
            whole = Control(limits)
            whole.end(limit)
            reasons.add(whole.reason)
        elif paths.control.reason:
            reasons.add(paths.control.reason)
            break
    if output == "text" and solves:
        print_table([*_columns(solves)], solves)
    for sentence in _summary(solves, reasons, reading.metric):
        say(sentence)
    return BAD_INPUT if faults else STOPPED if reasons else OK


def _solve_in(
    line: str, start: tq.Board | None, solved: tq.Board | None, reading: Reading
) -> tuple[tq.Board | None, Directions]:
    """Return what the moves of a line start from, if it is known, and the moves."""
    line = line.removeprefix("\ufeff").strip()
    end = max(map(line.rfind, _SEPARATORS))
    begins, text = line[: max(end, 0)], line[end + 1 :]
    if end < 0:
        # A board of slidysim before letters or arrows needs no separator.
        begins = line[: len(line) - len(line.lstrip("0123456789/ "))]
        text = line[len(begins) :]
        if "/" not in begins:
            return start, reading.read(line, start)
    try:
        start = read_board(begins)
    except NotationError as error:
        if solved is None:
            hint = "a scramble needs --size"
            raise NotationError(f"{error.message}; {hint}", error.line, error.column) from None
        start = _applied(solved, _read(begins, solved, reading.blank, reading.metric))
    return start, reading.read(text, start)


def _measured(
    found: Solve, start: tq.Board, end: tq.Board, paths: ShortestPaths, optimize: bool
) -> Solve:
    """Return a solve with what is known of shorter ways between its boards."""
    puzzle = tq.Puzzle(tq.Goal(end.grid, end.cells), found.metric)
    is_solved = end.cells == tq.Goal.blank_last(end.grid.rows, end.grid.columns).cells
    found = replace(found, solved=is_solved)
    if optimize:
        moves, passes = _optimized(start, found.moves, found.metric, paths)
        count = sum(map(len, passes))
        found = replace(found, detours=count, without=replace(found, moves=moves).length)
    with DeferredInterrupts(), suppress(Ended):
        shortest = paths.solve(Task(puzzle, start), Auto(only_optimal=True)).cost
        return replace(found, shortest=shortest, lower_bound=shortest)
    return replace(found, lower_bound=paths.bound)


def _columns(solves: Sequence[Solve]) -> Iterator[Column]:
    """Yield the columns of the table that are known for some solve."""
    yield Column("line", lambda solve: str(solve.line))
    yield Column("single", lambda solve: f"{len(solve.moves):,}")
    yield Column("slides", lambda solve: f"{slides_in(solve.moves):,}")
    if any(solve.start is not None for solve in solves):
        yield Column("solved", lambda solve: _shown(solve.solved and "yes", "no"))
        yield Column("shortest", _shortest)
        yield Column("more", lambda solve: _shown(solve.more))
    if any(solve.detours is not None for solve in solves):
        yield Column("detours", lambda solve: _shown(solve.detours))
        yield Column("without", lambda solve: _shown(solve.without))


def _shown(value: object, no: str = "–") -> str:
    return "–" if value is None else no if value is False else str(value)


def _shortest(solve: Solve) -> str:
    unknown = "–" if solve.lower_bound is None else f"≥ {solve.lower_bound}"
    return unknown if solve.shortest is None else str(solve.shortest)


def _summary(solves: Sequence[Solve], reasons: Iterable[str], metric: tq.Metric) -> Iterator[str]:
    """Yield a sentence on all solves, and one for each limit that was reached."""
    if solves:
        single = fmean(len(solve.moves) for solve in solves)
        slides = fmean(slides_in(solve.moves) for solve in solves)
        count = counted(len(solves), "solve")
        sentence = f"{count}: mean {single:.1f} single-tile moves, {slides:.1f} slides"
        known = [solve.more for solve in solves if solve.more is not None]
        if known:
            sentence += f"; mean {fmean(known):.1f} {_unit(metric)}s more than needed"
        if 0 < len(known) < len(solves):
            sentence += f" in the {len(known):,} whose shortest length is known"
        yield sentence
    for reason in sorted(reasons):
        yield f"Stopped: {reason}. Some lengths are not known."


def _sentence(detour: Detour, metric: tq.Metric) -> str:
    before, after = write_moves(detour.moves, metric), write_moves(detour.shorter, metric)
    instead = f"{after} does as well, {counted(len(detour.shorter), 'move')}"
    back = "leads back to where it began" if not detour.shorter else instead
    length = counted(len(detour.moves), "move")
    return paragraph(f"moves {detour.first} to {detour.last}: {before}, {length}; {back}")
