"""Run the command line: `python -m taquin`, and what the command `taquin` runs."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Load the command line and run it; Ctrl-C may come before either is done."""
    # Collecting garbage every 700 objects costs a tenth of a short run, and there is hardly any.
    gc.set_threshold(100_000)
    try:
        from taquin.cli.main import run

        run()
    except KeyboardInterrupt:
        sys.exit(3)


if __name__ == "__main__":
    main()
