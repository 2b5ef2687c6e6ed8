"""The scripts of the page as Node runs them, held against the model; and as checkers see them."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from taquin import estimate
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.registry import ALIASES, HEURISTICS
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import BLANK, WALL, Label, Metric
from taquin.model.puzzle import NAMED_GOALS, Goal, Puzzle
from taquin.model.solvability import solvability
from taquin.model.space import Space
from taquin.search.driver import trace
from taquin.search.grammar import search_named
from taquin.search.result import Count, Limits
from taquin.views.pictures.scene import Scheme
from taquin.views.records import to_json_lines
from taquin.views.tree import tidy
from taquin.web.site import STATIC
from tests import npm

_HERE = Path(__file__).parent
ROOT = _HERE.parents[1]
_NODE = shutil.which("node")
_SEARCHES = (
    *("astar", "astar(manhattan, ties=lifo)", "astar(misplaced, ties=low-h)"),
    *("astar(manhattan, duplicates=dequeue)", "wastar(manhattan, weight=3)", "greedy", "bfs"),
    *("bfs(scored_by=manhattan)", "ucs", "bidirectional", "mm", "nbs", "arastar", "widastar"),
    *("focal", "potential", "peastar", "bts", "lrtastar", "lss-lrtastar", "hill-climbing"),
    *("annealing", "beam(manhattan, width=3)", "capped-beam", "rbfs", "idastar", "ids", "dfs"),
    *("dfs(max_depth=14)", "dfs(duplicates=dequeue, max_depth=14)"),
)


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with traces of searches, trees with their layout, and facts of the model."""
    folder = tmp_path_factory.mktemp("traces")
    start = Board.parse("8 1 3 / 4 0 2 / 7 6 5")
    puzzle = Puzzle(Goal.blank_last(3, 3))
    for number, text in enumerate(_SEARCHES):
        search = search_named(text)
        # One is long enough to make a film forget its first boards.
        limits = Limits(nodes=1200 if text == "bfs" else 150, counting=Count.EXPANDED)
        events = trace(puzzle, start, search, limits)
        lines = to_json_lines(events, puzzle=puzzle, algorithm=search)
        (folder / f"{number:02} {search.name}.jsonl").write_text("\n".join(lines))
    (folder / "searches.json").write_text(
        json.dumps([str(search_named(text)) for text in _SEARCHES])
    )
    (folder / "facts.json").write_text(json.dumps(facts()))
    (folder / "trees.json").write_text(json.dumps([_tree(seed) for seed in range(30)]))
    return folder


def _tree(seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    parents: list[int | None] = [None]
    for node in range(1, chance.randrange(1, 120)):
        parents.append(None if chance.random() < 0.02 else chance.randrange(node))
    return {"parents": parents, "places": tidy(parents)}


@pytest.mark.skipif(_NODE is None, reason="no node on the PATH to run the page's scripts")
def test_the_pure_scripts_of_the_page_state_facts(traces: Path) -> None:
    # All in one process, which reads the messages and the traces once.
    scripts = [path.as_uri() for path in (_HERE / "messages.mjs", *_HERE.glob("js/*.test.js"))]
    assert len(scripts) > 10
    imports = "".join(f"await import({json.dumps(script)});" for script in scripts)
    done = subprocess.run(
        [str(_NODE), "--input-type=module", "--eval", imports],
        env=os.environ | {"TAQUIN_TRACES": str(traces), "TAQUIN_FACTS": str(traces / "facts.json")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ("typescript", "tsc --project jsconfig.json"),
        ("typescript", "tsc --project jsconfig.strict.json"),
        ("@biomejs/biome", "biome check --error-on-warnings"),
    ],
)
def test_the_page_passes_the_type_checker_and_the_linter(package: str, command: str) -> None:
    if why := npm.why_missing(package):
        pytest.skip(why)
    assert npm.run(*command.split(), folder=ROOT) == ""


CHANCE = random.Random(11)


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
        "hues": [
            {
                "scheme": scheme.value,
                "rows": grid.rows,
                "columns": grid.columns,
                "hues": [
                    15 * int(scheme.role(grid, home).removeprefix("hue-"))
                    for home in range(grid.size)
                ],
            }
            for scheme in Scheme
            for grid in grids
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


DAYS = 400
DAILY = """
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
    script = DAILY.format(module=module, days=json.dumps(days))
    command = [node, "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_daily_boards_are_solvable_far_from_the_goal_and_differ_for_a_year(
    boards: list[dict[str, Any]],
) -> None:
    for board in boards:
        rows, columns, cells = board["rows"], board["columns"], board["cells"]
        puzzle = Puzzle(Goal.blank_last(rows, columns))
        lines = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        start = Board.parse(" / ".join(" ".join(map(str, line)) for line in lines))
        assert solvability(puzzle, start), board
        assert estimate("manhattan", start, puzzle.goal) >= 1.5 * len(cells)
    counts = Counter(tuple(board["cells"]) for board in boards)
    assert [cells for cells, count in counts.items() if count > 1] == []
    sizes = Counter((board["rows"], board["columns"]) for board in boards)
    assert set(sizes) == {(3, 3), (3, 4), (4, 4)}
