"""15-puzzles that Node solves by the kernels alone, without Python, against the engine."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from base64 import b64encode
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import taquin
from taquin.engine.cpu.automaton import STEPS, Word, known_words
from taquin.engine.cpu.engine import Cpu
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import Label
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.system.compiled import sources_digest
from tests import naive, truth

_SCRIPT = Path(__file__).with_name("optimal.mjs")
_OPERATORS = Path(taquin.__file__).parent / "web" / "static" / "optimal" / "operators.js"
_LIBRARY = Path(taquin.__file__).parent / "native" / "emscripten-wasm32.so"
_NODE = shutil.which("node")
Cells: TypeAlias = tuple[int, ...]
KORF_GOAL: Cells = tuple(range(16))
_CHANCE = random.Random(15)
CORNERS: tuple[Cells, ...] = (
    (*range(1, 16), 0),
    KORF_GOAL,
    # The snake, and any labels.
    (1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12, 0, 15, 14, 13),
    (70, 2, 30, 0, *_CHANCE.sample(range(100, 200), 12)),
)


def in_node(goals: dict[Cells, list[Cells]]) -> list[dict[str, Any]]:
    """Return the solutions of boards by goal."""
    if _NODE is None:
        pytest.skip("no node on the PATH to run the page's scripts")
    if sources_digest().encode() not in _LIBRARY.read_bytes():
        pytest.skip("the library for WebAssembly is older than the sources of the kernels")
    listed = [{"goal": goal, "boards": boards} for goal, boards in goals.items()]
    done = subprocess.run(
        [_NODE, str(_SCRIPT)],
        input=json.dumps({"library": str(_LIBRARY), "goals": listed}),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    solutions: list[dict[str, Any]] = json.loads(done.stdout)
    return solutions


def by_engine(goal: Cells, boards: list[Cells]) -> list[dict[str, Any]]:
    """Return what Node says of boards, as the engine finds it on one thread."""
    grid = Grid(4, 4)
    puzzle = Puzzle(Goal(Board(grid, goal)))
    tasks = [Task(puzzle, Board(grid, board)) for board in boards]
    solutions = []
    results = Cpu("small", 1).solve_many(tasks, Control(tasks[0].limits))
    for board, result in zip(boards, results, strict=True):
        assert result.moves is not None
        cells: list[Label] = [*board]
        blank = board.index(0)
        blanks = [blank]
        for move in result.moves:
            near = cells.index(move.tiles[0])
            cells[blank], cells[near], blank = cells[near], cells[blank], near
            blanks.append(blank)
        bounds = [{"bound": bound, "nodes": nodes} for bound, nodes in result.bounds]
        solutions.append({"cells": blanks, "bounds": bounds})
    return solutions


def test_shortest_solutions_and_nodes_without_python_are_those_of_the_engine() -> None:
    easy = [board for board, _ in islice(truth.published("korf100.txt").values(), 3)]
    goals = {
        goal: [goal, *(naive.shuffled(4, 4, goal, steps, _CHANCE) for steps in (5, 80))]
        for goal in CORNERS
    }
    goals[KORF_GOAL] += easy
    found = in_node(goals)
    assert found == [each for goal, boards in goals.items() for each in by_engine(goal, boards)]


@pytest.mark.slow
def test_all_of_korfs_instances_without_python() -> None:
    boards = [board for board, _ in truth.published("korf100.txt").values()]
    lengths = [length for _, (_, length, *_) in truth.published("korf100.txt").values()]
    found = in_node({KORF_GOAL: boards})
    assert [len(each["cells"]) - 1 for each in found] == lengths
    assert found == by_engine(KORF_GOAL, boards)


def test_the_page_has_the_duplicate_operators_of_the_engine() -> None:
    expected = prefixes(known_words(4, 4))
    assert f'"{expected}"' in _OPERATORS.read_text(encoding="utf-8")


def prefixes(words: tuple[Word, ...]) -> str:
    """Return the text in which `operators.js` has these words."""
    nodes = [b""]
    known = {word[:length] for word in words for length in range(len(word) + 1)}
    sets = []
    for node in nodes:
        longer = [direction for direction, step in enumerate(STEPS) if node + step in known]
        nodes += [node + STEPS[direction] for direction in longer]
        sets.append(sum(1 << direction for direction in longer))
    halves = zip_longest(sets[::2], sets[1::2], fillvalue=0)
    return b64encode(bytes(low | high << 4 for low, high in halves).rstrip(b"\0")).decode()
