"""`taquin trace`: print or draw each step of a search, or of a recorded search."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from typing import Any

import click

from taquin import Limits, TaquinError
from taquin.analysis.isolated import checked_events
from taquin.cli.command import OK, command, flag, int_option, option
from taquin.cli.inputs import ask
from taquin.cli.options import (
    BoardArguments,
    PictureOptions,
    SearchOptions,
    json_option,
    picture_options,
    task_options,
)
from taquin.cli.running import Watched, replayed, trace_search
from taquin.cli.screen import is_terminal, page_width, paragraph, print_lines, say
from taquin.engine.glass import default_algorithm
from taquin.heuristics.base import holds_user_code
from taquin.search.conventions import Ties
from taquin.search.grammar import search_named
from taquin.search.result import verdict
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts
from taquin.views import VIEWS, View, commentary, to_json_lines, verified_path, view_for
from taquin.views.traces import WIDTH, queue_order, s3_times

_STEP_KEYS = "Enter: next, b: back, q: quit"


@command(
    'taquin trace "1 2 3 / 4 0 5 / 7 8 6"',
    "taquin trace puzzle.txt -a bfs --view levels",
    "taquin trace puzzle.txt -a idastar --view backtrace --limit 20",
    "taquin trace puzzle.txt --json > search.jsonl",
    "taquin trace --replay search.jsonl --view commentary",
    "taquin trace puzzle.txt -o search.html --nodes 300",
    "taquin trace puzzle.txt -a idastar --step",
    epilog="Exit status: as that of taquin solve; 3 when --limit or q cut the search short.",
)
@task_options
@option("Output", "--view NAME", f"{', '.join(VIEWS)}.  [default: by the search]", one_of=VIEWS)
@int_option(
    "Output", "--limit most", "Stop after N nodes dequeued, including discarded ones.", least=0
)
@json_option
@flag("Output", "--step", "Print the commentary step by step. Enter: next, b: back, q: quit.")
@flag("Output", "--verify", "Verify the solution: walk it back to the start.")
@option("Output", "--replay FILE", "Show a search that --json wrote to a file.")
@int_option(
    "Picture",
    "--nodes tree_nodes",
    "Number of nodes in the tree of an html or gif.  [default: 120, gif 40]",
)
@picture_options(photo=False)
def trace(
    problem: BoardArguments,
    search: SearchOptions,
    limits: Limits,
    view: str | None,
    most: int | None,
    as_json: bool,
    step: bool,
    verify: bool,
    replay: str | None,
    tree_nodes: int | None,
    picture: PictureOptions,
) -> int:
    """Watch a search step by step.

    BOARD is read as by `taquin solve`. With --like s3 the view `created` shows S3's times and
    costs.
    """
    as_json = as_json or view == "json"
    if picture.is_wanted and (as_json or view is not None or verify):
        raise click.UsageError("-o FILE cannot be combined with --view, --json or --verify")
    if tree_nodes is not None and not (picture.is_wanted and picture.chosen() in ("html", "gif")):
        raise click.UsageError("--nodes requires -o FILE.html or FILE.gif")
    if step and (view or as_json or picture.is_wanted):
        raise click.UsageError("--step cannot be combined with --view, --json or -o")
    if step and not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        why = "--step waits for Enter after each step, so it needs a terminal"
        raise click.UsageError(f"{why}; give the board, or the file, as an argument")
    if replay is not None and problem.board:
        raise click.UsageError("give a board to search, or --replay a file; not both")
    header: dict[str, Any] = {}
    ties: Ties | None = None
    if replay is None:
        puzzle, start = problem.read()
        algorithm = search.chosen() or default_algorithm(puzzle)
        header = {"puzzle": puzzle, "algorithm": algorithm}
        title = str(algorithm)
        # The default view depends on the search, whose code is loaded only now.
        loaded, found = trace_search(puzzle, start, algorithm, limits)
        view, ties = view or view_for(loaded), queue_order(loaded)
        events = Watched(checked_events(found), most, title)
    else:
        events = replayed(replay, most)
        view = view or "commentary"
        with suppress(TaquinError):
            ties = queue_order(search_named(events.name))
        title = "The boards that a search dequeued"
    # Ctrl-C ends the search, so that the output is complete; at a prompt it ends the command.
    with nullcontext() if step else DeferredInterrupts():
        if step:
            _step_through(commentary(events, page_width(WIDTH), ties))
        elif picture.is_wanted:
            from taquin.views import turns_drawing

            picture.draw(turns_drawing(events, title, tree_nodes, events.name))
            if events.result is None and not events.is_cut:
                # The picture has all its nodes; the search did not fail.
                return OK
        elif as_json:
            for line in to_json_lines(events, **header):
                click.echo(line)
        elif view == "commentary":
            print_lines(commentary(events, page_width(WIDTH), ties))
        else:
            by = View(s3_times, "") if (view, search.like) == ("created", "s3") else VIEWS[view]
            print_lines(by(events, page_width(WIDTH)))
    result = events.result
    if result is not None and holds_user_code(result.algorithm):
        # The views show the steps, but not whether the claims of user code are right.
        aside = as_json or picture.is_wanted
        click.echo(paragraph(verdict(result), err=aside), err=aside)
    if verify and events.result is not None:
        for line in verified_path(events.result):
            click.echo(paragraph(line, err=as_json, indent="  "), err=as_json)
    if events.is_cut:
        discarded = f", {events.discarded:,} of them discarded" if events.discarded else ""
        say(f"Cut after {counted(events.dequeued, 'node')} dequeued{discarded}.")
    elif events.result is not None and (sentence := search.count_sentence(events.result)):
        aside = as_json or picture.is_wanted
        click.echo(paragraph(sentence, err=aside), err=aside)
    return events.status


def _step_through(lines: Iterable[str]) -> None:
    """Print a commentary step by step; ask after each step for the next one."""
    steps, seen, at = _steps_of(lines), list[list[str]](), 0
    click.echo(_STEP_KEYS)
    while True:
        if at == len(seen):
            step = next(steps, None)
            if step is None:
                return
            seen.append(step)
        print_lines(seen[at])
        offset = _ask_offset(at)
        if offset is None:
            return
        at += offset


def _steps_of(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines of each step; a commentary has an empty line after each."""
    step: list[str] = []
    for line in lines:
        if line:
            step.append(line)
        elif step:
            yield step
            step = []
    if step:
        yield step


def _ask_offset(at: int) -> int | None:
    """Ask where to go from a step: return 1 for the next, -1 for the one before, None to quit."""
    while (answer := ask(f"step {at + 1}> ")) is not None:
        match answer.strip().lower():
            case "":
                return 1
            case "b" | "back" if at:
                return -1
            case "b" | "back":
                click.echo("This is the first step.")
            case "q" | "quit" | "exit":
                return None
            case _:
                click.echo(_STEP_KEYS)
    return None
