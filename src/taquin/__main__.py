"""Run the command line: `python -m taquin`, and what the command `taquin` runs."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_STOPPED = 3


def main() -> None:
    """Load the command line and run it; Ctrl-C may come before either is done."""
    # Collecting garbage every 700 objects costs a tenth of a short run, and there is hardly any.
    gc.set_threshold(100_000)
    sys.unraisablehook = _hear
    try:
        from taquin.cli.main import run

        run()
    except KeyboardInterrupt:
        _tell()
        sys.exit(_STOPPED)


def _hear(unraisable: UnraisableHookArgs) -> None:
    """Obey a Ctrl-C that came where nothing can be raised, as in the midst of an import."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _tell()
        os._exit(_STOPPED)
    sys.__unraisablehook__(unraisable)


def _tell() -> None:
    try:
        # Nothing may be loaded yet to say it with.
        os.write(2, b"Stopped: interrupted.\n")
    except OSError:
        # Where not even this can be said, the status still tells.
        return


if __name__ == "__main__":
    main()
