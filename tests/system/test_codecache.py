"""Compiled code survives damage and disks that refuse: it is made again, or used unkept."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from taquin.system import codecache, sources
from taquin.system.arguments import Arguments, Kind
from taquin.system.codecache import cached_code
from taquin.system.compiling import hearing_interrupts
from taquin.system.sources import sources_of

CODE = b"machine\ncode", "symbol"


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep code in an empty folder, as a process does that has warned of nothing yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    codecache._warn_once.cache_clear()
    codecache._remove_unused.cache_clear()


def is_kept(kinds: tuple[Kind, ...] = ("number",)) -> bool:
    """Tell whether code is there; it is afterwards."""
    made = []
    assert cached_code(is_kept, kinds, lambda: made.append(1) or CODE) == CODE  # type: ignore[func-returns-value]
    return not made


def the_file(folder: Path) -> Path:
    (file,) = folder.rglob("*.code")
    return file


def empty(path: Path) -> None:
    path.write_bytes(b"")


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace(path: Path) -> None:
    path.write_bytes(b"GIF89a" * 100)


@pytest.mark.parametrize("damage", [empty, halve, replace])
def test_damaged_code_is_warned_about_and_made_again(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    assert [is_kept(), is_kept()] == [False, True]
    damage(the_file(tmp_path))
    with pytest.warns(RuntimeWarning, match="is damaged and made again"):
        assert not is_kept()
    assert is_kept()


def test_code_is_kept_for_each_kind_of_arguments() -> None:
    assert not is_kept(("uint8 1", "number"))
    assert not is_kept(("uint8 2", "number"))
    assert is_kept(("uint8 1", "number"))


def test_code_is_made_anew_when_the_file_of_a_record_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The parts that are chosen by a record lie in its file, which the kernel's need not import.
    file = tmp_path / "a_record.py"
    file.write_text("from typing import NamedTuple\nclass Tree(NamedTuple):\n    size: int\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    record = import_module("a_record").Tree
    kinds = Arguments(record(3)).kinds
    assert [is_kept(kinds), is_kept(kinds)] == [False, True]
    file.write_text(file.read_text() + "ANOTHER = 1\n")
    sources._content.cache_clear()
    sources._digest.cache_clear()
    assert not is_kept(kinds)


def test_another_setting_of_numba_makes_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_kept()
    codecache._tools.cache_clear()
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert not is_kept()
    codecache._tools.cache_clear()


def test_the_first_folder_that_can_be_written_to_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(codecache, "_PACKAGE_CACHE", tmp_path / "file" / "below")
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "good"))
    assert [is_kept(), is_kept()] == [False, True]
    assert the_file(tmp_path / "good").parent.name == "taquin-kernels"


def test_code_that_no_folder_takes_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="made anew in every run: cannot write to"):
        assert not is_kept()


def test_a_full_disk_is_warned_about_once_and_the_code_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def full(path: Path) -> Iterator[Any]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        yield

    monkeypatch.setattr(codecache, "atomic_write", full)
    with pytest.warns(RuntimeWarning, match=os.strerror(errno.ENOSPC)) as warned:
        assert not any(is_kept() for _ in range(2))
    assert len(warned) == 1


def test_nothing_is_warned_about_when_nothing_is_wrong() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [is_kept(), is_kept()] == [False, True]


def test_code_that_nobody_has_used_for_a_month_is_forgotten(tmp_path: Path) -> None:
    assert not is_kept(("number", "number"))
    os.utime(the_file(tmp_path), (0, 0))
    codecache._remove_unused.cache_clear()
    assert not is_kept()
    assert not is_kept(("number", "number"))


def test_code_that_is_used_is_remembered(tmp_path: Path) -> None:
    assert not is_kept()
    file = the_file(tmp_path)
    os.utime(file, (0, 0))
    assert is_kept()
    assert file.stat().st_mtime > 0


def test_a_kernel_is_made_of_its_file_of_all_that_it_names_and_of_the_parts_of_those(
    tmp_path: Path,
) -> None:
    files = {
        "engine/walk.py": "from taquin.system.kernels import kernel\n"
        "from taquin.engine.steps import step\nfrom taquin.engine import sizes as at\n",
        "engine/steps.py": "from taquin.system.native import part\n"
        "from taquin.tables.shape import (\n    CELLS,\n)\n",
        "engine/sizes.py": "from taquin.engine.other import unseen\n",
        "engine/other.py": "",
        "tables/shape.py": "",
        "system/kernels.py": "",
        "system/native.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    made_of = sources_of(tmp_path / "engine" / "walk.py", tmp_path)
    assert made_of == sorted(tmp_path / name for name in files if name != "engine/other.py")


def test_an_interrupt_that_a_callback_swallowed_is_heard_when_the_compilation_ends() -> None:
    def press() -> None:
        raise KeyboardInterrupt

    callback = ctypes.CFUNCTYPE(None)(press)
    done = []

    def compile_something() -> None:
        with hearing_interrupts():
            callback()
            done.append("compiled")

    before = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt):
        compile_something()
    assert done, "the callback swallowed it"
    assert sys.unraisablehook is before


@pytest.mark.parametrize(
    ("mode", "is_foreign", "why"),
    [
        (0o777, False, "other users can write to it"),
        (0o775, False, "other users can write to it"),
        (0o755, True, "it belongs to another user"),
    ],
)
def test_a_folder_that_others_can_write_to_is_refused_and_code_in_it_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, is_foreign: bool, why: str
) -> None:
    assert [is_kept(), is_kept()] == [False, True]
    folder = the_file(tmp_path).parent
    assert not folder.stat().st_mode & 0o022
    folder.chmod(mode)
    if is_foreign and os.getuid():
        monkeypatch.setattr(os, "getuid", lambda: 4321)
    elif is_foreign:
        os.chown(folder, 4321, -1)
    sentence = f"compiled code is not kept in {folder}, because {why}: remove it, or name another"
    with pytest.warns(RuntimeWarning, match=sentence) as warned:
        assert not any(is_kept() for _ in range(2))
    assert len(warned) == 1
    monkeypatch.setattr(sys, "platform", "win32")
    assert is_kept(), "the bits mean nothing on Windows"
