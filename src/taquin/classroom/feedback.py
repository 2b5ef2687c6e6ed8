"""A page of feedback for each student: the points, and each board with its first wrong move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from taquin import Board
from taquin.classroom.papers import GradedAnswer, Paper
from taquin.system.files import atomic_write

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
section { display: flex; gap: 1.5rem; flex-wrap: wrap; border-top: 1px solid #999; padding: 1rem 0 }
section > div { flex: 1 1 18rem }
figure { margin: 0; width: 9rem } svg { width: 100%; height: auto }
h2 { margin: 0; font-size: 1.1rem } figcaption { font-size: .85rem }
code { overflow-wrap: anywhere }
@media print { section { break-inside: avoid } }
"""


def write_feedback(folder: Path, papers: Sequence[Paper], most: float) -> int:
    """Write a page for each paper into a folder, and return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(_file_names(papers), 1):
        with atomic_write(folder / f"{name}.html") as file:
            file.write(feedback_page(papers[number - 1], most).encode())
    return len(papers)


def feedback_page(paper: Paper, most: float) -> str:
    """Return the page of a paper."""
    name = escape(paper.name or paper.student or "Feedback")
    points = "needs review" if paper.points is None else f"{paper.points:g} of {most:g} points"
    general = "".join(f"<p>{escape(remark)}</p>\n" for remark in paper.remarks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{name}: {points}</h1>\n{general}"
        f"{''.join(map(_section, paper.answers))}</body>\n</html>\n"
    )


def _section(answer: GradedAnswer) -> str:
    grade = answer.grade
    points = "needs review" if answer.points is None else f"{answer.points:g} points"
    pictures = _figure(Board(answer.start), "the board")
    if grade.reached is not None and grade.moves and not grade.solved:
        caption = f"before move {grade.wrong}" if grade.wrong else "after the last move"
        pictures += _figure(grade.reached, caption)
    text = f"<p>Answer: <code>{escape(answer.text)}</code></p>" if answer.text else ""
    return (
        f"<section>\n<div><h2>Board {answer.number}: {points}</h2>\n{text}"
        f"<p>{escape(grade.remark)}</p></div>\n{pictures}</section>\n"
    )


def _figure(board: Board, caption: str) -> str:
    drawing = board._repr_svg_() or ""
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>\n"


def _file_names(papers: Sequence[Paper]) -> list[str]:
    """Return a distinct name for the file of each paper, without special characters."""
    names = [re.sub(r"[^\w .()-]+", "_", paper.student).strip(" .") for paper in papers]
    names = [name or "feedback" for name in names]
    lowered = [name.casefold() for name in names]
    return [
        name if lowered.count(key) == 1 else f"{name} ({number})"
        for number, (name, key) in enumerate(zip(names, lowered, strict=True), 1)
    ]
