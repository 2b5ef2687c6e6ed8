"""Statistics of reports: SciPy's on the raw records, LaTeX and CSV, versions, nodes per bound."""

from __future__ import annotations

import csv
import re
from itertools import combinations, product
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

import taquin as tq
import taquin.lab
from taquin.errors import InputError, TaquinError
from taquin.lab.report import measures
from taquin.lab.report.document import Entry, Mark, Row, Table
from taquin.lab.report.reporting import flat_rows, report_of, report_of_versions, to_latex
from taquin.lab.report.spec import read_report
from taquin.lab.report.tables import table_of
from taquin.lab.run.database import Records
from taquin.lab.study.reading import study_of_toml
from tests.cli.runs import printed, run
from tests.lab.made_records import made

numpy = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")

STUDY = """
name = "two"
[limits]
nodes = 1500
[[boards]]
uniform = { size = "3x3", count = 25, seed = 1 }
[[boards]]
scramble = { size = "3x3", moves = 14, count = 15, seed = 1 }
[[searches]]
label = "{algorithm} {heuristic}"
algorithm = ["astar", "idastar"]
heuristic = ["misplaced", "manhattan"]
"""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    study = study_of_toml(STUDY)
    return study.run(tmp_path_factory.mktemp("records"), processes=0)


def statistics_of(records: Records) -> tuple[Table, Table]:
    report = report_of(study_of_toml(STUDY), records, statistics=True)
    (section,) = (section for section in report.sections if section.title == "Statistics")
    confidence, paired = section.tables
    return confidence, paired


def test_means_deviations_and_intervals_are_those_of_scipy_on_the_raw_records(
    records: Records,
) -> None:
    confidence, _ = statistics_of(records)
    rows = records.rows()
    for search in {row["search"] for row in rows}:
        chosen = [row for row in rows if row["search"] == search]
        numbers = [row["generated"] for row in chosen]
        is_cut = any(row["limit_reached"] for row in chosen)
        assert confidence.entry(str(search), "runs").value == len(numbers) == 40
        spread = confidence.entry(str(search), "standard deviation").value
        assert spread == (None if is_cut else pytest.approx(numpy.std(numbers, ddof=1)))
        for name, function in (("mean", numpy.mean), ("median", numpy.median)):
            settings = {"n_resamples": 9999, "method": "percentile", "rng": 1}
            ends = stats.bootstrap((numbers,), function, **settings).confidence_interval
            shown = [
                confidence.entry(str(search), f"{name}{end}") for end in (", lower", ", upper")
            ]
            assert confidence.entry(str(search), name).value == pytest.approx(function(numbers))
            assert [entry.value for entry in shown] == pytest.approx([ends.low, ends.high])
            assert shown[0].text.startswith("≥") or not (is_cut and name == "mean")


def test_paired_tests_are_those_of_scipy_on_the_raw_records(records: Records) -> None:
    _, paired = statistics_of(records)
    by_search: dict[str, dict[str, tuple[bool, int]]] = {}
    for row in records.rows():
        by_case = by_search.setdefault(str(row["search"]), {})
        by_case[str(row["board"])] = bool(row["solved"]), int(row["generated"] or 0)
    expected: dict[str, dict[str, float]] = {"Wilcoxon": {}, "McNemar": {}}
    for first, second in combinations(by_search, 2):
        cases = [(by_search[first][board], by_search[second][board]) for board in by_search[first]]
        pairs = [(one[1], other[1]) for one, other in cases if one[0] and other[0]]
        only = [
            sum(one[0] > other[0] for one, other in cases),
            sum(one[0] < other[0] for one, other in cases),
        ]
        label = f"{first} / {second}"
        assert paired.entry(label, "both solved").value == len(pairs)
        assert [paired.entry(label, f"{side} only").value for side in ("first", "second")] == only
        wilcoxon = stats.wilcoxon(*zip(*pairs, strict=True), method="asymptotic")
        expected["Wilcoxon"][label] = wilcoxon.pvalue
        if sum(only):
            expected["McNemar"][label] = stats.binomtest(only[0], sum(only), 0.5).pvalue
    assert len(expected["McNemar"]) > 3
    for test, p_values in expected.items():
        for label, adjusted in naive_holm(p_values).items():
            assert paired.entry(label, f"p ({test})").value == pytest.approx(adjusted)
    assert "by the normal approximation in every row" in paired.caption
    assert "Holm's method" in paired.caption


