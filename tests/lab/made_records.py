"""Records made up for the tests of reports: no search runs for them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from taquin.lab.run.database import Ending, Record, Records
from taquin.lab.study.definition import ColumnValue, Run
from taquin.search.result import Limits, Stats


def made(
    board: str = "one",
    search: str = "A*",
    *,
    nodes: int = 100,
    cost: int | None = 10,
    lower_bound: int = 0,
    seconds: float = 0.5,
    seed: int | None = None,
    limit: int | None = None,
    ending: Ending | None = None,
    printed: float | None = None,
    columns: Mapping[str, ColumnValue] | None = None,
    reason: str = "",
) -> Record:
    """Return a record whose counters are all `nodes`; without a cost it ended at a limit."""
    return Record(
        Run(
            key=f"{board}/{search}/{seed}/{limit}",
            study="made",
            board=board,
            search=search,
            start="",
            goal="",
            metric="single",
            algorithm=search,
            limits=Limits(nodes=limit),
            seed=seed,
            columns=columns or {},
            printed=printed,
        ),
        ending=ending or (Ending.LIMIT if cost is None else Ending.SOLVED),
        reason=reason,
        cost=cost,
        lower_bound=lower_bound or cost or 0,
        stats=Stats(
            expanded=nodes,
            generated=nodes,
            enqueued=nodes,
            dequeued=nodes,
            max_frontier=nodes,
            seconds=seconds,
        ),
    )


def many(count: int, searches: int = 5, seed: int = 1) -> Records:
    """Return `count` records of so many searches, their numbers drawn by lot."""
    chance = Random(seed)
    records = Records()
    for number in range(count):
        board, search = divmod(number, searches)
        depth = 10 + board % 20
        nodes = int(depth ** (2 + chance.random()))
        solved = chance.random() < 0.9
        records.append(
            made(
                f"board {board + 1}",
                f"search {search + 1}",
                nodes=nodes,
                cost=depth if solved else None,
                seconds=nodes / 1e5,
                columns={"moves": depth},
            )
        )
    return records
