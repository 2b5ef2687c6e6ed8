"""`taquin study`: experiments that survive, from a file that says what to run."""

from __future__ import annotations

from importlib import import_module

import click

from taquin.cli.command import Command

STUDY_COMMANDS = {
    "run": ("study_run:run", "Run what is not yet recorded of a study."),
    "report": ("study_report:report", "Show what came out, in tables and plots."),
    "status": ("study_records:status", "Tell how far a study has come."),
    "list": ("study_records:list_studies", "List the studies there are, and their records."),
    "export": ("study_records:export", "Write the records as CSV or JSON lines."),
}
"""Every command of the group, with the module and the name it has there, and what it does."""


class StudyGroup(Command, click.Group):
    """A group that imports a command when it is called, with examples in its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their use."""
        return list(STUDY_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command called `cmd_name`."""
        if cmd_name not in STUDY_COMMANDS:
            return None
        module, _, attribute = STUDY_COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"taquin.cli.{module}"), attribute)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in STUDY_COMMANDS.items()])


@click.group(
    cls=StudyGroup,
    invoke_without_command=True,
    examples=(
        "taquin study list",
        "taquin study run s3-width",
        "taquin study report s3-width",
        "taquin study run mine.toml --store results",
    ),
)
@click.pass_context
def study(context: click.Context) -> None:
    """Run many searches on many boards, lose nothing, and show it.

    A study is a TOML file, or the name of one that comes with taquin: `taquin study list`. Its
    records are kept in one file; whatever ends a run before its time, running the study again goes
    on where it stopped.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
