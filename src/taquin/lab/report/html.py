"""A report as one page: nothing to load, light or dark as the reader likes, good on paper."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib import resources

from taquin.lab.report.document import Drawn, Entry, Figure, Mark, Report, Section, Table
from taquin.lab.report.plots import available, to_svg
from taquin.lab.report.text import parts_of

_CLASSES = {Mark.EQUAL: "same", Mark.INSIDE: "same", Mark.DIFFERENT: "other", Mark.OUTSIDE: "other"}
_CELLS = {"": "none", "#": "wall", "@": "agent"}
_LETTERS = 100
"""How wide a table may be: what a sheet of paper holds."""
_NO_PLOTS = "The figures are left out, as Matplotlib is not installed: pip install 'taquin[plots]'."


def to_html(report: Report) -> str:
    """Return the report as a page that stands alone; without Matplotlib it has no figures."""
    return "\n".join(_page(report)) + "\n"


def _page(report: Report) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f"<title>{escape(report.title)}</title>"
    style = (resources.files("taquin.lab.report") / "page.css").read_text(encoding="utf-8")
    yield f"<style>\n{style}</style></head>"
    yield "<body><main>"
    yield f"<h1>{escape(report.title)}</h1>"
    for paragraph in report.description.strip().splitlines():
        yield f'<p class="lead">{escape(paragraph)}</p>'
    drawn = available()
    number = 0
    for section in report.sections:
        yield from _section(section, drawn, number)
        number += len(section.figures)
    if report.notes:
        yield "<h2>Notes</h2>"
        yield from _notes(report.notes)
    yield "<footer>"
    if not drawn and number:
        yield f"<p>{escape(_NO_PLOTS)}</p>"
    yield f"<p>{escape(report.origin)}</p>"
    yield "</footer></main></body></html>"


def _section(section: Section, drawn: bool, before: int) -> Iterator[str]:
    yield f"<section><h2>{escape(section.title)}</h2>"
    if section.text:
        yield f"<p>{escape(section.text)}</p>"
    if section.boards:
        yield '<div class="boards">'
        yield from map(_board, section.boards)
        yield "</div>"
    for table in section.tables:
        for part in parts_of(table, _LETTERS):
            yield from _table(part)
        for line in (table.caption, table.legend):
            if line:
                yield f'<p class="caption">{escape(line)}</p>'
    if drawn:
        for number, figure in enumerate(section.figures, before + 1):
            yield from _figure(figure, number)
    if section.notes:
        yield from _notes(section.notes)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    yield f'<div class="wide"><table><caption>{escape(table.title)}</caption><thead>'
    heads = len(table.headings)
    if table.over and table.columns:
        empty = f'<th class="over" colspan="{heads}"></th>'
        over = f'<th class="over" colspan="{len(table.columns)}">{escape(table.over)}</th>'
        yield f"<tr>{empty}{over}</tr>"
    labels = "".join(
        f'<th class="label" scope="col">{escape(word)}</th>' for word in table.headings
    )
    columns = "".join(f'<th scope="col">{escape(word)}</th>' for word in table.columns)
    yield f"<tr>{labels}{columns}</tr></thead><tbody>"
    before, marked = None, bool(table.legend)
    for row in table.rows:
        first = row.labels[0] != before
        before = row.labels[0]
        kinds = ["group"] if first and len(row.labels) > 1 else []
        if row.labels[-1] == "printed":
            kinds.append("printed")
        cells = []
        for at, label in enumerate(row.labels):
            shown = "" if at == 0 and not first else label
            kind = "label minor" if at else "label"
            cells.append(f'<th class="{kind}" scope="row">{escape(shown)}</th>')
        cells += [_cell(entry, marked) for entry in row.entries]
        yield f'<tr class="{" ".join(kinds)}">{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _board(board: Drawn) -> str:
    wide = max(map(len, board.cells), default=1)
    cells = "".join(
        f'<span class="{_CELLS.get(cell, "tile")}">{"" if cell == "#" else escape(cell)}</span>'
        for row in board.cells
        for cell in row
    )
    return (
        f'<div class="board"><b>{escape(board.label)}</b>'
        f'<div style="grid-template-columns: repeat({wide}, 1fr)">{cells}</div></div>'
    )


def _cell(entry: Entry, marked: bool) -> str:
    kind = _CLASSES.get(entry.mark, "")
    # Every cell of a table with marks leaves room for one, so that digits stay below digits.
    mark = f'<span class="mark">{entry.mark.value}</span>' if marked else ""
    return f'<td class="{kind}">{escape(entry.text)}{mark}</td>'


def _figure(figure: Figure, number: int) -> Iterator[str]:
    yield "<figure>"
    yield to_svg(figure, caption=False, page=True)
    yield (
        f'<figcaption id="{figure.name}-caption"><b>Figure {number}.</b> '
        f"{escape(figure.title)}. {escape(figure.caption)}</figcaption>"
    )
    yield "</figure>"


def _notes(notes: tuple[str, ...]) -> Iterator[str]:
    yield '<ul class="notes">'
    for note in notes:
        yield f"<li>{escape(note)}</li>"
    yield "</ul>"
