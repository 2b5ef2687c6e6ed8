"""Jobs: functions that run in a worker process, which can be limited, stopped and killed.

This is the only host of worker processes: studies, the page and user code describe jobs.

    parent                                               worker
    process.messages(function, …)      ── request ──►    function(link, …)
    Text, Item, Beat, …, JobEnding     ◄── messages ──   print(), link.put(item), a beat, the value

A job is a top-level function with picklable arguments. While it runs, the worker sends a *beat*
about every 50 ms: the job's remaining seconds and its state, both from `Link.describe`. The parent
kills the worker when these seconds pass without an answer, when the worker exceeds its memory
limit, and when it continues after a request to stop. In every case `messages` ends with a
`JobEnding`. A process is kept for the next job, with what it has loaded. It is replaced after a
kill, a failure, or a job that sets `Link.is_last`.

Messages come in the order in which they were sent, and what the job prints is one of them.

Pickled requests go to the standard input of a worker, pickled batches of messages come from its
standard output. While nobody takes the messages of a job, it blocks in `put` or `print`. A worker
exits when its input closes, even in the middle of a request, so that no worker outlives its parent.
First come the messages, then the parent's side (`JobProcess`), and the worker's (`Link`, `main`).
"""

from __future__ import annotations

import builtins
import gc
import io
import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import inf
from queue import Empty, Full, Queue, SimpleQueue
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Event, RLock, Thread
from time import perf_counter, sleep
from typing import Any, BinaryIO

from taquin.errors import MachineError, TaquinError
from taquin.reasons import Reason, reason
from taquin.system import interrupts
from taquin.system.machine import memory_ceiling, process_memory, release_memory

_CRASHES = frozenset({"SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP"})
"""The signals of a crash."""
_NT_ERROR = 0xC0000000
"""The lowest exit status of a process that crashed on Windows."""


def exit_in_words(status: int) -> Reason:
    """Return how a process ended, given its status as `subprocess.Popen.wait` returns it.

    >>> exit_in_words(3), exit_in_words(-6)
    ('its process ended (exit status 3)', 'its process crashed (SIGABRT)')
    """
    if status >= _NT_ERROR:
        return reason("crashed", name=f"0x{status:X}")
    if status >= 0:
        return reason("exited", name=f"exit status {status}")
    name = f"signal {-status}"
    with suppress(ValueError):
        name = signal.Signals(-status).name
    if name == "SIGKILL":
        return reason("killed")
    return reason("crashed" if name in _CRASHES else "exited", name=name)


_INTERVAL = 0.05
"""Seconds between two beats, and the longest delay of a message in a batch."""
_POLL = 0.01
"""Seconds between two checks of the worker's memory by the parent."""
GRACE = 0.5
"""Seconds in which a job may end by itself after its time is up or a request to stop."""
_MEMORY_GRACE, _CEILING = 1.06, 1.1
"""Multiples of the memory limit at which the parent kills the worker, and at which allocations fail
in the worker: a job that checks its memory ends by itself before."""
_BATCH, _TEXT = 64, 1 << 16
"""Items and characters after which messages are sent at once."""
_LONGEST = 1 << 16
"""Characters of the longest text in a message: the parent keeps several."""
_QUEUE = 8
"""Batches that the parent reads ahead."""
_STARTS = 3
"""Attempts to start a process that dies before it is ready."""
_PR_SET_PDEATHSIG = 1
"""The option of Linux's `prctl` for a signal when the parent ends."""
_HAS_SESSIONS = sys.platform != "win32"
"""Whether a process can have a session of its own."""
_SAYS_MEMORY = sys.platform == "linux"
"""Whether a process can read the memory use of another one."""


