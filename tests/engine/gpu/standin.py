"""A stand-in for a GPU: the kernels of the GPU engine compiled as plain C++, on NumPy arrays."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from taquin.engine.gpu.device import Array, Launch, defined, source_of

COMPILER = shutil.which("g++") or shutil.which("clang++")


class StandIn:
    """A GPU of three multiprocessors, one lane each, that works off its blocks one by one."""

    xp: Any = np
    name = "stand-in"
    lanes = 1
    processors = 3
    memory = 8 << 30

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._libraries: dict[tuple[str, tuple[str, ...]], ctypes.CDLL] = {}

    def expect(self, file: str, settings: Mapping[str, int]) -> None:
        """Compile later."""

    def kernel(self, file: str, name: str, settings: Mapping[str, int]) -> Launch:
        options = defined(settings)
        if (file, options) not in self._libraries:
            self._libraries[file, options] = self._compiled(file, options)
        library = self._libraries[file, options]
        function: Callable[..., None] = getattr(library, name)

        def launch(blocks: int, threads: int, shared: int, *arguments: Any) -> None:
            passed = [_passed(argument) for argument in arguments]
            for block in range(blocks):
                library.stand_at(block, blocks)
                function(*passed)

        return launch

    def free(self) -> int:
        return self.memory

    def address(self, array: Array) -> int:
        return int(array.ctypes.data)

    def host(self, array: Array) -> Any:
        return array.copy()

    def _compiled(self, file: str, options: tuple[str, ...]) -> ctypes.CDLL:
        number = len(self._libraries)
        source = self._folder / f"{number}.cpp"
        source.write_text(source_of(file), "utf-8")
        library = source.with_suffix(".so")
        assert COMPILER is not None
        command = [COMPILER, "-std=c++17", "-O1", "-shared", "-fPIC", "-w", *options]
        subprocess.run([*command, str(source), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def _passed(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return ctypes.c_void_p(argument.ctypes.data)
    kinds = {"uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64}
    return kinds[argument.dtype.name](int(argument))
