"""The boards of a report, drawn: what is common to all of them only once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from taquin.lab.report.document import Drawn
from taquin.lab.run.record import Record

_MOST = 40
"""Boards that are drawn: the first ones."""


def boards_of(records: Sequence[Record]) -> tuple[Drawn, ...]:
    """Return the boards and goals of records, in their order."""
    found = {record.board: (record.run.start, record.run.goal) for record in records}
    # What all labels begin with tells none from another: `3x3 40 moves #1`.
    words = [label.split() for label in found]
    columns = zip(*(each[:-1] for each in words), strict=False)
    shared = len(list(takewhile(lambda column: len({*column}) == 1, columns)))
    shown = (" ".join(each[shared:]) for each in words)
    return tuple(_drawn(dict(list(zip(shown, found.values(), strict=True))[:_MOST])))


def _drawn(boards: dict[str, tuple[str, str]]) -> Iterator[Drawn]:
    starts = {start for start, _ in boards.values()}
    goals = {goal for _, goal in boards.values()}
    if len(starts) == 1:
        yield Drawn("start", _cells(*starts))
    for label, (start, goal) in boards.items():
        if len(starts) > 1:
            yield Drawn(label, _cells(start))
        if len(goals) > 1:
            yield Drawn(label if len(starts) == 1 else f"{label}, goal", _cells(goal))
    if len(goals) == 1:
        yield Drawn("goal", _cells(*goals))


def _cells(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of a board or a goal as they are shown.

    Among tiles without names the blank has one, @, as it is the only one that moves by itself.
    """
    rows = [row.split() for row in text.split("/")]
    unnamed = {".", "*"}
    blank = "@" if any(unnamed & set(row) for row in rows) else ""
    shown = {**dict.fromkeys(unnamed, ""), "0": blank}
    return tuple(tuple(shown.get(cell, cell) for cell in row) for row in rows)