class End(Enum):
    """How a job ended."""

    DONE = auto()
    """The job returned a value."""
    FAILED = auto()
    """The job raised an exception."""
    SECONDS = auto()
    """The job was killed: its time was up."""
    MEMORY = auto()
    """The job held, or requested, too much memory."""
    STOPPED = auto()
    """The job was killed: it continued after a request to stop."""
    DIED = auto()
    """The process of the job ended."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text that a job printed."""

    text: str
    is_error: bool = False
    """Whether it is for the error stream."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value that a job put into its messages."""

    value: Any


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life."""

    seconds_left: float
    state: Any


@dataclass(frozen=True, slots=True)
class JobEnding:
    """The last message."""

    how: End
    value: Any = None
    """The value returned, the exception raised, or the end of the process in words."""
    state: Any = None
    """The state in the last beat; None if there was none."""
    is_last: bool = False
    """Whether the process is replaced."""


class JobError(Exception):
    """An exception of a job that is not taquin's, by its name and message."""


Message = Text | Item | Beat | JobEnding


class JobProcess:
    """The parent's handle of a worker process, which runs one job at a time; replaced after a kill.

    It imports `module`, which the jobs need, before it is ready. Only `kill` and `close` may be
    called from other threads.
    """

    def __init__(self, module: str = "taquin.system.jobs") -> None:
        self._module = module
        self._process: Popen[bytes] | None = None
        self._is_ready = False
        self._batches: Queue[list[Message] | None] = Queue(_QUEUE)
        self.is_closed = False
        """Whether `close` forbids to start processes."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._process.pid if self._process else None

    def launch(self) -> None:
        """Start a process if there is none, without waiting until it is ready."""
        if self.is_closed or self._process is not None:
            return
        program = f"import {self._module}; from {__name__} import main; main()"
        # The worker finds modules where its parent does; one of them may define a heuristic.
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self._process = Popen(
            [sys.executable, "-c", program],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            # Ctrl-C is for the parent alone, and processes that a job starts end with it.
            start_new_session=_HAS_SESSIONS,
        )
        if self.is_closed:
            self._process.kill()

    def start(self) -> None:
        """Start a process unless one is ready; raise MachineError if none starts."""
        if self._is_ready:
            if self._process is None or self._process.poll() is None:
                return
            # It died while it had nothing to do.
            self.reap()
        for _ in range(_STARTS):
            self.launch()
            process = self._process
            is_ready = process is not None and _answer_of(process) is not None
            if is_ready or self.is_closed:
                self._is_ready = True
                self._batches = Queue(_QUEUE)
                if process is None:
                    self._batches.put(None)
                else:
                    passed = (process, self._batches)
                    Thread(target=_pass_on, args=passed, daemon=True).start()
                return
            ending = self.reap()
        raise MachineError(f"no worker process could be started: {ending}")

    def kill(self) -> None:
        """Kill the process and its child processes."""
        process = self._process
        if process is None:
            return
        if _HAS_SESSIONS:
            # A group may outlive its first process.
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()

    def close(self) -> None:
        """Kill the process for good."""
        self.is_closed = True
        self.kill()

    def __del__(self) -> None:
        self.close()
        self.reap()

    def reap(self) -> str:
        """Close the pipes, wait for the process, and return its end in words."""
        self._is_ready = False
        process, self._process = self._process, None
        if process is None:
            return "its process was closed"
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return exit_in_words(process.wait())

    def messages(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        memory: int | None = None,
        silence: float = inf,
        stopping: Callable[[], str] = lambda: "",
        grace: Callable[[], float] = lambda: GRACE,
        folder: str = "",
    ) -> Generator[Message, None, None]:
        """Run a job, and yield its messages; the last is its `JobEnding`.

        `memory` limits the bytes that the worker holds, and `silence` the seconds without a beat,
        however many the last one said are left; a job without beats has so many in all. `stopping`
        is called regularly; it returns why the job has to stop, or nothing. A new reason is sent to
        the job, which is killed if it goes on for the seconds that `grace` returns then. `folder`
        is the current folder of the job, by default that of this process. A job whose messages are
        not taken to the end is killed. Raise MachineError if no process starts, and what
        `pickle.dumps` raises for arguments that cannot be sent.
        """
        with suppress(OSError):
            folder = folder or os.getcwd()
        request = pickle.dumps(
            _Request(function, arguments, memory, folder, [*sys.path]), pickle.HIGHEST_PROTOCOL
        )
        self.start()
        self._send(request)
        ending = None
        try:
            for message in self._supervised(memory, silence, stopping, grace):
                if isinstance(message, JobEnding):
                    ending = message
                    break
                yield message
        finally:
            if ending is None or ending.how is not End.DONE or ending.is_last:
                # A failed job may have changed modules that the next one uses.
                self.kill()
                self.reap()
        if ending is not None:
            yield ending

    def _send(self, request: bytes) -> None:
        """Send a pickled request; whether the process still lives is seen from its messages."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, ValueError):
                self._process.stdin.write(request)
                self._process.stdin.flush()

    def _supervised(
        self,
        memory: int | None,
        silence: float,
        stopping: Callable[[], str],
        grace: Callable[[], float],
    ) -> Iterator[Message]:
        left, waited, state = inf, 0.0, None
        stop_reason, stop_at = "", inf
        killed: End | None = None
        while True:
            began = perf_counter()
            batch: list[Message] | None = []
            with suppress(Empty):
                batch = self._batches.get(timeout=_POLL)
            # While the parent does not listen, the job's time stands still.
            waited += perf_counter() - began
            if batch is None:
                value = self._death() if killed is None else None
                yield JobEnding(killed or End.DIED, value, state)
                return
            for message in batch:
                if isinstance(message, Beat):
                    left, waited, state = message.seconds_left, 0.0, message.state
                elif isinstance(message, JobEnding):
                    yield replace(message, state=state)
                    return
                yield message
            if killed is not None:
                # What the worker sent before is still to come.
                continue
            if (why := stopping()) and why != stop_reason:
                stop_reason, stop_at = why, perf_counter() + grace()
                self._send(pickle.dumps(why))
            if left - waited < -GRACE or waited > silence:
                killed = End.SECONDS
            elif perf_counter() > stop_at:
                killed = End.STOPPED
            elif memory is not None and self._resident() > memory * _MEMORY_GRACE:
                killed = End.MEMORY
            if killed is not None:
                self.kill()

    def _death(self) -> Reason:
        """Return the end of the process in words; kill it if it only closed its output."""
        how = reason("closed")
        with suppress(TimeoutExpired):
            how = exit_in_words(self._process.wait(GRACE) if self._process else 0)
        self.kill()
        self.reap()
        return how

    def _resident(self) -> int:
        """Return the bytes that the worker holds; 0 if only the worker can read them."""
        if _SAYS_MEMORY:
            with (
                suppress(OSError, ValueError, IndexError),
                open(f"/proc/{self.pid}/statm", encoding="ascii") as file,
            ):
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return 0


