"""One run of a study, not yet done: what to run, and the key it will be recorded under.

The key is a digest of everything that decides what comes out: board, goal, metric, algorithm with
all its conventions, limits, seed, repetition, version of the code. Labels are no part of it, so a
study that only renames things has nothing to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from typing import Any

from taquin.lab.code_version import code_version
from taquin.lab.record import Cell
from taquin.lab.study import Search, Study
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.conventions import Conventions
from taquin.search.result import Limits

# Every choice differs from it, so that `unlike` writes them all.
_UNLIKE_ANY: Any = Conventions(*[None for _ in fields(Conventions)])  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be done."""

    key: str
    """Names the run for good; see the top of this file."""
    study: str
    """Name of the study."""
    board: str
    """Label of the board."""
    search: str
    """Label of the search."""
    start: Board
    """The board to solve."""
    puzzle: Puzzle
    """What to reach."""
    algorithm: Algorithm | None
    """The algorithm, its seed included; None for what the engine chooses."""
    printed_algorithm: str
    """The algorithm with every convention, its seed left out."""
    limits: Limits
    """When to give up."""
    seed: int | None
    """The seed that the algorithm was given; None for none."""
    repetition: int
    """Which of several equal runs this is, from 1."""
    columns: Mapping[str, Cell]
    """What else the study says about the board and the search."""
    printed: float | None
    """The figure printed in the source document; None for none."""
    code: str
    """Version of the code that is to run it."""


def jobs_of(study: Study, code: str | None = None) -> Iterator[Job]:
    """Yield every run of a study, board by board; `code` is its version, this one unless given.

    Two runs that differ in nothing but labels have the same key.
    """
    code = code_version() if code is None else code
    plans = [
        (search, *plan)
        for search in study.searches
        for plan in _plans(search, study.limits, study.repetitions, code)
    ]
    for case in study.cases:
        place = f"{case.start.text()}\n{case.puzzle.goal.text()}\n{case.puzzle.metric.value}\n"
        for search, algorithm, printed, limits, seed, repetition, rest in plans:
            yield Job(
                key=sha256((place + rest).encode()).hexdigest()[:32],
                study=study.name,
                board=case.label,
                search=search.label,
                start=case.start,
                puzzle=case.puzzle,
                algorithm=algorithm,
                printed_algorithm=printed,
                limits=limits,
                seed=seed,
                repetition=repetition,
                columns={**case.columns, **search.columns},
                printed=case.printed.get(search.label),
                code=code,
            )


def print_algorithm(algorithm: Algorithm | None) -> str:
    """Return an algorithm as text that tells it from every other: with all its conventions.

    >>> from taquin.search.algorithms import AStar
    >>> print_algorithm(AStar())
    'astar(manhattan) duplicates=reached ties=fifo goal_test=expansion directions=DRLU bumps=False'
    """
    if algorithm is None:
        return "best"
    conventions = algorithm.conventions
    if is_dataclass(algorithm) and not isinstance(algorithm, type):
        # Its own text names the conventions that are unusual; here all of them follow it.
        usual = next((each.default for each in fields(algorithm) if each.name == "conventions"), 0)
        if isinstance(usual, Conventions):
            algorithm = replace(algorithm, conventions=usual)
    return f"{algorithm} {' '.join(conventions.unlike(_UNLIKE_ANY))}"


_Plan = tuple[Algorithm | None, str, Limits, int | None, int, str]
"""Algorithm, its text, limits, seed, repetition, and what these add to a key."""


def _plans(
    search: Search, usual: tuple[Limits, ...], repetitions: int, code: str
) -> Iterator[_Plan]:
    """Yield what one search does on each board."""
    printed = print_algorithm(search.algorithm)
    for seed in search.seeds or (None,):
        algorithm = search.algorithm
        if seed is not None:
            algorithm = replace(algorithm, seed=seed)  # type: ignore[type-var]
        for limits in search.limits or usual:
            for repetition in range(1, repetitions + 1):
                told = f"{print_algorithm(algorithm)}\n{_print_limits(limits)}\n"
                rest = f"{told}{seed}\n{repetition}\n{code}"
                yield algorithm, printed, limits, seed, repetition, rest


def _print_limits(limits: Limits) -> str:
    given = [f"{each.name}={getattr(limits, each.name)}" for each in fields(limits)]
    return " ".join(given)
