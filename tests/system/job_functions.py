"""Jobs for tests, in a module that worker processes can import."""

from __future__ import annotations

import os
import sys
import time
from math import inf
from typing import Any

from taquin.errors import UnsuitableError
from taquin.system.jobs import Link


def double(link: Link, number: int) -> int:
    return 2 * number


def where(link: Link) -> tuple[int, str]:
    return os.getpid(), os.getcwd()


def tell(link: Link, count: int) -> int:
    link.describe(lambda: (inf, "telling"))
    for number in range(count):
        link.put(number)
        print("line", number)
    print("aside", file=sys.stderr)
    return count


def echo(link: Link, content: bytes) -> bytes:
    link.put(content)
    return content


def sleep(link: Link, allowed: float, seconds: float) -> str:
    began = time.perf_counter()
    link.describe(lambda: (allowed - (time.perf_counter() - began), "asleep"))
    time.sleep(seconds)
    return "awake"


def call_c(link: Link, allowed: float) -> int:
    link.describe(lambda: (allowed, "calling"))
    return sum(range(10**12))


def wait_for_stop(link: Link) -> str:
    while not link.stop_reason:
        time.sleep(0.01)
    return link.stop_reason


def fail(link: Link, how: str) -> Any:
    if how == "exit":
        os._exit(3)
    if how == "taquin":
        raise UnsuitableError("not for this puzzle")
    if how == "unsendable":
        return lambda: None
    raise ValueError(how)


def grow(link: Link) -> None:
    link.describe(lambda: (inf, "growing"))
    kept = []
    while True:
        kept.append(bytearray(b"x" * 10**6))


def fork(link: Link) -> int:
    child = os.fork()
    if not child:
        print("from the child")
        time.sleep(1000)
    return child


def print_past_python(link: Link, value: int) -> int:
    os.write(1, b"a library prints this")
    os.write(2, b"and this")
    return value


def be_last(link: Link) -> str:
    link.is_last = True
    return "done"
