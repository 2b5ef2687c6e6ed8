"""Build the kernels with checks, for tests: `python -m tools.checked`.

The system's C compiler adds its checks of addresses and of undefined behaviour, and the kernels
check the index of every array (`kernels/common.h`). It prints the environment in which Python uses
the library:

    env $(python -m tools.checked) python -m pytest tests/engine

A kernel that reads beyond an array then ends the process with the place in its source.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from taquin.system.compiled import CHECKED, SOURCES, sources_digest

_FLAGS = ("-std=gnu11", "-O1", "-g", "-shared", "-fPIC", "-fno-omit-frame-pointer")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")


def main() -> None:
    """Build the library and print the environment that selects it."""
    path = Path("build", "checked", "kernels.so").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CC", "cc")
    sources = sorted(map(str, Path(SOURCES).glob("*.c")))
    defined = ("-DTAQUIN_CHECKED", f'-DTAQUIN_SOURCES="{sources_digest()}"')
    command = [compiler, *_FLAGS, *_SANITIZERS, *defined, *sources, "-o", str(path)]
    print(" ".join(command), file=sys.stderr)
    subprocess.run(command, check=True)
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    print(f"{CHECKED}={path}")
    print(f"LD_PRELOAD={':'.join(runtimes)}")
    # Python itself keeps memory to its end; and its own allocator would hide the ends of arrays.
    print("ASAN_OPTIONS=detect_leaks=0:abort_on_error=1")
    print("PYTHONMALLOC=malloc")


if __name__ == "__main__":
    main()
