"""Run the command line: `python -m taquin`, and what the command `taquin` runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line and run it; Ctrl-C may come before either is done."""
    try:
        from taquin.cli.main import run

        run()
    except KeyboardInterrupt:
        sys.exit(3)


if __name__ == "__main__":
    main()
