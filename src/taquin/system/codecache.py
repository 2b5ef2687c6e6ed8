"""Compiled code kept from run to run, whatever the disk does.

Numba's own cache believes the disk: a file that was cut short, or a disk that is full, ends the
program. Here a file that cannot be read is cleared and made again, and code that cannot be kept is
used all the same. Either is told once in a process, as a warning of one line.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

from taquin.system.interrupts import heed_interrupts


class _InOnePlace(CompileResultCacheImpl):
    """Keep code in the folder that is asked for; Numba would go on to some of its own."""

    _locator_classes = [UserProvidedCacheLocator]  # noqa: RUF012 - Numba's, and never changed


class _Kept(FunctionCache):
    """The code of one function, for each signature."""

    _impl_class = _InOnePlace

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature; None when there is none that can be read."""
        numbas: Any = super()
        try:
            return numbas.load_overload(sig, target_context)
        except MemoryError:
            raise
        except Exception:
            folder = Path(self.cache_path)
            _tell(f"compiled code in {folder.parent} is damaged and made again")
            for file in folder.glob(f"{self._impl.filename_base}*"):
                with suppress(OSError):
                    file.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature, if the disk lets it."""
        numbas: Any = super()
        try:
            numbas.save_overload(sig, data)
        except MemoryError:
            raise
        except Exception as error:
            why = getattr(error, "strerror", None) or str(error)
            _tell(_not_kept(Path(self.cache_path).parent, why))


def keep_code_of(dispatcher: Any, folders: Iterable[Path]) -> Path | None:
    """Have the code of a function kept in the first of `folders` that can be written to.

    Return that folder, None when there is none.
    """
    settings: Any = numba.config
    kept: Any = _Kept
    # Numba looks at this setting while it makes a cache, and at no other time.
    before = settings.CACHE_DIR
    tried = Path()
    try:
        for folder in folders:
            tried, settings.CACHE_DIR = folder, str(folder)
            # A RuntimeError: no place there. A ValueError: a name that no system takes.
            with suppress(RuntimeError, ValueError):
                dispatcher._cache = kept(dispatcher.py_func)
                return folder
    finally:
        settings.CACHE_DIR = before
    _tell(_not_kept(tried, "no file can be made there"))
    return None


def hear_interrupts(dispatcher: Any) -> None:
    """Have Ctrl-C end the compilation of a function, before it begins or when it is done.

    The compiler calls Python back, and what is raised there goes no further.
    """
    compile_for = dispatcher.compile

    @wraps(compile_for)
    def compile_and_hear(signature: Any) -> Any:
        heed_interrupts()
        lost: list[type[BaseException]] = []
        before = sys.unraisablehook

        def note(unraisable: Any) -> None:
            if issubclass(unraisable.exc_type, KeyboardInterrupt):
                lost.append(unraisable.exc_type)
            else:
                before(unraisable)

        sys.unraisablehook = note
        try:
            code = compile_for(signature)
        finally:
            sys.unraisablehook = before
        heed_interrupts()
        if lost:
            raise KeyboardInterrupt
        return code

    hearing: Callable[[Any], Any] = compile_and_hear
    dispatcher.compile = hearing


@cache
def _tell(line: str) -> None:
    """Warn of something once in a process."""
    warnings.warn(line, RuntimeWarning, stacklevel=2)


def _not_kept(folder: Path, why: str) -> str:
    return f"compiled code is made anew in every run: cannot write to {folder} ({why})"
