"""Checks that need a member: direct messages to them, and their clicks."""

import asyncio
from typing import Any, Final, cast

import discord
from discord.http import Route

from bot.messaging.components import Button
from bot.messaging.content import Layout, mentions
from bot.messaging.failures import Failure
from bot.operations.smoke.lines import Checks, DiffersError, NotTriedError, needed
from bot.operations.smoke.messages import (
    NO_MESSAGE,
    mentioned,
    must_be_private,
    press,
    read_as,
    taken,
)
from bot.operations.smoke.pictures import NO_PICTURE, Kept, hooked, kept, pictured, shows
from bot.operations.smoke.requests import Answer
from bot.operations.smoke.threads import NO_THREAD, archive
from bot.operations.smoke.trial import Trial, content, payload

LABEL: Final = "Click me"
ACKNOWLEDGED: Final = 6
NO_MEMBER: Final = "needs a member: --member says who"
NO_CLICK: Final = "needs a click"
CONNECTING_SECONDS: Final = 60.0

checks = Checks()


@checks.add("Opening direct messages to a member, twice", "the same channel")
async def opened(trial: Trial) -> str:
    member = needed(trial.member, NO_MEMBER)
    first = taken(await trial.ask(trial.http.start_private_message(member)))
    trial.direct = int(first["id"])
    again = taken(await trial.ask(trial.http.start_private_message(member)))
    if again["id"] != first["id"]:
        raise DiffersError("another channel")
    return "the same channel"


@checks.add("A direct message to a member who takes none", "refused, 50007 or 50278")
async def closed(trial: Trial) -> str:
    channel = needed(trial.direct, NO_MEMBER)
    answer = await trial.post(payload(content("direct message")), channel)
    if answer.ok:
        raise NotTriedError("it arrived; close your direct messages in this server, and run again")
    return read_as(answer, Failure.CLOSED)


@checks.add("A click of the member", "arrives, with what its button carries")
async def clicked(trial: Trial) -> str:
    needed(trial.member, f"{NO_CLICK}: --member says whose")
    await _connected(trial)
    trial.click = await ask_for_click(trial, "first")
    return "it arrived"


async def ask_for_click(trial: Trial, which: str) -> discord.Interaction[Any]:
    """Post a button for the member and wait for their click; NotTriedError if none comes."""
    member = needed(trial.member, NO_MEMBER)
    custom_id = str(press(which))
    waiting = asyncio.create_task(
        trial.client.wait_for(
            "interaction",
            check=lambda interaction: _is(interaction, member, custom_id),
            timeout=trial.patience,
        )
    )
    try:
        button = Button(label=LABEL, press=press(which), style="primary")
        sent = content(f"<@{member}>, your {which} click of three, within a minute", (button,))
        allowed = {"parse": [], "users": [str(member)]}
        taken(await trial.post(payload(sent, allowed_mentions=allowed), trial.thread))
        click: discord.Interaction[Any] = await waiting
    except TimeoutError:
        trial.is_alone = True
        raise NotTriedError(f"{NO_CLICK}: none came within {trial.patience:.0f} s") from None
    finally:
        waiting.cancel()
    return click


def _is(interaction: discord.Interaction[Any], member: int, custom_id: str) -> bool:
    data: Any = interaction.data  # typed as the union of all kinds of interaction
    return interaction.user.id == member and (data or {}).get("custom_id") == custom_id


async def _connected(trial: Trial) -> None:
    """Connect to the gateway, which brings clicks; DiffersError if it can't be reached."""
    trial.connection = asyncio.create_task(trial.client.connect())
    ready = asyncio.create_task(trial.client.wait_for("connect"))
    try:
        done, _ = await asyncio.wait(
            {trial.connection, ready},
            timeout=CONNECTING_SECONDS,
            return_when=asyncio.FIRST_COMPLETED,
        )
    finally:
        ready.cancel()
    if ready not in done:
        raise DiffersError("the gateway can't be reached")


@checks.add("Its first answer: nothing yet, the message will change", "taken")
async def acknowledged(trial: Trial) -> str:
    answer = await trial.ask(needed(trial.click, NO_CLICK).response.defer())
    if answer.failure is Failure.EXPIRED:
        raise DiffersError(f"{answer}: too late, or another bot with this token answered")
    taken(answer)
    trial.acknowledged = True
    return "taken"


