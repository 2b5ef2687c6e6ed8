"""A study: boards × searches × limits × seeds × repetitions, as a value.

    cases       P1 P2 P3 …             each a board, its goal, and what to call it
    searches    BFS  A*  DFS           each an algorithm, and what to call it
    limits      1,000  10,000 nodes    usually one
    seeds       1 2 3 …                only for searches that draw lots
    repetitions 1                      more to see how much the clock varies

A study knows nothing of files, processes or records. Its methods that do go through the front door
of the package, `taquin.lab`, as any program would, so that nothing here depends on what runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

from taquin.engine.choose import default_goal
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.result import Limits

if TYPE_CHECKING:
    from taquin.lab import Progress, Records

Cell = str | int | float | bool
"""What a column of a study may hold."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

NO_LIMITS: tuple[Limits, ...] = (Limits(),)
"""Search until the end."""


@dataclass(frozen=True, slots=True)
class Case:
    """One board of a study. Raise MismatchError when the goal is not one for this board."""

    label: str
    """What reports call it; no two cases of a study share one."""
    start: Board
    """The board to solve."""
    puzzle: Puzzle
    """What to reach, and what counts as one move."""
    columns: Mapping[str, Cell] = field(default_factory=dict)
    """What else is known about it, for the columns and axes of a report: `width = 4`."""
    printed: Mapping[str, float] = field(default_factory=dict)
    """Figures that the source document prints for it, by the label of the search."""

    def __post_init__(self) -> None:
        self.puzzle.check(self.start)


@dataclass(frozen=True, slots=True)
class Search:
    """One search of a study. Raise UnsuitableError for seeds the algorithm has no use for."""

    label: str
    """What reports call it; no two searches of a study share one."""
    algorithm: Algorithm | None
    """The algorithm with its heuristic and conventions; None lets the engine choose the best."""
    seeds: tuple[int, ...] = ()
    """One run with each; empty for the algorithm just as it is."""
    limits: tuple[Limits, ...] | None = None
    """When to give up, one run for each; None for the limits of the study."""
    columns: Mapping[str, Cell] = field(default_factory=dict)
    """What else is known about it, for the columns of a report: `heuristic = "manhattan"`."""

    def __post_init__(self) -> None:
        if self.seeds and not hasattr(self.algorithm, "seed"):
            raise UnsuitableError(
                f"the search {self.label!r} has seeds, but {self.algorithm or 'best'} draws no "
                f"lots; searches that do are dfs and ids"
            )


@dataclass(frozen=True, slots=True)
class Study:
    """What to run. Raise UnsuitableError for a study that cannot be one."""

    name: str
    """Its name, and that of its file of records: letters, digits, `-`, `_` and `.`."""
    cases: tuple[Case, ...]
    """The boards."""
    searches: tuple[Search, ...]
    """The searches, each run on every board."""
    limits: tuple[Limits, ...] = NO_LIMITS
    """When to give up; every search runs once with each."""
    repetitions: int = 1
    """How often each run is done."""
    title: str = ""
    """One line that heads its reports; the name where empty."""
    description: str = ""
    """What it asks, and what is counted, in a few sentences."""
    notes: tuple[str, ...] = ()
    """Remarks for its reports, such as errata of the source document."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """How to show it: the `[report]` table of the file, just as it stands there."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UnsuitableError(
                f"a study's name has letters, digits, '-', '_' and '.' only, not {self.name!r}"
            )
        for what, found in (("boards", self.cases), ("searches", self.searches)):
            if not found:
                raise UnsuitableError(f"the study {self.name!r} has no {what}")
            seen = set()
            for each in found:
                if each.label in seen:
                    raise UnsuitableError(
                        f"the study {self.name!r} has two {what} labelled {each.label!r}; "
                        f"give each a label of its own"
                    )
                seen.add(each.label)
        if not self.limits or any(search.limits == () for search in self.searches):
            raise UnsuitableError(f"the study {self.name!r} has an empty list of limits")
        if self.repetitions < 1:
            raise UnsuitableError(f"repetitions must be 1 or more, not {self.repetitions}")

    @classmethod
    def of(
        cls,
        name: str,
        boards: Iterable[Board | str] | Mapping[str, Board | str],
        algorithms: Iterable[Algorithm] | Mapping[str, Algorithm],
        *,
        goal: Goal | Puzzle | None = None,
        limits: Limits | Iterable[Limits] = NO_LIMITS,
        seeds: Iterable[int] = (),
        repetitions: int = 1,
        title: str = "",
    ) -> Study:
        """Return the study of plain boards and algorithms, for programs and notebooks.

        Mappings give the labels; otherwise boards are numbered from 1 and searches are called
        what they print as. The goal is blank-last when not given; a puzzle is a goal with a metric.
        `seeds` go to the searches that draw lots.

        >>> from taquin.search.algorithms import AStar, BreadthFirst
        >>> study = Study.of("tiny", ["1 2 / 0 3", "0 1 / 3 2"], [BreadthFirst(), AStar()])
        >>> [search.label for search in study.searches]
        ['bfs', 'astar(manhattan)']
        """
        named_boards = (
            boards.items()
            if isinstance(boards, Mapping)
            else ((str(number), board) for number, board in enumerate(boards, 1))
        )
        named_searches = (
            algorithms.items()
            if isinstance(algorithms, Mapping)
            else ((str(algorithm), algorithm) for algorithm in algorithms)
        )
        given_seeds = tuple(seeds)
        cases = []
        for label, board in named_boards:
            start = Board.parse(board) if isinstance(board, str) else board
            puzzle = goal if isinstance(goal, Puzzle) else Puzzle(goal or default_goal(start))
            cases.append(Case(label, start, puzzle))
        return cls(
            name=name,
            cases=tuple(cases),
            searches=tuple(
                Search(label, algorithm, given_seeds if hasattr(algorithm, "seed") else ())
                for label, algorithm in named_searches
            ),
            limits=(limits,) if isinstance(limits, Limits) else tuple(limits),
            repetitions=repetitions,
            title=title,
        )

    @classmethod
    def read(cls, name: str | PathLike[str]) -> Study:
        """Return the study of a TOML file, or the shipped one of that name.

        Raise TaquinError that names the key at fault.
        """
        from taquin import lab

        return lab.read_study(name)

    @property
    def runs(self) -> int:
        """Return how many runs there are, those that differ only in labels counted each."""
        of_a_board = sum(
            max(1, len(search.seeds)) * len(search.limits or self.limits)
            for search in self.searches
        )
        return len(self.cases) * self.repetitions * of_a_board

    def run(
        self,
        store: str | PathLike[str] | None = None,
        *,
        processes: int | None = None,
        cluster: str | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Records:
        """Run what is not yet recorded, and return the records of the whole study.

        `store` is a folder or an `.sqlite` file; None stands for the user's data folder.
        `processes` is their number, None for one per core, 0 for this very process. `cluster` is
        the address of a Dask scheduler, or `local:N`. Ctrl-C raises KeyboardInterrupt and keeps
        what is done.
        """
        from taquin import lab

        return lab.run_study(self, store, processes=processes, cluster=cluster, progress=progress)

    def records(self, store: str | PathLike[str] | None = None) -> Records:
        """Return what is recorded of this study so far, and run nothing."""
        from taquin import lab

        with lab.Store.of_study(self.name, store) as opened:
            return opened.records_of(self)
