"""Fit the evaluation function of beams to the lengths of solutions; write `weights.txt`.

    python -m tools.fit_value [--samples 20000] [--sides 5 6 7]

    boards    a sample of those that a beam keeps at a random depth
    lengths   the moves of the solution that a wider beam finds from there, with the current weights
    weights   the terms of tiles and pairs, fitted to these lengths by least squares with ridge
              regularisation, so that rare kinds of pairs keep small weights

Weights may improve from run to run as long as solutions get shorter. Compare before you keep them.
It takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime import value as read_from
from taquin.engine.anytime.beam import CpuBeam
from taquin.engine.anytime.puzzle_arrays import arrays_of, turned_round
from taquin.engine.anytime.value import (
    FIRST_OFFSETS,
    HOME_BITS,
    NEAR,
    NO_TILE,
    OFFSETS,
    REACH,
    Offset,
    kind_of,
)
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board
from taquin.model.space import Space

WIDTH = 1_000
"""Boards of the beams that find solutions; those whose boards are sampled have half of them."""
EACH = 4
"""Boards that are sampled from one level."""
STEEPNESS = 1.5
"""Moves per step of Manhattan distance, on average. Solutions with 50 more are outliers, and
left out."""
UNIT = 64
"""What a move is in `weights.txt`."""
RIDGE, ITERATIONS = 300.0, 150
"""The regularisation of the weights of pairs, and the iterations of the solver."""
HEADS = (
    "A neighbour right of a tile: a row for each kind of tile, the last number for the rim:",
    "A neighbour below it and to its right:",
    "A neighbour two cells to its right:",
)


class Sample(NamedTuple):
    """A board and how many moves its solution takes."""

    homes: list[int]
    """The home of the tile in each cell; -1 for the blank."""
    length: int
    """Moves of a solution."""


def sample(side: int, seed: int) -> list[Sample]:
    """Return some boards on the way to the goal, with their lengths."""
    chance = random.Random(f"{side} {seed}")
    goal = Goal.blank_last(side, side)
    puzzle = arrays_of(Space(Puzzle(goal), random_board(goal, seed=1_000_000 + seed)))
    if seed % 2:
        puzzle = turned_round(puzzle)
    homes = [puzzle.homes[number] if number else -1 for number in puzzle.start]
    beam = CpuBeam(WIDTH // 2, puzzle.size)
    depth = chance.randint(1, int(STEEPNESS * _distance(homes, side)))
    if beam.search(puzzle, puzzle.start, lambda: True, longest=depth).solved or not len(beam.last):
        return []
    tiles = {home: number for number, home in enumerate(puzzle.homes)}
    wide, samples = CpuBeam(WIDTH, puzzle.size), []
    for _ in range(EACH):
        items = beam.last[chance.randrange(len(beam.last))].tolist()[: puzzle.size]
        homes = [
            -1 if item >> HOME_BITS == NO_TILE else item & (1 << HOME_BITS) - 1 for item in items
        ]
        board = [tiles[home] if home >= 0 else 0 for home in homes]
        found = wide.search(puzzle, board, lambda: True)
        if found.solved and len(found.moves) <= STEEPNESS * _distance(homes, side) + 50:
            samples.append(Sample(homes, len(found.moves)))
    return samples


def _distance(homes: list[int], side: int) -> int:
    """Return the Manhattan distance of a board."""
    return sum(
        abs(cell // side - home // side) + abs(cell % side - home % side)
        for cell, home in enumerate(homes)
        if home >= 0
    )


class Facts(NamedTuple):
    """The features of each board of a group."""

    numbers: NDArray[np.int32]
    """The numbers of the weights that it adds up, a row each."""
    steps: NDArray[np.float64]
    """Its steps beyond `NEAR`."""
    lengths: NDArray[np.float64]
    """Its moves."""


class Features:
    """Which weights a board adds up: their numbers, the last of which is of a weight of 0."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        steps = range(-REACH, REACH + 1)
        kinds = [(down, right) for down in steps for right in steps]
        self.pairs = np.array(
            [
                [[self._number(offset, kind, other) for other in (*kinds, None)] for kind in kinds]
                for offset in OFFSETS
            ]
        )
        self.count_of_pairs = len(self.numbers)
        sides = range(NEAR + 1)
        self.singles = np.array(
            [
                [self.numbers.setdefault((min(a, b), max(a, b)), len(self.numbers)) for b in sides]
                for a in sides
            ]
        )
        self.count = len(self.numbers)
        """The number of all weights but that of a step beyond the distances distinguished."""

    def _number(self, offset: Offset, kind: Offset, other: Offset | None) -> int:
        """Return the number of a pair: the same for all that are turned, mirrored or swapped."""
        views = [(offset, kind, other)]
        if other is not None:
            views.append(((-offset[0], -offset[1]), other, kind))
        turned = [
            tuple(() if each is None else turn(each) for each in view)
            for view in views
            for turn in TURNS
        ]
        return self.numbers.setdefault(min(turned), len(self.numbers))

    def of(self, samples: list[Sample]) -> Facts:
        """Return the features of boards of one size."""
        boards = np.array([each.homes for each in samples])
        side = round(boards.shape[1] ** 0.5)
        cells = np.arange(side * side)
        is_blank = boards < 0
        down, right = cells // side - boards // side, cells % side - boards % side
        kinds = np.vectorize(kind_of)(down, right)
        down, right = abs(down), abs(right)
        beyond = np.maximum(0, down - NEAR) + np.maximum(0, right - NEAR)
        steps = np.where(is_blank, 0, beyond).sum(axis=1).astype(float)
        alone = self.singles[np.minimum(down, NEAR), np.minimum(right, NEAR)]
        columns = [np.where(is_blank, self.count, alone)]
        for number, offset in enumerate(OFFSETS):
            rows, places = cells // side + offset[0], cells % side + offset[1]
            inside = (rows >= 0) & (rows < side) & (places >= 0) & (places < side)
            rim = cells[~inside]
            found = self.pairs[number, kinds[:, rim], -1]
            columns.append(np.where(is_blank[:, rim], self.count, found))
            if offset > (0, 0):
                one, other = cells[inside], (rows * side + places)[inside]
                found = self.pairs[number, kinds[:, one], kinds[:, other]]
                missing = is_blank[:, one] | is_blank[:, other]
                columns.append(np.where(missing, self.count, found))
        lengths = np.array([each.length for each in samples], float)
        return Facts(np.concatenate(columns, axis=1).astype(np.int32), steps, lengths)


