"""Run the command line: `python -m taquin` and the command `taquin`."""

from __future__ import annotations

# First of all, before other modules load: Ctrl-C ends the process in one sentence.
from taquin.system.interrupts import exit_interrupted, exit_on_interrupt

exit_on_interrupt()

import gc  # noqa: E402
import sys  # noqa: E402
from time import perf_counter  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def main() -> None:
    """Import and run the command line; handle Ctrl-C during the import too."""
    began = perf_counter()
    # The default threshold of 700 objects costs a tenth of a short run and frees hardly anything.
    gc.set_threshold(100_000)
    sys.unraisablehook = _on_unraisable
    try:
        from taquin.cli.main import run

        run(began)
    except KeyboardInterrupt:
        exit_interrupted()


def _on_unraisable(unraisable: UnraisableHookArgs) -> None:
    """Exit on Ctrl-C where an exception cannot propagate, such as in a callback of an import."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        exit_interrupted()
    sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
