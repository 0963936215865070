"""Texts for one player call them `you`, with the right verbs."""

import re

import pytest

from bot.text import YOU
from games import Seat
from games.chance import Chance
from tests.support.presentations import told
from tests.support.random_play import CASES, match_of

pytestmark = pytest.mark.slow

OTHERS = ("Robin", "Sam", "Kim")
WRONG = re.compile(r"\byou('s| (?!pass\b)[a-z]+s\b)|(^|\n|[.!?*] )(\W*)you\b|\bof you\b")
"""Matches `you's`, `you scores`, `you was`, and a sentence that begins with a lowercase letter."""


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_story_says_you_to_its_reader(case):
    names = (YOU, *OTHERS[: case.seats - 1])
    stories = [told(case.key, state, names, Seat(0)) for _, state in match_of(case, 0).spread(40)]

    assert not [story for story in stories if WRONG.search(story)]
    assert any(re.search(r"\byou(r|rs)?\b", story, re.IGNORECASE) for story in stories)


@pytest.mark.parametrize("case", [case for case in CASES if case.seats > 2], ids=str)
def test_a_story_says_you_to_a_reader_who_has_left(case):
    first = match_of(case, 0).states[0]
    state = case.game.concede(first, Seat(0), Chance("0" * 64, 1))

    story = told(case.key, state, (YOU, *OTHERS[: case.seats - 1]))

    assert re.search(r"You (are|have) ", story)
    assert not WRONG.search(story)
