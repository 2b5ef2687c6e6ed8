"""`taquin site`: write the page as a folder of static files."""

from __future__ import annotations

from pathlib import Path

import click

from taquin import StorageError
from taquin.cli.command import OK, command, option
from taquin.cli.screen import status_line
from taquin.system.formatting import counted


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
