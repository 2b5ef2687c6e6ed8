"""Run the command line: `python -m taquin` and the command `taquin`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_STOPPED = 3


def main() -> None:
    """Import and run the command line; handle Ctrl-C during the import too."""
    # The default threshold of 700 objects costs a tenth of a short run and frees hardly anything.
    gc.set_threshold(100_000)
    sys.unraisablehook = _on_unraisable
    try:
        from taquin.cli.main import run

        run()
    except KeyboardInterrupt:
        _print_stopped()
        sys.exit(_STOPPED)


def _on_unraisable(unraisable: UnraisableHookArgs) -> None:
    """Exit on Ctrl-C where an exception cannot propagate, such as in a callback of an import."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _print_stopped()
        os._exit(_STOPPED)
    sys.__unraisablehook__(unraisable)


def _print_stopped() -> None:
    # Not `print`: `sys.stderr` may be unusable in the middle of an import.
    with suppress(OSError):
        os.write(2, b"Stopped: interrupted.\n")


if __name__ == "__main__":
    main()
