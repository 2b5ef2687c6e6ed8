"""The scripts of the page, where they are pure: run by Node, where there is one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.driver import trace
from taquin.search.grammar import search_named
from taquin.search.result import Count, Limits
from taquin.views.records import to_json_lines
from taquin.views.tree import tidy

_HERE = Path(__file__).parent
_NODE = shutil.which("node")
_SEARCHES = (
    "astar",
    "astar(manhattan, ties=lifo)",
    "astar(misplaced, ties=low-h)",
    "astar(manhattan, duplicates=dequeue)",
    "wastar(manhattan, weight=3)",
    "greedy",
    "bfs",
    "bfs(scored_by=manhattan)",
    "ucs",
    "bidirectional",
    "mm",
    "nbs",
    "arastar",
    "widastar",
    "focal",
    "potential",
    "peastar",
    "bts",
    "lrtastar",
    "lss-lrtastar",
    "hill-climbing",
    "annealing",
    "beam(manhattan, width=3)",
    "capped-beam",
    "rbfs",
    "idastar",
    "ids",
    "dfs",
    "dfs(max_depth=14)",
    "dfs(duplicates=dequeue, max_depth=14)",
)


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a trace of each search, and trees with the places of their nodes."""
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
    (folder / "trees.json").write_text(json.dumps([_tree(seed) for seed in range(30)]))
    return folder


def _tree(seed: int) -> dict[str, object]:
    random = Random(seed)
    parents: list[int | None] = [None]
    for node in range(1, random.randrange(1, 120)):
        parents.append(None if random.random() < 0.02 else random.randrange(node))
    return {"parents": parents, "places": tidy(parents)}


@pytest.mark.skipif(_NODE is None, reason="no node on the PATH to run the page's scripts")
def test_the_pure_scripts_of_the_page_state_facts(traces: Path) -> None:
    scripts = sorted(str(path) for path in _HERE.glob("js/*.test.js"))
    assert scripts
    done = subprocess.run(
        [str(_NODE), "--import", str(_HERE / "messages.mjs"), "--test", *scripts],
        env=os.environ | {"TAQUIN_TRACES": str(traces)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
