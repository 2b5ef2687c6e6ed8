"""Environments of Gymnasium: `World`, what both have in common; one board; and many.

A board is a row of ids, one per cell: 0 is the blank, and on a classic board the ids are the
numbers of the tiles. An action is the direction in which a tile goes, in the order of `Direction`:

    0 up   1 down   2 left   3 right

`source[blank, action]` is the cell of the tile that slides into the blank, or the blank's own cell
if there is none: an illegal action swaps the blank with itself. Every step of many boards is a few
NumPy lookups for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from taquin.analysis.depths import boards_at_depth
from taquin.engine.solve import moves_left
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


Ids = NDArray[np.uint8]


class SlideEnv(gymnasium.Env[Ids, np.int64]):
    """Slide tiles, one at a time, until the board is solved.

    Observation: the id of each cell, rows × columns, 0 for the blank. Action: the direction in
    which a tile goes, 0 up, 1 down, 2 left, 3 right; an illegal action does not change the board.
    Reward: -1 for every step, so the best return is minus the optimal length. The episode
    terminates when the board is solved.

    `info["action_mask"]` marks the legal actions, a mask for `action_space.sample(mask)`.
    `info["optimal_length"]` is the optimal length from the first board of the episode, if known.
    `World` explains `depth`, `moves` and `optimal`. `reset(options={"board": …})`, or `depth` or
    `moves`, determines the first board of one episode.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        goal: Goal | BoardLike = "3x3",
        *,
        depth: int | None = None,
        moves: int | None = None,
        optimal: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._world = World(goal, depth, moves, optimal)
        self.render_mode = render_mode
        grid, labels = self._world.grid, self._world.space.labels
        self.observation_space = gymnasium.spaces.Box(
            0, len(labels) - 1, (grid.rows, grid.columns), np.uint8
        )
        self.action_space = gymnasium.spaces.Discrete(len(Direction))
        self._ids = np.frombuffer(bytes(self._world.space.start), np.uint8).copy()
        self._least: int | None = None

    @property
    def board(self) -> Board:
        """The current board."""
        return self._world.space.decode(self._ids.tobytes())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ids, dict[str, Any]]:
        """Begin an episode; the same seed gives the same board."""
        super().reset(seed=seed)
        state, self._least = self._world.start(self.np_random, options)
        self._ids = np.frombuffer(bytes(state), np.uint8).copy()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Ids, float, bool, bool, dict[str, Any]]:
        """Slide a tile in the direction of `action`."""
        ids, world = self._ids, self._world
        blank = int(ids.argmin())
        cell = world.source[blank, action]
        ids[blank], ids[cell] = ids[cell], 0
        is_solved = not world.wrong[ids, np.arange(len(ids))].any()
        return self._observation(), -1.0, is_solved, False, self._info()

    def render(self) -> str | None:
        """Return the drawn board in the mode `ansi`."""
        return f"{self.board}\n" if self.render_mode == "ansi" else None

    def _observation(self) -> Ids:
        return self._ids.reshape(self._world.grid.rows, -1).copy()

    def _info(self) -> dict[str, Any]:
        mask = self._world.legal[int(self._ids.argmin())]
        info: dict[str, Any] = {"action_mask": mask.copy()}
        if self._least is not None:
            info["optimal_length"] = self._least
        return info


Step = tuple[Ids, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SlideVectorEnv(VectorEnv[Ids, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` boards, each with the semantics of `SlideEnv`.

    A board whose episode ended is reset in the next step, which ignores its action and has reward 0
    (Gymnasium's mode NEXT_STEP). An episode is truncated after `max_episode_steps`. `infos` has
    `action_mask`, one row per board, and `optimal_length`, -1 if unknown.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        goal: Goal | BoardLike = "3x3",
        *,
        depth: int | None = None,
        moves: int | None = None,
        optimal: bool | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        if num_envs < 1:
            raise UnsuitableError(f"expected 1 environment or more, found {num_envs}")
        self.num_envs = num_envs
        self._most_steps = max_episode_steps
        single = SlideEnv(goal, depth=depth, moves=moves, optimal=optimal)
        self.single_observation_space = single.observation_space
        self.single_action_space = single.action_space
        self.observation_space = batch_space(single.observation_space, num_envs)
        self.action_space = batch_space(single.action_space, num_envs)
        world = self._world = World(goal, depth, moves, optimal)
        self._source = world.source.ravel()
        # The change of the number of wrong cells, by tile and move (blank × 4 + action).
        blank = np.arange(world.grid.size).repeat(world.source.shape[1])
        wrong, cell = world.wrong, self._source
        self._change = wrong[:, blank] - wrong[:, cell] + wrong[0, cell] - wrong[0, blank]
        self._change[0] = 0
        self._first_cell = np.arange(num_envs) * world.grid.size
        self._ids: Ids = np.tile(np.frombuffer(bytes(world.space.start), np.uint8), num_envs)
        self._blank = np.zeros(num_envs, np.intp)
        self._wrong_cells = np.zeros(num_envs, np.int16)
        self._steps = np.zeros(num_envs, np.int64)
        self._least = np.full(num_envs, -1, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def board(self, number: int) -> Board:
        """Return the current board of one environment."""
        return self._world.space.decode(self._rows[number].tobytes())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ids, dict[str, Any]]:
        """Start an episode on every board; the same seed gives the same boards."""
        super().reset(seed=seed)
        self._begin(np.arange(self.num_envs), options)
        return self._observation(), self._info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Slide a tile of every board, and reset the boards whose episodes ended."""
        over = np.flatnonzero(self._over)
        move = self._blank * self._world.source.shape[1] + actions
        cell = self._source[move]
        place = self._first_cell + cell
        tile = self._ids[place]
        # The blank is written last: an illegal action has both indices equal and changes nothing.
        self._ids[self._first_cell + self._blank] = tile
        self._ids[place] = 0
        self._wrong_cells += self._change[tile, move]
        self._blank = cell
        self._steps += 1
        rewards = np.full(self.num_envs, -1.0)
        if len(over):
            self._begin(over, None)
            rewards[over] = 0.0
        solved = self._wrong_cells == 0
        truncated = np.zeros(self.num_envs, np.bool_)
        if self._most_steps is not None:
            truncated = self._steps >= self._most_steps
        self._over = solved | truncated
        return self._observation(), rewards, solved, truncated, self._info()

    @property
    def _rows(self) -> Ids:
        """A view of the boards, one per row."""
        return self._ids.reshape(self.num_envs, -1)

    def _begin(self, numbers: NDArray[np.intp], options: dict[str, Any] | None) -> None:
        """Start the episodes of some environments."""
        rows = self._rows
        for number in numbers:
            state, least = self._world.start(self.np_random, options)
            rows[number] = np.frombuffer(bytes(state), np.uint8)
            self._least[number] = -1 if least is None else least
        self._blank[numbers] = rows[numbers].argmin(axis=1)
        cells = np.arange(rows.shape[1])
        self._wrong_cells[numbers] = self._world.wrong[rows[numbers], cells].sum(axis=1)
        self._steps[numbers] = 0
        self._over[numbers] = False

    def _observation(self) -> Ids:
        shape = (self.num_envs, self._world.grid.rows, self._world.grid.columns)
        return self._ids.reshape(shape).copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._world.legal[self._blank], "optimal_length": self._least.copy()}
