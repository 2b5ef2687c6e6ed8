"""User code in the page: its estimate of a board, searches with it, and an audit.

    names      the names that the code defines, and the one that is tried
    value      the estimate of the board, for each tile, and after each move; printed text
    search     a search with it, and others to compare: one event for each
    audit      the audit on all boards of 3×3, or on those nearest the goal
    fault      an error: a sentence, and the line and the board if they are known

These jobs run in a browser only (`browser.py`); a server has no route to them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from inspect import isclass, signature
from io import StringIO
from math import inf
from typing import Any

from taquin import Board, Goal, Label, Puzzle, audit, estimate_by_tile
from taquin.analysis.isolated import checked
from taquin.errors import TaquinError, UnsuitableError, with_notes
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.user_code import UserCode, UserHeuristic, blaming_user_code
from taquin.model.space import Space
from taquin.notation.fields import Fields
from taquin.search.control import Control
from taquin.search.driver import solve
from taquin.search.result import Limits, Task, how_to_prove, verdict
from taquin.web.endpoints import puzzle_of, search_of
from taquin.web.page_jobs import Emit, PageJob, ShouldStop
from taquin.web.settings import CODE_FILE, Settings

_DEFAULT_NAME = "mine"
"""The name that is tried by default, if the code defines it."""
_COMPARED = {
    "heuristic": ("astar(misplaced)", "astar(manhattan)", "astar(linear-conflict)"),
    "search": ("bfs", "greedy(manhattan)", "astar(manhattan)"),
}
"""The searches to compare with, by the kind of the user code."""
_LIMITS = Limits(nodes=20_000, seconds=4.0)
"""The limits of each of these searches."""
_LIVE_SECONDS, _AUDIT_SECONDS = 2.0, 120.0
"""The limits of the audit in a report, and of one that the user asks for."""
_AUDITED_CELLS = 9
_MOST_PRINTED = 2_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class OwnReport(PageJob):
    """Try user code on a board."""

    puzzle: Puzzle
    start: Board
    settings: Settings
    """With the code."""
    name: str | None = None
    """The name that is tried; None for the default."""
    seconds = inf

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Emit the events above in their order, until a fault."""
        with _faults(emit):
            kinds = _kinds(self.settings)
            default = _DEFAULT_NAME if _DEFAULT_NAME in kinds else list(kinds)[-1]
            name = self.name if self.name in kinds else default
            kind = kinds[name]
            emit("names", {"names": kinds, "name": name})
            yield
            if kind == "heuristic":
                emit("value", self._value(name))
                yield
            own = f"{CODE_FILE}:{name}"
            for text in (f"astar({own})" if kind == "heuristic" else own, *_COMPARED[kind]):
                emit("search", self._search(text))
                yield
            if kind == "heuristic":
                emit("audit", _audit(self, name, _LIVE_SECONDS))

    def _value(self, name: str) -> dict[str, Any]:
        heuristic, printed, tiles = _heuristic(name, self.settings), StringIO(), None
        with redirect_stdout(printed), blaming_user_code():
            space = Space(self.puzzle, self.start)
            evaluate = evaluator_for(heuristic, space).value
            value = evaluate(space.start)
            text = printed.getvalue()
            after = [
                {"move": str(move), "value": evaluate(space.encode(board))}
                for move, board in self.puzzle.successors(self.start)
            ]
            with suppress(TaquinError):
                tiles = list(estimate_by_tile(heuristic, self.start, self.puzzle.goal).items())
        return {"value": value, "tiles": tiles, "after": after, "printed": text[:_MOST_PRINTED]}

    def _search(self, text: str) -> dict[str, Any]:
        search = search_of(text, self.settings)
        task = Task(self.puzzle, self.start, search, _LIMITS)
        try:
            result = checked(solve(task, search, Control(_LIMITS)))
        except UnsuitableError as error:
            if CODE_FILE in text:
                raise
            return {"search": text, "expanded": None, "cost": None, "sentence": str(error)}
        return {
            "search": text,
            "expanded": result.stats.expanded,
            "cost": result.cost,
            "sentence": " ".join(filter(None, [verdict(result), how_to_prove(result)])),
        }