def naive_holm(p_values: dict[str, float]) -> dict[str, float]:
    """Adjust by the definition: the greatest of the steps at or below a p-value, at most 1."""
    tests = len(p_values)
    steps = [(p, (tests - rank) * p) for rank, p in enumerate(sorted(p_values.values()))]
    return {
        label: min(1.0, max(step for p, step in steps if p <= value))
        for label, value in p_values.items()
    }


def compared(*differences: float) -> measures.PairedComparison:
    pairs = tuple((100 + difference, 100.0) for difference in differences)
    return measures.PairedComparison(len(pairs), pairs, 0, 0)


def test_wilcoxon_p_values_of_one_table_are_all_exact_or_all_asymptotic() -> None:
    distinct = compared(*range(-3, 10))
    smaller = compared(1, 2, 3, 4, -5)
    tied = compared(1, 1, 2, 3, 4, -5)
    longer = compared(*range(1, 52))
    for table, method in (
        ([distinct, smaller], "asymptotic"),  # -1 and 1 are of one size
        ([smaller, compared(7, -8)], "exact"),
        ([smaller, tied], "asymptotic"),
        ([smaller, longer], "asymptotic"),
        ([smaller, compared(0, 0), compared(0, 3)], "exact"),  # equal pairs are no differences
    ):
        p_values, chosen = measures.wilcoxon(table)
        assert chosen == method
        for comparison, p_value in zip(table, p_values, strict=True):
            kept = [one - other for one, other in comparison.pairs if one != other]
            wanted = stats.wilcoxon(kept, method=method).pvalue if kept else None
            assert p_value == pytest.approx(wanted)
    # The exact method counts all signs.
    differences = (1, 2, 3, 4, -5, 6, -7)
    sums = [sum(map(int.__mul__, signs, range(1, 8))) for signs in product((1, -1), repeat=7)]
    extreme = sum(abs(total) >= abs(sum(differences)) for total in sums) / len(sums)
    (p_value,), method = measures.wilcoxon([compared(*differences)])
    assert method == "exact"
    assert p_value == pytest.approx(extreme)


def test_holm_adjusts_as_its_definition_says() -> None:
    random = Random(1)
    for tests in range(12):
        p_values = {str(n): random.choice([random.random() ** 3, 0.01]) for n in range(tests)}
        adjusted = measures.holm([*p_values.values(), None])
        assert adjusted == [*map(pytest.approx, naive_holm(p_values).values()), None]


def test_runs_of_one_case_are_one_pair_and_it_is_solved_if_all_solve_it() -> None:
    first = [made("a", nodes=1, seed=1), made("a", nodes=4, seed=2), made("b", cost=None, seed=1)]
    second = [made("a", "B", nodes=9), made("b", "B"), made("c", "B")]
    measure = taquin.lab.report.measures.MEASURES["generated"]
    compared = measures.comparison_of(first, second, measure)
    assert compared == measures.PairedComparison(2, ((2.5, 9.0),), 0, 1)
    assert compared.mcnemar == 1


