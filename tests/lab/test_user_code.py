"""Studies with code of one's own: it travels to the workers, and nothing but a run runs it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from taquin.heuristics.per_tile import Manhattan
from taquin.lab.run.database import Ending, Record, Store
from taquin.lab.run.executor import Executor, Pool, SameThread
from taquin.lab.run.runner import run_jobs
from taquin.lab.study.definition import Study, jobs_of
from taquin.lab.study.reading import read_study
from taquin.search.algorithms import AStar
from tests.cli.runs import printed, run
from tests.lab.worlds import run_into

STUDY = """
boards = [{ uniform = { size = "3x3", count = 3, seed = 1 } }]
limits = { nodes = 2_000 }
[[searches]]
label = "own"
algorithm = "astar"
heuristic = "mine.py:misplaced"
[[searches]]
label = "built in"
algorithm = "astar(misplaced)"
"""

MINE = """
def misplaced(board):
    return sum(tile not in (0, number) for number, tile in enumerate(board.cells, 1))
"""

MARKED = """
import pathlib
pathlib.Path(__file__).with_name("ran").touch()
raise RuntimeError("run only when searched")
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Return a study file with code of its own beside it, far from where the tests run."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "own.toml").write_text(STUDY)
    return tmp_path / "own.toml"


def keys(path: Path) -> dict[str, set[str]]:
    """Return the keys of a study's runs by the label of the search."""
    found: dict[str, set[str]] = {}
    for job in jobs_of(read_study(path), "1"):
        found.setdefault(job.run.search, set()).add(job.key)
    return found


def assert_both_searches_agree(records: dict[str, Record]) -> None:
    counts = {(each.board, each.search): each.stats.generated for each in records.values()}
    assert len(counts) == 6
    assert not [each.reason for each in records.values() if each.ending.is_failure]
    for board, _ in counts:
        assert counts[board, "own"] == counts[board, "built in"]
        assert counts[board, "own"]


def test_user_code_is_run_by_workers_that_cannot_see_its_file(study: Path, tmp_path: Path) -> None:
    jobs = list(jobs_of(read_study(study), "1"))
    (tmp_path / "mine.py").unlink()
    pool = Pool(2)
    try:
        for job in jobs:
            pool.submit(job)
        records: dict[str, Record] = {}
        while len(records) < len(jobs):
            records |= {record.key: record for record in pool.completed(1)}
    finally:
        pool.close()
    assert_both_searches_agree(records)


@pytest.mark.slow
def test_user_code_runs_on_a_local_cluster(study: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from taquin.lab.run.executor import ClusterExecutor

    assert_both_searches_agree(
        run_into(tmp_path / "a.sqlite", read_study(study), lambda: ClusterExecutor("local:2"))
    )


def test_editing_the_file_makes_its_runs_new_and_no_others(study: Path) -> None:
    before = keys(study)
    (study.parent / "mine.py").write_text(MINE + "\n# Better now.\n")
    after = keys(study)
    assert before["built in"] == after["built in"]
    assert not before["own"] & after["own"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def misplaced(board):\n    return 1 // 0\n", "mine.py, line 2: ZeroDivisionError: "),
        ("def misplaced(board):\n    return later\n", "mine.py, line 2: NameError: "),
        ("import no_such_module_of_mine\n", "mine.py, line 1: ModuleNotFoundError: "),
        ("def misplaced(board:\n", "mine.py, line 1: SyntaxError: "),
        (None, "there is no file 'mine.py' to load 'misplaced' from"),
    ],
)
def test_a_fault_in_own_code_is_a_crash_told_in_one_sentence_with_its_line(
    study: Path, tmp_path: Path, source: str | None, said: str
) -> None:
    mine = tmp_path / "mine.py"
    mine.unlink() if source is None else mine.write_text(source)
    records = run_into(tmp_path / "a.sqlite", read_study(study), lambda: Pool(1))
    for record in records.values():
        if record.search == "own":
            assert record.ending is Ending.CRASHED
            assert said in record.reason
            assert "\n" not in record.reason
        else:
            assert record.ending is not Ending.CRASHED


@pytest.mark.sampled(2)
@pytest.mark.parametrize("source", [MARKED, "def broken(", None])
def test_reading_telling_reporting_and_exporting_run_no_own_code(
    study: Path, tmp_path: Path, source: str | None
) -> None:
    place = ("--store", str(tmp_path))
    assert run("study", "run", str(study), *place, "--processes", "0").exit_code == 0
    report = run("study", "report", str(study), *place).stdout
    mine = tmp_path / "mine.py"
    mine.unlink() if source is None else mine.write_text(source)
    for command in ("status", "export", "report"):
        result = printed("study", command, str(study), *place)
    if source is None:
        # An edited file is another version, and its runs are those of another study.
        assert result == report
        assert "6 of 6 runs are recorded" in run("study", "status", str(study), *place).stdout
    assert run("study", "list", *place).exit_code == 0
    read_study(study)
    assert not (tmp_path / "ran").exists()


def test_studies_made_in_python_take_searches_as_text() -> None:
    study = Study.of("text", ["1 2 / 0 3"], [AStar(weight=2), "astar(misplaced)", "dfs"], seeds=[7])
    assert [search.label for search in study.searches] == [
        "wastar(manhattan, weight=2)",
        "astar(misplaced)",
        "dfs",
    ]
    assert [search.seeds for search in study.searches] == [(), (), (7,)]
    labelled = Study.of("text", ["1 2 / 0 3"], {"mine": "astar(h2)"})
    assert [(each.label, each.algorithm) for each in labelled.searches] == [
        ("mine", AStar(Manhattan()))
    ]