@dataclass(frozen=True, slots=True)
class OwnAudit(PageJob):
    """Audit the user's heuristic on all boards."""

    puzzle: Puzzle
    start: Board
    settings: Settings
    name: str
    seconds = inf

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the progress, and the findings."""

        def progress(distance: int, boards: int) -> None:
            emit("progress", {"distance": distance, "boards": boards})

        with _faults(emit):
            emit("audit", _audit(self, self.name, _AUDIT_SECONDS, progress))


def own_report(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of trying user code on a board."""
    return OwnReport(*puzzle_of(fields, settings), settings, fields.text("name", None))


def own_audit(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of auditing the user's heuristic."""
    return OwnAudit(*puzzle_of(fields, settings), settings, fields.text("name", _DEFAULT_NAME))


def _kinds(settings: Settings) -> dict[str, str]:
    """Return the names that the code defines, each with `heuristic` or `search`, in order."""
    # Loading any name runs the code, and its errors show their line.
    _code("__name__", settings).load()
    kinds = {}
    for node in ast.parse(settings.user_code or "").body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.Assign([ast.Name(name)]):
                value = _code(name, settings).load()
                if hasattr(value, "loop") or (_takes_a_board(value) and _uses_goal(node)):
                    kinds[name] = "search"
                elif hasattr(value, "bind") or _takes_a_board(value):
                    kinds[name] = "heuristic"
    if not kinds:
        raise UnsuitableError(f"expected a function of a board: def {_DEFAULT_NAME}(board): …")
    return kinds


def _takes_a_board(value: object) -> bool:
    if not callable(value) or isclass(value):
        return False
    with suppress(TypeError, ValueError):
        signature(value).bind(None)
        return True
    return False


def _uses_goal(node: ast.AST) -> bool:
    """Return whether a function is a search: it yields, or uses the goal of its board."""
    return any(
        isinstance(part, ast.Yield)
        or (isinstance(part, ast.Attribute) and part.attr in ("goal", "is_goal"))
        for part in ast.walk(node)
    )


def _code(name: str, settings: Settings) -> UserCode:
    return UserCode(CODE_FILE, name, source=settings.user_code)


def _heuristic(name: str, settings: Settings) -> UserHeuristic:
    return UserHeuristic(_code(name, settings))


def _audit(
    job: OwnReport | OwnAudit,
    name: str,
    seconds: float,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Return the audit on all boards with the goal of the page, or of 3×3 if it is larger."""
    is_small = job.puzzle.grid.size <= _AUDITED_CELLS
    puzzle = job.puzzle if is_small else Puzzle(Goal.blank_last(3, 3))
    start = job.start if is_small else None
    heuristic = _heuristic(name, job.settings)
    findings = audit(heuristic, puzzle, start, seconds=seconds, progress=progress)
    over, fall = findings.overestimate, findings.fall
    return {
        "admissible": findings.admissible,
        "consistent": findings.consistent,
        "stopped": findings.stopped,
        "sentences": findings.verdicts(),
        "goal": puzzle.goal.rows(),
        "overestimate": over
        and {"board": over.board.rows(), "estimate": over.estimate, "distance": over.distance},
        "fall": fall
        and {
            "boards": [fall.parent.rows(), fall.child.rows()],
            "estimates": [fall.parent_estimate, fall.child_estimate],
        },
    }


@contextmanager
def _faults(emit: Emit) -> Iterator[None]:
    """Emit an error of user code as a fault."""
    try:
        yield
    except TaquinError as error:
        sentence = with_notes(error)
        line = re.search(rf"{re.escape(CODE_FILE)}, line (\d+)", sentence)
        emit(
            "fault",
            {"sentence": sentence, "line": line and int(line[1]), "board": _named(sentence)},
        )


def _named(sentence: str) -> tuple[tuple[Label, ...], ...] | None:
    """Return the rows of the board on which the code failed, if the sentence names it."""
    match = re.search(r".*\bfor (?:the board )?([^,;]+ / [^,;]+)", sentence)
    with suppress(TaquinError):
        return Board.parse(match[1]).rows() if match else None
    return None
