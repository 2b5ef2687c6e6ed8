"""Print records as a table, as JSON or as CSV; describe a result and draw its boards.

The first half prints records of any kind. The second half converts a result to a sentence, JSON,
a CSV record, or a drawing of its boards.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import IO, Any

import click

import taquin as tq
from taquin.cli.command import OK, REFUTED, STOPPED
from taquin.cli.screen import columns as screen_columns
from taquin.cli.screen import is_terminal, side_by_side, stack
from taquin.model.rows import draw_rows, fold
from taquin.notation import move_json, write_moves
from taquin.system.formatting import TextColumn, printable, table_text

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet interprets a text that begins with one of these as a formula."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of records."""

    heading: str
    cell: Callable[[Any], str]
    left: bool = False
    """Whether it is aligned to the left, as text is; numbers are aligned to the right."""


def print_table(columns: Sequence[Column], records: Sequence[Any]) -> None:
    """Print the records, fitted to the terminal if there is one."""
    print_columns(
        [TextColumn(c.heading, [c.cell(record) for record in records], c.left) for c in columns]
    )


def print_columns(columns: Sequence[TextColumn]) -> None:
    """Print a table, fitted to the terminal if there is one."""
    click.echo(table_text(columns, screen_columns() if is_terminal(sys.stdout) else None))


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


STATUS = {
    tq.Outcome.SOLVED: OK,
    tq.Outcome.UNSOLVABLE: REFUTED,
    tq.Outcome.LIMIT_REACHED: STOPPED,
    tq.Outcome.STOPPED: STOPPED,
}
LONG = 100
"""Solutions with more moves than this show every tenth board, and list the moves between."""
_STEP = 10
_MOST_CELLS = 2_000_000
"""Solutions whose boards have more cells in total are not drawn."""
_MOST_OBJECTS = 100_000
"""Moves up to which JSON has an object for each: 3 million take 120 MB and 10 seconds."""


def other_goals(puzzle: tq.Puzzle, start: tq.Board) -> str:
    """Return a sentence with the other goals that a board can reach; empty if there is none.

    >>> other_goals(tq.Puzzle(tq.Goal("3x3")), tq.Board("1 2 3 / 8 0 4 / 7 6 5"))
    ' It is solvable with --goal snail.'
    """
    # Imported late: most boards are solvable.
    from taquin.model.solvability import solvable_goals

    names = " or ".join(f"--goal {name}" for name in solvable_goals(puzzle, start))
    return f" It is solvable with {names}." if names else ""


def no_solution(puzzle: tq.Puzzle, start: tq.Board) -> str:
    """Return why a board is unsolvable, and which goals it can reach; empty if it is solvable."""
    verdict = tq.solvability(puzzle, start)
    if verdict.answer is not tq.Solvability.NO:
        return ""
    return f"No solution possible: {verdict.reason}.{other_goals(puzzle, start)}"


def moves_or_outcome(result: tq.Result | None) -> str:
    """Return the number of moves of a solution, or the outcome if there is none."""
    if result is None:
        return "failed"
    return result.outcome.value if result.cost is None else str(result.cost)


def result_json(result: tq.Result, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a result as a JSON value; `without` names the fields that are null."""
    from taquin.views.records import result_record

    record = result_record(result, ("puzzle", *without))
    goal = result.puzzle.goal
    record["goal"] = fold(goal.cells, goal.grid.columns)
    record["metric"] = result.puzzle.metric.value
    return record


def result_line(result: tq.Result, more: Mapping[str, Any]) -> str:
    """Return `result_json` and `more` as `json_line` writes them, in half the time.

    The texts of moves are cached, because most of a result is moves and they recur. Very many moves
    are one text, as --style moves prints them.
    """
    if result.moves is None:
        return json_line({**result_json(result), **more})
    if len(result.moves) > _MOST_OBJECTS:
        moves = json_line(write_moves(result.moves, result.puzzle.metric))
    else:
        texts = [_move_text(move.tiles, move.direction) for move in result.moves]
        moves = f"[{', '.join(texts)}]"
    text = json_line({**result_json(result, ("moves",)), **more})
    # Before the moves there are only the outcome and numbers.
    return text.replace('"moves": null', f'"moves": {moves}', 1)


@lru_cache(maxsize=4096)
def _move_text(tiles: tuple[tq.Label, ...], direction: tq.Direction) -> str:
    # The arguments are the fields of a move, because hashing a Move runs Python code.
    return json_line(move_json(tq.Move(tiles, direction)))


def csv_record(keys: Iterable[str], result: tq.Result | None) -> dict[str, Any]:
    """Return the values of `keys` and the counters of a result; None for each without a result."""
    if result is None:
        return dict.fromkeys([*keys, *asdict(tq.Stats())])
    values = result_json(result)
    return {key: values[key] for key in keys} | asdict(result.stats)


def draw_solution(result: tq.Result, *, blank: bool = False) -> str:
    """Return the start, then each move and its board; with `blank`, also the blank's direction."""
    moves, puzzle = result.moves or (), result.puzzle
    head = ["start", *draw_board(result.start, puzzle)]
    if len(moves) * puzzle.grid.size > _MOST_CELLS:
        return stack([*head, "", "The solution is too long to draw; --style moves prints it."])
    boards = result.boards()
    if len(moves) <= LONG:
        steps = [
            [f"{number}. {_move_label(move, blank)}", *draw_board(board, puzzle, move)]
            for number, (move, board) in enumerate(zip(moves, boards[1:], strict=True), 1)
        ]
        return side_by_side([head, *steps])
    parts = [stack(head)]
    for first in range(0, len(moves), _STEP):
        last = min(first + _STEP, len(moves))
        labels = [
            [f"{number + 1}. {_move_label(moves[number], blank)}"] for number in range(first, last)
        ]
        parts.append(side_by_side(labels).replace("\n\n", "\n"))
        parts.append(stack(draw_board(boards[last], puzzle, moves[last - 1])))
    return "\n\n".join(parts)


def draw_board(board: tq.Board, puzzle: tq.Puzzle, move: tq.Move | None = None) -> list[str]:
    """Return the rows of a board: tiles of the last move are inverted, tiles at home green."""
    columns = board.grid.columns
    lines = draw_rows(board.cells, columns).split("\n")
    wide = (len(lines[0]) + 1) // columns
    texts = [line[at : at + wide - 1] for line in lines for at in range(0, wide * columns, wide)]
    # The moved tiles now lie in line behind the blank.
    moved = board.grid.ray(board.blank, move.direction)[: len(move.tiles)] if move else ()
    cells = [
        _coloured(text, label, is_home=label == home, has_moved=cell in moved)
        for cell, (text, label, home) in enumerate(
            zip(texts, board.cells, puzzle.goal.cells, strict=True)
        )
    ]
    return [" ".join(row) for row in fold(cells, columns)]


def _move_label(move: tq.Move, blank: bool) -> str:
    tiles = ("filler" if tile == tq.FILLER else str(tile) for tile in move.tiles)
    goes = f"blank {move.direction.opposite}, " if blank else ""
    return f"{goes}{' '.join(tiles)} {move.direction}"


def _coloured(padded: str, label: tq.Label, *, is_home: bool, has_moved: bool) -> str:
    if label in (tq.BLANK, tq.WALL):
        return click.style(padded, dim=True)
    text = padded.lstrip()
    gap = padded[: len(padded) - len(text)]
    if has_moved:
        return gap + click.style(text, bold=True, reverse=True)
    return gap + click.style(text, fg="green") if is_home else padded
