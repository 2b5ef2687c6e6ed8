"""`taquin enter`: S0's board typed in tile by tile, and its commentary against a naive S0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from click.testing import CliRunner, Result

from taquin.cli.main import taquin
from tests import truth

PUZZLE04: truth.Cells = (0, 1, 3, 4, 2, 5, 7, 8, 6)
GOAL: truth.Cells = (1, 2, 3, 4, 5, 6, 7, 8, 0)
IMPOSSIBLE: truth.Cells = (1, 2, 3, 4, 5, 6, 8, 7, 0)


def positions(cells: truth.Cells, columns: int = 3) -> str:
    """Return x and y of each tile, one number per line."""
    numbers = []
    for tile in range(len(cells)):
        row, column = divmod(cells.index(tile), columns)
        numbers += [row + 1, column + 1]
    return "".join(f"{number}\n" for number in numbers)


def run(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(taquin, ["enter", *arguments], input=text)


# --- S0, naively ---------------------------------------------------------------------------------


def manhattan(cells: truth.Cells) -> int:
    total = 0
    for cell, tile in enumerate(cells):
        if tile != 0:
            home = int(tile) - 1
            total += abs(cell // 3 - home // 3) + abs(cell % 3 - home % 3)
    return total


def recitation(start: truth.Cells, merged: bool) -> tuple[list[tuple[int, int, int]], int]:
    """Return score, queue and closed length of each try, and the depth of the solution.

    Two lists; children left out only if closed, sorted by depth + score; put at the end of the
    open list, or merged into it in order.
    """
    # Its main never scores the start.
    waiting = [(0, 0, start)]
    closed: list[truth.Cells] = []
    told: list[tuple[int, int, int]] = []
    while True:
        score, depth, cells = waiting.pop(0)
        if cells == GOAL:
            return told, depth
        children = [
            (depth + 1 + manhattan(child), depth + 1, child)
            for child in s0_children(cells)
            if child not in closed
        ]
        children.sort(key=lambda child: child[0])
        waiting += children
        if merged:
            waiting.sort(key=lambda child: child[0])
        closed.append(cells)
        told.append((score, len(waiting), len(closed)))


def s0_children(cells: truth.Cells) -> Iterator[truth.Cells]:
    """Yield the boards with the blank gone right, left, up, down."""
    blank = cells.index(0)
    row, column = divmod(blank, 3)
    for down, right in ((0, 1), (0, -1), (-1, 0), (1, 0)):
        if 0 <= row + down < 3 and 0 <= column + right < 3:
            other = list(cells)
            cell = (row + down) * 3 + column + right
            other[blank], other[cell] = other[cell], other[blank]
            yield tuple(other)


def commentary_of(text: str) -> list[tuple[int, int, int]]:
    values = re.findall(r"^Try \d+: .*g \+ h = \d+ \+ \d+ = (\d+)", text, re.MULTILINE)
    lengths = re.findall(r"^queue length (\d+), closed length (\d+)$", text, re.MULTILINE)
    return [
        (int(value), int(queue), int(closed))
        for value, (queue, closed) in zip(values, lengths, strict=True)
    ]


def some_boards(deepest: int) -> list[truth.Cells]:
    by_depth: dict[int, list[truth.Cells]] = {}
    for cells, depth in truth.eight_puzzle().items():
        by_depth.setdefault(depth, []).append(cells)
    chance = Random(6)
    return [chance.choice(by_depth[depth]) for depth in range(deepest + 1)]


@pytest.mark.parametrize(("algorithm", "deepest"), [("bfs", 6), ("astar", 14)])
def test_the_search_goes_as_in_the_recitation(algorithm: str, deepest: int) -> None:
    for cells in some_boards(deepest):
        told, depth = recitation(cells, merged=algorithm == "astar")
        result = run(positions(cells), "--algorithm", algorithm)
        assert result.exit_code == 0
        assert commentary_of(result.stdout) == told
        tries = f"{len(told)} {'try' if len(told) == 1 else 'tries'}"
        assert result.stdout.endswith(f"Found a solution at depth {depth} in {tries}\n")


# --- entering a board ----------------------------------------------------------------------------


def test_every_tile_is_asked_for_in_turn_the_blank_first_row_and_then_column() -> None:
    shown = run(positions(PUZZLE04)).stdout
    assert "x is the row" in shown
    assert "Try 1: f = g + h = 0 + 0 = 0\n  _ 1 3\n  4 2 5\n  7 8 6\n" in shown
    asked = re.findall(r"^([xy]) of tile (\d)", shown, re.MULTILINE)
    assert asked == [(axis, str(tile)) for tile in range(9) for axis in "xy"]


@pytest.mark.parametrize("slip", ["0", "4", "-1", "one", "", "1 2", "1.5", "9" * 5000, "²", "\x00"])
def test_a_position_that_is_none_is_asked_for_again(slip: str) -> None:
    result = run(f"{slip}\n{positions(PUZZLE04)}")
    assert "Expected a whole number from 1 to 3, found" in result.stdout
    assert result.exit_code == 0
    assert "Found a solution at depth 4" in result.stdout


def test_a_place_that_is_taken_is_asked_for_again() -> None:
    first_two, rest = positions(PUZZLE04)[:4], positions(PUZZLE04)[4:]
    result = run(f"{first_two}1\n1\n{rest}")
    assert "Row 1, column 1 holds tile 0 already; give tile 1 another place." in result.stdout
    assert "Found a solution at depth 4" in result.stdout


@pytest.mark.parametrize("text", ["", "1\n", "1\n1\n1\n"])
def test_an_input_that_ends_early_is_bad_input(text: str) -> None:
    result = run(text)
    assert result.exit_code == 2
    assert "the input ended at the" in result.stderr
    assert "expected x and y of the tiles 0 to 8" in result.stderr


# --- how it ends ---------------------------------------------------------------------------------


FAR = (8, 6, 7, 2, 5, 4, 3, 0, 1)


@pytest.mark.parametrize(
    ("cells", "columns", "words", "status", "said"),
    [
        (GOAL, 3, (), 0, "Solved: f = g + h = 0 + 0 = 0"),
        (GOAL, 3, (), 0, "Found a solution at depth 0 in 0 tries\n"),
        ((1, 0, 3, 4, 2, 5), 3, ("--size", "2x3"), 0, "Found a solution at depth 2"),
        (IMPOSSIBLE, 3, (), 1, "there is no solution"),
        ((2, 1, 3, 0), 2, ("--size", "2x2", "--no-check"), 1, "Search failed"),
        (FAR, 3, ("--max-nodes", "50"), 3, "limit of 50 nodes"),
    ],
)
def test_a_search_ends_with_its_status(
    cells: truth.Cells, columns: int, words: tuple[str, ...], status: int, said: str
) -> None:
    result = run(positions(cells, columns), *words)
    assert (result.exit_code, said in result.stdout) == (status, True)


def test_the_estimate_can_be_the_number_of_misplaced_tiles() -> None:
    result = run(positions((8, 1, 3, 4, 0, 2, 7, 6, 5)), "-H", "misplaced", "--max-nodes", "9")
    assert "Try 1: f = g + h = 0 + 0 = 0" in result.stdout
    assert "Try 2: f = g + h = 1 + 5 = 6" in result.stdout
