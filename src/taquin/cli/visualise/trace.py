"""`taquin trace`: print or draw each step of a search, or of a recorded search.

`taquin tree` draws the first nodes of one as a tree.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import click

from taquin import Limits, TaquinError
from taquin.analysis.isolated import checked_events
from taquin.cli import options
from taquin.cli.command import OK, STOPPED, command, flag, int_option, option
from taquin.cli.inputs import ask
from taquin.cli.running import Watched, replayed, trace_search
from taquin.cli.screen import is_terminal, page_width, paragraph, print_lines, say
from taquin.engine.glass import default_algorithm
from taquin.heuristics.base import holds_user_code
from taquin.search.control import Control
from taquin.search.events import Event, Finished
from taquin.search.grammar import search_named
from taquin.search.result import Counters, verdict
from taquin.search.run import Ties
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.machine import process_memory
from taquin.views import VIEWS, View, commentary, to_json_lines, verified_path, view_for
from taquin.views.traces import WIDTH, queue_order, s3_times
from taquin.views.tree import MANY, Exam, search_tree

_STEP_KEYS = "Enter: next, b: back, q: quit"


@command(
    'taquin trace "1 2 3 / 4 0 5 / 7 8 6"',
    "taquin trace puzzle.txt -a bfs --view levels",
    "taquin trace puzzle.txt -a idastar --view backtrace --limit 20",
    "taquin trace puzzle.txt --json > search.jsonl",
    "taquin trace --replay search.jsonl --view commentary",
    "taquin trace puzzle.txt -o search.gif --nodes 60",
    "taquin trace puzzle.txt -a idastar --step",
    epilog="Exit status: as that of taquin solve; 3 when --limit or q cut the search short.",
)
@options.task_options
@option("Output", "--view NAME", f"{', '.join(VIEWS)}.  [default: by the search]", one_of=VIEWS)
@int_option(
    "Output", "--limit most", "Stop after N nodes dequeued, including discarded ones.", least=0
)
@options.json_option
@flag("Output", "--step", "Print the commentary step by step. Enter: next, b: back, q: quit.")
@flag("Output", "--verify", "Verify the solution: walk it back to the start.")
@option("Output", "--replay FILE", "Show a search that --json wrote to a file.")
@int_option("Picture", "--nodes tree_nodes", "Number of nodes in the tree of a gif.  [default: 40]")
@options.picture_options(photo=False)
def trace(
    problem: options.BoardArguments,
    search: options.SearchOptions,
    limits: Limits,
    view: str | None,
    most: int | None,
    as_json: bool,
    step: bool,
    verify: bool,
    replay: str | None,
    tree_nodes: int | None,
    picture: options.PictureOptions,
) -> int:
    """Watch a search step by step.

    BOARD is read as by `taquin solve`. With --like s3 the view `created` shows S3's times and
    costs.
    """
    as_json = as_json or view == "json"
    if picture.is_wanted and (as_json or view is not None or verify):
        raise click.UsageError("-o FILE cannot be combined with --view, --json or --verify")
    if tree_nodes is not None and not (picture.is_wanted and picture.chosen() == "gif"):
        raise click.UsageError("--nodes requires -o FILE.gif")
    if step and (view or as_json or picture.is_wanted):
        raise click.UsageError("--step cannot be combined with --view, --json or -o")
    if step and not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        why = "--step waits for Enter after each step, so it needs a terminal"
        raise click.UsageError(f"{why}; give the board, or the file, as an argument")
    if replay is not None and problem.board:
        raise click.UsageError("--replay cannot be combined with a board")
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
    # A commentary has an empty line after each step.
    steps = (list(step) for is_step, step in groupby(lines, bool) if is_step)
    seen, at = list[list[str]](), 0
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


_SHARE = 32
"""Drawing a tree takes at most this many times the time and memory of building it."""


@command(
    'taquin tree "1 2 3 / 4 0 5 / 7 8 6" -o tree.svg',
    "taquin tree puzzle.txt -a idastar --nodes 100 -o tree.svg",
    "taquin tree puzzle.txt --format dot | dot -Tpng > tree.png",
    "taquin tree puzzle.txt --nodes 20 -o growing.gif",
    "taquin tree puzzle.txt -a astar --nodes 12 --exam both -o exam.pdf",
    "taquin tree --replay search.jsonl -o tree.pdf",
)
@options.problem_options
@options.search_options
@options.limits_of(options.seconds_option(), options.depth_option, options.memory_option)
@int_option(
    "Output",
    "--nodes tree_nodes",
    "Number of nodes; --exam completes the last expansion.",
    default=MANY,
)
@option(
    "Output",
    "--exam",
    "Leave blanks for the values, the order of expansion, or both; write FILE-answers too.",
    one_of=Exam,
)
@option("Output", "--replay FILE", "Draw a search that taquin trace --json wrote.")
@options.picture_options("dot", photo=False)
def tree(
    problem: options.BoardArguments,
    search: options.SearchOptions,
    limits: Limits,
    tree_nodes: int,
    exam: Exam | None,
    replay: str | None,
    picture: options.PictureOptions,
) -> int:
    """Draw the first nodes of a search as a tree.

    BOARD is read as by `taquin solve`. The picture is self-contained; each node shows its board,
    when it was expanded, and whether it was discarded.
    """
    form = picture.chosen((*options.FORMATS, "dot"))
    stem, ending = os.path.splitext(picture.file or "")
    if exam is not None and (stem in ("", "-") or form in ("dot", "gif")):
        raise click.UsageError("--exam writes two files: give -o FILE.pdf, .svg, .png or .tex")
    if replay is None:
        puzzle, start = problem.read()
        algorithm = search.chosen() or default_algorithm(puzzle)
        events: Iterable[Event] = checked_events(trace_search(puzzle, start, algorithm, limits)[1])
        name = str(algorithm)
    else:
        if problem.board:
            raise click.UsageError("--replay cannot be combined with a board")
        events = recorded = replayed(replay)
        name = recorded.name
    within = _Within(events, limits)
    # Imported late: text needs no pictures.
    from taquin.views.pictures.drawings import exam_drawing, to_dot, tree_drawing

    if form == "dot":
        picture.write(to_dot(search_tree(within, tree_nodes, name)).encode())
    elif exam is not None:
        drawn = search_tree(within, tree_nodes, name, whole_turns=True)
        picture.draw(exam_drawing(drawn, exam))
        replace(picture, file=f"{stem}-answers{ending}").draw(exam_drawing(drawn, None))
    else:
        picture.draw(tree_drawing(within, tree_nodes, name))
    if within.reason:
        say(f"The tree is cut: {within.reason}.")
    return STOPPED if within.reason else OK


@dataclass(slots=True)
class _Within:
    """The events of a search, until a limit would leave too little for drawing them."""

    events: Iterable[Event]
    limits: Limits
    reason: str = ""
    """The limit that ended the events; empty if none did."""

    def __iter__(self) -> Iterator[Event]:
        """Yield the events; the limits of the search itself do not account for drawing."""
        used, limits = process_memory(), self.limits
        seconds = None if limits.seconds is None else limits.seconds / _SHARE
        memory = None if limits.memory is None else used + (limits.memory - used) // _SHARE
        control = Control(Limits(seconds=seconds, memory=memory))
        for event in self.events:
            if isinstance(event, Finished) and event.result.limit is not None:
                self.reason = event.result.reason
            elif not control.tick(Counters()) and control.limit is not None:
                # The message quotes the limits of the user.
                whole = Control(limits)
                whole.end(control.limit)
                self.reason = whole.reason
                return
            yield event
