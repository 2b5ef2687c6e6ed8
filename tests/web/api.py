"""Ask a server of the page, as a program would."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx

HARD = "15 14 13 12 / 11 10 9 8 / 7 6 5 4 / 3 1 2 0"
"""A board of 70 moves, which no search of the glass box solves in the time of a test."""


def events(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield the events of a stream, each with its record."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def all_events(client: httpx.Client, path: str, body: object) -> list[tuple[str, Any]]:
    """Return all events that a request is answered with."""
    with client.stream("POST", path, json=body) as reply:
        assert reply.status_code == 200, reply.read()
        return list(events(reply.iter_lines()))


def children(pid: int) -> set[int]:
    """Return the processes that a process started and that have not ended."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(status[1]) == pid and status[0] != "Z":
            found.add(int(folder.name))
    return found


def is_running(pid: int) -> bool:
    """Tell whether a process has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def awaited(is_so: Any, seconds: float = 20.0) -> bool:
    """Wait until something is so, and tell whether it got so."""
    until = monotonic() + seconds
    while not is_so():
        if monotonic() > until:
            return False
        sleep(0.02)
    return True


def load(client: httpx.Client) -> dict[str, int]:
    """Return how many searches run, and how many wait."""
    found: dict[str, int] = client.get("/api/about").json()["load"]["searches"]
    return found


def processor_time(pid: int) -> int:
    """Return the ticks of processor time that a process has used."""
    status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(status[11]) + int(status[12])


def memory(pid: int) -> int:
    """Return the bytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf(
        "SC_PAGE_SIZE"
    )
