"""What needs an extra says so in one sentence where it is not installed."""

from __future__ import annotations

import sys

import pytest

import taquin as tq
from taquin.views import search_tree, to_networkx


@pytest.mark.parametrize(("library", "module", "extra"), [("gymnasium", "taquin.gym", "gym")])
def test_a_module_names_the_extra_that_it_needs(
    library: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(module)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(tq.MissingError, match=rf'is not installed: .*"taquin\[{extra}\]"'):
        __import__(module)


def test_a_graph_names_the_extra_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    tree = search_tree(tq.trace(tq.Puzzle(tq.Goal("2x2")), tq.Board("1 2 / 0 3"), tq.AStar()))
    with pytest.raises(tq.MissingError, match=r'is not installed: .*"taquin\[graphs\]"'):
        to_networkx(tree)
