"""Run the first commands of a new user with the installed taquin: `python tools/smoke.py`.

It depends on taquin only, and fails unless each command has the expected exit status.
"""

from __future__ import annotations

import subprocess
import sys
import time

COMMANDS = (
    ("solve", "8 6 7 / 2 5 4 / 3 0 1", "--style", "moves"),
    ("solve", "4 0 9 11 / 15 12 3 6 / 13 2 8 1 / 7 5 10 14", "--style", "moves"),
    ("solve", "M E R R Y / X M A S _", "--goal", "X M A S _ / M E R R Y", "--style", "moves"),
    ("check", "1 2 3 / 4 5 6 / 8 7 0"),
    ("scramble", "4x4", "--depth", "10", "--seed", "1"),
    ("show", "123456780"),
    ("compare", "8 1 3 / 4 0 2 / 7 6 5"),
    ("audit", "manhattan", "--size", "2x3"),
    ("explore", "3x3"),
    ("engines",),
)
"""The first commands of a new user."""
STATUS = {"check": 1}
"""The exit status of a command, where it is not 0."""


def main() -> None:
    """Run each command and print its time."""
    for command in COMMANDS:
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "taquin", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        print(f"{time.perf_counter() - began:6.2f} s  taquin {' '.join(command)}")
        if done.returncode != STATUS.get(command[0], 0):
            output = done.stdout.decode("utf-8", "replace")
            sys.exit(f"it ended with {done.returncode}:\n{output}")


if __name__ == "__main__":
    main()
