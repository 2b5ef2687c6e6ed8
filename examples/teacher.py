"""A teacher's lesson: ten boards of twelve moves, a handout, graded answers, searches ranked.

python examples/teacher.py [FOLDER]        boards, handout and grades go into FOLDER
"""

import subprocess
import sys
from pathlib import Path

import taquin as tq

TAQUIN = [sys.executable, "-m", "taquin"]
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def taquin(*words: str) -> str:
    """Run a command of taquin in the folder and return what it prints."""
    done = subprocess.run([*TAQUIN, *words], cwd=folder, check=True, text=True, capture_output=True)
    return done.stdout


print("Ten boards, each exactly twelve moves from the goal, and a handout with answers apart:\n")
boards = taquin(
    *("scramble", "3x3", "--depth", "12", "--count", "10", "--seed", "2026"),
    *("--sheet", "handout.pdf", "--title", "Sliding puzzles, Friday"),
)
(folder / "boards.txt").write_text(boards, encoding="utf-8")
print(boards)

print("Three students hand in their answers:\n")
answers = folder / "answers"
answers.mkdir(exist_ok=True)
solutions = [tq.write_moves(tq.solve(tq.Board(line)).moves or ()) for line in boards.splitlines()]
# Ada solved them all. Ben stopped after three, the last with a slip. Cleo went astray at first.
(answers / "ada.txt").write_text("\n".join(solutions), encoding="utf-8")
(answers / "ben.txt").write_text("\n".join([*solutions[:2], "LLL"]), encoding="utf-8")
first = tq.Board(boards.splitlines()[0])
away = next(move.direction for move in first.moves() if move.direction.letter != solutions[0][0])
detour = f"{away.letter}{away.opposite.letter}"
(answers / "cleo.txt").write_text(f"1: {detour}{solutions[0]}\n", encoding="utf-8")
print(taquin("grade", "boards.txt", "answers"))
(folder / "grades.csv").write_text(taquin("grade", "boards.txt", "answers", "--csv"), "utf-8")

print("One answer, discussed at the blackboard:")
grade = tq.grade("1 2 3 / 4 0 5 / 7 8 6", "left up")
print(f"  left up: {grade.remark}\n")

print("And for the projector, three searches on the first board, and pictures of it:\n")
searches = ("-a", "bfs", "-a", "greedy", "-a", "astar")
print(taquin("compare", boards.splitlines()[0], *searches, "--by", "expansions"))
taquin("solve", boards.splitlines()[0], "-o", "solution.gif")
taquin("trace", boards.splitlines()[0], "-a", "astar", "-o", "astar.html")
print("made:", ", ".join(sorted(path.name for path in folder.iterdir() if path.is_file())))
