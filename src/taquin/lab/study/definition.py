"""A study: boards × searches × limits × seeds × repetitions, as a value.

    Case    a board with its goal and a label
    Search  an algorithm with a label; with seeds if it makes random choices
    Run     the description of one run, in text and numbers; part of its record
    Job     a run with the objects that it needs

The key of a run is a digest of everything that determines its result: board, goal, metric,
algorithm with all its conventions, limits, seed, repetition, version of the code and the identity
of user code (`identity.py`). Labels are not part of it.

The methods of `Study` that need files, processes or records use the public names of `taquin.lab`,
so that this module does not depend on `taquin.lab.run`.

`read_cases` reads the boards of a study: literal, from files, from named sets, or random; see
docs/lab.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

from taquin import (
    Algorithm,
    Board,
    Goal,
    Grid,
    Limits,
    Metric,
    Puzzle,
    __version__,
    lab,
    random_board,
    random_walk,
)
from taquin.errors import NotationError, UnsuitableError
from taquin.heuristics.user_code import with_source
from taquin.lab.study.identity import SEPARATOR, OwnPart, StudyFiles, own_parts
from taquin.model.puzzle import NAMED_GOALS, named_goal
from taquin.notation import read_board, read_boards, read_goal
from taquin.notation.boards import as_goal
from taquin.notation.fields import LARGEST, MANY, NUMBER, Fields
from taquin.search.grammar import SearchLike, as_search
from taquin.system.files import read_text
from taquin.system.formatting import unknown

ColumnValue = str | int | float | bool
"""A value in a column of a study."""
COLUMN_TYPES = (str, int, float, bool)
"""The types of such a value."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_DECISIVE = ("engine", "heuristics", "model", "search", "tables")
"""The packages that determine the results and counts of a search."""
NO_LIMITS: tuple[Limits, ...] = (Limits(),)


@dataclass(frozen=True, slots=True)
class Case:
    """One board of a study. Raise MismatchError if the goal does not match the board."""

    label: str
    """Its name in reports, unique in the study."""
    start: Board
    puzzle: Puzzle
    columns: Mapping[str, ColumnValue] = field(default_factory=dict)
    """Other facts about it, for the columns and axes of a report: `width = 4`."""
    printed: Mapping[str, float] = field(default_factory=dict)
    """Figures that the source document prints for it, by the label of the search."""

    def __post_init__(self) -> None:
        self.puzzle.check(self.start)


@dataclass(frozen=True, slots=True)
class Search:
    """One search of a study. Raise UnsuitableError for seeds that the algorithm does not use."""

    label: str
    """Its name in reports, unique in the study."""
    algorithm: Algorithm | None
    """The algorithm with its heuristic and conventions; None for the choice of the engine."""
    seeds: tuple[int, ...] = ()
    """One run with each; empty for the algorithm as it is."""
    limits: tuple[Limits, ...] | None = None
    """One run with each; None for the limits of the study."""
    columns: Mapping[str, ColumnValue] = field(default_factory=dict)
    """Other facts about it, for the columns of a report: `heuristic = "manhattan"`."""
    engine: str = "auto"
    """The name of the engine, as in `tq.solve`."""

    def __post_init__(self) -> None:
        if self.seeds and not hasattr(self.algorithm, "seed"):
            raise UnsuitableError(
                f"the search {self.label!r} has seeds, but {self.algorithm or 'best'} makes no "
                f"random choices; searches that do are dfs and ids"
            )


