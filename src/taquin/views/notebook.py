"""What a notebook shows for a value: boards, goals and trees as SVG, results and audits as HTML."""

from __future__ import annotations

from html import escape

from taquin.heuristics.audit import Audit
from taquin.model.board import Arrangement
from taquin.search.result import Result
from taquin.views.pictures.boards import course
from taquin.views.pictures.strips import MOST_BOARDS, Captioned, board_scene, solution_strip, strip
from taquin.views.pictures.svg import to_svg
from taquin.views.pictures.trees import to_svg as tree_svg
from taquin.views.tree import Tree
from taquin.views.wording import headline


def drawn(value: object, form: str) -> str | None:
    """Return a value as `svg` or as `html`, whichever suits it; None for the other one."""
    match value, form:
        case Arrangement(), "svg":
            return to_svg(board_scene(value))
        case Tree(), "svg":
            return tree_svg(value)
        case Result(), "html":
            title, note = headline(value), f"{value.algorithm}, {value.engine}"
            if value.moves is not None and len(value.moves) < MOST_BOARDS:
                return to_svg(solution_strip(value, title, note))
            start = Captioned("start", course([value.start]))
            return to_svg(strip([start], value.start, title, note))
        case Audit(), "html":
            return _audit(value)
    return None


def _audit(audit: Audit) -> str:
    """Return what was found, and the boards that prove it."""
    verdicts = "".join(f"<li>{escape(verdict)}</li>" for verdict in audit.verdicts())
    proofs = []
    if (over := audit.overestimate) is not None:
        proofs.append((over.board, f"estimate {over.estimate}, distance {over.distance}"))
    if (fall := audit.fall) is not None:
        proofs.append((fall.parent, f"estimate {fall.parent_estimate}"))
        proofs.append((fall.child, f"a move later {fall.child_estimate}"))
    cards = [Captioned(caption, course([board])) for board, caption in proofs]
    picture = to_svg(strip(cards, proofs[0][0], "Counterexamples")) if proofs else ""
    heading = f"<b>{escape(audit.heuristic)}</b> on {audit.puzzle.grid}"
    return f"<p>{heading}</p><ul>{verdicts}</ul>{picture}"
