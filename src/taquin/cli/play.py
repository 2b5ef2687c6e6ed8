"""`taquin play`: slide the tiles yourself, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count, islice
from random import randrange
from time import monotonic, sleep

import click

from taquin import Board, Grid, InputError, Metric, Puzzle, Solvability, solvability
from taquin.cli.command import OK, REFUTED, command, option, read_size, whole
from taquin.cli.inputs import ask
from taquin.cli.options import Problem, problem_options
from taquin.cli.screen import columns, is_terminal, paragraph, shell_line, status_line
from taquin.cli.terminal.advice import Adviser
from taquin.cli.terminal.fullscreen import Terminal, fullscreen, why_not
from taquin.cli.terminal.game import Arrows, Game, Wish, usual_arrows
from taquin.cli.terminal.game_view import page, plain_page, summary
from taquin.cli.terminal.keys import GONE
from taquin.engine.advice import HINT_PATIENCE, PATIENCE, Advice
from taquin.model.scramble import random_board, random_walk

_MOST = 30
"""Rows and columns that a window may hold."""
_POLL_SECONDS = 0.02
_TRIES = 100
"""Attempts to generate a board that is not solved already."""


@command(
    "taquin play",
    "taquin play 4x4 --seed 7",
    "taquin play 4x4 --moves 20",
    'taquin play "8 6 7 / 2 5 4 / 3 0 1"',
    'taquin play "A . . . / . # . . / B . . @" --goal "* * * * / * # B A / * * * *"',
    epilog="Exit status: 0 when you leave, 1 for a board that cannot be solved, 2 bad input.",
)
@problem_options
@option("Chance", "--seed N", "The same seed gives the same boards.", type=int)
@whole("Chance", "--moves", "Scramble by N random moves.  [default: any solvable board]")
@option(
    "Keys",
    "--arrows",
    "What an arrow key moves.  [default: tile; blank among names]",
    one_of=Arrows,
)
def play(problem: Problem, seed: int | None, moves: int | None, arrows: Arrows | None) -> int:
    """Solve a board yourself, in the terminal.

    BOARD is a board in any notation, the name of a file, - for standard input, or a size such as
    4x4; a random 3x3 when nothing is given. Arrow keys slide tiles; ? explains all keys. How many
    moves are left at best is shown where it can be found within about a second. Where there is no
    full screen, a line such as L, 5 or undo takes the place of a key.
    """
    seed = randrange(2**32) if seed is None else seed
    scramble = partial(_scrambled, seed, moves, count(1))
    puzzle, start = _chosen(problem, scramble)
    verdict = solvability(puzzle, start)
    if verdict.answer is Solvability.NO:
        click.echo(paragraph(f"No solution possible: {verdict.reason}."))
        return REFUTED
    game = Game(puzzle, start, arrows or usual_arrows(start))
    another = partial(scramble, puzzle, start)
    if why := why_not():
        click.echo(paragraph(f"There is no full screen, because {why}: type L, 5, undo or ?."))
        with closing(Adviser(puzzle, lambda: None)) as adviser:
            game = _run_by_lines(game, adviser, another)
    else:
        with fullscreen() as terminal, closing(Adviser(puzzle, terminal.wake)) as adviser:
            game = _run(game, adviser, terminal, another)
    now = monotonic()
    words = ["taquin", "play", game.board.text()]
    words += [] if problem.goal == "blank-last" else ["--goal", problem.goal]
    words += [] if problem.metric is Metric.SINGLE else ["--metric", problem.metric.value]
    if text := summary(game, adviser.known(game.start), now, shell_line(words)):
        click.echo(text)
    return OK


def _run(game: Game, adviser: Adviser, terminal: Terminal, another: Callable[[], Board]) -> Game:
    hint_board: Board | None = None
    adviser.ask(game.start)
    while True:
        # After the end, the adviser finds how short the solution could have been.
        board = game.start if game.is_solved else game.board
        hint_board = hint_board if hint_board == board else None
        adviser.ask(board, HINT_PATIENCE if game.is_solved and game.moves else PATIENCE)
        advice = adviser.known(board)
        if hint_board is not None and not adviser.is_busy(board):
            hint_board = None
            _give_hint(game, advice)
        thinking = ""
        if adviser.is_busy(board):
            thinking = adviser.stage or ("looking for a hint" if hint_board else "counting")
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
            hint_board = game.board
            adviser.ask(hint_board, HINT_PATIENCE)


def _run_by_lines(game: Game, adviser: Adviser, another: Callable[[], Board]) -> Game:
    wish = Wish.NOTHING
    while True:
        board = game.start if game.is_solved else game.board
        is_patient = wish is Wish.HINT or (game.is_solved and bool(game.moves))
        adviser.ask(board, HINT_PATIENCE if is_patient else PATIENCE)
        with status_line("counting") as draw:
            while adviser.is_busy(board):
                draw(adviser.stage or "counting")
                sleep(_POLL_SECONDS)
        advice = adviser.known(board)
        if wish is Wish.HINT:
            _give_hint(game, advice)
        click.echo("\n".join(plain_page(game, advice, columns())))
        game.helping = False
        line = ask("> ")
        wish = Wish.QUIT if line is None else game.enter(line, monotonic())
        if wish is Wish.QUIT:
            return game
        if wish is Wish.NEW:
            game = Game(game.puzzle, another(), game.arrows)


def _give_hint(game: Game, advice: Advice | None) -> None:
    game.hint = advice.move if advice else None
    game.hints += game.hint is not None
    game.message = "" if game.hint else "No solution was found in time."


def _scrambled(
    seed: int, moves: int | None, numbers: Iterator[int], puzzle: Puzzle, like: Board | None = None
) -> Board:
    """Return a random board, not solved if possible, with the tiles of `like` if it is given."""
    labels = None if like is None else list(like.labels.elements())
    for number in islice(numbers, _TRIES):
        if moves is None:
            board = random_board(puzzle.goal, seed, number=number, labels=labels)
        else:
            board = random_walk(puzzle, moves, seed, number=number, labels=labels)
        if not puzzle.is_goal(board):
            break
    return board


def _chosen(problem: Problem, scramble: Callable[[Puzzle], Board]) -> tuple[Puzzle, Board]:
    try:
        size = read_size(" ".join(problem.board))
    except ValueError:
        size = None
    if size is None and (problem.board or not is_terminal(sys.stdin)):
        return problem.read()
    rows, columns = size or (3, 3)
    if not (1 <= rows <= _MOST and 1 <= columns <= _MOST and rows * columns > 1):
        raise InputError(f"expected up to {_MOST} rows and columns, found {rows}×{columns}")
    puzzle = problem.puzzle_on(Grid(rows, columns))
    # A goal that is written out has a size of its own.
    if size and (puzzle.grid.rows, puzzle.grid.columns) != size:
        raise InputError(f"the goal is {puzzle.grid}, not {rows}×{columns}")
    return puzzle, scramble(puzzle)
