"""Options that commands share; a group of options arrives as one value.

    @problem_options, @limit_options()    BOARD, --goal, --metric; --max-nodes and other limits
    @search_options, @engine_options      --algorithm takes a search expression, which --heuristic
                                          and --like complete; --engine, --threads, …
    @picture_options(…)                   --output, --format, --size, --dark, --photo

A command with `@problem_options` and `@limit_options()` is called with `problem: BoardArguments`
and `limits: Limits`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import EISDIR, ENOENT
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import click

from taquin import Board, Grid, Limits, Metric, Puzzle, TaquinError
from taquin.cli.command import (
    AMOUNT,
    BYTES,
    SIZE,
    TIME,
    Decorator,
    completing,
    flag,
    gathered,
    int_option,
    number_type,
    option,
)
from taquin.cli.inputs import goal_of, lines_of, start_of
from taquin.cli.screen import is_terminal, say, status_line
from taquin.engine.task import ENGINES, PATIENCE, Auto, Wishes, engine_named
from taquin.errors import InputError, NotationError, UnsuitableError
from taquin.heuristics.registry import HEURISTICS
from taquin.model.puzzle import NAMED_GOALS
from taquin.notation import MAX_CELLS, read_boards, read_many
from taquin.search import Count
from taquin.search.algorithms import ALGORITHMS
from taquin.search.run import SOURCES
from taquin.system.machine import safe_memory
from taquin.tables.patterns import NAMED_SETS

if TYPE_CHECKING:
    from taquin.analysis.likeness import Likeness
    from taquin.search.result import Result
    from taquin.search.run import Algorithm
    from taquin.views.pictures.drawings import Drawing
    from taquin.views.pictures.scene import Cover

_MAX_FAULTS = 2000
"""Errors that are held back while the input may still be boards of several lines."""


@dataclass(frozen=True, slots=True)
class BoardArguments:
    """The arguments that name a board, its goal and the metric."""

    board: tuple[str, ...]
    """The arguments of BOARD: a board, a file name, `-`, or nothing for standard input."""
    goal: str
    """The name of a goal, a goal, or a file name."""
    metric: Metric = Metric.SINGLE

    def read(self) -> tuple[Puzzle, Board]:
        """Return the puzzle and the start; raise TaquinError if they cannot be read."""
        start = start_of(self.board, self.goal)
        puzzle = self.puzzle_on(start.grid)
        puzzle.check(start)
        return puzzle, start

    def read_each(self) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield the puzzle and the start of each line or block of lines, or the error in it."""
        return self.checked(self.boards_in(lines_of(self.board)))

    @property
    def is_classic(self) -> bool:
        """Whether boards need numbered tiles, each once."""
        return self.goal in NAMED_GOALS

    def boards_in(self, lines: Iterable[str]) -> Iterator[Board | NotationError]:
        """Yield the board of each line, or of each block of lines if no line is a board."""
        first_lines: list[str] = []
        faults: list[NotationError] = []
        is_undecided = True

        def remembered() -> Iterator[str]:
            for line in lines:
                if is_undecided:
                    first_lines.append(line)
                yield line

        for board in read_many(remembered(), self.is_classic):
            if is_undecided and isinstance(board, NotationError) and len(faults) < _MAX_FAULTS:
                faults.append(board)
                continue
            is_undecided = False
            yield from faults
            faults.clear()
            yield board
        if faults:
            # No line is a board by itself.
            with suppress(NotationError):
                yield from read_boards("".join(first_lines), self.is_classic)
                return
        yield from faults

    def checked(
        self, boards: Iterable[Board | TaquinError]
    ) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield each board with its puzzle, or the error in it; errors are passed on."""
        puzzle_on = cache(self.puzzle_on)
        for board in boards:
            try:
                if isinstance(board, TaquinError):
                    raise board
                puzzle = puzzle_on(board.grid)
                puzzle.check(board)
            except TaquinError as error:
                yield error
            else:
                yield puzzle, board

    def puzzle_on(self, grid: Grid) -> Puzzle:
        """Return the puzzle for boards on `grid`; raise TaquinError if it cannot be read."""
        return Puzzle(goal_of(self.goal, grid), self.metric)


def valid_boards(
    entries: Iterable[tuple[Puzzle, Board] | TaquinError],
) -> tuple[list[tuple[Puzzle, Board]], bool]:
    """Return the boards among `entries`, and whether there are errors; print the errors.

    Raise TaquinError or UsageError if no board is left.
    """
    boards: list[tuple[Puzzle, Board]] = []
    errors: list[TaquinError] = []
    for entry in entries:
        if isinstance(entry, TaquinError):
            errors.append(entry)
        else:
            boards.append(entry)
    if not boards and len(errors) == 1:
        raise errors[0]
    for error in errors:
        say(f"Error: {error}")
    if not boards and errors:
        raise InputError("no board is left")
    if not boards:
        raise click.UsageError("expected a board on each line, found none")
    return boards, bool(errors)


def grid_of(size: tuple[int, int]) -> Grid:
    """Return the grid of a size; raise UsageError if it has more cells than a board may have."""
    rows, columns = size
    if rows * columns > MAX_CELLS:
        most = f"up to {MAX_CELLS:,} cells, such as 100x100"
        raise click.UsageError(f"expected {most}; {rows}×{columns} has {rows * columns:,}")
    return Grid(rows, columns)


def size_argument(required: bool = False) -> Decorator:
    """Return a decorator that adds the size of a grid, `4x4` or `4 4`; None if it is not given."""

    def joined(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> Any:
        return SIZE.convert(" ".join(values), None, ctx) if values else None

    metavar = "SIZE" if required else "[SIZE]"
    return click.argument("size", nargs=-1, required=required, metavar=metavar, callback=joined)


board_argument = click.argument("board", nargs=-1, metavar="[BOARD | FILE | -]")
goal_option = option(
    "Puzzle",
    "--goal -g GOAL",
    "blank-last, blank-first, snail, or a board with * where any tile will do.",
    default="blank-last",
)
metric_option = option(
    "Puzzle",
    "--metric",
    "What counts as one move: a tile, or a slide of several in a line.",
    one_of=Metric,
    default=Metric.SINGLE.value,
)
size_option = option("Puzzle", "--size", "Rows x columns of the board.", type=SIZE, default="3x3")
cluster_option = option(
    "Engine",
    "--cluster ADDRESS",
    "A Dask cluster: the address of its scheduler, such as tcp://host:8786, or its scheduler file; "
    "local:N starts N workers here.",
)
threads_option = int_option("Engine", "--threads", "Number of threads.  [default: one per core]")
json_option = flag("Output", "--json as_json", "Print JSON.")
OutputFormat = Literal["text", "json", "csv"]
"""The format in which a command prints records."""


def _output_format(as_json: bool, as_csv: bool) -> OutputFormat:
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    return "json" if as_json else "csv" if as_csv else "text"


format_options = gathered(
    _output_format,
    "output",
    json_option,
    flag("Output", "--csv as_csv", "Print comma-separated values."),
)

position_options = gathered(BoardArguments, "problem", board_argument, goal_option)
problem_options = gathered(BoardArguments, "problem", board_argument, goal_option, metric_option)


_SECONDS_HELP = "Time limit in seconds; includes loading and building tables."


def seconds_option(default: float | None = None, help: str = _SECONDS_HELP) -> Decorator:
    """Return a decorator that adds the limit on time."""
    return option("Limits", "--max-seconds S seconds", help, type=TIME, default=default)


memory_option = option(
    "Limits",
    "--max-memory memory",
    "Memory limit: 500M, 2GB.  [default: ¾ of the machine's]",
    type=BYTES,
    default=safe_memory,
)


nodes_option = option("Limits", "--max-nodes nodes", "Node limit: 5000, 1e6, 2M.", type=AMOUNT)
depth_option = int_option("Limits", "--max-depth depth", "Limit on the moves of a path.", least=0)


def limits_of(*options: Decorator) -> Decorator:
    """Return a decorator that adds some of the limits, as the argument `limits`."""
    return gathered(Limits, "limits", *options)


def limit_options(max_seconds: float | None = None) -> Decorator:
    """Return a decorator that adds all limits; `max_seconds` is the default limit on time."""
    return limits_of(
        nodes_option,
        seconds_option(max_seconds),
        depth_option,
        memory_option,
        option(
            "Limits",
            "--count WHICH counting",
            "The counter that --max-nodes limits: expanded, generated, enqueued, dequeued.",
            one_of=Count,
            default=Count.GENERATED.value,
        ),
    )


resource_limit_options = limits_of(seconds_option(), memory_option)
"""Adds the limits on time and memory to a command."""


_INSIST = "; --optimal insists"
"""How to insist on a shortest solution."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of a search; None for those that were not given."""

    algorithm: str | None = None
    heuristic: str | None = None
    like: str | None = None

    @property
    def likeness(self) -> Likeness | None:
        """The source whose conventions the search follows, if any."""
        if self.like is None:
            return None
        from taquin.analysis.likeness import LIKENESSES

        return LIKENESSES[self.like]

    def count_sentence(self, result: Result) -> str:
        """Return a sentence with the count that the source reports; empty without a source."""
        return self.likeness.sentence(result.algorithm, result.stats) if self.likeness else ""

    def chosen(self, default: Algorithm | None = None) -> Algorithm | None:
        """Return the algorithm asked for, or `default`; a heuristic alone replaces that of A*."""
        options: dict[str, Any] = {"heuristic": self.heuristic} if self.heuristic else {}
        if not options and self.algorithm is None and self.likeness is None:
            return default
        # Imported late: most boards are solved by an engine.
        from taquin.search.grammar import parts_of, search_from_options

        make = self.likeness.search if self.likeness else search_from_options
        if self.algorithm is not None:
            name, written = parts_of(self.algorithm)
            if "heuristic" in written and options:
                raise UnsuitableError(f"heuristic is given twice, the first time in {name}(…)")
            return make(name, {**written, **options})
        if self.likeness is not None:
            return make(self.likeness.default, options)
        if default is not None:
            options |= default.conventions.chosen()
        return make(default.name if default else "astar", options)


