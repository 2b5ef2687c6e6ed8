"""Generate boards from a seed: n random moves from a solved board, or any solvable board.

Each board has its own stream of random numbers, named after the board:

    "walk"  seed  number  rows  columns  moves      BLAKE2b → 256 bits → `random.Random`
    "board" seed  number  rows  columns

So boards of neighbouring seeds, numbers, sizes or lengths are independent, and the same name gives
the same board on every system and Python version. All random numbers come from `Random.random()`,
the one method whose sequence Python guarantees, not from `shuffle` or `choice`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import index
from random import Random, SystemRandom

from taquin.errors import BoardError, IllegalMoveError, MismatchError, UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.grid import BlockKind, Grid, layout
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Direction, Label, Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.solvability import solvability
from taquin.reasons import reason

DRAWS = 20_000
"""The maximum number of boards that `random_board` draws to find a solvable one."""


def random_walk(
    puzzle: Puzzle | BoardLike,
    moves: int,
    seed: int | None = None,
    *,
    number: int = 1,
    labels: Iterable[Label] | None = None,
    backtrack: bool = False,
) -> Board:
    """Return the board after `moves` random moves of the puzzle's metric from a solved board.

    Goal, seed, number and labels are as for `random_board`; if ANY cells leave several
    solved boards, the walk starts at a random one. Walks of different lengths are independent: none
    is a prefix of another.

    Unless `backtrack`, no move undoes the previous one, except in a dead end; in the multi metric
    no move continues the line of the previous one, as the two would be one move.

    Raise UnsuitableError for a negative number of moves, IllegalMoveError if the blank cannot move,
    and MismatchError for labels that do not fit the goal.

    >>> random_walk("3x3", 20, seed=1).text()
    '5 2 3 / 4 0 7 / 1 8 6'
    """
    if not isinstance(puzzle, Puzzle):
        puzzle = Puzzle(_goal_of(puzzle))
    if moves < 0:
        raise UnsuitableError(f"the number of moves must be 0 or more, got {moves}")
    chance = stream("walk", seed, number, puzzle.grid, moves)
    walk = walk_from_goal(puzzle, chance, labels=labels, backtrack=backtrack)
    return Board(puzzle.grid, tuple(next(islice(walk, moves, None))))


def walk_from_goal(
    puzzle: Puzzle,
    chance: Random,
    *,
    labels: Iterable[Label] | None = None,
    backtrack: bool = False,
) -> Iterator[list[Label]]:
    """Yield the cells of a solved board, then those after each move of an endless `random_walk`.

    It yields the same list every time, modified in place.
    """
    solved = _solved(puzzle.goal, labels, chance)
    cells, blank = list(solved.cells), solved.blank
    yield cells
    if not puzzle.grid.neighbours(blank):
        raise IllegalMoveError(reason("blank-stuck", board=str(solved)))
    paths: dict[int, list[tuple[Direction, tuple[int, ...]]]] = {}
    """For each cell of the blank its moves: a direction, and the cells that it passes."""
    barred: tuple[Direction, ...] = ()
    while True:
        if blank not in paths:
            rays = {way: puzzle.grid.ray(blank, way, puzzle.metric.longest) for way in Direction}
            paths[blank] = [
                (direction, ray[: last + 1])
                for direction, ray in rays.items()
                for last in range(len(ray))
            ]
        allowed = [path for path in paths[blank] if path[0] not in barred] or paths[blank]
        direction, steps = allowed[below(chance, len(allowed))]
        for cell in steps:
            cells[blank], cells[cell] = cells[cell], BLANK
            blank = cell
        if not backtrack:
            back = direction.opposite
            barred = (back, direction) if puzzle.metric is Metric.MULTI else (back,)
        yield cells


def random_board(
    goal: Goal | Puzzle | BoardLike,
    seed: int | None = None,
    *,
    number: int = 1,
    labels: Iterable[Label] | None = None,
) -> Board:
    """Return a random board that can be solved, uniformly among all such boards.

    `goal` is any value that `Goal` accepts, or a size such as `"3x3"` for the goal blank-last. The
    same seed gives the same board; without a seed each call gives another. `number` 1, 2, 3 …
    selects independent boards of one seed. `labels` are those of the whole board, blank included;
    the default is those of the goal, with fillers (and a blank, if it has none) for ANY cells.

    For a full goal the board is constructed; for any other goal boards are drawn until one is
    solvable. Raise UnsuitableError if none of `DRAWS` is, which happens only if walls leave very
    few, and MismatchError for labels that do not fit the goal.

    >>> random_board("3x3", seed=1).text()
    '4 1 2 / 0 5 8 / 3 7 6'
    """
    goal = _goal_of(goal)
    chance = stream("board", seed, number, goal.grid)
    solved = _solved(goal, labels, chance)
    if goal.is_full:
        return _shuffled(solved, chance)
    cells = list(solved.cells)
    for _ in range(DRAWS):
        _shuffle(cells, goal.grid.open_cells, chance)
        board = Board(goal.grid, cells)
        if solvability(Puzzle(goal), board):
            return board
    raise UnsuitableError(reason("no-draw", count=DRAWS))


def _goal_of(value: Goal | Puzzle | BoardLike) -> Goal:
    """Convert a puzzle, a goal in any form, or a size to a goal."""
    if isinstance(value, Puzzle):
        return value.goal
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(n, int) for n in value):
        return Goal.blank_last(*value)
    if isinstance(value, int):
        raise BoardError(f"expected a goal or a size such as '3x3', found {value}")
    return Goal.of(value)


def _shuffled(solved: Board, chance: Random) -> Board:
    """Return a board from which `solved`, with all labels distinct, can be reached.

    It is uniform by the proof in `taquin.model.solvability`: the boards with the blank in a given
    cell correspond one to one to a rotation of each ring and an even permutation of each room, and
    their number is the same for every cell. So a uniform cell for the blank and a uniform choice
    for each block give a uniform board.
    """
    cells = list(solved.cells)
    blank = solved.blank
    reach = layout(solved.grid, blank)
    end = sorted(reach.cells)[below(chance, len(reach.cells))]
    for cell, _ in ((blank, 0), *reach.tour):
        cells[blank], cells[cell] = cells[cell], cells[blank]
        blank = cell
        if blank == end:
            break
    for block in layout(solved.grid, end).blocks:
        inside = block.cells[1:]
        if block.kind is BlockKind.RING:
            shift = below(chance, len(inside))
            tiles = [cells[cell] for cell in inside]
            for cell, tile in zip(inside, tiles[shift:] + tiles[:shift], strict=True):
                cells[cell] = tile
        elif block.kind is BlockKind.ROOM and _shuffle(cells, inside, chance):
            # Exchanging two fixed cells maps odd permutations one to one to even ones, so the even
            # ones stay equally likely.
            first, second = inside[:2]
            cells[first], cells[second] = cells[second], cells[first]
    return Board(solved.grid, tuple(cells))


def _shuffle(cells: list[Label], places: tuple[int, ...], chance: Random) -> bool:
    """Permute the labels at `places` uniformly (Fisher and Yates); return whether it was odd."""
    is_odd = False
    for last in range(len(places) - 1, 0, -1):
        chosen = below(chance, last + 1)
        first, second = places[last], places[chosen]
        cells[first], cells[second] = cells[second], cells[first]
        is_odd ^= chosen != last
    return is_odd


def _solved(goal: Goal, labels: Iterable[Label] | None, chance: Random) -> Board:
    """Return a board that meets `goal`, uniform among the fillings of its ANY cells."""
    cells = list(goal.cells)
    places = tuple(cell for cell, label in enumerate(cells) if label == ANY)
    if labels is None:
        rest: list[Label] = [FILLER] * len(places)
        if BLANK not in cells:
            rest[0] = BLANK
    else:
        rest = [label for label in labels if label != WALL]
        for label in goal.fixed.values():
            if label not in rest:
                raise MismatchError(reason("label-missing", tile=label))
            rest.remove(label)
        if len(rest) != len(places):
            raise MismatchError(reason("labels-left", count=len(rest), cells=len(places)))
    for cell, label in zip(places, rest, strict=True):
        cells[cell] = label
    _shuffle(cells, places, chance)
    return Board(goal.grid, tuple(cells))


def stream(kind: str, seed: int | None, number: int, grid: Grid, *more: int) -> Random:
    """Return the random number generator for one board of a kind, independent of all others.

    A seed of None is random; `number` distinguishes the boards of one seed; `more` has the other
    parameters of the kind. Raise TypeError for a seed or a number that is not an integer.
    """
    # Imported late: only random boards need it.
    from hashlib import blake2b

    seed = SystemRandom().getrandbits(64) if seed is None else seed
    numbers = (seed, number, grid.rows, grid.columns, *more)
    name = " ".join([kind, *(str(index(value)) for value in numbers)])
    return Random(int.from_bytes(blake2b(name.encode(), digest_size=32).digest(), "big"))


def below(chance: Random, count: int) -> int:
    """Return one of 0 … count − 1, exactly uniformly.

    `random()` returns one of 2⁵³ equally likely multiples of 2⁻⁵³; the few highest, which would
    favour some remainders, are rejected.
    """
    span = 1 << 53
    while True:
        number = int(chance.random() * span)
        if number < span - span % count:
            return number % count
