"""Ctrl-C, put off to where work can end in good order.

Python answers Ctrl-C by raising KeyboardInterrupt wherever it happens to be: in the midst of an
import, of a `finally`, of a callback that swallows it. Within `PutOff` it is noted instead, and
whoever works there asks `interrupted()` now and then.
"""

from __future__ import annotations

# Not by way of `signal` and `threading`, whose detours in Python can be interrupted themselves.
import _signal  # type: ignore[import-not-found]
from _thread import get_ident
from typing import Self

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