def test_searches_with_shared_limits_are_compared_limit_by_limit() -> None:
    searches = ("A*", "greedy")
    runs = [
        made(str(n), name, limit=limit) for n in (1, 2) for name in searches for limit in (5, 9)
    ]
    spec = read_report(
        {"sections": [{"title": "S", "tables": [{"kind": "paired", "against": list(searches)}]}]}
    )
    table = table_of(spec.sections[0].tables[0], taquin.lab.report.measures.Grouping(runs), spec)
    labels = [row.labels[0] for row in table.rows]
    assert labels == [f"A*, ≤ {n} nodes / greedy, ≤ {n} nodes" for n in (5, 9)]
    assert all(row.entries[0].value == 2 for row in table.rows)
    assert table.entry(labels[0], "p (Wilcoxon)").text == "–"


def test_without_scipy_the_caption_says_how_to_install_it(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "has_scipy", lambda: False)
    for table in statistics_of(records):
        assert "SciPy is not installed" in table.caption
        assert "taquin[stats]" in table.caption
    confidence, paired = statistics_of(records)
    assert confidence.entry("astar manhattan", "mean, lower").text == "–"
    assert paired.entry("astar misplaced / astar manhattan", "p (Wilcoxon)").text == "–"


BARS = """
[[report.sections]]
title = "S"
[[report.sections.figures]]
x = "search"
series = "search"
statistic = "mean"
bars = "confidence"
"""


def test_error_bars_may_be_confidence_intervals(records: Records) -> None:
    (figure,) = report_of(study_of_toml(STUDY + BARS), records).figures
    (point,) = figure.series[0].points
    numbers = [run.stats.generated for run in records if run.search == figure.series[0].label]
    assert (point.low, point.high) == measures.confidence_interval(
        [float(n or 0) for n in numbers], "mean"
    )
    assert "95 % confidence intervals" in figure.caption
    study = study_of_toml(STUDY + BARS.replace('"mean"', '"high"'))
    with pytest.raises(TaquinError, match="the statistic mean or median"):
        read_report(study.report, study)


def test_a_spread_has_the_standard_deviation_of_a_sample() -> None:
    spec = read_report({"sections": [{"title": "S", "tables": [{"kind": "spread"}]}]})
    runs = [made(str(nodes), nodes=nodes) for nodes in (3, 5, 10)]
    table = table_of(spec.sections[0].tables[0], taquin.lab.report.measures.Grouping(runs), spec)
    assert table.entry("A*", "standard deviation").value == pytest.approx(stdev([3, 5, 10]))
    assert table.entry("A*", "mean").value == pytest.approx(fmean([3, 5, 10]))


# --- LaTeX and CSV --------------------------------------------------------------------------------

TABLE = Table(
    "Nodes & 100 %",
    ("search",),
    ("a_b", "c"),
    (
        Row(("A*",), (Entry("≥ 5,000", 5000), Entry("7", 7, Mark.EQUAL))),
        Row(("x#",), (Entry("–"), Entry("out of memory"))),
    ),
    over="board",
)


def test_a_table_is_latex_with_its_symbols_escaped() -> None:
    lines = to_latex(TABLE).splitlines()
    assert r"\begin{tabular}{lrr}" in lines
    # LaTeX takes the number of the table from the caption, so the label comes behind it.
    place = lines.index(r"\label{tab:nodes-100}")
    assert lines[place - 1].startswith(r"\caption")
    assert r"\label{tab:mine}" in to_latex(TABLE, "tab:mine")
    assert r" & \multicolumn{2}{c}{board} \\" in lines
    assert r"search & a\_b & c \\" in lines
    assert r"A* & $\ge$ 5,000 & 7 = \\" in lines
    assert r"x\# & – & out of memory \\" in lines
    assert any(r"Nodes \& 100 \%" in line for line in lines)
    opened = re.findall(r"\\begin\{(\w+)\}", "\n".join(lines))
    assert opened == re.findall(r"\\end\{(\w+)\}", "\n".join(lines))[::-1]


def test_a_table_is_rows_of_full_numbers() -> None:
    assert flat_rows(TABLE) == [
        {"search": "A*", "a_b": ">= 5000", "c": 7},
        {"search": "x#", "a_b": None, "c": "out of memory"},
    ]


