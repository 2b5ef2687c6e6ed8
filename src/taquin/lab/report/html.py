"""A report as one self-contained HTML page, in light or dark, for screens and paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources
from itertools import chain, count

from taquin.lab.report.document import BoardDrawing, Mark, Report, Section, Table
from taquin.lab.report.plots import available, to_svg
from taquin.lab.report.text import parts_of
from taquin.system.extras import install_command

_MARK_CLASSES = {
    **dict.fromkeys((Mark.EQUAL, Mark.INSIDE), "same"),
    **dict.fromkeys((Mark.DIFFERENT, Mark.OUTSIDE), "other"),
    Mark.NONE: "",
}
_CELL_CLASSES = {"": "none", "#": "wall", "@": "agent"}
_TABLE_WIDTH = 100
"""The most characters in a line of a table, so that it fits a sheet of paper."""


def to_html(report: Report) -> str:
    """Return the report as a self-contained page, with figures if Matplotlib is installed."""
    style = (resources.files("taquin.lab.report") / "page.css").read_text(encoding="utf-8")
    figure_numbers = count(1) if available() else None
    footer = [report.origin]
    if figure_numbers is None and any(report.figures):
        how = install_command("plots")
        footer.insert(0, f"The figures are omitted, as Matplotlib is not installed: {how}.")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"/>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<title>{escape(report.title)}</title>",
        f"<style>\n{style}</style></head>",
        "<body><main>",
        f"<h1>{escape(report.title)}</h1>",
        *(
            f'<p class="lead">{escape(line)}</p>'
            for line in report.description.strip().splitlines()
        ),
        *(line for section in report.sections for line in _section(section, figure_numbers)),
        *(["<h2>Notes</h2>", *_notes(report.notes)] if report.notes else []),
        "<footer>",
        *(f"<p>{escape(line)}</p>" for line in footer),
        "</footer></main></body></html>",
    ]
    return "\n".join(lines) + "\n"


def _section(section: Section, figure_numbers: Iterable[int] | None) -> Iterator[str]:
    """Yield a section, without its figures if `figure_numbers` is None."""
    yield f"<section><h2>{escape(section.title)}</h2>"
    if section.text:
        yield f"<p>{escape(section.text)}</p>"
    if section.boards:
        yield '<div class="boards">'
        yield from map(_board, section.boards)
        yield "</div>"
    for table in section.tables:
        for part in parts_of(table, _TABLE_WIDTH):
            yield from _table(part)
        for line in filter(None, (table.caption, table.legend)):
            yield f'<p class="caption">{escape(line)}</p>'
    # Figures first: `zip` must not consume a number that the next section needs.
    for figure, number in zip(section.figures, figure_numbers or (), strict=False):
        yield "<figure>"
        yield to_svg(figure, caption=False, page=True)
        caption = f"{escape(figure.title)}. {escape(figure.caption)}"
        label = f'<figcaption id="{figure.name}-caption"><b>Figure {number}.</b>'
        yield f"{label} {caption}</figcaption>"
        yield "</figure>"
    if section.notes:
        yield from _notes(section.notes)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f'<div class="wide"><table><caption>{escape(table.title)}</caption><thead>'
    if table.over and table.columns:
        empty = f'<th class="over" colspan="{len(table.headings)}"></th>'
        over = f'<th class="over" colspan="{len(table.columns)}">{escape(table.over)}</th>'
        yield f"<tr>{empty}{over}</tr>"
    headings = [f'<th class="label" scope="col">{escape(text)}</th>' for text in table.headings]
    headings += [f'<th scope="col">{escape(text)}</th>' for text in table.columns]
    yield f"<tr>{''.join(headings)}</tr></thead><tbody>"
    group, has_marks = None, bool(table.legend)
    for row in table.rows:
        is_first = row.labels[0] != group
        group = row.labels[0]
        classes = ["group"] if is_first and len(row.labels) > 1 else []
        classes += ["printed"] if row.labels[-1] == "printed" else []
        first, *others = row.labels
        shown = escape(first) if is_first else ""
        cells = [f'<th class="label" scope="row">{shown}</th>']
        cells += [f'<th class="label minor" scope="row">{escape(label)}</th>' for label in others]
        for entry in row.entries:
            # Every cell of a table with marks reserves space for one, to align the digits.
            mark = f'<span class="mark">{entry.mark.value}</span>' if has_marks else ""
            cells.append(f'<td class="{_MARK_CLASSES[entry.mark]}">{escape(entry.text)}{mark}</td>')
        yield f'<tr class="{" ".join(classes)}">{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _board(board: BoardDrawing) -> str:
    width = max(map(len, board.cells), default=1)
    cells = "".join(
        f'<span class="{_CELL_CLASSES.get(cell, "tile")}">{escape(text)}</span>'
        for cell in chain(*board.cells)
        for text in ["" if cell == "#" else cell]
    )
    return (
        f'<div class="board"><b>{escape(board.label)}</b>'
        f'<div style="grid-template-columns: repeat({width}, 1fr)">{cells}</div></div>'
    )


def _notes(notes: Iterable[str]) -> list[str]:
    return ['<ul class="notes">', *(f"<li>{escape(note)}</li>" for note in notes), "</ul>"]
