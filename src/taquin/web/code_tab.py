"""User code in the page: its estimate of a board, searches with it, an audit, and a score.

    names      the names that the code defines, and the one that is tried
    value      the estimate of the board, for each tile, and after each move; printed text
    search     a search with it, and others to compare: one event for each
    audit      the audit on all boards of 3×3, or on those nearest the goal
    course     a search over time: points, at most some hundred, and the rounds of a deepening one
    step       one of the boards of the score
    score      the score of the heuristic
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
from math import ceil, inf
from typing import Any

from taquin import Board, Goal, Puzzle, audit, trace
from taquin.analysis.isolated import checked
from taquin.errors import TaquinError, UnsuitableError, with_notes
from taquin.heuristics import estimate_by_tile
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.user_code import UserCode, UserHeuristic, blaming_user_code
from taquin.model.space import Space
from taquin.notation.fields import Fields
from taquin.reasons import Reason, reason
from taquin.search.control import Control
from taquin.search.driver import solve
from taquin.search.events import BoundRaised, Expanded, Finished
from taquin.search.result import Count, Limits, Task, how_to_prove, verdict
from taquin.web.endpoints import puzzle_of, search_of
from taquin.web.messages import message
from taquin.web.page_jobs import CODE_FILE, Emit, PageJob, Settings, ShouldStop

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
_COURSE_LIMITS = Limits(nodes=3_000, seconds=2.0, counting=Count.EXPANDED)
_MOST_POINTS = 240
_AUDITED_CELLS = 9
_MOST_PRINTED = 2_000
"""Characters."""
_SCORED = (
    ("0 1 3 / 4 2 5 / 7 8 6", 4, 4),
    ("1 3 6 / 4 0 2 / 7 5 8", 6, 6),
    ("2 3 5 / 1 0 4 / 7 8 6", 8, 8),
    ("4 2 0 / 7 1 3 / 8 5 6", 10, 22),
    ("5 0 4 / 1 3 2 / 7 8 6", 11, 13),
    ("1 3 0 / 4 5 6 / 2 7 8", 12, 27),
    ("1 3 8 / 0 2 5 / 4 7 6", 13, 42),
    ("0 8 3 / 2 4 5 / 7 1 6", 14, 43),
    ("2 3 7 / 1 8 0 / 5 4 6", 15, 19),
    ("5 4 3 / 7 0 1 / 8 2 6", 16, 85),
    ("2 7 3 / 6 1 8 / 4 0 5", 17, 108),
    ("0 7 3 / 8 1 2 / 6 5 4", 18, 70),
    ("2 0 5 / 3 1 8 / 4 6 7", 19, 121),
    ("1 2 6 / 8 0 3 / 7 5 4", 20, 625),
    ("4 1 5 / 0 3 2 / 8 6 7", 21, 388),
    ("8 3 5 / 1 7 2 / 6 4 0", 22, 176),
    ("7 4 8 / 2 3 1 / 5 0 6", 23, 633),
    ("5 6 0 / 3 2 4 / 8 1 7", 24, 1243),
    ("8 3 2 / 0 7 4 / 6 5 1", 25, 705),
    ("0 6 1 / 8 5 2 / 3 7 4", 26, 1254),
)
"""The boards of the score: each with its distance from the goal, and the boards that A* expands
with the Manhattan distance."""
_SCORE_LIMITS = Limits(nodes=10_000, seconds=15.0, counting=Count.EXPANDED)
"""A search that ends there counts as that many boards."""
_SCORE_AUDIT_SECONDS = 20.0


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
                yield
            for text in (f"astar({own})", f"idastar({own})") if kind == "heuristic" else (own,):
                with suppress(UnsuitableError):
                    emit("course", self._course(text))
                yield

    def _value(self, name: str) -> dict[str, Any]:
        heuristic, printed, tiles = _heuristic(name, self.settings), StringIO(), None
        with redirect_stdout(printed), blaming_user_code():
            space = Space(self.puzzle, self.start)
            evaluator = evaluator_for(heuristic, space)
            evaluate, value = evaluator.value, evaluator.value(space.start)
            text = printed.getvalue()
            after = [
                {"move": str(move), "value": evaluate(space.encode(board))}
                for move, board in self.puzzle.successors(self.start)
            ]
            with suppress(TaquinError):
                tiles = list(estimate_by_tile(heuristic, self.start, self.puzzle.goal).items())
        remarks = list(getattr(evaluator, "remarks", ()))
        record = {"value": value, "tiles": tiles, "after": after, "remarks": remarks}
        return record | {"printed": text[:_MOST_PRINTED]}

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

    def _course(self, text: str) -> dict[str, Any]:
        """Return how a search goes on, from one expansion to the next."""
        points: list[tuple[float, ...]] = []
        rounds: list[tuple[int, float]] = []
        for event in trace(self.puzzle, self.start, search_of(text, self.settings), _COURSE_LIMITS):
            match event:
                case Expanded(node, frontier):
                    points.append((len(points) + 1, frontier, node.f, node.depth))
                case BoundRaised(bound):
                    rounds.append((len(points) + 1, bound))
                case Finished(result):
                    solved = result.cost is not None
        step = max(1, ceil(len(points) / _MOST_POINTS))
        return {"search": text, "points": points[::step], "rounds": rounds, "solved": solved}


@dataclass(frozen=True, slots=True)
class OwnScore(PageJob):
    """Compare the user's heuristic with the Manhattan distance on fixed boards."""

    settings: Settings
    name: str
    seconds = inf

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Emit a step for each board, and the score: 100 for as many boards as Manhattan.

        Only an admissible heuristic has one: any other may expand few boards and miss the optimum.
        """
        puzzle, total, longer, cut = Puzzle(Goal.blank_last(3, 3)), 0, 0, 0
        manhattan = sum(expanded for *_, expanded in _SCORED)
        with _faults(emit):
            search = search_of(f"astar({CODE_FILE}:{self.name})", self.settings)
            for number, (text, distance, expected) in enumerate(_SCORED, 1):
                task = Task(puzzle, Board.parse(text), search, _SCORE_LIMITS)
                result = solve(task, search, Control(_SCORE_LIMITS))
                is_cut = result.cost is None
                expanded = _SCORE_LIMITS.nodes if is_cut else result.stats.expanded
                assert expanded is not None
                total, cut = total + expanded, cut + is_cut
                longer += not is_cut and result.cost != distance
                counts = {"expanded": expanded, "manhattan": expected, "cost": result.cost}
                emit("step", {"number": number, "of": len(_SCORED), "distance": distance, **counts})
                yield
            heuristic = _heuristic(self.name, self.settings)
            over = audit(heuristic, puzzle, seconds=_SCORE_AUDIT_SECONDS).overestimate
            score = None if over or longer else round(100 * manhattan / total)
            record = {"score": score, "cut": cut, "longer": longer, "manhattan": manhattan}
            emit("score", {**record, "expanded": total, "overestimate": over and over.board.rows()})


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


def own_score(fields: Fields, settings: Settings) -> PageJob:
    """Return the job of scoring the user's heuristic."""
    puzzle_of(fields, settings)
    return OwnScore(settings, fields.text("name", _DEFAULT_NAME))


