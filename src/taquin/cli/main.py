"""The command `taquin`: import the command that was asked for, run it, and exit with its status.

Each command but the smallest has its own file, which is imported only when the command is called;
what few runs need is imported inside functions, because an import costs every start-up. A command
returns its exit status. This file, and no other, turns errors into one sentence.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn, cast

import click

from taquin._version import __version__
from taquin.cli.command import BAD_INPUT, OK, STOPPED, WithHelp, command
from taquin.cli.screen import columns, paragraph, say, set_encodings
from taquin.errors import TaquinError, UnfinishedError, with_notes
from taquin.system.formatting import abridged, did_you_mean, shorten

GROUPS = {
    "Solve": {
        "solve": "Solve a board and show the solution.",
        "check": "Check whether a board can be solved, and say why.",
        "show": "Draw a board, or write it in another notation.",
        "scramble": "Generate random boards.",
        "moves": "Count, invert, mirror, join, apply and shorten move sequences.",
        "play": "Solve a board yourself, in the terminal.",
    },
    "Visualise": {
        "serve": "Open the page: play, solve, watch searches think, race them.",
        "site": "Write the page as a folder for any web server; searches run in the browser.",
        "trace": "Watch a search step by step.",
        "tree": "Draw the first nodes of a search as a tree.",
        "compare": "Run several searches on one board, in one table.",
    },
    "Teach": {
        "class": "Write handouts, an exam, homework and a league for a class.",
        "homework": "Write starter files for students, with tests.",
        "grade": "Grade answers: legal, solved, shortest, and the first wrong move.",
        "league": "Run every student's search on the same boards.",
        "enter": "Type in a board tile by tile, then watch the search.",
        "repl": "Move, scramble and solve at a prompt.",
        "searches": "List the searches: whether they find shortest solutions, and an example.",
        "heuristics": "List the heuristics: admissibility, cost, source, and an example.",
    },
    "Measure": {
        "study": "Run many searches on many boards, record every run, and report the results.",
        "audit": "Test heuristics on every board of a small size.",
        "estimate": "Print what heuristics estimate for a board, or for each of many.",
        "explore": "Count all boards by their distance from the goal.",
        "explain-count": "Find which searches count a given number of nodes on a board.",
        "export": "Write a board and its goal as a task for planners: PDDL and SAS+.",
    },
    "Manage": {
        "tables": "List, build, verify or remove the tables that make searches fast.",
        "engines": "List the engines, and which this machine can run.",
        "completion": "Print the script that completes commands in a shell.",
        "help": "Show the help of a command, a search or a heuristic.",
    },
}
"""The commands with their summaries, by what they are for: listing them imports none."""
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
_SHARED_FILES = {
    "audit": "measure.heuristics",
    "estimate": "measure.heuristics",
    "homework": "teach.course",
    "tree": "visualise.trace",
    "check": "solve.show",
    "export": "solve.show",
    "heuristics": "teach.catalogue",
    "searches": "teach.catalogue",
    "site": "visualise.serve",
    "tables": "manage",
    "engines": "manage",
}
"""The commands that are not in a file of their own, with the file."""

EXAMPLES = (
    ('taquin solve "8 6 7 / 2 5 4 / 3 0 1"', "solve a board, step by step"),
    ("taquin serve", "play, solve, watch in the browser"),
    ('taquin compare "8 1 3 / 4 0 2 / 7 6 5"', "compare searches on one board"),
)
"""The examples that `taquin` alone prints."""
_WIDEST_HELP = 96
"""Longer lines are hard to read, however wide the screen."""
_INTERNAL_ERROR = 70
"""The exit status for an internal error: EX_SOFTWARE of sysexits.h."""


class Taquin(WithHelp, click.Group):
    """A group that imports a command when it is called, and explains errors in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, the most useful first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command called `cmd_name`."""
        if cmd_name in self.commands or cmd_name not in COMMANDS:
            return self.commands.get(cmd_name)
        group = next(group for group, names in GROUPS.items() if cmd_name in names).lower()
        # `class` is a keyword of Python.
        name = "course" if cmd_name == "class" else cmd_name.replace("-", "_")
        file = import_module(f"taquin.cli.{_SHARED_FILES.get(name, f'{group}.{name}')}")
        return cast(click.Command, getattr(file, name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest the nearest name, or `solve` for a board."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"there is no command {shorten(name)}.{_suggestion(name)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by group, without importing them."""
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()), col_max=16)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command without importing them all."""
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        return [
            *(CompletionItem(name, help=COMMANDS[name]) for name in names),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe ends it."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
            return status
        except BrokenPipeError:
            # Click would exit with status 1, which means "refuted" here.
            return _discard_output()

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        """Run the command line `args` and exit with its status."""
        extra.setdefault("terminal_width", min(columns(), _WIDEST_HELP))
        try:
            for word in sys.argv[1:] if args is None else args:
                if "\0" in word or any("\ud800" <= character <= "\udc7f" for character in word):
                    raise click.UsageError(f"expected text, found {shorten(word)}")
                if ".py:" in word:
                    # A worker process for user code starts while this one imports a command.
                    from taquin.system.jobs import JobProcess, spare

                    if not spare:
                        spare.append(JobProcess("taquin.analysis.isolated"))
                        spare[0].launch()
            status = super().main(args, *rest, **extra | {"standalone_mode": False})
            sys.stdout.flush()
        except SystemExit:
            # Click raises it after completing a word for a shell.
            raise
        except BaseException as error:
            status = _status_of(error)
        finally:
            if jobs := sys.modules.get("taquin.system.jobs"):
                jobs.close_spare()
            if running := sys.modules.get("taquin.cli.running"):
                running.end_user_code()
        sys.exit(status or OK)


@click.group(
    cls=Taquin,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 solved, or done; 1 proven unsolvable, or a claim refuted; 2 bad input; "
    "3 a limit was reached or the search was stopped; 70 an internal error of taquin. "
    "NO_COLOR turns colours off.",
)
@click.version_option(
    __version__, "--version", "-V", prog_name="taquin", message="%(prog)s %(version)s"
)
@click.pass_context
def taquin(context: click.Context) -> None:
    """Solve sliding-tile puzzles, see how every search got there, and measure the searches."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        context.color = False
    if context.invoked_subcommand is None:
        click.echo(_welcome())


