"""Experiments: what to run, how to run it so that nothing is lost, and what came out.

    import taquin as tq
    import taquin.lab

    study = tq.lab.Study.of("mine", boards, [tq.BreadthFirst(), tq.AStar()])
    records = study.run()
    report = tq.lab.report_of(study, records)

Every public name is listed in `__all__` and loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taquin.lab.plots import draw as draw
    from taquin.lab.plots import to_png as to_png
    from taquin.lab.plots import to_svg as to_svg
    from taquin.lab.reading import read_study as read_study
    from taquin.lab.reading import shipped_studies as shipped_studies
    from taquin.lab.record import Ending as Ending
    from taquin.lab.record import Record as Record
    from taquin.lab.record import Records as Records
    from taquin.lab.report import Figure as Figure
    from taquin.lab.report import Report as Report
    from taquin.lab.report import Table as Table
    from taquin.lab.report_html import to_html as to_html
    from taquin.lab.report_text import table_text as table_text
    from taquin.lab.report_text import to_text as to_text
    from taquin.lab.reporting import report_of as report_of
    from taquin.lab.runner import Progress as Progress
    from taquin.lab.store import Store as Store
    from taquin.lab.study import Case as Case
    from taquin.lab.study import Search as Search
    from taquin.lab.study import Study as Study

_HOMES = {
    "taquin.lab.plots": ("draw", "to_png", "to_svg"),
    "taquin.lab.reading": ("read_study", "shipped_studies"),
    "taquin.lab.record": ("Ending", "Record", "Records"),
    "taquin.lab.report": ("Figure", "Report", "Table"),
    "taquin.lab.report_html": ("to_html",),
    "taquin.lab.report_text": ("table_text", "to_text"),
    "taquin.lab.reporting": ("report_of",),
    "taquin.lab.runner": ("Progress",),
    "taquin.lab.store": ("Store",),
    "taquin.lab.study": ("Case", "Search", "Study"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'taquin.lab' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
