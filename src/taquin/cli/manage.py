"""`taquin tables` and `taquin engines`: what this machine has to solve boards with."""

from __future__ import annotations

from collections.abc import Sequence

import click

from taquin.cli import options
from taquin.cli.command import OK, REFUTED, CommandGroup, command, flag, option
from taquin.cli.inputs import goal_of
from taquin.cli.output import Column, print_json, print_table
from taquin.cli.screen import say, status_line
from taquin.engine.task import ENGINES
from taquin.errors import InputError, StorageError
from taquin.model.moves import Metric
from taquin.system.formatting import bytes_in_words, seconds_in_words
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.tables.build import PatternRecipe
from taquin.tables.patterns import NAMED_SETS, drawn, keys_of
from taquin.tables.relabelled import slide_keys
from taquin.tables.shape import shape_of
from taquin.tables.store import Recipe, TableStore


@click.group(
    name="tables",
    cls=CommandGroup,
    examples=(
        "taquin tables list",
        "taquin tables build 4x4 --set large",
        "taquin tables build 3x3 --pattern AAB/AAB/CC.",
        "taquin tables verify",
    ),
)
def tables() -> None:
    """List, build, verify or remove the tables that make searches fast.

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


@command(
    "taquin tables build 4x4",
    "taquin tables build 4x4 --set large",
    "taquin tables build 4x4 --metric multi",
    "taquin tables build 3x3 --pattern AAB/AAB/CC.",
    'taquin tables build 3x3 --pattern "1 2 4 5 / 3 6 / 7 8 ~4"',
    group=tables,
)
@options.size_argument(required=True)
@options.goal_option
@options.metric_option
@option("Tables", "--set name", "Which set: small if not given.", one_of=NAMED_SETS, default=None)
@option(
    "Tables",
    "--pattern PATTERN",
    'A set of your own: groups of tiles by a picture of the goal, AAB/AAB/CC., or "1 2 4 5 / 3 6 / '
    '7 8"; + adds a partition, ~4 compresses.',
)
@options.threads_option
def build(
    size: tuple[int, int],
    goal: str,
    metric: Metric,
    name: str | None,
    pattern: str | None,
    threads: int | None,
) -> int:
    """Build the tables that boards of SIZE need, unless they exist.

    A table that cannot be stored is an error, because every search would build it again. taquin
    solve --tables PATTERN and the heuristic patterns(PATTERN) use tables of your own. With --metric
    multi, taquin solve --metric multi uses the tables from then on (up to 16 cells).
    """
    wanted = goal_of(goal, options.grid_of(size))
    shape = shape_of(wanted)
    if shape is None:
        raise InputError(
            "tables support 2×2 to 25 cells without walls, and goals with each tile once"
        )
    recipes: Sequence[Recipe]
    if metric is Metric.SINGLE:
        set_name = (name or "small") if pattern is None else drawn(wanted, pattern)
        recipes = [PatternRecipe(key) for key in keys_of(shape, set_name)]
    elif name is not None or pattern is not None:
        raise click.UsageError(
            "--set and --pattern cannot be combined with --metric multi, which has one set of "
            "tables for each goal"
        )
    else:
        recipes = slide_keys(shape)
    with DeferredInterrupts(), status_line() as draw:
        store = TableStore(notice=say)

        def report(table: str, done: int, total: int) -> None:
            raise_if_interrupted()
            draw(f"building {table}: {100 * done // max(1, total)} %")

        for recipe in recipes:
            store.get(recipe, threads=threads, progress=report)
            if not store.path_of(recipe.name).exists():
                raise StorageError(
                    f"{recipe.name} was built, but not kept: free space in {store.folder} or make "
                    f"it writable, or set TAQUIN_CACHE to another folder"
                )
        raise_if_interrupted()
    for recipe in recipes:
        click.echo(f"{recipe.name} is ready")
    return OK


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