@dataclass(frozen=True, slots=True)
class Study:
    """The runs to do. Raise UnsuitableError for an invalid study."""

    name: str
    """Its name, also of its file of records: letters, digits, `-`, `_` and `.`."""
    cases: tuple[Case, ...]
    searches: tuple[Search, ...]
    """Each runs on every board."""
    limits: tuple[Limits, ...] = NO_LIMITS
    """Every search runs once with each of them."""
    repetitions: int = 1
    """The number of times each run is done."""
    title: str = ""
    """The title of its reports; the name by default."""
    description: str = ""
    """The question and the counts of the study, in a few sentences."""
    notes: tuple[str, ...] = ()
    """Remarks for its reports, such as errata of the source document."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """The `[report]` table of the file, unparsed."""
    record_moves: bool = True
    """Whether records include the moves of the solutions; huge studies may omit them."""
    files: StudyFiles = field(default_factory=StudyFiles)
    """The files that its user code reads."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UnsuitableError(
                f"a study's name has letters, digits, '-', '_' and '.' only, not {self.name!r}"
            )
        boards = [case.label for case in self.cases]
        searches = [search.label for search in self.searches]
        for noun, labels in (("boards", boards), ("searches", searches)):
            if not labels:
                raise UnsuitableError(f"the study {self.name!r} has no {noun}")
            label, count = Counter(labels).most_common(1)[0]
            if count > 1:
                raise UnsuitableError(
                    f"the study {self.name!r} has two {noun} labelled {label!r}; labels must be "
                    f"unique"
                )
        if not self.limits or any(search.limits == () for search in self.searches):
            raise UnsuitableError(f"the study {self.name!r} has an empty list of limits")
        if self.repetitions < 1:
            raise UnsuitableError(f"repetitions must be at least 1, got {self.repetitions}")

    @classmethod
    def of(
        cls,
        name: str,
        boards: Iterable[Board | str] | Mapping[str, Board | str],
        algorithms: Iterable[SearchLike] | Mapping[str, SearchLike],
        *,
        goal: Goal | Puzzle | None = None,
        limits: Limits | Iterable[Limits] = NO_LIMITS,
        seeds: Iterable[int] = (),
        repetitions: int = 1,
        title: str = "",
    ) -> Study:
        """Return a study of boards and algorithms, for programs and notebooks.

        Algorithms may be texts, such as `astar(misplaced)`, or functions of a board. The keys of
        mappings are labels. The default goal is blank-last. `seeds` go to the searches that make
        random choices.

        >>> from taquin.search.algorithms import BreadthFirst
        >>> study = Study.of("tiny", ["1 2 / 0 3", "0 1 / 3 2"], [BreadthFirst(), "astar"])
        >>> [search.label for search in study.searches]
        ['bfs', 'astar(manhattan)']
        """
        numbered = ((str(number), board) for number, board in enumerate(boards, 1))
        cases = []
        for label, board in boards.items() if isinstance(boards, Mapping) else numbered:
            start = Board.parse(board) if isinstance(board, str) else board
            puzzle = goal if isinstance(goal, Puzzle) else Puzzle(as_goal(goal, start))
            cases.append(Case(label, start, puzzle))
        unlabelled = (("", search) for search in algorithms)
        all_seeds, searches = tuple(seeds), []
        for label, search in algorithms.items() if isinstance(algorithms, Mapping) else unlabelled:
            algorithm = as_search(search)
            own_seeds = all_seeds if hasattr(algorithm, "seed") else ()
            searches.append(Search(label or str(algorithm), algorithm, own_seeds))
        all_limits = (limits,) if isinstance(limits, Limits) else tuple(limits)
        return cls(name, tuple(cases), tuple(searches), all_limits, repetitions, title)

    @classmethod
    def read(cls, name: str | PathLike[str]) -> Study:
        """Return the study of a TOML file, or the shipped one of that name; see `read_study`."""
        return lab.read_study(name)

    @property
    def runs(self) -> int:
        """The number of runs; those that differ only in labels count too."""
        lists = ((search.seeds or [None], search.limits or self.limits) for search in self.searches)
        runs_per_board = sum(len(seeds) * len(limits) for seeds, limits in lists)
        return len(self.cases) * self.repetitions * runs_per_board

    def run(
        self,
        store: str | PathLike[str] | None = None,
        *,
        processes: int | None = None,
        cluster: Any = None,
        progress: Callable[[lab.StudyProgress], None] | None = None,
    ) -> lab.Records:
        """Do the runs that have no record, and return the records of the whole study.

        `store` is a folder or an `.sqlite` file; None is the user's data folder. `processes` is the
        number of worker processes: None for one per core, 0 to run in this process. `cluster` is
        the address of a Dask scheduler, `local:N`, the path of a scheduler file, or a
        `distributed.Client`, which stays open. Ctrl-C raises KeyboardInterrupt; finished runs stay
        recorded.
        """
        return lab.run_study(self, store, processes=processes, cluster=cluster, progress=progress)

    def records(self, store: str | PathLike[str] | None = None) -> lab.Records:
        """Return the records of this study so far; run nothing."""
        with lab.Store.of_study(self.name, store) as opened:
            return opened.records_of(self)


