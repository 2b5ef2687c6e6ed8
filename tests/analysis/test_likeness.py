"""What `--like` stands for: the figures of the sources; explicit options have precedence."""

from __future__ import annotations

from random import Random

import pytest

from taquin import Board, Goal, Limits, Puzzle, Stats, UnsuitableError
from taquin.analysis.likeness import LIKENESSES, korf_nodes
from taquin.search.algorithms import ALGORITHMS, AStar, IDAStar
from taquin.search.conventions import SOURCES, Conventions, Duplicates, RandomOrder
from taquin.search.grammar import method_named
from tests.glass import solve
from tests.test_sources import Study, past_obstacles, simple, wide


def tally(like: str, name: str, puzzle: Puzzle, start: Board) -> int | None:
    likeness = LIKENESSES[like]
    result = solve(puzzle, start, likeness.search(name, {}))
    return likeness.counter(result.algorithm, result.stats)


@pytest.mark.parametrize(
    ("scene", "name", "nodes"),
    [
        *((wide(3), "bfs", 119), (wide(3), "astar", 32)),
        # Steps into obstacles are counted.
        *((past_obstacles(1, 2, 3, 4), "bfs", 347), (past_obstacles(1, 2, 3, 4), "astar", 324)),
    ],
)
def test_s3_traverses_the_nodes_it_prints(scene: Study, name: str, nodes: int) -> None:
    assert tally("s3", name, scene.puzzle(), scene.board()) == nodes


def test_the_table_has_every_source() -> None:
    assert tuple(LIKENESSES) == SOURCES


def test_s2_calls_the_capped_beam_a_beam() -> None:
    found = {like: str(LIKENESSES[like].search("beam", {"width": 5})) for like in SOURCES[1:3]}
    assert found == {
        "s2": "capped-beam(manhattan, cap=5, duplicates=none)",
        "s2-repaired": "capped-beam(manhattan, cap=5)",
    }


def test_s2_remembers_no_board_and_its_repaired_search_does() -> None:
    start = Board.parse("7 8 2 / 3 0 5 / 4 6 1")
    puzzle = Puzzle(Goal.blank_first(3, 3))
    assert tally("s2", "astar", puzzle, start) == 9266
    assert tally("s2-repaired", "astar", puzzle, start) == 479


def test_s3_depth_first_uses_a_pattern_once_it_is_made() -> None:
    likeness, ring = LIKENESSES["s3"], past_obstacles(1, 2, 3, 4)
    for seed in range(5):
        search = likeness.search("dfs", {"seed": seed})
        assert solve(ring.puzzle(), ring.board(), search).stats.dequeued == 67
    taken = []
    for seed in (1, 4, 5):
        stats = solve(
            simple().puzzle(), simple().board(), likeness.search("dfs", {"seed": seed})
        ).stats
        assert stats.dequeued is not None
        # All 16 · 15 · 14 · 13 patterns can be reached, and none is taken twice.
        assert stats.dequeued <= 43_680
        taken.append(stats.dequeued)
    assert min(taken) < 19_674 < max(taken)


def s3_depth_first(scene: Study, seed: int) -> int:
    """Search as S3's printed code does, and return the nodes it takes from its stack.

    `Random(seed).choice` stands for `rand() % 4`, counted backwards: a stack returns the successors
    in reverse.
    """
    goal, start = scene.puzzle().goal, scene.board()
    width, walls, chance = start.grid.columns, start.grid.walls, Random(seed)
    stack, used, taken = [start.cells], {start.cells}, 0
    while True:
        cells = stack.pop()
        taken += 1
        if all(wanted in (label, "*") for label, wanted in zip(cells, goal.cells, strict=True)):
            return taken
        blank = cells.index(0)
        first = -chance.choice(range(4)) % 4
        for turn in range(first, first + 4):
            right, down = ((-1, 0), (1, 0), (0, -1), (0, 1))[turn % 4]
            column, row = blank % width + right, blank // width + down
            if not (0 <= column < width and 0 <= row < start.grid.rows):
                continue
            other, cell = list(cells), row * width + column
            other[blank], other[cell] = other[cell], other[blank]
            if cell not in walls and tuple(other) not in used:
                used.add(tuple(other))
                stack.append(tuple(other))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scene", [wide(3), wide(5), past_obstacles(1, 3)], ids=["3", "5", "1&3"])
def test_s3_depth_first_goes_round_from_a_random_first_direction(scene: Study) -> None:
    likeness, puzzle = LIKENESSES["s3"], scene.puzzle()
    for seed in range(5):
        search = likeness.search("dfs", {"seed": seed})
        found = solve(puzzle, scene.board(), search)
        assert found.stats.dequeued == s3_depth_first(scene, seed)
        shuffled = likeness.search("dfs", {"seed": seed, "random_order": "shuffle"})
        assert solve(puzzle, scene.board(), shuffled).moves != found.moves


@pytest.mark.parametrize("name", ["dfs", "ids"])
def test_the_cyclic_order_is_an_option_that_is_printed_and_read(name: str) -> None:
    text = f"{name}(seed=7, random_order=cycle)"
    search = method_named(text)
    assert str(search) == text
    assert search == ALGORITHMS[name](seed=7, random_order=RandomOrder.CYCLE)
    assert str(method_named(f"{name}(random_order=shuffle)")) == name


def test_s3_iterative_deepening_and_its_bounded_searches_print_the_traces_of_its_appendix() -> None:
    likeness, start, puzzle = LIKENESSES["s3"], simple().board(), simple().puzzle()
    deepening = solve(puzzle, start, likeness.search("ids", {}), Limits(depth=2))
    assert deepening.stats.dequeued == 11
    bounded = likeness.search("dfs", {"max_depth": 3, "duplicates": "parent"})
    assert solve(puzzle, start, bounded).stats.dequeued == 17
    level_by_level = solve(puzzle, start, likeness.search("bfs", {}), Limits(depth=3))
    # Its appendix prints 22, without the start.
    assert level_by_level.stats.dequeued == 22 + 1


@pytest.mark.parametrize("like", LIKENESSES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_search_can_be_like_every_source(like: str, name: str) -> None:
    likeness = LIKENESSES[like]
    algorithm = likeness.search(name, {})
    sentence = likeness.sentence(algorithm, Stats(9, 9, 9, 9, 9))
    assert sentence.startswith(f"{likeness.source} counts {likeness.count}")
    number_given = "9" in sentence.removeprefix(likeness.source)
    assert number_given or "does not count" in sentence or like == "korf"


def test_what_is_said_beside_a_likeness_has_precedence() -> None:
    chosen = LIKENESSES["s3"].search("astar", {"heuristic": "h1", "duplicates": "reached"})
    assert str(chosen) == "astar(misplaced, ties=heap, directions=RLDU)"
    with pytest.raises(UnsuitableError, match="bfs does not support weight"):
        LIKENESSES["s3"].search("bfs", {"weight": 2})


def test_korfs_count_is_told_only_where_nothing_but_the_way_back_is_left_out() -> None:
    stats = Stats(generated=100, duplicates=30)
    assert korf_nodes(IDAStar(), stats) == 71
    assert korf_nodes(AStar(conventions=Conventions(Duplicates.PARENT)), stats) == 71
    assert korf_nodes(AStar(), stats) is None
    assert korf_nodes(IDAStar(), Stats(generated=100)) is None
    assert korf_nodes(method_named("a look into a table"), stats) is None
    assert korf_nodes(method_named("my_code.py:never_run"), stats) is None
