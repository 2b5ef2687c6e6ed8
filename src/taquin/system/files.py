"""The user's folders, atomic writes, and lock files."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EFBIG
from functools import cache
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_POLL_SECONDS = 0.05
_TRIES = 20
"""How often Windows is asked again to replace a file that is open."""
_MAX_MILLIONS = 16
"""Bytes of the largest text that is read whole, in millions."""


def cache_folder() -> Path:
    """Return the folder of the environment's TAQUIN_CACHE, else the user's cache folder."""
    # Imported late: it would slow every start.
    from pathlib import Path

    return Path(os.environ.get("TAQUIN_CACHE") or _user_cache())


@cache
def _user_cache() -> str:
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        # As platformdirs does, whose import takes a twentieth of a short run.
        caches = os.environ.get("XDG_CACHE_HOME", "").strip()
        return os.path.join(caches or os.path.expanduser("~/.cache"), "taquin")
    from platformdirs import user_cache_dir

    return user_cache_dir("taquin", appauthor=False)


def data_folder() -> Path:
    """Return the user's folder for data that cannot be computed again."""
    from platformdirs import user_data_path

    return user_data_path("taquin", appauthor=False)


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raise OSError for one of more than 16 MB, which may be endless."""
    with open(path, "rb") as file:
        content = file.read(_MAX_MILLIONS * 1_000_000 + 1)
    if len(content) > _MAX_MILLIONS * 1_000_000:
        raise OSError(EFBIG, f"more than {_MAX_MILLIONS} million bytes", os.fspath(path))
    return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` when the block ends, and never if the block raises.

    Links are followed. Devices, pipes and `/dev/stdout` cannot be replaced and are written to
    directly. Raise OSError when the disk or the folder refuses.
    """
    try:
        is_open = os.path.abspath(path).startswith(("/dev/", "/proc/"))
        if os.path.exists(path) and (not os.path.isfile(path) or is_open):
            # Appended: the shell may have written to the file that it redirects to.
            with open(path, "ab" if os.path.isfile(path) else "wb") as stream:
                yield stream
            return
        target = os.path.realpath(path)
        draft = f"{target}.{os.getpid()}.tmp"
        try:
            with open(draft, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _replace(draft, target)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _replace(draft: str, target: str) -> None:
    """Rename a file to another; on Windows, wait a moment for programs that have that one open.

    Scanners open new files for moments, and a mapped table is open as long as its search runs.
    """
    for _ in range(_TRIES):
        try:
            return os.replace(draft, target)
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(_POLL_SECONDS)
    raise PermissionError(EACCES, "the file there is open in another program, or read-only")


def _try_lock(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        with suppress(PermissionError):
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            return True
    else:
        import fcntl

        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False


@contextmanager
def locked(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file `path` for the length of the block.

    `waiting` is called repeatedly while another process holds it, and may raise. The end of the
    process frees the lock too, however it ends; the empty file stays and means nothing. Raise
    OSError when the file cannot be created.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _try_lock(handle):
            waiting()
            # Polling, not blocking, so that Ctrl-C works.
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(handle)
