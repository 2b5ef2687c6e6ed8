"""Sliding puzzles as environments of Gymnasium; the extra `gym` installs it.

    import gymnasium
    import taquin.gym

    env = gymnasium.make("taquin/Slide-v0", goal="3x3", depth=20)
    envs = gymnasium.make_vec("taquin/Slide-v0", num_envs=4096, goal="3x3")

Importing this package registers the id. `SlideEnv` is one board, `SlideVectorEnv` a vectorised
environment of many boards in NumPy.
"""

from __future__ import annotations

from importlib.util import find_spec

from taquin.errors import MissingError
from taquin.system.lazy import not_installed

if find_spec("gymnasium") is None:
    raise MissingError(not_installed("environments need Gymnasium", "gym"))

from gymnasium.envs.registration import register, registry

from taquin.gym.environments import SlideEnv, SlideVectorEnv

ID = "taquin/Slide-v0"
"""The id of the environment for `gymnasium.make` and `gymnasium.make_vec`."""
MOST_STEPS = 1000
"""The default of `max_episode_steps`, after which an episode is truncated."""

__all__ = ["ID", "MOST_STEPS", "SlideEnv", "SlideVectorEnv"]

if ID not in registry:
    register(
        ID,
        "taquin.gym.environments:SlideEnv",
        max_episode_steps=MOST_STEPS,
        vector_entry_point="taquin.gym.environments:SlideVectorEnv",
    )
