"""Jobs in worker processes: messages in order, limits, and every way to end."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, count, repeat
from math import inf
from pathlib import Path
from pickle import PicklingError
from typing import Any

import pytest

from taquin.errors import UnsuitableError
from taquin.system.jobs import GRACE, Beat, End, Item, JobEnding, JobError, JobProcess, Text
from tests.system import job_functions as jobs


@pytest.fixture
def process() -> Iterator[JobProcess]:
    process = JobProcess()
    yield process
    process.close()
    process.reap()


def ending(
    process: JobProcess, job: Callable[..., Any], *arguments: Any, **limits: Any
) -> JobEnding:
    *_, last = process.messages(job, *arguments, **limits)
    assert isinstance(last, JobEnding)
    return last


def test_a_process_does_one_job_after_the_other_in_the_folder_of_its_parent(
    process: JobProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ending(process, jobs.double, 21) == JobEnding(End.DONE, 42)
    first = ending(process, jobs.where).value
    monkeypatch.chdir(tmp_path)
    assert ending(process, jobs.where).value == (first[0], str(tmp_path))
    assert first[0] == process.pid != os.getpid()


def test_items_and_prints_come_in_order(process: JobProcess) -> None:
    count = 500
    printed, seen = "", []
    for message in process.messages(jobs.tell, count):
        if isinstance(message, Text):
            if message.is_error:
                assert message.text == "aside\n"
            else:
                printed += message.text
        elif isinstance(message, Item):
            # What was printed before it has come before it.
            assert printed.count("\n") == message.value
            seen.append(message.value)
    assert seen == list(range(count))
    assert printed == "".join(f"line {number}\n" for number in range(count))


def test_large_values_go_both_ways(process: JobProcess) -> None:
    content = bytes(5_000_000)
    messages = [*process.messages(jobs.echo, content)]
    assert messages == [Item(content), JobEnding(End.DONE, content)]


def test_a_job_that_takes_too_long_is_killed_and_the_next_has_a_new_process(
    process: JobProcess,
) -> None:
    before = ending(process, jobs.where).value[0]
    for job, arguments in ((jobs.sleep, (0.2, 1000)), (jobs.call_c, (0.2,))):
        began = time.perf_counter()
        ended = ending(process, job, *arguments)
        assert ended.how is End.SECONDS
        assert ended.state in ("asleep", "calling")
        assert 0.2 + GRACE <= time.perf_counter() - began < 60
        assert process.pid is None
    assert ending(process, jobs.where).value[0] != before


def test_a_job_that_ends_by_itself_within_the_grace_is_done(
    process: JobProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long a loaded machine takes for the job.
    monkeypatch.setattr("taquin.system.jobs.GRACE", 60)
    assert ending(process, jobs.sleep, 0.1, 0.2).value == "awake"


def test_time_in_which_nobody_listens_is_not_counted(process: JobProcess) -> None:
    messages = process.messages(jobs.sleep, 0.6, 0.3)
    next(messages)
    time.sleep(0.6 + 2 * GRACE)
    *_, last = messages
    assert isinstance(last, JobEnding)
    assert last.value == "awake"


def test_silence_ends_a_job_whatever_it_said(process: JobProcess) -> None:
    assert ending(process, jobs.call_c, 1000, silence=0.5).how is End.SECONDS


def test_every_beat_breaks_the_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    beating = JobProcess()
    monkeypatch.setattr(beating, "_is_ready", True)
    # Each look at the queue takes a second.
    monkeypatch.setattr("taquin.system.jobs.perf_counter", count().__next__)
    for batch in [[Beat(inf, None)]] * 5 + [[JobEnding(End.DONE, 7)]]:
        beating._batches.put([*batch])
    assert ending(beating, jobs.double, 1, silence=1.5).value == 7


def test_a_job_hears_why_it_has_to_stop_and_is_killed_if_it_goes_on(process: JobProcess) -> None:
    assert ending(process, jobs.wait_for_stop, stopping=lambda: "enough").value == "enough"
    # The reason is that of one job.
    assert ending(process, jobs.double, 1).value == 2
    assert ending(process, jobs.sleep, 1000, 1000, stopping=lambda: "now").how is End.STOPPED


def test_a_failure_is_passed_on_and_the_next_job_is_done(process: JobProcess) -> None:
    failed = {how: ending(process, jobs.fail, how) for how in ("value", "taquin", "unsendable")}
    assert {each.how for each in failed.values()} == {End.FAILED}
    assert repr(failed["value"].value) == repr(JobError("ValueError: value"))
    assert isinstance(failed["taquin"].value, UnsuitableError)
    assert "lambda" in str(failed["unsendable"].value)
    assert ending(process, jobs.double, 1).value == 2
    assert ending(process, jobs.fail, "exit") == JobEnding(
        End.DIED, "its process ended (exit status 3)"
    )
    assert ending(process, jobs.double, 1).value == 2
    with pytest.raises((AttributeError, PicklingError), match="lambda"):
        ending(process, jobs.double, lambda: 0)
    assert ending(process, jobs.double, 1).value == 2


def test_a_job_that_grows_ends_by_its_limit_on_memory(process: JobProcess) -> None:
    assert ending(process, jobs.grow, memory=150_000_000).how is End.MEMORY


def test_a_job_that_is_left_is_killed(process: JobProcess) -> None:
    messages = process.messages(jobs.sleep, 1000, 1000)
    next(messages)
    pid = process.pid
    assert pid is not None
    messages.close()
    assert process.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_child_of_a_job_sends_nothing_and_ends_with_it(process: JobProcess) -> None:
    messages = list(process.messages(jobs.fork))
    assert not any(isinstance(message, Text) for message in messages)
    assert isinstance(messages[-1], JobEnding)
    child = messages[-1].value
    process.close()
    process.reap()
    for _ in range(100):
        with suppress(FileNotFoundError):
            # Whoever adopts it may not have waited for it.
            if ") Z " not in Path(f"/proc/{child}/stat").read_text(encoding="ascii"):
                time.sleep(0.05)
                continue
        return
    raise AssertionError("the child lives on")


def test_a_process_that_was_closed_while_it_started_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deeds: list[str] = []

    class Starting:
        pid, stdin, stdout = 2**30, None, None

        def __init__(self, *command: object, **options: object) -> None:
            starting.close()
            deeds.append("started")

        def kill(self) -> None:
            deeds.append("killed")

        def wait(self) -> int:
            return 0

    starting = JobProcess()
    monkeypatch.setattr("taquin.system.jobs.Popen", Starting)
    starting.launch()
    assert deeds == ["started", "killed"]
    starting.reap()
    starting.launch()
    assert deeds == ["started", "killed"]


def test_nothing_that_is_printed_gets_between_the_answers(process: JobProcess) -> None:
    assert [*process.messages(jobs.print_past_python, 1)] == [JobEnding(End.DONE, 1)]
    assert ending(process, jobs.double, 1).value == 2


def test_a_job_that_cannot_be_unpickled_has_failed(
    process: JobProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nowhere", jobs)
    monkeypatch.setattr(jobs.double, "__module__", "nowhere")
    failed = ending(process, jobs.double, 1)
    assert failed.how is End.FAILED
    assert "ModuleNotFoundError" in str(failed.value)


def test_a_worker_exits_when_its_input_closes_in_the_middle_of_a_job(process: JobProcess) -> None:
    messages = process.messages(jobs.sleep, 1000, 1000)
    next(messages)
    # As at the end of the parent.
    assert process._process is not None
    assert process._process.stdin is not None
    process._process.stdin.close()
    *_, last = messages
    killed = "its process was killed (SIGKILL), perhaps out of memory"
    assert last == JobEnding(End.DIED, killed, "asleep")


def test_a_process_that_died_while_it_was_idle_is_replaced(process: JobProcess) -> None:
    pid = ending(process, jobs.where).value[0]
    os.kill(pid, signal.SIGSEGV)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ending(process, jobs.where).value[0] != pid


def test_a_process_is_replaced_after_a_job_that_calls_itself_the_last(process: JobProcess) -> None:
    assert ending(process, jobs.be_last) == JobEnding(End.DONE, "done", is_last=True)
    assert process.pid is None
    assert ending(process, jobs.double, 1) == JobEnding(End.DONE, 2)


def test_a_new_reason_to_stop_has_a_grace_of_its_own(process: JobProcess) -> None:
    reasons = chain(["finish"], repeat("leave"))
    graces = iter([inf, 0.1])
    stopped = ending(
        process, jobs.sleep, 1000, 1000, stopping=lambda: next(reasons), grace=lambda: next(graces)
    )
    assert stopped.how is End.STOPPED
