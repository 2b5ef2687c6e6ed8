"""Export a puzzle as a planning task: PDDL, and the SAS+ format 3 of Fast Downward.

Both describe the content of each cell, so repeated tiles and partial goals need no special case:

    PDDL    (holds cell-1-2 tile-7), (blank cell-1-1); one action, slide
    SAS+    a variable for each open cell, whose value is the number of its label, 0 for the blank;
            an operator for each pair of adjacent cells and each label

A plan has one action for each move of one tile, so a shortest plan is a shortest solution.
"""

from __future__ import annotations

from collections.abc import Iterator

from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, WALL, Label, Metric, label_order
from taquin.model.puzzle import Puzzle

MOST_OPERATORS = 1_000_000
"""The maximum number of operators of a SAS+ task: 25×25 cells have more."""

DOMAIN = """\
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types cell tile)
  (:predicates
    (holds ?cell - cell ?tile - tile)
    (blank ?cell - cell)
    (beside ?from - cell ?to - cell))
  (:action slide
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (holds ?from ?tile) (blank ?to) (beside ?from ?to))
    :effect (and
      (holds ?to ?tile) (blank ?from) (not (holds ?from ?tile)) (not (blank ?to)))))
"""
"""The PDDL domain of every board."""


def to_pddl(puzzle: Puzzle, start: BoardLike) -> str:
    """Return the PDDL problem of a board, for the domain `DOMAIN`.

    Raise MismatchError for a board that does not fit, and UnsuitableError for the multi metric.
    """
    start, names = _named(puzzle, start)
    grid = puzzle.grid
    cells = [_cell(grid, cell) for cell in grid.open_cells]
    facts = [_fact(grid, cell, start.cells[cell], names) for cell in grid.open_cells]
    facts += [f"(beside {_cell(grid, one)} {_cell(grid, other)})" for one, other in _pairs(grid)]
    wanted = [_fact(grid, cell, label, names) for cell, label in puzzle.goal.fixed.items()]
    comments = [f"; {name} is {label}" for label, name in names.items() if isinstance(label, str)]
    tiles = f"{' '.join(names.values())} - tile" if names else ""
    return "\n".join(
        [
            *comments,
            "(define (problem sliding-tiles-board)",
            "  (:domain sliding-tiles)",
            f"  (:objects {' '.join(cells)} - cell {tiles})",
            "  (:init",
            *(f"    {fact}" for fact in facts),
            "  )",
            f"  (:goal (and {' '.join(wanted)})))",
            "",
        ]
    )


def to_sas(puzzle: Puzzle, start: BoardLike) -> str:
    """Return the SAS+ task of a board, the input of Fast Downward's search component.

    Raise MismatchError for a board that does not fit, and UnsuitableError for the multi metric and
    for more than `MOST_OPERATORS` operators.
    """
    start, names = _named(puzzle, start)
    grid = puzzle.grid
    variables = {cell: number for number, cell in enumerate(grid.open_cells)}
    values = {label: number for number, label in enumerate([BLANK, *names])}
    pairs = list(_pairs(grid))
    if len(pairs) * len(names) > MOST_OPERATORS:
        raise UnsuitableError(
            f"expected a task of at most {MOST_OPERATORS:,} operators, found "
            f"{len(pairs) * len(names):,}: use PDDL, or a smaller board"
        )
    wanted = puzzle.goal.fixed
    lines = ["begin_version", "3", "end_version", "begin_metric", "0", "end_metric"]
    lines.append(str(len(variables)))
    for cell, number in variables.items():
        atoms = [f"Atom blank({_cell(grid, cell)})"]
        atoms += [f"Atom holds({_cell(grid, cell)}, {name})" for name in names.values()]
        lines += ["begin_variable", f"var{number}", "-1", str(len(atoms)), *atoms, "end_variable"]
    lines += ["0", "begin_state"]
    lines += [str(values[start.cells[cell]]) for cell in variables]
    lines += ["end_state", "begin_goal", str(len(wanted))]
    lines += [f"{variables[cell]} {values[label]}" for cell, label in wanted.items()]
    lines += ["end_goal", str(len(pairs) * len(names))]
    for origin, target in pairs:
        for label, name in names.items():
            value = values[label]
            lines += [
                "begin_operator",
                f"slide {name} {_cell(grid, origin)} {_cell(grid, target)}",
                "0",
                "2",
                f"0 {variables[origin]} {value} 0",
                f"0 {variables[target]} 0 {value}",
                "1",
                "end_operator",
            ]
    return "\n".join([*lines, "0", ""])


def _named(puzzle: Puzzle, start: BoardLike) -> tuple[Board, dict[Label, str]]:
    """Return the board, and names for its tiles in the few characters that PDDL allows."""
    start = Board.of(start)
    puzzle.check(start)
    if puzzle.metric is not Metric.SINGLE:
        raise UnsuitableError("planning tasks move one tile at a time: use the metric single")
    labels = sorted(set(start.cells) - {BLANK, WALL, ANY}, key=label_order)
    return start, {
        label: f"tile-{label}" if isinstance(label, int) else f"name-{number}"
        for number, label in enumerate(labels, 1)
    }


def _pairs(grid: Grid) -> Iterator[tuple[int, int]]:
    """Yield every open cell with each of its neighbours."""
    return ((cell, near) for cell in grid.open_cells for near in grid.neighbours(cell))


def _cell(grid: Grid, cell: int) -> str:
    row, column = grid.place(cell)
    return f"cell-{row + 1}-{column + 1}"


def _fact(grid: Grid, cell: int, label: Label, names: dict[Label, str]) -> str:
    place = _cell(grid, cell)
    return f"(blank {place})" if label == BLANK else f"(holds {place} {names[label]})"