def _pass_on(process: Popen[bytes], batches: Queue[list[Message] | None]) -> None:
    """Read the batches of a process until there are no more, in a thread."""
    batch: list[Message] | None = []
    while batch is not None:
        try:
            batch = _answer_of(process)
        except Exception as error:
            # The value of a job may be of its own classes, unknown here.
            sentence = f"its process sent what cannot be read, {_sendable(error)}"
            batch = [JobEnding(End.DIED, sentence)]
        while True:
            with suppress(Full):
                batches.put(batch, timeout=1.0)
                break
            if process.returncode is not None:
                # Messages of a finished process have no reader.
                return


def _answer_of(process: Popen[bytes]) -> Any:
    """Return the next answer of a process; None if it died before that was complete."""
    try:
        return pickle.load(process.stdout) if process.stdout else None
    except (EOFError, OSError, pickle.UnpicklingError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class _Request:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    memory: int | None
    folder: str
    """The current folder of the parent."""
    path: list[str]
    """The parent's path of modules."""


spare: list[JobProcess] = []
"""Processes launched in advance."""


def close_spare() -> None:
    """Kill the unused processes launched in advance."""
    while spare:
        spare.pop().close()


class Link:
    """The worker's side of a job: what it sends and receives while it runs."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers, self._lock = answers, RLock()
        self._messages: list[Message] = []
        self._is_described = Event()
        self._size = self._beaten_at = 0.0
        self._describe: Callable[[], tuple[float, Any]] | None = None
        self.memory: int | None = None
        """The bytes that the process may hold; None for any."""
        self.stop_reason = ""
        """The reason why the job has to stop; empty if it need not."""
        self.is_last = False
        """Whether the process is replaced after the job."""
        self.size = process_memory()
        """The bytes that the process held before its first job."""

    def describe(self, state: Callable[[], tuple[float, Any]]) -> None:
        """Set the function that returns the remaining seconds and the state; a thread calls it."""
        self._describe = state
        self._is_described.set()
        self.beat()

    def put(self, value: Any, *, at_once: bool = False) -> None:
        """Send an item, by default with others that follow soon."""
        self._add(Item(value), 1 if at_once else 1 / _BATCH)

    def write(self, text: str, is_error: bool) -> None:
        """Send text that the job printed."""
        for begin in range(0, len(text), _LONGEST):
            piece = text[begin : begin + _LONGEST]
            self._add(Text(piece, is_error), len(piece) / _TEXT)

    def _add(self, message: Message, share: float) -> None:
        with self._lock:
            last = self._messages[-1] if self._messages else None
            if (
                isinstance(message, Text)
                and isinstance(last, Text)
                and last.is_error == message.is_error
            ):
                self._messages[-1] = replace(last, text=last.text + message.text)
            else:
                self._messages.append(message)
            self._size += share
            if perf_counter() - self._beaten_at >= _INTERVAL:
                self.beat()
            if self._size >= 1:
                self._send()

    def beat(self) -> None:
        """Send a beat and all pending messages."""
        with self._lock:
            describe = self._describe
            if describe is not None:
                self._beaten_at = perf_counter()
                self._messages.append(Beat(*describe()))
                self._send()

    def finish(self, ending: JobEnding) -> None:
        """Send the last message of a job."""
        with self._lock:
            self._describe = None
            self._is_described.clear()
            self._messages.append(replace(ending, is_last=self.is_last))
            try:
                self._send()
            except Exception as error:
                self._messages = [JobEnding(End.FAILED, _sendable(error))]
                self._send()

    def _send(self) -> None:
        messages, self._messages, self._size = self._messages, [], 0.0
        content = pickle.dumps(messages, pickle.HIGHEST_PROTOCOL)
        self._answers.write(content)
        self._answers.flush()

    def keep_beating(self) -> None:
        """Beat for ever, in a thread."""
        while self._is_described.wait():
            sleep(_INTERVAL)
            # A job may break this thread; the parent then gets no beats, and kills it.
            with suppress(Exception):
                self.beat()
                if self.memory is None or _SAYS_MEMORY or self._describe is None:
                    continue
                if process_memory() > self.memory * _MEMORY_GRACE:
                    self.finish(JobEnding(End.MEMORY))
                    os._exit(0)

    def leave(self) -> None:
        """Close the pipes to the parent, in a process that a job has forked."""
        self._lock = RLock()
        self._answers = open(os.devnull, "wb")  # noqa: SIM115
        self._describe = None


class _Printed(io.TextIOBase):
    """The standard output or the error stream of a job; closing it has no effect."""

    encoding = "utf-8"

    def __init__(self, link: Link, is_error: bool) -> None:
        self._link, self._is_error = link, is_error

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._link.write(text, self._is_error)
        return len(text)

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Do nothing."""

    @property
    def buffer(self) -> Any:
        """The stream for bytes."""
        return _PrintedBytes(self)


class _PrintedBytes(io.RawIOBase):
    def __init__(self, text: _Printed) -> None:
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        written = bytes(content)
        self._text.write(written.decode(errors="replace"))
        return len(written)


class _NoInput(io.TextIOBase):
    """The standard input of a job."""

    def readable(self) -> bool:
        return True

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise io.UnsupportedOperation(
            "input(), sys.stdin and debuggers are not available here; pass values as options in "
            "brackets, and use print() to look at them"
        )

    read = readline = readlines = __next__ = fileno = _refuse


def _sendable(error: BaseException) -> Exception:
    """Return an exception that the parent can read: one of taquin's, or its name and message."""
    if isinstance(error, TaquinError):
        with suppress(Exception):
            sent: Exception = pickle.loads(pickle.dumps(error.with_traceback(None)))
            return sent
    try:
        return JobError(" ".join(f"{type(error).__name__}: {error}".split()))
    except Exception:
        return JobError(type(error).__name__)


def main() -> None:
    """Run jobs until the parent closes the pipe."""
    # Ctrl-C is left to the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    interrupts.are_for_parent = True
    if sys.platform == "linux":
        # A long call of C blocks the thread that notices the parent's end.
        from ctypes import CDLL

        CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Libraries and user code must neither read requests nor print between the answers.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # What exists now is never freed, so collections need not look at it.
    gc.freeze()
    release_memory()
    link, jobs = Link(answers), SimpleQueue[_Request | Exception]()
    with suppress(AttributeError):
        os.register_at_fork(after_in_child=link.leave)
    sys.stdin = sys.__stdin__ = _NoInput()  # type: ignore[assignment, misc]
    sys.stdout = sys.__stdout__ = _Printed(link, is_error=False)  # type: ignore[assignment, misc]
    sys.stderr = sys.__stderr__ = _Printed(link, is_error=True)  # type: ignore[assignment, misc]
    builtins.input = sys.breakpointhook = sys.stdin._refuse
    pickle.dump(True, answers)
    answers.flush()
    Thread(target=_receive, args=(requests, link, jobs), daemon=True).start()
    Thread(target=link.keep_beating, daemon=True).start()
    while True:
        request = jobs.get()
        if isinstance(request, Exception):
            link.finish(JobEnding(End.FAILED, _sendable(request)))
            continue
        with suppress(OSError):
            os.chdir(request.folder)
        sys.path[:] = request.path
        link.finish(_ending_of(link, request))


def _receive(requests: BinaryIO, link: Link, jobs: SimpleQueue[_Request | Exception]) -> None:
    """Receive jobs and requests to stop until the input closes; then exit, in a thread."""
    try:
        while True:
            request = pickle.load(requests)
            # A reason to stop concerns the job before it.
            link.stop_reason = request if isinstance(request, str) else ""
            if isinstance(request, _Request):
                jobs.put(request)
    except EOFError:
        pass
    except Exception as error:
        # The start of the next request is unknown.
        jobs.put(error)
        requests.read()
    finally:
        # Processes that the worker has started end with it, if it leads a group of its own.
        with suppress(AttributeError, OSError):
            if os.getpgid(0) == os.getpid():
                os.killpg(0, signal.SIGKILL)
        # An orderly exit would wait for the current job.
        os._exit(0)


def _ending_of(link: Link, request: _Request) -> JobEnding:
    link.memory = memory = request.memory
    growth = None if memory is None else max(0, int(memory * _CEILING) - process_memory())
    try:
        with memory_ceiling(growth):
            return JobEnding(End.DONE, request.function(link, *request.arguments))
    except MemoryError:
        return JobEnding(End.MEMORY)
    except BaseException as error:
        if os.environ.get("TAQUIN_DEBUG"):
            from traceback import print_exception

            print_exception(error)
        return JobEnding(End.FAILED, _sendable(error))
