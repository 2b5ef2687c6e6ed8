"""Compiled code is kept under the name of every source it is made of."""

import os
from pathlib import Path
from typing import Any

import numba

from taquin.system import native as kernels
from taquin.system.native import fingerprint, kernel


@kernel("i8(i8)")
def doubled(number: int) -> int:
    return 2 * number


def test_a_changed_source_of_any_kernel_changes_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    part = tmp_path / "engine" / "part.py"
    other = tmp_path / "engine" / "other.py"
    part.write_text("from numba import njit\nSIZE = 1\n")
    other.write_text("SIZE = 1\n")
    first = fingerprint(tmp_path)
    other.write_text("SIZE = 2\n")
    assert fingerprint(tmp_path) == first
    part.write_text("from numba import njit\nSIZE = 2\n")
    assert fingerprint(tmp_path) != first


def test_every_kernel_lies_in_the_folder_of_the_fingerprint() -> None:
    from taquin.engine import explore
    from taquin.engine.cpu import packed, plain, wide
    from taquin.tables import retrograde

    name = fingerprint(Path(kernels.__file__).parents[1])
    for function in (
        packed.work,
        plain.work,
        wide.work,
        explore.carry,
        explore.settle,
        explore.shift_each,
        explore.shift_runs,
        retrograde.count_regions,
        retrograde.link,
        retrograde.sweep,
        retrograde.pack,
    ):
        assert name in function.stats.cache_path


def test_numba_is_left_as_it_was() -> None:
    assert doubled(21) == 42
    settings: Any = numba.config
    assert "taquin-kernels" not in settings.CACHE_DIR


def test_versions_that_share_a_folder_keep_each_others_code_and_forget_what_nobody_uses(
    tmp_path: Path,
) -> None:
    mine, other, gone = (tmp_path / f"taquin-kernels-{name}" for name in ("mine", "other", "gone"))
    for folder in (mine, other, gone):
        folder.mkdir()
        (folder / "code").write_bytes(b"x")
    os.utime(mine, (0, 0))
    os.utime(gone, (0, 0))
    kernels.forget_older(mine, 30)
    assert sorted(tmp_path.iterdir()) == [mine, other]
    kernels.forget_older(other, 30)
    assert sorted(tmp_path.iterdir()) == [mine, other], "it was used just now"
    kernels.forget_older(mine, 0)
    assert sorted(tmp_path.iterdir()) == [mine]
