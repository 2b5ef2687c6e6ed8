"""An enthusiast's weekend: the 15-puzzle, every shortest solution, the hardest boards, notations.

python examples/enthusiast.py [FOLDER]     the animation goes into FOLDER
"""

import subprocess
import sys
from pathlib import Path

import taquin as tq

TAQUIN = [sys.executable, "-m", "taquin"]
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

print("A random 15-puzzle, solved in the fewest moves:\n")
start = tq.random_board("4x4", seed=15)
result = tq.solve(start)
assert result.optimal
print(start)
print(f"\n{result.cost} moves: {tq.write_moves(result.moves or ())}")
picture = folder / "fifteen.gif"
subprocess.run([*TAQUIN, "solve", start.text(), "-o", picture], check=True, capture_output=True)

print("\nIn slides of whole lines, an 8-puzzle takes fewer moves:\n")
eight = tq.Board("8 6 7 / 2 5 4 / 3 0 1")
slides = tq.solve(eight, metric=tq.Metric.MULTI)
print(f"{tq.moves_left(eight)} single moves, {slides.cost} slides")

print("\nAll its shortest solutions:\n")
solutions = [tq.write_moves(moves) for moves in tq.all_solutions(eight)]
print(f"{len(solutions)}, the first {solutions[0]}, the last {solutions[-1]}")

print("\nThe hardest boards of 3×3:\n")
goal = tq.Goal.blank_last(3, 3)
space = tq.survey(tq.Puzzle(goal), tq.Board(goal.grid, goal.cells))
print(f"{space.boards:,} boards, the farthest {space.radius} moves away:\n")
for board in space.farthest:
    print(f"{board}\n")

print("One board in many notations:\n")
for form in tq.notation.Form:
    try:
        written = tq.write_board(start, form)
    except tq.errors.NotationError as error:
        print(f"{form}: {error}")
        continue
    assert tq.read_board(written) == start
    print(f"{form}:\n{written}")
