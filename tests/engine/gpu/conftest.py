"""The stand-in for a GPU, compiled once for all tests; and the real one, where there is one."""

from __future__ import annotations

import pytest

from taquin.engine.anytime import engine as anytime
from taquin.engine.base import FITS
from taquin.engine.gpu import engine, explore, resident
from taquin.engine.gpu.card import Card, card_fit, the_card
from taquin.engine.gpu.resident import Resident
from tests.engine.gpu.standin import COMPILER, StandIn


@pytest.fixture(scope="session")
def card(tmp_path_factory: pytest.TempPathFactory) -> Card:
    if COMPILER is None:
        pytest.skip("no C++ compiler, so no stand-in for a GPU")
    return StandIn(tmp_path_factory.mktemp("card"))


@pytest.fixture
def wired(card: Card, monkeypatch: pytest.MonkeyPatch) -> Resident:
    """Let the stand-in be the GPU of this machine."""
    there = Resident(card)
    for module in (anytime, engine, explore):
        monkeypatch.setattr(module, "card_fit", lambda: FITS)
        monkeypatch.setattr(module, "the_card", lambda: card)
    monkeypatch.setattr(resident, "resident", lambda: there)
    return there


@pytest.fixture(scope="session")
def real_card() -> Card:
    if not (fit := card_fit()):
        pytest.skip(fit.why_not)
    return the_card()
