"""What can be tested of the router without Discord; the wire tests click on real messages."""

import asyncio
from types import SimpleNamespace

import discord
import pytest

from bot.errors import ButtonError, HurriedError
from bot.interactions.router import MAX_REMEMBERED, Route
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from tests.support.random_play import sentence
from tests.support.services import bare_router


async def handler(interaction, press):
    del interaction, press


def click(number, *, user, custom_id="f1:0:0:pick:"):
    return SimpleNamespace(
        id=number,
        user=SimpleNamespace(id=user),
        type=discord.InteractionType.component,
        data={"custom_id": custom_id},
        extras={},
    )


async def admitted(clicks, *interactions):
    """Whether the router admits each of these, each in its own task and by another person."""

    async def admit(interaction):
        return clicks._admit(click(interaction, user=interaction), Deferral.IN_PLACE)

    return await asyncio.gather(*map(admit, interactions))


async def test_an_interaction_is_admitted_once():
    assert await admitted(bare_router(), 7, 7, 8, 7) == [True, False, True, False]


async def test_nothing_is_admitted_after_closing():
    clicks = bare_router()
    await clicks.close()

    assert await admitted(clicks, 7) == [False]


async def test_thousands_of_interactions_are_remembered_and_the_oldest_are_forgotten():
    clicks = bare_router()

    assert all(await admitted(clicks, *range(MAX_REMEMBERED)))
    assert not any(await admitted(clicks, *range(MAX_REMEMBERED)))
    assert await admitted(clicks, MAX_REMEMBERED, 1, 0, 1) == [True, False, True, True]


async def test_clicks_that_cannot_be_read_are_counted_too():
    clicks = bare_router()
    for number in range(30):
        assert clicks._admit(click(number, user=7, custom_id="not ours"), Deferral.IN_PLACE)
    with pytest.raises(HurriedError):
        clicks._admit(click(30, user=7, custom_id="not ours"), Deferral.IN_PLACE)


def test_two_cogs_cannot_register_the_same_button():
    clicks = bare_router()
    clicks.add("pick", handler)

    with pytest.raises(ValueError, match="two cogs want the button 'pick'"):
        clicks.add("pick", handler)


async def test_unloading_a_cog_removes_its_buttons():
    clicks = bare_router()
    clicks.add("pick", handler)
    clicks.remove("pick")
    clicks.remove("pick")

    with pytest.raises(ButtonError) as refused:
        await clicks._handle(click(1, user=7), Press.parse("f1:0:0:pick:"))
    assert sentence(refused.value)

    clicks.add("pick", handler)
    assert clicks._routes == {"pick": Route(handler, Deferral.IN_PLACE, anywhere=False)}
