"""The page's scripts and styles, as a type checker, a linter and a formatter see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import npm

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("config", ["jsconfig.json", "jsconfig.strict.json"])
def test_the_scripts_of_the_page_pass_the_type_checker(config: str) -> None:
    if why := npm.why_missing("typescript"):
        pytest.skip(why)
    assert npm.run("tsc", "--project", config, folder=ROOT) == ""


def test_the_page_passes_the_linter_and_is_formatted() -> None:
    if why := npm.why_missing("@biomejs/biome"):
        pytest.skip(why)
    assert npm.run("biome", "check", "--error-on-warnings", folder=ROOT) == ""