def like_json(likeness: Likeness | None, result: Result) -> dict[str, Any]:
    """Return a JSON object with the count that a source reports, under the key `like`."""
    if likeness is None:
        return {}
    number = likeness.counter(result.algorithm, result.stats)
    return {"like": {"source": likeness.source, "count": likeness.count, "value": number}}


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of an engine; their help texts explain them."""

    engine: str | None = None
    tables: str | None = None
    threads: int | None = None
    cluster: str | None = None
    anytime: bool = False
    optimal: bool = False
    within: float | None = None

    def wishes(self, algorithm: Algorithm | None, once: bool) -> Wishes:
        """Return what is asked for; `once` if it is for a single board."""
        if algorithm is not None and self.engine is None and self != EngineOptions():
            raise click.UsageError(f"{algorithm} does not support options of engines")
        if self.optimal and (self.anytime or self.within is not None):
            raise click.UsageError("--optimal cannot be combined with --anytime or --within")
        is_anytime = self.anytime or self.within is not None
        # Auto may choose an engine that does not support tables of the user's own.
        has_own = self.tables is not None and self.tables not in (*NAMED_SETS, "none")
        name = self.engine or ("anytime" if is_anytime else "cpu" if has_own else "auto")
        if self.cluster is not None and self.engine is None and not is_anytime:
            name = "cluster"
        if self.cluster is not None and not name.startswith("cluster"):
            raise click.UsageError(f"--engine {name} does not support --cluster; omit --engine")
        settings = {"tables": self.tables, "threads": self.threads, "address": self.cluster}
        engine = engine_named(name, within=self.within, **settings)
        if not isinstance(engine, Auto):
            return Wishes(engine)
        engine = replace(engine, once=once, only_optimal=self.optimal)
        # A person at a terminal prefers a good solution to an endless wait.
        is_watched = once and is_terminal(sys.stdout)
        return Wishes(engine, patience=PATIENCE if is_watched else None, advice=_INSIST)


engine_options = gathered(
    EngineOptions,
    "engine",
    option(
        "Engine",
        "--engine NAME",
        f"auto (the first that fits), {', '.join(ENGINES)}; see taquin engines.",
        shell_complete=completing(["auto", *ENGINES]),
    ),
    option(
        "Engine",
        "--tables SET",
        "Pattern databases of the compiled search: small, medium, large, none, or a set of your "
        "own, such as AAAB/AAAB/CCCB/CCC. (see taquin tables build). With --metric multi, large "
        "builds tables of slides, and small uses them where they are.  [default: small]",
        shell_complete=completing([*NAMED_SETS, "none"]),
    ),
    threads_option,
    cluster_option,
    flag("Engine", "--anytime", "Find a good solution, then better ones until --max-seconds (10)."),
    option(
        "Engine",
        "--within F",
        "Find a solution proven to be at most F times as long as a shortest.",
        type=number_type(1),
    ),
    flag("Engine", "--optimal", "Accept only a shortest solution, however long it takes."),
)


like_option = option(
    "Conventions",
    "--like",
    "Search and count as a source does: s0 (tries), s2 (nodes generated), s3 (traversed "
    "nodes), s4 (states enqueued), korf (nodes generated, without moves back). Other options "
    "take precedence.",
    one_of=SOURCES,
)


search_options = gathered(
    SearchOptions,
    "search",
    option(
        "Search",
        "--algorithm -a SEARCH",
        f"{', '.join(ALGORITHMS)}; their textbook names too, such as dijkstra (ucs); with "
        "parameters, astar(manhattan, weight=2, ties=low-h) or astar:manhattan:ties=lifo; or your "
        "own function of a board, file.py:name or file.py:name(manhattan, option=3).",
        shell_complete=completing(ALGORITHMS),
    ),
    option(
        "Search",
        "--heuristic -H NAME",
        f"{', '.join(HEURISTICS)}, max(…), sum(…), patterns(large), or your own "
        "function, file.py:name or file.py:name(option=3).",
        shell_complete=completing(HEURISTICS),
    ),
    like_option,
)


def task_options(function: Any) -> Any:
    """Add `problem`, `search` and `limits` to a command."""
    return problem_options(search_options(limit_options()(function)))


FORMATS = ("svg", "png", "pdf", "gif", "tex")
_TEXTS = ("svg", "tex", "dot")
"""Text formats, which may be printed to a terminal."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """The picture to draw, and the file; None for the default of the format."""

    file: str | None = None
    """A file name; `-` for standard output."""
    kind: str | None = None
    """One of `FORMATS`; None for that of the file name."""
    dark: bool | None = None
    photo: str | None = None
    colours: str | None = None
    """The name of a colour scheme."""
    size: int | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether a picture is requested; raise UsageError if it cannot be drawn."""
        wanted = self.file is not None or self.kind is not None
        if self.photo is not None and self.colours is not None:
            raise click.UsageError("choose one of --photo and --colours")
        if wanted:
            self.chosen()
        elif any(v is not None for v in (self.dark, self.photo, self.colours, self.size)):
            options = "--dark, --light, --photo, --colours and --size"
            raise click.UsageError(f"{options} require a picture: give -o FILE")
        return wanted

    @property
    def takes_output(self) -> bool:
        """Whether the picture is written to standard output, which nothing else may use then."""
        return self.file == "-" or (self.file is None and self.kind is not None)

    def chosen(self, formats: tuple[str, ...] = FORMATS) -> str:
        """Return the format, svg by default; raise UsageError if it cannot be written there."""
        form = self.kind or os.path.splitext(self.file or "")[1].lstrip(".").lower() or "svg"
        if form not in formats:
            endings = f".{', .'.join(formats[:-1])} or .{formats[-1]}, or --format"
            raise click.UsageError(f"cannot write {self.file!r}: its name must end in {endings}")
        if self.size is not None and form not in ("png", "gif"):
            raise click.UsageError(f"--size is for png and gif; {form} is sharp at any size")
        if self.file is None and self.kind is None and is_terminal(sys.stdout):
            raise click.UsageError(f"a terminal cannot show a picture: give -o FILE.{form}")
        if self.takes_output and form not in _TEXTS and is_terminal(sys.stdout):
            raise click.UsageError(f"a terminal cannot show {form.upper()}: give -o FILE")
        check_file("" if self.takes_output else self.file or "", form)
        return form

    def cover_on(self, grid: Grid) -> Cover | None:
        """Return the photo or the colour scheme for the tiles of a grid, if there is one."""
        if self.photo is None and self.colours is None:
            return None
        from taquin.views.pictures.scene import MOST_BYTES, Scheme, photo_of

        if self.photo is None:
            return Scheme(self.colours)

        with open(self.photo, "rb") as file:
            return photo_of(file.read(MOST_BYTES + 1), self.photo, grid)

    def draw(self, drawing: Drawing) -> None:
        """Draw a picture and write it to its destination."""
        from taquin.views import painted

        with status_line("drawing"):
            content = painted(drawing, self.chosen(), self.dark, self.size)
        self.write(content)

    def write(self, content: bytes) -> None:
        """Write a picture to its destination, complete or not at all."""
        if self.file is None or self.file == "-":
            click.echo(content, nl=False)
        else:
            write_file(self.file, content)


