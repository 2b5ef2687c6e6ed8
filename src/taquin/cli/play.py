"""`taquin play`: slide the tiles yourself, in the terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from random import randrange
from time import monotonic

import click

from taquin.cli.command import OK, REFUTED, command, option, whole
from taquin.cli.options import GridSize, Problem, problem_options
from taquin.cli.screen import is_terminal, paragraph
from taquin.cli.terminal.advice import Adviser
from taquin.cli.terminal.fullscreen import Terminal, fullscreen, why_not
from taquin.cli.terminal.game import Arrows, Game, Wish, usual_arrows
from taquin.cli.terminal.game_view import page, summary
from taquin.cli.terminal.keys import GONE
from taquin.engine.advice import HINT_PATIENCE, PATIENCE
from taquin.errors import InputError
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.model.solvability import Solvability, solvability

_MOST = 30
"""Rows and columns that a window may hold."""
_TRIES = 100
"""The most attempts to make a board that is not already solved."""


@command(
    "taquin play",
    "taquin play 4x4 --seed 7",
    "taquin play 4x4 --moves 20",
    'taquin play "8 6 7 / 2 5 4 / 3 0 1"',
    'taquin play "A . . . / . # . . / B . . @" --goal "* * * * / * # B A / * * * *"',
    epilog="Exit status: 0 when you leave, 1 for a board that cannot be solved, 2 bad input.",
)
@problem_options
@option("Chance", "--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@whole("Chance", "--moves", help="Scramble by N random moves.  [default: any solvable board]")
@option(
    "Keys",
    "--arrows",
    one_of=Arrows,
    help="What an arrow key moves: the tile, or the blank.  [default: tile; blank among names]",
)
def play(problem: Problem, seed: int | None, moves: int | None, arrows: Arrows | None) -> int:
    """Solve a board yourself, in the terminal.

    BOARD is a board in any notation, the name of a file, - for standard input, or a size such as
    4x4; a random 3x3 when nothing is given. Arrow keys slide tiles; ? explains all keys. How many
    moves are left at best is shown where it can be found within about a second.
    """
    if why := why_not():
        raise InputError(
            f"to play needs a full screen, and {why}; taquin repl plays line by line, "
            f"taquin solve --style moves prints a solution"
        )
    scramble = _Scramble(randrange(2**32) if seed is None else seed, moves)
    puzzle, start = _chosen(problem, scramble)
    verdict = solvability(puzzle, start)
    if verdict.answer is Solvability.NO:
        click.echo(paragraph(f"No solution possible: {verdict.reason}."))
        return REFUTED
    game = Game(puzzle, start, arrows or usual_arrows(start))
    with fullscreen() as terminal, closing(Adviser(puzzle, terminal.wake)) as adviser:
        game = _run(game, adviser, terminal, lambda: scramble.next(puzzle, start))
        now = monotonic()
    if said := summary(game, adviser.known(game.start), now, _again(problem, game.board)):
        click.echo(said)
    return OK


def _run(game: Game, adviser: Adviser, terminal: Terminal, another: Callable[[], Board]) -> Game:
    """Play until the user quits; return the game as it was left."""
    asked: Board | None = None
    adviser.ask(game.start)
    while True:
        # After the end, the adviser finds how short the solution could have been.
        board = game.start if game.is_solved else game.board
        asked = asked if asked == board else None
        adviser.ask(board, HINT_PATIENCE if game.is_solved and game.moves else PATIENCE)
        advice = adviser.known(board)
        if asked == board and not adviser.is_busy(board):
            asked = None
            game.hint = advice.move if advice else None
            game.hints += game.hint is not None
            game.message = "" if game.hint else "No way was found in time."
        thinking = ""
        if adviser.is_busy(board):
            thinking = adviser.stage or ("looking for a hint" if asked == board else "counting")
        now = monotonic()
        terminal.draw(page(game, advice, thinking, now, terminal.size))
        running = game.began is not None and game.ended is None
        key = terminal.key(1 - game.seconds(now) % 1 if running else None)
        if key is None:
            continue
        wish = Wish.QUIT if key == GONE else game.press(key, monotonic())
        if wish is Wish.QUIT:
            return game
        if wish is Wish.NEW:
            game = Game(game.puzzle, another(), game.arrows)
        elif wish is Wish.HINT:
            asked = game.board
            adviser.ask(asked, HINT_PATIENCE)


@dataclass(slots=True)
class _Scramble:
    """How new boards are made."""

    seed: int
    moves: int | None
    made: int = 0
    """How many boards were made from the seed so far."""

    def next(self, puzzle: Puzzle, like: Board | None = None) -> Board:
        """Return a random board, with the tiles of `like` if it is given."""
        labels = None if like is None else list(like.labels.elements())
        for _ in range(_TRIES):
            self.made += 1
            if self.moves is None:
                board = random_board(puzzle.goal, self.seed, number=self.made, labels=labels)
            else:
                board = random_walk(puzzle, self.moves, self.seed, number=self.made, labels=labels)
            if not puzzle.is_goal(board):
                break
        return board


def _chosen(problem: Problem, scramble: _Scramble) -> tuple[Puzzle, Board]:
    """Return the given board, or a random one of the given size."""
    size = _size(" ".join(problem.board))
    if size is None and (problem.board or not is_terminal(sys.stdin)):
        return problem.read()
    rows, columns = size or (3, 3)
    if not (1 <= rows <= _MOST and 1 <= columns <= _MOST and rows * columns > 1):
        raise InputError(f"expected up to {_MOST} rows and columns, found {rows}×{columns}")
    puzzle = problem.puzzle_on(Grid(rows, columns))
    # A goal that is written out has a size of its own.
    if size and (puzzle.grid.rows, puzzle.grid.columns) != size:
        raise InputError(f"the goal is {puzzle.grid}, not {rows}×{columns}")
    return puzzle, scramble.next(puzzle)


def _size(words: str) -> tuple[int, int] | None:
    """Return the rows and columns that the words name; None if they are a board."""
    try:
        size: tuple[int, int] = GridSize().convert(words, None, None)
    except click.BadParameter:
        return None
    return size


def _again(problem: Problem, board: Board) -> str:
    """Return the command that goes on from a board."""
    words = ["taquin", "play", board.text()]
    words += [] if problem.goal == "blank-last" else ["--goal", problem.goal]
    words += [] if problem.metric is Metric.SINGLE else ["--metric", problem.metric.value]
    return shlex.join(words)