@dataclass(frozen=True, slots=True)
class Run:
    """The description of one run of a study."""

    key: str
    """The digest that identifies the run; see the top of this file."""
    study: str
    board: str
    """Label of the board within the study: `P1`, `korf100 7`."""
    search: str
    """Label of the search within the study: `A*`, `IDA* linear-conflict`."""
    start: str
    goal: str
    """Texts of the board and the goal, as `Board.text` and `Goal.text` write them."""
    metric: str
    """The metric: `single` or `multi`."""
    algorithm: str
    """Text of the algorithm without its seed; the engine or `best` if the engine chooses it."""
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    """Seed of the search's random choices; None for a search without any."""
    repetition: int = 1
    """The number of this repetition, from 1."""
    columns: Mapping[str, ColumnValue] = field(default_factory=dict)
    """Other facts about the board and the search: `width`, `obstacles`, `moves` …"""
    printed: float | None = None
    """The figure that the source document prints for this board and search, if any."""
    code: str = ""
    """Version of the code that runs it: release, `+`, digest of the source."""
    own_code: str = ""
    """Name and fingerprint of each piece of user code in it, and of each file that these use."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run to do."""

    run: Run
    start: Board
    puzzle: Puzzle
    algorithm: Algorithm | None
    """The algorithm with its seed; None for the choice of the engine."""
    engine: str = "auto"
    records_moves: bool = True
    """Whether its record includes the moves of the solution."""
    home: str = ""
    """The folder in which user code runs, if the study has files."""

    @property
    def key(self) -> str:
        """The key of the run."""
        return self.run.key


def jobs_of(study: Study, code: str | None = None, home: str = "") -> Iterator[Job]:
    """Yield every run of a study, board by board; `code` is by default the current version.

    `home` is the copy of its files in which user code runs; empty if nothing is to run.
    """
    code = code_version() if code is None else code
    data = study.files.parts(home)
    plans = [plan for search in study.searches for plan in _plans(study, search, code, data, home)]
    for case in study.cases:
        start, goal, metric = case.start.text(), case.puzzle.goal.text(), case.puzzle.metric.value
        for plan, algorithm, engine in plans:
            content = f"{start}\n{goal}\n{metric}\n{plan.key}"
            run = replace(
                plan,
                key=sha256(content.encode()).hexdigest()[:32],
                board=case.label,
                start=start,
                goal=goal,
                metric=metric,
                columns={**case.columns, **plan.columns},
                printed=case.printed.get(plan.search),
            )
            own_home = home if run.own_code else ""
            yield Job(run, case.start, case.puzzle, algorithm, engine, study.record_moves, own_home)


@cache
def code_version() -> str:
    """Return the release and the digest of the packages that determine results: `0.1.0+1f2e3d…`."""
    digest = sha256()
    root = Path(__file__).parents[2]
    for file in sorted(file for package in _DECISIVE for file in (root / package).rglob("*")):
        if file.suffix in (".py", ".cu"):
            digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
            digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"


def _plans(
    study: Study, search: Search, code: str, data: tuple[OwnPart, ...], home: str
) -> Iterator[tuple[Run, Algorithm | None, str]]:
    """Yield the runs of a search without a board, and the algorithm of each.

    The key of such a run is the text of everything but the board that determines its result.
    """
    best = "best" if search.engine == "auto" else search.engine
    # With its source, because workers may not have access to the files of user code.
    portable = with_source(search.algorithm, home)
    own = own_parts(portable)
    if own:
        own += data
    plan = Run(
        *("", study.name, "", search.label, "", "", ""),
        algorithm=str(search.algorithm or best),
        columns=search.columns,
        code=code,
        own_code=SEPARATOR.join(map(str, own)),
    )
    for seed, limits, repetition in product(
        search.seeds or [None], search.limits or study.limits, range(1, study.repetitions + 1)
    ):
        algorithm = portable if seed is None else replace(portable, seed=seed)  # type: ignore[type-var]
        limits_text = " ".join(
            f"{part.name}={getattr(limits, part.name)}" for part in fields(limits)
        )
        fingerprints = [part.fingerprint for part in own]
        identity = (algorithm or best, limits_text, seed, repetition, code, *fingerprints)
        key = "\n".join(map(str, identity))
        run = replace(plan, key=key, limits=limits, seed=seed, repetition=repetition)
        yield run, algorithm, search.engine


