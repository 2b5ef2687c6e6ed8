"""The boards of a report; a start or a goal that all share is drawn once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from taquin.lab.report.document import Drawn
from taquin.lab.run.record import Record

_MOST = 40
"""The most boards that are drawn."""


def boards_of(records: Sequence[Record]) -> tuple[Drawn, ...]:
    """Return the boards and goals of records, in their order."""
    boards = {record.board: (record.run.start, record.run.goal) for record in records}
    # Words that all labels begin with are left out: `3x3 40 moves #1`.
    words = [label.split() for label in boards]
    columns = zip(*(parts[:-1] for parts in words), strict=False)
    shared = len(list(takewhile(lambda column: len({*column}) == 1, columns)))
    labels = (" ".join(parts[shared:]) for parts in words)
    return tuple(_drawn(dict(list(zip(labels, boards.values(), strict=True))[:_MOST])))


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
    """Return the text of each cell of a board or a goal.

    If some tiles have no names, the blank is shown as @, the agent.
    """
    rows = [row.split() for row in text.split("/")]
    unnamed = {".", "*"}
    blank = "@" if any(unnamed & set(row) for row in rows) else ""
    shown = {**dict.fromkeys(unnamed, ""), "0": blank}
    return tuple(tuple(shown.get(cell, cell) for cell in row) for row in rows)
