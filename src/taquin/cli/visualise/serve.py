"""`taquin serve` and `taquin site`: the page on a server of its own, or as a folder of files."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import click

from taquin.cli.command import AMOUNT, BYTES, OK, POSITIVE_TIME, command, flag, int_option, option
from taquin.cli.screen import is_terminal, status_line
from taquin.errors import MissingError, StorageError
from taquin.system.formatting import counted
from taquin.system.lazy import not_installed


@command(
    "taquin serve",
    "taquin serve --port 9000 --no-open",
    "taquin serve --max-seconds 10 --running 2",
    "taquin serve --host 0.0.0.0 --public --name lab.example.org",
    "taquin serve --embed-from https://course.example.org",
    epilog="Exit status: 0 when Ctrl-C ends it, 2 if it cannot start.",
)
@option("Server", "--host ADDRESS", "Where to listen.", default="127.0.0.1")
@int_option(
    "Server", "--port", "The port; 0 for any that is free.", least=0, most=65535, default=8015
)
@flag("Server", "--public", "Accept other machines, which can then use the processors of this one.")
@option("Server", "--name HOST names", "With --public: an additional host name.", multiple=True)
@option(
    "Server", "--open/--no-open opens", "Open a browser.  [default: at a terminal]", default=None
)
@option(
    "Server",
    "--site DIR folder",
    "A folder written by taquin site: searches then run in the browsers of the visitors.",
    type=click.Path(path_type=Path),
)
@option(
    "Server",
    "--embed-from ORIGIN origins",
    "A site that may embed the page: https://course.example.org; can be repeated.",
    multiple=True,
)
@option("Server", "--warm/--no-warm", "Load compiled code at the start.", default=True)
@option(
    "Limits",
    "--max-seconds S seconds",
    "Time limit of a search in seconds.  [default: 60]",
    type=POSITIVE_TIME,
)
@option(
    "Limits", "--max-nodes nodes", "Node limit of a search by name.  [default: none]", type=AMOUNT
)
@option(
    "Limits",
    "--max-memory memory",
    "Memory limit of a search: 500M, 2GB.  [default: a share of the machine's, up to 2 GiB]",
    type=BYTES,
)
@int_option("Limits", "--max-cells cells", "Largest board in cells.  [default: 400]", least=4)
@int_option("Limits", "--running", "Concurrent searches.  [default: one per core, at least 2]")
@int_option("Limits", "--waiting", "Searches that may wait in the queue.  [default: 64]", least=0)
def serve(
    host: str,
    port: int,
    public: bool,
    names: tuple[str, ...],
    opens: bool | None,
    folder: Path | None,
    origins: tuple[str, ...],
    **limits: Any,
) -> int:
    """Open the page: play, solve, watch searches think, race them.

    Only this machine can reach it, unless --host and --public are given. Requests cannot raise the
    limits given here. Ctrl-C ends the server and every search.
    """
    if host not in ("127.0.0.1", "::1", "localhost") and not public:
        raise click.UsageError(
            f"--host {host} accepts other machines: add --public, or omit --host"
        )
    if names and not public:
        raise click.UsageError("--name requires --public: otherwise only localhost is accepted")
    try:
        from taquin.web.app import create_app, embedding_origin, listen
        from taquin.web.app import serve as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("taquin"):
            raise
        raise MissingError(not_installed(f"the page needs {error.name}", "web")) from None
    from taquin.web.page_jobs import Settings

    settings = Settings(**{name: limit for name, limit in limits.items() if limit is not None})
    known = frozenset(map(str.lower, names))
    embed_from = tuple(map(embedding_origin, origins))
    app = create_app(settings, names=known, public=public, site=folder, embed_from=embed_from)
    listener = listen(host, port)
    shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"

    def ready() -> None:
        click.echo(f"The page is at {address} until Ctrl-C.")
        if is_terminal(sys.stdout) if opens is None else opens:
            # Starting a browser may take seconds, and must not delay the server.
            Thread(target=_open, args=(address,), daemon=True).start()

    run(app, listener, ready)
    click.echo("The page is closed.")
    return OK


def _open(address: str) -> None:
    """Open the page in a graphical browser; a text browser would take over this terminal."""
    import webbrowser

    # The address is on the screen, whatever the browser does.
    with suppress(Exception):
        browser = webbrowser.get()
        if "BROWSER" in os.environ or type(browser) is not webbrowser.GenericBrowser:
            browser.open(address)


@command(
    "taquin site public",
    "taquin site public --pyodide node_modules/pyodide",
    "python -m http.server --directory public",
    epilog="Exit status: 0 written, 2 an error.",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option(
    "Options",
    "--pyodide FOLDER",
    "The folder of the npm package pyodide.  [default: downloaded once, 6.5 MB]",
    type=click.Path(path_type=Path),
)
@option(
    "Options",
    "--address URL",
    "Where it will be published: previews of links need it to find their picture.",
)
def site(folder: Path, pyodide: Path | None, address: str | None) -> int:
    """Write the page as a folder for any web server; searches run in the browser.

    Everything but studies then runs in the visitor's browser, offline after the first visit: the
    same code, in Pyodide, which is Python for WebAssembly. DIR may be published at any address.
    Pyodide is downloaded from registry.npmjs.org and kept in the cache folder.
    """
    from taquin.web.site import write_site

    try:
        with status_line() as draw:

            def progress(done: int, total: int) -> None:
                draw(f"downloading Pyodide: {done / 1e6:.1f} of {total / 1e6:.1f} MB")

            written = write_site(folder, pyodide, progress, address or "")
    except OSError as error:
        raise StorageError(f"cannot write to {folder}: {error.strerror}") from None
    size, packed = (number / 1e6 for number in (written.size, written.compressed))
    files = counted(written.files, "file")
    click.echo(f"{folder}: {files}, {size:.1f} MB ({packed:.1f} MB compressed)")
    if not written.has_kernels:
        click.echo(
            "It has no compiled kernels, so boards larger than 3x3 take longer: this taquin comes "
            "without those for WebAssembly. In a checkout, python -m tools.kernels emscripten "
            "builds them."
        )
    if not written.has_bytecode:
        click.echo(
            "It has no bytecode, so Python starts about 2 seconds later at every visit: install "
            "Node.js and write the folder again."
        )
    click.echo(f"Try it: python -m http.server --directory {folder}")
    return OK
