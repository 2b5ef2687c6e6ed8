"""The common part of both environments: lookup tables of moves, and the boards of new episodes.

A board is a row of ids, one per cell: 0 is the blank, and on a classic board the ids are the
numbers of the tiles. An action is the direction in which a tile goes, in the order of `Direction`:

    0 up   1 down   2 left   3 right

`source[blank, action]` is the cell of the tile that slides into the blank, or the blank's own cell
if there is none: an illegal action swaps the blank with itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.analysis.depths import boards_at_depth
from taquin.engine.choose import moves_left
from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Direction
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.model.solvability import solvability
from taquin.model.space import ANY_ID, Space, State, arrangements, levels_from_goal

MOST_LISTED = 400_000
"""The maximum number of arrangements of a puzzle whose boards are listed by depth; 3×3 fits."""
_MOST_LABELS = 256
_SEEDS = 2**53
_DRAWS = 1000
"""The maximum number of boards drawn to find one that is not solved."""
_OPTIONS = ("board", "depth", "moves")


class World:
    """One puzzle in the single metric, and the first boards of its episodes.

    `depth` is the exact distance of the first board from the goal, `moves` the number of random
    moves that scramble it; by default it is uniform among all solvable boards. `optimal` says
    whether to compute the optimal length for boards of unknown depth; by default up to nine cells,
    where it is a table lookup.
    """

    def __init__(
        self,
        goal: Goal | BoardLike,
        depth: int | None = None,
        moves: int | None = None,
        optimal: bool | None = None,
    ) -> None:
        self.puzzle = Puzzle(Goal.of(goal))
        grid = self.grid = self.puzzle.grid
        random_walk(self.puzzle, 1, 0)  # It raises IllegalMoveError if no tile can move.
        self.space = Space(self.puzzle, random_walk(self.puzzle, 0, 0))
        if len(self.space.labels) > _MOST_LABELS:
            raise UnsuitableError(
                f"expected a goal of at most {_MOST_LABELS} different tiles, found "
                f"{len(self.space.labels)}: choose a smaller grid"
            )
        self._options = _checked({"depth": depth, "moves": moves})
        self._optimal = grid.size <= 9 if optimal is None else optimal
        steps = [
            [grid.step(cell, direction.opposite) for direction in Direction]
            for cell in range(grid.size)
        ]
        self.source: NDArray[np.intp] = np.array(
            [[cell if near is None else near for near in row] for cell, row in enumerate(steps)],
            np.intp,
        )
        self.legal: NDArray[np.int8] = np.array(
            [[near is not None for near in row] for row in steps], np.int8
        )
        wanted = np.array(self.space.goal_ids)
        ids = np.arange(len(self.space.labels))
        self.wrong: NDArray[np.int16] = np.array(
            (wanted != ANY_ID) & (wanted != ids[:, None]), np.int16
        )
        """For each id and cell, 1 if the goal has another id there: the sum over a solved board's
        cells is 0."""

    def start(
        self, chance: np.random.Generator, options: Mapping[str, Any] | None
    ) -> tuple[State, int | None]:
        """Return the first board of an episode, and its optimal length if known.

        `options` may have a `board`, a `depth` or `moves` for this episode only. Raise InputError
        for any other option, and for a board that does not fit or cannot be solved.
        """
        options = _checked(options) if options else self._options
        if (given := options.get("board")) is not None:
            board = Board.of(given)
            self.puzzle.check(board)
            if board.labels != self.space.decode(self.space.start).labels:
                raise UnsuitableError(
                    f"expected a board with the tiles of the goal, found\n{board}"
                )
            if not (verdict := solvability(self.puzzle, board)):
                raise UnsuitableError(f"this board cannot be solved: {verdict.reason}")
            return self.space.encode(board), self._least(board)
        depth, moves = options.get("depth"), options.get("moves")
        if moves is None and arrangements(Counter(self.space.start)) <= MOST_LISTED:
            boards, ends = _boards_by_depth(self.puzzle)
            first, last = (1, len(ends) - 1) if depth is None else (depth, depth)
            if first <= last < len(ends):
                number = chance.integers(ends[first - 1], ends[last])
                return bytes(boards[number]), int(ends.searchsorted(number, "right"))
        seed = int(chance.integers(_SEEDS))
        if depth is not None:
            return self.space.encode(next(boards_at_depth(self.puzzle, depth, seed).boards)), depth
        for _ in range(_DRAWS):
            if moves is not None:
                board = random_walk(self.puzzle, moves, seed)
            else:
                board = random_board(self.puzzle, seed)
            if not self.puzzle.is_goal(board):
                return self.space.encode(board), self._least(board)
            seed = int(chance.integers(_SEEDS))
        raise UnsuitableError(
            f"all of {_DRAWS} random boards were already solved: choose a more specific goal"
        )

    def _least(self, board: Board) -> int | None:
        return moves_left(board, self.puzzle.goal) if self._optimal else None


def _checked(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options for the first board; raise UnsuitableError if they are not valid."""
    for name, value in options.items():
        if name not in _OPTIONS:
            expected = ", ".join(_OPTIONS)
            raise UnsuitableError(f"expected the options {expected}, found {name!r}")
        if name != "board" and value is not None and value < 1:
            raise UnsuitableError(f"{name} must be 1 or more, got {value}")
    if len([value for value in options.values() if value is not None]) > 1:
        raise UnsuitableError(f"{' and '.join(options)} exclude each other: give one of them")
    return options


@lru_cache(maxsize=4)
def _boards_by_depth(puzzle: Puzzle) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return the solvable boards of a small puzzle in order of depth, and the end of each depth."""
    space = Space(puzzle, random_walk(puzzle, 0, 0))
    levels = list(levels_from_goal(space))
    packed = b"".join(bytes(state) for level in levels for state in level)
    boards = np.frombuffer(packed, np.uint8).reshape(-1, puzzle.grid.size)
    return boards, np.cumsum([len(level) for level in levels])
