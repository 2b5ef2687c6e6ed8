"""Numbers of reports: spreads, groups, tables and the data of figures, from made-up records."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean, median, quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import TaquinError, UnsuitableError
from taquin.lab.report.document import FigureKind, Mark, Report, Table, highlighted, to_text
from taquin.lab.report.measures import MEASURES, Grouping, Spread, effective_branching
from taquin.lab.report.reporting import report_of, report_of_records
from taquin.lab.report.spec import ReportSpec, TableKind, TableSpec, read_report
from taquin.lab.report.tables import table_of
from taquin.lab.run.database import Ending, Record
from taquin.lab.study.reading import study_of_toml
from tests.lab.made_records import made, many

STUDY = """
name = "made"
boards = [{ label = "one", start = "1 2 / 0 3" }]
searches = [{ label = "A*", algorithm = "astar" }]
"""


def reported(asked: str, records: list[Record]) -> Report:
    """Return the report of a study whose file ends with `asked`."""
    return report_of(study_of_toml(STUDY + asked), records)


# --- numbers -------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 10**9), min_size=2))
def test_a_spread_is_what_the_standard_library_counts(values: list[int]) -> None:
    spread = Spread.of((value, False) for value in values)
    assert spread is not None
    lower, middle, upper = quantiles(values, n=4, method="inclusive")
    assert (spread.low, spread.high, spread.count) == (min(values), max(values), len(values))
    assert spread.median == pytest.approx(median(values)) == pytest.approx(middle)
    assert spread.lower_quartile == pytest.approx(lower)
    assert spread.upper_quartile == pytest.approx(upper)
    assert spread.mean == pytest.approx(mean(values))
    assert not spread.statistic("high")[1]


def table_of_one(asked: str, records: list[Record]) -> Table:
    """Return the table of a report with one."""
    section = f'[[report.sections]]\ntitle = "S"\ntables = [{{ {asked} }}]'
    (table,) = reported(section, records).tables
    return table


def test_a_statistic_is_open_exactly_where_a_cut_run_could_have_moved_it() -> None:
    spread = Spread.of([(1, False), (2, False), (3, False), (50, True), (50, True)])
    assert spread is not None
    names = ("low", "median", "high", "mean")
    assert [spread.statistic(name)[1] for name in names] == [False, False, True, True]
    assert Spread.of([]) is None
    assert effective_branching(0, 0) is None


@given(st.floats(1.05, 6), st.integers(1, 30))
def test_the_effective_branching_factor_of_a_uniform_tree_is_its_branching(
    branching: float, depth: int
) -> None:
    nodes = sum(branching**level for level in range(1, depth + 1))
    assert effective_branching(nodes, depth) == pytest.approx(branching, rel=1e-6)


def test_every_measure_has_a_unit_and_a_definition_and_writes_its_numbers() -> None:
    record = made(nodes=1234, cost=20)
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.unit
        assert measure.definition
        assert measure.text(None) == "–"
        assert measure.text(measure.of(record))
    # Nearly all is not printed as all.
    shares = {0.999: "99.9 %", 0.99999: "99.999 %", 1.0: "100 %", 0.0: "0 %", 0.001: "0.1 %"}
    assert {part: MEASURES["solved"].text(part) for part in shares} == shares


# --- groups --------------------------------------------------------------------------------------


def test_depth_is_the_proven_shortest_length_of_the_board_for_every_search() -> None:
    records = [
        made("a", "A*", cost=10),
        made("a", "greedy", cost=40, lower_bound=5),
        made("b", "greedy", cost=30, lower_bound=5),
    ]
    grouping = Grouping(records)
    assert list(grouping.groups("depth", "search")) == [(10, "A*"), (10, "greedy")]
    assert list(grouping.where({"search": ["greedy"]}).groups("depth")) == [(10,)]
    with pytest.raises(UnsuitableError, match="Did you mean width"):
        Grouping([made(columns={"width": 3})]).key("widht")


# --- tables --------------------------------------------------------------------------------------


PRINTED = """
[[report.sections]]
title = "S"
[[report.sections.tables]]
kind = "printed"
[report.printed."A*"]
"two" = "out of memory"
"three" = 7
"""


def test_a_measured_figure_is_marked_as_printed_or_not() -> None:
    records = [made("one", nodes=45, printed=45), made("two", nodes=45)]
    (table,) = reported(PRINTED, records).tables
    assert table.columns == ("one", "two", "three")
    assert table.entry(("A*", "printed"), "two").text == "out of memory"
    assert table.entry(("A*", "printed"), "three").value == 7
    assert table.entry(("A*", "measured"), "three").value is None
    assert table.entry(("A*", "measured"), "one").mark is Mark.EQUAL
    assert table.entry(("A*", "measured"), "two").mark is Mark.NONE
    assert table.legend == "= as printed"
    with pytest.raises(KeyError):
        table.entry(("A*", "measured"), "four")
    (other,) = reported(PRINTED, [made("one", nodes=45, printed=49)]).tables
    assert other.entry(("A*", "measured"), "one").mark is Mark.DIFFERENT
    # Seeds that all give the printed figure equal it.
    (seeds,) = reported(PRINTED, [made(nodes=67, seed=n, printed=67) for n in range(3)]).tables
    assert seeds.entry(("A*", "median of 3"), "one").mark is Mark.EQUAL


@pytest.mark.parametrize(
    ("printed", "cut", "mark"),
    [
        (15, False, Mark.INSIDE),
        (25, False, Mark.OUTSIDE),
        (5, False, Mark.OUTSIDE),
        (25, True, Mark.INSIDE),
    ],
)
def test_a_printed_figure_is_marked_as_within_the_range_of_the_seeds_or_not(
    printed: int, cut: bool, mark: Mark
) -> None:
    last = made(nodes=20, seed=3, printed=printed, cost=None if cut else 10)
    records = [made(nodes=nodes, seed=nodes, printed=printed) for nodes in (10, 12)]
    (table,) = reported(PRINTED, [*records, last]).tables
    assert table.entry(("A*", "median of 3"), "one").mark is mark
    assert table.entry(("A*", "lowest"), "one").value == 10
    assert table.entry(("A*", "highest"), "one").text == ("≥ 20" if cut else "20")


def test_a_printed_mean_is_compared_with_the_mean() -> None:
    asked = PRINTED.replace('"printed"', '"printed"\nstatistic = "mean"', 1)
    assert asked != PRINTED
    records = [made(nodes=nodes, seed=nodes, printed=20) for nodes in (10, 12, 50)]
    (table,) = reported(asked, records).tables
    assert table.entry(("A*", "mean of 3"), "one").value == 24
    assert table.entry(("A*", "mean of 3"), "one").mark is Mark.NONE
    assert table.entry(("A*", "of printed"), "one").text == "120.0 %"
    assert table.entry(("A*", "highest"), "one").value == 50
    cut = made(nodes=50, seed=9, printed=20, cost=None)
    (table,) = reported(asked, [*records, cut]).tables
    assert table.entry(("A*", "of printed"), "one").text == "≥ 152.5 %"


def test_a_pivot_shows_the_statistic_asked_for() -> None:
    asked = """
    [report]
    sections = [{ title = "S", tables = [
        { rows = "width", columns = "search", statistic = "mean", pool_limits = true },
        { rows = "search", columns = "limit_nodes", value = "solved" },
        { kind = "spread", where = { width = 3 } },
    ] }]
    """
    records = [
        made("a", nodes=10, columns={"width": 10}, limit=1000),
        made("b", nodes=30, columns={"width": 3}, limit=50),
        made("c", nodes=50, columns={"width": 3}, cost=None, limit=50),
    ]
    means, shares, spread = reported(asked, records).tables
    assert [row.labels for row in means.rows] == [("3",), ("10",)]
    assert means.entry("3", "A*").text == "≥ 40"
    assert means.entry("10", "A*").text == "10"
    assert shares.columns == ("50", "1,000")
    assert shares.entry("A*", "50").text == "50 %"
    assert spread.entry("A*", "runs").value == 2
    assert spread.entry("A*", "highest").text == "≥ 50"


# --- limits --------------------------------------------------------------------------------------


def limited() -> list[Record]:
    """Return runs of two searches under two limits, and of one that has but one."""
    return [
        *(
            made(board, search, nodes=limit, limit=limit, cost=10 if limit > 5_000 else None)
            for board in ("a", "b")
            for search in ("A*", "greedy")
            for limit in (50_000, 5_000)
        ),
        *(made(board, "best", nodes=7, limit=10**6) for board in ("a", "b")),
    ]


def test_runs_of_one_search_with_different_limits_are_never_pooled() -> None:
    report = report_of_records("made", limited())
    overview, *_ = report.tables
    assert [row.labels[0] for row in overview.rows] == [
        *("A*, ≤ 5,000 nodes", "A*, ≤ 50,000 nodes"),
        *("greedy, ≤ 5,000 nodes", "greedy, ≤ 50,000 nodes"),
        "best",
    ]
    assert overview.entry("A*, ≤ 5,000 nodes", "solved").text == "0 %"
    assert overview.entry("A*, ≤ 50,000 nodes", "solved").text == "100 %"
    assert "different limits are shown separately" in overview.caption
    for figure in report.figures:
        assert figure.kind is FigureKind.SCATTER or len(figure.series) == 5


@pytest.mark.parametrize(
    ("asked", "heads"),
    [
        ('rows = "search", columns = "limit_nodes"', ["A*", "greedy", "best"]),
        ('kind = "spread", where = { limit_nodes = 5000 }', ["A*", "greedy"]),
        ('kind = "spread", pool_limits = true', ["A*", "greedy", "best"]),
        ('kind = "spread", rows = "width"', ["2", "2, ≤ 5,000 nodes", "2, ≤ 50,000 nodes"]),
        ('rows = "width", columns = "search"', ["2"]),
    ],
)
def test_a_study_may_say_how_limits_are_told_apart(asked: str, heads: list[str]) -> None:
    records = [replace(each, run=replace(each.run, columns={"width": 2})) for each in limited()]
    table = table_of_one(asked, records)
    assert sorted(row.labels[0] for row in table.rows) == sorted(heads)


def test_searches_are_compared_under_equal_limits() -> None:
    records = [
        made(search=search, nodes=limit * factor, limit=limit)
        for search, factor in (("h1", 4), ("h2", 1))
        for limit in (10, 1000)
    ]
    table = table_of_one('kind = "ratio", against = ["h1", "h2"], rows = "board"', records)
    assert [row.labels[0] for row in table.rows] == ["one, ≤ 10 nodes", "one, ≤ 1,000 nodes"]
    assert [row.entries[-1].value for row in table.rows] == [4.0, 4.0]


def test_a_solution_found_before_a_limit_counts_as_solved_and_the_caption_says_so() -> None:
    record = made(cost=110, lower_bound=90, ending=Ending.LIMIT)
    overview = next(report_of_records("made", [record]).tables)
    assert overview.entry("A*", "solved").text == "100 %"
    assert overview.entry("A*", "proven shortest").text == "0 %"
    assert overview.entry("A*", "length").text == "110"
    assert "found a solution within their limits, proven shortest or not" in overview.caption


def test_a_counter_not_kept_is_a_dash_and_where_every_run_proves_it_there_is_no_solution() -> None:
    record = made(nodes=78_810, seconds=2.0)
    stats = replace(record.stats, expanded=None, cpu_seconds=0.5)
    record = replace(record, stats=stats)
    for name, shown in (("expanded", "–"), ("generated", "78,810")):
        spec = TableSpec(MEASURES[name], kind=TableKind.OVERVIEW)
        table = table_of(spec, Grouping([record]), ReportSpec())
        assert table.entry("A*", MEASURES[name].unit).text == shown
    # Time is told by the processor first.
    assert table.entry("A*", "CPU time").text == "500 ms"
    assert table.entry("A*", "wall time").text == "2.00 s"
    assert MEASURES["speed"].of(record) == 78_810 / 0.5
    records = [made("a"), made("b", cost=None, ending=Ending.UNSOLVABLE), made("c", cost=None)]
    table = table_of_one('value = "cost"', records)
    assert [entry.text for entry in table.rows[0].entries] == ["10", "no solution", "–"]


# --- usual reports -------------------------------------------------------------------------------


def test_a_ratio_is_over_the_boards_that_both_searches_solved() -> None:
    records = [
        made("a", "h1", nodes=400),
        made("a", "h2", nodes=100),
        made("b", "h1", nodes=900),
        made("b", "h2", nodes=100),
        made("c", "h1", nodes=10**6, cost=None),
        made("c", "h2", nodes=1),
    ]
    table = table_of_one('kind = "ratio", rows = "depth", against = ["h1", "h2"]', records)
    assert table.entry("10", "boards").value == 2
    assert table.entry("10", "quotient").value == pytest.approx(6)


def test_failed_runs_are_named_and_left_out_of_every_number() -> None:
    records = [
        made("one", nodes=5),
        made("two", nodes=0, cost=None, ending=Ending.CRASHED, reason="it died"),
    ]
    report = report_of_records("mine", records)
    overview = next(report.tables)
    assert overview.entry("A*", "runs").value == 1
    assert overview.entry("A*", "solved").value == 1
    assert report.notes == (
        "1 run failed and is excluded from all numbers: A* on two (crashed: it died).",
    )


def test_a_report_says_when_runs_are_missing_and_has_no_sections_without_records() -> None:
    assert "1 of 3 runs are done so far" in report_of(study_of_toml(STUDY), [made()], 3).origin
    report = report_of(study_of_toml(STUDY), [], 3)
    assert (report.sections, read_report({}).sections) == ((), ())
    assert "0 of 3 runs" in to_text(report)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("[report]\nvalue = 'nodes'", "report.value"),
        ("[report]\nvalue = 'genrated'", "Did you mean generated"),
        ("[report]\nsections = [{ title = 'S', tables = [{ kind = 'pie' }] }]", "tables[1].kind"),
        ("[report]\nsections = [{ title = 'S', figures = [{ log = 'z' }] }]", "figures[1].log"),
        ("[report]\nsections = [{ title = 'S', figures = [{ kind = 'scatter' }] }]", "against"),
        ("[report]\nsections = [{ title = 'S', tables = [{ kind = 'ratio' }] }]", "against"),
        ("[report]\nsections = [{ title = 'S', tabels = [] }]", "Did you mean tables"),
        ("[report.printed.'A*']\none = true", "report.printed.A*.one"),
        ("[report]\nheadings = { width = 3 }", "headings.width"),
        ("[report]\nsections = [{ title = 'S', tables = [{ rows = 'colour' }] }]", "'colour'"),
    ],
)
def test_a_report_table_with_a_slip_is_refused_with_its_place(asked: str, place: str) -> None:
    with pytest.raises(TaquinError) as raised:
        reported(asked, [made()])
    assert place in str(raised.value)


# --- figures -------------------------------------------------------------------------------------


def figures(asked: str, records: list[Record]) -> Report:
    return reported(f"[report]\nsections = [{{ title = 'S', figures = [{asked}] }}]", records)


def test_points_carry_their_spread_and_the_printed_figure() -> None:
    records = [
        made(nodes=nodes, seed=nodes, printed=9, columns={"width": 4}) for nodes in (10, 12, 20)
    ]
    (figure,) = figures("{ x = 'width', log = 'y' }", records).figures
    (point,) = figure.series[0].points
    assert (point.x, point.y, point.low, point.high, point.printed) == (4, 12, 10, 20, 9)
    assert figure.y.log
    assert "median of 3 runs" in figure.caption
    assert "from the lowest to the highest" in figure.caption
    assert "printed in the source" in figure.caption


def test_a_cactus_counts_solved_runs_only_and_never_falls() -> None:
    records = [made(str(n), nodes=n * 7 % 50, cost=5 if n % 3 else None) for n in range(1, 31)]
    (figure,) = figures("{ kind = 'cactus' }", records).figures
    points = figure.series[0].points
    assert [point.y for point in points] == list(range(1, 21))
    assert [point.x for point in points] == sorted(point.x for point in points)
    assert figure.y.label == "runs solved (of 30)"


@pytest.mark.slow
def test_a_cactus_of_many_runs_keeps_its_ends() -> None:
    (figure,) = figures("{ kind = 'cactus' }", list(many(20_000, searches=1))).figures
    points = figure.series[0].points
    solved = sum(record.solved for record in many(20_000, searches=1))
    assert len(points) < 1_100
    assert (points[0].y, points[-1].y) == (1, solved)


def test_a_scatter_has_a_point_for_each_board_that_both_solved() -> None:
    records = [
        made("a", "h1", nodes=9),
        made("a", "h2", nodes=4),
        made("b", "h1", nodes=9),
        made("b", "h2", nodes=1, cost=None),
    ]
    asked = "{ kind = 'scatter', against = ['h1', 'h2'], log = 'xy' }"
    (figure,) = figures(asked, records).figures
    assert [(point.x, point.y) for point in figure.series[0].points] == [(9, 4)]
    assert "h2 is lower on 1, h1 on 0" in figure.caption


def test_a_histogram_counts_every_run_once() -> None:
    records = [made(str(n), cost=20 + n % 5) for n in range(50)]
    (figure,) = figures("{ kind = 'histogram', value = 'cost' }", records).figures
    assert [(point.x, point.y) for point in figure.series[0].points] == [
        (20 + length, 10) for length in range(5)
    ]
    wide = [made(str(n), cost=n * 97) for n in range(1, 200)]
    (figure,) = figures("{ kind = 'histogram', value = 'cost' }", wide).figures
    assert len(figure.series[0].points) <= 60
    assert sum(point.y for point in figure.series[0].points) == 199


# --- text ----------------------------------------------------------------------------------------


def test_text_keeps_to_its_width_and_cuts_wide_tables_into_parts() -> None:
    records = [made(f"a long name for board {n}", nodes=n) for n in range(1, 20)]
    report = reported(PRINTED, records)
    for width in (60, 100):
        text = to_text(report, width)
        assert max(len(line) for line in text.splitlines()) <= width
        assert all(f" {n}\n" in text or f" {n} " in text for n in range(1, 20))
    assert to_text(report, cut=False).count("measured") == 1


def test_headings_and_marked_numbers_are_told_apart_on_a_screen() -> None:
    records = [made("one", nodes=12345, printed=12345), made("two", nodes=7, printed=8)]
    plain = to_text(reported(PRINTED, records))
    text = highlighted(plain, lambda part, kind: f"<{kind}>{part}</>")
    assert "<good>12,345 =</>" in text
    assert "<odd>7 ≠</>" in text
    assert text.startswith("<heading>made\n====</>\n\n<heading>S\n-</>\n")


def test_a_report_that_only_names_a_value_shows_that_value() -> None:
    report = reported('[report]\nvalue = "expanded"', [made(), made("two")])
    assert "nodes expanded" in next(report.tables).columns
    titles = [table.title for table in report.tables] + [figure.title for figure in report.figures]
    assert titles == [
        *("Every search", "Solution length", "Nodes expanded"),
        *("Solved against nodes expanded", "Solved against CPU seconds"),
    ]


def test_the_usual_report_suits_any_study() -> None:
    report = report_of_records("mine", many(200, searches=2))
    kinds = [figure.kind for figure in report.figures]
    assert kinds == [FigureKind.CACTUS, FigureKind.CACTUS, FigureKind.SCATTER, FigureKind.HISTOGRAM]
    assert len({figure.name for figure in report.figures}) == len(kinds)
    # Printed figures are shown without being asked for.
    titles = [table.title for table in reported("", [made(printed=100)]).tables]
    assert "Printed and measured" in titles


@pytest.mark.slow
def test_a_report_of_100_000_records_counts_them_all() -> None:
    report = report_of_records("many", many(100_000))
    overview = next(report.tables)
    assert sum(row.entries[0].value or 0 for row in overview.rows) == 100_000


# --- what misled ---------------------------------------------------------------------------------


COMMON = """
[[report.sections]]
title = "S"
tables = [{ kind = "spread", value = "cost", common = true }]
figures = [{ kind = "histogram", value = "cost", common = true }]
"""


def test_lengths_can_be_compared_on_the_boards_that_every_search_solved() -> None:
    hard = [made("hard", "h1", cost=None), made("hard", "h2", cost=30)]
    easy = [made(board, search, cost=10) for board in "ab" for search in ("h1", "h2")]
    report = reported(COMMON, [*hard, *easy])
    (table,), (figure,) = report.tables, report.figures
    assert [table.entry(search, "highest").value for search in ("h1", "h2")] == [10, 10]
    for caption in (table.caption, figure.caption):
        assert caption.endswith("Only boards that every search solved: 2 of 3.")


ORDERS = """
[[report.sections]]
title = "S"
[[report.sections.tables]]
value = "cost"
[[report.sections.tables]]
value = "generated"
where = { search = ["late", "early"] }
[[report.sections.tables]]
kind = "overview"
"""


def test_every_table_has_its_boards_and_searches_in_one_order() -> None:
    records = [
        made("P1", "early", cost=None),
        made("P1", "late", columns={"kind": "x"}),
        made("P2", "early", columns={"kind": "y"}),
        made("P2", "late", cost=None),
    ]
    tables = list(reported(ORDERS, records).tables)
    assert [table.columns for table in tables[:2]] == [("P1", "P2")] * 2
    for table in tables:
        assert [row.labels[0] for row in table.rows] == ["early", "late"]


def test_a_section_of_figures_alone_says_in_text_where_they_are() -> None:
    asked = """
    [[report.sections]]
    title = "Drawn"
    figures = [{ kind = "cactus", title = "Solved against effort" }]
    """
    assert "Solved against effort: drawn by --html FILE" in to_text(reported(asked, [made()]))


def test_an_overview_has_means_next_to_medians() -> None:
    records = [made(str(nodes), nodes=nodes, cost=nodes) for nodes in (2, 4, 12)]
    table = table_of_one('kind = "overview"', records)
    assert table.columns[-4:] == ("CPU time", "wall time", "largest frontier", "peak memory")
    for name in ("length", "nodes generated"):
        place = table.columns.index(name)
        assert table.columns[place + 1] == f"mean {name}"
        assert [entry.value for entry in table.rows[0].entries[place : place + 2]] == [4, 6]


BOARDS = '[[report.sections]]\ntitle = "Boards"\nboards = true\n'


@pytest.mark.parametrize(
    ("boards", "drawn"),
    [
        (
            {"P1": (". . / A 0", "* 0 / A *"), "P2": (". . / A 0", "A # / * 0")},
            "start    P1     P2\n· ·      · @    A █\nA @      A ·    · @\n",
        ),
        (
            {"3x3 #1": ("1 0 / 3 2", "1 2 / 3 0"), "3x3 #10": ("0 1 / 3 2", "1 2 / 3 0")},
            "#1     #10    goal\n1 ·    · 1    1 2\n3 2    3 2    3 ·\n",
        ),
    ],
)
def test_boards_of_one_start_or_goal_are_drawn_under_what_tells_their_labels_apart(
    boards: dict[str, tuple[str, str]], drawn: str
) -> None:
    records = [
        replace(record, run=replace(record.run, start=start, goal=goal))
        for record, (start, goal) in zip(map(made, boards), boards.values(), strict=True)
    ]
    assert drawn in to_text(reported(BOARDS, records), 40)
