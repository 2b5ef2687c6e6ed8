"""Link this machine's library again, with the present C."""
import sys
from pathlib import Path
from tools.kernels import _code, kernels
from tools.linking import build_library
from tools.platforms import PLATFORMS
from taquin.system.sources import library_path
p = Path(library_path())
build_library(PLATFORMS[p.name], [_code(k).read_text() for k in kernels()], p)
