"""How a GPU improves solutions: some beams of the whole board, then beams of parts.

    32,768 boards     a first solution, and how long a level takes on this puzzle
    most of the time  wider and wider beams, from the goal and from the start in turn
    the rest          parts of the best solution are searched again, from either side; the beam for
                      them gets wider when nothing better was found for a while

No beam goes deeper than the best known solution. Remaining cycles are undone on the CPU, and
other threads make solutions shorter while the GPU goes on with the next beam. A beam that runs out
of time finds nothing, so widths are planned by the time that levels took before.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from taquin.engine.anytime.beam import CpuBeam
from taquin.engine.anytime.construction import construct
from taquin.engine.anytime.improver import Improver
from taquin.engine.anytime.puzzle_arrays import turned_round
from taquin.engine.gpu.beam import GpuBeam, bytes_for
from taquin.reasons import reason

if TYPE_CHECKING:
    from taquin.engine.gpu.device import Device

_FIRST_WIDTH, _PART_WIDTH = 1 << 15, 1 << 16
"""The widths of the first beam and of the first beam for a part."""
_SHARES = 0.1, 0.35, 0.35
"""Shares of the time that each of the following beams of the whole board may take."""
_PART_SECONDS = 0.5
"""Most seconds of a beam for a part."""
_PARTS_IN_VAIN = 24
"""Failed parts in a row after which the width of their beam doubles."""
_MOST_BESIDE = 4
"""The maximum number of threads that shorten solutions beside the GPU's thread."""
_LAUNCH_SECONDS, _CELL_SECONDS = 2.6e-5, 3e-8
"""The least seconds of a level: to launch its kernels, and per cell."""
_MEMORY_SHARE, _MOST_MEMORY = 0.7, 100_000_000_000
"""Maximum share of the GPU's free memory that a beam may take, and maximum bytes."""


