"""The command `taquin` itself: what it shows first, what it says when something is wrong."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from taquin import __version__
from taquin.cli import main
from taquin.cli.command import TIME
from taquin.cli.main import COMMANDS, EXAMPLES, taquin
from taquin.cli.screen import set_encodings
from taquin.model.board import Board
from taquin.notation import read_board
from tests.cli.runs import COMMAND, on_screen, printed, run


def command(name: str) -> click.Command:
    found = taquin.get_command(click.Context(taquin), name)
    assert found is not None
    return found


def test_taquin_alone_shows_a_few_examples_and_succeeds() -> None:
    result = printed()
    for example, meaning in EXAMPLES:
        assert example in result
        assert meaning in result
    assert run("--version").stdout == run("-V").stdout == f"taquin {__version__}\n"


def test_a_time_may_have_a_unit() -> None:
    times = ("2", ".5", "500ms", "1.5 s", "2m", "1h", "1e2")
    assert [TIME.parse(time) for time in times] == [2, 0.5, 0.5, 1.5, 120, 3600, 100]


def test_help_lists_every_command_and_is_a_command_too() -> None:
    result = printed("--help")
    for name, summary in COMMANDS.items():
        assert name in result
        assert summary[:20] in result
    assert run("help").stdout == run("--help").stdout
    assert run("help", "solve").stdout == run("solve", "--help").stdout
    assert run("help", "study", "run").stdout == run("study", "run", "--help").stdout


def test_every_command_has_help_with_examples_and_with_all_its_options() -> None:
    for name, summary in COMMANDS.items():
        assert run(name, "-h").stdout == run(name, "--help").stdout
        group = command(name)
        assert (group.help or "").split("\n")[0] == summary
        parts = group.list_commands(click.Context(group)) if isinstance(group, click.Group) else ()
        for words in ((name,), *((name, part) for part in parts)):
            result = printed(*words, "--help")
            assert "Examples:" in result
            assert "\\b" not in result
    for line in ("", "solve", "tables", "tables build", "trace", "completion"):
        short, full = (printed(*line.split(), "--help", *all) for all in ((), ("--all",)))
        assert printed(*line.split(), "--all", "-h") == full
        assert (short == full) == (line != "solve"), line
    assert "--beyond" in printed("solve", "--help", "--all")


def test_listing_the_commands_imports_none_of_them() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from taquin.cli.main import taquin; "
        "CliRunner().invoke(taquin, ['--help']); CliRunner().invoke(taquin, []); "
        "print([name for name in sys.modules if name.startswith('taquin.') "
        "and name.split('.')[1] in ('model', 'search', 'heuristics', 'notation', 'views')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_solving_an_easy_board_imports_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys; before = set(sys.modules); from taquin.__main__ import main\n"
        "sys.argv = ['taquin', 'solve', '1 2 3 / 4 0 5 / 7 8 6']\n"
        "try: main()\n"
        "except SystemExit as leaving: assert not leaving.code\n"
        "finally: print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "taquin.cli.solve.solve" in loaded
    heavy = {"numpy", "PIL", "matplotlib", "distributed", "platformdirs"}
    library = {"asyncio", "concurrent", "csv", "difflib", "hashlib", "logging", "multiprocessing"}
    library |= {"pathlib", "random", "sqlite3", "subprocess", "tempfile", "urllib"}
    assert {name.split(".")[0] for name in loaded} & (heavy | library) == set()
    others = {f"taquin.cli.{name}" for name in COMMANDS if name != "solve"}
    late = {"engine.dask", "engine.parts", "search.likeness", "system.files"}
    assert set(loaded) & (others | {f"taquin.{name}" for name in late}) == set()
    assert not [name for name in loaded if name.startswith(("taquin.views", "taquin.lab"))]


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (KeyboardInterrupt(), 3, "\nStopped: interrupted.\n"),
        (click.Abort(), 3, ""),
        (MemoryError(), 3, "Error: out of memory; give a lower --max-memory to stop sooner\n"),
        (PermissionError(13, "Permission denied", "x.txt"), 2, "Error: x.txt: Permission denied\n"),
    ],
)
def test_what_goes_wrong_in_a_command_has_its_status(
    raised: BaseException, status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    def broken() -> None:
        raise raised

    monkeypatch.setattr(main.Taquin, "get_command", lambda *_: broken)
    result = CliRunner().invoke(taquin, ["solve"])
    assert (result.exit_code, result.stderr) == (status, said)


def test_ctrl_c_while_a_class_is_imported_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    @click.command()
    def importing() -> None:
        try:
            type("Imported", (), {"attribute": Interrupted()})
        except KeyboardInterrupt as error:
            # As Python 3.11 does by itself.
            raise RuntimeError("Error calling __set_name__") from error

    monkeypatch.setattr(main.Taquin, "get_command", lambda *_: importing)
    result = CliRunner().invoke(taquin, ["solve"])
    assert (result.exit_code, result.stderr.strip()) == (3, "Stopped: interrupted.")


@pytest.mark.parametrize(
    "raised",
    [
        KeyError("x"),
        RecursionError("too deep"),
        ValueError("a\nb" * 500),
        EOFError("cut short"),
        GeneratorExit(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_of_the_program_is_owned_up_to_with_status_70(
    raised: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command()
    def broken() -> None:
        raise raised

    monkeypatch.setattr(main.Taquin, "get_command", lambda *_: broken)
    monkeypatch.delenv("TAQUIN_DEBUG", raising=False)
    result = CliRunner().invoke(taquin, ["solve"])
    said = result.stderr.strip()
    assert result.exit_code == 70
    assert said.startswith("Error: this is an internal error of taquin")
    assert f"{type(raised).__name__}:" in said
    assert "\n" not in said
    assert len(said) < 500
    monkeypatch.setenv("TAQUIN_DEBUG", "1")
    result = CliRunner().invoke(taquin, ["solve"])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr
    assert "in broken" in result.stderr


@pytest.mark.parametrize(
    ("typed", "place", "completed"),
    [
        ("taquin so", 1, ["solve"]),
        ("taquin --ver", 1, ["--version"]),
        ("taquin solve -a b", 3, ["bfs", "beam", "bidirectional", "bts"]),
        ("taquin solve -H wal", 3, ["walking-distance"]),
    ],
)
def test_the_tab_key_completes_with_a_script_for_each_shell(
    typed: str, place: int, completed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TAQUIN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(place))
    result = CliRunner().invoke(taquin, [], prog_name="taquin")
    assert [line.split(",")[1] for line in result.stdout.split()] == completed
    monkeypatch.undo()
    for shell in ("bash", "zsh", "fish"):
        assert "_TAQUIN_COMPLETE" in printed("completion", shell)


LONG = "a" * 100_000


@pytest.mark.parametrize(
    "words",
    [
        (LONG,),
        (f"{LONG}1",),
        ("solve", LONG),
        ("solve", "./" + LONG),
        ("solve", "/" * 100_000),
        ("solve", "1230", "--goal", LONG),
        ("solve", "1230", "-H", " " * 20_000),
        ("solve", "1230", "-a", LONG),
        ("solve", "1230", "--engine", LONG),
        ("solve", "1230", "--style", LONG),
        ("solve", "1230", "--max-nodes", LONG),
        ("show", "1230", "--form", LONG),
        ("show", "1230", "--after", LONG),
        ("scramble", LONG),
        ("study", "run", LONG),
    ],
    ids=lambda words: " ".join(words)[:30],
)
def test_a_message_quotes_at_most_a_line_of_what_it_found(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr) < 900


@pytest.mark.parametrize("group", ["study", "tables"])
def test_the_help_of_a_group_says_of_each_command_all_it_does(
    group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert "..." not in run(group, "--help").stdout.partition("Commands:")[2]


FAR = "8 6 7 / 2 5 4 / 3 0 1"
KORF = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


@pytest.mark.parametrize("board", [FAR.replace("/", "").split(), ["1230"], ["1", *KORF.split()]])
def test_a_board_in_several_words_may_follow_an_option_without_a_value(board: list[str]) -> None:
    assert run("check", "--json", *board).exit_code in (0, 1)


@pytest.mark.parametrize(
    ("command", "what_to_do"),
    [
        ("solve", "--many reads them all"),
        ("check", "--many reads them all"),
        ("compare", "--many reads them all"),
        ("show", "give one of them"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [f"# three\n{FAR}\n\n123405786\n{FAR}\n", "\n\n".join([FAR.replace(" / ", "\n")] * 3)],
    ids=["lines", "blocks"],
)
def test_a_file_of_several_boards_is_called_so(
    command: str, what_to_do: str, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(text)
    done = run(command, str(file))
    said = f"expected one board, found several; {what_to_do}"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: {file}: {said}\n")


WALLS = "1 2 3 / 4 # 5 / 7 8 0"
LONG_BOARD = "1 2 3 4 / 5 6 7 8 / 9 10 # 12 / 13 14 15 0"


def piped(*words: str, encoding: str) -> bytes:
    """Return the bytes that a command writes into a pipe on a system of this encoding."""
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, *words], env=environment, capture_output=True, check=True)
    return done.stdout


@pytest.mark.sampled(3)
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_pipe_gets_utf8_whatever_the_system_has(encoding: str) -> None:
    drawn = piped("show", WALLS, "--form", "box", encoding=encoding)
    assert "├───┼───┼───┤" in drawn.decode("utf-8")
    assert read_board(drawn.decode("utf-8")) == Board.parse(WALLS)


def test_a_pipe_gets_the_same_bytes_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    # A script for bash must not end its lines as Windows does.
    pipe = io.BytesIO()
    stream = io.TextIOWrapper(pipe, encoding="cp1252", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    set_encodings()
    print("3×3 │ →")
    stream.flush()
    assert pipe.getvalue() == "3×3 │ →\n".encode()


@pytest.mark.parametrize("board", [WALLS, LONG_BOARD])
def test_a_terminal_without_box_drawing_gets_ascii_that_reads_back(board: str) -> None:
    status, drawn = on_screen("show", board, "--form", "box", PYTHONIOENCODING="cp1252")
    assert status == 0
    assert drawn.isascii()
    assert "?" not in drawn
    assert read_board(drawn) == Board.parse(board)
