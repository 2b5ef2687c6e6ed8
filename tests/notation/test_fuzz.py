"""Whatever a reader is given, it returns a value or refuses in one short sentence.

Seeded and bounded, so that a run that fails can be done again: texts made of the pieces that the
forms are made of, whole texts of every form damaged here and there, and JSON values of any kind.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from taquin.errors import InputError, NotationError
from taquin.model.board import Board
from taquin.notation import (
    Form,
    another_board,
    board_of_json,
    can_write,
    goal_of_json,
    move_of_json,
    read_board,
    read_goal,
    read_many,
    read_moves,
    write_board,
)
from taquin.search.grammar import heuristic_named, search_named

ROUNDS = 1500

few_and_many = pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)

PIECES = [
    *("0", "1", "2", "12", "999999", "1000000", "b", "x", "X", "A", "ab", "_", "-", ".", "*", "#"),
    *(" ", "  ", "\n", "\r\n", "\t", ",", "/", ";", "[", "]", "[[", "]]", "{", "}", '"', ":", "="),
    *("│", "┌", "─", "█", "3 3", "4x4", "array(", ")", "State:", "rows", "null", "\ufeff", "\x00"),
    *("\ufffd", "☺", "名", "é", "²", "U", "R2", "astar", "(", "max", "manhattan", "weight=2"),
]

BOARDS = [
    Board.of_rows([[1, 2, 3], [4, 0, 5], [7, 8, 6]]),
    Board.of_rows([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 0, 15]]),
    Board.of_rows([["A", "#", "."], [0, 12, "B"]]),
    Board.of_rows([[2, 2], [1, 2], [3, 0]]),
]


def random_text(random: Random) -> str:
    if random.random() < 0.5:
        return "".join(random.choices(PIECES, k=random.randrange(1, 30)))
    board = random.choice(BOARDS)
    text = write_board(board, random.choice([form for form in Form if can_write(board, form)]))
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(PIECES) + text[at + random.randrange(3) :]
    return text


def random_value(random: Random, depth: int = 3) -> object:
    if depth and random.random() < 0.6:
        items = [random_value(random, depth - 1) for _ in range(random.randrange(5))]
        keys = ["rows", "columns", "cells", "tile", "direction", "tiles"]
        return (
            dict(zip(random.sample(keys, 5), items, strict=False))
            if random.random() < 0.3
            else items
        )
    scalars = [
        None,
        True,
        0,
        1,
        2,
        -1,
        1.5,
        float("nan"),
        10**30,
        "A",
        "0",
        "?",
        "up",
        "",
        "*",
        {1},
    ]
    return random.choice(scalars)


def read(reader: Callable[[], object]) -> None:
    said = ""
    try:
        reader()
    except InputError as error:
        said = str(error)
    assert len(said) < 600
    assert "\n" not in said


@few_and_many
def test_any_text_is_read_or_refused_by_every_reader(seed: int) -> None:
    random = Random(seed)
    for _ in range(ROUNDS):
        text = random_text(random)
        for reader in (read_board, read_goal, another_board, search_named, heuristic_named):
            read(lambda text=text, reader=reader: reader(text))  # type: ignore[misc]
        for found in read_many(text.splitlines()):
            assert isinstance(found, Board | NotationError)
        read(lambda text=text: read_moves(text))  # type: ignore[misc]


@few_and_many
def test_any_json_value_is_read_or_refused_by_every_reader(seed: int) -> None:
    random = Random(seed)
    for _ in range(ROUNDS):
        value = random_value(random)
        for reader in (board_of_json, goal_of_json, move_of_json):
            read(lambda value=value, reader=reader: reader(value))  # type: ignore[misc]
