"""`taquin solve`: find a solution of a board, or of each board of a stream, and print it.

The summary of a stream goes to the error stream, and only if that is a screen:

    30 boards: 29 solved, 1 unsolvable, in 0.4 s. Moves: 12 to 31, mean 22.3, median 22.
    12–15  ████████ 4
    16–19  ██████ 3
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, repeat
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import click

from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED, command, flag, int_option, option
from taquin.cli.inputs import is_input_ready
from taquin.cli.output import (
    STATUS,
    csv_record,
    draw_solution,
    no_solution,
    other_goals,
    print_csv,
    print_json,
    result_line,
)
from taquin.cli.running import live_line, solve_task
from taquin.cli.screen import clear_status_line, columns, is_terminal, paragraph, say, status_line
from taquin.engine.base import Engine
from taquin.engine.task import Auto
from taquin.errors import NotationError, TaquinError, with_notes
from taquin.heuristics.base import holds_user_code
from taquin.model.rows import draw_rows
from taquin.notation import move_json, write_moves
from taquin.search.control import INTERRUPTED, Control
from taquin.search.result import (
    MOST_BEYOND,
    Limits,
    Outcome,
    Result,
    Task,
    Want,
    effort,
    how_to_prove,
    verdict,
)
from taquin.system.formatting import counted, seconds_in_words
from taquin.system.interrupts import DeferredInterrupts

if TYPE_CHECKING:
    from taquin.analysis.likeness import Likeness
    from taquin.engine.many import Answer, Many
    from taquin.search.run import Algorithm

Writer: TypeAlias = "Callable[[Answer], None]"
"""Prints an answer."""
_OUTCOMES = {
    Outcome.SOLVED: "solved",
    Outcome.UNSOLVABLE: "unsolvable",
    Outcome.LIMIT_REACHED: "ended by a limit",
    Outcome.STOPPED: "stopped",
    None: "faulty",
}
"""The outcomes in words; None stands for a line that is not a board or cannot be searched."""

_MAX_BARS = 12
"""Lines of the longest histogram; more lengths share bars."""
_LONGEST_BAR = 50
_COLUMNS = (
    *("start", "outcome", "cost", "lower_bound", "optimal", "assumes", "moves", "algorithm"),
    *("engine", "reason"),
)
"""The columns of CSV before the counters."""


def _classic_search() -> Algorithm:
    """Return S4's search: the classic style prints how many states it enqueues."""
    from taquin.heuristics.per_tile import Manhattan
    from taquin.search.algorithms import AStar
    from taquin.search.run import SKIP_PARENT

    return AStar(Manhattan(), conventions=SKIP_PARENT)


