"""Fixtures that the tests of all games share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.random_play import Match, match_of

# The same examples every time, at any speed: a failure is due to the code, not to luck.
settings.register_profile("games", derandomize=True, deadline=None)
settings.load_profile("games")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the playthroughs again")


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Callable[[Path, str], object]:
    """A function that writes a text to a file if `--record` was given, or else does nothing."""
    if request.config.getoption("--record", default=False):
        return lambda path, text: path.write_text(text, encoding="utf-8")
    return lambda path, text: None


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Match:
    """The recorded match of a case, by its seed number."""
    return match_of(*request.param)
