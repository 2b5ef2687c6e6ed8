"""The exceptions of taquin: one small tree, bad input apart from trouble with the machine.

    TaquinError
    ├── InputError              what was given will not do
    │   ├── NotationError       a text that cannot be read (line, column)
    │   ├── BoardError          cells that do not form a grid, a board or a goal
    │   ├── MismatchError       a start and a goal that do not belong together
    │   ├── IllegalMoveError    a move that the board does not allow
    │   ├── UnsuitableError     a search or heuristic that cannot serve this puzzle
    │   └── OwnCodeError        a heuristic or search of the user's own that fails
    └── MachineError            what was given is right, but this machine cannot do it now
        ├── StorageError        a file that cannot be read or written, or is not what it should be
        └── MissingError        a library that is not installed, a server that does not answer

The message says what was expected, what was found, where, and what to do. A search that ends
without a solution is not an error: see `taquin.Outcome`.
"""

from __future__ import annotations


class TaquinError(Exception):
    """Whatever taquin refuses, in one sentence.

    A note tells more of this one occasion: for which board a heuristic of one's own failed.
    """


class InputError(TaquinError):
    """What was given will not do."""


class NotationError(InputError):
    """A text that cannot be read as a board, a goal or moves."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message = message
        self.line = line
        """Line of the offending character, from 1; None when no place is to blame."""
        self.column = column
        """Column of the offending character, from 1."""
        super().__init__(message, line, column)

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        if self.column is None:
            return f"line {self.line}: {self.message}"
        return f"line {self.line}, column {self.column}: {self.message}"


class BoardError(InputError):
    """Cells that do not form a grid, a board or a goal."""


class MismatchError(InputError):
    """A start and a goal that do not belong together: other tiles, walls or size."""


class IllegalMoveError(InputError):
    """A move that the board does not allow."""


class UnsuitableError(InputError):
    """A search, heuristic, convention or engine that cannot serve this puzzle."""


class OwnCodeError(InputError):
    """A heuristic or a search of the user's own that cannot be loaded, or that fails."""


class MachineError(TaquinError):
    """What was given is right, but this machine cannot do it now."""


class StorageError(MachineError):
    """A file that cannot be read or written, or is not what it should be."""


class MissingError(MachineError):
    """A library that is not installed, or a server that does not answer."""


def with_notes(error: TaquinError) -> str:
    """Return what an error says, and its notes."""
    return ", ".join([str(error), *getattr(error, "__notes__", ())])
