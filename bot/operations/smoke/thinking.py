"""Checks of clicks whose answer comes later: Discord first says that the bot is thinking."""

from typing import Any

import discord

from bot.messaging.content import Layout
from bot.operations.smoke.lines import Checks, DiffersError, NotTriedError, needed
from bot.operations.smoke.members import NO_CLICK, ask_for_click
from bot.operations.smoke.messages import must_be_private, taken
from bot.operations.smoke.pictures import hooked, pictured, shows
from bot.operations.smoke.trial import COMPONENTS_V2, Trial, content

NOT_THINKING = "the bot is not thinking"

checks = Checks()


@checks.add("A second click, answered by thinking for that person only", "taken")
async def thinking(trial: Trial) -> str:
    click = await _another(trial, "second")
    taken(await trial.think(click, private=True))
    trial.thinking = click
    return "taken"


@checks.add(
    "An edit of that into components, which sends a picture",
    "in the gallery, under its file name, for them only",
)
async def filled(trial: Trial) -> str:
    click = needed(trial.thinking, NOT_THINKING)
    shown = pictured("picture after thinking", 80)
    message = taken(await trial.ask(click.edit_original_response(**hooked(shown))))
    if not message["flags"] & COMPONENTS_V2:
        raise DiffersError(f"flags {message['flags']}")
    must_be_private(message)
    return shows(message, shown)


@checks.add("A third click, answered by thinking for everybody", "taken")
async def thinking_publicly(trial: Trial) -> str:
    click = await _another(trial, "third")
    taken(await trial.think(click, private=False))
    trial.thinking_publicly = click
    return "taken"


@checks.add("Taking that back, then a private follow-up", "taken, for that person only")
async def taken_back(trial: Trial) -> str:
    click = needed(trial.thinking_publicly, NOT_THINKING)
    taken(await trial.ask(click.delete_original_response()))
    view = Layout(content("in place of thinking"), None)
    message = taken(await trial.ask(click.followup.send(view=view, ephemeral=True, wait=True)))
    must_be_private(message)
    return "for them only"


async def _another(trial: Trial, which: str) -> discord.Interaction[Any]:
    """Another click, because each can be given a first answer only once."""
    needed(trial.click, NO_CLICK)
    if trial.is_alone:
        raise NotTriedError(NO_CLICK)
    return await ask_for_click(trial, which)
