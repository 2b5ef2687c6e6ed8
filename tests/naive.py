"""Slow, plain twins of heuristics, tables, engine and searches: the definitions, worked out.

Boards and goals are tuples of labels, row by row; 0 is the blank, '#' a wall, '*' any.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, count, pairwise, permutations
from math import inf

from taquin.engine.cpu.automaton import Automaton
from taquin.tables.patterns import PatternKey, rank
from tests.truth import Cells, beside, neighbours, spread

Matrix = tuple[tuple[int, ...], ...]


def distance(one: int, other: int, columns: int) -> int:
    return abs(one // columns - other // columns) + abs(one % columns - other % columns)


def wanted(goal: Cells) -> dict[int | str, list[int]]:
    """Return the goal cells of each label, blank and walls left out."""
    found: dict[int | str, list[int]] = {}
    for cell, label in enumerate(goal):
        if label not in (0, "#", "*"):
            found.setdefault(label, []).append(cell)
    return found


def misplaced(cells: Cells, goal: Cells) -> int:
    return sum(cells[cell] != label for label, homes in wanted(goal).items() for cell in homes)


def manhattan(cells: Cells, goal: Cells, columns: int) -> int:
    """Try every way to give each goal cell of a label a tile of its own."""
    total = 0
    for label, homes in wanted(goal).items():
        tiles = [cell for cell, found in enumerate(cells) if found == label]
        total += min(
            sum(distance(tile, home, columns) for tile, home in zip(chosen, homes, strict=True))
            for chosen in permutations(tiles, len(homes))
        )
    return total


def manhattan_with_agent(cells: Cells, goal: Cells, columns: int) -> int:
    agent = distance(cells.index(0), goal.index(0), columns) if 0 in goal else 0
    return manhattan(cells, goal, columns) + agent


def linear_conflict(cells: Cells, goal: Cells, columns: int) -> int:
    """Try every set of tiles to take from each line, smallest first."""
    homes = {
        label: places[0]
        for label, places in wanted(goal).items()
        if len(places) == 1 and cells.count(label) == 1
    }
    rows = [list(range(start, start + columns)) for start in range(0, len(cells), columns)]
    lines = rows + [list(line) for line in zip(*rows, strict=True)]
    aside = 0
    for line in lines:
        own = [cells[cell] for cell in line if homes.get(cells[cell]) in line]
        for size in range(len(own) + 1):
            if any(
                all(homes[a] < homes[b] for a, b in combinations(stay, 2))
                for stay in combinations(own, len(own) - size)
            ):
                aside += size
                break
    return manhattan(cells, goal, columns) + 2 * aside


def swaps(cells: Cells) -> Iterator[Cells]:
    """Yield the boards after the blank changed places with any tile."""
    blank = cells.index(0)
    for cell, label in enumerate(cells):
        if label not in (0, "#"):
            other = list(cells)
            other[blank], other[cell] = label, 0
            yield tuple(other)


@cache
def moves_to_undo(inversions: int, passed: int) -> int:
    """Return the fewest changes by passed, passed - 2, … -passed that bring a count to 0."""
    if passed == 0:
        return 0
    far = inversions + 2 * passed
    reached = {0}
    moves = 0
    while inversions not in reached:
        moves += 1
        reached = {
            count + change
            for count in reached
            for change in range(-passed, passed + 1, 2)
            if abs(count + change) <= far
        }
        if moves > far:
            # The parity never fits: the board cannot be solved, and the bound is what is known.
            return -(-inversions // passed)
    return moves


def inversion_distance(cells: Cells, goal: Cells, columns: int) -> int:
    """Count pairs out of order, read by rows and by columns; full goals without walls only."""
    rows = len(cells) // columns
    by_rows = range(len(cells))
    by_columns = [row * columns + column for column in range(columns) for row in range(rows)]
    total = 0
    for order, passed in ((by_rows, columns - 1), (by_columns, rows - 1)):
        rank = {goal[cell]: number for number, cell in enumerate(order)}
        ranks = [rank[cells[cell]] for cell in order if cells[cell] != 0]
        inversions = sum(first > second for first, second in combinations(ranks, 2))
        total += moves_to_undo(inversions, passed)
    return total


def walking_distance(cells: Cells, goal: Cells, columns: int) -> int:
    """Look both puzzles of lines up; full goals without walls only."""
    rows = len(cells) // columns
    by_row = [cell // columns for cell in range(len(cells))]
    by_column = [cell % columns for cell in range(len(cells))]
    total = 0
    for line, lines, blank in (
        (by_row, rows, by_row[goal.index(0)]),
        (by_column, columns, by_column[goal.index(0)]),
    ):
        table = line_costs(lines, len(cells) // lines, blank)
        home = {label: line[cell] for cell, label in enumerate(goal)}
        counts = [[0] * lines for _ in range(lines)]
        for cell, label in enumerate(cells):
            if label != 0:
                counts[line[cell]][home[label]] += 1
        total += table[tuple(map(tuple, counts))]
    return total


@cache
def line_costs(lines: int, size: int, blank: int) -> dict[Matrix, int]:
    """Return the cost of every position of a puzzle of `lines` lines of `size` cells."""
    goal = tuple(
        tuple((size - (line == blank)) * (line == kind) for kind in range(lines))
        for line in range(lines)
    )
    return spread([goal], lambda matrix: _line_moves(matrix, size))


def _line_moves(matrix: Matrix, size: int) -> Iterator[Matrix]:
    short = next(line for line, counts in enumerate(matrix) if sum(counts) < size)
    for line in (short - 1, short + 1):
        if 0 <= line < len(matrix):
            for kind, count in enumerate(matrix[line]):
                if count:
                    other = [list(counts) for counts in matrix]
                    other[line][kind] -= 1
                    other[short][kind] += 1
                    yield tuple(map(tuple, other))


def pattern_distances(
    rows: int, columns: int, tiles: tuple[int, ...], blank: int
) -> dict[tuple[int, ...], int]:
    """Return the fewest moves of the pattern's tiles from each configuration to the goal."""
    start = (tiles, blank)
    cost = {start: 0}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        cells, hole = state
        for near in beside(hole, rows, columns):
            if near in cells:
                moved = tuple(hole if cell == near else cell for cell in cells)
                after, price = (moved, near), cost[state] + 1
            else:
                after, price = (cells, near), cost[state]
            if price < cost.get(after, 10**9):
                cost[after] = price
                if price == cost[state]:
                    waiting.appendleft(after)
                else:
                    waiting.append(after)
    best: dict[tuple[int, ...], int] = {}
    for (cells, _), price in cost.items():
        best[cells] = min(price, best.get(cells, 10**9))
    return best


