"""Pools of threads, and systems that start none."""

from __future__ import annotations

import threading

import pytest

from taquin.system import threads
from taquin.system.threads import thread_pool


def test_where_threads_cannot_be_started_the_caller_does_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "HAS_THREADS", False)
    with thread_pool(4) as pool:
        here = set(pool.map(lambda _: threading.get_ident(), range(10)))
        failing = pool.submit(divmod, 1, 0)
    assert here == {threading.get_ident()}
    with pytest.raises(ZeroDivisionError):
        failing.result()
