"""The page: it stands alone, is well formed, and shows what the report says."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from taquin.lab.report import figures, reporting
from taquin.lab.report.document import Report
from taquin.lab.report.reporting import report_of_records, to_html
from tests.lab.made_records import made, many
from tests.lab.test_plots import FIGURES
from tests.lab.test_report import BOARDS, PRINTED, reported

HAS_PLOTS = find_spec("matplotlib") is not None
_NAMESPACES = re.compile(r'xmlns(?::\w+)?="[^"]*"')


def page_of(report: Report) -> ElementTree.Element:
    """Return the root of the page; it is XML as well as HTML."""
    text = to_html(report)
    head, _, rest = text.partition("\n")
    assert head == "<!DOCTYPE html>"
    return ElementTree.fromstring(rest)


def test_the_page_loads_nothing() -> None:
    text = _NAMESPACES.sub("", to_html(report_of_records("mine", many(40, searches=2))))
    for loader in ("http:", "https:", "//", "<script", "<link", "<img", "@import", "url(http"):
        assert loader not in text, loader


def test_the_page_is_well_formed_and_no_two_elements_share_a_name() -> None:
    root = page_of(report_of_records("a <b> & 'c'", many(40, searches=2)))
    names = [name for element in root.iter() if (name := element.get("id"))]
    assert len(names) == len(set(names))
    assert root.findtext("head/title") == "a <b> & 'c'"


def test_numbers_and_marks_are_on_the_page() -> None:
    records = [made("one", nodes=12345, printed=12345), made("two", nodes=7, printed=8)]
    root = page_of(reported(PRINTED, records))
    cells = {("".join(cell.itertext()), cell.get("class")) for cell in root.iter("td")}
    assert ("12,345=", "same") in cells
    assert ("7≠", "other") in cells


@pytest.mark.skipif(not HAS_PLOTS, reason="Matplotlib, of the extra 'plots', is not installed")
def test_every_figure_has_its_picture_and_its_caption() -> None:
    report = report_of_records("mine", many(40, searches=2))
    root = page_of(report)
    captions = ["".join(each.itertext()) for each in root.iter("figcaption")]
    assert len(captions) == len(list(report.figures)) == len(list(_pictures(root)))
    for number, (figure, caption) in enumerate(zip(report.figures, captions, strict=True), 1):
        assert caption == f"Figure {number}. {figure.title}. {figure.caption}"


def _pictures(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [each for each in root.iter() if each.tag.endswith("}svg")]


@pytest.mark.slow
def test_the_page_suits_light_dark_and_paper() -> None:
    text = to_html(report_of_records("mine", many(20)))
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_without_matplotlib_the_page_has_its_tables_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert FIGURES
    monkeypatch.setattr(reporting, "available", lambda: False)
    assert figures.available() == HAS_PLOTS
    text = to_html(report_of_records("mine", many(20)))
    assert "<table" in text
    assert "<svg" not in text
    assert "taquin[plots]" in text


def test_a_wide_table_is_cut_into_parts_that_a_sheet_of_paper_holds() -> None:
    records = [made(f"a board with a name {number}", nodes=10**9) for number in range(30)]
    asked = '[[report.sections]]\ntitle = "S"\ntables = [{ title = "Nodes" }]'
    tables = list(page_of(reported(asked, records)).iter("table"))
    columns = [[each.text for each in table.iter("th")] for table in tables]
    assert len(tables) > 2
    assert all(sum(len(word or "") + 2 for word in words) < 250 for words in columns)
    assert sum(len(list(table.iter("td"))) for table in tables) == 30


def test_boards_are_drawn_on_the_page() -> None:
    record = made("<P1>")
    record = replace(record, run=replace(record.run, start="A # / . 0", goal="* # / A 0"))
    root = page_of(reported(BOARDS, [record]))
    drawn = [each for each in root.iter("div") if each.get("class") == "board"]
    assert [each.findtext("b") for each in drawn] == ["start", "goal"]
    cells = [(cell.get("class"), cell.text) for cell in drawn[0].iter("span")]
    assert cells == [("tile", "A"), ("wall", None), ("none", None), ("agent", "@")]


@pytest.mark.skipif(not HAS_PLOTS, reason="Matplotlib, of the extra 'plots', is not installed")
def test_the_title_of_a_figure_stands_once_on_the_page() -> None:
    asked = '[[report.sections]]\ntitle = "S"\nfigures = [{ kind = "bars", title = "Once only" }]'
    assert to_html(reported(asked, [made()])).count("Once only") == 1
