"""The exception hierarchy of taquin: bad input, and problems of this machine.

    TaquinError
    ├── InputError              bad input
    │   ├── NotationError       a text that cannot be read (line, column)
    │   ├── BoardError          cells that do not form a grid, a board or a goal
    │   ├── MismatchError       a start and a goal of different sizes, walls or tiles
    │   ├── IllegalMoveError    a move that the board does not allow
    │   ├── UnsuitableError     a search or heuristic that does not support this puzzle
    │   └── UserCodeError        a user's heuristic or search that fails
    ├── UnfinishedError         a user's heuristic that a limit or Ctrl-C interrupted
    └── MachineError            valid input that this machine cannot process now
        ├── StorageError        a file that cannot be read or written, or is corrupt
        └── MissingError        a library that is not installed, a server that does not respond

A message says what was expected, what was found, where, and what to do. A search that ends without
a solution is not an error: see `taquin.Outcome`.
"""

from __future__ import annotations

from taquin.reasons import Reason, reason


class TaquinError(Exception):
    """The base class of all exceptions of taquin; the message is one sentence.

    Notes add context, such as the board for which a user's heuristic failed.
    """

    @property
    def reason(self) -> Reason:
        """The message, with its code and parameters if it has any."""
        return Reason(self.args[0] if self.args else "")


class InputError(TaquinError):
    """The input is bad."""


class NotationError(InputError):
    """The text cannot be read as a board, a goal or moves."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message = message
        self.line = line
        """Line of the offending character, from 1; None if there is no such place."""
        self.column = column
        """Column of the offending character, from 1."""
        super().__init__(message, line, column)

    @property
    def reason(self) -> Reason:
        """The message with its place."""
        detail = Reason(self.message)
        if self.line is None:
            return detail
        if self.column is None:
            return reason("line", line=self.line, detail=detail)
        return reason("place", line=self.line, column=self.column, detail=detail)

    def __str__(self) -> str:
        return str(self.reason)


class BoardError(InputError):
    """The cells do not form a grid, a board or a goal."""


class MismatchError(InputError):
    """The start and the goal have different sizes, walls or tiles."""


class IllegalMoveError(InputError):
    """The board does not allow the move."""


class UnsuitableError(InputError):
    """The search, heuristic, convention or engine does not support this puzzle."""


class UserCodeError(InputError):
    """A user's heuristic or search cannot be loaded, or fails."""


class UnfinishedError(TaquinError):
    """A limit or Ctrl-C interrupted user code before it returned a value."""


class MachineError(TaquinError):
    """The input is valid, but this machine cannot process it now."""


class StorageError(MachineError):
    """A file cannot be read or written, or is corrupt."""


class MissingError(MachineError):
    """A library is not installed, or a server does not respond."""


def with_notes(error: TaquinError) -> str:
    """Return the message of an error and its notes."""
    return ", ".join([str(error), *getattr(error, "__notes__", ())])
