"""The GPU: arrays, memory, and kernels made from `kernels/`.

CuPy is imported when a GPU is first used. `Device` is the interface; the fake of the tests compiles
the kernels as plain C++ and runs them on NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from taquin.engine.base import FITS, Fit
from taquin.reasons import reason
from taquin.system.formatting import bytes_in_words
from taquin.system.lazy import install_command
from taquin.system.machine import usable_cores

if TYPE_CHECKING:
    from concurrent.futures import Future

Array: TypeAlias = Any
"""An array on the GPU."""
Launch: TypeAlias = Callable[..., None]
"""Runs a kernel: blocks, threads of a block, bytes of shared memory, then its own arguments."""
THREADS = 256
"""Threads of a block of most kernels."""
_MOST_COMPILERS = 8
"""The maximum number of files to compile in parallel."""
LEAST_MEMORY = 5_000_000_000
"""Bytes of the smallest GPU for tables of six tiles and the stacks of its warps."""


class Device(Protocol):
    """A device that runs kernels."""

    xp: Any
    """The module of its arrays: CuPy."""
    name: str
    """Its name."""
    lanes: int
    """Threads of a warp."""
    processors: int
    """Multiprocessors."""
    memory: int
    """Bytes it has."""

    def __hash__(self) -> int:
        """Return its identity."""

    def free(self) -> int:
        """Return the free bytes of its memory."""

    def expect(self, file: str, settings: Mapping[str, int]) -> object:
        """Begin to compile a file of `kernels/` with these settings, in the background."""

    def kernel(self, file: str, name: str, settings: Mapping[str, int]) -> Launch:
        """Return a kernel of a file of `kernels/`, compiled with these settings."""

    def address(self, array: Array) -> int:
        """Return where an array begins."""

    def host(self, array: Array) -> Any:
        """Return a NumPy copy of an array, after all pending kernels."""


def source_of(file: str) -> str:
    """Return the whole text of a kernel's file."""
    # Imported late: only compiling a kernel needs it.
    from pathlib import Path

    folder = Path(__file__).parent / "kernels"
    return "".join((folder / name).read_text("utf-8") for name in ("common.cuh", file))


def defined(settings: Mapping[str, int]) -> tuple[str, ...]:
    """Return settings as options of a compiler.

    >>> defined({"CELLS": 25})
    ('-DCELLS=25',)
    """
    return tuple(f"-D{name}={int(value)}" for name, value in settings.items())


class CudaDevice:
    """The first CUDA GPU of this machine."""

    lanes = 32

    def __init__(self) -> None:
        import cupy

        self.xp: Any = cupy
        properties = cupy.cuda.runtime.getDeviceProperties(0)
        self.name: str = properties["name"].decode()
        self.processors: int = properties["multiProcessorCount"]
        self.memory: int = properties["totalGlobalMem"]
        self._modules: dict[tuple[str, tuple[str, ...]], Future[Any]] = {}
        # Imported late: it is needed only with a GPU, and slows down every start-up.
        from concurrent.futures import ThreadPoolExecutor

        # A file takes a second or two, and the compiler releases the GIL.
        self._compilers = ThreadPoolExecutor(min(usable_cores(), _MOST_COMPILERS))

    def free(self) -> int:
        """Return the free bytes, including CuPy's unused cache."""
        free, _ = self.xp.cuda.runtime.memGetInfo()
        return int(free) + int(self.xp.get_default_memory_pool().free_bytes())

    def expect(self, file: str, settings: Mapping[str, int]) -> Future[Any]:
        """Begin to compile a file, unless it is compiled; CuPy caches the result on disk."""
        options = ("-std=c++17", *defined(settings))
        if (file, options) not in self._modules:
            compiled = self._compilers.submit(self._compiled, file, options)
            self._modules[file, options] = compiled
        return self._modules[file, options]

    def _compiled(self, file: str, options: tuple[str, ...]) -> Any:
        module = self.xp.RawModule(code=source_of(file), options=options)
        module.compile()
        return module

    def kernel(self, file: str, name: str, settings: Mapping[str, int]) -> Launch:
        """Return a kernel, compiled once for these settings."""
        function = self.expect(file, settings).result().get_function(name)
        # Cached, because a query of the driver takes as long as a launch.
        granted: int = function.max_dynamic_shared_size_bytes

        def launch(blocks: int, threads: int, shared: int, *arguments: Any) -> None:
            nonlocal granted
            if shared > granted:
                function.max_dynamic_shared_size_bytes = granted = shared
            function((blocks,), (threads,), arguments, shared_mem=shared)

        return launch

    def address(self, array: Array) -> int:
        """Return where an array begins."""
        return int(array.data.ptr)

    def host(self, array: Array) -> Any:
        """Return a NumPy copy of an array."""
        return self.xp.asnumpy(array)


def too_small(needed: int, memory: int) -> Fit:
    """Return the answer of a GPU with too little memory."""
    sizes = f"{bytes_in_words(needed)} of memory, and this one has {bytes_in_words(memory)}"
    return Fit(False, f"it needs a GPU with {sizes}")


@cache
def gpu_fit() -> Fit:
    """Return whether there is a GPU with enough memory, and CuPy."""
    if find_spec("cupy") is None:
        return Fit(False, reason("need-cupy", command=install_command("cuda13")))
    try:
        memory = the_gpu().memory
    except Exception as error:  # CuPy raises errors of its own, and of the driver
        cause = str(error).partition("\n")[0].partition(":")[2].strip() or type(error).__name__
        return Fit(False, reason("no-gpu", cause=cause))
    if memory < LEAST_MEMORY:
        return too_small(LEAST_MEMORY, memory)
    return FITS


@cache
def the_gpu() -> Device:
    """Return the GPU of this machine; without one, CuPy raises its own exception."""
    return CudaDevice()
