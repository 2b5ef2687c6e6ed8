"""Compiled code survives damage and disks that refuse: it is made again, or used unkept."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from taquin.system.codecache import hear_interrupts, keep_code_of


def twice(number: int) -> int:
    return 2 * number


def compiled(*folders: Path) -> Any:
    """Return the function compiled anew, as another process would."""
    dispatcher: Any = numba.njit(nogil=True)(twice)
    keep_code_of(dispatcher, folders)
    dispatcher.compile("i8(i8)")
    assert dispatcher(21) == 42
    return dispatcher


def is_loaded(dispatcher: Any) -> bool:
    return bool(dispatcher.stats.cache_hits)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace(path: Path) -> None:
    path.write_bytes(b"GIF89a" * 100)


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [empty, halve, replace])
def test_damaged_code_is_told_cleared_and_made_again(
    tmp_path: Path, kind: str, damage: Callable[[Path], None]
) -> None:
    assert not is_loaded(compiled(tmp_path))
    assert is_loaded(compiled(tmp_path))
    (file,) = tmp_path.rglob(f"*.{kind}")
    damage(file)
    with pytest.warns(RuntimeWarning, match="is damaged and made again"):
        assert not is_loaded(compiled(tmp_path))
    assert is_loaded(compiled(tmp_path))


def test_the_first_folder_that_can_be_written_to_is_taken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    compiled(tmp_path / "file" / "below", tmp_path / "good")
    assert is_loaded(compiled(tmp_path / "good"))


def test_code_that_no_folder_takes_is_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="made anew in every run: cannot write to"):
        compiled(tmp_path / "file" / "below")


def test_a_full_disk_is_told_once_and_the_code_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    with pytest.warns(RuntimeWarning, match=os.strerror(errno.ENOSPC)) as told:
        assert not any(is_loaded(compiled(tmp_path)) for _ in range(2))
    assert len(told) == 1


def test_an_interrupt_that_a_callback_swallowed_is_heard_when_the_compilation_ends() -> None:
    def press() -> None:
        raise KeyboardInterrupt

    callback = ctypes.CFUNCTYPE(None)(press)
    done = []

    def compile_for(signature: str) -> None:
        callback()
        done.append(signature)

    dispatcher = SimpleNamespace(compile=compile_for)
    before = sys.unraisablehook
    hear_interrupts(dispatcher)
    with pytest.raises(KeyboardInterrupt):
        dispatcher.compile("i8(i8)")
    assert done == ["i8(i8)"], "the callback swallowed it"
    assert sys.unraisablehook is before


def test_nothing_is_told_when_nothing_is_wrong(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(tmp_path)
        compiled(tmp_path)
