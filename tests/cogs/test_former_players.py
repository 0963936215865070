"""Deleted people are "a former player": sentences that begin with them begin with a capital."""

import re

import pytest

from tests.support.presentations import told
from tests.support.random_play import CASES, match_of

pytestmark = pytest.mark.slow

FORMER = "a former player"
SMALL = re.compile(r"(^|\n|[.!?] )(a|two|three|four) former player")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_sentence_that_begins_with_a_former_player_begins_with_a_capital(case):
    stories = [
        told(case.key, state, (FORMER,) * case.seats) for _, state in match_of(case, 0).spread(40)
    ]

    assert not [story for story in stories if SMALL.search(story)]
    assert any("former player" in story for story in stories)
