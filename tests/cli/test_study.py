"""`taquin study`: run, status, list and export, and what they say when something is wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import signal
import sqlite3
import stat
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from taquin.heuristics.base import Evaluator
from taquin.heuristics.per_tile import Manhattan
from taquin.lab.run.database import Store
from taquin.lab.run.runner import run_study
from taquin.lab.study.definition import Study
from taquin.model.space import Space
from taquin.search.algorithms import AStar
from tests.cli.runs import COMMAND, on_screen, printed, refusal, run

STUDY_COMMANDS = ("run", "report", "status", "show", "list", "export", "replay")

TEXT = """
title = "Two searches"
searches = [{ algorithm = ["bfs", "astar"], heuristic = "manhattan" }]
[[boards]]
starts = ["1 2 3 / 4 0 5 / 7 8 6", "1 2 3 / 4 5 6 / 0 7 8"]
columns = { kind = "easy" }
"""


@pytest.fixture
def study(tmp_path: Path) -> str:
    """Return a study file; its records go beside it."""
    file = tmp_path / "mine.toml"
    file.write_text(TEXT)
    return str(file)


def test_study_alone_shows_its_commands_and_list_its_studies_and_own_records(
    study: str, tmp_path: Path
) -> None:
    result = printed("study")
    places = [result.index(f"\n  {name} ") for name in STUDY_COMMANDS]
    assert places == sorted(places)
    run("study", "run", study, "--store", str(tmp_path), "--processes", "0")
    (tmp_path / "broken.sqlite").write_text("x" * 2000)
    result = printed("study", "list", "--store", str(tmp_path))
    lines = {line.split()[0]: line.split() for line in result.splitlines() if line}
    assert lines["mine"] == ["mine", "4"]
    assert lines["broken"] == ["broken", "unreadable"]


def test_show_resolves_the_digests_that_records_have(study: str, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path))
    assert run("study", "run", study, "--processes", "0", *store).exit_code == 0
    lines = run("study", "export", study, "--format", "jsonl", *store).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        shown = run("study", "show", study, row["key"][:8], "--json", *store)
        record = json.loads(shown.stdout)
        provenance = record.pop("provenance")
        assert record.items() <= row.items()
        assert {key for key in row if key not in record} <= {"provenance", "heuristic"}
        assert provenance["digest"] == row["provenance"]
        assert provenance["os"]
        assert row["key"] in run("study", "show", study, row["key"], *store).stdout
    here = run("study", "show", study, rows[0]["provenance"][:6], "--json", *store).stdout
    assert json.loads(here)["records"] == len(rows)
    for digest, said in (("", "begin with it"), ("xyz", "none begins")):
        assert said in refusal("study", "show", study, digest, *store)


def test_a_study_is_run_once_and_status_tells_what_is_no_longer_its_own(
    study: str, tmp_path: Path
) -> None:
    for _ in range(2):
        result = printed("study", "run", study, "--store", str(tmp_path), "--processes", "0")
        assert "4 runs are recorded, 4 of 4 solved" in result
        assert str(tmp_path / "mine.sqlite") in result
    result = printed("study", "status", study, "--store", str(tmp_path))
    assert "mine: 4 of 4 runs are recorded, 0 of them failed." in result
    assert "No process is running it." in result
    run("study", "run", study, "--store", str(tmp_path), "--processes", "0")
    Path(study).write_text(TEXT.replace('"bfs"', '"ucs"'), encoding="utf-8")
    result = printed("study", "status", study, "--store", str(tmp_path))
    assert "2 of 4 runs are recorded" in result
    assert "2 more records" in result


def test_export_writes_every_record_as_csv_and_json_lines(study: str, tmp_path: Path) -> None:
    run("study", "run", study, "--store", str(tmp_path), "--processes", "0")
    result = run("study", "export", study, "--store", str(tmp_path))
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [(row["board"], row["search"], row["cost"]) for row in rows] == [
        ("board 1", "bfs", "2"),
        ("board 1", "astar(manhattan)", "2"),
        ("board 2", "bfs", "2"),
        ("board 2", "astar(manhattan)", "2"),
    ]
    assert {row["kind"] for row in rows} == {"easy"}
    target = tmp_path / "out.jsonl"
    options = ("--store", str(tmp_path), "--format", "jsonl", "--output", str(target))
    assert run("study", "export", study, *options).exit_code == 0
    values = [json.loads(line) for line in target.read_text().splitlines()]
    assert [value["expanded"] for value in values] == [int(row["expanded"]) for row in rows]
    assert values[0]["heuristic"] is None


def test_a_study_made_in_python_goes_by_its_name(tmp_path: Path) -> None:
    run_study(Study.of("own", ["1 2 / 0 3"], [AStar()]), tmp_path, processes=0)
    result = printed("study", "export", "own", "--store", str(tmp_path))
    assert len(result.splitlines()) == 2
    assert "1 run is recorded" in run("study", "status", "own", "--store", str(tmp_path)).stdout
    assert "astar(manhattan)" in run("study", "report", "own", "--store", str(tmp_path)).stdout


def test_runs_that_fail_are_told_and_change_the_exit_status(
    study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Manhattan, space: Space) -> Evaluator:
        raise ZeroDivisionError("no such thing")

    monkeypatch.setattr(Manhattan, "bind", broken)
    result = run("study", "run", study, "--store", str(tmp_path), "--processes", "0")
    assert result.exit_code == 3
    assert "4 runs are recorded, 2 of 4 solved" in result.stdout
    assert result.stderr == ("astar(manhattan): 2 × crashed: ZeroDivisionError: no such thing\n")
    status = run("study", "status", study, "--store", str(tmp_path))
    assert "4 of 4 runs are recorded, 2 of them failed." in status.stdout


def test_ctrl_c_stops_a_study_and_says_how_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(
        'boards = [{ uniform = { size = "4x4", count = 800 } }]\n'
        'searches = [{ algorithm = "idastar" }]\n'
        'limits = { nodes = 5000, counting = "expanded" }\n'
    )
    words = ["study", "run", str(file), "--store", str(tmp_path), "--processes", "2"]
    path = tmp_path / "long.sqlite"
    child = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not path.exists() or not _recorded(path):
        assert child.poll() is None
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    shown, wrong = child.communicate()
    assert child.returncode == 3, wrong
    assert b"of 800 runs are done" in shown
    assert b"Go on with: taquin study run" in shown
    assert wrong == b""
    with Store(path) as store:
        assert 0 < len(store) < 800
        assert store.rows("SELECT * FROM claims") == []


def test_on_a_screen_progress_is_erased_and_tables_have_its_width(
    study: str, tmp_path: Path, reported: str
) -> None:
    status, shown = on_screen("study", "run", study, "--store", str(tmp_path), "--processes", "1")
    assert status == 0
    assert "mine: 0 of 4 done" in shown
    assert "4 runs are recorded" in shown.rpartition("\x1b[K")[2]
    status, shown = on_screen("study", "report", reported, "--store", str(tmp_path), columns=60)
    assert status == 0
    assert "Tiny" in shown
    assert "─" in shown


def _recorded(path: Path) -> int:
    try:
        with Store(path) as store:
            return len(store)
    except Exception:
        return 0


@pytest.fixture
def recorded(study: str, tmp_path: Path) -> tuple[str, ...]:
    """Return a study that has run, and where its records are, as words of a command line."""
    run("study", "run", study, "--store", str(tmp_path), "--processes", "0")
    return study, "--store", str(tmp_path)


WRITERS = (("export", "--output"), ("report", "--html"))


@pytest.mark.parametrize(("command", "option"), WRITERS)
def test_a_pipe_or_a_link_that_is_to_be_written_stays_what_it_is(
    command: str, option: str, recorded: tuple[str, ...], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        result = run("study", command, *recorded, option, str(pipe))
        shown, _ = reader.communicate(timeout=180)
    assert result.exit_code == 0, result.stderr
    assert pipe.is_fifo()
    assert b"board 1" in shown
    (tmp_path / "apart").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "apart" / "target")
    assert run("study", command, *recorded, option, str(tmp_path / "link")).exit_code == 0
    assert (tmp_path / "link").is_symlink()
    assert "board 1" in (tmp_path / "apart" / "target").read_text()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
@pytest.mark.parametrize(("command", "option"), WRITERS)
def test_a_device_without_room_is_one_sentence_and_stays_a_device(
    command: str, option: str, recorded: tuple[str, ...]
) -> None:
    assert (
        refusal("study", command, *recorded, option, "/dev/full")
        == "Error: /dev/full: No space left on device\n"
    )
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize(("command", "option"), WRITERS)
def test_a_disk_without_room_leaves_the_old_file_whole(
    command: str,
    option: str,
    recorded: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "out.html"
    target.write_text("old")
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    assert "out.html: No space left on device" in refusal(
        "study", command, *recorded, option, str(target)
    )
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_written_to_the_standard_output_by_its_path_joins_what_is_there(
    recorded: tuple[str, ...], tmp_path: Path
) -> None:
    words = ["study", "export", *recorded, "--output", "/dev/stdout"]
    with open(tmp_path / "all.csv", "w+b") as file:
        for _ in range(2):
            subprocess.run([*COMMAND, *words], stdout=file, check=True)
        file.seek(0)
        assert file.read().count(b"board 1,bfs") == 2


def test_every_hint_of_a_study_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, store = tmp_path / "my study's.toml", tmp_path / "the records"
    file.write_text(f'name = "mine"\n{TEXT}')
    before = run("study", "status", str(file), "--store", str(store))
    assert "nothing is recorded yet" in before.stdout
    assert run(*_pasted(before.stdout, "Run it with: ")).exit_code == 0
    done = run("study", "run", str(file), "--store", str(store), "--processes", "0")
    assert "4 runs · 4 solved" in run(*_pasted(done.stdout, "again with: ")).stdout

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("taquin.lab.run_study", interrupted)
    stopped = printed(
        "study", "run", str(file), "--store", str(store), "--processes", "1", status=3
    )
    wanted = ["study", "run", str(file), "--store", str(store), "--processes", "1"]
    assert _pasted(stopped, "Go on with: ") == wanted


def _pasted(shown: str, before: str) -> list[str]:
    """Return the words of the command that a hint ends with, as a shell reads them."""
    (line,) = [line for line in shown.splitlines() if before in line]
    program, *words = shlex.split(line.partition(before)[2])
    assert program == "taquin"
    return words


def test_a_slip_or_a_million_runs_are_told_before_anything_runs(study: str, tmp_path: Path) -> None:
    slips = {
        '[report]\nvalue = "nothing"': "report.value: there is no measure 'nothing'",
        '[[report.sections]]\ntitle = "x"\ntables = [{ rows = "kidn" }]': (
            "report.sections[1].tables[1].rows: records cannot be grouped by 'kidn'. "
            "Did you mean kind?"
        ),
        '[[report.sections]]\ntitle = "x"\n'
        'figures = [{ kind = "scatter", against = ["a", "b"] }]': (
            "report.sections[1].figures[1].against: there is no search 'a'"
        ),
    }
    for text, message in slips.items():
        Path(study).write_text(TEXT + text, encoding="utf-8")
        assert message in refusal(
            "study", "run", study, "--store", str(tmp_path), "--processes", "0"
        )
        assert not (tmp_path / "mine.sqlite").exists()
    Path(study).write_text(TEXT.replace("boards", "bords"), encoding="utf-8")
    assert refusal("study", "run", study, "--store", str(tmp_path)) == (
        f"Error: {study}: bords: there is no such key. Did you mean boards?\n"
    )
    Path(study).write_text(f"repetitions = 300_000\n{TEXT}", encoding="utf-8")
    result = run("study", "run", study, "--store", str(tmp_path))
    assert result.exit_code == 2
    assert "mine has 1,200,000 runs" in result.stderr
    assert "--yes" in result.stderr


COMMANDS_FOR_SCREENS = r"""
title = "\u001b[31mred $ and $ green"
description = "\u001b]0;window\u0007"
boards = [{ start = "1 2 / 0 3", label = "=1+1", columns = { kind = "@SUM(A1)", less = -1 } }]
searches = [{ algorithm = "bfs", label = "-1+\u001b[2J" }, { algorithm = "astar" }]
"""


def test_what_a_screen_or_a_spreadsheet_would_obey_is_shown_as_text(
    study: str, tmp_path: Path
) -> None:
    Path(study).write_text(COMMANDS_FOR_SCREENS, encoding="utf-8")
    page = tmp_path / "page.html"
    for words in (("run", "--processes", "0"), ("report",), ("report", "--html", str(page))):
        result = run("study", words[0], study, "--store", str(tmp_path), *words[1:])
        assert result.exit_code == 0, result.stderr
        assert "\x1b" not in result.output
    assert "\\x1b[31mred $ and $ green" in page.read_text(encoding="utf-8")
    shown = run("study", "export", study, "--store", str(tmp_path)).stdout
    first = next(csv.DictReader(io.StringIO(shown)))
    told = {name: first[name] for name in ("board", "search", "kind", "less", "start")}
    assert told == {
        "board": "'=1+1",
        "search": "'-1+\\x1b[2J",
        "kind": "'@SUM(A1)",
        "less": "-1",
        "start": "1 2 / 0 3",
    }


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("ending = 'perhaps'", "there is no ending 'perhaps'"),
        ("expanded = expanded + 1", "its checksum does not match"),
        ("key = '0' || key", "its checksum does not match"),
    ],
)
def test_a_damaged_record_is_named_by_every_command_left_out_and_done_again(
    change: str, fault: str, recorded: tuple[str, ...], tmp_path: Path
) -> None:
    def exported() -> list[tuple[str, ...]]:
        rows = csv.DictReader(io.StringIO(run("study", "export", *recorded).stdout))
        return [(row["board"], row["search"], row["expanded"]) for row in rows]

    before = exported()
    with sqlite3.connect(tmp_path / "mine.sqlite") as connection:
        connection.execute(f"UPDATE records SET {change} WHERE rowid = 2")
        (key,) = connection.execute("SELECT key FROM records WHERE rowid = 2").fetchone()
    connection.close()
    for name in ("status", "report", "export", "replay"):
        result = run("study", name, *recorded)
        assert result.exit_code == 2, result.stderr
        shown = " ".join(result.output.split())
        assert (shown.count(fault), key[:12] in shown) == (1, True)
    assert "3 of 4 runs are recorded, 0 of them failed" in run("study", "status", *recorded).stdout
    assert exported() == [row for number, row in enumerate(before) if number != 1]
    again = run("study", "run", *recorded, "--processes", "0")
    assert again.exit_code == 0
    assert fault in " ".join(again.stdout.split())
    assert "its run was done again" in " ".join(again.stdout.split())
    assert exported() == before
    assert "was damaged" not in run("study", "run", *recorded, "--processes", "0").output


needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="Matplotlib, of the extra 'plots', is not installed"
)

TOML = """
title = "Tiny"
boards = [{ label = "one", start = "1 2 / 0 3", printed = { "A*" = 1, "BFS" = 99 } }]
searches = [{ label = "A*", algorithm = "astar" }, { label = "BFS", algorithm = "bfs" }]
[[report.sections]]
title = "Nodes"
tables = [{ kind = "printed", value = "expanded" }]
figures = [{ kind = "bars", title = "Nodes" }]
"""


@pytest.fixture
def reported(tmp_path: Path) -> str:
    """Return the file of a study that has run."""
    path = tmp_path / "tiny.toml"
    path.write_text(TOML, encoding="utf-8")
    Study.read(path).run(tmp_path, processes=0)
    return str(path)


def test_the_tables_are_printed_of_this_version_of_the_study_only(
    reported: str, tmp_path: Path
) -> None:
    result = run("study", "report", reported, "--store", str(tmp_path))
    assert result.exit_code == 0
    assert result.output.startswith("Tiny\n====\n")
    assert "1 =" in result.output
    assert "≠ not as printed" in result.output
    assert "2 runs · 2 solved" in result.output
    Path(reported).write_text(TOML.replace("1 2 / 0 3", "0 1 / 3 2"), encoding="utf-8")
    result = run("study", "report", reported, "--store", str(tmp_path))
    assert result.exit_code == 2
    assert "none of this version of the study" in result.output


@needs_matplotlib
def test_a_page_and_pictures_are_written(reported: str, tmp_path: Path) -> None:
    page, folder = tmp_path / "deep" / "page.html", tmp_path / "pictures"
    result = run(
        *("study", "report", reported, "--store", str(tmp_path)),
        *("--html", str(page), "--plots", str(folder), "--format", "png"),
    )
    assert result.exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in folder.iterdir()] == ["tiny-1.png"]
    assert str(page) in result.output
    assert os.listdir(page.parent) == ["page.html"]


def test_records_of_other_code_are_shown_with_a_note(reported: str, tmp_path: Path) -> None:
    from dataclasses import replace

    from taquin.lab.study.definition import jobs_of

    path = tmp_path / "tiny.sqlite"
    with Store(path) as store:
        records = list(store.records())
    keys = [job.key for job in jobs_of(Study.read(reported), "0.0.1")]
    path.unlink()
    with Store(path, write=True) as store, store.transaction():
        store.add(
            replace(record, run=replace(record.run, key=key, code="0.0.1"))
            for record, key in zip(records, keys, strict=True)
        )
    result = run("study", "report", reported, "--store", str(tmp_path))
    assert result.exit_code == 0
    assert "taquin 0.0.1" in result.output
    assert "The code has changed since" in result.output
