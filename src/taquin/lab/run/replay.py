"""Verify the solution of a record by the rules of the puzzle alone."""

from __future__ import annotations

from taquin.errors import TaquinError
from taquin.lab.run.record import Record
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation.moves import moves_on


def solution_fault(record: Record) -> str:
    """Return what is wrong with the solution of a record; empty if it is right.

    It is right if every move is legal, the last board is solved, and the number of moves is the
    recorded cost.
    """
    run = record.run
    try:
        start, metric = Board.parse(run.start), Metric.named(run.metric)
        moves = moves_on(start, record.solution or "", metric)
        Puzzle(Goal.parse(run.goal), metric).replay(start, moves)
    except TaquinError as error:
        return str(error).partition("\n")[0].rstrip(":")
    if len(moves) != record.cost:
        said = "none" if record.cost is None else f"{record.cost:,}"
        return f"it has {len(moves):,} moves, and the record says {said}"
    return ""
