"""The check of S3: walk a found path back from the goal; it must end at the start."""

from __future__ import annotations

from collections.abc import Iterator

from taquin.search.result import Result
from taquin.system.words import counted
from taquin.views.wording import move_name, place_names


def verified_path(result: Result) -> Iterator[str]:
    """Yield the boards of a solution from the goal back to the start, each move taken back.

    Raise IllegalMoveError when the moves do not lead from the start to the goal.
    """
    if result.moves is None:
        yield "Nothing to verify: no solution was found"
        return
    board = result.boards()[-1]
    yield f"Goal: {place_names(board)}"
    for number, move in reversed(list(enumerate(result.moves, 1))):
        board = board.slide(move.direction.opposite, len(move.tiles))
        yield f"Take back move {number}, {move_name(move)}: {place_names(board)}"
    assert board == result.start
    yield f"This is the start: the solution of {counted(len(result.moves), 'move')} is verified"
