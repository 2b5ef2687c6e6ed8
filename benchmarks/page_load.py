"""Load-test the server of the page: many clients that request searches, some of whom disconnect.

    python -m benchmarks.page_load --clients 50 --seconds 60
    python -m benchmarks.page_load --tabs 30             # a class that watches
    python -m benchmarks.page_load --tabs 30 --site      # … each in its own browser

Every client sends requests in a loop: to solve, to watch, to race, for the moves left. One request
in five is cancelled. Printed are the replies by status, any other than the documented 503, the
memory of the server and its workers over time, and the processes left at the end.

With --tabs, a browser opens that many tabs, which all watch a search and stay open. Printed are the
seconds until each shows its first step and, once all do, until it shows the next one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from urllib.parse import urlsplit

from tests import npm
from tests.web.browser import chrome
from tests.web.browser.table import address
from tests.web.site import Site, serving

from taquin.web.site import write_site

SEARCHES = ("astar(manhattan)", "bfs", "idastar(linear-conflict)", "greedy", "ids")
GIVE_UP = 0.2
"""Part of the requests whose client goes away."""
WATCHED = "8 6 7 / 2 5 4 / 3 0 1"
TAB_SECONDS = 600
_NOTE_STEPS = """
    window.steps = new Map();
    new MutationObserver(() => {
        const shown = document.querySelector("output")?.textContent.match(/^Step (\\d+)/);
        if (shown && !steps.has(shown[1])) steps.set(shown[1], performance.now() / 1000);
    }).observe(document, {subtree: true, childList: true, characterData: true});
