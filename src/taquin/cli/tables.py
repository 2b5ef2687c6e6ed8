"""`taquin tables`: list, build, verify and remove the pattern tables on disk."""

from __future__ import annotations

import click

from taquin.cli.command import OK, REFUTED, Group, command, flag, option
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, grid_of, json_option, size_argument, threads_option
from taquin.cli.screen import say, status_line
from taquin.cli.table import Column, print_json, print_table
from taquin.errors import InputError, StorageError
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.words import bytes_in_words, seconds_in_words
from taquin.tables.build import PatternRecipe
from taquin.tables.patterns import keys_of
from taquin.tables.shape import shape_of
from taquin.tables.store import TableStore


@click.group(
    name="tables",
    cls=Group,
    examples=("taquin tables list", "taquin tables build 4x4 --set large", "taquin tables verify"),
)
def tables() -> None:
    """List, build, verify or remove the tables that make searches fast.

    They are built when a search first needs them and kept in the cache folder; the environment
    variable TAQUIN_CACHE names another folder.
    """


@command("taquin tables list", name="list", group=tables)
@json_option
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


@command("taquin tables build 4x4", "taquin tables build 4x4 --set large", group=tables)
@size_argument(required=True)
@goal_option
@option("Tables", "--set name", "Which set.", one_of=("small", "medium", "large"), default="small")
@threads_option
def build(size: tuple[int, int], goal: str, name: str, threads: int | None) -> int:
    """Build the tables that boards of SIZE need, unless they exist.

    A table that cannot be stored is an error, because every search would build it again.
    """
    shape = shape_of(goal_of(goal, grid_of(size)))
    if shape is None:
        raise InputError("tables need 2×2 to 25 cells without walls, and a goal of each tile once")
    with DeferredInterrupts(), status_line() as draw:
        store = TableStore(notice=say)

        def progress(table: str, done: int, total: int) -> None:
            raise_if_interrupted()
            draw(f"building {table}: {100 * done // max(1, total)} %")

        recipes = [PatternRecipe(key) for key in keys_of(shape, name)]
        for recipe in recipes:
            store.get(recipe, threads=threads, progress=progress)
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
    """Read tables in full and report what is wrong with them; all tables if none is named."""
    store = TableStore()
    status = OK
    for name in names or [table.name for table in store.tables()]:
        fault = store.verify(name)
        click.echo(f"{name}: {fault or 'sound'}")
        status = REFUTED if fault else status
    return status


@command("taquin tables remove --all", group=tables)
@click.argument("names", nargs=-1, metavar="[TABLE …]")
@flag("Tables", "--all everything", "Remove every table.")
def remove(names: tuple[str, ...], everything: bool) -> int:
    """Delete tables; a search that uses one keeps it until it ends."""
    store = TableStore()
    if not names and not everything:
        raise click.UsageError("name the tables to remove, or say --all")
    for name in [table.name for table in store.tables()] if everything else names:
        store.remove(name)
        click.echo(f"removed {name}")
    return OK
