"""`taquin tables` and `taquin engines`: what this machine has to solve boards with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, TypeAlias

import click

from taquin import Goal, Patterns, Puzzle
from taquin.analysis.audit import FLAT, sample_estimates
from taquin.cli import options
from taquin.cli.command import (
    OK,
    REFUTED,
    CommandGroup,
    command,
    flag,
    gathered,
    int_option,
    option,
)
from taquin.cli.inputs import goal_of
from taquin.cli.output import Column, print_json, print_table
from taquin.cli.screen import columns, paragraph, say, status_line
from taquin.cli.solve.solve import histogram
from taquin.engine.choose import ENGINES
from taquin.engine.general.slides import slide_bound
from taquin.errors import InputError, StorageError
from taquin.model.grid import branching_factor
from taquin.model.moves import Metric
from taquin.model.scramble import random_board
from taquin.system.formatting import bytes_in_words, seconds_in_words
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.tables.build import PatternRecipe
from taquin.tables.patterns import NAMED_SETS, PatternKey, drawn, keys_of
from taquin.tables.relabelled import SlideKey, slide_keys
from taquin.tables.shape import Shape, shape_of
from taquin.tables.statistics import Distribution, distribution_of
from taquin.tables.store import Recipe, Report, TableStore


@click.group(
    name="tables",
    cls=CommandGroup,
    examples=(
        "taquin tables list",
        "taquin tables build 4x4 --set large",
        "taquin tables stats 3x3 --pattern AAB/AAB/CC.",
        "taquin tables verify",
    ),
)
def tables() -> None:
    """List, build, describe, verify or remove the tables that make searches fast.

    Pattern databases are built when a search first needs them, and kept in the cache folder; the
    environment variable TAQUIN_CACHE names another folder.
    """


@command("taquin tables list", name="list", group=tables)
@options.json_option
def list_tables(as_json: bool) -> int:
    """List the tables on disk with their sizes and build times."""
    store = TableStore()
    stored = store.tables()
    if as_json:
        for table in stored:
            sizes = {"name": table.name, "bytes": table.nbytes}
            print_json(sizes | {"seconds": table.seconds, "fault": table.fault})
        return OK
    if stored:
        columns = [
            Column("table", lambda table: table.name, left=True),
            Column("size", lambda table: bytes_in_words(table.nbytes)),
            Column("built in", lambda row: seconds_in_words(row.seconds) if row.seconds else ""),
            Column("fault", lambda table: table.fault or "", left=True),
        ]
        print_table(columns, stored)
    total = bytes_in_words(sum(table.nbytes for table in stored))
    click.secho(f"{len(stored)} tables, {total}, in {store.folder}", dim=True)
    return OK


@dataclass(frozen=True, slots=True)
class TableSet:
    """The options that name a set of tables."""

    size: tuple[int, int]
    goal: str
    metric: Metric
    name: str | None
    pattern: str | None

    def shape(self) -> tuple[Goal, Shape]:
        """Return the goal and its shape; raise InputError."""
        goal = goal_of(self.goal, options.grid_of(self.size))
        shape = shape_of(goal)
        if shape is None:
            raise InputError(
                "tables support 2×2 to 25 cells without walls, and goals with each tile once"
            )
        return goal, shape

    def read(self) -> tuple[Goal, str, tuple[PatternKey, ...]]:
        """Return the goal, the set as the grammar writes it, and its tables; raise InputError."""
        goal, shape = self.shape()
        name = (self.name or "small") if self.pattern is None else drawn(goal, self.pattern)
        return goal, name, keys_of(shape, name)

    def slides(self) -> tuple[Goal, tuple[SlideKey, ...]]:
        """Return the goal and its tables of slides; raise InputError."""
        if self.name is not None or self.pattern is not None:
            raise click.UsageError(
                "--set and --pattern cannot be combined with --metric multi, which has one set of "
                "tables for each goal"
            )
        goal, shape = self.shape()
        return goal, slide_keys(shape)


set_options = gathered(
    TableSet,
    "chosen",
    options.size_argument(required=True),
    options.goal_option,
    options.metric_option,
    option(
        "Tables", "--set name", "Which set: small if not given.", one_of=NAMED_SETS, default=None
    ),
    option(
        "Tables",
        "--pattern PATTERN",
        'A set of your own: groups of tiles by a picture of the goal, AAB/AAB/CC., or "1 2 4 5 / 3 '
        '6 / 7 8"; + adds a partition, ~4 compresses.',
    ),
)


@command(
    "taquin tables build 4x4",
    "taquin tables build 4x4 --set large",
    "taquin tables build 4x4 --metric multi",
    "taquin tables build 3x3 --pattern AAB/AAB/CC.",
    'taquin tables build 3x3 --pattern "1 2 4 5 / 3 6 / 7 8 ~4"',
    group=tables,
)
@set_options
@options.threads_option
def build(chosen: TableSet, threads: int | None) -> int:
    """Build the tables that boards of SIZE need, unless they exist.

    A table that cannot be stored is an error, because every search would build it again. taquin
    solve --tables PATTERN and the heuristic patterns(PATTERN) use tables of your own. With --metric
    multi, taquin solve --metric multi uses the tables from then on (up to 16 cells).
    """
    recipes: Sequence[Recipe]
    if chosen.metric is Metric.MULTI:
        recipes = chosen.slides()[1]
    else:
        recipes = [PatternRecipe(key) for key in chosen.read()[2]]
    with DeferredInterrupts(), status_line() as draw:
        store = TableStore(notice=say)
        for recipe in recipes:
            store.get(recipe, threads=threads, progress=_reporting(draw, "building"))
            if not store.path_of(recipe.name).exists():
                raise StorageError(
                    f"{recipe.name} was built, but not kept: free space in {store.folder} or make "
                    f"it writable, or set TAQUIN_CACHE to another folder"
                )
        raise_if_interrupted()
    for recipe in recipes:
        click.echo(f"{recipe.name} is ready")
    return OK


@command(
    "taquin tables stats 4x4",
    "taquin tables stats 3x3 --pattern AAB/AAB/CC.",
    "taquin tables stats 4x4 --pattern AABB/AABB/CCDD/CCD. --json",
    group=tables,
)
@set_options
@int_option("Tables", "--sample", "Number of random boards.", default=5000)
@int_option("Tables", "--seed", "Seed of the sample.", least=0, default=1)
@options.json_option
def stats(chosen: TableSet, sample: int, seed: int, as_json: bool) -> int:
    """Describe the values of tables, and how good the set of them is.

    For each table, over all placements of its tiles: the mean cost, in total and per tile, the
    largest cost, the entropy of a value in bits, and eta, the mean of b to the power of -cost,
    where b is the branching factor of the grid. For the set: the same of its estimates on random
    boards. IDA* with the bound d expands about eta · b^d nodes (Korf, Reid and Edelkamp 2001).
    Missing tables are built. With --metric multi, a placement is a line, a board less the place of
    the blank in its row or column, and the cost is in slides, of which each turns from rows to
    columns or back.
    """
    eta: tuple[float, float] | None = None
    with DeferredInterrupts(), status_line() as draw:
        building = _reporting(draw, "building")
        if chosen.metric is Metric.MULTI:
            name = "slides"
            factor, tables, estimates = _slide_values(chosen, sample, seed, building)
        else:
            goal, name, keys = chosen.read()
            factor, store, tables = branching_factor(goal.grid), TableStore(notice=say), []
            for key in keys:
                table = store.near(PatternRecipe(key), progress=building)
                counting = partial(_reporting(draw, "counting the values of"), key.name)
                tables.append((key, distribution_of(key, table, counting)))
            heuristic, puzzle = Patterns(name), Puzzle(goal)
            boards = sample_estimates(heuristic, puzzle, sample, seed, FLAT).boards
            estimates = [board.estimate for board in boards]
            # Boards with low estimates determine eta, so they are drawn by their weight in it.
            tilted = sample_estimates(heuristic, puzzle, sample, seed, 1 / factor)
            eta = tilted.mean(lambda board: factor**-board.estimate)
        raise_if_interrupted()
    counts = Counter(estimates)
    whole_set = Distribution(tuple(counts[value] for value in range(max(counts) + 1)))
    if as_json:
        described = {"eta": eta[0], "eta_error": eta[1]} if eta else {}
        print_json(
            {"set": name, "branching_factor": factor, "sample": sample, "seed": seed}
            | {"estimates": described | _described(whole_set)}
            | {"tables": [_table_json(key, values, factor) for key, values in tables]}
        )
        return OK
    by_tile = Column("by tile", lambda row: f"{row[1].mean / len(row[0].tiles):.3f}")
    print_table(
        [
            Column("table", lambda row: row[0].name, left=True),
            Column("size", lambda row: bytes_in_words(row[0].nbytes)),
            Column("placements", lambda row: f"{row[1].total:,}"),
            Column("mean", lambda row: f"{row[1].mean:.3f}"),
            *([by_tile] if eta else []),
            Column("largest", lambda row: str(row[1].largest)),
            Column("entropy", lambda row: f"{row[1].entropy:.2f} bits"),
            Column("eta", lambda row: f"{row[1].eta(factor):.3g}"),
        ],
        tables,
    )
    measured = f"eta {eta[0]:.3g} ± {eta[1] / eta[0]:.0%}, " if eta else ""
    click.echo(
        paragraph(
            f"{f'patterns({name})' if eta else name} on {sample:,} random boards: mean "
            f"{whole_set.mean:.2f}, largest {whole_set.largest}, entropy {whole_set.entropy:.2f} "
            f"bits, {measured}branching factor {factor:.4f}"
        )
    )
    for line in histogram(estimates, columns()):
        click.echo(line)
    return OK


_Values: TypeAlias = list[tuple[PatternKey | SlideKey, Distribution]]


def _slide_values(
    chosen: TableSet, sample: int, seed: int, progress: Report
) -> tuple[float, _Values, list[int]]:
    """Return the branching factor, the values of tables of slides, and estimates of boards."""
    goal, keys = chosen.slides()
    store, puzzle = TableStore(notice=say), Puzzle(goal, Metric.MULTI)
    tables: _Values = []
    for key in keys:
        values = key.histogram(store.near(key, progress=progress))
        tables.append((key, Distribution(tuple(values))))
    estimates = []
    for number in range(1, sample + 1):
        raise_if_interrupted()
        estimates.append(slide_bound(puzzle, random_board(goal, seed, number=number)) or 0)
    return sqrt((goal.grid.rows - 1) * (goal.grid.columns - 1)), tables, estimates


def _reporting(draw: Callable[[str], None], action: str) -> Callable[[str, int, int], None]:
    """Return a function that shows the progress of a table, and raises after Ctrl-C."""

    def report(table: str, done: int, total: int) -> None:
        raise_if_interrupted()
        draw(f"{action} {table}: {100 * done // max(1, total)} %")

    return report


def _described(values: Distribution) -> dict[str, Any]:
    return {name: getattr(values, name) for name in ("mean", "largest", "entropy", "counts")}


def _table_json(key: PatternKey | SlideKey, values: Distribution, factor: float) -> dict[str, Any]:
    """Return the statistics of one table as a JSON value."""
    facts = {"name": key.name, "bytes": key.nbytes, "placements": values.total}
    if isinstance(key, PatternKey):
        facts |= {"mean_by_tile": values.mean / len(key.tiles)}
    return facts | _described(values) | {"eta": values.eta(factor)}


@command("taquin tables verify", group=tables)
@click.argument("names", nargs=-1, metavar="[TABLE …]")
def verify(names: tuple[str, ...]) -> int:
    """Read tables in full and report damage; all tables if none is named."""
    store = TableStore()
    status = OK
    for name in names or [table.name for table in store.tables()]:
        fault = store.verify(name)
        click.echo(f"{name}: {fault or 'intact'}")
        status = REFUTED if fault else status
    return status


@command("taquin tables remove --all", group=tables)
@click.argument("names", nargs=-1, metavar="[TABLE …]")
@flag("Tables", "--all everything", "Remove every table.")
def remove(names: tuple[str, ...], everything: bool) -> int:
    """Delete tables; a search that uses one keeps it until it ends."""
    store = TableStore()
    if not names and not everything:
        raise click.UsageError("name the tables to remove, or give --all")
    for name in [table.name for table in store.tables()] if everything else names:
        store.remove(name)
        click.echo(f"removed {name}")
    return OK


@command("taquin engines", "taquin solve puzzle.txt --engine cpu")
@options.json_option
def engines(as_json: bool) -> int:
    """List the engines, and which this machine can run.

    A board is solved by the first engine that supports it, unless --engine names one.
    """
    rows = [
        {
            "name": engine.name,
            "for": engine.summary,
            "available": bool(engine.available()),
            "why_not": engine.available().why_not,
        }
        for engine in (make() for make in ENGINES.values())
    ]
    if as_json:
        print_json(rows)
    else:
        columns = [
            Column("engine", lambda row: row["name"], left=True),
            Column("for", lambda row: row["for"], left=True),
            Column("here", lambda row: row["why_not"] or "yes", left=True),
        ]
        print_table(columns, rows)
    return OK
