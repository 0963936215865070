"""What can be tested of the router without Discord; the wire tests click on real messages."""

import asyncio
from types import SimpleNamespace

import pytest

from bot.errors import ButtonError
from bot.interactions.router import REMEMBERED, Route
from bot.messaging.first_answer import Deferral
from tests.support.random_play import sentence
from tests.support.services import bare_router


async def handler(interaction, press):
    del interaction, press


async def taken(clicks, *interactions):
    """Whether the router takes each of these, each in its own task."""

    async def take(interaction):
        return clicks.takes(SimpleNamespace(id=interaction, extras={}), Deferral.IN_PLACE)

    return await asyncio.gather(*map(take, interactions))


async def test_an_interaction_is_taken_once():
    assert await taken(bare_router(), 7, 7, 8, 7) == [True, False, True, False]


async def test_nothing_is_taken_after_closing():
    clicks = bare_router()
    await clicks.close()

    assert await taken(clicks, 7) == [False]


async def test_thousands_of_interactions_are_remembered_and_the_oldest_are_forgotten():
    clicks = bare_router()

    assert all(await taken(clicks, *range(REMEMBERED)))
    assert not any(await taken(clicks, *range(REMEMBERED)))
    assert await taken(clicks, REMEMBERED, 1, 0, 1) == [True, False, True, True]


def test_two_cogs_cannot_register_the_same_button():
    clicks = bare_router()
    clicks.add("pick", handler)

    with pytest.raises(ValueError, match="two cogs want the button 'pick'"):
        clicks.add("pick", handler)


def test_unloading_a_cog_removes_its_buttons():
    clicks = bare_router()
    clicks.add("pick", handler)
    clicks.remove("pick")
    clicks.remove("pick")

    with pytest.raises(ButtonError) as refused:
        clicks._route("pick")
    assert sentence(refused.value)

    clicks.add("pick", handler)
    assert clicks._route("pick") == Route(handler, Deferral.IN_PLACE, anywhere=False)
