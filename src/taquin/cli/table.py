"""Print records as a table, as JSON, or as comma-separated values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import click

from taquin.cli.screen import columns as screen_columns
from taquin.cli.screen import is_terminal
from taquin.system import layout
from taquin.system.layout import COLUMN_GAP, TextColumn
from taquin.system.words import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet interprets a text that begins with one of these as a formula."""
_READABLE = 24
"""The minimum width of a folded column of text."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of records."""

    heading: str
    cell: Callable[[Any], str]
    left: bool = False
    """Whether it is aligned to the left, as text is; numbers are aligned to the right."""


def print_table(columns: Sequence[Column], records: Sequence[Any]) -> None:
    """Print the records, fitted to the terminal if there is one."""
    width = screen_columns() if is_terminal(sys.stdout) else None
    click.echo(table_text(columns, records, width))


def table_text(
    columns: Sequence[Column], records: Sequence[Any], screen_width: int | None = None
) -> str:
    """Return headings and a row for each record; on a screen, in as many blocks as needed."""
    texts = [
        TextColumn(column.heading, [column.cell(record) for record in records], column.left)
        for column in columns
    ]
    if screen_width is None:
        widths = [column.width for column in texts]
        return "\n".join([*layout.heading_lines(texts, widths), *layout.row_lines(texts, widths)])
    widths = _folded_widths(texts, screen_width)
    rest = screen_width - widths[0] - COLUMN_GAP
    blocks = []
    for band in layout.column_groups(widths[1:], rest, COLUMN_GAP) if texts[1:] else [slice(0)]:
        shown = [texts[0], *texts[1:][band]]
        shown_widths = [widths[0], *widths[1:][band]]
        headings = [
            click.style(line, bold=True) for line in layout.heading_lines(shown, shown_widths)
        ]
        lines = [*headings, layout.rule(shown_widths), *layout.row_lines(shown, shown_widths)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


json_line: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False).encode
"""Returns the JSON text of a value."""


def print_json(value: Any, stream: IO[str] | None = None) -> None:
    """Print one line of JSON."""
    # Not click.echo, which takes longer than many searches.
    (stream or sys.stdout).write(f"{json_line(value)}\n")


def print_csv(
    records: Sequence[Mapping[str, object]], stream: IO[str] | None = None, *, heading: bool = True
) -> None:
    """Print records that have the same keys; quote text that a spreadsheet takes for a formula."""
    import csv

    writer = csv.writer(stream or sys.stdout, lineterminator="\n")
    if heading:
        writer.writerow([_as_text(key) for key in records[0]])
    writer.writerows([_as_text(value) for value in record.values()] for record in records)


def _as_text(value: object) -> object:
    """Return a value that spreadsheets and terminals show as text."""
    if not isinstance(value, str):
        return value
    # A board such as "@ A / B C" is not a formula.
    is_formula = value.startswith(_FORMULA) and value[:2] != "@ "
    return printable(f"'{value}" if is_formula else value)


def _folded_widths(columns: Sequence[TextColumn], screen_width: int) -> list[int]:
    widths = [column.width for column in columns]
    least = [_least_width(column) for column in columns]
    excess = sum(widths) + COLUMN_GAP * (len(widths) - 1) - screen_width
    folded_widths = list(widths)
    for index in sorted(range(len(columns)), key=lambda index: least[index] - widths[index]):
        lowest = max(least[index], _READABLE) if columns[index].left else least[index]
        saved = max(0, min(excess, widths[index] - lowest))
        folded_widths[index] -= saved
        excess -= saved
    if excess <= 0:
        return folded_widths
    # The columns do not fit side by side: the first one takes at most half of each block.
    first = min(widths[0], max(least[0], screen_width // 2))
    rest = screen_width - first - COLUMN_GAP
    return [
        first,
        *(
            min(width, max(lowest, rest)) if column.left else lowest
            for column, width, lowest in zip(columns[1:], widths[1:], least[1:], strict=True)
        ),
    ]


def _least_width(column: TextColumn) -> int:
    """Return the width of the longest word, or of the longest number: numbers are not folded."""
    words = [word for cell in column.cells for word in (cell.split() if column.left else [cell])]
    return max(map(len, [*column.heading.split(), *words]))
