"""`taquin repl`: S2's commands at a prompt, from a file, or from a pipe."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from taquin.cli.command import OK, command
from taquin.cli.inputs import ask, decoded, raw_lines
from taquin.cli.running import live_line
from taquin.cli.screen import columns, is_terminal, paragraph
from taquin.cli.session import Session

PROMPT = "> "


@command(
    "taquin repl",
    "taquin repl commands.txt",
    r"printf 'randomizeState 10\nsolve A-star h2\n' | taquin repl",
    epilog="Ctrl-C stops a search and returns to the prompt; what is left of FILE is skipped.",
)
@click.argument("file", required=False, type=click.File("rb"))
def repl(file: BinaryIO | None) -> int:
    """Move, scramble and solve at a prompt.

    The commands of FILE, one per line, run first and are shown as they do; then the prompt opens.
    They are setState, randomizeState, printState, move, solve, maxNodes, help and exit; help says
    what each takes. The goal has the blank first, b12 345 678, and directions are where the blank
    goes.
    """
    session = Session(live_line, columns() if is_terminal(sys.stdout) else None)
    if file is not None:
        _run_file(session, file)
    while not session.over and (line := _asked()) is not None:
        _run(session, line)
    return OK


def _asked() -> str | None:
    """Return the next line; Ctrl-C at the prompt drops what was typed."""
    while True:
        try:
            return ask(PROMPT)
        except KeyboardInterrupt:
            if not is_terminal(sys.stdin):
                raise
            click.echo("\nType exit to leave.")


def _run_file(session: Session, file: BinaryIO) -> None:
    """Run the commands of a file, each shown as if it had been typed."""
    for raw in raw_lines(file, file.name):
        line = decoded(raw)
        click.echo(f"{PROMPT}{line}".rstrip())
        if not _run(session, line):
            click.echo("The rest of the file is skipped.")
            return
        if session.over:
            return


def _run(session: Session, line: str) -> bool:
    """Run one command and print its answer; tell whether Ctrl-C let it."""
    try:
        for answer in session.execute(line):
            # What is laid out has short lines, so only sentences are folded here.
            click.echo(paragraph(answer.rstrip()))
    except KeyboardInterrupt:
        click.echo("Stopped.")
        return False
    return True