WITH_PARTS = """
import pickle
from pathlib import Path
from shapes.square import one
import counting

with open("data/tab.pkl", "rb") as file:
    FACTOR = pickle.load(file)
assert pickle.loads(Path(__file__).with_name("data").joinpath("tab.pkl").read_bytes()) == FACTOR

def misplaced(board):
    from later import nothing
    return FACTOR * counting.misplaced(board) * one() + nothing
"""
PARTS = {
    "mine.py": WITH_PARTS,
    "counting.py": f"from middle import *\n{MINE}",
    "middle.py": "",
    "later.py": "nothing = 0",
    "shapes/square.py": "from .round import one",
    "shapes/round.py": "def one(): return 1",
    "unused.py": "",
}


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Return a study whose code imports modules from its folder and reads a file there."""
    (tmp_path / "shapes").mkdir()
    (tmp_path / "data").mkdir()
    for name, text in PARTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "data" / "tab.pkl").write_bytes(pickle.dumps(1))
    (tmp_path / "own.toml").write_text(f'files = ["data/tab.pkl"]\n{STUDY}')
    return tmp_path / "own.toml"


@pytest.mark.parametrize(
    "name", ["counting.py", "middle.py", "later.py", "shapes/round.py", "data/tab.pkl"]
)
def test_editing_what_code_imports_or_reads_makes_its_runs_new(parts: Path, name: str) -> None:
    before = keys(parts)
    (parts.parent / "unused.py").write_text("nothing = 1")
    assert keys(parts) == before
    with (parts.parent / name).open("ab") as file:
        file.write(b"# Better now.\n")
    after = keys(parts)
    assert before["built in"] == after["built in"]
    assert not before["own"] & after["own"]


def _pool() -> Pool:
    return Pool(1)


def _cluster() -> Executor:
    pytest.importorskip("distributed")
    from taquin.lab.run.executor import ClusterExecutor

    return ClusterExecutor("local:1")


@pytest.mark.parametrize(
    "make", [SameThread, _pool, pytest.param(_cluster, marks=pytest.mark.slow)]
)
def test_what_code_imports_and_reads_travels_with_it(
    parts: Path, tmp_path: Path, make: Callable[[], Executor]
) -> None:
    study = read_study(parts)
    with study.files.copied(tuple(search.algorithm for search in study.searches)) as home:
        jobs = list(jobs_of(study, "1", home))
        for name in (*PARTS, "data/tab.pkl"):
            (tmp_path / name).unlink()
        with Store(tmp_path / "a.sqlite", write=True) as store:
            run_jobs(jobs, store, make)
            records = store.all_records()
    assert not Path(home).exists()
    assert_both_searches_agree({record.key: record for record in records})
    own = next(record for record in records if record.search == "own")
    for text in (own.run.own_code, json.loads(own.provenance)["user code"]):
        names = [part.rpartition(" ")[0] for part in text.split("; ")]
        modules = ["counting.py", "later.py", "middle.py", "shapes/round.py", "shapes/square.py"]
        assert names == ["mine.py:misplaced", *modules, "data/tab.pkl"]
    # What is gone has no fingerprint, so its latest records are shown.
    with Store(tmp_path / "a.sqlite") as store:
        assert len(store.records_of(read_study(parts), "1")) == 6


def test_a_study_that_runs_again_in_one_process_runs_what_it_imports_now(
    parts: Path, tmp_path: Path
) -> None:
    counts = []
    # Of equal length, and in one second: Python's own cache would not notice.
    for weight in (0, 5, 0):
        (tmp_path / "shapes" / "round.py").write_text(f"def one(): return {weight}")
        records = read_study(parts).run(tmp_path, processes=0)
        assert not any(record.ending.is_failure for record in records)
        counts.append([each.stats.max_depth for each in records if each.search == "own"])
    assert counts[0] == counts[2] != counts[1]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ('["../tab.pkl"]', "files: expected a file below the folder of the study, found '../tab"),
        ('["no.pkl"]', "files: cannot read 'no.pkl' in the folder of the study (no such file"),
        ('["data"]', "files: cannot read 'data' in the folder of the study (is a directory"),
        ("[3]", "files: expected a text"),
    ],
)
def test_a_file_that_cannot_be_taken_along_is_named(parts: Path, files: str, said: str) -> None:
    parts.write_text(f"files = {files}\n{STUDY}", encoding="utf-8")
    told = run("study", "run", str(parts), "--store", str(parts.parent), "--processes", "0")
    assert told.exit_code == 2
    assert said in " ".join(told.stderr.split())


STUCK = """
from collections import deque
from itertools import repeat

def forever(board):
    while True:
        pass

def stuck(board):
    deque(repeat(0), maxlen=0)
"""


@pytest.mark.parametrize("name", ["forever", "stuck"])
def test_user_code_that_does_not_return_leaves_a_record(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.py").write_text(STUCK)
    (tmp_path / "own.toml").write_text(
        f"""
        boards = [{{ uniform = {{ size = "3x3", count = 1, seed = 1 }} }}]
        searches = [
            {{ algorithm = "astar(mine.py:{name})", limits = {{ seconds = 0.5 }} }},
            {{ algorithm = "greedy" }},
        ]
        """
    )
    records = run_into(tmp_path / "a.sqlite", read_study(tmp_path / "own.toml"), lambda: Pool(1))
    own, other = sorted(records.values(), key=lambda record: record.search)
    assert (own.ending, own.limit_reached) == (Ending.LIMIT, "seconds")
    assert own.reason == "limit of 0.5 seconds; its process was killed"
    assert other.ending is Ending.SOLVED
