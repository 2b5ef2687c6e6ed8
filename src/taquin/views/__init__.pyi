# The public names of the views; `taquin.system.lazy` loads each when it is first used.

__all__: list[str]

from taquin.views.pictures.drawings import board_drawing as board_drawing
from taquin.views.pictures.drawings import painted as painted
from taquin.views.pictures.drawings import solution_drawing as solution_drawing
from taquin.views.pictures.drawings import to_dot as to_dot
from taquin.views.pictures.drawings import to_networkx as to_networkx
from taquin.views.pictures.drawings import to_svg as to_svg
from taquin.views.pictures.drawings import tree_drawing as tree_drawing
from taquin.views.pictures.drawings import turns_drawing as turns_drawing
from taquin.views.planning import DOMAIN as DOMAIN
from taquin.views.planning import to_pddl as to_pddl
from taquin.views.planning import to_sas as to_sas
from taquin.views.records import from_json_lines as from_json_lines
from taquin.views.records import to_json_lines as to_json_lines
from taquin.views.traces import VIEWS as VIEWS
from taquin.views.traces import View as View
from taquin.views.traces import back_traces as back_traces
from taquin.views.traces import commentary as commentary
from taquin.views.traces import created_traversed as created_traversed
from taquin.views.traces import levels as levels
from taquin.views.traces import verified_path as verified_path
from taquin.views.traces import view_for as view_for
from taquin.views.tree import Standing as Standing
from taquin.views.tree import Tree as Tree
from taquin.views.tree import TreeNode as TreeNode
from taquin.views.tree import search_tree as search_tree
