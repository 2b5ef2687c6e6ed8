"""Many boards with one goal at once: all their trees are searched together, bound by bound.

A node knows its puzzle and carries its own room, so nodes of boards with different bounds lie on
the same stacks. When all is searched, boards without a solution go on with a bound higher by two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.plan import CardPlan
from taquin.engine.gpu.searcher import blank_path
from taquin.engine.gpu.warps import Warps
from taquin.tables.shape import Cells

WORDS = 9
"""Words of history: 144 moves, more than any board of up to 16 cells needs."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What was found for each board."""

    lengths: NDArray[np.int64]
    """Moves of a shortest solution; the bound proven so far, less two, where none was found."""
    histories: NDArray[np.uint32]
    """The moves, two bits each; see `taquin.engine.gpu.searcher.blank_path`."""
    solved: NDArray[np.bool_]
    """Whether a solution was found."""
    generated: int
    """Nodes generated in all."""


class Batch:
    """The warps of the card, for boards by the hundred thousand."""

    def __init__(self, plan: CardPlan) -> None:
        self._plan = plan
        self._warps = Warps(plan, trace=WORDS, many=True)

    def solve(self, boards: NDArray[np.int64], keep_going: Callable[[int], bool]) -> Answers:
        """Solve boards in normal form, each solvable; `keep_going` hears of the nodes so far."""
        plan, warps = self._plan, self._warps
        card, xp = plan.card, plan.card.xp
        distance, sums = plan.estimates(boards)
        bounds = distance + 2 * sums.max(axis=1)
        warps.solved = xp.zeros(len(boards), np.uint32)
        warps.solutions = xp.zeros(len(boards) * WORDS, np.uint32)
        is_solved = distance == 0
        generated, going = 0, True
        while going and not is_solved.all():
            left = np.flatnonzero(~is_solved)
            nodes = plan.nodes(boards[left], bounds[left])
            nodes[:, -1] = left
            warps.put(nodes)
            while going and warps.total:
                warps.round()
                going = keep_going(generated + warps.generated)
            generated += warps.generated
            is_solved |= card.host(warps.solved) > 0
            bounds[~is_solved] += 2
        histories = card.host(warps.solutions).reshape(-1, WORDS)
        return Answers(bounds, histories, is_solved, generated)

    def path(self, answers: Answers, boards: NDArray[np.int64], number: int) -> Cells:
        """Return the blank's cells along the solution of one of the boards."""
        blank = int(np.argmax(boards[number] == 0))
        length = int(answers.lengths[number])
        return blank_path(self._plan.shape, blank, answers.histories[number], length)
