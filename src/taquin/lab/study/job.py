"""The runs of a study, not yet done: what to run, and the key each will be recorded under.

    Run    what a run is called and made of, in text and numbers; its record holds it too
    Job    a run with the living values that doing it takes

The key is a digest of everything that decides what comes out: board, goal, metric, algorithm with
all its conventions, limits, seed, repetition, version of the code. Labels are no part of it, so a
study that only renames things has nothing to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from taquin._version import __version__
from taquin.lab.study.study import Cell, Search, Study
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.conventions import Conventions
from taquin.search.result import Limits

_DECISIVE = ("engine", "heuristics", "model", "search", "tables")
"""The packages that decide what a search finds and counts."""

# Every choice differs from it, so that `unlike` writes them all.
_UNLIKE_ANY: Any = Conventions(*[None for _ in fields(Conventions)])  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Run:
    """What identifies and describes one run of a study."""

    key: str
    """Names the run for good; see the top of this file."""
    study: str
    """Name of the study."""
    board: str
    """Label of the board within the study: `P1`, `korf100 7`."""
    search: str
    """Label of the search within the study: `A*`, `IDA* linear-conflict`."""
    start: str
    """Text of the board, as `Board.text` writes it."""
    goal: str
    """Text of the goal, as `Goal.text` writes it."""
    metric: str
    """What counts as one move: `single` or `multi`."""
    algorithm: str
    """The algorithm printed with every convention, the seed left out; `best` where the engine is
    to choose."""
    limits: Limits = field(default_factory=Limits)
    """When to give up."""
    seed: int | None = None
    """Seed of the search's random choices; None for a search without."""
    repetition: int = 1
    """Which of several equal runs this is, from 1."""
    columns: Mapping[str, Cell] = field(default_factory=dict)
    """What else the study says about the board and the search: `width`, `obstacles`, `moves` …"""
    printed: float | None = None
    """The figure that the source document prints for this board and search; None for none."""
    code: str = ""
    """Version of the code that is to run it, or did: release, `+`, digest of the source."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be done."""

    run: Run
    """What it is called and made of."""
    start: Board
    """The board to solve."""
    puzzle: Puzzle
    """What to reach."""
    algorithm: Algorithm | None
    """The algorithm, its seed included; None for what the engine chooses."""

    @property
    def key(self) -> str:
        """Return the key of the run."""
        return self.run.key


def jobs_of(study: Study, code: str | None = None) -> Iterator[Job]:
    """Yield every run of a study, board by board; `code` is its version, this one unless given.

    Two runs that differ in nothing but labels have the same key.
    """
    code = code_version() if code is None else code
    plans = [plan for search in study.searches for plan in _plans(study, search, code)]
    for case in study.cases:
        start, goal, metric = case.start.text(), case.puzzle.goal.text(), case.puzzle.metric.value
        for planned, algorithm, rest in plans:
            content = f"{start}\n{goal}\n{metric}\n{rest}"
            run = replace(
                planned,
                key=sha256(content.encode()).hexdigest()[:32],
                board=case.label,
                start=start,
                goal=goal,
                metric=metric,
                columns={**case.columns, **planned.columns},
                printed=case.printed.get(planned.search),
            )
            yield Job(run, case.start, case.puzzle, algorithm)


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


@cache
def code_version() -> str:
    """Return the release and the digest of the decisive source: `0.1.0+1f2e3d4c5b6a`.

    A release alone would not tell a changed search from the one before it.
    """
    digest = sha256()
    for package in _DECISIVE:
        for name, file in _sources(resources.files("taquin") / package, package):
            digest.update(f"{name}\0".encode())
            digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of source code in a folder and below, each with its path."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{path}/{each.name}"
        if each.is_dir():
            yield from _sources(each, name)
        elif name.endswith((".py", ".cu")):
            yield name, each


def _plans(study: Study, search: Search, code: str) -> Iterator[tuple[Run, Algorithm | None, str]]:
    """Yield what a search does on each board: the run but for the board, and its part of a key."""
    plain = Run(
        *("", study.name, "", search.label, "", "", ""),
        algorithm=print_algorithm(search.algorithm),
        columns=search.columns,
        code=code,
    )
    for seed in search.seeds or (None,):
        algorithm = search.algorithm
        if seed is not None:
            algorithm = replace(algorithm, seed=seed)  # type: ignore[type-var]
        for limits in search.limits or study.limits:
            given = " ".join(f"{each.name}={getattr(limits, each.name)}" for each in fields(limits))
            for repetition in range(1, study.repetitions + 1):
                run = replace(plain, limits=limits, seed=seed, repetition=repetition)
                told = (print_algorithm(algorithm), given, seed, repetition, code)
                yield run, algorithm, "\n".join(map(str, told))
