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
"""Attempts to replace an open file on Windows."""
_MAX_MILLIONS = 16
"""The size limit of a text file, in millions of bytes."""


def cache_folder() -> Path:
    """Return the folder in the environment variable TAQUIN_CACHE, or the user's cache folder."""
    # Imported late: it slows down every start.
    from pathlib import Path

    return Path(os.environ.get("TAQUIN_CACHE") or _user_cache())


@cache
def _user_cache() -> str:
    from platformdirs import user_cache_dir

    return user_cache_dir("taquin", appauthor=False)


def data_folder() -> Path:
    """Return the user's folder for data that cannot be recomputed."""
    from platformdirs import user_data_path

    return user_data_path("taquin", appauthor=False)


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raise OSError if it has more than 16 MB, as a device may."""
    with open(path, "rb") as file:
        content = file.read(_MAX_MILLIONS * 1_000_000 + 1)
    if len(content) > _MAX_MILLIONS * 1_000_000:
        raise OSError(EFBIG, f"more than {_MAX_MILLIONS} million bytes", os.fspath(path))
    return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` when the block ends, unless the block raises.

    Links are followed. Devices, pipes and `/dev/stdout` cannot be replaced; they are written to
    directly. Raise OSError if the file cannot be written.
    """
    try:
        is_open = os.path.abspath(path).startswith(("/dev/", "/proc/"))
        if os.path.exists(path) and (not os.path.isfile(path) or is_open):
            # Append: the shell may already have written to the redirected file.
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
    """Replace `target` by `draft`; on Windows, retry for a second while `target` is open.

    Virus scanners open new files briefly, and a mapped table stays open during its search.
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
    """Hold the lock file `path` during the block.

    `waiting` is called repeatedly while another process holds the lock, and may raise. The system
    releases the lock of a process that dies. The empty file remains. Raise OSError if the file
    cannot be created.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _try_lock(handle):
            waiting()
            # Poll instead of blocking, so that Ctrl-C works.
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(handle)
