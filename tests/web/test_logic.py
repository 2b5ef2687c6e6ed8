"""The page's own logic: pure JavaScript, run by Node where there is one, held against the model."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from taquin.heuristics.base import evaluator_for
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import BLANK, WALL, Label, Metric
from taquin.model.puzzle import NAMED_GOALS, Goal, Puzzle
from taquin.model.space import Space

LOGIC = Path(__file__).parent / "logic"
CHANCE = random.Random(11)


def test_the_logic_of_the_page_agrees_with_the_model(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip(
            "there is no node to run JavaScript with; the browser tests run the page itself"
        )
    written = tmp_path / "facts.json"
    written.write_text(json.dumps(facts()))
    files = sorted(str(file) for file in LOGIC.glob("*.test.mjs"))
    environment = os.environ | {"TAQUIN_FACTS": str(written)}
    done = subprocess.run(
        [node, "--import", str(LOGIC.parent / "messages.mjs"), "--test", *files],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def facts() -> dict[str, object]:
    """Return what the model says of random puzzles, all in texts."""
    grids = [random_grid() for _ in range(60)]
    boards = [random_board(grid) for grid in grids]
    goal = Goal.blank_last(2, 3)
    space = Space(Puzzle(goal), Board(goal))
    return {
        "names": list(NAMED_GOALS),
        "admissible": {
            name: evaluator_for(heuristic, space).admissible
            for name, heuristic in HEURISTICS.items()
            if name not in ALIASES
        },
        "goals": [
            {"name": name, "board": written(board), "goal": written(goal_of(name, board.grid))}
            for name in NAMED_GOALS
            for board in boards
        ],
        "boards": [
            {"board": written(board), "metric": metric.value, "after": after(board, metric)}
            for board in boards
            for metric in Metric
        ],
        "met": [met(board) for board in boards for _ in range(3)],
    }


def random_grid() -> Grid:
    rows, columns = CHANCE.randint(2, 6), CHANCE.randint(1, 6)
    cells = range(rows * columns)
    return Grid(rows, columns, frozenset(CHANCE.sample(cells, CHANCE.randint(0, len(cells) // 3))))


def random_board(grid: Grid) -> Board:
    """Return any board with names, fillers and repeated tiles, solvable or not."""
    words: list[Label] = ["A", "B", "constructor", ".", 1, 2, 3, 14]
    labels: list[Label] = [CHANCE.choice(words) for _ in range(len(grid.open_cells) - 1)]
    labels.insert(CHANCE.randint(0, len(labels)), BLANK)
    rest = iter(labels)
    return Board(grid, tuple(WALL if c in grid.walls else next(rest) for c in range(grid.size)))


def goal_of(name: str, grid: Grid) -> Goal:
    return NAMED_GOALS[name](grid.rows, grid.columns, grid.walls)


def after(board: Board, metric: Metric) -> list[str]:
    puzzle = Puzzle(Goal(board), metric)
    return [written(reached) for _, reached in puzzle.successors(board)]


def met(board: Board) -> dict[str, object]:
    """Return whether a board meets a goal that is nearly its own."""
    cells: list[Label] = list(board.cells)
    for cell in board.grid.open_cells:
        if CHANCE.random() < 0.3:
            cells[cell] = "*"
    if CHANCE.random() < 0.5:
        one, other = CHANCE.choices(board.grid.open_cells, k=2)
        cells[one], cells[other] = cells[other], cells[one]
    goal = Goal(board.grid, tuple(cells))
    return {"board": written(board), "goal": written(goal), "met": goal.is_met(board)}


def written(position: Board | Goal) -> str:
    """Return the canonical text; one row ends with a slash, so that it is no square on a line."""
    text = position.text()
    return f"{text} /" if position.grid.rows == 1 else text
