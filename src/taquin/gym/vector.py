"""Many boards as a vector environment: every step is a few NumPy lookups for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from taquin.errors import UnsuitableError
from taquin.gym.env import SlideEnv
from taquin.gym.world import World
from taquin.model.board import Board, BoardLike
from taquin.model.puzzle import Goal

Ids = NDArray[np.uint8]
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
