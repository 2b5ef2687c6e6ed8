"""A game being played: the moves made and taken back, the clock, and what each key does.

Nothing here uses a terminal, and the caller passes the time with each key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from taquin import Board, Direction, Metric, Move, Puzzle
from taquin.views.wording import has_names


class Arrows(Enum):
    """What an arrow key moves."""

    TILE = "tile"
    """The tile beside the blank that can go that way."""
    BLANK = "blank"
    """The blank itself, or the agent in it."""


class Wish(Enum):
    """What a key requests from the program that runs the game."""

    NOTHING = "nothing"
    QUIT = "quit"
    NEW = "new"
    HINT = "hint"


_WAYS = {
    **dict.fromkeys(("up", "w", "k"), Direction.UP),
    **dict.fromkeys(("down", "s", "j"), Direction.DOWN),
    **dict.fromkeys(("left", "a", "h"), Direction.LEFT),
    **dict.fromkeys(("right", "d", "l"), Direction.RIGHT),
}
_TYPING = ("enter", "space", "backspace", "escape")
"""Keys that belong to a half-typed name, apart from its letters."""
_LETTERS = {direction.letter: direction for direction in Direction}
"""Capitals name where the tile goes, as they do in the strings of moves."""
_COMMANDS = (
    dict.fromkeys(("quit", "exit"), "q")
    | {"undo": "z", "redo": "y", "again": "b", "hint": "i", "new": "n", "help": "?"}
    | {word: word for word in ("up", "down", "left", "right")}
)
"""Words that stand for a key where a game is played line by line."""
_KEYS = {*"zybinq?", *_LETTERS, *_WAYS}
"""Keys of one character that do something by themselves."""


@dataclass(slots=True)
class Game:
    """One board being played."""

    puzzle: Puzzle
    start: Board
    arrows: Arrows = Arrows.TILE
    moves: list[Move] = field(default_factory=list)
    """Made so far, without those taken back."""
    undone: list[Move] = field(default_factory=list)
    """Taken back, the latest last; a new move clears them."""
    taken_back: int = 0
    """How often a move was taken back."""
    hints: int = 0
    """How often a hint was given."""
    hint: Move | None = None
    """Shown until the next move."""
    typed: str | None = None
    """The typed part of the name of a tile; None if none is being typed."""
    message: str = ""
    """The message of the last key."""
    helping: bool = False
    """Whether the keys are explained instead of the board."""
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
        """Return whether the goal is reached."""
        return self.puzzle.is_goal(self.board)

    def seconds(self, now: float) -> float:
        """Return how long the game has lasted, from the first move on."""
        return 0.0 if self.began is None else (self.ended or now) - self.began

    def press(self, key: str, now: float) -> Wish:
        """Handle a key; return what it requests that the game cannot do by itself."""
        self.message = ""
        if self.helping:
            self.helping = False
            return Wish.NOTHING
        if self.typed and self.typed.isdecimal() and not (key.isdecimal() or key in _TYPING):
            # Another key abandons the number.
            self.typed = None
        if self.typed is not None:
            self._type(key, now)
            return Wish.NOTHING
        match key:
            case "n":
                return Wish.NEW
            case "q":
                return Wish.QUIT
            case "i" | "space" if not self.is_solved:
                return Wish.HINT
            case "z" | "backspace":
                self._undo()
            case "y" if self.undone:
                self._make(self.undone.pop(), now)
            case "y":
                self.message = "There is no move to make again."
            case "b":
                while self.moves:
                    self._undo()
            case "?":
                self.helping = True
            case _ if key.isdecimal() or key == "t":
                self._type("" if key == "t" else key, now)
            case _ if key in _WAYS:
                way = _WAYS[key]
                self._slide(way if self.arrows is Arrows.TILE else way.opposite, 1, now)
            case _ if key in _LETTERS:
                self._slide(_LETTERS[key], 1, now)
        return Wish.NOTHING

    def enter(self, line: str, now: float) -> Wish:
        """Handle a line: a word for a key, a tile, or several keys; stop at the first message."""
        text = line.strip()
        if text in _COMMANDS:
            return self.press(_COMMANDS[text], now)
        if text.isdecimal() or text.startswith("t "):
            self.typed = text.removeprefix("t ").strip()
            return self.press("enter", now)
        for key in text.replace(" ", ""):
            if key not in _KEYS:
                self.message = f"Type ? for help: {key} is no key."
                break
            wish = self.press(key, now)
            if wish is not Wish.NOTHING or self.message or self.helping:
                return wish
        return Wish.NOTHING

    def _slide(self, direction: Direction, count: int, now: float) -> None:
        """Slide `count` tiles, as one move or several by the metric; set a message if none can."""
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

    def _make(self, move: Move, now: float) -> None:
        self.board = self.board.apply(move)
        self.moves.append(move)
        self.hint = None
        self.ended = now if self.is_solved else None

    def _undo(self) -> None:
        if not self.moves:
            self.message = "There is no move to take back."
            return
        move = self.moves.pop()
        self.board = self.board.slide(move.direction.opposite, len(move.tiles))
        self.undone.append(move)
        self.taken_back += 1
        self.hint = self.ended = None

    def _type(self, key: str, now: float) -> None:
        """Add a letter to the name of a tile; slide the tile as soon as it is the only match."""
        typed = self.typed or ""
        self.typed = None
        if key in ("escape", "backspace"):
            if key == "backspace" and typed:
                self.typed = typed[:-1]
            return
        done = key in ("enter", "space")
        typed += key if len(key) == 1 else ""
        # How each tile in line with the blank can move; of equal names the nearest.
        ways: dict[str, tuple[Direction, int]] = {}
        for direction in Direction:
            ray = self.board.grid.ray(self.board.blank, direction.opposite)
            for count, cell in enumerate(ray, 1):
                ways.setdefault(str(self.board.cells[cell]), (direction, count))
        matches = [name for name in ways if name.startswith(typed)]
        # Part of a number is another number; part of a name suffices if it is the only match.
        name = matches[0] if done and len(matches) == 1 and not typed.isdecimal() else typed
        if name in ways and (done or len(matches) == 1):
            self._slide(*ways[name], now)
        elif not done and matches:
            self.typed = typed
        elif typed:
            exists = any(str(label) == typed for label in self.board.cells)
            why = "is not in line with the blank" if exists else "is not on this board"
            self.message = f"Tile {typed} {why}."


def usual_arrows(board: Board) -> Arrows:
    """Return what arrows move by default: the agent if there is one, else a tile."""
    return Arrows.BLANK if has_names(board) else Arrows.TILE
