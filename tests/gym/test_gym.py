"""The environments of Gymnasium do what boards do, and pass Gymnasium's own checks."""

from __future__ import annotations

from typing import Any

import pytest

import taquin as tq

gymnasium = pytest.importorskip("gymnasium", reason="the extra gym is not installed")
np = pytest.importorskip("numpy")

import taquin.gym  # noqa: E402

DIRECTIONS = tuple(tq.Direction)


def ids(board: tq.Board) -> list[int]:
    """Return the cells of a board whose labels are the numbers from 0 on."""
    return [int(label) for label in board.cells]


def after(board: tq.Board, action: int) -> tq.Board:
    """Return the board after an action: the same where it is illegal."""
    try:
        return board.slide(DIRECTIONS[action])
    except tq.errors.IllegalMoveError:
        return board


@pytest.mark.parametrize(
    "options", [{}, {"depth": 7}, {"moves": 9, "goal": "4x4"}, {"goal": "A * # / * @ *"}]
)
def test_the_environment_passes_the_checks_of_gymnasium(options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(taquin.gym.ID, **options).unwrapped)


def test_an_episode_is_what_the_board_does() -> None:
    env = gymnasium.make(taquin.gym.ID, goal="3x3", depth=12).unwrapped
    seen, info = env.reset(seed=3)
    board = env.board
    assert tq.moves_left(board) == info["optimal_length"] == 12
    chance = np.random.default_rng(1)
    for action in chance.integers(0, 4, 200):
        legal = [
            direction in {move.direction for move in board.moves()} for direction in DIRECTIONS
        ]
        assert info["action_mask"].tolist() == legal
        board = after(board, int(action))
        seen, reward, terminated, truncated, info = env.step(action)
        assert (seen.ravel().tolist(), reward, truncated) == (ids(board), -1.0, False)
        assert terminated == tq.Goal("3x3").is_met(board)


def test_a_shortest_solution_ends_the_episode_with_minus_its_length() -> None:
    env = gymnasium.make(taquin.gym.ID, depth=20)
    _, info = env.reset(seed=5)
    rewards, terminated = 0.0, False
    for move in tq.solve(env.unwrapped.board).moves or ():
        assert not terminated
        _, reward, terminated, _, _ = env.step(DIRECTIONS.index(move.direction))
        rewards += reward
    assert terminated
    assert rewards == -info["optimal_length"] == -20


def test_seeds_repeat_and_options_decide_one_episode() -> None:
    env = gymnasium.make(taquin.gym.ID).unwrapped
    first = env.reset(seed=1)[0].tolist()
    assert env.reset()[0].tolist() != first
    assert env.reset(seed=1)[0].tolist() == first
    _, info = env.reset(options={"board": "8 6 7 / 2 5 4 / 3 0 1"})
    assert info["optimal_length"] == 31
    assert env.board == tq.Board("8 6 7 / 2 5 4 / 3 0 1")
    assert env.reset(options={"depth": 31})[1]["optimal_length"] == 31


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"board": "1 2 3 / 4 5 6 / 8 7 0"}, "cannot be solved"),
        ({"board": "1 2 / 3 0"}, "the same size"),
        ({"depth": 0}, "1 or more"),
        ({"depth": 32}, "the greatest distance is at most 31"),
        ({"depth": 3, "moves": 3}, "exclude each other"),
        ({"length": 3}, "found 'length'"),
    ],
)
def test_impossible_beginnings_are_refused(options: dict[str, Any], fault: str) -> None:
    env = taquin.gym.SlideEnv()
    with pytest.raises(tq.errors.InputError, match=fault):
        env.reset(options=options)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("goal", ["3x3", "2x3", "* 1 / # * / * 0"])
def test_the_vector_environment_is_many_single_ones(goal: str) -> None:
    count, most = 40, 25
    envs = gymnasium.make_vec(taquin.gym.ID, count, goal=goal, moves=6, max_episode_steps=most)
    assert isinstance(envs, taquin.gym.SlideVectorEnv)
    seen, infos = envs.reset(seed=2)
    boards = [envs.board(number) for number in range(count)]
    over, steps = [False] * count, [0] * count
    ended = 0
    envs.action_space.seed(4)
    for _ in range(60):
        actions = envs.action_space.sample()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(seen)
        for number in range(count):
            if over[number]:
                boards[number], steps[number] = envs.board(number), 0
                assert rewards[number] == 0
            else:
                boards[number] = after(boards[number], int(actions[number]))
                steps[number] += 1
                assert rewards[number] == -1
            board = boards[number]
            assert envs.board(number) == board
            assert terminated[number] == tq.Goal(goal).is_met(board)
            assert truncated[number] == (steps[number] >= most)
            assert infos["action_mask"][number].sum() == len(board.moves())
            over[number] = bool(terminated[number] or truncated[number])
            ended += over[number]
    assert ended > count


def test_new_episodes_of_the_vector_environment_have_the_exact_depth() -> None:
    envs = taquin.gym.SlideVectorEnv(20, "3x3", depth=15, max_episode_steps=2)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        assert infos["optimal_length"].tolist() == [15] * 20
        assert [tq.moves_left(envs.board(number)) for number in range(20)] == [15] * 20
        for _ in range(3):
            _, _, _, _, infos = envs.step(np.zeros(20, np.int64))
