"""The boards around a goal, level by level, compiled: what a survey of a small puzzle counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from taquin.engine.general.breadth import Boards
from taquin.engine.general.form import FREE, GeneralForm, ways_on
from taquin.model.board import Board
from taquin.model.space import Space, goal_states


@dataclass(frozen=True, slots=True)
class Level:
    """The boards at one distance."""

    boards: Boards
    space: Space
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def first(self, most: int) -> tuple[Board, ...]:
        """Return the first of them in the order of their states."""
        cells = self.space.puzzle.grid.open_cells
        found = self.boards.in_order(slice(self.numbers.start, self.numbers.stop))[:most]
        boards = []
        for values in self.boards.values(found).tolist():
            state = list(self.space.start)
            for cell, value in zip(cells, values, strict=False):
                state[cell] = value
            boards.append(self.space.decode(self.space.pack(state)))
        return tuple(boards)


def levels(space: Space, most: int, tick: Callable[[], None]) -> Iterator[Level]:
    """Yield the levels from the goal on; raise MemoryError beyond `most` boards.

    `tick` is called every few milliseconds; what it raises ends the walk.
    """
    puzzle, cells = space.puzzle, space.puzzle.grid.open_cells
    form = GeneralForm(
        columns=puzzle.grid.columns,
        cells=cells,
        wanted=(FREE,) * len(cells),
        groups=(0,),
        frees=len(cells) - 1,
        metric=puzzle.metric,
    )
    boards = Boards(ways_on(form), len(cells), len(space.labels), most)
    boards.begin(0, [[state[cell] for cell in cells] for state in goal_states(space)])

    def keep_going() -> bool:
        tick()
        return True

    while len(level := boards.levels[0][-1]):
        yield Level(boards, space, level)
        boards.grow(0, keep_going)
