"""Experiments: what to run, how to run it without losing results, and what came out.

    import taquin as tq
    import taquin.lab

    study = tq.lab.Study.of("mine", boards, [tq.BreadthFirst(), tq.AStar()])
    records = study.run()
    report = tq.lab.report_of(study, records)

The public names are listed in `__init__.pyi` and imported on first use.
"""

from __future__ import annotations

from taquin.system.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
