"""Cogs that answer buttons: the methods they mark are registered while they are loaded."""

from types import SimpleNamespace

from bot.interactions.cog import ActCog, GameCog, act
from bot.interactions.router import Route
from bot.messaging.first_answer import Deferral
from cogs.pico.presentation import PicoPresentation
from tests.support.services import bare_router


class Waving(ActCog):
    @property
    def tired(self):
        raise AssertionError("to look for acts asks no property")

    @act("wave")
    async def wave(self, interaction, press): ...

    async def nod(self, interaction, press): ...


class Louder(Waving):
    @act("shout", Deferral.PRIVATE, anywhere=True)
    async def shout(self, interaction, press): ...


class Quiet(GameCog, group_name="quiet"):
    game = "pico"
    presentation = PicoPresentation()

    @act("hush")
    async def hush(self, interaction, press): ...


def parts():
    """The parts of a bot that loading a cog needs."""
    router = bare_router()
    return SimpleNamespace(services=SimpleNamespace(router=router, presentations={}))


async def test_marked_methods_answer_buttons_while_their_cog_is_loaded():
    bot = parts()
    cog = Louder(bot)

    await cog.cog_load()

    assert bot.services.router._routes == {
        "wave": Route(cog.wave, Deferral.IN_PLACE, anywhere=False),
        "shout": Route(cog.shout, Deferral.PRIVATE, anywhere=True),
    }

    await cog.cog_unload()

    assert bot.services.router._routes == {}


async def test_a_presentation_is_registered_while_its_cog_is_loaded():
    bot = parts()
    cog = Quiet(bot)

    await cog.cog_load()

    assert bot.services.presentations == {Quiet.game: Quiet.presentation}
    assert list(bot.services.router._routes) == ["hush"]

    await cog.cog_unload()

    assert (bot.services.presentations, bot.services.router._routes) == ({}, {})