@command(
    'eval "$(taquin completion bash)"      # in ~/.bashrc',
    'eval "$(taquin completion zsh)"       # in ~/.zshrc',
    "taquin completion fish | source       # in config.fish",
    group=taquin,
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script that completes commands in a shell.

    With it, the tab key completes commands, options, algorithms and heuristics.
    """
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None, "Click knows these shells"
    click.echo(complete(context.find_root().command, {}, "taquin", "_TAQUIN_COMPLETE").source())
    return OK


def _command_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    group, _ = _command_at(ctx.find_root(), ctx.params.get("names") or ())
    return [name for name in _subcommands(group, ctx) if name.startswith(incomplete)]


def _subcommands(command: click.Command, context: click.Context) -> list[str]:
    return command.list_commands(context) if isinstance(command, click.Group) else []


def _command_at(
    context: click.Context, names: Sequence[str]
) -> tuple[click.Command, click.Context]:
    """Return the command at the path `names`, and its context; raise UsageError for none."""
    command = context.command
    for name in names:
        child = command.get_command(context, name) if isinstance(command, click.Group) else None
        if child is None:
            guess = did_you_mean(name, _subcommands(command, context))
            sentence = f"{context.command_path} has no command {shorten(name)}. {guess}".rstrip()
            raise click.UsageError(sentence, context)
        command, context = child, click.Context(child, context, name)
    return command, context


@command(
    "taquin help solve", "taquin help astar", "taquin help manhattan", group=taquin, name="help"
)
@click.argument("names", nargs=-1, metavar="[COMMAND]...", shell_complete=_command_names)
@click.pass_context
def show_help(context: click.Context, names: tuple[str, ...]) -> int:
    """Show the help of a command, a search or a heuristic.

    Without a name it lists the commands, as taquin --help does.
    """
    if len(names) == 1 and names[0] not in COMMANDS:
        from taquin.cli.teach.catalogue import explanation

        if text := explanation(names[0]):
            click.echo(paragraph(text))
            return OK
    command, context = _command_at(context.find_root(), names)
    click.echo(command.get_help(context))
    return OK


def _welcome() -> str:
    formatter = click.HelpFormatter(width=columns())
    formatter.write_text("taquin solves sliding-tile puzzles and shows how.")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_dl(EXAMPLES, col_max=columns() // 2)
    formatter.write("\ntaquin --help lists every command,\ntaquin solve --help what one can do.")
    return formatter.getvalue()


def _suggestion(name: str) -> str:
    if any(character.isdigit() for character in name) and len(name) < 200:
        from taquin.notation import read_board

        try:
            read_board(name)
        except TaquinError:
            name += " …"
        return f' To solve a board: taquin solve "{name}".'
    return f" {did_you_mean(name, COMMANDS)}".rstrip()


def _status_of(error: BaseException) -> int:
    fault, sentence, status = "", "", BAD_INPUT
    match error:
        case BrokenPipeError():
            return _discard_output()
        case click.Abort(__cause__=EOFError() as cause):
            # Click assumes that a prompt of its own met the end of input; taquin uses none.
            fault, status = _internal_error(cause), _INTERNAL_ERROR
        # Python 3.11 wraps one that comes while a class is being made.
        case (
            KeyboardInterrupt()
            | click.Abort(__cause__=KeyboardInterrupt())
            | RuntimeError(__cause__=KeyboardInterrupt())
        ):
            sentence, status = "Stopped: interrupted.", STOPPED
        case click.Abort():
            status = STOPPED
        case click.ClickException():
            fault = _advice(error)
        case UnfinishedError():
            sentence, status = f"Stopped: {error}.", STOPPED
        case TaquinError():
            fault = with_notes(error)
        case OSError():
            message = error.strerror or str(error) or type(error).__name__
            fault = f"{error.filename}: {message}" if error.filename else message
        case MemoryError():
            fault, status = "out of memory; give a lower --max-memory to stop sooner", STOPPED
        case _:
            fault, status = _internal_error(error), _INTERNAL_ERROR
    # Without an error stream the exit status still says it.
    with suppress(OSError, ValueError):
        if fault or sentence:
            say(f"Error: {abridged(fault)}" if fault else sentence)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _discard_output()
    return status


def _discard_output() -> int:
    """Send the rest of the output to /dev/null, or Python would complain when it exits."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return STOPPED


def _internal_error(error: BaseException) -> str:
    """Return the sentence for an internal error; print its traceback if TAQUIN_DEBUG is set."""
    if os.environ.get("TAQUIN_DEBUG"):
        from traceback import print_exception

        print_exception(error)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"this is an internal error of taquin ({shorten(message, 200)}). Please report it, with "
        f"your command and the traceback that it prints under TAQUIN_DEBUG=1."
    )


