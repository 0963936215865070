"""What a hand says above itself when it comes to tell its player something."""

from dataclasses import replace

import pytest

from bot.rendering.tellings import telling
from bot.storage import Telling
from tests.support.pico_snapshots import dealt
from tests.support.snapshots import snapshot


@pytest.mark.parametrize(
    ("strikes", "consequence"),
    [
        (0, "If it runs out, I move for you."),
        (1, "If it runs out again, you lose your seat."),
    ],
)
def test_a_reminder_says_what_missing_the_time_limit_costs(strikes, consequence):
    shown = snapshot("pico", dealt(), seat=0)
    own = replace(shown.places[0], strikes=strikes)
    reminded = replace(
        shown,
        places=(own, *shown.places[1:]),
        told=Telling(notice=1, event="time", turn=shown.turn, by=None),
    )

    assert telling(reminded) == f"⏰ **Your time is running out.** {consequence}\n"
