"""An alarm that ends user code which does not return.

A heuristic such as `def forever(board): while True: pass` never returns to a tick, so no limit on
time can take effect. While an `Alarm` is set, CutShort is raised inside such code once its time is
up, and KeyboardInterrupt as soon as Ctrl-C is pressed. Code of taquin and of libraries is left
alone unless user code called it, so no import, compilation or `finally` of theirs is interrupted.

In the main thread the alarm uses the system's timer (SIGALRM): its handler receives the frame that
runs, and it also ends waiting, as in `sleep`. In other threads, on Windows, and where the program
uses SIGALRM itself, a watching thread asks Python to raise the exception. A browser has neither:
there a limit takes effect when the user's code returns.
"""

from __future__ import annotations

# Not `signal`: its wrappers in Python take longer than the calls themselves.
import _signal  # type: ignore[import-not-found]
import sys
from collections.abc import Callable
from math import inf
from threading import Lock, Thread, get_ident, main_thread
from time import sleep
from types import FrameType
from typing import Self

from taquin.system.interrupts import MARKERS, CutShort, is_user_code

_INTERVAL = 0.05
"""Seconds until the alarm rings again, in case user code swallowed the exception."""
_LONGEST = 1e6
"""Seconds of the longest timer that every system accepts."""


class Alarm:
    """A block that cuts user code short when `seconds_left` returns 0 or less.

    `seconds_left` returns infinity for no limit; then only Ctrl-C ends user code. The block may be
    entered repeatedly, by one thread at a time; entering takes some microseconds.
    """

    def __init__(self, seconds_left: Callable[[], float]) -> None:
        self._seconds_left = seconds_left
        self._marker: FrameType | None = None
        self._thread = 0
        self._is_timed = self._is_watched = self._has_watcher = self._has_raised = False
        self._lock = Lock()

    def __enter__(self) -> Self:
        self._marker, self._thread = sys._getframe(1), get_ident()
        seconds = self._seconds_left()
        is_main = self._thread == main_thread().ident
        if is_main:
            MARKERS.append(self._marker)
        # An outer alarm or the program itself may use the system's timer.
        has_timer = hasattr(_signal, "setitimer")
        is_free = has_timer and _signal.getsignal(_signal.SIGALRM) == _signal.SIG_DFL
        self._is_timed = is_main and seconds < inf and is_free
        if self._is_timed:
            _signal.signal(_signal.SIGALRM, self._ring)
            first = min(max(seconds, _INTERVAL), _LONGEST)
            _signal.setitimer(_signal.ITIMER_REAL, first, _INTERVAL)
        elif seconds < inf and sys.platform != "emscripten":
            with self._lock:
                self._is_watched, self._has_raised = True, False
                if not self._has_watcher:
                    self._has_watcher = True
                    Thread(target=self._watch, name="taquin alarm", daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._is_timed:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
        elif self._is_watched:
            with self._lock:
                self._is_watched = False
                if self._has_raised:
                    # It may be pending, and would be raised outside of the block.
                    _clear_pending(self._thread)
        if MARKERS and MARKERS[-1] is self._marker:
            MARKERS.pop()
        self._marker = None

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._seconds_left() <= 0 and is_user_code(frame, self._marker):
            raise CutShort

    def _watch(self) -> None:
        while True:
            sleep(min(max(self._seconds_left(), _INTERVAL), 1.0))
            with self._lock:
                if not self._is_watched:
                    self._has_watcher = False
                    return
                frame = sys._current_frames().get(self._thread)
                if self._seconds_left() <= 0 and is_user_code(frame, self._marker):
                    self._has_raised = True
                    _raise_in(self._thread, CutShort)


class _Cleared(BaseException):
    """Takes the place of an exception that is pending, and is caught at once."""


def _clear_pending(thread: int) -> None:
    """Clear what is pending in the thread that calls this.

    Python can cancel it too, but then a profiled function of 3.11 hangs at its first instruction.
    """
    try:
        _raise_in(thread, _Cleared)
        while True:
            pass
    except _Cleared:
        pass


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    from ctypes import c_ulong, py_object, pythonapi

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(exception))
