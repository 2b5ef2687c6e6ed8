"""Link this machine's library again, with the present C."""

from pathlib import Path

from taquin.system.compiled import library_path
from tools.linking import build_library
from tools.numba_kernels import _code, kernels

p = Path(library_path())
build_library([_code(k).read_text() for k in kernels()], p)