def _turn(number: int, offset: Offset) -> Offset:
    down, right = offset[::-1] if number & 1 else offset
    return (-down if number & 2 else down), (-right if number & 4 else right)


TURNS: list[Callable[[Offset], Offset]] = [partial(_turn, number) for number in range(8)]
"""The eight ways to turn or mirror the grid."""


def fit(features: Features, groups: list[list[Sample]]) -> NDArray[np.float64]:
    """Return the weights with the least squares, by conjugate gradients.

    Each group, of one size, has a number of its own that is added to all its values, and counts by
    the squares of relative errors.
    """
    known = list(map(features.of, groups))
    shares = [(known[0].lengths.mean() / facts.lengths.mean()) ** 2 for facts in known]
    count, step = features.count, features.count
    total = count + 1 + len(groups)
    ridge = np.zeros(total)
    ridge[:count] = RIDGE / 100
    ridge[: features.count_of_pairs] = RIDGE

    def predicted(weights: NDArray[np.float64], group: int) -> NDArray[np.float64]:
        facts = known[group]
        values = np.append(weights[:count], 0.0)[facts.numbers].sum(axis=1)
        values += weights[step] * facts.steps + weights[step + 1 + group]
        summed: NDArray[np.float64] = values
        return summed

    def gathered(parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        sums = np.zeros(total)
        for group, (facts, share, part) in enumerate(zip(known, shares, parts, strict=True)):
            each = np.repeat(share * part, facts.numbers.shape[1])
            sums[:count] += np.bincount(facts.numbers.ravel(), each, count + 1)[:count]
            sums[step] += share * part @ facts.steps
            sums[step + 1 + group] = share * part.sum()
        return sums

    weights = np.zeros(total)
    rest = gathered([facts.lengths for facts in known])
    direction, square = rest.copy(), rest @ rest
    for _ in range(ITERATIONS):
        image = gathered([predicted(direction, group) for group in range(len(known))])
        image += ridge * direction
        length = square / (direction @ image)
        weights += length * direction
        rest -= length * image
        square, before = rest @ rest, square
        direction = rest + square / before * direction
    for group, (_, _, lengths) in enumerate(known):
        error = (predicted(weights, group) - lengths).std()
        print(f"{len(lengths):,} boards, mean {lengths.mean():.1f} moves, error {error:.2f}")
    return weights


def text_of(features: Features, weights: NDArray[np.float64]) -> str:
    """Return the text of `weights.txt` for weights."""
    units = np.rint(UNIT * weights[: features.count + 1]).astype(int)
    lines = [
        "# What tiles and pairs of them add to the value of a board, in 64ths of a move. See",
        "# weights.txt; python -m tools.fit_value writes this.",
        "# A tile alone, by its distances from home in rows and in columns:",
        *(" ".join(map(str, units[row])) for row in features.singles),
        "# Each step more:",
        str(units[features.count]),
    ]
    for head, offset in zip(HEADS, FIRST_OFFSETS, strict=True):
        table = units[features.pairs[OFFSETS.index(offset)]]
        lines += [f"# {head}", *(" ".join(map(str, row)) for row in table)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Sample, fit and write."""
    parser = argparse.ArgumentParser(description="Fit the value of boards in beams.")
    parser.add_argument("--samples", type=int, default=20_000, help="boards of the first size")
    parser.add_argument("--sides", type=int, nargs="+", default=[5, 6, 7])
    given = parser.parse_args()
    groups = []
    with ProcessPoolExecutor() as pool:
        for side in given.sides:
            # Larger boards take longer.
            count = int(given.samples * (given.sides[0] / side) ** 4) // EACH
            found = pool.map(partial(sample, side), range(count), chunksize=20)
            groups.append(list(chain.from_iterable(found)))
            print(f"{side}×{side}: {len(groups[-1]):,} boards", flush=True)
    features = Features()
    path = Path(read_from.__file__).with_name("weights.txt")
    path.write_text(text_of(features, fit(features, groups)))
    print(path)


if __name__ == "__main__":
    main()
