"""The engine `gpu`: optimal solutions of classic puzzles by IDA* on one CUDA GPU.

    device.py    the GPU and its kernels        kernels/      what runs on it
    plan.py      tables built on it, and goals: views, large patterns
    searcher.py  one bound, or many boards      beam.py       the anytime engine's beam
    resident.py  data kept on the GPU, and the choice of tables for a board

`taquin.analysis.gpu_explore` explores whole spaces. CuPy and NumPy are imported when a task is
solved.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from taquin.engine.base import Engine, Fit, begin, classic_fit, is_refuted, method, normal_of
from taquin.engine.deepening import Deepening
from taquin.errors import UnsuitableError
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import NO_LIMITS, Counters, EngineTag, Result, Task
from taquin.tables.shape import LARGEST, moves_along

_TILES = (None, 6, 8)
_MANY_CELLS = 16
"""The maximum number of cells of boards in batches."""


@dataclass(frozen=True, slots=True)
class Gpu(Engine):
    """The search on the GPU. Raise UnsuitableError for patterns of another size."""

    tiles: int | None = None
    """Tiles of the largest pattern, 6 or 8; None to choose by the GPU and the board."""

    name = "gpu"
    summary = f"classic puzzles of up to {LARGEST} cells, on a CUDA GPU"
    batch = 20_000

    def __post_init__(self) -> None:
        if self.tiles not in _TILES:
            raise UnsuitableError(f"expected patterns of 6 or 8 tiles, found {self.tiles}")

    def available(self) -> Fit:
        """Return whether there is a GPU with enough memory, and CuPy."""
        # Imported late: `Auto` asks every process for its engines, and few have a GPU.
        from taquin.engine.gpu.device import gpu_fit

        return gpu_fit()

    def fits(self, task: Task) -> Fit:
        """Return whether the task is a classic puzzle and there is a GPU."""
        return classic_fit(self, task)

    def preferred_for(self, task: Task) -> bool:
        """Return whether the board is so large that a GPU is faster than a few cores."""
        return task.puzzle.grid.size > _MANY_CELLS

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, or the lower bound proven so far."""
        deepening = Deepening(control)
        detail = ""
        if (normal := begin(task, control)) is not None:
            with control.guard():
                control.prepare(reason("stage-gpu"))
                # Imported late: CuPy takes half a second to load.
                from taquin.engine.gpu.resident import BestVariant, resident

                resources = resident()
                variants = resources.variants(normal, self.tiles, control.prepare)
                searcher = BestVariant(variants)
                control.begin()
                deepening.run(searcher.estimate, searcher)
                detail = f"{resources.device.name}, patterns of {searcher.name}"
        return deepening.result(task, method("large"), EngineTag(self.name, detail))

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return a shortest solution for each task.

        A board's seconds are its share of the batch's; its nodes are not counted.
        """
        from taquin.engine.gpu.device import the_gpu
        from taquin.engine.gpu.resident import resident

        normals = [normal_of(task) for task in tasks]
        solvable = [number for number, normal in enumerate(normals) if normal.solvable]
        paths: dict[int, tuple[int, ...]] = {}
        with control.guard():
            control.prepare(reason("stage-gpu"))
            import numpy as np

            batch = resident().batch(normals[0].shape, control.prepare)
            control.begin()
            boards = np.array([normals[number].board for number in solvable], np.int64)

            answers = batch.solve(boards, lambda nodes: control.tick(Counters(generated=nodes)))
            paths = {
                number: batch.path(answers, boards, place)
                for place, number in enumerate(solvable)
                if answers.solved[place]
            }
        tag = EngineTag(self.name, the_gpu().name)
        share = control.seconds / max(1, len(tasks))
        cpu_share = control.cpu_seconds / max(1, len(tasks))
        results = []
        for number, (task, normal) in enumerate(zip(tasks, normals, strict=True)):
            own = Control(task.limits)
            blanks = paths.get(number)
            if not normal.solvable:
                is_refuted(task, own)
            elif blanks is None:
                own.stop(control.reason)
            else:
                own.prove(len(blanks) - 1)
            result = own.result(
                *(task, method("large"), tag, Counters()),
                counts=(),
                moves=moves_along(task.start, blanks) if blanks else None,
            )
            stats = replace(result.stats, seconds=share, cpu_seconds=cpu_share)
            results.append(replace(result, stats=stats))
        return results

    def batch_key(self, task: Task) -> Hashable:
        """Return the shape of a small board without limits, for batches; None for any other."""
        normal = task.normal
        is_limited = replace(task.limits, memory=None) != NO_LIMITS
        if normal is None or normal.shape.size > _MANY_CELLS or is_limited or not self.fits(task):
            return None
        return normal.shape