def _kinds(settings: Settings) -> dict[str, str]:
    """Return the names that the code defines, each with `heuristic` or `search`, in order."""
    # Loading any name runs the code, and its errors show their line.
    _code("__name__", settings).load()
    kinds = {}
    for node in ast.parse(settings.user_code or "").body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.Assign([ast.Name(name)]):
                value = _code(name, settings).load()
                # A search yields, or uses the goal of its board.
                is_search = any(
                    isinstance(part, ast.Yield)
                    or (isinstance(part, ast.Attribute) and part.attr in ("goal", "is_goal"))
                    for part in ast.walk(node)
                )
                if hasattr(value, "loop") or (_takes_a_board(value) and is_search):
                    kinds[name] = "search"
                elif hasattr(value, "bind") or _takes_a_board(value):
                    kinds[name] = "heuristic"
    if not kinds:
        raise UnsuitableError(reason("no-function", name=_DEFAULT_NAME))
    return kinds


def _takes_a_board(value: object) -> bool:
    if not callable(value) or isclass(value):
        return False
    with suppress(TypeError, ValueError):
        signature(value).bind(None)
        return True
    return False


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
        told = Reason(with_notes(error)) if hasattr(error, "__notes__") else error.reason
        line = re.search(rf"{re.escape(CODE_FILE)}, line (\d+)", told)
        match = re.search(r".*\bfor (?:the board )?([^,;]+ / [^,;]+)", told)
        board = None
        with suppress(TaquinError):
            board = Board.parse(match[1]).rows() if match else None
        emit("fault", {**message(told), "line": line and int(line[1]), "board": board})