@command(
    'taquin solve "8 6 7 / 2 5 4 / 3 0 1"',
    "taquin solve 867254301 --style moves",
    "taquin solve --style classic < puzzle04.txt",
    "taquin solve puzzle.txt -a idastar -H linear-conflict",
    'taquin solve "A . / @ ." --goal "* A / * *"',
    "taquin scramble 3x3 --count 9 | taquin solve --many",
    "taquin solve --many boards.txt --style moves",
    "taquin solve puzzle.txt --all --most 10",
    "taquin solve puzzle.txt --beyond 2",
    "taquin solve puzzle.txt -o solution.gif",
    "taquin solve puzzle.txt --certificate proof.txt",
    common="--goal --metric --algorithm --heuristic --max-seconds --max-memory "
    "--style --json --many --output --anytime --engine",
    epilog="Exit status: 0 solved, 1 proven unsolvable, 2 bad input, 3 limit reached, Ctrl-C, "
    "or no certificate because the solution is not proven to be a shortest one.",
)
@options.task_options
@option(
    "Output",
    "--style asked",
    "pretty: boards side by side; classic: one below the other, and the states enqueued; "
    "moves: one line such as URDL2.  [default: pretty; with --many JSON]",
    one_of=("pretty", "classic", "moves"),
)
@options.format_options
@flag(
    "Output",
    "--many",
    "Solve several boards, one a line or separated by empty lines; print one JSON line each, "
    "or what --style or --csv asks for; a terminal also gets a summary. Small boards are solved "
    "one on each core; their order and their solutions do not depend on that.",
)
@flag("Output", "--all every", "Print every shortest solution as it is found, one line each.")
@int_option(
    "Output",
    "--beyond",
    "As --all, with solutions of up to N more moves too, unless they visit a board twice or, with "
    "--metric multi, make two slides along one line: those are one slide.",
    least=0,
    most=MOST_BEYOND,
)
@int_option("Output", "--most", "With --all or --beyond: at most N solutions.")
@flag("Output", "--blank", "Print where the blank goes, as taquin grade --blank reads it.")
@options.picture_options()
@option(
    "Output",
    "--certificate FILE",
    "Write a proof that no solution is shorter, which examples/check_certificate.py checks.",
    type=click.Path(dir_okay=False),
)
@options.engine_options
def solve(
    problem: options.BoardArguments,
    search: options.SearchOptions,
    limits: Limits,
    engine: options.EngineOptions,
    picture: options.PictureOptions,
    asked: str | None,
    output: options.OutputFormat,
    many: bool,
    every: bool,
    beyond: int | None,
    most: int | None,
    blank: bool,
    certificate: str | None,
) -> int:
    """Solve a board and show the solution.

    BOARD is a board in any notation, the name of a file, or - for standard input, which is also
    read when nothing is given. The solution is a shortest one unless --algorithm says otherwise.
    """
    style = asked or "pretty"
    # In the classic style the options of a search change S4's; without any the engine chooses.
    algorithm = search.chosen() and search.chosen(_classic_search() if style == "classic" else None)
    wishes = engine.wishes(algorithm, once=not many)
    is_text = output == "text"
    every = every or beyond is not None
    in_records = not is_text or (many and asked is None)
    if blank and (in_records or style == "classic"):
        records = "--json, --csv or --style classic, nor with --many unless --style is given"
        raise click.UsageError(f"--blank cannot be combined with {records}")
    if most is not None and not every:
        raise click.UsageError("--most needs --all or --beyond")
    if picture.is_wanted and (many or every):
        raise click.UsageError("-o cannot be combined with --many or --all")
    if certificate is not None and (many or every):
        raise click.UsageError("--certificate cannot be combined with --many or --all")
    if certificate is not None:
        options.check_file(certificate)
    if every:
        is_csv = output == "csv"
        if many or is_csv or algorithm is not None or style != "pretty":
            others = "--many, --csv, a search (-a, -H, --like), or --style classic or moves"
            raise click.UsageError(f"--all and --beyond cannot be combined with {others}")
        task = Task(*problem.read(), limits=limits, want=Want.EVERY, beyond=beyond or 0)
        return _print_every_solution(task, wishes.engine, most, not is_text, blank)
    show = partial(_show, style, search, blank)
    if output == "csv":
        write = csv_writer(search.likeness)
    elif in_records:
        write = json_writer(search.likeness)
    else:
        write = styled_writer(show, style == "moves")
    if many:
        # Imported late: one board needs no threads.
        from taquin.engine.many import Many

        tasks = (
            entry if isinstance(entry, TaquinError) else Task(*entry, algorithm, limits)
            for entry in problem.read_each()
        )
        is_ready = partial(is_input_ready, problem.board)
        answering = Many(wishes, grows=engine.tables is None, is_ready=is_ready)
        return _solve_many(tasks, holds_user_code(algorithm), answering, write)
    puzzle, start = problem.read()
    cover = picture.cover_on(start.grid)
    if certificate is not None:
        from taquin.analysis.solutions import check_form

        check_form(puzzle, start)
    task = Task(puzzle, start, algorithm, limits)
    if algorithm is None and style == "classic" and isinstance(wishes.engine, Auto):
        wishes = replace(wishes, engine=replace(wishes.engine, first=_classic_search()))
    result = solve_task(task, wishes)
    if picture.takes_output:
        pass
    elif is_text:
        show(result)
    else:
        write(result)
    if picture.is_wanted and result.moves is None:
        say(f"Nothing to draw. {verdict(result) if picture.takes_output else ''}".rstrip())
    elif picture.is_wanted:
        from taquin.views.pictures.drawings import solution_drawing

        note = str(result.algorithm)
        picture.draw(solution_drawing(result, verdict(result).rstrip("."), note, cover))
    if certificate is not None and not _write_certificate(result, certificate):
        return STATUS[result.outcome] or STOPPED
    return STATUS[result.outcome]


def _write_certificate(result: Result, name: str) -> bool:
    """Write the certificate of a shortest solution; return whether there is one."""
    if not result.optimal:
        say("No certificate: it is for a solution that is proven to be a shortest one.")
        return False
    # Imported late: they slow down every start-up.
    from pathlib import Path

    from taquin.analysis.solutions import certify
    from taquin.system.files import atomic_write

    path = Path(name)
    with status_line() as draw:
        certificate = certify(result, lambda boards: draw(f"certificate: {boards:,} boards"))
    boards = counted(certificate.boards, "board")
    say(f"Certificate: {boards}, about {certificate.size:,} bytes, to {path}.")
    with atomic_write(path) as file:
        file.writelines(certificate.lines())
    return True


