"""The fuzzer of the kernels finds a fault, and names the case that has it."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from tools.fuzz import hunt
from tools.kernels import build_checked

from taquin.system.compiled import SOURCES

SHORT = """
import argparse
from taquin.system.arrays import array, int64, zeros
from taquin.tables.retrograde import CountRegions, GridMasks, count_regions
from tools.fuzz import work

def case(number):
    counts = zeros(8 - (number == 6), int64)
    grid = GridMasks(4, 2, 15, 5, 10)
    return f"regions {number}", lambda: count_regions(
        CountRegions(array(range(8), int64), counts, grid, 0, 8)
    )

work(600, range(9), case)
"""
"""A worker whose case 6 has an array that is one too short."""


@pytest.mark.skipif(
    not (sys.platform == "linux" and shutil.which(os.environ.get("CC", "cc"))),
    reason="needs a C compiler of Linux",
)
def test_the_fuzzer_names_the_case_in_which_a_kernel_leaves_an_array(tmp_path: Path) -> None:
    # Those that this case needs; all take half a minute.
    sources = [Path(SOURCES, name) for name in ("tables.c", "library.c")]
    checked = build_checked(tmp_path / "kernels.so", sources)
    with pytest.raises(SystemExit) as failure:
        hunt(("-c", SHORT), checked, 60, 0, 1)
    report = str(failure.value)
    assert re.search(r"tables\.c:\d+: expected i_ >= 0 && i_ < ", report), report
    assert "\ncase 6: regions 6\nends with -6; " in report
