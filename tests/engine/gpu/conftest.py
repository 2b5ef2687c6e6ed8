"""The stand-in for a GPU, compiled once for all tests; and the real one, where there is one."""

from __future__ import annotations

import pytest

from taquin.analysis import gpu_explore
from taquin.engine.anytime import engine as anytime
from taquin.engine.base import FITS
from taquin.engine.gpu import device as gpu
from taquin.engine.gpu import resident
from taquin.engine.gpu.device import Device, gpu_fit, the_gpu
from taquin.engine.gpu.resident import Resident
from tests.engine.gpu.standin import COMPILER, StandIn


@pytest.fixture(scope="session")
def device(tmp_path_factory: pytest.TempPathFactory) -> Device:
    if COMPILER is None:
        pytest.skip("no C++ compiler, so no stand-in for a GPU")
    return StandIn(tmp_path_factory.mktemp("device"))


@pytest.fixture
def wired(device: Device, monkeypatch: pytest.MonkeyPatch) -> Resident:
    """Let the stand-in be the GPU of this machine."""
    there = Resident(device)
    for module in (anytime, gpu, gpu_explore):
        monkeypatch.setattr(module, "gpu_fit", lambda: FITS)
        monkeypatch.setattr(module, "the_gpu", lambda: device)
    monkeypatch.setattr(resident, "resident", lambda: there)
    return there


@pytest.fixture(scope="session")
def real_gpu() -> Device:
    if not (fit := gpu_fit()):
        pytest.skip(fit.why_not)
    return the_gpu()
