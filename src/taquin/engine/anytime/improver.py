"""How one thread improves solutions: a narrow beam, a wide one, then parts searched again.

    0 ms     a construction line by line: long, but immediate
    20 ms    a narrow beam; beyond 400 cells narrow beams in windows of the board
    …        the widest that the time allows; its solution is shortened
    the rest parts of the best solution, or its end, are searched again and again

On a large board all threads share the first beams, level by level (`team.py`), because one thread
is too slow.

Between levels of its beams, one thread raises the lower bound (`proof.py`) within a fixed share of
its time.

Otherwise the threads share only the best solution. Every second one searches from the goal to the
start: another independent sample.

With one thread and a limit on nodes, that limit instead of the clock determines the widths of beams
and the end: equal limits and seeds give equal solutions.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from taquin.engine.anytime.beam import CpuBeam, Pace
from taquin.engine.anytime.construction import BestSolution, construct
from taquin.engine.anytime.cycles import undo_cycles
from taquin.engine.anytime.proof import Proof
from taquin.engine.anytime.puzzle_arrays import (
    LARGEST_BEAM,
    Moves,
    PuzzleArrays,
    arrays_of,
    follow,
    reversed_moves,
    turned_round,
)
from taquin.engine.anytime.shortening import shortened
from taquin.engine.anytime.team import BeamTeam
from taquin.engine.anytime.value import MOST_NUMBERS, REACH
from taquin.engine.anytime.windows import EffortCurve, Windows, memory_for, side_for
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space

if TYPE_CHECKING:
    from taquin.engine.gpu.beam import GpuBeam

_FIRST_WIDTH = 75
"""The width of the first beam."""
_LARGE, _WIDTH_IN_WINDOWS = 400, 100
"""Boards with more cells are first solved in windows; the width of such a beam for one thread."""
_WIDEST_FIRST = 400
"""The widest first beam in windows, for many threads. It is never narrower than for one thread:
that would save little (50×50 took 5.1 s with 100 boards, and 4.7 s with 50)."""
_FIRST_SHARE = 0.6
"""The share of the time in which the first solution of many threads should be complete."""
_LEAST_SIDE = 8
"""The least rows and columns for windows: in fewer, tiles cannot pass each other."""
_BOARDS_PER_CELL = 0.25
"""The least width of a beam over a whole large board, per cell; a narrower one gets stuck."""
_MOST_SHORTENED = 4_096
"""The most cells of a board whose solutions are shortened, which takes 4 · cells² bytes."""
_SHARE, _PART_SHARE = 0.75, 0.15
"""Shares of the remaining time for the second beam, and for a beam of a part."""
_PROOF_SHARE = 0.25
"""The most of one thread's time that proving a lower bound may take."""
_SPARE = 1.5
"""How many times its planned width a beam may reach when it is ahead of schedule."""
_LEAST_GROWTH = 1.3
"""The least ratio of a beam's width to the last one's: a smaller one rarely improves anything."""
_STRETCH, _STRETCH_IN_SLIDES = (40, 160), (10, 40)
"""The least and most moves of a part that is searched again."""
_TO_THE_END, _LONG_END = 0.6, 1_000
"""The probability of searching the whole end of a solution instead of a part; and the most moves of
such an end on a GPU, whose beam would take as long for a longer one as for dozens of parts."""
_NEAR_THE_END = 0.7
"""The probability of a part near the end of a long solution, where most moves can be saved."""
_SHORTENING_SHARE = 0.75
"""The most of the remaining time for shortening a solution: where a beam was too narrow, searching
parts again may save more."""
_MOST_SAVED, _LENGTH_TO_SAVE_ALL = 0.03, 150_000
"""The saving expected from shortening: at most this share, reached at so many moves. A solution
longer than the best by less than this may still become the best."""
_LAST_WIDTH = 1_000
"""The most boards of a beam for the last tiles; it is four times as wide as the beam before it."""


