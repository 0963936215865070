"""What of the clicks can be said without Discord: the wire tests click on real messages."""

import pytest

from bot.errors import ButtonError
from bot.interactions.router import REMEMBERED, Route, SeenInteractions
from bot.messaging.first_answer import Deferral
from tests.support.random_play import sentence
from tests.support.services import bare_router


async def handler(interaction, press):
    del interaction, press


def test_an_interaction_is_new_once():
    seen = SeenInteractions()

    assert [seen.again(7), seen.again(7), seen.again(8), seen.again(7)] == [
        False,
        True,
        False,
        True,
    ]


def test_only_so_many_interactions_are_remembered_and_the_oldest_forgotten():
    seen = SeenInteractions(3)
    for interaction in (1, 2, 3, 4):
        seen.again(interaction)

    assert [seen.again(4), seen.again(3), seen.again(2)] == [True, True, True]
    assert seen.again(1) is False
    assert len(seen._ids) == 3


def test_thousands_of_interactions_are_remembered():
    seen = SeenInteractions()

    assert not any(seen.again(interaction) for interaction in range(REMEMBERED))
    assert all(seen.again(interaction) for interaction in range(REMEMBERED))


def test_two_cogs_cannot_have_the_same_button():
    clicks = bare_router()
    clicks.add("pick", handler)

    with pytest.raises(ValueError, match="two cogs want the button 'pick'"):
        clicks.add("pick", handler)


def test_a_cog_that_is_unloaded_takes_its_buttons_along():
    clicks = bare_router()
    clicks.add("pick", handler)
    clicks.remove("pick")
    clicks.remove("pick")

    with pytest.raises(ButtonError) as refused:
        clicks._route("pick")
    assert sentence(refused.value)

    clicks.add("pick", handler)
    assert clicks._route("pick") == Route(handler, Deferral.IN_PLACE, anywhere=False)
