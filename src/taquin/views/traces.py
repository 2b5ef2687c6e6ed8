"""Text views of a search: the commentary of S0, the traces of S3, and texts that all views share.

The first functions name moves, evaluations and outcomes; other views use them too.

The commentary shows every expanded board, its children, and the lengths of the lists:

    Try 1: f = g + h = 0 + 4 = 4
      _ 1 3
      4 2 5
      7 8 6
    2 child boards:
      1 left, f = g + h = 1 + 3 = 4    4 up, f = g + h = 1 + 5 = 6
        1 _ 3                            4 1 3
        4 2 5                            _ 2 5
        7 8 6                            7 8 6
    queue length 2, closed length 1; the next:
      f = g + h = 1 + 3 = 4: 1 0 3 / 4 2 5 / 7 8 6
      f = g + h = 1 + 5 = 6: 4 1 3 / 0 2 5 / 7 8 6

Levels and back traces show the level of each board in the tree of a blind search, and where a path
ends; the traces of a search with priorities show when each entry was created and dequeued:

    Level 1: A(0,3) B(2,3) agent(1,3)
    Back trace from level 1
    Step 2: A(1,3) agent(0,3): created in step 1, f = g + h = 1 + 4 = 5

S3 uses a clock that ticks twice for every entry dequeued: once when the entry is traversed, at
1, 3, 5 …, and once when its children are created, at 2, 4, 6 …. Its estimated cost adds the
Manhattan distance to the depth of the *parent*, so it is one less than depth + estimate for every
board but the start:

    A(1,3) agent(0,3): created 2, traversed 3, estimated cost 4 = 0 + 4
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from taquin.model.board import Board
from taquin.model.moves import BLANK, FILLER, WALL, Move, label_order
from taquin.search import events as seen
from taquin.search.algorithms import (
    AStar,
    Beam,
    BreadthFirst,
    DepthFirst,
    Greedy,
    IDAStar,
    IterativeDeepening,
    RecursiveBestFirst,
    UniformCost,
)
from taquin.search.events import BoundRaised, Event, Fate, Node
from taquin.search.result import Outcome, Result, verdict
from taquin.search.run import Algorithm, Ties
from taquin.search.user_search import UserSearch
from taquin.system.formatting import counted, side_by_side
from taquin.views.records import to_json_lines


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


WIDTH = 100
"""The default width of a line in characters."""
_GAP = 4
_INDENT = "  "
_FIRST = 5
"""Boards of the queue that are shown."""

_WHY = {
    Fate.DUPLICATE: "known already",
    Fate.PARENT: "where it came from",
    Fate.CUT: "beyond the bound",
    Fate.LIMIT: "at the depth limit",
}

_LATE = {fate: f"Left out, {why}" for fate, why in _WHY.items()} | {Fate.PRUNED: "Dropped"}


@dataclass(slots=True)
class _Step:
    """An expanded board with its children so far."""

    taken: seen.Expanded
    kept: list[Node] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    known: str = ""
    """The line about a child that is a solution."""

    @property
    def queue(self) -> int:
        """The length of the queue with the children in it."""
        return self.taken.frontier + len(self.kept)

    def takes(self, event: Event) -> bool:
        """Add an event about a child of the board; return False for any other event."""
        if not isinstance(event, seen.Generated | seen.Improved):
            return False
        if event.node.parent != self.taken.node.number:
            return False
        if isinstance(event, seen.Improved):
            self.known = solution_known(event.cost)
        elif event.fate is Fate.PRUNED:
            return False
        elif event.fate in _WHY:
            self.left_out[_WHY[event.fate]] += 1
        else:
            self.kept.append(event.node)
        return True

    def lines(self, width: int, waiting: _Waiting) -> Iterator[str]:
        """Yield the children, the lengths, and the first boards of the queue.

        Children are in lines of at most `width` characters.
        """
        children = sorted(self.kept, key=lambda node: node.depth + node.h)
        yield f"{counted(len(children), 'child board')}{':' if children else ''}"
        blocks = []
        for node in children:
            move = f"{move_name(node.move)}, " if node.move is not None else ""
            blocks.append([f"{move}{evaluation(node)}", *_indented(node)])
        for band in side_by_side(blocks, width - len(_INDENT), _GAP):
            yield from (f"{_INDENT}{line}" for line in band)
        if self.left_out:
            reasons = ", ".join(f"{count} {why}" for why, count in self.left_out.items())
            yield f"left out: {reasons}"
        if self.known:
            yield self.known
        first = [f"{_INDENT}{_entry(node)}" for node in waiting.first()]
        lengths = f"queue length {self.queue}, closed length {self.taken.closed + 1}"
        yield f"{lengths}{'; the next:' if first else ''}"
        yield from first
        yield ""


class _Waiting:
    """The boards in the queue of a search, in the order in which it dequeues them."""

    def __init__(self, ties: Ties | None) -> None:
        self.ties = ties
        self.entries: list[tuple[tuple[float, ...], Node]] = []
        self._numbers: dict[int, tuple[float, ...]] = {}

    def first(self) -> list[Node]:
        """Return the first boards; none if the order is not known."""
        return [node for _, node in self.entries[:_FIRST]]

    def follow(self, event: Event) -> None:
        """Add or remove the board of an event."""
        match event:
            case seen.Started(node):
                self._add(node)
            case seen.Generated(node, fate) if fate in seen.KEPT:
                self._add(node)
            case seen.Expanded(node) | seen.Discarded(node):
                if key := self._numbers.pop(node.number, None):
                    del self.entries[bisect_left(self.entries, key, key=itemgetter(0))]

    def _add(self, node: Node) -> None:
        if self.ties is not None:
            newest = -node.number if self.ties is Ties.LIFO else node.number
            key = (node.f, node.h if self.ties is Ties.LOW_H else 0, newest)
            self._numbers[node.number] = key
            insort(self.entries, (key, node), key=itemgetter(0))


def queue_order(algorithm: Algorithm) -> Ties | None:
    """Return how a search with one queue, by f, breaks ties; None for any other search."""
    if not isinstance(algorithm, BreadthFirst | UniformCost | Greedy | AStar):
        return None
    ties = algorithm.conventions.ties
    return None if ties is Ties.HEAP else ties


def commentary(
    events: Iterable[Event], width: int = WIDTH, ties: Ties | None = None
) -> Iterator[str]:
    """Yield the commentary step by step, with children in the order of g + h.

    As many children as fit `width` are side by side. A try is an expansion; the solved board is not
    expanded. The queue of a depth-first search is the path to the next board. With `ties`, that of
    `queue_order`, the first boards of the queue are shown.
    """
    waiting = _Waiting(ties)
    step: _Step | None = None
    tries = queue = 0
    roots: list[Node] = []
    for event in _without_echoes(events):
        if step is None or not isinstance(event, seen.Expanded | seen.Discarded):
            waiting.follow(event)
        if step is not None and step.takes(event):
            continue
        if step is not None:
            yield from step.lines(width, waiting)
            if isinstance(event, seen.Expanded | seen.Discarded):
                waiting.follow(event)
            queue, step = step.queue, None
        match event:
            case seen.Started(node):
                roots.append(node)
            case seen.Expanded(node):
                tries += 1
                step = _Step(event)
                yield f"Try {tries}{side_name(node)}: {evaluation(node)}"
                yield from _indented(node)
            case seen.Discarded(node):
                queue -= 1
                yield f"Discarded, {why_discarded(node)}: {_entry(node)}"
                yield ""
            case seen.Generated(node, fate) if fate in _LATE:
                # A depth-first search generates a child after it returns from the previous one.
                yield f"{_LATE[fate]}: {_entry(node)}"
            case seen.BoundRaised():
                yield round_start(event, roots)
                yield ""
            case seen.Improved(_, cost):
                yield solution_known(cost)
            case seen.GoalFound(node):
                two_sided = any(root.side != "start" for root in roots)
                end = "The two searches meet" if two_sided else "Solved"
                yield f"{end}: {evaluation(node)}"
                yield from _indented(node)
            case seen.Finished(result):
                yield _ending(result, tries, bool(roots), queue)
    if step is not None:
        # The events are truncated: show the part of the last step that is known.
        yield from step.lines(width, waiting)


def levels(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each expanded board, with its level in the search tree."""
    left_out = (seen.BoundRaised, seen.Backtracked)
    return back_traces(event for event in events if not isinstance(event, left_out))


