"""The films: a solution move by move, and a search step by step.

A search may be endless: only its last `KEPT` steps are kept. To go back farther, it runs again from
its start. A trace from a pipe cannot be read again, and the film says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter

import click

from taquin import ANY, WALL, Event, Fate, Goal, Node, Result
from taquin.cli.running import Watched
from taquin.cli.terminal.drawing import Scale, centred, draw_tiles, flowed, scale_for
from taquin.cli.terminal.playback import Film
from taquin.search import events as seen
from taquin.system.layout import side_by_side
from taquin.views import wording

_GAP = 3
KEPT = 2_000
"""Steps of a search that are kept."""
_MOST_EVENTS = 200
"""Events of one step that are kept."""
_MOST_REMARKS = 6
"""Events of one step that are shown, apart from the children."""


class SolutionFilm(Film):
    """A solution, board by board."""

    def __init__(self, result: Result) -> None:
        self._goal, self._boards = result.puzzle.goal, result.boards()
        self._moves = result.moves or ()
        self.title = f"solution  {result.start.grid}"
        self.last = len(self._moves)

    def seek(self, number: int, seconds: float) -> int:
        """Return the number of the board nearest to the one wanted."""
        return min(number, len(self._moves))

    def lines(self, number: int, wide: int, high: int) -> list[str] | tuple[int, int]:
        """Return the board after `number` moves, and the last of these moves."""
        board = self._boards[number]
        move = self._moves[number - 1] if number else None
        caption = wording.move_name(move) if move else "start"
        if move and number == self.last:
            caption = "solved"
        scale = scale_for(board, wide, high - 2)
        if scale is None:
            columns, rows = Scale.PLAIN.size(board)
            return columns, rows + 2
        drawn = [centred(line, wide) for line in draw_tiles(board, scale, self._goal, move)]
        above = (high - len(drawn) - 2) // 2
        return [*[""] * above, *drawn, "", centred(click.style(caption, bold=True), wide)]


@dataclass(slots=True)
class Step:
    """An expansion and its events; or the start, or the end."""

    head: Event
    rest: list[Event] = field(default_factory=list)
    more: int = 0
    """Events that are not kept."""


def steps_of(events: Iterator[Event]) -> Iterator[Step]:
    """Yield the steps of a search: the start, every expansion, and how it ended."""
    step: Step | None = None
    for event in events:
        ended = isinstance(event, seen.Finished)
        if (
            step is None
            or isinstance(event, seen.Expanded | seen.GoalFound)
            or (ended and not isinstance(step.head, seen.GoalFound))
        ):
            if step is not None:
                yield step
            step = Step(event)
        elif len(step.rest) < _MOST_EVENTS or ended:
            step.rest.append(event)
        else:
            step.more += 1
    if step is not None:
        yield step


class TraceFilm(Film):
    """A search, step by step, as far back as steps are kept."""

    def __init__(
        self, title: str, make: Callable[[], Watched], *, again: bool = True, kept: int = KEPT
    ) -> None:
        self.title = title
        self.last: int | None = None
        self._make, self._again = make, again
        self._kept: deque[Step] = deque(maxlen=kept)
        self._begin()

    def _begin(self) -> None:
        self.events = self._make()
        """The search under way."""
        self._steps = steps_of(iter(self.events))
        self._kept.clear()
        self._count = 0

    def seek(self, number: int, seconds: float) -> int:
        """Run the search up to a step, or again from its start if the step is no longer kept."""
        if number < self._first and self._again:
            self._begin()
        late = perf_counter() + seconds
        while self._count <= number:
            step = next(self._steps, None)
            if step is None:
                self.last = max(0, self._count - 1)
                break
            self._kept.append(step)
            self._count += 1
            if perf_counter() > late:
                break
        return max(self._first, min(number, self._count - 1))

    def note(self, number: int) -> str:
        """Return a note where no earlier or no later step is available."""
        if number == self.last and self.events.result is None:
            return "cut here" if self.events.is_cut else "it breaks off here"
        if self._again or number > self._first or not number:
            return ""
        return f"only the last {len(self._kept):,} steps are kept"

    def lines(self, number: int, wide: int, high: int) -> list[str] | tuple[int, int]:
        """Return the expanded board, its children, and the other events."""
        if not self._kept:
            return ["Nothing happened."]
        step = self._kept[number - self._first]
        node: Node | None = getattr(step.head, "node", None)
        text = [*flowed(_sentences(step), wide), ""]
        if node is None:
            return text[:high]
        columns, rows = Scale.PLAIN.size(node.board)
        if columns > wide or rows + 3 > high:
            return columns, rows + 3
        text = [*text[: min(len(text) - 1, high - rows - 2)], ""]
        blocks = [self._child(event) for event in step.rest if isinstance(event, seen.Generated)]
        bands = side_by_side(blocks, wide, _GAP, equal=True)
        children = [line for band in bands for line in (*band, "")]
        # The children matter most: the board shrinks where they need the lines.
        for scale in (Scale.BOXED, Scale.PLAIN):
            columns, rows = scale.size(node.board)
            left = high - len(text) - rows - 1
            if columns <= wide and len(children) <= left + 1:
                break
        if left <= 0:
            children = []
        elif len(children) > left + 1:
            # Only whole bands are shown.
            fitting = left // len(bands[0]) * (len(bands[0]) + 1)
            note = click.style("Not all children fit here.", dim=True)
            children = [*children[: min(fitting, left - 1)], note]
        return [*text, *self._drawn(node, scale), "", *children]

    @property
    def _first(self) -> int:
        return self._count - len(self._kept)

    def _drawn(self, node: Node, scale: Scale) -> list[str]:
        board = node.board
        # A trace may name its puzzle only at the end; until then no tile is at home.
        anything = tuple(label if label == WALL else ANY for label in board.cells)
        goal = self.events.goal or Goal(board.grid, anything)
        return draw_tiles(board, scale, goal, node.move)

    def _child(self, event: seen.Generated) -> list[str]:
        node = event.node
        move = wording.move_name(node.move) if node.move else ""
        notes = [_score(node), "" if event.fate is Fate.ENQUEUED else event.fate.value]
        drawn = self._drawn(node, Scale.PLAIN)
        if event.fate in seen.KEPT:
            return [click.style(move, bold=True), *notes, *drawn]
        return [click.style(click.unstyle(line), dim=True) for line in (move, *notes, *drawn)]


def _score(node: Node) -> str:
    """Return the score of a node; only the depth in a blind search."""
    return wording.score(node) if node.h else f"depth {node.depth}"


def _sentences(step: Step) -> Iterator[str]:
    """Yield what a step is, and its events apart from the children."""
    match step.head:
        case seen.Started(node):
            yield click.style("Start", bold=True)
            yield _score(node)
        case seen.Expanded(node, frontier, closed):
            yield click.style(f"Expand{wording.side_name(node)}", bold=True)
            yield _score(node)
            yield f"frontier {frontier:,}"
            yield f"closed {closed:,}"
        case seen.GoalFound(node):
            yield click.style("Solved", bold=True, fg="green")
            yield _score(node)
        case seen.Finished(result):
            yield click.style(wording.ending(result), bold=True)
    roots = [event.node for event in (step.head, *step.rest) if isinstance(event, seen.Started)]
    lines = [line for event in step.rest if (line := _sentence(event, roots))]
    yield from lines[:_MOST_REMARKS]
    if (more := len(lines[_MOST_REMARKS:]) + step.more) > 0:
        yield f"and {more:,} more events"


def _sentence(event: Event, roots: list[Node]) -> str:
    match event:
        case seen.BoundRaised():
            return wording.round_start(event, roots)
        case seen.Backtracked(node):
            return f"Back trace from level {node.depth}"
        case seen.Discarded(node):
            return f"Discarded, {wording.why_discarded(node)}"
        case seen.Improved(_, cost):
            return wording.solution_known(cost)
        case seen.Finished(result):
            return wording.ending(result)
    return ""
