"""What requests ask of workers: the fields of a body into a job."""

from __future__ import annotations

from taquin.engine.glass import default_algorithm
from taquin.errors import UnsuitableError
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.contest import By
from taquin.search.result import Limits, Task
from taquin.web.boards import Left, Scramble
from taquin.web.bodies import (
    Fields,
    board_of,
    engine_of,
    goal_on,
    limits_of,
    metric_of,
    puzzle_of,
    refuse_size,
    search_of,
)
from taquin.web.exports import TYPES, Export
from taquin.web.job import Job
from taquin.web.searches import Race, Solve, Trace
from taquin.web.settings import Settings

_LONGEST_WALK = 100_000
"""Most random moves: long after a board is as mixed as it gets."""
_SCRAMBLE_SECONDS = 20.0
"""For a board of an exact distance."""
FEWEST, MOST = 2, 4
"""Searches in a race."""


def solve(fields: Fields, settings: Settings) -> Job:
    """Return the job of solving a board."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search")
    algorithm = None if text is None else search_of(text)
    limits = limits_of(fields, settings, counted_nodes=algorithm is not None)
    return Solve(
        Task(puzzle, start, algorithm, limits),
        engine_of(fields),
        fields.flag("optimal"),
        fields.number("anytime", 0, 1e9),
        fields.number("within", 1, 1e9),
    )


def trace(fields: Fields, settings: Settings) -> Job:
    """Return the job of showing a search step by step."""
    puzzle, start = puzzle_of(fields, settings)
    text = fields.text("search")
    search = default_algorithm(puzzle) if text is None else search_of(text)
    limits = limits_of(fields, settings, counted_nodes=True)
    return Trace(Task(puzzle, start, search, limits), search)


def scramble(fields: Fields, settings: Settings) -> Job:
    """Return the job of making a board."""
    wanted = fields.take("goal")
    like = board_of(fields, wanted, settings)
    rows, columns = fields.whole("rows", 1, 10_000), fields.whole("columns", 1, 10_000)
    if like is None:
        rows, columns = rows or columns or 3, columns or rows or 3
        refuse_size(rows, columns, settings)
    goal = goal_on(wanted, like or Goal.blank_last(rows or 3, columns or 3))
    refuse_size(goal.grid.rows, goal.grid.columns, settings)
    for found, asked in ((goal.grid.rows, rows), (goal.grid.columns, columns)):
        if asked not in (None, found):
            raise UnsuitableError(f"the goal is {goal.grid}, not {rows}×{columns}")
    moves, distance = fields.whole("moves", 0, _LONGEST_WALK), fields.whole("distance", 0, 10**6)
    if moves is not None and distance is not None:
        raise UnsuitableError("choose one of moves and distance")
    return Scramble(
        Puzzle(goal, metric_of(fields)),
        Limits(seconds=min(settings.seconds, _SCRAMBLE_SECONDS), memory=settings.memory),
        fields.whole("seed", 0, 2**63 - 1),
        moves,
        distance,
        None if like is None else tuple(like.labels.elements()),
    )


def race(fields: Fields, settings: Settings) -> Job:
    """Return the job of a race."""
    puzzle, start = puzzle_of(fields, settings)
    searches = tuple(map(search_of, fields.words("searches", FEWEST, MOST)))
    by = By(fields.one_of("by", [each.value for each in By]) or By.EXPANSIONS)
    limits = limits_of(fields, settings, counted_nodes=True)
    return Race(Task(puzzle, start, None, limits), searches, by, fields.number("speed", 1e-6, 1e9))


def left(fields: Fields, settings: Settings) -> Job:
    """Return the job of telling how many moves are left."""
    puzzle, start = puzzle_of(fields, settings)
    return Left(puzzle, start, settings.memory, fields.flag("hint"))


def export(fields: Fields, settings: Settings) -> Job:
    """Return the job of writing a board, or its solution, to a file."""
    puzzle, start = puzzle_of(fields, settings)
    form = fields.one_of("format", list(TYPES))
    if form is None:
        raise UnsuitableError(f"format: expected one of {', '.join(TYPES)}")
    theme = fields.one_of("theme", ("light", "dark"))
    moves = fields.take("moves")
    return Export(puzzle, start, moves, form, None if theme is None else theme == "dark")
