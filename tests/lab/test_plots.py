"""Figures and the page: axes with units, captions, and a page that stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from taquin.errors import UnsuitableError
from taquin.lab.report import figures, reporting
from taquin.lab.report.document import Figure, FigureKind
from taquin.lab.report.reporting import report_of, report_of_records, to_html
from taquin.lab.study.reading import study_of_toml
from tests.lab.made_records import made, many
from tests.lab.test_report import BOARDS, PRINTED, reported

needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="Matplotlib, of the extra 'plots', is not installed"
)

ASKED = """
name = "made"
boards = [{ start = "1 2 / 0 3" }]
searches = [{ algorithm = "astar" }]
[report]
[[report.sections]]
title = "S"
figures = [
    { kind = "lines", title = "Lines & points", x = "width", log = "y" },
    { kind = "lines", title = "Shares", x = "limit_nodes", value = "solved", log = "x" },
    { kind = "bars", title = "ErrorBars", x = "board" },
    { kind = "bars", title = "ErrorBars of one", x = "search", series = "size" },
    { kind = "cactus", title = "Cactus", value = "seconds", log = "x" },
    { kind = "scatter", title = "Scatter", against = ["A*", "DFS"], log = "xy" },
    { kind = "histogram", title = "Histogram", value = "cost" },
]
"""


def drawn_figures() -> Iterator[Figure]:
    records = [
        made(
            f"board <{width}>",
            search,
            nodes=width * factor + seed,
            cost=None if (width, seed) == (5, 2) else width,
            seconds=width * factor / 1e4,
            seed=seed,
            limit=100,
            printed=width * 11,
            columns={"width": width, "size": "3x3"},
        )
        for width in range(1, 6)
        for search, factor in (("A*", 10), ("DFS", 50))
        for seed in (1, 2)
    ]
    yield from report_of(study_of_toml(ASKED), records).figures


FIGURES = list(drawn_figures())
assert {figure.kind for figure in FIGURES} == set(FigureKind)


@pytest.mark.sampled(4)
@needs_matplotlib
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_a_plot_has_a_title_axes_with_labels_and_a_caption(figure: Figure) -> None:
    drawing = figures.draw(figure, caption=True)
    (axes,) = drawing.axes
    assert axes.get_title(loc="left") == figure.title
    assert axes.get_xlabel() == figure.x.label != ""
    assert axes.get_ylabel() == figure.y.label != ""
    assert axes.get_xscale() == ("log" if figure.x.log else "linear")
    assert axes.get_yscale() == ("log" if figure.y.log else "linear")
    assert drawing.get_supxlabel().split() == figure.caption.split()
    assert len(figure.caption) > 40


@needs_matplotlib
def test_series_are_told_apart_by_more_than_their_colour() -> None:
    (axes,) = figures.draw(FIGURES[0]).axes
    lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    assert len(lines) == 2
    assert len({line.get_marker() for line in lines}) == 2
    assert len({line.get_linestyle() for line in lines}) == 2


@pytest.mark.sampled(4)
@needs_matplotlib
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_the_same_figure_is_the_same_svg_and_well_formed(figure: Figure) -> None:
    text = figures.to_svg(figure)
    assert text == figures.to_svg(figure)
    root = ElementTree.fromstring(text)
    words = " ".join(text for text in root.itertext() if text.strip())
    assert figure.x.label in words
    assert figure.y.label in words


@needs_matplotlib
def test_a_png_is_one_and_dollars_in_titles_are_dollars() -> None:
    image = figures.to_png(FIGURES[0], dpi=50)
    assert image.startswith(b"\x89PNG")
    assert image == figures.to_png(FIGURES[0], dpi=50)
    assert "$x_{$ and $" in figures.to_svg(replace(FIGURES[2], title="$x_{$ and $"))


@needs_matplotlib
def test_a_plot_for_a_page_has_names_of_its_own_and_the_ink_of_the_page() -> None:
    elements = [figures.to_svg(figure, caption=False, page=True) for figure in FIGURES[:2]]
    for text in elements:
        ElementTree.fromstring(text)
        assert text.startswith("<svg")
        assert "currentColor" in text
        assert "metadata" not in text
    ids = [{each.get("id") for each in ElementTree.fromstring(text).iter()} for text in elements]
    assert ids[0] & ids[1] == {None}


def test_without_matplotlib_a_plot_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    with pytest.raises(UnsuitableError, match=r"taquin\[plots\]"):
        figures.to_svg(FIGURES[0])


def twelve_searches(kind: str) -> Figure:
    asked = f'[[report.sections]]\ntitle = "S"\nfigures = [{{ kind = "{kind}", value = "cost" }}]'
    study = study_of_toml(ASKED.partition("[report]")[0] + asked)
    records = [
        made(f"b{board}", f"search {number}", cost=board)
        for board in range(1, 9)
        for number in range(12)
    ]
    (figure,) = report_of(study, records).figures
    return figure


@needs_matplotlib
def test_no_two_of_twelve_lines_look_alike_and_each_histogram_has_a_panel() -> None:
    (axes,) = figures.draw(twelve_searches("lines")).axes
    assert len({(line.get_color(), line.get_marker()) for line in axes.lines}) == 12
    strokes = (figures._stroke(number, 1) for number in range(12))
    assert len({(look["color"], str(look["linestyle"])) for look in strokes}) == 12
    figure = twelve_searches("histogram")
    panels = figures.draw(figure).axes
    assert [axes.get_title(loc="left") for axes in panels] == [each.label for each in figure.series]
    assert len({axes.get_xlim() for axes in panels}) == 1
    for axes in panels:
        assert min(patch.get_extents().width for patch in axes.patches) > 5


_NAMESPACES = re.compile(r'xmlns(?::\w+)?="[^"]*"')


def root_of(page: str) -> ElementTree.Element:
    """Return the root of a page; it is XML as well as HTML."""
    head, _, rest = page.partition("\n")
    assert head == "<!DOCTYPE html>"
    return ElementTree.fromstring(rest)


def test_the_page_loads_nothing_is_well_formed_and_has_every_figure_with_its_caption() -> None:
    report = report_of_records("a <b> & 'c'", many(40, searches=2))
    page = to_html(report)
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    for loader in ("http:", "https:", "//", "<script", "<link", "<img", "@import", "url(http"):
        assert loader not in _NAMESPACES.sub("", page), loader
    root = root_of(page)
    assert root.findtext("head/title") == "a <b> & 'c'"
    names = [name for element in root.iter() if (name := element.get("id"))]
    assert len(names) == len(set(names))
    if find_spec("matplotlib"):
        captions = ["".join(each.itertext()) for each in root.iter("figcaption")]
        assert len(captions) == sum(each.tag.endswith("}svg") for each in root.iter())
        for number, (figure, caption) in enumerate(zip(report.figures, captions, strict=True), 1):
            assert caption == f"Figure {number}. {figure.title}. {figure.caption}"


def test_numbers_and_marks_are_on_the_page() -> None:
    records = [made("one", nodes=12345, printed=12345), made("two", nodes=7, printed=8)]
    root = root_of(to_html(reported(PRINTED, records)))
    cells = {("".join(cell.itertext()), cell.get("class")) for cell in root.iter("td")}
    assert ("12,345=", "same") in cells
    assert ("7≠", "other") in cells


@needs_matplotlib
def test_the_title_of_a_figure_stands_once_on_the_page() -> None:
    asked = '[[report.sections]]\ntitle = "S"\nfigures = [{ kind = "bars", title = "Once only" }]'
    assert to_html(reported(asked, [made()])).count("Once only") == 1


def test_without_matplotlib_the_page_has_its_tables_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reporting, "available", lambda: False)
    assert figures.available() == (find_spec("matplotlib") is not None)
    text = to_html(report_of_records("mine", many(20)))
    assert "<table" in text
    assert "<svg" not in text
    assert "taquin[plots]" in text


def test_a_wide_table_is_cut_into_parts_that_a_sheet_of_paper_holds() -> None:
    records = [made(f"a board with a name {number}", nodes=10**9) for number in range(30)]
    asked = '[[report.sections]]\ntitle = "S"\ntables = [{ title = "Nodes" }]'
    tables = list(root_of(to_html(reported(asked, records))).iter("table"))
    columns = [[each.text for each in table.iter("th")] for table in tables]
    assert len(tables) > 2
    assert all(sum(len(word or "") + 2 for word in words) < 250 for words in columns)
    assert sum(len(list(table.iter("td"))) for table in tables) == 30


def test_boards_are_drawn_on_the_page() -> None:
    record = made("<P1>")
    record = replace(record, run=replace(record.run, start="A # / . 0", goal="* # / A 0"))
    root = root_of(to_html(reported(BOARDS, [record])))
    drawn = [each for each in root.iter("div") if each.get("class") == "board"]
    assert [each.findtext("b") for each in drawn] == ["start", "goal"]
    cells = [(cell.get("class"), cell.text) for cell in drawn[0].iter("span")]
    assert cells == [("tile", "A"), ("wall", None), ("none", None), ("agent", "@")]