_KINDS = ("start", "starts", "file", "set", "scramble", "uniform")
_SIZE = re.compile(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})")
_MOST_CELLS = 10_000
"""The most cells of a random board; larger ones take seconds each."""
_SETS = resources.files("taquin.lab") / "data"


def read_cases(tables: list[Fields], goal: str, metric: Metric, folder: Path) -> list[Case]:
    """Return the boards of every `[[boards]]`; paths are relative to `folder`."""
    cases: list[Case] = []
    labelled = Counter[str]()
    for table in tables:
        entry = _BoardsEntry(table, goal, metric, len(cases), labelled)
        cases += list(entry.cases(folder))
        table.finish()
    return cases


def named_sets() -> list[str]:
    """Return the names of the sets of boards that come with taquin."""
    return names_in(_SETS, ".txt")


def names_in(folder: Traversable, suffix: str) -> list[str]:
    """Return the names of the files with a suffix in a folder of taquin, without the suffix."""
    names = sorted(file.name for file in folder.iterdir())
    return [name.removesuffix(suffix) for name in names if name.endswith(suffix)]


class _BoardsEntry:
    """One `[[boards]]` of a study file."""

    def __init__(
        self, table: Fields, goal: str, metric: Metric, before: int, labelled: Counter[str]
    ) -> None:
        kinds = [kind for kind in _KINDS if kind in table]
        expected = f"one of {', '.join(_KINDS)}"
        if not kinds:
            raise table.missing("", expected, _KINDS)
        if len(kinds) > 1:
            raise table.error("", f"expected {expected}, found {' and '.join(kinds)}")
        self.table, self.kind = table, kinds[0]
        self.label = table.text("label", "")
        self.goal = table.text("goal", goal)
        self.metric = table.member("metric", Metric, metric)
        self.columns = read_columns(table.table("columns"))
        self.before = before
        """The number of boards in the entries before this one."""
        self.labelled = labelled
        """The number of random boards so far with each label, which ends with that number."""
        self.has_goal = "goal" in table
        self.is_reversed = table.flag("reversed")

    def cases(self, folder: Path) -> Iterator[Case]:
        """Yield its boards."""
        if self.kind == "start":
            label = self.label or f"board {self.before + 1}"
            board = self._board("start", self.table.required_text("start"))
            printed = self.table.table("printed").free(NUMBER, "a number")
            yield self._case(label, board, printed=printed)
        elif self.kind == "starts":
            texts = self.table.texts("starts")
            yield from self._numbered("board", (self._board("starts", text) for text in texts))
        elif self.kind == "file":
            path = folder / self.table.required_text("file")
            try:
                boards = read_boards(read_text(path))
            except (OSError, UnicodeDecodeError) as error:
                why = error.strerror if isinstance(error, OSError) else "it is not text"
                raise self.table.error("file", f"{path} cannot be read: {why}") from None
            except NotationError as error:
                raise self.table.error("file", f"{path}, {error}") from None
            yield from self._numbered(path.stem, boards)
        elif self.kind == "set":
            yield from self._of_set(self.table.required_text("set"))
        else:
            yield from self._random(self.table.table(self.kind))

    def _random(self, options: Fields) -> Iterator[Case]:
        goal, size = self._goal_of_size(options)
        count = options.whole("count", 1, MANY, 1)
        seed = options.whole("seed", -LARGEST, LARGEST, 1)
        puzzle = Puzzle(goal, self.metric)
        walks = self.kind == "scramble"
        lengths = options.numbers("moves", most=MANY) if walks else [0]
        backtrack = walks and options.flag("backtrack")
        options.finish()
        if not lengths:
            raise options.missing("moves", "a whole number, or a list of them", [])
        for moves, number in product(lengths, range(1, count + 1)):
            label, columns = self.label or size, dict[str, ColumnValue](size=size)
            if walks:
                board = random_walk(puzzle, moves, seed, number=number, backtrack=backtrack)
                label, columns = f"{label} {moves} moves", {**columns, "moves": moves}
            else:
                board = random_board(goal, seed, number=number)
            columns |= {"board_seed": seed, "board_number": number}
            self.labelled[label] += 1
            yield self._case(f"{label} #{self.labelled[label]}", board, columns)

    def _goal_of_size(self, options: Fields) -> tuple[Goal, str]:
        if self.goal not in NAMED_GOALS:
            if "size" in options:
                raise options.error("size", "leave it out: the goal defines the size")
            goal = self._goal_for(None)
            return goal, f"{goal.grid.rows}x{goal.grid.columns}"
        text = options.required_text("size")
        match = _SIZE.fullmatch(text)
        if match is None:
            raise options.error("size", f'expected rows x columns, such as "3x3", found {text!r}')
        rows, columns = int(match[1]), int(match[2])
        if rows * columns > _MOST_CELLS:
            raise options.error("size", f"expected at most {_MOST_CELLS:,} cells, found {text}")
        with options.blaming("size"):
            return NAMED_GOALS[self.goal](rows, columns), f"{rows}x{columns}"

    def _of_set(self, name: str) -> Iterator[Case]:
        numbers, printed = self.table.numbers("numbers", least=1), self.table.table("printed")
        if name not in named_sets():
            raise self.table.error("set", unknown("set", name, named_sets()))
        goal, lines = _set_lines(name)
        if not self.has_goal:
            self.goal = goal
        for number in numbers or range(1, len(lines) + 1):
            if number > len(lines):
                raise self.table.error(
                    "numbers", f"{name} has boards 1 to {len(lines)}, found {number}"
                )
            label, text, columns = lines[number - 1]
            expected = f"one of {', '.join(columns)}"
            figures = {}
            for search, column in printed.free((str,), expected).items():
                if column not in columns:
                    raise printed.unexpected(search, expected, column)
                figures[search] = columns[column]
            yield self._case(f"{self.label or name} {label}", Board.parse(text), columns, figures)

    def _board(self, key: str, text: str) -> Board:
        with self.table.blaming(key):
            return read_board(text)

    def _numbered(self, noun: str, boards: Iterable[Board]) -> Iterator[Case]:
        for number, board in enumerate(boards, self.before + 1):
            yield self._case(f"{self.label or noun} {number}", board)

    def _case(
        self,
        label: str,
        start: Board,
        columns: Mapping[str, ColumnValue] | None = None,
        printed: Mapping[str, float] | None = None,
    ) -> Case:
        goal = self._goal_for(start.grid)
        if self.is_reversed:
            if not goal.is_full:
                raise self.table.error("reversed", "expected a goal that is one board")
            start, goal = Board(goal.grid, goal.cells), Goal(start.grid, start.cells)
        puzzle = Puzzle(goal, self.metric)
        with self.table.blaming("goal" if self.has_goal else ""):
            return Case(label, start, puzzle, {**(columns or {}), **self.columns}, printed or {})

    def _goal_for(self, grid: Grid | None) -> Goal:
        if grid is not None and self.goal in NAMED_GOALS:
            return named_goal(self.goal, grid)
        with self.table.blaming("goal"):
            return read_goal(self.goal, *((grid.rows, grid.columns) if grid else ()))


def read_columns(table: Fields) -> dict[str, ColumnValue]:
    """Return the columns of a table; raise TaquinError for a value of another type."""
    return table.free(COLUMN_TYPES, "a text, a number or true or false")


def _set_lines(name: str) -> tuple[str, list[tuple[str, str, dict[str, int]]]]:
    """Return the goal of a set, and the label, text and columns of each of its boards."""
    goal, boards = "blank-last", []
    for line in (_SETS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# goal:"):
            goal = line.partition(":")[2].strip()
        elif line and not line.startswith("#"):
            label, text, rest, *_solution = (part.strip() for part in line.split("|"))
            pairs = (pair.partition("=") for pair in rest.split())
            boards.append((label, text, {key: int(value) for key, _, value in pairs}))
    return goal, boards