def shuffled(
    rows: int, columns: int, goal: tuple[int, ...], steps: int, rng: random.Random
) -> tuple[int, ...]:
    """Return the board after a random walk from the goal."""
    board = list(goal)
    blank = board.index(0)
    for _ in range(steps):
        near = rng.choice(beside(blank, rows, columns))
        board[blank], board[near] = board[near], 0
        blank = near
    return tuple(board)


def random_board(
    rows: int, columns: int, goal: tuple[int, ...], rng: random.Random
) -> tuple[int, ...]:
    """Return a uniformly random board that reaches the goal."""
    board = list(goal)
    rng.shuffle(board)
    seen: set[int] = set()
    odd = distance(board.index(0), goal.index(0), columns) & 1
    for cell in range(len(board)):
        length = 0
        while cell not in seen:
            seen.add(cell)
            cell = board.index(goal[cell])
            length += 1
        odd ^= max(0, length - 1) & 1
    if odd:
        a, b = [cell for cell in range(len(board)) if board[cell]][:2]
        board[a], board[b] = board[b], board[a]
    return tuple(board)


def replay(
    rows: int, columns: int, board: tuple[int, ...], blanks: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the board at the end of the blank's way, checking every step."""
    state = list(board)
    assert state[blanks[0]] == 0
    for here, there in pairwise(blanks):
        assert there in beside(here, rows, columns)
        state[here], state[there] = state[there], 0
    return tuple(state)


def bound_nodes(
    rows: int,
    columns: int,
    board: tuple[int, ...],
    bound: int,
    heuristic: Callable[[tuple[int, ...]], int],
    automaton: Automaton,
    least: float = inf,
) -> int:
    """Return the nodes generated by a depth-first search to `bound` that finds no goal in it.

    Below children that it cuts off at a depth of `least` or more, it searches the next bound.
    """

    def go(state: tuple[int, ...], blank: int, depth: int, mode: int, limit: int) -> int:
        nodes = 0
        for direction, offset in enumerate((-columns, -1, 1, columns)):
            near = blank + offset
            if (
                near not in beside(blank, rows, columns)
                or not automaton.allowed[mode] >> direction & 1
            ):
                continue
            nodes += 1
            other = list(state)
            other[blank], other[near] = other[near], 0
            child = tuple(other)
            needed = depth + 1 + heuristic(child)
            most = bound + 2 if depth + 1 >= least and needed > bound else limit
            if needed <= most:
                nodes += go(child, near, depth + 1, automaton.follow[mode][direction], most)
        return nodes

    return go(board, board.index(0), 0, 0, bound)


def index_of(key: PatternKey, where: Iterable[int]) -> int:
    """Return the index of the value for tiles that stand in the cells `where`."""
    cells = list(where)
    if key.ranked:
        return rank(key.cells, cells)
    return sum(spots[cell] for cell, spots in zip(cells, key.spots, strict=True))


def depth_limited(start: Cells, goal: Cells, columns: int, limit: int) -> tuple[bool, int, int]:
    """Return whether depth-limited search finds the goal, and how many it expands and visits.

    As in the textbooks: test for the goal, then for the limit, then expand. The way back is left
    out.
    """
    expanded = visited = 0

    def search(cells: Cells, parent: Cells | None, left: int) -> bool:
        nonlocal expanded, visited
        visited += 1
        if cells == goal:
            return True
        if left == 0:
            return False
        expanded += 1
        children = (
            child for child in neighbours(cells, len(cells) // columns, columns) if child != parent
        )
        return any(search(child, cells, left - 1) for child in children)

    return search(start, None, limit), expanded, visited


def iterative_deepening(start: Cells, goal: Cells, columns: int) -> tuple[int, int, int]:
    """Return the depth of a shortest solution, and the expansions and visits of all rounds."""
    expanded = visited = 0
    for limit in count():
        is_found, more_expanded, more_visited = depth_limited(start, goal, columns, limit)
        expanded, visited = expanded + more_expanded, visited + more_visited
        if is_found:
            return limit, expanded, visited
    raise AssertionError("the goal was not found")


def stack_search(start: Cells, goal: Cells, columns: int) -> dict[str, int]:
    """Return the counters of a depth-first search that pushes every new successor on a stack."""
    counts = dict.fromkeys(("expanded", "generated", "dequeued", "duplicates", "max_frontier"), 0)
    stack, known = [start], {start}
    counts["enqueued"] = 1
    while stack:
        counts["max_frontier"] = max(counts["max_frontier"], len(stack))
        cells = stack.pop()
        counts["dequeued"] += 1
        if cells == goal:
            return counts
        counts["expanded"] += 1
        children = list(neighbours(cells, len(cells) // columns, columns))
        new = [child for child in children if child not in known]
        known.update(new)
        stack += new[::-1]
        counts["generated"] += len(children)
        counts["enqueued"] += len(new)
        counts["duplicates"] += len(children) - len(new)
    raise AssertionError("the goal was not found")


def a_star(
    start: Cells,
    goal: Cells,
    columns: int,
    heuristic: Callable[[Cells], int],
    by_estimate: bool = True,
) -> dict[str, int]:
    """Return the counters of an A* on a heap: by f, then h, then first come, first out.

    Without `by_estimate`, h does not break ties.
    """
    counts = dict.fromkeys(("expanded", "reopened", "updated", "necessary"), 0)
    cost, closed, order, bound = {start: 0}, set(), 0, -1
    h = heuristic(start)
    waiting = [(h, h * by_estimate, order, start, 0)]
    while waiting:
        f, _, _, cells, g = heappop(waiting)
        if g > cost[cells]:
            continue
        if f > bound:
            bound, counts["necessary"] = f, counts["expanded"]
        if cells == goal:
            return {**counts, "cost": g}
        counts["expanded"] += 1
        closed.add(cells)
        for child in neighbours(cells, len(cells) // columns, columns):
            if g + 1 >= cost.get(child, 10**9):
                continue
            if child in cost:
                counts["reopened" if child in closed else "updated"] += 1
                closed.discard(child)
            cost[child] = g + 1
            order += 1
            h = heuristic(child)
            heappush(waiting, (g + 1 + h, h * by_estimate, order, child, g + 1))
    raise AssertionError("the goal was not found")


def least_necessary(start: Cells, goal: Cells, columns: int, best: int) -> int:
    """Return the fewest expansions of any front-to-end search that proves `best` moves shortest.

    By the Manhattan distance. It is a minimum vertex cover of the pairs of a board u near the start
    and a board v near the goal with f(u) < best, f(v) < best and g(u) + g(v) + 1 < best: one board
    of each pair must be expanded. Such pairs depend on g alone, so a cover is all boards with
    g(u) < t and all with g(v) < best - 1 - t, for some t.
    """
    sides = []
    for root, other in ((start, goal), (goal, start)):
        depth, pending = {root: 0}, deque([root])
        levels = [0] * (best + 1)
        while pending:
            cells = pending.popleft()
            g = depth[cells]
            if g >= best:
                break
            levels[g] += g + manhattan(cells, other, columns) < best
            for child in neighbours(cells, len(cells) // columns, columns):
                if child not in depth:
                    depth[child] = g + 1
                    pending.append(child)
        sides.append(levels)
    forward, backward = sides
    return min(
        sum(forward[:cut]) + sum(backward[: max(0, best - 1 - cut)]) for cut in range(best + 1)
    )
