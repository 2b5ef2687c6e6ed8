"""Arguments that are not one board, and files of several: an error says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runs import run

FAR = "8 6 7 / 2 5 4 / 3 0 1"
KORF = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", "--anytime", "2", FAR), "--anytime takes no number, found 2; write --max-sec"),
        (("solve", FAR, "--anytime", "2s"), "--anytime takes no number, found 2s; write --max-s"),
        (("solve", FAR, "--all", "3"), "--all takes no number, found 3; write --most 3."),
        # Read as the number of a board, it would be lost without a word.
        (("solve", "--anytime", "1", KORF), "--anytime takes no number, found 1; write --max-sec"),
        (("solve", "--optimal", "5"), "--optimal takes no number, found 5; write --max-seconds 5."),
        (("trace", "--verify", "3", "FILE"), "--verify takes no number, found 3."),
        (
            ("solve", "--many", "FILE", "9"),
            "found '9' beside it; a number follows the option it is",
        ),
        (("solve", FAR, "2"), "found '2' beside it; a number follows the option it is for"),
        (("check", "7", FAR), "found '7' beside it; a number follows the option it is for"),
        (("solve", FAR, "idastar:linear-conflict"), "write --algorithm idastar:linear-conflict."),
        (("solve", "123405786", "manhattan"), "write --heuristic manhattan."),
        (("compare", FAR, "extra"), "found 'extra' beside it. Try"),
        (
            ("solve", "123405786", FAR),
            "found 2; give one of them, or a file of them to taquin solve --many.",
        ),
        (("solve", "4x4"), "4x4 is a size, expected a board; taquin scramble 4x4 generates one."),
        (("show", "FILE", "0.5"), "found '0.5' beside it; a number follows the option it is for."),
    ],
)
def test_what_is_no_part_of_a_board_is_named(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "board.txt"
    file.write_text(FAR)
    done = run(*(str(file) if word == "FILE" else word for word in words), text=FAR)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("board", [FAR.replace("/", "").split(), ["1230"], ["1", *KORF.split()]])
def test_a_board_in_several_words_may_follow_an_option_without_a_value(board: list[str]) -> None:
    assert run("check", "--json", *board).exit_code in (0, 1)


@pytest.mark.parametrize(
    ("command", "what_to_do"),
    [
        (("solve",), "taquin solve --many takes them all"),
        (("check",), "taquin check --many takes them all"),
        (("show",), "give one of them"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [f"# three\n{FAR}\n\n123405786\n{FAR}\n", "\n\n".join([FAR.replace(" / ", "\n")] * 3)],
    ids=["lines", "blocks"],
)
def test_a_file_of_several_boards_is_called_so(
    command: tuple[str, ...], what_to_do: str, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(text)
    done = run(*command, str(file))
    said = f"expected one board, found 3; {what_to_do}"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: {file}: {said}\n")
