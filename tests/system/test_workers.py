"""The two ends of a worker process, on a worker that answers each request with its text."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from taquin.system.jobs import exit_in_words, worker_command

ECHO = """
import time
from queue import SimpleQueue
from taquin.system.jobs import receive_requests

def main():
    requests = SimpleQueue()
    answers = receive_requests(requests.put)
    while True:
        request = requests.get()
        print("a library prints this", flush=True)
        answers.write(f"{request!r}\\n".encode())
        answers.flush()
        if request == "sleep":
            time.sleep(600)
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "echo_worker.py").write_text(ECHO)
    monkeypatch.syspath_prepend(str(tmp_path))
    command, options = worker_command("echo_worker")
    with subprocess.Popen(command, **options) as process:
        yield process
        process.kill()


def answer(worker: subprocess.Popen[bytes], request: bytes) -> str:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(request)
    worker.stdin.flush()
    return worker.stdout.readline().decode().strip()


def test_nothing_that_is_printed_gets_between_the_answers(worker: subprocess.Popen[bytes]) -> None:
    assert [answer(worker, pickle.dumps(number)) for number in (1, 2)] == ["1", "2"]


def test_a_request_that_cannot_be_unpickled_arrives_as_the_exception(
    worker: subprocess.Popen[bytes],
) -> None:
    request = pickle.dumps(Path("x"), pickle.HIGHEST_PROTOCOL).replace(b"pathlib", b"nowhere")
    assert answer(worker, request).startswith("ModuleNotFoundError")


def test_a_worker_exits_when_its_input_closes_in_the_middle_of_a_request(
    worker: subprocess.Popen[bytes],
) -> None:
    assert answer(worker, pickle.dumps("sleep")) == "'sleep'"
    assert worker.stdin is not None
    worker.stdin.close()
    assert exit_in_words(worker.wait()) == "exit status 0"
