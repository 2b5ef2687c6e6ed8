"""`taquin repl`: S2's commands at a prompt, from a file, or from a pipe."""

from __future__ import annotations

import sys
from typing import BinaryIO

import click

from taquin.classroom.repl import Session
from taquin.cli.command import OK, command
from taquin.cli.inputs import ask, printable_line, raw_lines
from taquin.cli.running import live_line
from taquin.cli.screen import columns, is_terminal, paragraph

_PROMPT = "> "


@command(
    "taquin repl",
    "taquin repl commands.txt",
    r"printf 'randomizeState 10\nsolve A-star h2\n' | taquin repl",
    epilog="Ctrl-C stops a search and returns to the prompt; what is left of FILE is skipped.",
)
@click.argument("file", required=False, type=click.File("rb"))
def repl(file: BinaryIO | None) -> int:
    """Move, scramble and solve at a prompt.

    The commands of FILE, one per line, run first and are printed; then the prompt opens. The
    commands are setState, setBoard, randomizeState, printState, move, solve, maxNodes, help and
    exit; help explains each. The goal has the blank first, b12 345 678, and directions are those
    of the blank.
    """
    session = Session(live_line, columns() if is_terminal(sys.stdout) else None)
    for raw_line in raw_lines(file, file.name) if file else ():
        text = printable_line(raw_line)
        click.echo(f"{_PROMPT}{text}".rstrip())
        if not _run(session, text):
            click.echo("The rest of the file is skipped.")
            break
        if session.over:
            break
    while not session.over and (line := _ask()) is not None:
        _run(session, line)
    return OK


def _ask() -> str | None:
    """Return the next line; Ctrl-C at the prompt discards the line typed so far."""
    while True:
        try:
            return ask(_PROMPT)
        except KeyboardInterrupt:
            if not is_terminal(sys.stdin):
                raise
            click.echo("\nType exit to leave.")


def _run(session: Session, line: str) -> bool:
    """Run one command and print its answer; return False if Ctrl-C stopped it."""
    try:
        for answer in session.execute(line):
            # The lines of tables are short already, so this folds sentences only.
            click.echo(paragraph(answer.rstrip()))
    except KeyboardInterrupt:
        click.echo("Stopped.")
        return False
    return True
