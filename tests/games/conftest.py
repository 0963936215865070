"""What the tests of all games share."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.random_play import Match, match_of

# The same examples every time, at any speed: a failure is a fact about the code, not about luck.
settings.register_profile("games", derandomize=True, deadline=None)
settings.load_profile("games")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the playthroughs again")


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Callable[[Path, str], object]:
    """Write a text to a file if `--record` was asked for, else do nothing."""
    if request.config.getoption("--record", default=False):
        return lambda path, text: path.write_text(text, encoding="utf-8")
    return lambda path, text: None


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Match:
    """The recorded match of a case and the number of its seed."""
    return match_of(*request.param)
