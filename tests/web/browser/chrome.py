"""Find the system's Chromium and start it; as a program, install it where that is allowed.

python -m tests.web.browser.chrome
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""What the browser may be called; `TAQUIN_BROWSER` names another."""
MISSING = "there is no Chromium here: install it, or name one with TAQUIN_BROWSER"
_QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@cache
def found() -> str | None:
    """Return the path of a browser that starts, None where there is none."""
    named = os.environ.get("TAQUIN_BROWSER")
    paths = map(shutil.which, [named] if named else NAMES)
    return next((path for path in paths if path and _starts(path)), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Run the browser while the block runs."""
    # A browser that belongs to root has no sandbox to build.
    arguments = [*_QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def install() -> str:
    """Install Chromium if it is missing and this user may; return a sentence if that failed."""
    if found():
        return ""
    apt = shutil.which("apt-get")
    if os.geteuid() != 0 or not apt:
        return f"The browser tests will be skipped: {MISSING}."
    print("installing chromium for the browser tests ...", flush=True)
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        if not _runs([apt, "-qq", *words], 600):
            break
    found.cache_clear()
    return (
        ""
        if found()
        else f"It could not be installed; the browser tests will be skipped: {MISSING}."
    )


def _starts(path: str) -> bool:
    # Some systems have a stand-in under this name that only tells how to install it.
    return _runs([path, "--version"], 30)


def _runs(words: list[str], seconds: float) -> bool:
    """Tell whether a command ends well in that time; what it prints is lost."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(words, env=quiet, timeout=seconds, capture_output=True, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    if sentence := install():
        print(sentence)
