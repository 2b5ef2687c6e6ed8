"""Ctrl-C, put off to where work can end in good order.

Python answers Ctrl-C by raising KeyboardInterrupt wherever it happens to be: in the midst of an
import, of a `finally`, of a callback that swallows it. Within `PutOff` it is noted instead, and
whoever works there asks `interrupted()` now and then.
"""

from __future__ import annotations

# Not by way of `signal` and `threading`, whose detours in Python can be interrupted themselves.
import _signal  # type: ignore[import-not-found]
from _thread import get_ident
from collections.abc import Callable, Iterator
from typing import Self, TypeVar

_Item = TypeVar("_Item")

_presses: list[int] | None = None
"""The interrupts noted so far; None while they are not put off."""
_listener = 0
"""The thread that put them off, which alone they are meant for."""


class PutOff:
    """A block in which the first Ctrl-C is noted; a second one raises KeyboardInterrupt at once.

    Where Ctrl-C means something else already, and in threads that never hear it, all stays as it
    is. Blocks within a block are one with it.
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

    def _note(self, number: int, frame: object) -> None:
        self._noted.append(number)
        if len(self._noted) > 1:
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
