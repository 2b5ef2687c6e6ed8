"""A game in progress: its moves, undo and redo, the clock, and the effect of each input line.

It neither reads nor prints; the caller passes each line with the current time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from taquin import BLANK, WALL, Board, Direction, Metric, Move, Puzzle
from taquin.system.words import shorten


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
            for count, cell in enumerate(ray, 1):
                ways.setdefault(str(self.board.cells[cell]), (direction, count))
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
