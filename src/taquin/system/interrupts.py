"""Defer Ctrl-C to a point where work can end cleanly.

On Ctrl-C, Python raises KeyboardInterrupt wherever it happens to be: during an import, in a
`finally`, in a callback that swallows it. A `DeferredInterrupts` block records Ctrl-C instead, and
the code in the block polls `interrupted()`.

User code, such as a heuristic, may never return to a poll. Inside an `AtOnce` block the first
Ctrl-C raises KeyboardInterrupt as by default.

While the command line loads its modules there is nothing to end cleanly: `exit_on_interrupt`.
"""

from __future__ import annotations

# Not `signal` and `threading`: their wrappers in Python can be interrupted themselves. The command
# line imports this module first: keep its imports minimal.
import _signal  # type: ignore[import-not-found]
import os
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Self, TypeVar

    _Item = TypeVar("_Item")

STOPPED = 3
"""The exit status when a limit was reached or the user stopped it: the question is open."""

_presses: list[int] | None = None
"""The interrupts recorded so far; None outside a block."""
_listener = 0
"""The thread of the block, the only one in which `interrupted` is true."""
_at_once = 0
"""The number of `AtOnce` blocks that the listening thread is in."""
are_for_parent = False
"""Whether Ctrl-C never reaches this process, so that only user code raises KeyboardInterrupt."""


def exit_interrupted(*_: object) -> None:
    """End this process with one sentence and the status of Ctrl-C, whatever it is doing."""
    # Not `print`: `sys.stderr` may be unusable in the middle of an import.
    try:
        os.write(2, b"Stopped: interrupted.\n")
    finally:
        os._exit(STOPPED)


def exit_on_interrupt() -> None:
    """Make Ctrl-C end this process at once, until `raise_on_interrupt`."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, exit_interrupted)


def raise_on_interrupt() -> None:
    """Make Ctrl-C raise KeyboardInterrupt again."""
    if _signal.getsignal(_signal.SIGINT) is exit_interrupted:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


class AtOnce:
    """A block that may run user code: the first Ctrl-C raises KeyboardInterrupt in it."""

    __slots__ = ("_counts",)

    def __enter__(self) -> Self:
        global _at_once
        self._counts = get_ident() == _listener
        _at_once += self._counts
        return self

    def __exit__(self, *raised: object) -> None:
        global _at_once
        _at_once -= self._counts


class DeferredInterrupts:
    """A block that records the first Ctrl-C; a second one raises KeyboardInterrupt at once.

    In an `AtOnce` block the first one raises too. The block has no effect outside the main thread,
    or if the program has its own handler. A nested block shares the record of the outermost one.
    """

    __slots__ = ("_is_outermost", "_recorded")

    def __enter__(self) -> Self:
        global _presses, _listener
        self._recorded: list[int] = []
        self._is_outermost = False
        if _presses is not None and get_ident() == _listener:
            self._recorded = _presses
        elif _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            try:
                _signal.signal(_signal.SIGINT, self._record)
            except ValueError:
                # Only the main thread may set a handler.
                return self
            self._is_outermost = True
            _presses, _listener = self._recorded, get_ident()
        return self

    def __exit__(self, *raised: object) -> None:
        global _presses
        if self._is_outermost:
            _presses = None
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)

    def _record(self, number: int, frame: FrameType | None) -> None:
        self._recorded.append(number)
        if len(self._recorded) > 1 or _at_once:
            raise KeyboardInterrupt

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed in the block."""
        return bool(self._recorded)


def interrupted() -> bool:
    """Return whether Ctrl-C was pressed in the current block of this thread."""
    return bool(_presses) and get_ident() == _listener


def raise_if_interrupted() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed in the current block of this thread."""
    if interrupted():
        raise KeyboardInterrupt


def deferring_interrupts(
    work: Iterator[_Item], stop: Callable[[], None], before: DeferredInterrupts
) -> Iterator[_Item]:
    """Yield the items of `work`, each computed in its own block; on Ctrl-C in a block, call `stop`.

    `stop` is also called if Ctrl-C came in the block `before`, which prepared the work; `work` then
    ends at its next poll. Between two items Ctrl-C raises KeyboardInterrupt in the caller.
    """
    is_over = False
    while not is_over:
        items = []
        try:
            if before.is_interrupted:
                stop()
            with DeferredInterrupts() as block:
                for item in work:
                    items.append(item)
                    break
                else:
                    is_over = True
            if block.is_interrupted:
                stop()
        except KeyboardInterrupt:
            # Ctrl-C came just before the block, just after it, or a second time.
            stop()
        try:
            yield from items
        except KeyboardInterrupt:
            stop()
