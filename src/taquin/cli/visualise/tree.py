"""`taquin tree`: draw the first nodes of a search as a tree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import click

from taquin import Event, Finished, Limits
from taquin.analysis.isolated import checked_events
from taquin.cli.command import OK, STOPPED, command, int_option, option
from taquin.cli.options import (
    FORMATS,
    BoardArguments,
    PictureOptions,
    SearchOptions,
    depth_option,
    limits_of,
    memory_option,
    picture_options,
    problem_options,
    search_options,
    seconds_option,
)
from taquin.cli.running import replayed, trace_search
from taquin.cli.screen import say
from taquin.engine.glass import default_algorithm
from taquin.search.control import Control
from taquin.search.result import Counters
from taquin.system.machine import process_memory
from taquin.views import search_tree, to_dot, tree_drawing
from taquin.views.pictures.drawings import exam_drawing
from taquin.views.tree import MANY, Exam

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
@problem_options
@search_options
@limits_of(seconds_option(), depth_option, memory_option)
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
@picture_options("dot", photo=False)
def tree(
    problem: BoardArguments,
    search: SearchOptions,
    limits: Limits,
    tree_nodes: int,
    exam: Exam | None,
    replay: str | None,
    picture: PictureOptions,
) -> int:
    """Draw the first nodes of a search as a tree.

    BOARD is read as by `taquin solve`. The picture is self-contained; each node shows its board,
    when it was expanded, and whether it was discarded.
    """
    form = picture.chosen((*FORMATS, "dot"))
    stem, ending = os.path.splitext(picture.file or "")
    if exam is not None and (stem in ("", "-") or form in ("dot", "gif", "html")):
        raise click.UsageError("--exam writes two files: give -o FILE.pdf, .svg, .png or .tex")
    if replay is None:
        puzzle, start = problem.read()
        algorithm = search.chosen() or default_algorithm(puzzle)
        events: Iterable[Event] = checked_events(trace_search(puzzle, start, algorithm, limits)[1])
        name = str(algorithm)
    else:
        if problem.board:
            raise click.UsageError("give a board to search, or --replay a file; not both")
        events = recorded = replayed(replay)
        name = recorded.name
    within = _Within(events, limits)
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
