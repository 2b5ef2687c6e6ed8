"""A program for any Python: import every module, run the glass box, print what came out.

It needs the standard library and taquin's source only. Modules that need another library are left
out. Only the first line tells interpreters apart: whatever else differs between two is a fault.
"""

import platform
from importlib import import_module
from pkgutil import walk_packages

import taquin as tq
from taquin.errors import MissingError
from taquin.search.algorithms import ALGORITHMS

LIBRARIES = {"numpy", "click", "platformdirs", "cupy"}
LIBRARIES |= {"starlette", "uvicorn", "matplotlib", "PIL", "distributed", "dask"}
BOARD = "1 2 3 / 4 8 0 / 7 6 5"

print(platform.python_version())
for module in walk_packages(tq.__path__, "taquin.", onerror=lambda _: None):
    if module.name.endswith("__main__"):
        continue
    try:
        import_module(module.name)
    except MissingError:
        continue
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in LIBRARIES:
            raise

for name in ALGORITHMS:
    result = tq.solve(BOARD, algorithm=name, limits=tq.Limits(nodes=3000))
    print(name, result.outcome.name, result.cost, result.lower_bound, result.stats.expanded)
print(sum(1 for _ in tq.trace(BOARD)))
limits = tq.Limits(seconds=900, memory=2**40)
print(tq.solve(BOARD, heuristic=lambda board: 0, limits=limits).cost)
print(tq.solve(BOARD, algorithm="bfs", limits=tq.Limits(memory=1)).limit)
for heuristic in ("manhattan", "linear-conflict", "walking-distance"):
    print(tq.audit(heuristic, tq.Goal.blank_last(2, 3)))
print(tq.Board.parse(BOARD)._repr_svg_())
