"""Link this machine's library again, with the present C."""

from pathlib import Path

from taquin.system.sources import library_path
from tools.kernels import _code, kernels
from tools.linking import build_library
from tools.platforms import PLATFORMS

p = Path(library_path())
build_library(PLATFORMS[p.name], [_code(k).read_text() for k in kernels()], p)
