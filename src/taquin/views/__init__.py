"""Texts and drawings made from the one stream of events of a search.

Nothing here prints: a view takes events and yields lines as they arrive, or returns a text. What
draws trees is loaded when it is first used, so that other commands do not wait for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from taquin.views.commentary import commentary
from taquin.views.created import created_traversed
from taquin.views.jsonl import from_json_lines, to_json_lines
from taquin.views.levels import back_traces, levels
from taquin.views.registry import VIEWS, View, view_for
from taquin.views.verify import verified_path

if TYPE_CHECKING:
    from taquin.views.dot import to_dot
    from taquin.views.svg import to_svg
    from taquin.views.tree import Standing, Tree, TreeNode, search_tree

__all__ = [
    "VIEWS",
    "Standing",
    "Tree",
    "TreeNode",
    "View",
    "back_traces",
    "commentary",
    "created_traversed",
    "from_json_lines",
    "levels",
    "search_tree",
    "to_dot",
    "to_json_lines",
    "to_svg",
    "verified_path",
    "view_for",
]

_DRAWING = {
    "Standing": "tree",
    "Tree": "tree",
    "TreeNode": "tree",
    "search_tree": "tree",
    "to_dot": "dot",
    "to_svg": "svg",
}


def __getattr__(name: str) -> Any:
    """Load a public name of the drawings when it is first asked for."""
    if name not in _DRAWING:
        raise AttributeError(f"module 'taquin.views' has no attribute {name!r}")
    return getattr(import_module(f"taquin.views.{_DRAWING[name]}"), name)
