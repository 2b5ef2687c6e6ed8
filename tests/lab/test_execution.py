"""One run in this process: its ceiling of memory, its signs of life, its rows."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from taquin import lab
from taquin.errors import UnsuitableError
from taquin.lab.run import runner as runner_module
from taquin.lab.run.database import Ending, Record, Records, Store, row_of
from taquin.lab.run.runner import JobClaims, living_runners
from taquin.lab.study.definition import Run
from taquin.search.result import Limits, Stats
from taquin.system.machine import (
    machine,
    memory_ceiling,
    peak_memory,
    reset_peak,
    safe_memory,
    usable_cores,
)

RUN = Run(*("key", "study", "board", "search", "1 0", "1 0", "single", "bfs"))
RECORD = Record(
    replace(RUN, limits=Limits(nodes=5), columns={"width": 4, "cost": "dear"}),
    ending=Ending.SOLVED,
    cost=3,
    lower_bound=3,
    stats=Stats(expanded=7, max_depth=2),
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells and limits what is held")
def test_a_process_cannot_grow_beyond_its_ceiling() -> None:
    with memory_ceiling(64 << 20):
        with pytest.raises(MemoryError):
            bytearray(256 << 20)
        assert len(bytearray(16 << 20))
    assert len(bytearray(256 << 20))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forgets the peak on request")
def test_the_peak_of_memory_is_that_of_one_run() -> None:
    held = bytearray(b"x") * (64 << 20)
    before = peak_memory()
    del held
    assert reset_peak()
    assert peak_memory() < before - (32 << 20)


def test_the_machine_is_told_in_words_and_shared_among_processes() -> None:
    assert "Python" in machine()
    assert usable_cores() >= 1
    one, two = safe_memory(1), safe_memory(2)
    assert one is None or (two is not None and two == one // 2)


def test_a_runner_gives_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "BEAT", 0.01)
    with Store(tmp_path / "a.sqlite", write=True) as store:
        with JobClaims(store):
            ((first,),) = store.rows("SELECT beat FROM runners")
            while store.rows("SELECT beat FROM runners") == [(first,)]:
                time.sleep(0.01)
            assert living_runners(store) == 1
        assert living_runners(store) == 0


def test_a_runner_without_signs_of_life_counts_as_dead(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", write=True) as store:
        with store.transaction() as connection:
            for name, beat in (("asleep", 0.0), ("awake", time.time())):
                connection.execute(
                    "INSERT INTO runners VALUES (?, 'another host', 1, ?)", (name, beat)
                )
        assert living_runners(store) == 1


def test_a_row_has_every_field_counter_limit_and_column() -> None:
    row = row_of(RECORD)
    assert (row["expanded"], row["max_depth"], row["limit_nodes"], row["limit_depth"]) == (
        7,
        2,
        5,
        None,
    )
    assert (row["cost"], row["optimal"], row["ending"]) == (3, True, "solved")
    assert (row["width"], row["column_cost"]) == (4, "dear")


def test_rows_of_several_records_have_the_same_keys() -> None:
    first, second = Records([RECORD, Record(RUN, Ending.LIMIT)]).rows()
    assert list(first) == list(second)
    assert second["width"] is None


def test_records_become_a_data_frame_where_pandas_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UnsuitableError, match=r"taquin\[pandas\]"):
        Records([RECORD]).frame()
    monkeypatch.undo()
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = Records([RECORD, RECORD]).frame()
    assert list(frame["expanded"]) == [7, 7]


def test_the_lab_lists_what_it_offers() -> None:
    for name in lab.__all__:
        assert getattr(lab, name)
