"""Solutions in the forms that students return them, each read and replayed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin import classroom
from taquin.errors import UserCodeError
from taquin.search.user_search import read_position, solution_path

START = tq.Board("1 2 3 / 0 5 6 / 4 7 8")
PUZZLE = tq.Puzzle(tq.Goal.blank_last(3, 3))
PATH = [START, *tq.solve(START).boards()[1:]]
"""Three moves: up, left, left of the tiles 4, 7, 8."""


class Way(Enum):
    UP = 1
    DOWN = 2
    LEFT = 3
    RIGHT = 4


@dataclass
class Node:
    """A node as course libraries have it."""

    state: object
    parent: Node | None = None
    action: object = None


def chained(states: list[Any]) -> Node:
    node = Node(states[0])
    for state in states[1:]:
        node = Node(state, node)
    return node


FLAT = [board.cells for board in PATH]
FORMS: dict[str, Any] = {
    "letters": "ULL",
    "names": ["up", "left", "left"],
    "names in capitals": ["UP", "LEFT", "LEFT"],
    "tiles": [4, 7, 8],
    "moves": tq.solve(START).moves,
    "moves of the blank": ["DOWN", "RIGHT", "RIGHT"],
    "letters of the blank": "drr",
    "an enum": [Way.UP, Way.LEFT, Way.LEFT],
    "an enum of the blank": [Way.DOWN, Way.RIGHT, Way.RIGHT],
    "steps of the blank": [(1, 0), (0, 1), (0, 1)],
    "arrows": "↑←←",
    "boards": PATH,
    "boards without the start": PATH[1:],
    "tuples": FLAT,
    "tuples without the start": FLAT[1:],
    "nested lists": [[list(row) for row in board.rows()] for board in PATH],
    "texts": ["".join(map(str, cells)) for cells in FLAT],
    "texts with spaces": [" ".join(map(str, cells)) for cells in FLAT],
    "texts with names for the blank": [
        "".join(map(str, cells)).replace("0", "_") for cells in FLAT
    ],
    "arrays": [np.array(board.rows()) for board in PATH],
    "one array": np.array(FLAT),
    "None for the blank": [tuple(label or None for label in cells) for cells in FLAT],
    "nine for the blank": [tuple(label or 9 for label in cells) for cells in FLAT],
    "a path and its cost": (FLAT, 3),
    "letters and their cost": ("ULL", 3),
    "a path, its cost and a count": (FLAT, 3.0, 17),
    "a node": chained(FLAT),
    "a node and its cost": (chained(FLAT), 3),
    "nodes": [Node(state) for state in FLAT],
    "pairs of action and state": [(None, FLAT[0]), *zip("ULL", FLAT[1:], strict=True)],
    "triples of a successor function": [
        (state, way, 1) for way, state in zip("ULL", FLAT[1:], strict=True)
    ],
    "actions after None": [None, "DOWN", "RIGHT", "RIGHT"],
    "an iterator": iter(FLAT),
    "a deque": deque(FLAT),
    "the assignment's boards": [classroom.Board(board.rows()) for board in PATH],
}


@pytest.mark.parametrize("form", FORMS)
def test_a_solution_is_read_in_any_form(form: str) -> None:
    assert solution_path(FORMS[form], START, PUZZLE, "search") == PATH


def test_a_form_is_accepted_from_a_search() -> None:
    def search(board: tq.Board) -> object:
        return [tuple(cells) for cells in FLAT], 3

    assert tq.solve(START, algorithm=search).cost == 3


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (None, "is a return statement missing?"),
    "a number": (3, "expected moves, letters or boards"),
    "the goal alone": (FLAT[-1], "found a single position: return the moves to it"),
    "the goal alone as a text": ("123456780", "found a single position"),
    "a reversed path": (FLAT[::-1], "reverse the list"),
    "a jump": ([FLAT[0], FLAT[2]], "move 1 leads to a board that is not one move away"),
    "too short": (FLAT[:2], "after 1 move the board is not solved"),
    "an illegal move": (["up", "up", "left"], "move 2: no tile can slide up"),
    "a tile far away": ([4, 1], "move 2: no tile beside the blank has 1"),
    "a word": (["up", "jump"], "expected moves"),
}


@pytest.mark.parametrize("form", WRONG)
def test_a_wrong_solution_is_explained(form: str) -> None:
    answer, reason = WRONG[form]
    with pytest.raises(UserCodeError, match=reason.replace("?", r"\?")) as raised:
        solution_path(answer, START, PUZZLE, "search")
    assert "move 1: move 1" not in str(raised.value)


def test_an_endless_chain_of_parents_is_noticed() -> None:
    node = Node(FLAT[-1])
    node.parent = node
    with pytest.raises(UserCodeError, match="parents"):
        solution_path(node, START, PUZZLE, "search")


@pytest.mark.parametrize(
    "value", ["12", "1234567800", (1, 2), None, 5, [[1, 2], [3, 0]], "123456788"]
)
def test_other_values_are_no_positions(value: object) -> None:
    assert read_position(value, START) is None


def test_large_boards_are_read_too() -> None:
    board = tq.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15")
    readings: list[Callable[[], object]] = [
        lambda: board.cells,
        lambda: " ".join(map(str, board.cells)),
        lambda: [list(row) for row in board.rows()],
        lambda: np.array(board.rows()),
        lambda: [" ".join(map(str, row)) for row in board.rows()],
    ]
    for reading in readings:
        assert read_position(reading(), board) == board
