"""Somebody who was deleted has no name: a sentence that begins with them begins with a capital."""

import re
from importlib import import_module

import pytest

from games import GAMES
from tests.support.random_play import CASES, match_of

pytestmark = pytest.mark.slow

FORMER = "a former player"
SMALL = re.compile(rf"(^|\n|[.!?] ){FORMER}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_story_has_a_capital_where_a_former_player_begins_a_sentence(case):
    story = import_module(f"cogs.{case.key}.text").story
    told = [
        story(GAMES[case.key].observe(state, None), (FORMER,) * case.seats)
        for _, state in match_of(case, 0).spread(40)
    ]

    assert not [each for each in told if SMALL.search(each)]
    assert any("former player" in each for each in told)
