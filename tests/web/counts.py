"""A program for any Python: solve boards as the page does, and print what each search counted."""

import json
import os
import random
from tempfile import mkdtemp
from typing import Any

from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.search.algorithms import ALGORITHMS
from taquin.system.compiled import can_run_kernels
from taquin.web import browser

# A browser has no folder of the user's, and no package that knows where it is.
os.environ.setdefault("TAQUIN_CACHE", mkdtemp())
BOARDS = 20
COUNTERS = ("expanded", "generated", "enqueued", "dequeued", "duplicates", "max_frontier")


def result_of(**body: object) -> Any:
    """Return the record of a result, through the module that the page calls."""
    pieces: list[str] = []
    stream = browser.respond("/api/solve", json.dumps(body), pieces.append)
    assert isinstance(stream, browser.Stream)
    while stream.advance():
        pass
    event, _, record = "".join(pieces).strip().rpartition("\n\n")[2].partition("\n")
    assert event == "event: result", record
    return json.loads(record.removeprefix("data: "))


puzzle = Puzzle(Goal.blank_last(3, 3))
for number in range(BOARDS):
    board = random_walk(puzzle, random.Random(number).randint(5, 40), seed=number).text()
    for search in ALGORITHMS:
        result = result_of(board=board, search=search, nodes=3000)
        stats = result["stats"]
        print(board, search, result["outcome"], result["cost"], [stats[name] for name in COUNTERS])
if can_run_kernels():
    for number in range(3):
        board = random_board(Goal.blank_last(4, 4), number).text()
        result = result_of(board=board, engine="cpu", optimal=True)
        # The last bound ends with the solution, which another number of threads finds elsewhere.
        print(board, result["cost"], result["bounds"][:-1])
