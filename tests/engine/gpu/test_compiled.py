"""The CUDA source compiles for GPUs of today, without a GPU."""

from __future__ import annotations

import ctypes
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from taquin.engine.cpu.automaton import no_return
from taquin.engine.gpu.beam import settings_of
from taquin.engine.gpu.device import Device, defined, source_of
from taquin.engine.gpu.plan import _PLAN, GpuAutomaton, GpuPlan, GpuTables, views_of
from taquin.engine.gpu.plan import settings_of as table_settings
from taquin.tables.shape import Shape

LARGE = {"RANKED_VIEWS": 2, "RANKED": 5}
BOTH = {"DIRECT_VIEWS": 4, "DIRECT": 12, "DIRECT_MOST": 4, "DIRECT_TILES": 6}
DUAL = {"DUAL": 0x788}
NEITHER = dict.fromkeys((*LARGE, *BOTH, *DUAL), 0)
GRID = {"CELLS": 25, "COLUMNS": 5, "BITS": 5, "TRACE": 0, "MANY": 0, "THREADS": 1024, "BLOCKS": 1}
SOURCES = [
    ("beam.cu", settings_of(6, 6)),
    ("beam.cu", settings_of(20, 20)),
    ("tables.cu", table_settings(5, 5, 8)),
    ("read.cu", {}),
    ("explore.cu", {"CELLS": 15, "COLUMNS": 3, "ROWS": 5}),
    ("search.cu", GRID | LARGE | BOTH | DUAL),
    ("search.cu", GRID | NEITHER | LARGE),
    ("search.cu", GRID | NEITHER | BOTH | {"TRACE": 14}),
    (
        "search.cu",
        GRID | NEITHER | LARGE | {"CELLS": 16, "COLUMNS": 4, "BITS": 4, "MANY": 1, "TRACE": 9},
    ),
]


@pytest.fixture(scope="module")
def compiler() -> ctypes.CDLL:
    """Return NVRTC from its wheel."""
    found = find_spec("nvidia")
    places = found.submodule_search_locations if found else None
    for folder in places or ():
        for library in sorted(Path(folder).glob("*/lib/libnvrtc.so.*")):
            return ctypes.CDLL(str(library))
    pytest.skip("NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("file", "settings"), SOURCES)
def test_a_kernel_compiles(compiler: ctypes.CDLL, file: str, settings: dict[str, int]) -> None:
    program = ctypes.c_void_p()
    source = source_of(file).encode()
    assert compiler.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel", 0, None, None) == 0
    options = [word.encode() for word in ("-arch=sm_90", "-std=c++17", *defined(settings))]
    passed = (ctypes.c_char_p * len(options))(*options)
    status = compiler.nvrtcCompileProgram(program, len(options), passed)
    size = ctypes.c_size_t()
    compiler.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    compiler.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()


def test_the_plan_of_the_host_has_the_size_of_the_kernel_s(device: Device) -> None:
    words = GpuAutomaton(device, no_return())
    plan = GpuPlan(device, views_of(Shape(2, 2, 0), None, ()), words, GpuTables(device))
    assert _PLAN.itemsize == len(plan.struct) == device.host(plan.struct).nbytes
    # The kernel copies it by words, and its first fields are addresses.
    assert _PLAN.itemsize % 8 == 0
    assert isinstance(plan.struct, np.ndarray)
