"""The options of `taquin scramble` that write a handout with the boards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import click

from taquin import Board, Limits, Puzzle
from taquin.cli.command import gathered, int_option, number_type, option
from taquin.cli.pictures import write_file
from taquin.cli.running import solve
from taquin.cli.screen import say, status_line
from taquin.engine.choose import Auto
from taquin.search.result import Task
from taquin.system.machine import safe_memory
from taquin.system.words import counted

_FORMATS = ("pdf", "html", "svg", "png", "tex")
_PATIENCE = 10.0
"""Time limit for the answer to one board, in seconds."""
_POINTS = 72 / 25.4
"""Points per millimetre."""


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The handout to write; the answers go into a separate file."""

    sheet: str | None = None
    """The name of its file; the name of the answers is derived from it."""
    title: str | None = None
    task: str | None = None
    variants: int | None = None
    across: int | None = None
    cell: float | None = None
    """The side of a cell in millimetres."""
    lines: int | None = None

    def boards(self, count: int) -> int:
        """Return how many boards are needed; raise UsageError if the sheet cannot be written."""
        if self.sheet is None:
            options = "--title, --task, --variants, --across, --cell and --lines"
            values = (self.title, self.task, self.variants, self.across, self.cell, self.lines)
            if any(value is not None for value in values):
                raise click.UsageError(f"{options} require --sheet FILE")
            return count
        from taquin.views.pictures.sheets import MOST_BOARDS, MOST_LETTERS

        if os.path.splitext(self.sheet)[1].lstrip(".").lower() not in _FORMATS:
            fault = f"a sheet ends in .{', .'.join(_FORMATS)}"
            raise click.UsageError(f"cannot write {self.sheet!r}: {fault}")
        count *= self.variants or 1
        if count > MOST_BOARDS:
            fault = f"sheets hold at most {MOST_BOARDS:,} boards together, found {count:,}"
            raise click.UsageError(fault)
        for name, text, most in (
            ("--title", self.title, MOST_LETTERS),
            ("--task", self.task, 5 * MOST_LETTERS),
        ):
            if (letters := len(text or "")) > most:
                raise click.UsageError(f"{name} takes at most {most} characters, found {letters:,}")
        return count

    def heading(self, number: int, count: int) -> str:
        """Return the comment before board `number` of `count` if a variant begins there."""
        variant, place = divmod(number - 1, max(1, count // (self.variants or 1)))
        return f"# variant {variant + 1}" if self.variants is not None and place == 0 else ""

    def write(self, puzzle: Puzzle, boards: Sequence[Board], wanted: int, note: str) -> None:
        """Solve the boards, then write the handout and the answers."""
        variants = self.variants or 1
        if self.sheet is None or not boards:
            return
        if variants > 1 and len(boards) < wanted:
            say(f"No sheet: {counted(wanted, 'board')} were needed, {len(boards):,} found.")
            return
        from taquin.views.pictures.sheets import Handout, PageLayout, handout_files

        # Where a shortest solution takes too long, the best one known is the answer.
        limits = Limits(seconds=_PATIENCE, memory=safe_memory())
        answers = []
        for number, board in enumerate(boards, 1):
            with status_line(f"answer {number} of {len(boards)}"):
                answers.append(solve(Task(puzzle, board, limits=limits), Auto()).moves)
        title = self.title or f"Sliding puzzles, {puzzle.grid}"
        cell = None if self.cell is None else self.cell * _POINTS
        layout = PageLayout(self.across, cell, 2 if self.lines is None else self.lines, self.task)
        handout = Handout(puzzle, boards, answers, title, note, variants, layout)
        stem, ending = os.path.splitext(self.sheet)
        with status_line(f"drawing {counted(len(boards), 'board')}"):
            files = list(handout_files(handout, ending.lstrip(".").lower()))
        for name, content in files:
            write_file(f"{stem}{name}{ending}", content)


sheet_options = gathered(
    SheetOptions,
    "handout",
    option(
        "Sheet",
        "--sheet FILE",
        f"Also write a handout, .{', .'.join(_FORMATS)}; the answers in FILE-answers.",
    ),
    option("Sheet", "--title TEXT", "The title of the handout."),
    option("Sheet", "--task TEXT", "The task.  [default: write the moves to the goal]"),
    int_option("Sheet", "--variants", "Write N handouts with --count different boards each."),
    int_option("Sheet", "--across", "Boards side by side.  [default: 3, or 2 large ones]", most=6),
    option(
        "Sheet",
        "--cell MM",
        "Maximum size of a cell in millimetres.  [default: 12.7]",
        type=number_type(2, 60),
    ),
    int_option("Sheet", "--lines", "Lines to write on below a board.  [default: 2]", 0, 25),
)
