"""Ctrl-C, put off to where work can end in good order.

Python answers Ctrl-C by raising KeyboardInterrupt wherever it happens to be: in the midst of an
import, of a `finally`, of a callback that swallows it. Within `PutOff` it is noted instead, and
whoever works there asks `interrupted()` now and then.

Code of the user's own, such as a heuristic, may never come back to ask. Where it runs inside a
block of `taquin.system.alarm`, it is interrupted at once, and so is whatever it called:

    driver  ─►  loop  ─►  heuristic of the user's  ─►  anything
    marker      taquin    own: interrupted             called by it: interrupted, too
"""

from __future__ import annotations

# Not by way of `signal` and `threading`, whose detours in Python can be interrupted themselves.
import _signal  # type: ignore[import-not-found]
import os
from _thread import get_ident
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Self, TypeVar

_Item = TypeVar("_Item")

_presses: list[int] | None = None
"""The interrupts noted so far; None while they are not put off."""
_listener = 0
"""The thread that put them off, which alone they are meant for."""
_markers: list[FrameType] = []
"""The frames of the main thread that are about to call code of the user's own, outermost first."""
_own_files: set[str] = set()
"""Files of the user's own code, wherever they lie."""
_LIBRARIES = ("site-packages", "dist-packages", os.path.dirname(os.__file__))
"""Parts of the paths of files that are nobody's own."""


class CutShort(BaseException):
    """Raised inside code of the user's own whose time is up.

    It derives from BaseException so that `except Exception` in that code does not swallow it.
    """


class PutOff:
    """A block in which the first Ctrl-C is noted; a second one raises KeyboardInterrupt at once.

    So does the first one inside code of the user's own (`expect_own_code`). Where Ctrl-C means
    something else already, and in threads that never hear it, all stays as it is. Blocks within a
    block are one with it.
    """

    __slots__ = ("_is_outermost", "_noted")

    def __enter__(self) -> Self:
        global _presses, _listener
        self._noted: list[int] = []
        self._is_outermost = False
        if _presses is not None and get_ident() == _listener:
            self._noted = _presses
        elif _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            try:
                _signal.signal(_signal.SIGINT, self._note)
            except ValueError:
                # Python lets no thread but the first one listen.
                return self
            self._is_outermost = True
            _presses, _listener = self._noted, get_ident()
        return self

    def __exit__(self, *raised: object) -> None:
        global _presses
        if self._is_outermost:
            _presses = None
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted.append(number)
        if len(self._noted) > 1 or (_markers and is_own_code(frame, _markers[0])):
            raise KeyboardInterrupt

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed in the block."""
        return bool(self._noted)


def interrupted() -> bool:
    """Tell whether Ctrl-C was pressed in the present block, which is this thread's."""
    return bool(_presses) and get_ident() == _listener


def heed_interrupts() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed, here where work can end."""
    if interrupted():
        raise KeyboardInterrupt


def expect_own_code(marker: FrameType) -> None:
    """Interrupt code of the user's own that `marker`, a frame of the main thread, calls."""
    _markers.append(marker)


def expect_no_own_code(marker: FrameType) -> None:
    """Take back the last `expect_own_code`, if it was for `marker`."""
    if _markers and _markers[-1] is marker:
        _markers.pop()


def belongs_to_user(file: str) -> None:
    """Note a file of the user's own code, which may lie among the libraries."""
    _own_files.add(file)


def is_own_code(frame: FrameType | None, marker: FrameType | None) -> bool:
    """Return whether `frame` was called by `marker` and runs code of the user's own.

    What such code called counts as well, be it taquin's or a library's.
    """
    is_own = False
    while frame is not None and frame is not marker:
        is_own = is_own or _is_users(frame)
        frame = frame.f_back
    return is_own and frame is not None


def _is_users(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    if file in _own_files:
        return True
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    is_library = file.startswith("<frozen") or any(each in file for each in _LIBRARIES)
    return package != "taquin" and not is_library


def put_off(work: Iterator[_Item], stop: Callable[[], None], before: PutOff) -> Iterator[_Item]:
    """Yield what `work` yields, each item made in a block of its own; Ctrl-C there calls `stop`.

    So does Ctrl-C in the block `before`, where the work was got ready. It comes to its end in good
    order, once it asks whether to go on. Between two items Ctrl-C is the affair of whoever reads
    them.
    """
    is_over = False
    while not is_over:
        made = []
        try:
            if before.is_interrupted:
                stop()
            with PutOff() as block:
                for item in work:
                    made.append(item)
                    break
                else:
                    is_over = True
            if block.is_interrupted:
                stop()
        except KeyboardInterrupt:
            # It came just before the block, or just after; or a second time.
            stop()
        try:
            yield from made
        except KeyboardInterrupt:
            stop()
