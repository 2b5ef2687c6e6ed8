"""What `--like` stands for: the sources' own figures come out, and what is said has precedence."""

from __future__ import annotations

import pytest

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import ALGORITHMS, AStar, IDAStar
from taquin.search.conventions import SOURCES, Conventions, Duplicates
from taquin.search.grammar import method_named
from taquin.search.likeness import LIKENESSES, korf_nodes
from taquin.search.result import Stats
from tests.glass import solve
from tests.search.test_conventions import EIGHT, PUZZLE04, korf_instance
from tests.test_sources import simple, wide


def tally(like: str, name: str, puzzle: Puzzle, start: Board) -> int | None:
    likeness = LIKENESSES[like]
    result = solve(puzzle, start, likeness.search(name, {}))
    return likeness.tally(result.algorithm, result.stats)


@pytest.mark.parametrize(("name", "nodes"), [("bfs", 119), ("astar", 32)])
def test_s3_traverses_the_nodes_it_prints_for_width_3(name: str, nodes: int) -> None:
    study = wide(3)
    assert tally("s3", name, study.puzzle(), study.board()) == nodes


def test_s3_traverses_5255_nodes_in_its_simple_case() -> None:
    assert tally("s3", "astar", simple().puzzle(), simple().board()) == 5255


def test_s3_counts_its_steps_into_obstacles() -> None:
    from tests.test_sources import past_obstacles

    ring = past_obstacles(1, 2, 3, 4)
    assert tally("s3", "bfs", ring.puzzle(), ring.board()) == 347
    assert tally("s3", "astar", ring.puzzle(), ring.board()) == 324


def test_s4_enqueues_ten_states_for_puzzle04() -> None:
    assert tally("s4", "astar", EIGHT, PUZZLE04) == 10


def test_korf_generates_540860_nodes_on_his_79th_board() -> None:
    board, _, nodes = korf_instance(79)
    assert tally("korf", "idastar", Puzzle(Goal.blank_first(4, 4)), board) == nodes == 540_860


def test_the_table_has_every_source() -> None:
    assert tuple(LIKENESSES) == SOURCES


def test_s2_calls_the_capped_beam_a_beam() -> None:
    assert str(LIKENESSES["s2"].search("beam", {"width": 5})) == "capped-beam(manhattan, cap=5)"


@pytest.mark.parametrize("like", LIKENESSES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_search_can_be_like_every_source(like: str, name: str) -> None:
    likeness = LIKENESSES[like]
    algorithm = likeness.search(name, {})
    told = likeness.told(algorithm, Stats(9, 9, 9, 9, 9))
    assert told.startswith(f"{likeness.source} counts {likeness.count}")
    assert ("9" in told.removeprefix(likeness.source)) or "does not tell" in told or like == "korf"


def test_what_is_said_beside_a_likeness_has_precedence() -> None:
    chosen = LIKENESSES["s3"].search("astar", {"heuristic": "h1", "duplicates": "reached"})
    assert str(chosen) == "astar(misplaced, ties=heap, directions=RLDU)"
    with pytest.raises(UnsuitableError, match="bfs has no use for weight"):
        LIKENESSES["s3"].search("bfs", {"weight": 2})


def test_korfs_count_is_told_only_where_nothing_but_the_way_back_is_left_out() -> None:
    stats = Stats(generated=100, duplicates=30)
    assert korf_nodes(IDAStar(), stats) == 71
    assert korf_nodes(AStar(conventions=Conventions(Duplicates.PARENT)), stats) == 71
    assert korf_nodes(AStar(), stats) is None
    assert korf_nodes(IDAStar(), Stats(generated=100)) is None
    assert korf_nodes(method_named("a look into a table"), stats) is None
    assert korf_nodes(method_named("my_code.py:never_run"), stats) is None
