"""`taquin explain-count`: find searches and conventions that give a certain count of nodes."""

from __future__ import annotations

from typing import Any

import click

from taquin import Limits, write_board, write_goal
from taquin.analysis.explain_count import SEARCHES, SEEDS, Counted, Explanation, Findings, reproduce
from taquin.cli import options
from taquin.cli.command import AMOUNT, OK, REFUTED, STOPPED, command, completing, int_option, option
from taquin.cli.output import Column, no_solution, print_json, print_table
from taquin.cli.running import isolation
from taquin.cli.screen import paragraph, status_line
from taquin.errors import UnfinishedError
from taquin.heuristics.base import holds_user_code
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import search_named
from taquin.search.result import Task
from taquin.system.formatting import counted

_KINDS = {
    **{kind.value: (kind,) for kind in Counted},
    "tries": (Counted.EXPANDED,),
    "traversed": (Counted.DEQUEUED,),
    "states": (Counted.ENQUEUED,),
    "any": tuple(Counted),
}
"""Counters, by taquin's names and by those of the sources."""
_MOST_SECONDS = 60


@command(
    'taquin explain-count "0 1 3 / 4 2 5 / 7 8 6" --count 10 --kind states',
    'taquin explain-count "8 1 3 / 4 0 2 / 7 6 5" --count 78 -a astar',
    'taquin explain-count puzzle.txt --count 98 --kind traversed -a "dfs(max_depth=11)"',
    epilog="Exit status: 0 a search gives the count, 1 none does, 2 bad input, 3 a limit or Ctrl-C "
    "came before one was found.",
    name="explain-count",
)
@options.problem_options
@option("Count", "--count N number", "The number of nodes to explain.", type=AMOUNT, required=True)
@option(
    "Count",
    "--kind KIND",
    "The counter, by taquin's name or a source's: expanded (tries), generated, enqueued "
    "(states), dequeued (traversed), korf, or any.",
    one_of=_KINDS,
    default="any",
)
@option(
    "Search",
    "--algorithm -a SEARCH names",
    f"Try this search only, with every value of the parameters that it does not name; can be "
    f"repeated.  "
    f"[default: {', '.join(SEARCHES)}]",
    shell_complete=completing(ALGORITHMS),
    multiple=True,
)
@int_option("Search", "--seeds", "Random orders to try, for dfs and ids.", least=0, default=SEEDS)
@options.limits_of(
    options.seconds_option(_MOST_SECONDS, "Time limit of all searches together."),
    options.depth_option,
)
@int_option("Output", "--most", "The maximum number of searches to list.", default=10)
@options.json_option
def explain_count(
    problem: options.BoardArguments,
    number: int,
    kind: str,
    names: tuple[str, ...],
    seeds: int,
    limits: Limits,
    most: int,
    as_json: bool,
) -> int:
    """Find which searches count a given number of nodes on a board.

    Two programs that both run A* report different counts, because they treat duplicates, ties, the
    goal test, the order of moves and the start differently. This command runs searches under
    all these conventions, the most common first, and lists those that give the count, or the
    nearest if there is none.
    """
    puzzle, start = problem.read()
    if refutation := no_solution(puzzle, start):
        raise click.UsageError(f"this board cannot be searched. {refutation}")
    task = Task(puzzle, start, limits=limits)
    findings = Findings()
    searches = tuple(map(search_named, names))
    arguments = task, number, _KINDS[kind], names or SEARCHES, most, seeds
    inquiries = reproduce(*arguments)
    if holds_user_code(searches):
        inquiries = isolation().each(limits, searches, reproduce, *arguments)
    with status_line() as draw:
        try:
            for findings in inquiries:
                exact = counted(len(findings.exact), "gives the count", "give the count")
                draw(f"{findings.tried:,} searches tried · {exact}")
        except UnfinishedError as error:
            findings.ended_by = str(error)
    listed = findings.exact[:most]
    if as_json:
        print_json(
            {
                "start": write_board(start),
                "goal": write_goal(puzzle.goal),
                "count": number,
                "exact": list(map(_record, listed)),
                "near": list(map(_record, findings.near)),
                "tried": findings.tried,
                "ended_by": findings.ended_by or None,
            }
        )
    else:
        _print(findings, listed, number)
    if listed:
        return OK
    return STOPPED if findings.ended_by else REFUTED


def _record(explanation: Explanation) -> dict[str, Any]:
    return {
        "search": str(explanation.candidate.search),
        "like": explanation.candidate.like or None,
        "kind": explanation.counted.value,
        "start": explanation.start or None,
        "number": explanation.number,
        "moves": explanation.cost,
        "choices": explanation.choices,
    }


def _print(findings: Findings, exact: list[Explanation], number: int) -> None:
    tried = f"{counted(findings.tried, 'search was', 'searches were')} tried"
    tried += f" ({findings.ended_by})" if findings.ended_by else ", all there are"
    if exact:
        click.echo(paragraph(f"These count {number:,}, the plainest first; {tried}."))
    else:
        near = " The nearest are:" if findings.near else ""
        click.echo(paragraph(f"No search counts {number:,}; {tried}.{near}"))
    columns = [
        Column("search", lambda row: str(row.candidate.search), left=True),
        Column("count", lambda row: f"{row.number:,}"),
        Column("of", lambda row: f"{row.counted.value} {row.start}".strip(), left=True),
        Column("moves", lambda row: "–" if row.cost is None else f"{row.cost:,}"),
        Column("--like", lambda row: row.candidate.like, left=True),
    ]
    if rows := exact or findings.near:
        print_table(columns, rows)
