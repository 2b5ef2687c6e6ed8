"""The numbers in the prose of Learn: measured here, or counted from the rules of the puzzle."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from math import factorial, sqrt
from typing import Any

import pytest

import taquin as tq
from taquin.search.events import Expanded, Fate, Generated
from taquin.web.site import STATIC

SCRIPT = (STATIC / "learn" / "chapters.js").read_text("utf-8")
USUAL = "8 1 3 / 4 0 2 / 7 6 5"
EASY = "4 1 3 / 0 2 6 / 7 5 8"
LIED = "1 5 2 / 7 3 0 / 8 4 6"
SHORT = "1 2 3 / 0 7 8 / 5 6 4"
LONG = "0 2 5 / 6 1 3 / 7 4 8"
HARDEST = "8 6 7 / 2 5 4 / 3 0 1"
AHEAD = "1 5 2 / 7 4 3 / 8 0 6"
"""The board of the prose, two moves along the shortest solution of LIED."""
PUZZLE = tq.Puzzle(tq.Goal.blank_last(3, 3))
LIAR = "sum(manhattan, misplaced)"


def literal(name: str) -> dict[str, float]:
    """Return the numbers of a constant of the script by their names."""
    block = re.search(rf"export const {name} = {{(.*?)}};", SCRIPT, re.DOTALL)
    assert block
    return {
        key.strip(): float(value)
        for key, value in re.findall(r'"?([\w /]+?)"?: ([\d.]+),', block[1])
    }


@cache
def run(board: str, search: str) -> tq.Result:
    return tq.solve(board, algorithm=search, engine="glass")


def moves(board: str, search: str = "astar(manhattan)") -> int:
    return int(run(board, search).cost or 0)


def expanded(board: str, search: str = "astar(manhattan)") -> int:
    return run(board, search).stats.expanded or 0


def lie(board: tq.BoardLike) -> float:
    """Return what the heuristic of the fourth chapter says, which counts misplaced tiles twice."""
    return tq.estimate("manhattan", board) + tq.estimate("misplaced", board)


def stored(board: str, search: str = "astar(manhattan)") -> int:
    """Return the most boards stored, as the page counts: frontier and expanded, or the path."""
    if search.startswith("ida"):
        return run(board, search).stats.max_frontier or 0
    most = waiting = count = 0
    for event in tq.trace(board, algorithm=search):
        if isinstance(event, Expanded):
            count, waiting = count + 1, event.frontier
        waiting += isinstance(event, Generated) and event.fate is Fate.ENQUEUED
        most = max(most, count + waiting)
    return most


def walks(board: str, length: int) -> list[int]:
    """Return the number of walks of each length that never take a move back at once."""
    blank = board.replace("/", "").split().index("0")
    near = [
        [b for b in range(9) if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1] for a in range(9)
    ]
    ends = Counter({(blank, -1): 1})
    counts = [1]
    for _ in range(length):
        further: Counter[tuple[int, int]] = Counter()
        for (cell, last), count in ends.items():
            for other in near[cell]:
                if other != last:
                    further[other, cell] += count
        ends = further
        counts.append(ends.total())
    return counts


def measured() -> dict[str, Any]:
    """Return what each number of the prose should be."""
    long_walk = walks(USUAL, 60)
    return {
        "arrangements": factorial(9),
        "states": tq.survey(PUZZLE, USUAL).boards,
        "states2x2": factorial(4) // 2,
        "states4x4": factorial(16) // 2,
        "terabytes": round(8 * factorial(16) / 2 / 1e12),
        "farthest": tq.survey(PUZZLE, USUAL).radius,
        "branching": round(sqrt(long_walk[60] / long_walk[58]), 2),
        "walksUsual": walks(USUAL, 14)[14],
        "boardsUsual": len(boards_at(USUAL, 14)),
        "walksHardest": walks(HARDEST, 31)[31],
        "movesEasy": moves(EASY),
        "movesUsual": moves(USUAL),
        "bfsEasy": expanded(EASY, "bfs"),
        "bfsUsual": expanded(USUAL, "bfs"),
        "bfsHardest": expanded(HARDEST, "bfs"),
        "misplacedUsual": expanded(USUAL, "astar(misplaced)"),
        "manhattanUsual": expanded(USUAL),
        "conflictUsual": expanded(USUAL, "astar(linear-conflict)"),
        "misplacedAtStart": tq.estimate("misplaced", USUAL),
        "manhattanAtStart": tq.estimate("manhattan", USUAL),
        "liedShortest": moves(LIED),
        "liedFound": moves(LIED, f"astar({LIAR})"),
        "liedExpanded": expanded(LIED, f"astar({LIAR})"),
        "honestExpanded": expanded(LIED),
        "lie": lie(AHEAD),
        "truth": moves(AHEAD),
        "lieF": 2 + lie(AHEAD),
        "shortMoves": moves(SHORT),
        "shortExpanded": expanded(SHORT),
        "weightedMoves": moves(SHORT, "astar(manhattan, weight=2)"),
        "weightedExpanded": expanded(SHORT, "astar(manhattan, weight=2)"),
        "astarStored": stored(LONG),
        "astarExpanded": expanded(LONG),
        "idaStored": stored(LONG, "idastar(manhattan)"),
        "idaExpanded": expanded(LONG, "idastar(manhattan)"),
        "astarStoredHardest": stored(HARDEST),
        "astarExpandedHardest": expanded(HARDEST),
        "idaStoredHardest": stored(HARDEST, "idastar(manhattan)"),
        "idaExpandedHardest": expanded(HARDEST, "idastar(manhattan)"),
        "beamNarrow": moves(USUAL, "beam(manhattan, width=2)"),
        "beamMiddle": moves(USUAL, "beam(manhattan, width=5)"),
        "beamWide": moves(USUAL, "beam(manhattan, width=10)"),
    }


def boards_at(board: str, depth: int) -> set[tq.Board]:
    """Return the boards at a distance, by plain enumeration."""
    level = {tq.read_board(board)}
    seen = set(level)
    for _ in range(depth):
        level = {child for each in level for _, child in PUZZLE.successors(each)} - seen
        seen |= level
    return level


def test_the_numbers_of_the_prose_are_those_of_the_searches() -> None:
    assert literal("NUMBERS") == measured()
    lengths = literal("BOARDS")
    assert lengths == {board: moves(board, "bfs") for board in lengths}
    by_weight = [expanded(LIED, f"astar(manhattan, weight={weight})") for weight in (1, 2, 5)]
    assert by_weight == sorted(by_weight)
    assert by_weight[0] < by_weight[-1]


def test_the_detour_of_the_heuristic_that_lies_hides_the_shortest_solution() -> None:
    found = run(LIED, f"astar({LIAR})")
    board = tq.read_board(LIED)
    estimates = []
    for g, move in enumerate(found.moves or (), start=1):
        board = dict(PUZZLE.successors(board))[move]
        estimates.append(g + lie(board))
    assert max(estimates) == 2 + lie(AHEAD)
    assert moves(AHEAD) == tq.estimate("manhattan", AHEAD) == moves(LIED) - 2
    seen = [
        event.node.board
        for event in tq.trace(LIED, algorithm=f"astar({LIAR})")
        if isinstance(event, Expanded)
    ]
    assert tq.read_board(AHEAD) not in seen


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_chapter_has_prose_of_a_readable_length(language: str) -> None:
    messages = json.loads((STATIC / "messages" / f"{language}.json").read_text("utf-8"))["learn"]
    words: Counter[str] = Counter()
    for name, message in messages.items():
        if match := re.fullmatch(r"prose-(\w+)-\d+", name):
            words[match[1]] += len(re.findall(r"[^\W\d_]{2,}", message))
            assert set(re.findall(r"\{(\w+)\}", message)) <= set(literal("NUMBERS"))
    assert len(words) == 5
    most = 450 if language == "en" else 530
    assert {name: count for name, count in words.items() if not 250 <= count <= most} == {}