def test_report_writes_every_table_as_latex_and_csv(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(STUDY.replace("25", "3").replace("15,", "2,"), encoding="utf-8")
    kept = ("--store", str(tmp_path))
    assert run("study", "run", str(file), *kept, "--processes", "0").exit_code == 0
    result = printed("study", "report", str(file), *kept, "--statistics", "--tables", str(tmp_path))
    written = sorted(path.name for path in tmp_path.glob("two-table-*"))
    assert len(written) == 10
    assert result.count("Table: ") == 10
    labels = [rf"\label{{tab:two-table-{number}}}" for number in range(1, 6)]
    texts = [(tmp_path / f"two-table-{number}.tex").read_text("utf-8") for number in range(1, 6)]
    assert all(label in text for label, text in zip(labels, texts, strict=True))
    with (tmp_path / "two-table-1.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["search"] for row in rows][:2] == ["astar misplaced", "astar manhattan"]
    assert [row["runs"] for row in rows] == ["5"] * 4


# --- versions and bounds --------------------------------------------------------------------------


def test_two_versions_of_own_code_are_compared_by_their_fingerprints(tmp_path: Path) -> None:
    own, file = tmp_path / "mine.py", tmp_path / "own.toml"
    file.write_text(
        'searches = [{ label = "mine", algorithm = "astar", heuristic = "mine.py:h" }]\n'
        "[[boards]]\nscramble = { size = '3x3', moves = 12, count = 9, seed = 1 }\n",
        encoding="utf-8",
    )
    kept = ("--store", str(tmp_path))
    bodies = ("return 0", "return sum(tile != n for n, tile in enumerate(board.cells, 1) if tile)")
    for body in bodies:
        result = run("study", "report", str(file), *kept, "--versions")
        assert result.exit_code == 2
        own.write_text(f"def h(board):\n    {body}\n", encoding="utf-8")
        assert run("study", "run", str(file), *kept, "--processes", "0").exit_code == 0
    assert "only one version" in result.stderr
    shown = printed("study", "report", str(file), *kept, "--versions")
    with taquin.lab.Store(tmp_path / "own.sqlite") as store:
        records = store.all_records()
    marks = list(dict.fromkeys(record.run.own_code.split()[-1][:8] for record in records))
    table = list(report_of_versions("own", records).tables)[1]
    row = f"mine ({marks[0]}) / mine ({marks[1]})"
    assert row in shown
    nodes = [[r.stats.generated for r in records if marks[n] in r.run.own_code] for n in (0, 1)]
    assert table.entry(row, "cases").value == 9
    assert table.entry(row, "second less").value == sum(
        (one or 0) > (two or 0) for one, two in zip(*nodes, strict=True)
    )
    with pytest.raises(InputError, match="only one version"):
        report_of_versions("own", records[:3])


@pytest.mark.parametrize("search", ["idastar(manhattan)", "ids"])
def test_records_have_the_nodes_of_each_bound(search: str, tmp_path: Path) -> None:
    board = "1 2 3 / 4 8 5 / 7 0 6" if search == "ids" else "8 1 3 / 4 0 2 / 7 6 5"
    (record,) = tq.lab.Study.of("deep", [board], [search]).run(tmp_path, processes=0)
    bounds = [tuple(map(int, part.split(":"))) for part in record.bounds.split()]
    assert [bound for bound, _ in bounds] == sorted({bound for bound, _ in bounds})
    assert bounds[-1][0] == record.cost
    assert sum(nodes for _, nodes in bounds) == record.stats.generated
    with taquin.lab.Store.of_study("deep", tmp_path) as store:
        assert next(store.records()).bounds == record.bounds
    if search != "ids":
        # The compiled engine makes the same nodes, and counts them by itself.
        result = tq.solve(board, algorithm=search, engine="textbook")
        assert list(result.bounds) == bounds
    (other,) = tq.lab.Study.of("flat", [board], ["astar"]).run(tmp_path, processes=0)
    assert other.bounds == ""