@cache
def warm_up(is_classic: bool) -> None:
    """Load the kernels, so that no search is charged for it."""
    goal = Goal.parse("1 2 3 / 4 5 0" if is_classic else "1 1 2 / 2 3 0")
    cells = (1, 2, 0, 4, 5, 3) if is_classic else (1, 1, 0, 2, 3, 2)
    puzzle = arrays_of(Space(Puzzle(goal), Board(goal.grid, cells)))
    found = CpuBeam(2, puzzle.size).search(puzzle, puzzle.start, lambda: True)
    if is_classic:
        Proof(puzzle).search(1, lambda: True)
        construct(puzzle, follow(puzzle.start, found.moves, puzzle.near))
        for _ in shortened(puzzle, puzzle.start, found.moves, lambda: True):
            pass


@dataclass(slots=True)
class Improver:
    """One thread that improves solutions."""

    puzzle: PuzzleArrays
    """The puzzle."""
    best: BestSolution
    """The best solution of all threads, to which it offers its own."""
    deadline: float
    """The deadline by `perf_counter`; -inf if there is not even time to complete a solution."""
    memory: int
    """The most bytes of its beams."""
    number: int = 0
    """The number of the thread; odd ones search classic puzzles backwards."""
    nodes: float = inf
    """The limit on boards generated; if finite, it determines the beams' widths instead of time."""
    enough: float = -1
    """The cost of a solution that needs no improvement."""
    proof: Proof | None = None
    """The lower bound to raise; None if this thread raises none."""
    within: float = 1.0
    """A solution of at most `within` times the lower bound needs no improvement."""
    seed: int = 0
    """The seed, combined with `number`, of the choice of parts."""
    is_stopped: bool = False
    """Set by others to stop it."""
    look: Callable[[], object] = lambda: None
    """Called every few levels of a beam if one thread does all the work."""
    team: BeamTeam = field(default_factory=BeamTeam)
    """The threads that solve a large board together; number 0 is the caller."""
    has_gpu: bool = False
    """Whether a GPU takes over after the first solution; it evaluates boards 500 times as fast."""
    _beam: CpuBeam | None = None
    _course: EffortCurve | None = None
    """Moves and effort of the last complete solution in windows."""
    _shortest: Moves | None = None
    """The best solution when this thread last tried to make it shorter."""
    _last_width: float = 0.0
    """The average width of that solution's beams."""
    _generated_before: int = 0
    _generated_together: int = 0
    """Boards that the team generated, which do not count for this thread's speed."""
    _began: float = 0.0
    _proof_effort: float = 0.0
    """The effort of the proof so far: seconds, or nodes if these are limited."""

    @property
    def generated(self) -> int:
        """The boards generated so far."""
        return self._generated_by_beams + (0 if self.proof is None else self.proof.nodes)

    @property
    def _generated_by_beams(self) -> int:
        return self._generated_before + sum(beam.generated for beam in self._beams() if beam)

    def _beams(self) -> tuple[CpuBeam | GpuBeam | None, ...]:
        return (self._beam,)

    def run(self) -> None:
        """Look for better solutions until the time is over."""
        try:
            self._work()
        finally:
            if not self._is_helper:
                self.team.end()

    def _work(self) -> None:
        if not self._is_large:
            self.team = BeamTeam()
        if self.puzzle.is_classic and not (self._is_backwards or self._is_helper):
            self._offer(construct(self.puzzle, self.puzzle.start))
        if not self._is_large and self.puzzle.size > LARGEST_BEAM:
            return
        if self._is_backwards:
            self.puzzle = turned_round(self.puzzle)
        self._began = self._now()
        found: Moves | None = None
        if self._is_helper:
            self.team.help(self.number, self._has_time)
        else:
            found = self._solve()
        if self.has_gpu or (self._is_helper and self.puzzle.size > MOST_NUMBERS):
            return
        if self._is_large and self.puzzle.size <= MOST_NUMBERS:
            # From here on each thread works alone and measures its own speed.
            if not self._is_helper:
                self.team.end()
            self.team = BeamTeam()
            self._began, self._generated_together = self._now(), self._generated_by_beams
        if found is not None and self.puzzle.is_classic and self._keep_going():
            self._offer_shortened(found)
        chance = random.Random(self.seed << 16 | self.number)
        while self._keep_going():
            self._shorten_best(chance)
            if self.puzzle.size <= MOST_NUMBERS:
                self._improve_part(chance, self._began)
            else:
                self._attempt_in_windows(_SHARE)

    def _solve(self) -> Moves | None:
        """Offer solutions by a narrow beam and a wide one; return the last one."""
        began = self._began
        width = _FIRST_WIDTH
        found = self._attempt_in_windows() if self._is_large else self._attempt(width)
        if self.has_gpu:
            self._raise_bound(inf)
            return found
        is_last = False
        while self._keep_going() and not is_last:
            # Without a construction there may be no solution yet, and then only wider beams help.
            is_last = self.puzzle.is_classic
            length = 4 * self.puzzle.size if found is None else self.best.cost(found)
            wider = self._affordable_width(began, _SHARE, length)
            if self._is_large and not self._fits_whole(wider):
                least = _LEAST_GROWTH * self._last_width
                if self.nodes < inf or self._width_in_windows(_SHARE) >= least:
                    found = self._attempt_in_windows(_SHARE) or found
            elif found is None:
                width = max(2 * width, wider)
                found = self._attempt(width)
            elif wider >= _LEAST_GROWTH * width:
                least = self._least_width
                width = self._affordable_width(began, _SPARE * _SHARE, length)
                end = self._now() + _SHARE * self._left
                found = self._attempt(width, Pace(self._now, end, length, least=least, most=width))
            else:
                is_last = True
        return found

    @property
    def _is_helper(self) -> bool:
        """Whether this thread helps thread 0 with a large board."""
        return self.number > 0 and self._is_large

    @property
    def _is_large(self) -> bool:
        """Whether the first beam would be too narrow for the whole board."""
        is_wide = min(self.puzzle.rows, self.puzzle.columns) >= _LEAST_SIDE
        return self.puzzle.is_classic and is_wide and self.puzzle.size > _LARGE

    @property
    def _least_width(self) -> int:
        """The least width of a beam over the whole board; narrower ones get stuck."""
        return max(_FIRST_WIDTH, int(_BOARDS_PER_CELL * self.puzzle.size) if self._is_large else 0)

    def _fits_whole(self, width: int) -> bool:
        """Return whether a beam of some width can solve the whole board at once."""
        return self.puzzle.size <= MOST_NUMBERS and width >= _LEAST_GROWTH * self._least_width

    def _attempt_in_windows(self, share: float = 1.0) -> Moves | None:
        """Offer and return a solution by beams in windows, in a share of the remaining time.

        The first beam is narrow. The effort of each determines the width that the next can afford.
        """
        puzzle, before, pace = self.puzzle, self._course, None
        least = _WIDTH_IN_WINDOWS // 4
        if before is not None:
            cell_bytes = memory_for(1, side_for(1 << 20), self._line)
            most = (self._memory - 8 * before.moves[-1]) // cell_bytes
            width = max(_WIDTH_IN_WINDOWS, min(int(_SPARE * self._width_in_windows(share)), most))
        else:
            width = min(_WIDEST_FIRST, int(_WIDTH_IN_WINDOWS * self.team.members**0.5))
            if width > _WIDTH_IN_WINDOWS:
                share, least = _FIRST_SHARE, _WIDTH_IN_WINDOWS
                before = EffortCurve.expected(puzzle.rows, puzzle.columns)
        if before is not None:
            end = self._now() + share * self._left
            effort = int(before.efforts[-1])
            pace = Pace(self._now, end, effort, least=least, most=width)
        side = side_for(width) + 2 * REACH
        beam = self._new_beam(width, min(puzzle.size, side * side))
        windows = Windows(puzzle, puzzle.start, beam, self._keep_going)
        moves = windows.solve(pace, before)
        if self._keep_going():
            self._course = windows.course
            self._last_width = beam.generated / max(1.0, windows.course.efforts[-1])
        return self._offer_finished(moves, width)

    def _width_in_windows(self, share: float) -> float:
        """Return the width of beams in windows that a share of the remaining time affords."""
        boards = share * self._left
        if self.nodes == inf:
            boards *= self._generated_by_beams / (perf_counter() - self._began)
        return boards / max(1.0, self._course.efforts[-1] if self._course else 1.0)

    @property
    def _memory(self) -> int:
        """The most bytes of the team's beams: the sum of the members' shares."""
        return self.memory * self.team.members

    def _now(self) -> float:
        """Return the time, or the nodes so far if these are limited."""
        return perf_counter() if self.nodes == inf else self.generated

    @property
    def _left(self) -> float:
        """The remaining time, or the remaining nodes if these are limited."""
        return max(0.0, (self.deadline if self.nodes == inf else self.nodes) - self._now())

    def _keep_going(self) -> bool:
        self._raise_bound(_PROOF_SHARE)
        return self._has_time()

    def _has_time(self) -> bool:
        self.look()
        moves = self.best.moves
        if moves is not None and self.best.least <= self.enough:
            return False
        is_within = self.generated < self.nodes and perf_counter() < self.deadline
        return is_within and not self.is_stopped

    def _raise_bound(self, share: float) -> None:
        """Raise the lower bound while the next step should fit into its share of the time."""
        while (proof := self.proof) is not None and self._has_time():
            now = self._now()
            left = min(self._left, share * (now - self._began) - self._proof_effort)
            if proof.nodes and proof.expected * self._proof_effort / proof.nodes > left:
                return
            proof.search(2 * proof.expected, self._has_time)
            self._proof_effort += self._now() - now
            self.enough = max(self.enough, self.within * proof.bound)
            if proof.solution is not None:
                self.best.offer(proof.solution)

    @property
    def _is_backwards(self) -> bool:
        return self.number % 2 == 1 and self.puzzle.is_classic

    def _affordable_width(self, began: float, share: float, length: int) -> int:
        """Return the width of a beam that a share of the remaining time, and the memory, afford."""
        boards = share * self._left
        if self.nodes == inf:
            alone = self._generated_by_beams - self._generated_together
            boards *= alone / (perf_counter() - began - self._proof_effort)
        most = self._memory // (4 * length + 4 * self.puzzle.size + 32 * max(4, self._line) + 152)
        return max(_FIRST_WIDTH, min(int(boards / (self._successors * length)), most))

    @property
    def _line(self) -> int:
        """The cells of the longest line in the multi-tile metric; 0 in the single metric."""
        return max(self.puzzle.rows, self.puzzle.columns) if self.best.by_slides else 0

    @property
    def _successors(self) -> float:
        """The average number of successors of a board, without the reverse move."""
        if self.best.by_slides:
            return max(1.0, (self.puzzle.rows + self.puzzle.columns) / 2 - 1)
        neighbours = sum(cell >= 0 for cell in self.puzzle.near.items)
        return max(1.0, neighbours / self.puzzle.size - 1)

    def _offer(self, moves: Moves) -> None:
        self.best.offer(reversed_moves(moves) if self._is_backwards else moves)

    def _attempt(self, width: int, pace: Pace | None = None) -> Moves | None:
        """Offer and return the solution of a beam; return None if it finds none."""
        beam, start = self._new_beam(width), self.puzzle.start
        width_after = None if pace is None else pace.width_after
        found = beam.search(self.puzzle, start, self._keep_going, width_after=width_after)
        if not (found.solved or self.puzzle.is_classic):
            return None
        return self._offer_finished(found.moves, width)

    def _new_beam(self, width: int, cells: int | None = None) -> CpuBeam:
        self._let_go_of("_beam")
        cells = self.puzzle.size if cells is None else cells
        self._beam = CpuBeam(width, cells, self._line, self.team)
        return self._beam

    def _let_go_of(self, *names: str) -> None:
        """Release the arrays of beams, and keep their counts."""
        beams = [getattr(self, name) for name in names]
        for name in names:
            setattr(self, name, None)
        # Only now, so that no thread that reads the counts counts a beam twice.
        self._generated_before += sum(beam.generated for beam in beams if beam is not None)

    def _offer_finished(self, moves: Moves, width: int) -> Moves:
        """Offer and return moves from the start, completed to a solution.

        A beam of that width left a few cycles of tiles to undo, unless it was cut short.
        """
        puzzle = self.puzzle
        if self.deadline == -inf and self.best.moves is not None:
            return moves
        board = follow(puzzle.start, moves, puzzle.near)
        if puzzle.is_classic and board != puzzle.goal:
            cells = min(puzzle.size, MOST_NUMBERS // 2)
            beam = self._new_beam(min(_LAST_WIDTH, 4 * width), cells)
            end = undo_cycles(puzzle, board, beam, self._keep_going)
            moves += end + construct(puzzle, follow(board, end, puzzle.near))
        self._offer(moves)
        return moves

    def _offer_shortened(self, moves: Moves) -> None:
        """Make a solution shorter, unless it is too long to become the best."""
        is_small = self.puzzle.size <= _MOST_SHORTENED
        if is_small and len(moves) <= self._most_before_shortening:
            self._shorten(moves, self.seed)

    @property
    def _most_before_shortening(self) -> int:
        """The most moves of a solution that shortening may make the best."""
        assert self.best.moves is not None, "one was constructed"
        length = len(self.best.moves)
        saved = 0.0 if self.best.by_slides else min(_MOST_SAVED, length / _LENGTH_TO_SAVE_ALL)
        return int(length * (1 + saved)) - 1

    def _shorten(self, moves: Moves, seed: int) -> None:
        """Offer solutions that are shorter and shorter.

        Fewer moves are often more slides, so where slides count, none are looked for.
        """
        end = self._now() + _SHORTENING_SHARE * self._left

        def keep_going() -> bool:
            return self._keep_going() and self._now() <= end

        if not self.best.by_slides:
            for shorter in shortened(self.puzzle, self.puzzle.start, moves, keep_going, seed):
                self._offer(shorter)
        self._shortest = self.best.moves

    def _shorten_best(self, chance: random.Random) -> None:
        """Shorten the best solution, unless this thread has already tried to."""
        moves = self.best.moves
        is_served = self.puzzle.is_classic and self.puzzle.size <= _MOST_SHORTENED
        if is_served and moves is not None and moves is not self._shortest:
            way = reversed_moves(moves) if self._is_backwards else moves
            self._shorten(way, chance.getrandbits(32))

    def _beam_for_part(self, began: float, length: int) -> CpuBeam | GpuBeam:
        """Return a beam that a small share of the remaining time affords for a part of `length`."""
        return self._new_beam(self._affordable_width(began, _PART_SHARE, length))

    def _improve_part(self, chance: random.Random, began: float) -> None:
        """Search the end or a part of the best solution again; offer a shorter solution."""
        puzzle, moves = self.puzzle, self.best.moves
        assert moves is not None, "a beam has solved it before"
        if self._is_backwards:
            moves = reversed_moves(moves)
        ends = self.best.ends_of(moves)
        count = len(ends) - 1
        begin = chance.randrange(count) if count > 1 else 0
        if count > 2 * _LONG_END and chance.random() < _NEAR_THE_END:
            begin = count - chance.randrange(1, _LONG_END)
        shortest, longest = _STRETCH_IN_SLIDES if self.best.by_slides else _STRETCH
        end = min(count, begin + chance.randint(shortest, longest))
        # Only a classic puzzle can have the board at the end of a part as its goal.
        is_long = self.has_gpu and count - begin > _LONG_END
        if not puzzle.is_classic or (chance.random() < _TO_THE_END and not is_long):
            end = count
        first, last = ends[begin], ends[end]
        before, part, after = moves[:first], moves[first:last], moves[last:]
        board = follow(puzzle.start, before, puzzle.near)
        if after:
            puzzle = puzzle.towards(follow(board, part, puzzle.near))
        beam = self._beam_for_part(began, end - begin)
        found = beam.search(puzzle, board, self._keep_going, longest=max(1, end - begin - 1))
        if found.solved:
            self._offer(before + found.moves + after)
