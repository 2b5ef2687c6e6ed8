"""Records printed: as a table, in blocks on a screen; as JSON; as comma-separated values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO, Any

import click

from taquin.cli.screen import columns as screen_columns
from taquin.cli.screen import is_terminal, stack
from taquin.system.layout import column_groups, wrap_text
from taquin.system.words import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that spreadsheets take for a formula."""
_GAP = 2
_READABLE = 24
"""No column of words is folded to less."""


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
    """Print the rows, laid out for the screen if there is one."""
    click.echo(table_text(columns, rows, screen_columns() if is_terminal(sys.stdout) else None))


def table_text(columns: Sequence[Column], rows: Sequence[Any], room: int | None = None) -> str:
    """Return the rows below their headings; within `room` characters for a screen.

    There it takes as many blocks as it must, each with the first column. Words are folded where
    that saves a block, or a column is wider than the screen.
    """
    widths = [column.width(rows) for column in columns]
    if room is None:
        return stack([*_headings(columns, widths), *_lines(columns, rows, widths)])
    widths = _folded_widths(columns, rows, widths, room)
    blocks = []
    for band in (
        column_groups(widths[1:], room - widths[0] - _GAP, _GAP) if columns[1:] else [slice(0)]
    ):
        shown = [columns[0], *columns[1:][band]]
        wide = [widths[0], *widths[1:][band]]
        headings = [click.style(line.rstrip(), bold=True) for line in _headings(shown, wide)]
        rule = "─" * (sum(wide) + _GAP * (len(wide) - 1))
        blocks.append(stack([*headings, rule, *_lines(shown, rows, wide)]))
    return "\n\n".join(blocks)


def print_json(value: Any, stream: IO[str] | None = None) -> None:
    """Print one line of JSON."""
    # Not by Click, which takes longer than many a search.
    (stream or sys.stdout).write(f"{json.dumps(value, ensure_ascii=False)}\n")


def print_csv(
    records: Sequence[Mapping[str, object]], stream: IO[str] | None = None, *, heading: bool = True
) -> None:
    """Print records, all with the same keys, below a line of their keys unless `heading` is false.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    # Only this needs it, and importing it costs every start-up.
    import csv

    writer = csv.writer(stream or sys.stdout, lineterminator="\n")
    if heading:
        writer.writerow([_as_text(key) for key in records[0]])
    writer.writerows([_as_text(value) for value in record.values()] for record in records)


def _as_text(value: object) -> object:
    """Return a value of which neither a spreadsheet nor a screen makes anything but text."""
    if not isinstance(value, str):
        return value
    # An agent in the first cell of a board, "@ A / B C", is no formula.
    is_formula = value.startswith(_FORMULA) and value[:2] != "@ "
    return printable(f"'{value}" if is_formula else value)


def _folded_widths(
    columns: Sequence[Column], rows: Sequence[Any], widths: Sequence[int], room: int
) -> list[int]:
    """Return the widths at which words are folded on a screen of `room` characters."""
    # As wide as its longest word is the least that a column can be; numbers are not folded.
    least = [
        max(
            map(
                len,
                [*column.heading.split(), *(word for row in rows for word in _words(column, row))],
            )
        )
        for column in columns
    ]
    needed = sum(widths) + _GAP * (len(widths) - 1) - room
    folded_to = list(widths)
    for at in sorted(range(len(columns)), key=lambda at: least[at] - widths[at]):
        lowest = max(least[at], _READABLE) if columns[at].left else least[at]
        saved = max(0, min(needed, widths[at] - lowest))
        folded_to[at] -= saved
        needed -= saved
    if needed <= 0:
        return folded_to
    # No way to have all side by side: the first column leaves half of each block to the others.
    first = min(widths[0], max(least[0], room // 2))
    rest = room - first - _GAP
    return [
        first,
        *(
            min(wide, max(low, rest)) if column.left else low
            for column, wide, low in zip(columns[1:], widths[1:], least[1:], strict=True)
        ),
    ]


def _words(column: Column, row: Any) -> list[str]:
    """Return what stays together of a cell."""
    return column.cell(row).split() if column.left else [column.cell(row)]


def _headings(columns: Sequence[Column], widths: Sequence[int]) -> Iterator[str]:
    """Yield the headings, all of them ending on the last line."""
    pieces = [wrap_text(column.heading, wide) for column, wide in zip(columns, widths, strict=True)]
    tall = max(map(len, pieces))
    for line in zip(*([""] * (tall - len(piece)) + piece for piece in pieces), strict=True):
        yield _joined(line, columns, widths)


def _lines(columns: Sequence[Column], rows: Sequence[Any], widths: Sequence[int]) -> Iterator[str]:
    """Yield the rows; each takes as many lines as its longest cell."""
    for row in rows:
        cells = (column.cell(row) for column in columns)
        for line in zip_longest(*map(_folded, cells, widths), fillvalue=""):
            yield _joined(line, columns, widths)


def _folded(cell: str, width: int) -> list[str]:
    return wrap_text(cell, width, "  ")


def _joined(line: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    return (" " * _GAP).join(
        piece.ljust(wide) if column.left else piece.rjust(wide)
        for piece, wide, column in zip(line, widths, columns, strict=True)
    )