def check_file(name: str, form: str = "svg") -> None:
    """Raise OSError or MissingError if a file cannot be written, before it is computed."""
    if os.path.isdir(name):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), name)
    if not os.path.isdir(os.path.dirname(name) or "."):
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), name)
    if form not in _TEXTS:
        # Imported late: text needs no pictures.
        from taquin.views.pictures.scene import check_installed

        check_installed(form)


def write_file(name: str, content: bytes) -> None:
    """Write a file, complete or not at all, and print its name."""
    from taquin.system.files import atomic_write

    with atomic_write(name) as file:
        file.write(content)
    say(f"Written to {name}")


_COLOURS = ("fringe", "rows", "columns", "rainbow", "checkerboard")
"""The values of `Scheme`, which is imported late."""
_cover_options = (
    option("Picture", "--photo FILE", "Cut this PNG or JPEG into the tiles."),
    option("Picture", "--colours", "Colour the tiles by their homes.", one_of=_COLOURS),
)


def picture_options(*formats: str, photo: bool = True) -> Decorator:
    """Return a decorator that adds `picture` to a command, with additional `formats`."""
    every = (*FORMATS, *formats)
    endings = f".{', .'.join(every)}"
    return gathered(
        PictureOptions,
        "picture",
        option(
            "Picture", "--output -o FILE file", f"Draw to a file: {endings}; - for standard output."
        ),
        option(
            "Picture",
            "--format NAME kind",
            f"{', '.join(every)}.  [default: by FILE, else svg]",
            one_of=every,
        ),
        option(
            "Picture",
            "--dark/--light dark",
            "The colour scheme.  [default: SVG follows the reader's, others are light]",
            default=None,
        ),
        int_option(
            "Picture",
            "--size",
            "The longer side of a png or gif in pixels.  [default: 2 per point, gif 640]",
            least=64,
            most=8000,
        ),
        *(_cover_options if photo else ()),
    )


def read_depths(text: str) -> tuple[int, ...]:
    """Return the depths of a text such as `5,10,15`, `5-20` or `4,8-10`; raise ValueError."""
    depths: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            begin, end = int(first), int(last if dash else first)
        except ValueError:
            begin, end = 1, 0
        if not 0 <= begin <= end <= 1000:
            raise ValueError("depths such as 12, 5,10,15 or 5-20")
        depths.extend(range(begin, end + 1))
    return tuple(dict.fromkeys(depths))
