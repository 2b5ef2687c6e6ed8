"""One board as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from taquin.gym.world import World
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Direction
from taquin.model.puzzle import Goal

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
