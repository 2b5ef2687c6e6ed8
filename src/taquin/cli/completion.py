"""`taquin completion`: the script that completes commands and options in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from taquin.cli.command import Command
from taquin.cli.status import OK


@click.command(
    cls=Command,
    examples=(
        'eval "$(taquin completion bash)"      # in ~/.bashrc',
        'eval "$(taquin completion zsh)"       # in ~/.zshrc',
        "taquin completion fish | source       # in config.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script that completes commands in a shell.

    With it, the tab key completes commands, options, algorithms and heuristics.
    """
    complete = get_completion_class(shell)
    assert complete is not None, "Click knows these shells"
    click.echo(complete(context.find_root().command, {}, "taquin", "_TAQUIN_COMPLETE").source())
    return OK
