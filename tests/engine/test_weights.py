"""What tiles and pairs of tiles add to the value of a board, and how it is fitted."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from tools import fit_value
from tools.fit_value import Features, Sample, fit, sample, text_of

from taquin.engine.anytime.value import (
    KINDS,
    NEAR,
    NO_TILE,
    OFFSETS,
    RIM,
    kind_of,
    pair_weights,
    read_weights,
    single_weight,
)
from tests.engine.anytime import pair_weight


def test_a_pair_adds_the_same_however_it_is_turned_mirrored_or_swapped() -> None:
    rows = pair_weights()
    displacements = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
    for (number, offset), one in product(enumerate(OFFSETS), displacements):
        row = rows[kind_of(*one)][KINDS * number : KINDS * (number + 1)]
        assert row[RIM] == pair_weight(offset, one, None)
        assert row[NO_TILE] == 0
        for other in displacements:
            assert row[kind_of(*other)] == pair_weight(offset, one, other)


def test_far_displacements_are_of_the_same_kind() -> None:
    assert kind_of(-2, 2) == kind_of(-9, 5) != kind_of(-1, 2)
    assert {kind_of(*each) for each in product(range(-6, 7), range(-6, 7))} == set(range(RIM))


def test_beyond_the_near_ones_each_step_adds_the_same() -> None:
    step = read_weights().step
    assert step > 0
    for down, right in product(range(12), range(12)):
        assert single_weight(down, right) == single_weight(right, down)
        rise = single_weight(down + 1, right) - single_weight(down, right)
        assert down < NEAR or rise == step


def test_a_fit_finds_what_lengths_were_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_value, "RIDGE", 1e-9)
    monkeypatch.setattr(fit_value, "ITERATIONS", 2_000)
    features, chance = Features(), Random(1)
    boards = []
    for _ in range(60):
        homes = list(range(-1, 35))
        chance.shuffle(homes)
        boards.append(Sample(homes, 0))
    facts = features.of(boards)
    made = np.array([chance.randrange(9) for _ in range(features.count)] + [0])
    lengths = made[facts.numbers].sum(axis=1) + 3 * facts.steps + 100
    samples = [
        board._replace(length=int(length)) for board, length in zip(boards, lengths, strict=True)
    ]
    weights = fit(features, [samples])
    values = np.append(weights[: features.count], 0)[facts.numbers].sum(axis=1)
    values += weights[features.count] * facts.steps + weights[features.count + 1]
    assert values == pytest.approx(lengths, rel=1e-3)
    lines = [line for line in text_of(features, weights).splitlines() if line[0] != "#"]
    assert [len(line.split()) for line in lines] == [NEAR + 1] * (NEAR + 1) + [1] + [RIM + 1] * 75


def test_samples_are_boards_on_the_way_with_their_lengths() -> None:
    samples = [each for seed in range(6) for each in sample(4, seed)]
    assert len(samples) > 4
    for homes, length in samples:
        # The goal's blank is where the start had its own, if the puzzle was turned round.
        assert len(set(homes)) == 16
        assert set(homes) < set(range(-1, 16))
        assert length >= fit_value._distance(homes, 4)
        assert (length - fit_value._distance(homes, 4)) % 2 == 0
