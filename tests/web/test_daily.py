"""The daily boards that the page makes, held against the model."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest

from taquin import Goal, Puzzle, estimate
from taquin.model.board import Board
from taquin.model.solvability import solvability
from taquin.web.site import STATIC

DAYS = 400
SCRIPT = """
const {{ dailyBoard }} = await import({module});
const boards = {days}.map(dailyBoard);
process.stdout.write(JSON.stringify(boards));
"""


@pytest.fixture(scope="module")
def boards() -> list[dict[str, Any]]:
    """Return the boards of some days in a row."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript with")
    first = date(2026, 11, 18)
    days = [(first + timedelta(number)).isoformat() for number in range(DAYS)]
    module = json.dumps((STATIC / "play" / "daily.js").as_uri())
    script = SCRIPT.format(module=module, days=json.dumps(days))
    command = [node, "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_every_daily_board_is_solvable_and_far_from_the_goal(boards: list[dict[str, Any]]) -> None:
    for board in boards:
        rows, columns, cells = board["rows"], board["columns"], board["cells"]
        puzzle = Puzzle(Goal.blank_last(rows, columns))
        lines = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        start = Board.parse(" / ".join(" ".join(map(str, line)) for line in lines))
        assert solvability(puzzle, start), board
        assert estimate("manhattan", start, puzzle.goal) >= 1.5 * len(cells)


def test_no_two_days_of_a_year_have_the_same_board(boards: list[dict[str, Any]]) -> None:
    counts = Counter(tuple(board["cells"]) for board in boards)
    assert [cells for cells, count in counts.items() if count > 1] == []
    sizes = Counter((board["rows"], board["columns"]) for board in boards)
    assert set(sizes) == {(3, 3), (3, 4), (4, 4)}