def _print_every_solution(
    task: Task, engine: Engine, most: int | None, as_json: bool, blank: bool
) -> int:
    """Print a line for each solution, the shortest first, and how many there were."""
    if refutation := no_solution(task.puzzle, task.start):
        click.echo(paragraph(refutation))
        return REFUTED
    from taquin.analysis.solutions import every_solution

    lengths: Counter[int] = Counter()
    with live_line() as progress:
        control = Control(task.limits, progress=progress, notice=say)
        solutions = every_solution(task, engine, control, most)
        for moves in sorted(solutions, key=len) if task.beyond else solutions:
            lengths[len(moves)] += 1
            clear_status_line()
            if as_json:
                print_json([move_json(move) for move in moves])
            else:
                click.echo(write_moves(moves, task.puzzle.metric, blank=blank))
            sys.stdout.flush()
    is_cut, reason = bool(solutions.reason), solutions.reason
    if is_cut or not as_json:
        reason = f"{reason[:1].upper()}{reason[1:]}. " if is_cut else ""
        more = "" if solutions.is_complete else "; there may be more"
        found = counted(lengths.total(), "shortest solution")
        if task.beyond and lengths:
            counts = (f"{count:,} of {counted(size, 'move')}" for size, count in lengths.items())
            found = f"{counted(lengths.total(), 'solution')}: {', '.join(counts)}"
        is_none = is_cut and not lengths
        found = "No solution found" if is_none else f"{found}{more}"
        click.secho(f"{reason}{found}", bold=True, err=True)
    if control.outcome is Outcome.UNSOLVABLE:
        return REFUTED
    return STOPPED if is_cut else OK


def _show(style: str, search: options.SearchOptions, blank: bool, result: Result) -> None:
    if style == "classic":
        _show_classic(result)
    elif style == "pretty":
        if result.moves is not None:
            click.echo(draw_solution(result, blank=blank) + "\n")
        click.secho(paragraph(_verdict(result)), bold=True)
        if result.moves or result.stats.generated:
            click.secho(paragraph(effort(result)), dim=True)
    else:
        if result.moves is not None:
            click.echo(write_moves(result.moves, result.puzzle.metric, blank=blank))
        if result.outcome is not Outcome.SOLVED or result.reason:
            say(_verdict(result))
    if advice := how_to_prove(result):
        say(advice)
    if count := search.count_sentence(result):
        (click.echo if style == "pretty" else say)(paragraph(count))


def _show_classic(result: Result) -> None:
    """Print what S4 asks for, and nothing that is not true of this search.

    It prints "Minimum" only for a proven shortest solution, and "enqueued" only for a search with
    a queue. What S4 has no words for goes to the error stream.
    """
    if result.outcome is Outcome.UNSOLVABLE:
        click.echo("No solution possible")
        if others := other_goals(result.puzzle, result.start):
            say(others.lstrip())
        return
    for board in result.boards():
        click.echo(f"{draw_rows(board.cells, board.grid.columns, blank=' ')}\n")
    stats = result.stats
    if stats.enqueued is not None:
        click.echo(f"Number of states enqueued = {stats.enqueued}")
    elif stats.generated is not None:
        click.echo(f"Number of states generated = {stats.generated}")
    if result.outcome is Outcome.SOLVED:
        click.echo(f"{'Minimum number' if result.optimal else 'Number'} of moves = {result.cost}")
    else:
        say(verdict(result))
    if stats.enqueued is None:
        say(f"No states were enqueued by the {result.engine.name}; -a astar counts them.")


def _verdict(result: Result) -> str:
    """Return what was found, and for an unsolvable board, with which goal it can be solved."""
    is_refuted = result.outcome is Outcome.UNSOLVABLE
    return verdict(result) + (other_goals(result.puzzle, result.start) if is_refuted else "")


def _solve_many(
    tasks: Iterable[Task | TaquinError], runs_user_code: bool, many: Many, write: Writer
) -> int:
    """Print an answer to each task as it is found; return the worst exit status.

    A summary follows on the error stream, if that is a screen.
    """
    outcomes: Counter[Outcome | None] = Counter()
    lengths: Counter[int] = Counter()
    began = perf_counter()
    many.notice, many.watching = say, live_line
    for answer in _answers_of_user_code(tasks, many) if runs_user_code else many.answers(tasks):
        # An answer is written to its end, and those that are found when Ctrl-C comes, too.
        with DeferredInterrupts() as block:
            write(answer)
            sys.stdout.flush()
            outcomes[answer.outcome if isinstance(answer, Result) else None] += 1
            if isinstance(answer, Result) and answer.cost is not None:
                lengths[answer.cost] += 1
        if block.is_interrupted:
            many.end(INTERRUPTED)
    if is_terminal(sys.stderr) and outcomes.total() > 1:
        for line in _summary(outcomes, [*lengths.elements()], perf_counter() - began):
            say(line)
    if not many.is_complete and Outcome.STOPPED not in outcomes:
        # No answer says so.
        raise KeyboardInterrupt
    statuses = {STATUS[outcome] if outcome else BAD_INPUT for outcome in outcomes}
    return next((status for status in (BAD_INPUT, STOPPED, REFUTED) if status in statuses), OK)


