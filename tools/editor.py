"""Build the page's bundle of CodeMirror 6 from npm's packages: `python -m tools.editor [--check]`.

    tools/npm/package-lock.json    the versions of the packages, and their digests
    tools/npm/codemirror.js        what the page uses of them
    code/codemirror.js             one minified module, with the licences of what it contains

The same lock file gives the same bytes. `--check` compares them with the committed module.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.running import ROOT, run

SOURCES = ROOT / "tools" / "npm"
BUNDLE = ROOT / "src" / "taquin" / "web" / "static" / "code" / "codemirror.js"


def build() -> bytes:
    """Return the bundle; raise ValueError where npm cannot install its packages."""
    npm = shutil.which("npm")
    if npm is None:
        raise ValueError("the bundle of the editor needs npm, which is not on the PATH")
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for path in SOURCES.iterdir():
            shutil.copy(path, place)
        try:
            run(npm, "ci", "--silent", "--no-audit", "--no-fund", "--prefix", folder)
        except SystemExit as error:
            raise ValueError(str(error)) from None
        esbuild = place / "node_modules" / ".bin" / "esbuild"
        words = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8")
        files = (f"--outfile={place / 'bundle.js'}", f"--metafile={place / 'meta.json'}")
        run(str(esbuild), str(place / "codemirror.js"), *words, "--legal-comments=none", *files)
        inputs = json.loads((place / "meta.json").read_text("utf-8"))["inputs"]
        header = _header(place, [name for name in inputs if "node_modules/" in name])
        return header.encode() + (place / "bundle.js").read_bytes()


def _header(folder: Path, inputs: list[str]) -> str:
    """Return a comment with the packages of the bundle, and the licence that they share."""
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    paths = [name.rpartition("node_modules/")[2].split("/") for name in inputs]
    names = {"/".join(path[: 2 if path[0].startswith("@") else 1]) for path in paths}
    owners: dict[str, list[str]] = {}
    permissions = set()
    for name in sorted(names):
        text = (folder / "node_modules" / name / "LICENSE").read_text("utf-8").strip()
        owner, permission = text.removeprefix("MIT License\n\n").split("\n\n", 1)
        release = f"{name} {lock[f'node_modules/{name}']['version']}"
        owners.setdefault(owner, []).append(release)
        permissions.add(" ".join(permission.split()))
    if len(permissions) > 1:
        raise ValueError(f"the packages have different licences: {permissions}")
    permission = permissions.pop()
    lines = [f"{owner}:\n  {', '.join(releases)}" for owner, releases in owners.items()]
    notice = "\n".join([*lines, "", "MIT License", "", permission])
    return f"// @ts-nocheck\n/*! Built by `make editor` from npm's packages.\n\n{notice}\n*/\n"


def check() -> str:
    """Compare the committed bundle with a fresh one."""
    if build() != BUNDLE.read_bytes():
        raise ValueError(f"{BUNDLE.relative_to(ROOT)} differs from its sources: make editor")
    return f"{BUNDLE.stat().st_size:,} bytes as built"


def main() -> None:
    """Write the bundle, or check it."""
    if "--check" in sys.argv[1:]:
        print(check())
    else:
        BUNDLE.write_bytes(build())


if __name__ == "__main__":
    main()
