"""Heuristics that do what no heuristic should, in a module that workers can import."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from taquin.heuristics.base import Estimate, Evaluator
from taquin.model.space import Space, State


@dataclass(frozen=True)
class Hostile:
    """Bind to an evaluator that does the `deed`."""

    deed: str
    file: str = ""
    """Where `killed once` notes that it was."""

    counts_tile_steps = True

    @property
    def name(self) -> str:
        return f"hostile-{self.deed}"

    def bind(self, space: Space) -> Evaluator:
        return Estimate(self.value)

    def value(self, state: State) -> int:
        """Do the deed when first asked for a value."""
        file = Path(self.file)
        if self.deed == "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif self.deed == "dies once" and not file.exists():
            file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.deed == "raises":
            raise ZeroDivisionError("no such thing")
        elif self.deed == "hoards":
            bytearray(1 << 46)
        elif self.deed == "prints":
            print("what an estimate")
        elif self.deed == "sleeps":
            file.touch()
            sleep(600)
        return 0