def _answers_of_user_code(tasks: Iterable[Task | TaquinError], many: Many) -> Iterator[Answer]:
    """Yield an answer to each board from a worker process, which is replaced when it was killed."""
    many.is_complete = False
    for task in tasks:
        if isinstance(task, TaquinError):
            yield task
            continue
        try:
            answer = solve_task(task, many.wishes)
        except TaquinError as error:
            yield error
            continue
        yield answer
        if answer.outcome is Outcome.STOPPED or many.is_over:
            return
    many.is_complete = True


def _summary(
    outcomes: Counter[Outcome | None], lengths: Sequence[int], seconds: float
) -> Iterator[str]:
    """Yield a sentence on all boards, and a histogram of the lengths of their solutions."""
    counts = {words: outcomes[outcome] for outcome, words in _OUTCOMES.items()}
    parts = ", ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    boards = counted(outcomes.total(), "board")
    head = f"{boards}: {parts}, in {seconds_in_words(seconds)}."
    if not lengths:
        yield head
        return
    from statistics import fmean, median

    low, high = min(lengths), max(lengths)
    span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    mean, middle = fmean(lengths), median(lengths)
    yield f"{head} Moves: {span}, mean {mean:,.1f}, median {middle:,.10g}."
    if low < high:
        yield from histogram(lengths, columns())


def json_writer(likeness: Likeness | None) -> Writer:
    """Return a writer of one JSON object for each board or fault, in the counts of a source."""

    def write(answer: Answer) -> None:
        if isinstance(answer, Result):
            sys.stdout.write(f"{result_line(answer, options.like_json(likeness, answer))}\n")
        else:
            line = answer.line if isinstance(answer, NotationError) else None
            print_json({"error": with_notes(answer), "line": line})

    return write


def csv_writer(likeness: Likeness | None) -> Writer:
    """Return a writer of headings, and a row of CSV for each board or fault, as `json_writer`."""
    headings = chain([True], repeat(False))

    def write(answer: Answer) -> None:
        nodes = None
        if isinstance(answer, Result):
            record = csv_record(_COLUMNS, answer) | {"start": answer.start.text()}
            if answer.moves is not None:
                record["moves"] = write_moves(answer.moves, answer.puzzle.metric)
            nodes = likeness and likeness.counter(answer.algorithm, answer.stats)
        else:
            fault = {"outcome": "error", "reason": with_notes(answer)}
            record = csv_record(_COLUMNS, None) | fault
        if likeness:
            record[likeness.count] = nodes
        print_csv([record], heading=next(headings))

    return write


def styled_writer(show: Callable[[Result], None], in_lines: bool) -> Writer:
    """Return a writer that shows solutions; with `in_lines`, an empty line where there is none."""
    numbers = count(1)

    def write(answer: Answer) -> None:
        number = next(numbers)
        if isinstance(answer, TaquinError):
            say(f"Error: {with_notes(answer)}")
            if in_lines:
                click.echo()
            return
        if number > 1 and not in_lines:
            click.echo()
        if in_lines and answer.outcome is not Outcome.SOLVED:
            say(f"Board {number}, {answer.start.text()}:")
        if in_lines and answer.moves is None:
            click.echo()
        show(answer)

    return write


def histogram(numbers: Sequence[int], width: int) -> Iterator[str]:
    r"""Yield a bar for each range of numbers, in lines of at most `width` characters.

    >>> print(*histogram([2, 2, 2, 3, 5], 20), sep="\n")
    2  ███ 3
    3  █ 1
    4   0
    5  █ 1
    """
    low, high = min(numbers), max(numbers)
    step = -(-(high - low + 1) // _MAX_BARS)
    counts = Counter((number - low) // step for number in numbers)
    labels = [
        f"{first:,}" if step == 1 else f"{first:,}–{min(first + step - 1, high):,}"
        for first in range(low, high + 1, step)
    ]
    label_width, most = max(map(len, labels)), max(counts.values())
    longest = max(1, min(_LONGEST_BAR, most, width - label_width - len(f"{most:,}") - 3))
    for index, label in enumerate(labels):
        bar = "█" * -(-counts[index] * longest // most)
        yield f"{label.rjust(label_width)}  {bar} {counts[index]:,}"
