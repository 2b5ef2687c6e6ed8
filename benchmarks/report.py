"""Time a report of 100,000 records: tables, then a page with plots.

python -m benchmarks.report        from the root of the project
"""

from __future__ import annotations

from time import perf_counter

from tests.lab.made_records import many

from taquin.lab.report.document import to_text
from taquin.lab.report.figures import available, to_svg
from taquin.lab.report.reporting import report_of_records, to_html

RECORDS = 100_000


def main() -> None:
    records = many(RECORDS)
    began = perf_counter()
    report = report_of_records("many", records)
    to_text(report)
    print(f"{RECORDS:,} records to a report in text: {perf_counter() - began:.2f} s")
    if available():
        to_svg(next(report.figures))
        began = perf_counter()
        to_html(report)
        print(
            f"the same report to a page with {len(list(report.figures))} plots: "
            f"{perf_counter() - began:.2f} s"
        )


if __name__ == "__main__":
    main()