@checks.add("A second first answer", "refused, 40060")
async def answered_twice(trial: Trial) -> str:
    click = _answered(trial)
    route = Route(
        "POST",
        "/interactions/{webhook_id}/{webhook_token}/callback",
        webhook_id=click.id,
        webhook_token=click.token,
    )
    answer = await trial.ask(trial.http.request(route, json={"type": ACKNOWLEDGED}))
    return read_as(answer, Failure.EXPIRED)


@checks.add(
    "An edit by the click's token that sends a picture", "in the gallery, under its file name"
)
async def upload_by_token(trial: Trial) -> str:
    shown = pictured("picture by token", 80)
    message = taken(await _edit(trial, **hooked(shown)))
    trial.by_token = message
    return shows(message, shown)


@checks.add("An edit by the token that keeps it by name", "the same attachment")
async def kept_by_token(trial: Trial) -> str:
    _answered(trial)
    before = needed(trial.by_token, NO_PICTURE)
    picture = Kept.of(before)
    view = Layout(pictured("kept by token", 80), f"attachment://{picture.filename}")
    named = cast(discord.Attachment, picture)  # discord.py only calls `to_dict`
    after = taken(await _edit(trial, view=view, attachments=[named]))
    return kept(before, after)


@checks.add("An edit by the token that names somebody", "they are in `mentions`")
async def named_by_token(trial: Trial) -> str:
    view = Layout(content(f"edit by token names <@{trial.named}>"), None)
    answer = await _edit(trial, view=view, allowed_mentions=mentions([trial.named]))
    return mentioned(taken(answer), trial)


@checks.add("A private follow-up", "taken, for that person only")
async def follow_up(trial: Trial) -> str:
    view = Layout(content(f"private, names <@{trial.named}>"), None)
    sending = _answered(trial).followup.send(
        view=view, ephemeral=True, allowed_mentions=mentions([trial.named]), wait=True
    )
    message = taken(await trial.ask(sending))
    trial.private = message
    must_be_private(message)
    return "for them only"


@checks.add("Somebody named in it", "they are in `mentions`", relied_on=False)
async def named_privately(trial: Trial) -> str:
    return mentioned(needed(trial.private, NO_MESSAGE), trial)


@checks.add(
    "An edit of it by the token, that sends a picture", "in the gallery, under its file name"
)
async def edit_privately(trial: Trial) -> str:
    private = int(needed(trial.private, NO_MESSAGE)["id"])
    shown = pictured("private picture", 80)
    hook = _answered(trial).followup
    message = taken(await trial.ask(hook.edit_message(private, **hooked(shown))))
    return shows(message, shown)


@checks.add("Deleting it by the token", "taken")
async def delete_privately(trial: Trial) -> str:
    private = int(needed(trial.private, NO_MESSAGE)["id"])
    taken(await trial.ask(_answered(trial).followup.delete_message(private)))
    return "taken"


@checks.add("An edit by the token in an archived thread", "taken, or refused as the bot can read")
async def archived_by_token(trial: Trial) -> str:
    _answered(trial)
    await archive(trial, needed(trial.thread, NO_THREAD))
    answer = await _edit(trial, view=Layout(content("by token while archived"), None))
    if not answer.ok and answer.failure is None:
        raise DiffersError(str(answer))
    return str(answer)


@checks.add("Members asked for by id, without a privileged intent", "the member is found")
async def members(trial: Trial) -> str:
    member = needed(trial.member, NO_MEMBER)
    needed(trial.click, NO_CLICK)  # so the gateway is connected
    guild = trial.client.get_guild(trial.guild)
    if guild is None:
        raise DiffersError("the server did not come over the gateway")
    found = await guild.query_members(user_ids=[member], limit=1, cache=False)
    if [one.id for one in found] != [member]:
        raise DiffersError("not found")
    return "found"


async def _edit(trial: Trial, **fields: Any) -> Answer:  # noqa: ANN401 - passed on as they are
    """Edit the clicked message by the click's token."""
    original = cast(int, "@original")  # Discord's own word for it; discord.py says int
    return await trial.ask(_answered(trial).followup.edit_message(original, **fields))


def _answered(trial: Trial) -> discord.Interaction[Any]:
    """The click, which must have had its first answer: before that, its token is useless."""
    click = needed(trial.click, NO_CLICK)
    if not trial.acknowledged:
        raise NotTriedError("needs a click that was answered")
    return click
