"""After somebody has won alone against computers: the way to the next level."""

from dataclasses import replace

import pytest

from bot.matches.levels import levels_for
from bot.rendering import render
from bot.rendering.challenge_form import ChallengeForm, harder_form
from cogs.pico.presentation import PicoPresentation
from games import GAMES, Seat
from games.chance import Chance
from tests.support.snapshots import URL, snapshot

PICO, PRIZE = GAMES["pico"], GAMES["prize"]


def over(level, *, lost_by=1, game=PICO, options=PICO.presets["pico1"], **changes):
    """A finished match against a computer of this level, which this seat has lost."""
    state = game.concede(
        game.setup(options, 2, Chance("deal", 0)), Seat(lost_by), Chance("left", 1)
    )
    ended = snapshot(game.key, state)
    person, other = ended.seats
    return replace(ended, seats=(person, replace(other, computer=level)), **changes)


def test_a_button_begins_the_same_variant_at_the_next_level():
    ended = over("beginner", time_control="live")

    shown = render(ended, {"pico": PicoPresentation()}, URL)

    (button,) = [b for row in shown.rows for b in row if b.label.startswith("Next")]
    assert (button.label, button.press.act) == ("Next level: Easy", "send")
    assert ChallengeForm.parse(button.press.arg) == ChallengeForm(
        game="pico", variant="pico1", level="easy", time_control="live"
    )


def test_a_solo_match_is_followed_by_one_with_the_default_time_control():
    form = harder_form(over("easy", guild=None, channel=None, time_control="none"))

    assert (form.level, form.time_control) == ("steady", None)


LAST = levels_for("pico", PICO.presets["pico1"], 2)[-1].key


@pytest.mark.parametrize(
    "ended",
    [
        over("beginner", lost_by=0),
        over(LAST),
        over(None),
        over("beginner", game=PRIZE, options=PRIZE.options(hand_limit=3)),
    ],
    ids=["lost", "last level", "against a person", "variant without a name"],
)
def test_no_next_level_is_offered_otherwise(ended):
    assert harder_form(ended) is None
