"""`taquin tables`: the pattern tables on disk, listed, built, verified and removed."""

from __future__ import annotations

import click

from taquin.cli.command import Command, Group, option
from taquin.cli.inputs import goal_of
from taquin.cli.live import stage_line
from taquin.cli.options import goal_option, json_option
from taquin.cli.parameters import GridSize
from taquin.cli.results import json_line
from taquin.cli.status import OK, REFUTED
from taquin.cli.table import Column, print_table
from taquin.errors import InputError
from taquin.model.grid import Grid
from taquin.system.words import bytes_in_words, seconds_in_words


@click.group(
    name="tables",
    cls=Group,
    examples=("taquin tables list", "taquin tables build 4x4 --set large", "taquin tables verify"),
)
def tables() -> None:
    """List, build, verify or remove the tables that make searches fast.

    They are built when a search first needs them and kept in the cache folder; the variable
    TAQUIN_CACHE names another one.
    """


@tables.command(name="list", cls=Command, examples=("taquin tables list",))
@json_option
def list_tables(as_json: bool) -> int:
    """List the tables on disk with their sizes and build times."""
    from taquin.tables.store import TableStore

    store = TableStore()
    found = store.tables()
    if as_json:
        for table in found:
            click.echo(
                json_line(
                    {
                        "name": table.name,
                        "bytes": table.nbytes,
                        "seconds": table.seconds,
                        "fault": table.fault,
                    }
                )
            )
        return OK
    if found:
        print_table(
            [
                Column("table", lambda table: str(table.name), left=True),
                Column("size", lambda table: bytes_in_words(table.nbytes)),
                Column(
                    "built in",
                    lambda table: "" if table.seconds is None else seconds_in_words(table.seconds),
                ),
                Column("fault", lambda table: table.fault or "", left=True),
            ],
            found,
        )
    total = bytes_in_words(sum(table.nbytes for table in found))
    click.secho(f"{len(found)} tables, {total}, in {store.folder}", dim=True)
    return OK


@tables.command(
    cls=Command,
    examples=("taquin tables build 4x4", "taquin tables build 4x4 --set large"),
)
@click.argument("size", type=GridSize())
@goal_option
@option(
    "Tables",
    "--set",
    "name",
    type=click.Choice(["small", "large"]),
    default="small",
    show_default=True,
    help="Which set.",
)
@option("Tables", "--threads", type=click.IntRange(min=1), metavar="N", help="Cores to use.")
def build(size: tuple[int, int], goal: str, name: str, threads: int | None) -> int:
    """Build the tables that boards of SIZE need, unless they are there."""
    from taquin.tables.build import recipes_of
    from taquin.tables.shape import shape_of
    from taquin.tables.store import TableStore

    wanted = goal_of(goal, Grid(*size))
    shape = shape_of(wanted)
    if shape is None:
        raise InputError(
            "tables are for grids of 2×2 to 25 cells without walls, and goals that name every "
            "cell and every tile once"
        )
    with stage_line() as draw:
        store = TableStore(notice=lambda line: click.echo(line, err=True))

        def progress(table: str, done: int, total: int) -> None:
            draw(f"building {table}: {100 * done // max(1, total)} %")

        recipes = recipes_of(shape, name)
        for recipe in recipes:
            store.get(recipe, threads=threads, progress=progress)
    for recipe in recipes:
        click.echo(f"{recipe.name} is ready")
    return OK


@tables.command(cls=Command, examples=("taquin tables verify",))
@click.argument("names", nargs=-1, metavar="[TABLE …]")
def verify(names: tuple[str, ...]) -> int:
    """Read tables in full and report what is wrong with them; all when none is named."""
    from taquin.tables.store import TableStore

    store = TableStore()
    status = OK
    for name in names or [table.name for table in store.tables()]:
        fault = store.verify(name)
        click.echo(f"{name}: {fault or 'sound'}")
        if fault:
            status = REFUTED
    return status


@tables.command(cls=Command, examples=("taquin tables remove --all",))
@click.argument("names", nargs=-1, metavar="[TABLE …]")
@option("Tables", "--all", "everything", is_flag=True, help="Remove every table.")
def remove(names: tuple[str, ...], everything: bool) -> int:
    """Delete tables; a search that uses one keeps it until it ends."""
    from taquin.tables.store import TableStore

    store = TableStore()
    if not names and not everything:
        raise click.UsageError("name the tables to remove, or say --all")
    for name in [table.name for table in store.tables()] if everything else names:
        store.remove(name)
        click.echo(f"removed {name}")
    return OK
