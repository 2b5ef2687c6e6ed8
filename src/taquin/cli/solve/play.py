"""`taquin play`: slide the tiles yourself, a line for each move.

    ┌───┬───┬───┐
    │ 1 │ 2 │ 3 │
    ├───┼───┼───┤
    │ 4 │ 5 │ 6 │
    ├───┼───┼───┤
    │ 7 │   │ 8 │
    └───┴───┴───┘
    1 move left at best
    > L

`Game` is a game in progress: its moves, undo and redo, the clock, and the effect of each input
line. It neither reads nor prints: the command passes it each line with the current time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import count, islice
from random import randrange
from time import monotonic

import click

import taquin as tq
from taquin import BLANK, WALL, Board, Direction, Metric, Move, Puzzle
from taquin.analysis.hints import HINT_PATIENCE, Advice, HintFinder
from taquin.cli.command import OK, REFUTED, command, int_option, option, read_size
from taquin.cli.inputs import ask
from taquin.cli.options import BoardArguments, problem_options
from taquin.cli.screen import columns, is_terminal, paragraph, shell_line, status_line
from taquin.errors import InputError
from taquin.model.rows import fold
from taquin.notation import write_moves
from taquin.system.formatting import counted, shorten, text_width
from taquin.system.interrupts import DeferredInterrupts
from taquin.views.traces import has_names, move_name


class Arrows(Enum):
    """The piece that `left` and the letters w, a, s, d and h, j, k, l move."""

    TILE = "tile"
    """The tile beside the blank that can go that way."""
    BLANK = "blank"
    """The blank itself, or the agent in it."""


class Request(Enum):
    """What a line asks of the program that runs the game."""

    NOTHING = "nothing"
    QUIT = "quit"
    NEW = "new"
    HINT = "hint"
    HELP = "help"


_ARROWS = {
    **dict.fromkeys(("up", "w", "k"), Direction.UP),
    **dict.fromkeys(("down", "s", "j"), Direction.DOWN),
    **dict.fromkeys(("left", "a", "h"), Direction.LEFT),
    **dict.fromkeys(("right", "d", "l"), Direction.RIGHT),
}
_LETTERS = {direction.letter: direction for direction in Direction}
"""Capital letters: the direction of the tile, as in sequences of moves."""
_REQUESTS = {"q": Request.QUIT, "n": Request.NEW, "i": Request.HINT, "?": Request.HELP}
_KEY_NAMES = (
    dict.fromkeys(("quit", "exit"), "q")
    | {"undo": "z", "redo": "y", "again": "b", "hint": "i", "new": "n", "help": "?"}
    | {name: name for name in ("up", "down", "left", "right")}
)
"""Names of keys."""
_KEYS = {*"zyb", *_REQUESTS, *_LETTERS, *_ARROWS}


@dataclass(slots=True)
class Game:
    """One board being played."""

    puzzle: Puzzle
    start: Board
    arrows: Arrows = Arrows.TILE
    moves: list[Move] = field(default_factory=list)
    """Made so far and not undone."""
    undone: list[Move] = field(default_factory=list)
    """Undone, the latest last; a new move clears the list."""
    taken_back: int = 0
    """The number of moves undone."""
    hints: int = 0
    """The number of hints given."""
    hint: Move | None = None
    """Shown until the next move."""
    message: str = ""
    """Why the last line, or the rest of it, had no effect."""
    began: float | None = None
    """When the first move was made."""
    ended: float | None = None
    """When the board was solved."""
    board: Board = field(init=False)
    """The current board."""

    def __post_init__(self) -> None:
        self.board = self.start

    @property
    def is_solved(self) -> bool:
        """Whether the goal is reached."""
        return self.puzzle.is_goal(self.board)

    def seconds(self, now: float) -> float:
        """Return the seconds since the first move."""
        return 0.0 if self.began is None else (self.ended or now) - self.began

    def enter(self, line: str, now: float) -> Request:
        """Handle a line: the name of a key, a tile, or several keys; stop at the first message.

        Return what the caller has to do.
        """
        self.message = ""
        text = line.strip()
        key_name = _KEY_NAMES.get(text.lower())
        keys = [key_name] if key_name else list(text.replace(" ", ""))
        # A line with a typing error makes no move.
        if not _KEYS.issuperset(keys):
            self._slide_tile(text.removeprefix("t ").strip(), now)
            return Request.NOTHING
        for key in keys:
            if key in _REQUESTS:
                return _REQUESTS[key]
            self._press(key, now)
            if self.message:
                break
        return Request.NOTHING

    def _press(self, key: str, now: float) -> None:
        if key in _LETTERS:
            self._slide(_LETTERS[key], 1, now)
        elif key in _ARROWS:
            direction = _ARROWS[key]
            self._slide(direction if self.arrows is Arrows.TILE else direction.opposite, 1, now)
        elif key == "z" and not self.moves:
            self.message = "There is no move to take back."
        elif key == "z":
            self._undo()
        elif key == "y" and not self.undone:
            self.message = "There is no move to make again."
        elif key == "y":
            self._make(self.undone.pop(), now)
        else:
            while self.moves:
                self._undo()

    def _slide(self, direction: Direction, count: int, now: float) -> None:
        """Slide `count` tiles, as one move or several by the metric; set a message if illegal."""
        if self.ended is not None:
            self.message = "It is solved. n makes a new one, z takes a move back."
            return
        ray = self.board.grid.ray(self.board.blank, direction.opposite)[:count]
        if len(ray) < count:
            self.message = f"Nothing can go {direction} here."
            return
        self.undone.clear()
        self.began = now if self.began is None else self.began
        tiles = tuple(self.board.cells[cell] for cell in ray)
        slides = [(tile,) for tile in tiles] if self.puzzle.metric is Metric.SINGLE else [tiles]
        for slide in slides:
            self._make(Move(slide, direction), now)

    def _slide_tile(self, name: str, now: float) -> None:
        """Slide the tile called `name`, or the only one in line whose name begins so."""
        # Each tile in line with the blank; of equal names the nearest.
        ways: dict[str, tuple[Direction, int]] = {}
        for direction in Direction:
            ray = self.board.grid.ray(self.board.blank, direction.opposite)
            for steps, cell in enumerate(ray, 1):
                ways.setdefault(str(self.board.cells[cell]), (direction, steps))
        matches = [tile for tile in ways if tile.startswith(name)]
        # A prefix of a number is another number.
        if name not in ways and len(matches) == 1 and not name.isdecimal():
            name = matches[0]
        if name in ways:
            self._slide(*ways[name], now)
        elif name in {str(label) for label in self.board.cells if label not in (BLANK, WALL)}:
            self.message = f"Tile {name} is not in line with the blank."
        elif name.isdecimal():
            self.message = f"There is no tile {shorten(name)} on this board."
        else:
            self.message = f"Expected L, R, U, D, a tile, or ? for help, found {shorten(name)}."

    def _make(self, move: Move, now: float) -> None:
        self.board = self.board.apply(move)
        self.moves.append(move)
        self.hint = None
        self.ended = now if self.is_solved else None

    def _undo(self) -> None:
        move = self.moves.pop()
        self.board = self.board.slide(move.direction.opposite, len(move.tiles))
        self.undone.append(move)
        self.taken_back += 1
        self.hint = self.ended = None


_MOST = 30
"""The limit on rows and columns, so that a board fits on a screen."""
_PATIENCE = 0.3
"""Time limit for the moves left, in seconds: the user waits for it after each move."""
_TRIES = 100
"""Attempts to generate a board that is not solved already."""


@command(
    "taquin play",
    "taquin play 4x4 --seed 7",
    "taquin play 4x4 --moves 20",
    'taquin play "8 6 7 / 2 5 4 / 3 0 1"',
    'taquin play "A . . . / . # . . / B . . @" --goal "* * * * / * # B A / * * * *"',
    epilog="Exit status: 0 when you leave, 1 for a board that cannot be solved, 2 bad input, "
    "3 Ctrl-C.",
)
@problem_options
@option("Random", "--seed N", "The same seed gives the same boards.", type=int)
@int_option("Random", "--moves", "Scramble by N random moves.  [default: any solvable board]")
@option(
    "Moves",
    "--arrows",
    "What left, a and h move, and so on; L always moves a tile.  "
    "[default: tile; blank among names]",
    one_of=Arrows,
)
def play(
    problem: BoardArguments, seed: int | None, moves: int | None, arrows: Arrows | None
) -> int:
    """Solve a board yourself, in the terminal.

    BOARD is a board in any notation, the name of a file, - for standard input, or a size such as
    4x4; a random 3x3 when nothing is given. Each line that you type is a move, such as L or 5, or
    undo, hint, new or quit; ? explains them all. The fewest moves left are shown where they are
    found within a third of a second.
    """
    seed = randrange(2**32) if seed is None else seed
    scramble = partial(_scrambled, seed, moves, count(1))
    puzzle, start = _chosen(problem, scramble)
    verdict = tq.solvability(puzzle, start)
    if verdict.answer is tq.Solvability.NO:
        click.echo(paragraph(f"No solution possible: {verdict.reason}."))
        return REFUTED
    # Among named tiles the blank is an agent, which the player moves.
    arrows = arrows or (Arrows.BLANK if has_names(start) else Arrows.TILE)
    game = Game(puzzle, start, arrows)
    click.echo(paragraph("Type a move: L, R, U or D, or a tile. ? explains more, q leaves."))
    _run(game, partial(scramble, puzzle, start), problem)
    return OK


def _run(game: Game, another: Callable[[], tq.Board], problem: BoardArguments) -> None:
    """Play until the user leaves; print the command that continues the game."""
    adviser = _Adviser(game.puzzle)
    try:
        _show(game, adviser)
        while (line := ask("> ")) is not None:
            before, request = game.board, game.enter(line, monotonic())
            if request is Request.QUIT:
                break
            if request is Request.HELP:
                click.echo(_help(game.arrows), nl=False)
                continue
            if request is Request.NEW:
                game = Game(game.puzzle, another(), game.arrows)
            elif request is Request.HINT:
                _give_hint(game, adviser)
            if game.board != before or not game.message:
                _show(game, adviser)
            if game.message:
                click.echo(paragraph(game.message))
    except KeyboardInterrupt:
        # The line of the prompt has not ended.
        if text := _resume_text(game, problem):
            click.echo(f"\n{text}")
        raise
    if text := _resume_text(game, problem):
        click.echo(text)


def _resume_text(game: Game, problem: BoardArguments) -> str:
    """Return the command that continues an unfinished game; empty if there is nothing to do."""
    if game.is_solved or not game.moves:
        return ""
    arguments = ["taquin", "play", game.board.text()]
    arguments += [] if problem.goal == "blank-last" else ["--goal", problem.goal]
    arguments += [] if problem.metric is tq.Metric.SINGLE else ["--metric", problem.metric.value]
    spent = f"{counted(len(game.moves), 'move')}, {clock(game.seconds(monotonic()))}"
    return f"Left after {spent}. Play on:\n{shell_line(arguments)}"


class _Adviser:
    """Finds the moves left and a good next move; caches the answer for each board."""

    def __init__(self, puzzle: tq.Puzzle) -> None:
        self._finder = HintFinder(puzzle)
        self._tried: dict[tq.Board, float] = {}
        """The time limit with which each board was searched, in seconds."""

    def advice(self, board: tq.Board, patience: float) -> Advice | None:
        """Return what is known about a board after a search of up to `patience` seconds."""
        known = self._finder.of(board)
        if (known is None or not known.is_exact) and self._tried.get(board, 0.0) < patience:
            with status_line("counting") as draw, DeferredInterrupts() as block:
                self._finder.find(
                    board,
                    patience,
                    lambda stage: draw(stage or "counting"),
                    lambda: block.is_interrupted,
                )
            if block.is_interrupted:
                raise KeyboardInterrupt
            self._tried[board] = patience
        return self._finder.of(board)


def _give_hint(game: Game, adviser: _Adviser) -> None:
    if game.is_solved:
        game.message = "It is solved."
        return
    advice = adviser.advice(game.board, HINT_PATIENCE)
    game.hint = advice.move if advice else None
    game.hints += game.hint is not None
    game.message = "" if game.hint else "No solution was found in time."


def _show(game: Game, adviser: _Adviser) -> None:
    """Print the board and the moves left, or the summary of a solved game."""
    click.echo("\n".join(draw_game(game, columns())))
    if game.is_solved:
        best = adviser.advice(game.start, HINT_PATIENCE) if game.moves else None
        click.secho(paragraph(verdict(game, best)), fg="green", bold=True)
        if game.moves:
            click.echo(paragraph(write_moves(game.moves, game.puzzle.metric)))
        click.echo(paragraph("Type n for a new board, or q to leave."))
        return
    advice = adviser.advice(game.board, _PATIENCE)
    if advice and advice.is_exact:
        click.echo(f"{counted(advice.at_least, 'move')} left at best")
    elif advice and advice.left is None:
        click.echo(f"at least {counted(advice.at_least, 'move')} left")
    elif advice:
        click.echo(f"{advice.at_least:,} to {advice.left:,} moves left at best")
    if game.hint is not None:
        kind = "hint" if advice and advice.is_exact else "hint, not proven to be best"
        click.echo(paragraph(f"{kind}: {move_name(game.hint)}"))


def draw_game(game: Game, width: int) -> list[str]:
    """Return the board in a box, or plain if the box is wider than `width`.

    Tiles in their goal cells are green, those that moved last bold, those of a hint inverted.
    """
    board, grid, goal = game.board, game.board.grid, game.puzzle.goal
    label_width = max(text_width(str(label)) for label in board.cells)
    is_boxed = grid.columns * (label_width + 3) + 1 <= width
    blank = "@" if has_names(board) else "" if is_boxed else "_"
    last, hint = game.moves[-1] if game.moves else None, game.hint
    moved = grid.ray(board.blank, last.direction)[: len(last.tiles)] if last else ()
    hinted = grid.ray(board.blank, hint.direction.opposite)[: len(hint.tiles)] if hint else ()

    def styled(cell: int) -> str:
        label = board.cells[cell]
        is_tile = label not in (tq.WALL, tq.BLANK)
        text = blank if label == tq.BLANK else str(label)
        # Numbers are aligned to the right.
        text = " " * (label_width - text_width(text)) + text
        if is_boxed:
            text = "▒" * (label_width + 2) if label == tq.WALL else f" {text} "
        return click.style(
            text,
            fg="green" if is_tile and label == goal.cells[cell] else None,
            bold=(is_tile and cell in moved) or None,
            dim=label == tq.WALL or None,
            reverse=cell in hinted or None,
        )

    rows = [list(map(styled, row)) for row in fold(range(grid.size), grid.columns)]
    if not is_boxed:
        return [" ".join(row) for row in rows]
    top, between, bottom = (
        click.style(left + middle.join(["─" * (label_width + 2)] * grid.columns) + right, dim=True)
        for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    post = click.style("│", dim=True)
    lines = [top]
    for row in rows:
        lines += [post + post.join(row) + post, between]
    return [*lines[:-1], bottom]


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds: 1:02:05."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def verdict(game: Game, best: Advice | None) -> str:
    """Return the summary of a solved game: the moves made and the fewest possible."""
    if not game.moves:
        return "Solved as it stands."
    number = len(game.moves)
    extras = [f"{counted(game.taken_back, 'move')} taken back"] if game.taken_back else []
    extras += [counted(game.hints, "hint")] if game.hints else []
    more = f" ({', '.join(extras)})" if extras else ""
    solved = f"Solved in {counted(number, 'move')}, {clock(game.seconds(0.0))}{more}"
    if best is None:
        return f"{solved}."
    if not best.is_exact:
        return f"{solved}; the shortest has at least {best.at_least:,}."
    if number == best.at_least:
        return f"{solved}: no solution is shorter."
    return f"{solved}; the shortest has {best.at_least:,}, {number - best.at_least:,} fewer."


def _help(arrows: Arrows) -> str:
    formatter = click.HelpFormatter(width=columns())
    formatter.write_dl(
        [
            ("L R U D", "where the tile goes; LUR is three moves"),
            ("left, right …", f"where the {arrows.value} goes; so do a d w s and h l k j"),
            ("12", "slide tile 12, and what is between"),
            ("t NAME", "slide the tile of that name"),
            ("undo, z", "take a move back"),
            ("redo, y", "make it again"),
            ("again, b", "back to the beginning"),
            ("hint, i", "show a good move"),
            ("new, n", "a new board"),
            ("quit, q", "leave"),
            ("Enter", "show the board"),
        ]
    )
    return formatter.getvalue()


def _scrambled(
    seed: int,
    moves: int | None,
    numbers: Iterator[int],
    puzzle: tq.Puzzle,
    like: tq.Board | None = None,
) -> tq.Board:
    """Return a random board, not solved if possible, with the tiles of `like` if it is given."""
    labels = None if like is None else list(like.labels.elements())
    for number in islice(numbers, _TRIES):
        if moves is None:
            board = tq.random_board(puzzle.goal, seed, number=number, labels=labels)
        else:
            board = tq.random_walk(puzzle, moves, seed, number=number, labels=labels)
        if not puzzle.is_goal(board):
            break
    return board


def _chosen(
    problem: BoardArguments, scramble: Callable[[tq.Puzzle], tq.Board]
) -> tuple[tq.Puzzle, tq.Board]:
    try:
        size = read_size(" ".join(problem.board))
    except ValueError:
        size = None
    if size is None and (problem.board or not is_terminal(sys.stdin)):
        return problem.read()
    rows, columns = size or (3, 3)
    if not (1 <= rows <= _MOST and 1 <= columns <= _MOST and rows * columns > 1):
        raise InputError(f"expected up to {_MOST} rows and columns, found {rows}×{columns}")
    puzzle = problem.puzzle_on(tq.Grid(rows, columns))
    # A goal that is written out has a size of its own.
    if size and (puzzle.grid.rows, puzzle.grid.columns) != size:
        raise InputError(f"the goal is {puzzle.grid}, not {rows}×{columns}")
    return puzzle, scramble(puzzle)
