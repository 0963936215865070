"""Whether the bot may post something for a user in a channel."""

from typing import Final

import discord

from bot.errors import NotAllowedHereError
from bot.messaging.permissions import is_voice, may_write, missing, timed_out_until
from bot.text import listed

NOT_ALLOWED: Final = (
    "You can't send messages in <#{channel}>, so I can't post for you there. Ask a moderator to "
    "let you."
)


def must_be_able_to_share(
    guild: discord.Guild | None,
    channel: int,
    place: object,
    *,
    bot: discord.Permissions,
    person: discord.Permissions,
) -> None:
    """Raise NotAllowedHereError if the bot or the user can't send messages in this channel.

    The bot says nothing for users in a channel in which they can't write themselves. `place` is
    discord.py's object of the channel; `bot` and `person` are the permissions of both in it.
    """
    silent_until = timed_out_until(guild)
    if silent_until is not None:
        raise NotAllowedHereError(
            f"A moderator has timed me out in that server, so I can't post in "
            f"<#{channel}> until {silent_until}. Ask them to remove the timeout, "
            "or share it later."
        )
    in_thread, in_voice = isinstance(place, discord.Thread), is_voice(place)
    lacking = missing(bot, in_thread=in_thread, in_voice=in_voice)
    if lacking:
        raise NotAllowedHereError(
            f"I can't post in <#{channel}>: I need {listed(lacking)} there. "
            "Ask a moderator to allow that."
        )
    if not may_write(person, in_thread=in_thread, in_voice=in_voice):
        raise NotAllowedHereError(NOT_ALLOWED.format(channel=channel))
