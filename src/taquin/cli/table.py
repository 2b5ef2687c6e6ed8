"""Records printed: as a table, with lines on a screen; as JSON; as comma-separated values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Literal

import click

from taquin.cli.screen import columns as screen_columns
from taquin.cli.screen import is_terminal, stack
from taquin.system.words import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that spreadsheets take for a formula."""
_GAP = 2
_LINED_GAP = 3
_INDISPENSABLE = 3


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    heading: str
    """Its heading."""
    cell: Callable[[Any], str]
    """What it shows of a row."""
    left: bool = False
    """Whether it is aligned to the left, as words are; numbers go to the right."""

    def width(self, rows: Sequence[Any]) -> int:
        """Return the room it takes."""
        return max([len(self.heading), *(len(self.cell(row)) for row in rows)])


def print_table(columns: Sequence[Column], rows: Sequence[Any]) -> None:
    """Print the rows; on a screen only as many columns as fit, the first ones first.

    The first three are there in any case; the words of the very first are folded for them.
    """
    if is_terminal(sys.stdout):
        _draw(_fitting(columns, rows, screen_columns()), rows)
        return
    widths = [column.width(rows) for column in columns]
    lines = [[column.heading for column in columns]]
    lines += [[column.cell(row) for column in columns] for row in rows]
    click.echo(
        stack(
            (" " * _GAP).join(
                word.ljust(width) if column.left else word.rjust(width)
                for word, width, column in zip(line, widths, columns, strict=True)
            )
            for line in lines
        )
    )


def print_json(value: Any, stream: IO[str] | None = None) -> None:
    """Print one line of JSON."""
    # Not by Click, which takes longer than many a search.
    (stream or sys.stdout).write(f"{json.dumps(value, ensure_ascii=False)}\n")


def print_csv(records: Sequence[Mapping[str, object]], stream: IO[str] | None = None) -> None:
    """Print records, all with the same keys, below a line of their keys.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    # Only this needs it, and importing it costs every start-up.
    import csv

    writer = csv.writer(stream or sys.stdout, lineterminator="\n")
    writer.writerow([_as_text(key) for key in records[0]])
    writer.writerows([_as_text(value) for value in record.values()] for record in records)


def _as_text(value: object) -> object:
    """Return a value of which neither a spreadsheet nor a screen makes anything but text."""
    if not isinstance(value, str):
        return value
    # An agent in the first cell of a board, "@ A / B C", is no formula.
    is_formula = value.startswith(_FORMULA) and value[:2] != "@ "
    return printable(f"'{value}" if is_formula else value)


def _fitting(columns: Sequence[Column], rows: Sequence[Any], room: int) -> Sequence[Column]:
    chosen: list[Column] = []
    for column in columns:
        room -= column.width(rows) + _LINED_GAP
        if len(chosen) >= _INDISPENSABLE and room < -_LINED_GAP:
            break
        chosen.append(column)
    return chosen


def _draw(columns: Sequence[Column], rows: Sequence[Any]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    for column in columns:
        side: Literal["left", "right"] = "left" if column.left else "right"
        table.add_column(column.heading, justify=side, no_wrap=not column.left, overflow="fold")
    for row in rows:
        table.add_row(*(column.cell(row) for column in columns))
    Console(highlight=False, markup=False).print(table)
