"""A researcher's day: a small study with its report, Korf's counts, a heuristic of one's own.

python examples/researcher.py [FOLDER]     records and report go into FOLDER
"""

import subprocess
import sys
from pathlib import Path

import taquin as tq
import taquin.lab

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# Korf's 79th random 15-puzzle, and what IDA* with the Manhattan distance generates on it
# (R. E. Korf, Depth-first iterative-deepening, Artificial Intelligence 27, 1985, table 1).
KORF_79 = "0 1 9 7 / 11 13 5 3 / 14 12 4 2 / 8 6 10 15"
PRINTED = 540_860


def corners(board: tq.Board) -> int:
    """Estimate two moves for each corner tile that is missing, the blank's corner left out."""
    wanted = {0: 1, 2: 3, 6: 7}
    return max(0, 2 * sum(board.cells[cell] != tile for cell, tile in wanted.items()) - 3)


print("May a heuristic of my own claim shortest solutions?\n")
goal = tq.Goal.blank_last(3, 3)
checked = tq.audit(tq.FromFunction(corners), tq.Puzzle(goal))
for verdict in checked.verdicts():
    print(f"corners: {verdict}")
mine = tq.FromFunction(corners, admissible=checked.admissible, consistent=checked.consistent)

print("\nA study: three heuristics on eight boards of each of three depths\n")
boards = {
    f"{depth} moves, no. {number}": board
    for depth in (10, 14, 18)
    for number, board in enumerate(tq.boards_at_depth(goal, depth, seed=1, count=8).boards, 1)
}
searches = {
    "corners": tq.AStar(mine),
    "misplaced": tq.AStar(tq.Misplaced()),
    "Manhattan": tq.AStar(tq.Manhattan()),
}
study = tq.lab.Study.of("three-heuristics", boards, searches, title="Three heuristics")
# Records are kept: a second run would do nothing, and one that is stopped goes on where it was.
records = study.run(folder, processes=0)
report = tq.lab.report_of(study, records)
(folder / "report.html").write_text(tq.lab.to_html(report), encoding="utf-8")
print(tq.lab.table_text(next(report.tables)))

print(f"\nKorf's count: {PRINTED:,} printed, and measured:\n", flush=True)
words = ["solve", KORF_79, "--goal", "blank-first", "-a", "idastar", "--like", "korf"]
subprocess.run([sys.executable, "-m", "taquin", *words, "--style", "moves"], check=True)