def back_traces(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each expanded board, each path left, and the start of each round."""
    uses_estimate = two_sided = False
    estimate = 0
    for event in _without_echoes(events):
        match event:
            case seen.Started(node):
                estimate, uses_estimate = node.h, node.h > 0
                two_sided = two_sided or node.side != "start"
            case seen.BoundRaised(bound, number):
                limit = "f = g + h" if uses_estimate else "depth"
                if number == 1 and bound > estimate and not two_sided:
                    # A deepening search starts with the estimate of the start; this is a limit.
                    yield f"Maximum depth {bound:g}"
                else:
                    yield f"Round {number} starts: maximum {limit} {bound:g}"
            case seen.Expanded(node):
                yield _level(node)
            case seen.Backtracked(node):
                yield f"Back trace from level {node.depth}"
            case seen.Improved(_, cost):
                yield solution_known(cost)
            case seen.GoalFound(node):
                yield f"{_level(node)}: {'the two searches meet' if two_sided else 'solved'}"
            case seen.Finished(result):
                yield ending(result)


def created_traversed(events: Iterable[Event]) -> Iterator[str]:
    """Yield a line for each dequeued entry, which is a step, discarded ones included."""

    def line(node: Node, created: int, step: int | None) -> str:
        taken = "Not dequeued" if step is None else f"Step {step}"
        since = "the start" if node.parent is None else f"created in step {created}"
        return f"{taken}{side_name(node)}: {place_names(node.board)}: {since}, {evaluation(node)}"

    return _entries(events, line)


def s3_times(events: Iterable[Event]) -> Iterator[str]:
    """Yield the lines of `created_traversed` with the clock and the estimated cost of S3."""

    def line(node: Node, created: int, step: int | None) -> str:
        above = max(node.depth - 1, 0)
        time = "not traversed" if step is None else f"traversed {2 * step - 1}"
        return (
            f"{place_names(node.board)}{side_name(node)}: created {2 * created}, "
            f"{time}, estimated cost {above + node.h} = {above} + {node.h}"
        )

    yield (
        "Times and costs as S3 counts them: the clock ticks once when an entry is traversed and "
        "once when its children are created; the estimated cost is the depth of the parent + the "
        "estimate"
    )
    yield from _entries(events, line)


def _entries(
    events: Iterable[Event], line: Callable[[Node, int, int | None], str]
) -> Iterator[str]:
    """Yield the line of each dequeued entry, and how the search ended.

    `line` gets the node, the step that created it (0 for the start), and its own step (None for a
    goal that was recognised when it was generated).
    """
    created: dict[int, int] = {}
    dequeued = 0
    goal: Node | None = None
    for event in events:
        match event:
            case seen.Started(node):
                created[node.number] = 0
            case seen.Generated(node, fate) if fate in seen.KEPT:
                created[node.number] = dequeued
            case seen.Expanded(node) | seen.Discarded(node):
                dequeued += 1
                discarded = isinstance(event, seen.Discarded)
                why = f"; {why_discarded(node)}" if discarded else ""
                yield line(node, created.get(node.number, 0), dequeued) + why
            case seen.GoalFound(node):
                goal = node
            case seen.Finished(result):
                if goal is not None:
                    # The number of dequeued entries tells whether the goal was dequeued or already
                    # recognised when it was generated.
                    step = dequeued + 1 if (result.stats.dequeued or 0) > dequeued else None
                    yield f"{line(goal, created.get(goal.number, 0), step)}; solved"
                yield ending(result)


def verified_path(result: Result) -> Iterator[str]:
    """Yield the boards of a solution from end to start; raise IllegalMoveError if it is wrong."""
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


@dataclass(frozen=True, slots=True)
class View:
    """A view that shows a search as lines of text."""

    show: Callable[..., Iterator[str]]
    """Events → lines without line ends, each as soon as possible."""
    summary: str
    """One line for the list of views."""
    lays_out: bool = False
    """Whether it lays out boards side by side, so that it needs a width."""

    def __call__(self, events: Iterable[Event], width: int = WIDTH) -> Iterator[str]:
        """Return the lines, with boards laid out within `width` characters."""
        return self.show(events, width) if self.lays_out else self.show(events)


VIEWS: dict[str, View] = {
    "commentary": View(
        commentary,
        "Every board dequeued, its children with f = g + h, queue and closed lengths",
        lays_out=True,
    ),
    "levels": View(levels, "Every board dequeued, with its level in the search tree"),
    "backtrace": View(back_traces, "Levels, where each path is left, and the start of each round"),
    "created": View(
        created_traversed, "Every entry dequeued, the step that created it, and f = g + h"
    ),
    "json": View(to_json_lines, "Every event as a line of JSON, which can be replayed"),
}
"""Every view by its name on the command line."""


def view_for(algorithm: Algorithm) -> str:
    """Return the name of the most suitable view for an algorithm.

    >>> view_for(DepthFirst()), view_for(Beam())
    ('backtrace', 'levels')
    """
    if isinstance(algorithm, DepthFirst | IterativeDeepening | IDAStar | RecursiveBestFirst):
        return "backtrace"
    if isinstance(algorithm, UserSearch):
        return "commentary" if algorithm.claims.has_heuristic else "levels"
    if algorithm.heuristic is None or isinstance(algorithm, Beam):
        return "levels"
    return "commentary"


def _without_echoes(events: Iterable[Event]) -> Iterator[Event]:
    """Yield `events`; drop an improvement if the next event is the goal that it announces."""
    held: seen.Improved | None = None
    for event in events:
        goal = event.node.number if isinstance(event, seen.GoalFound) else None
        if held is not None and held.node.number != goal:
            yield held
        held = event if isinstance(event, seen.Improved) else None
        if held is None:
            yield event
    if held is not None:
        yield held


def _level(node: Node) -> str:
    return f"Level {node.depth}{side_name(node)}: {place_names(node.board)}"


def _ending(result: Result, tries: int, started: bool, queue: int) -> str:
    after = counted(tries, "try", "tries")
    if result.outcome is Outcome.SOLVED:
        return f"Found a solution at depth {result.cost} in {after}"
    if result.cost is not None:
        after += f" with a solution of {counted(result.cost, 'move')}"
    if result.outcome is Outcome.STOPPED:
        return f"Stopped after {after}: {result.reason}"
    if not started:
        known = "there is no solution"
        if result.outcome is Outcome.LIMIT_REACHED:
            known = f"at least {counted(result.lower_bound, 'move')} would be needed"
        return f"Not searched, {known}: {result.reason}"
    if result.cost is None and (result.outcome is Outcome.UNSOLVABLE or queue == 0):
        return f"Search failed after {after}, the queue is empty: {result.reason}"
    return f"Gave up after {after}: {result.reason}"


def _entry(node: Node) -> str:
    return f"{evaluation(node)}: {place_names(node.board)}"


def _indented(node: Node) -> Iterator[str]:
    return (f"{_INDENT}{line}" for line in str(node.board).splitlines())
