"""A student's evening: solve the homework board, see why A* wins, try a heuristic of one's own.

python examples/student.py [FOLDER]        drawings go into FOLDER, here by default
"""

import subprocess
import sys
from pathlib import Path

import taquin as tq

HOMEWORK = "8 1 3 / 4 0 2 / 7 6 5"
TAQUIN = [sys.executable, "-m", "taquin"]


def row_by_row(board: tq.Board) -> int:
    """Guess the moves left: one for each tile that is not in its row."""
    columns = board.grid.columns
    return sum(
        1
        for cell, tile in enumerate(board.cells)
        if isinstance(tile, int) and tile and (tile - 1) // columns != cell // columns
    )


folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
start = tq.Board(HOMEWORK)

print("The homework:\n")
print(start)
result = tq.solve(start)
print(f"\nshortest solution: {result.cost} moves, {tq.write_moves(result.moves or ())}")

print("\nFour searches on it:\n")
searches = ["bfs", "greedy(manhattan)", "astar(misplaced)", "astar(manhattan)"]
for search in searches:
    found = tq.solve(start, algorithm=search)
    proven = "shortest" if found.optimal else "perhaps not shortest"
    print(f"{search:18} {found.cost} moves ({proven}), {found.stats.expanded} boards expanded")

print("\nThe first steps of A*:\n", flush=True)
# Cut on purpose, so it leaves with status 3.
subprocess.run([*TAQUIN, "trace", HOMEWORK, "-a", "astar", "--limit", "2"], check=False)
subprocess.run([*TAQUIN, "tree", HOMEWORK, "-a", "astar", "-o", folder / "tree.svg"], check=True)

print("\nIs a heuristic of my own any good?\n")
mine = tq.FromFunction(row_by_row)
puzzle = tq.Puzzle(tq.Goal.blank_last(2, 3))
for verdict in tq.audit(mine, puzzle).verdicts():
    print(f"row_by_row: {verdict}")
found = tq.solve(start, algorithm=tq.AStar(mine))
print(f"A* with it: {found.cost} moves, {found.stats.expanded} boards expanded")
