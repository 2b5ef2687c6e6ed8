"""A process of its own for each run: started when needed, replaced when it dies.

A run that crashes its process, or is killed by the system for want of memory, takes nothing with
it. Because a worker may also be killed by someone who meant no harm to the study, a run is tried
`TRIES` times before it is recorded as crashed.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress

from taquin.errors import MachineError, UnsuitableError
from taquin.lab.code_version import code_version
from taquin.lab.execution import unfinished
from taquin.lab.job import Job
from taquin.lab.record import Ending, Record
from taquin.lab.worker import Answer, Request

TRIES = 3
"""How often a run is tried whose process dies."""

_STARTS = 5
"""How often a process is started that dies before it is ready."""


class Cell:
    """One worker process at a time, and the means to talk to it. Not for two threads at once."""

    def __init__(self, memory: int | None = None) -> None:
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._code = ""
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Return the process at work; None while there is none."""
        return self._process.pid if self._process else None

    def run(self, job: Job) -> Record | None:
        """Return the record of a run; None when the cell was closed meanwhile.

        Raise UnsuitableError for a job that cannot be sent to another process, and TaquinError
        when no worker starts, or one with other code than the job is for.
        """
        try:
            request = pickle.dumps(Request(job, self._memory), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise _unsendable(job, f"{type(error).__name__}: {error}") from None
        death = ""
        for _ in range(TRIES):
            answer = None if self._is_closed else self._ask(request, job.code)
            if self._is_closed:
                return None
            if answer is None:
                death = self._bury()
            elif answer.fault:
                raise _unsendable(job, answer.fault)
            else:
                if answer.last:
                    self._bury()
                return answer.record
        return unfinished(job, Ending.CRASHED, f"its process died {TRIES} times: {death}")

    def close(self) -> None:
        """End the process, whatever it is doing; from any thread."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()

    def join(self) -> None:
        """Wait until the process is gone, after `close` and outside of `run`."""
        self._bury()

    def __del__(self) -> None:
        self.close()
        self._bury()

    def _ask(self, request: bytes, code: str) -> Answer | None:
        """Return the answer to a request; None when the worker died of it."""
        process = self._process or self._start()
        if process is None or process.stdin is None:
            return None
        if code == code_version() and code != self._code:
            raise MachineError(
                "the code of taquin was changed while the study ran: what is done is recorded; "
                "run the study again to go on with the code as it is now"
            )
        with suppress(OSError):
            process.stdin.write(request)
            process.stdin.flush()
            return _read(process)
        return None

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a worker; None when the cell was closed meanwhile.

        A worker that someone kills before it is ready is replaced a few times.
        """
        # Modules of the caller's, a heuristic's for one, are found where the caller finds them.
        path = os.pathsep.join(each or os.getcwd() for each in sys.path)
        ending = ""
        for _ in range(_STARTS):
            self._process = subprocess.Popen(
                [sys.executable, "-c", "from taquin.lab.worker import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
            if (ready := _read(self._process)) is not None:
                self._code = ready.code
                return self._process
            if self._is_closed:
                return None
            ending = self._bury()
        raise MachineError(f"no process for runs could be started: {ending}")

    def _bury(self) -> str:
        """Wait for the end of the process; say how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "closed"
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        status = process.wait()
        if status >= 0:
            return f"exit status {status}"
        name = signal.Signals(-status).name
        return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name


def _read(process: subprocess.Popen[bytes]) -> Answer | None:
    """Return the next answer; None when the process died before it was complete."""
    assert process.stdout is not None
    try:
        answer: Answer = pickle.load(process.stdout)
    except (EOFError, OSError, pickle.UnpicklingError, ValueError):
        return None
    return answer


def _unsendable(job: Job, why: str) -> UnsuitableError:
    return UnsuitableError(
        f"the search {job.search!r} cannot be sent to another process ({why}): define what it is "
        f"made of in a module that can be imported, or run the study with 0 processes"
    )
