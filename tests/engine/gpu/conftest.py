"""The stand-in for a card, compiled once for all tests; and the real one, where there is one."""

from __future__ import annotations

import pytest

from taquin.engine.gpu.card import Card, card_fit, the_card
from tests.engine.gpu.standin import COMPILER, StandIn


@pytest.fixture(scope="session")
def card(tmp_path_factory: pytest.TempPathFactory) -> Card:
    if COMPILER is None:
        pytest.skip("no C++ compiler, so no stand-in for a card")
    return StandIn(tmp_path_factory.mktemp("card"))


@pytest.fixture(scope="session")
def real_card() -> Card:
    if not (fit := card_fit()):
        pytest.skip(fit.why_not)
    return the_card()
