"""The exceptions of taquin: one small tree, and only for bad input.

    TaquinError
    ├── NotationError       a text that cannot be read (line, column)
    ├── BoardError          cells that do not form a grid, a board or a goal
    ├── MismatchError       a start and a goal that do not belong together
    ├── IllegalMoveError    a move that the board does not allow
    └── UnsuitableError     a search or heuristic that cannot serve this puzzle

A search that ends without a solution is not an error: see `taquin.Outcome`.
"""

from __future__ import annotations


class TaquinError(Exception):
    """Bad input; the message says what was expected, what was found, and what to do."""


class NotationError(TaquinError):
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


class BoardError(TaquinError):
    """Cells that do not form a grid, a board or a goal."""


class MismatchError(TaquinError):
    """A start and a goal that do not belong together: other tiles, walls or size."""


class IllegalMoveError(TaquinError):
    """A move that the board does not allow."""


class UnsuitableError(TaquinError):
    """A search, heuristic or convention that cannot serve this puzzle."""
