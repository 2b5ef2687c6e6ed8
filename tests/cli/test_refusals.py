"""What no command can do is refused: status 2, nothing printed, and one sentence that says why."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.runs import refusal

REFUSED = r"""
slove · Did you mean solve?
help slove · Did you mean solve?
help solve it · no command 'it'
solve --anytime 2 "8 6 7 / 2 5 4 / 3 0 1" · expected one board, found '2' beside it
solve "8 6 7 / 2 5 4 / 3 0 1" --all 3 · expected one board, found '3' beside it
solve --many board.txt 9 · expected one board, found '9' beside it
compare 867254301 extra · expected one board, found 'extra' beside it. Try
solve 123405786 867254301 · expected one board, found '867254301' beside it
show board.txt board.txt · expected one board, found 'board.txt' beside it
solve 4x4 · 4x4 is a size, expected a board; taquin scramble 4x4 generates one.
"1 2 / 3 0" · taquin solve "1 2 / 3 0"
123456708 · To solve a board: taquin solve "123456708".
12 · To solve a board: taquin solve "12 …".
"1 0 / 3 2" · To solve a board: taquin solve "1 0 / 3 2".
solve --nonsense · --nonsense
solve --heuristics · Try taquin solve --help.
solve --timeout 3 · Did you mean '--max-seconds'?
trace 1230 --weight 2 · --weight is an option of a search: write -a "astar(weight=…)"
tree 1230 --goal-test generation · -a "bfs(goal-test=…)"
audit · HEURISTIC
completion · Missing argument '{bash|zsh|fish}'
completion tcsh · tcsh
solve 1230 --metric leaps · leaps
solve 1230 --max-nodes many · 'many'
solve 1230 --max-memory lots · 500M
solve 1230 --max-seconds -1 · expected seconds, such as 10, 0.5 or 2m, found '-1'
solve 1230 --max-seconds nan · found 'nan'
solve 1230 --max-seconds soon · expected seconds, such as 10, 0.5 or 2m
solve 1230 --within 0.5 · --within must be at least 1, got 0.5
solve 1230 -a dfs(directions=LRUU) · once each
serve --port x · expected a whole number, from 0 to 65535, found 'x'
serve --port 70000 · --port must be from 0 to 65535, got 70000
solve 1203 -a beam(cap=5) · beam does not support cap; it takes heuristic, width
solve 1203 -a wastar(weight=inf) · 'inf'
solve 1203 -a astar(bumps=true) · needs duplicates=dequeue
solve 1203 -H own/mine.py:one · there is no 'one'
solve 1203 -H own/mine.py:two · a required argument
solve 1203 -H own/mine.py:bad · line 4: ValueError
audit own/mine.py:bad --size 2x2 · line 4: ValueError
solve 1203 -H "max([a, b])" · expected a heuristic, found '[a b]'
solve 1203 -H manhattan(h1) · only max(…), sum(…), patterns(…) and user code take arguments
solve 1203 -H x.py:1 · expected file.py:name or module:name for code of your own
solve puzzle99.txt · there is no file 'puzzle99.txt', and it is no board either
solve ./here/puzzle · there is no file './here/puzzle'
solve here/puzzle · there is no file 'here/puzzle'
solve C:\\here\\puzzle · there is no file 'C:\\here\\puzzle'
solve / · /: Is a directory
solve --many boards.txt · there is no file 'boards.txt', and it is no board either
solve --many ./boards · there is no file './boards', and it is no board either
solve --many /nowhere/boards · there is no file '/nowhere/boards', and it is no board either
solve --many data/boards · there is no file 'data/boards', and it is no board either
solve "A B / C @" · needs numbered tiles, found A, B, C
solve 123456780 --tables A../.../...+.A./.../...+..A/.../...+.../A../...+.../.A./... · and 3 groups
solve 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,0 --tables small~2 · up to 16
check "A . / @ ." --goal "* A / * *" --by twin · a board has a twin only on
explain-count "1 2 3 / 5 4 0" --count 360 · No solution possible
solve 1230 --goal blank-frist · there is no goal 'blank-frist'
solve 1230 --goal goal.txt · --goal: there is no file 'goal.txt'
solve 1230 --goal "1 2 3 / 4 5 0" · the start is 2×2 and the goal 2×3
solve 1230 --goal "1 2 / 3 3" · --goal: a goal that names every cell needs one blank
solve 1230 --goal "A B / C 0" · the goal asks for A, B, C
solve "1 # / 2 0" --goal "1 2 / # 0" · walls must be the same
solve 123405786 --blank --json · --blank cannot be combined with --json, --csv or
solve 123405786 --blank --csv · --blank cannot be combined with --json, --csv or
solve 123405786 --blank --style classic · --blank cannot be combined with --json, --csv or
solve 123405786 --blank --many · --blank cannot be combined with --json, --csv or
solve 123405786 --csv --json · choose one of --json and --csv
solve 123456708 -a bfs --threads 2 · bfs does not support options of engines
solve 123456708 -H manhattan --tables large · astar(manhattan) does not support options
solve 123456708 --most 2 · --most needs --all or --beyond
solve 123456708 --all --many · --all and --beyond cannot be combined with --many, --csv, a search
solve 123456708 --all --cluster local:1 · it finds one solution, not every one
solve 123456708 --engine nothing · there is no engine 'nothing'
solve 123456708 --engine cluster · it needs the address of a Dask scheduler, or local:N
solve 123456708 --engine table --threads 2 · the engine table does not support threads
solve 123456708 --engine table -a bfs · always runs its own search, not bfs
solve 123456708 --engine cpu --cluster local:1 · --engine cpu does not support --cluster
solve "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15" --engine table · up to 9 cells, and this has 16
solve 123456708 --threads 0 · --threads must be at least 1, got 0
solve 123456708 --threads 2 --cluster local:2 · the engine cluster does not support threads
solve 123456708 --cluster nowhere · no Dask scheduler answers at 'nowhere'
solve "1 2 # / 3 0 4" --goal "1 2 # / 3 4 0" --cluster local:1 · it serves classic puzzles only
solve 123456780 --tables AABB/AAB. · 3 rows of 3 letters or dots
solve 123456780 --tables huge · small, medium, large, none, or patterns
solve 123456780 --tables small~5 · 2, 4, 8 or 16
solve 123456780 -H patterns(AAB/AAB) · 3 rows of 3 letters or dots
explore · give a size, such as 3x3
explore 3 3 3 · expected rows x columns, such as 4x4, found '3 3 3'
explore 3x · found '3x'
explore 4 4 --max-boards 1000 · more than the limit of 1,000; explore a smaller grid
explore 4 4 · 4×4 has at least 10,461,394,944,000 boards
explore 3x3 --farthest 99999999999999999999 · --farthest must be at most 9,223,372,036
explore 30 30 · 30×30 has at least 10^2269 boards
explore 100 100 · explore a smaller grid
explore 3 4 --max-memory 10M · 239,500,800 boards take 90 MB
explore 999x999 · 999×999 has 998,001
audit manhattan --size 100x100 · has at least 10^35659 boards
audit manhattan --size 999x999 · up to 10,000 cells
audit nonsense · there is no heuristic 'nonsense'
audit manhattan --size 4x4 · smaller grid
audit manhattan --size 2x2 --goal "* 1 / 2 0" · --start BOARD
audit manhattan --size 2x2 --max-boards 5 · up to 5
tables build 999x999 · up to 10,000 cells
tables build 6x6 · tables support 2×2 to 25 cells
tables build banana · found 'banana'
tables build 3x3 --pattern "1 2 / 9" · found '9'
tables build 5x5 --pattern "1 2 3 4 5 6 7 / 8" · 1 to 6 tiles on 5×5
tables remove · name the tables to remove, or give --all
tables remove nothing-of-that-name · there is no table called 'nothing-of-that-name'
enter --size 999x999 · up to 10,000 cells
show 1230 --form braille · braille
show 1230 --after X · expected moves
show "1 * / * 0" --after U · --after needs a board
scramble 4y4 · expected rows x columns
scramble --rows 4 · No such option '--rows'
scramble 4x4 --goal "1 2 / 3 0" · the goal is 2×2, not 4×4
scramble --count 0 · --count must be at least 1, got 0
scramble --count x · expected a whole number, 1 or more, found 'x'
scramble --moves -1 · --moves must be at least 0, got -1
scramble 3x4 --form compact · square boards
scramble 999x999 · up to 10,000 cells, such as 100x100; 999×999 has 998,001
scramble --moves 999999999999 · --moves can be 0 to 1,000,000, found 999,999,999,999
scramble --moves 3 --depth 3 · choose one of --moves and --depth
scramble --count 99999999999999999999 · --count must be at most 9,223,372,036,854,775,807
scramble --depth 40 · needs 40 moves to this goal; the greatest distance is at most 31
scramble 2x3 --unsolvable --depth 3 · --unsolvable cannot be combined with --depth
scramble 2x3 --gap much · expected a number or a range, such as 2, 2-5 or 2+
scramble 2x3 --gap 5-2 · expected a number or a range
scramble 3x3 --gap 99 · no board of 3×3 has such a gap; to this goal all are even and at most 18
scramble 3x3 --gap 20+ · all are even and at most 18
scramble 4x4 --gap 7 · all are even and at most 80
scramble 5x6 --gap 7 · to this goal all are even
scramble --goal "* * 1 / 2 3 0" --gap 90+ · to this goal all are at most 18
scramble 2x3 --gap 2 --metric multi · --gap supports only --metric single
scramble 2x2 --unsolvable --goal ". . / A @" · every arrangement of these tiles
scramble 2x2 --as-moves --goal "* * / A @" · --as-moves needs a goal that is one board
scramble 2x3 --variants 3 · require --sheet FILE
scramble --sheet a.gif · a sheet ends in .pdf, .html, .svg, .png
scramble --sheet a.pdf --count 2001 · at most 2,000 boards
scramble --title mine · --title, --task, --variants, --across, --cell and --lines require --sheet
explain-count 813402765 · Missing option '--count'
explain-count 813402765 --count many · expected a number such as
explain-count 813402765 --count 9 -a astarr · Did you mean astar?
explain-count 813402765 --count 9 --kind seen · 'seen' is not one of
estimate "1 2 / # 0" --goal "1 2 / # 0" -H patterns(small) · classic
estimate 813402765 -H nothing · there is no heuristic 'nothing'
moves --many "# nothing" · expected a solve on each line, found none
moves --many "8 1 3 / 4 0 / 7 6 5 : L" · line 1: row 2 has 2 cells, expected 3 like row 1
moves --many "R D : L" · a scramble needs --size
moves L --csv · --csv needs --many
moves nord · expected moves: U, D, L or R
moves invert · found 'invert'
moves 8 · found '8'; tiles need their board: --on, --size
moves 8 6 3 --size 3x3 · move 2, 6: tile 6 is not beside the blank
moves nord --size 3x3 · expected letters such as LURD
moves L --optimize · --optimize needs the board before the moves: give --on or --size
moves L --size 3x3 --on 1230 · choose one of --on and --size
moves L9999999 L9999999 · expected at most 9,999,999 moves
moves · Missing argument 'MOVES...'
grade nowhere.txt L · there is no file 'nowhere.txt'
grade 1230 nowhere.txt · there is no file or folder 'nowhere.txt'
grade "1 2 3" L · the boards: line 1, column 5: 3 cells do not form a square
grade 1230 answers · there is no file or folder 'answers', and it is not an answer
grade 1230 answers/ · there is no file or folder 'answers/'
grade 1230 U --points many · expected points for a shortest solution
grade 1230 U --json --csv · choose one of --json and --csv
grade "A 2 / 3 0" U --goal "1 2 / 3 0" · the boards, board 1: the goal asks for 1
league nowhere · no folder 'nowhere'
league . · a file NAME.py for each student
class c --depth x · expected depths such as 12, 5,10,15 or 5-20
class c --only cake · expected parts among handouts
class c --students 0 · --students must be from 1 to 500, got 0
class c --depth 50 · the greatest distance is at most 31
class c --boards nowhere.txt · there is no file
class c --boards own/mine.py · own/mine.py: line 1, column 5
play 999x999 · expected up to 30 rows and columns
play 4x4 --goal "1 2 / 3 0" · the goal is 2×2, not 4×4
repl no-such-file.txt · no-such-file.txt
export "1 2 / 0 3" · expected -o FOLDER
show 1230 -o a.bmp · must end in .svg, .png, .pdf, .gif or .tex
show 1230 --photo cat.png · require a picture: give -o FILE
show 1230 --photo none.png -o a.svg · none.png: No such file
solve 1230 --size 400 · require a picture
solve 1230 -o a.svg --size 400 · --size is for png and gif
solve 1230 --many -o a.svg · -o cannot be combined with --many or --all
trace 1203 --view levels -o a.svg · cannot be combined with --view
trace 867254301 -a bfs -o a.png · at most 400 boards
trace 1203 --nodes 6 · --nodes requires -o FILE.gif
trace 1203 --replay - · --replay cannot be combined with a board
trace --replay missing.jsonl · missing.jsonl: No such file or directory
trace 1203 --step · it needs a terminal
trace 1203 --step --view levels · --step
trace 1203 --step --json · --step
tree 1203 --replay a.jsonl · --replay cannot be combined with a board
tree 1203 --exam order -o - · --exam writes two files
tree 1203 -o no/tree.svg · no/tree.svg: No such file or directory
tree 1203 --format svg -o . · .: Is a directory
compare 1203 --json --csv · choose one of --json and --csv
compare 1203 -a bfs --by time --json · --by cannot be combined with --json or --csv
compare 1203 -o x.svg · -o needs --many, and a file name that ends in
compare --many 1203 -o x.gif · -o needs --many, and a file name that ends in
compare --many "1 2 / 3 3" · line 1, column 9: tile 3 appears twice
compare --many "# nothing" · expected a board on each line, found none
check 1230 --max-seconds 5 · --max-seconds needs --by twin
study run nothing-like-it · there is no study 'nothing-like-it'
study run weighted --processes 1 --cluster local:1 · choose one of --processes and --cluster
study export weighted --store . · run the study first
study report s3-width --store . · taquin study run s3-width
"""
"""Each a command line as a shell reads it, and a part of the sentence."""
CASES = [line.split(" · ") for line in REFUSED.strip("\n").split("\n")]


@pytest.mark.parametrize(("line", "said"), CASES, ids=[line for line, _ in CASES])
def test_a_command_that_cannot_be_carried_out_is_refused_in_one_sentence(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    board, own = tmp_path / "board.txt", tmp_path / "own"
    board.write_text("8 6 7 / 2 5 4 / 3 0 1")
    own.mkdir()
    (own / "mine.py").write_text(
        "def two(board, goal, more):\n    return 0\ndef bad(board):\n    raise ValueError\n"
    )
    assert said in refusal(*shlex.split(line), text=board.read_text())
    assert sorted(tmp_path.iterdir()) == [board, own]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"{\\rtf1 1 2 / 3 0}", "a document of a word processor; save it as plain text"),
        (b"\xd0\xcf\x11\xe0 1 2 / 3 0", "a document of a word processor; save it as plain text"),
        (b"%PDF-1.7 1 2 / 3 0", "a PDF; copy the answers into a text file"),
        (b"PK\x03\x04 1 2 / 3 0", "a zip archive; unpack it and give its folder"),
        (b"1 2 / 3 0\0", "a binary file; save it as plain text"),
    ],
)
def test_a_file_that_is_no_text_is_named_with_what_to_do(
    content: bytes, found: str, tmp_path: Path
) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(content)
    assert f"expected plain text, found {found}" in refusal("grade", str(path), "LU")