def _advice(error: click.ClickException) -> str:
    """Return what Click says in one sentence, and which --help explains the arguments."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    text = " ".join(error.format_message().split())
    if isinstance(error, click.NoSuchOption) and context:
        given = error.option_name
        options = {name for parameter in context.command.params for name in parameter.opts}
        # The nearest spelling misleads: Click suggests --anytime for --timeout.
        if given in ("--timeout", "--time") and "--max-seconds" in options:
            text = f"No such option '{given}'. Did you mean '--max-seconds'?"
        elif "--algorithm" in options:
            from taquin.search.algorithms import ALGORITHMS
            from taquin.search.run import option_names

            name = given.lstrip("-")
            takers = (each for each in ALGORITHMS if name in option_names(ALGORITHMS[each]()))
            if search := next(takers, ""):
                text = f'{given} is an option of a search: write -a "{search}({given[2:]}=…)"'
    text += "" if text.rstrip(")")[-1:] in ".?" else "."
    return f"{text} Try {context.command_path} --help." if context else text


def run(began: float | None = None) -> NoReturn:
    """Run the command line of this process, which began at that time by `perf_counter`."""
    # Output to a closed stream is discarded, so that no command has to check for it.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    set_encodings()
    warnings.showwarning = lambda message, *_: say(f"Warning: {message}")
    # Registered first, it runs last: Ctrl-C does not change the status of what is left to do.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        taquin.main(prog_name="taquin", obj=began)
    finally:
        # From here Python shuts down, and Ctrl-C would print a traceback.
        signal.signal(signal.SIGINT, lambda *_: os._exit(STOPPED))
