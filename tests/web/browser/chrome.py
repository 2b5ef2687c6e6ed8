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

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What the browser may be called; `TAQUIN_BROWSER` names another.

The one without windows comes first: the tests take half the time with it."""
MISSING = "there is no Chromium here: install it, or name one with TAQUIN_BROWSER"
_SKIPPED = f"The browser tests will be skipped: {MISSING}."
_QUIET = (
    *("--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
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
    """Install the fastest Chromium where this user may; return a sentence if there is none."""
    has_one, apt = found() is not None, shutil.which("apt-get")
    if (has_one and (os.environ.get("TAQUIN_BROWSER") or shutil.which(NAMES[0]))) or not apt:
        return "" if has_one else _SKIPPED
    if os.geteuid() == 0:
        print(f"installing {NAMES[0]} for the browser tests ...", flush=True)
        fetch = [apt, "-qq", "install", "--yes", "--no-install-recommends"]
        if _runs([apt, "-qq", "update"], 60 if has_one else 600):
            any(_runs([*fetch, package], 600) for package in NAMES[: 1 if has_one else 2])
        found.cache_clear()
    return "" if found() else _SKIPPED


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