"""
"""Note when each step is shown, in seconds since the request for the page."""
_STEP_ON = """() => {
    window.pressed = performance.now() / 1000;
    document.querySelector("[aria-label='One step on']").click();
}"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--tabs", type=int, default=0)
    options.add_argument("--site", action="store_true")
    given = options.parse_args()
    if given.tabs:
        measure_tabs(given.tabs, given.site)
        return
    with serving("--no-open", "--max-seconds", "5") as site:
        load = Load(site, monotonic() + given.seconds)
        asyncio.run(load.run(given.clients))
        workers = set(processes_below(site.process.pid))
        status = site.stop()
        left = [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    load.tell()
    print(f"server ended with status {status}; {len(workers)} workers before, {len(left)} after")


def measure_tabs(count: int, is_site: bool) -> None:
    """Print how soon a number of windows that watch a search make their steps."""
    with TemporaryDirectory() as folder, chrome.started() as browser:
        words = ["--no-open", "--no-warm"]
        if is_site:
            write_site(Path(folder), npm.package("pyodide"))
            words += ["--site", folder]
        with serving(*words) as site:
            # Each has its own connections: a browser opens six to a server, for all its tabs.
            pages = [browser.new_context().new_page() for _ in range(count)]
            for page in pages:
                page.set_default_timeout(TAB_SECONDS * 1000)
                page.add_init_script(_NOTE_STEPS)
                page.goto(site.address + address(WATCHED, "watch", step="1"), wait_until="commit")
            for page in pages:
                page.wait_for_function("() => steps.has('1')")
            show_tabs("first step", [page.evaluate("steps.get('1')") for page in pages])
            for page in pages:
                page.evaluate(_STEP_ON)
            for page in pages:
                page.wait_for_function("() => steps.has('2')")
            show_tabs("next step", [page.evaluate("steps.get('2') - pressed") for page in pages])
            workers = list(processes_below(site.process.pid))
            server, held = memory(site.process.pid) / 2**20, sum(map(memory, workers)) / 2**20
            print(f"server {server:.0f} MB, {len(workers)} workers {held:.0f} MB")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def show_tabs(name: str, seconds: list[float]) -> None:
    """Print the median and the worst of the times of all tabs."""
    print(f"{name}: median {median(seconds):.2f} s, worst {max(seconds):.2f} s of {len(seconds)}")


class Load:
    """Clients at work, and what came of it."""

    def __init__(self, site: Site, until: float) -> None:
        self.site, self.until = site, until
        self.replies: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.taken: list[float] = []
        self.memory: list[tuple[int, int, int]] = []
        place = urlsplit(site.address)
        self.place = place.hostname or "", place.port or 0

    async def run(self, clients: int) -> None:
        """Let them work, and see that nothing is left to do."""
        looking = asyncio.create_task(self.look())
        await asyncio.gather(*(self.client(random.Random(number)) for number in range(clients)))
        looking.cancel()
        # Whatever was given up must have come to its end.
        for _ in range(100):
            _, reply = await self.ask("GET", "/api/about", None)
            at_work = json.loads(reply)["load"]
            if not any(lane["running"] + lane["waiting"] for lane in at_work.values()):
                break
            await asyncio.sleep(0.1)
        else:
            self.faults[f"still at work: {at_work}"] += 1

    async def client(self, chance: random.Random) -> None:
        """Ask for one thing after another."""
        while monotonic() < self.until:
            path, body = request(chance)
            give_up = chance.uniform(0.01, 0.5) if chance.random() < GIVE_UP else None
            began = monotonic()
            try:
                async with asyncio.timeout(give_up):
                    status, reply = await self.ask("POST", path, body)
            except TimeoutError:
                self.replies[f"{path} given up"] += 1
                continue
            except (OSError, ValueError) as error:
                self.faults[f"{path}: {type(error).__name__} {error}"] += 1
                continue
            self.taken.append(monotonic() - began)
            self.replies[f"{path} {status}"] += 1
            if status == 503:
                await asyncio.sleep(chance.uniform(0.2, 1.0))
            elif status != 200 or b"event: error" in reply or not reply.endswith((b"\n", b"}")):
                self.faults[f"{path} {status}: {reply[-200:]!r}"] += 1

    async def ask(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        """Return the status and the body of a reply."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(*self.place, limit=1 << 20)
        try:
            writer.write(head.encode() + content)
            status = int((await reader.readline()).split()[1])
            reply = await reader.read()
            return status, reply.partition(b"\r\n\r\n")[2]
        finally:
            writer.close()

    async def look(self) -> None:
        """Note the memory of the server and of its workers, and their number, once a second."""
        while True:
            workers = list(processes_below(self.site.process.pid))
            held = memory(self.site.process.pid), sum(map(memory, workers)), len(workers)
            self.memory.append(held)
            await asyncio.sleep(1)

    def tell(self) -> None:
        """Print what came of it."""
        for what, count in sorted(self.replies.items()):
            print(f"{count:7,}  {what}")
        cuts = quantiles(self.taken, n=20)
        print(f"seconds of a reply: median {cuts[9]:.2f}, 95 % within {cuts[18]:.2f}")
        print("second   server MB   workers MB   workers")
        for second in range(0, len(self.memory), max(1, len(self.memory) // 12)):
            server, workers, count = self.memory[second]
            print(f"{second:6}   {server / 2**20:9.0f}   {workers / 2**20:10.0f}   {count:7}")
        print(f"{sum(self.faults.values())} faults")
        for what, count in self.faults.items():
            print(f"{count:7,}  {what}")


def request(chance: random.Random) -> tuple[str, dict[str, object]]:
    """Return something to ask for."""
    search = chance.choice(SEARCHES)
    tiles = list(range(9))
    chance.shuffle(tiles)
    small: dict[str, object] = {"board": [tiles[0:3], tiles[3:6], tiles[6:9]]}
    match chance.randrange(6):
        case 0 | 1:
            return "/api/solve", small | {"search": search, "seconds": 1}
        case 2:
            return "/api/solve", small
        case 3:
            return "/api/trace", small | {"search": search, "nodes": 2000}
        case 4:
            return "/api/race", small | {"searches": [search, "astar"], "nodes": 2000}
        case _:
            return "/api/left", small


def processes_below(pid: int) -> Iterator[int]:
    """Yield the processes that a process started."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def memory(pid: int) -> int:
    """Return the bytes that a process holds and shares with no other; 0 for one that has ended."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()
    except OSError:
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
