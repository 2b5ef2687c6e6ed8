"""Ask for a line: at a terminal with a prompt and history, from a pipe as a clean transcript."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from taquin.cli.screen import is_terminal


def ask(prompt: str) -> str | None:
    """Return the line that answers `prompt`; None when the input is at its end.

    A line that does not come from a terminal is printed after its prompt, so that the output
    reads like the session it stands for.
    """
    if sys.stdin is not None and is_terminal(sys.stdin):
        return _typed(prompt)
    # Without a standard input at all there is nothing to read either.
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    if not line:
        click.echo(prompt.rstrip())
        return None
    text = decoded(line)
    click.echo(f"{prompt}{text}".rstrip())
    return text


def decoded(line: bytes) -> str:
    """Return a line as text that is safe to print, without its end."""
    text = line.decode("utf-8-sig", errors="replace").rstrip("\r\n")
    return "".join(
        each if each.isprintable() else " " if each.isspace() else "\ufffd" for each in text
    )


def _typed(prompt: str) -> str | None:
    with suppress(ImportError):
        # Importing it is all it takes to give `input` a history and a line editor.
        import readline  # noqa: F401
    sys.stdout.flush()
    try:
        return input(prompt)
    except EOFError:
        click.echo()
        return None
    except UnicodeDecodeError:
        return "\ufffd"
