"""The texts of the views for boards, moves, evaluations and outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from taquin.model.board import Board
from taquin.model.moves import BLANK, FILLER, WALL, Move, label_order
from taquin.search.events import BoundRaised, Node
from taquin.search.result import Outcome, Result, verdict
from taquin.system.words import counted


def has_names(board: Board) -> bool:
    """Return whether tiles have names or are fillers, so that the blank is an agent among them."""
    return any(isinstance(label, str) and label != WALL for label in board.cells)


def place_names(board: Board) -> str:
    """Return a board on one line: where its named tiles and the agent are, or all its cells.

    A named tile and the agent have an (x, y), counted from 0 at the top left.

    >>> place_names(Board.parse(". B . / A . @"))
    'A(0,1) B(1,0) agent(2,1)'
    >>> place_names(Board.parse("1 2 / 3 0"))
    '1 2 / 3 0'
    """
    if not has_names(board):
        return board.text()
    tiles = [cell for cell, label in enumerate(board.cells) if label not in (FILLER, WALL, BLANK)]
    tiles.sort(key=lambda cell: label_order(board.cells[cell]))
    places = []
    for cell in (*tiles, board.blank):
        y, x = board.grid.place(cell)
        places.append(f"{'agent' if cell == board.blank else board.cells[cell]}({x},{y})")
    return " ".join(places)


def move_name(move: Move) -> str:
    """Return the tiles and the direction of a move, with the names of fillers and walls.

    >>> from taquin.model.moves import Direction
    >>> move_name(Move((".", "A"), Direction.UP))
    'filler A up'
    """
    names = {FILLER: "filler", WALL: "wall"}
    return f"{' '.join(str(names.get(tile, tile)) for tile in move.tiles)} {move.direction}"


def evaluation(node: Node) -> str:
    """Return f = g + h with the numbers of a node; f apart if the search has another priority."""
    total = node.depth + node.h
    text = f"g + h = {node.depth} + {node.h} = {total}"
    return f"f = {text}" if node.f == total else f"{text}, f = {node.f:g}"


def side_name(node: Node) -> str:
    """Return the side of a node in a bidirectional search; empty for the start."""
    return "" if node.side == "start" else f" from the {node.side}"


def why_discarded(node: Node) -> str:
    """Return why an entry was discarded when it was dequeued."""
    bumped = node.move is not None and WALL in node.move.tiles
    return "a step into a wall" if bumped else "known already"


def round_start(raised: BoundRaised, roots: Sequence[Node]) -> str:
    """Return the line for a new bound of a search that began at `roots`.

    A first bound above the estimate of the start is the limit of a search with one round.
    """
    if raised.round == 1 and len(roots) == 1 and raised.bound > roots[0].h:
        return f"Maximum depth {raised.bound:g}"
    return f"Round {raised.round}: bound {raised.bound:g}"


def solution_known(cost: int) -> str:
    """Return the line about a solution that is known while the search continues."""
    return f"A solution of {counted(cost, 'move')} is known"


def without_end(result: Result) -> str:
    """Return the outcome of a search that did not end with a solution."""
    if result.cost is not None:
        return f"best so far: {counted(result.cost, 'move')}"
    how = {Outcome.UNSOLVABLE: "no solution", Outcome.LIMIT_REACHED: "no solution found"}
    return how.get(result.outcome, "stopped")


def headline(result: Result) -> str:
    """Return one line: what a search found, and what is proven about it."""
    if result.outcome is not Outcome.SOLVED:
        return f"{without_end(result).capitalize()}: {result.reason}"
    return verdict(result).removesuffix(".")


def ending(result: Result) -> str:
    """Return one line: how a search ended and how many nodes it dequeued."""
    nodes = f"{counted(result.stats.dequeued or 0, 'node')} dequeued"
    if result.outcome is Outcome.SOLVED:
        assert result.cost is not None
        return f"Solution found: {counted(result.cost, 'move')}, {nodes}"
    return f"{without_end(result).capitalize()}, {nodes}: {result.reason}"
