"""A handout of scrambled boards, with the answers in a file of their own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import click

from taquin.cli.command import gathered, option
from taquin.cli.running import solve
from taquin.cli.screen import say, status_line
from taquin.engine.choose import Auto
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.search.result import Limits, Task
from taquin.system.files import atomic_write
from taquin.system.machine import safe_memory

_FORMATS = ("pdf", "html", "svg", "png")
_PATIENCE = 10.0
"""Most seconds for the answer to one board."""


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The requested handout."""

    sheet: str | None = None
    """The name of its file, from which the name of the answers is derived."""
    title: str | None = None
    """What stands at its top."""

    def check(self, count: int) -> None:
        """Raise UsageError if it cannot be written."""
        if self.sheet is None:
            if self.title is not None:
                raise click.UsageError("--title needs --sheet")
            return
        from taquin.views.pictures.sheets import MOST_BOARDS, MOST_LETTERS

        if os.path.splitext(self.sheet)[1].lstrip(".").lower() not in _FORMATS:
            raise click.UsageError(
                f"cannot write {self.sheet!r}: a sheet ends in .{', .'.join(_FORMATS)}"
            )
        if count > MOST_BOARDS:
            raise click.UsageError(f"a sheet holds at most {MOST_BOARDS} boards, found {count:,}")
        if len(self.title or "") > MOST_LETTERS:
            raise click.UsageError(
                f"--title takes at most {MOST_LETTERS} characters, found {len(self.title or ''):,}"
            )

    def write(self, puzzle: Puzzle, boards: Sequence[Board], note: str) -> None:
        """Find the answers, then write the handout and, beside it, the answers."""
        if self.sheet is None or not boards:
            return
        # Only a handout needs it, and importing it costs every start-up.
        from taquin.views.pictures.sheets import Handout, handout_files

        title = self.title or f"Sliding puzzles, {puzzle.grid}"
        handout = Handout(puzzle, boards, _answers(puzzle, boards), title, note)
        stem, ending = os.path.splitext(self.sheet)
        for name, content in list(handout_files(handout, ending.lstrip(".").lower())):
            with atomic_write(f"{stem}{name}{ending}") as file:
                file.write(content)
            say(f"Written to {stem}{name}{ending}")


def _answers(puzzle: Puzzle, boards: Sequence[Board]) -> list[tuple[Move, ...] | None]:
    """Return a shortest solution of each board; the best known where that takes too long."""
    limits = Limits(seconds=_PATIENCE, memory=safe_memory())
    answers = []
    for number, board in enumerate(boards, 1):
        with status_line(f"answer {number} of {len(boards)}"):
            answers.append(solve(Task(puzzle, board, limits=limits), Auto()).moves)
    return answers


sheet_options = gathered(
    SheetOptions,
    "handout",
    option(
        "Output",
        "--sheet",
        f"Make a handout too, .{', .'.join(_FORMATS)}, with the answers in FILE-answers.",
        metavar="FILE",
    ),
    option("Output", "--title", "What stands on the handout.", metavar="TEXT"),
)