@dataclass(slots=True, kw_only=True)
class GpuImprover(Improver):
    """One thread that improves solutions of a classic puzzle on a GPU."""

    device: Device
    """The GPU."""
    has_gpu: bool = True
    notice: Callable[[str], None] = lambda line: None
    """Called with a message when the GPU fails; this thread then continues on the CPU."""
    _threads: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, _MOST_BESIDE))
    """Other threads, which shorten solutions."""
    _beside: list[tuple[Improver, Future[None]]] = field(default_factory=list)
    """Their tasks: an improver each, and the future of its result."""
    _shortening: Future[None] | None = None
    """The latest of these tasks, which shortens the best solution."""
    _wide: GpuBeam | None = None
    _board_seconds: float = 0.0
    """Seconds that each further board adds to a level, as measured by the last beam."""
    _part_width: int = 0
    """The maximum number of boards of a beam for a part."""

    def run(self) -> None:
        """Improve solutions until the deadline or until the GPU fails."""
        try:
            self._run()
        except Exception as error:  # CuPy raises errors of its own, and of the driver
            cause = str(error).partition("\n")[0] or type(error).__name__
            self.notice(reason("gpu-failed", cause=cause))
            self._let_go()
            self.has_gpu = False
            if self._is_backwards:
                self._turn_round()
            Improver.run(self)
        finally:
            self._let_go()

    def _run(self) -> None:
        began = perf_counter()
        seconds = max(0.0, self.deadline - began)
        self._offer(construct(self.puzzle, self.puzzle.start))
        self._pass(_FIRST_WIDTH)
        for share in _SHARES:
            self._turn_round()
            width = self._width_within(share * seconds, self._length)
            left = self.deadline - perf_counter()
            if not self._keep_going() or self._seconds_of(width, self._length) > left:
                break
            self._pass(width)
        chance, self._part_width, in_vain = random.Random(self.number), _PART_WIDTH, 0
        while self._keep_going():
            before = self._length
            self._shorten_best(chance)
            self._turn_round()
            self._improve_part(chance, began)
            in_vain = in_vain + 1 if self._length >= before else 0
            if in_vain == _PARTS_IN_VAIN:
                self._part_width, in_vain = 2 * self._part_width, 0
        for _, future in self._beside:
            if future.done():
                future.result()  # raises what went wrong there

    def _let_go(self) -> None:
        """Release the memory of the beams, and stop the other threads."""
        for other, _ in self._beside:
            other.is_stopped = True
        self._threads.shutdown(cancel_futures=True)
        for other, _ in self._beside:
            self._generated_before += other.generated
        self._beside.clear()
        self._let_go_of("_beam", "_wide")

    def _beams(self) -> tuple[CpuBeam | GpuBeam | None, ...]:
        return (self._beam, self._wide)

    @property
    def _length(self) -> int:
        """The moves of the best solution."""
        assert self.best.moves is not None, "one was constructed"
        return len(self.best.moves)

    def _turn_round(self) -> None:
        """Reverse the direction of the search: swap start and goal."""
        self.puzzle, self.number = turned_round(self.puzzle), self.number ^ 1

    def _seconds_of(self, width: int, length: int) -> float:
        """Return the expected seconds of a beam, by its width and the length of its solution."""
        return length * (self._least_seconds + width * self._board_seconds)

    @property
    def _least_seconds(self) -> float:
        """The least seconds of a level."""
        return _LAUNCH_SECONDS + _CELL_SECONDS * self.puzzle.size

    def _width_within(self, seconds: float, length: int) -> int:
        """Return the widest beam that fits the given seconds and the free memory."""
        cells = self.puzzle.size
        memory = min(_MOST_MEMORY, int(_MEMORY_SHARE * (self.device.free() + self._held)))
        most = memory // max(1, bytes_for(1 << 20, cells, length) >> 20)
        width = (seconds / max(1, length) - self._least_seconds) / self._board_seconds
        return max(_FIRST_WIDTH, min(int(width), most))

    @property
    def _held(self) -> int:
        """The bytes of the present beam, which is released before the next is made."""
        if self._wide is None:
            return 0
        return bytes_for(self._wide.most, self.puzzle.size, 0)

    def _gpu_beam(self, width: int) -> GpuBeam:
        if self._wide is None or self._wide.most < width:
            self._let_go_of("_wide")
            self._wide = GpuBeam(self.device, self.puzzle.rows, self.puzzle.columns, width)
        self._wide.width = width
        return self._wide

    def _pass(self, width: int) -> None:
        """Search from the start with a beam of the given width, and offer its solution."""
        puzzle, beam = self.puzzle, self._gpu_beam(width)
        longest = max(1, self._most_before_shortening)
        began = perf_counter()
        found = beam.search(puzzle, puzzle.start, self._keep_going, longest=longest)
        level_seconds = (perf_counter() - began) / max(1, beam.levels)
        # If launching dominates a level's time, that time does not predict wider levels.
        self._board_seconds = max(level_seconds - self._least_seconds, level_seconds / 4) / width
        if not found.is_cut:
            moves = self._offer_finished(found.moves, width)
            self._do_beside(Improver._offer_shortened, moves)

    def _shorten_best(self, chance: random.Random) -> None:
        if not self.has_gpu:
            Improver._shorten_best(self, chance)
            return
        is_busy = self._shortening is not None and not self._shortening.done()
        if self.best.moves is not self._shortest and not is_busy:
            self._shortest = self.best.moves
            self._shortening = self._do_beside(Improver._shorten_best, chance)

    def _do_beside(self, work: Callable[..., None], *arguments: object) -> Future[None]:
        """Run a task of an improver in another thread while the GPU continues."""
        other = Improver(self.puzzle, self.best, self.deadline, self.memory, self.number)
        future = self._threads.submit(work, other, *arguments)
        self._beside.append((other, future))
        return future

    def _beam_for_part(self, began: float, length: int) -> CpuBeam | GpuBeam:
        if not self.has_gpu:
            return Improver._beam_for_part(self, began, length)
        width = min(self._part_width, self._width_within(_PART_SECONDS, length))
        return self._gpu_beam(width)
