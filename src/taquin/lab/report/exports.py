"""The tables of a report for other programs: LaTeX, and flat rows for CSV."""

from __future__ import annotations

from collections.abc import Iterable

from taquin.lab.report.document import Entry, Table
from taquin.system.tex import tex


def to_latex(table: Table) -> str:
    r"""Return a table as LaTeX, to be included by `\input`; it needs `\usepackage{booktabs}`."""
    caption = " ".join(filter(None, [table.title and f"{table.title}.", table.caption]))
    lines = [
        r"% In the preamble: \usepackage{booktabs}. In the text: \input{FILE}",
        r"\begin{table}",
        rf"\caption{{{tex(' '.join(filter(None, [caption, table.legend])))}}}",
        rf"\begin{{tabular}}{{{'l' * len(table.headings)}{'r' * len(table.columns)}}}",
        r"\toprule",
    ]
    if table.over and table.columns:
        over = rf"\multicolumn{{{len(table.columns)}}}{{c}}{{{tex(table.over)}}}"
        lines.append(_line([*[""] * len(table.headings), over]))
    lines += [_line(map(tex, (*table.headings, *table.columns))), r"\midrule"]
    for row in table.rows:
        entries = (f"{entry.text} {entry.mark.value}".strip() for entry in row.entries)
        lines.append(_line(map(tex, (*row.labels, *entries))))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _line(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def flat_rows(table: Table) -> list[dict[str, str | float | None]]:
    """Return the rows of a table, with numbers in full and None for a dash.

    A number that is only a lower bound is a text: `>= 5000`.
    """
    names = [heading or "figure" for heading in table.headings]
    columns = [f"{table.over} {name}" if name in names else name for name in table.columns]
    return [
        dict(zip((*names, *columns), (*row.labels, *map(_plain, row.entries)), strict=True))
        for row in table.rows
    ]


def _plain(entry: Entry) -> str | float | None:
    if entry.value is None:
        return None if entry.text == "–" else entry.text
    return f">= {entry.value}" if entry.text.startswith("≥") else entry.value
