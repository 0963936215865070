"""The people and servers that the bot's owner has banned, in the setting `BANNED`.

No match begins with a banned person. Their running matches go on until their time runs out, as if
they were away. Their data stays theirs: they can still export or delete it.
"""

from collections.abc import Collection
from typing import Final

import discord
import structlog

from bot.errors import NotAllowedHereError
from bot.messaging.patient_bot import UNREACHABLE

log = structlog.get_logger()

STILL_ANSWERED: Final = frozenset({"privacy", "erase"})
"""The command, and the act of its buttons, that banned people can still use, for their own data."""


class Bans:
    def __init__(self, banned: Collection[int], support_url: str | None = None) -> None:
        """`banned` has the ids of people and of servers, which are never the same in Discord."""
        self._banned = frozenset(banned)
        self._support_url = support_url

    def admit(self, person: int, what: str) -> None:
        """Raise NotAllowedHereError if this person can't use this command or act of a button."""
        if person not in self._banned or what in STILL_ANSWERED:
            return
        ask = "" if self._support_url is None else f" To ask about it: <{self._support_url}>."
        raise NotAllowedHereError(
            "This bot's owner has banned you from using it. You can still use `/privacy export` to "
            f"get your data and `/privacy delete` to delete it.{ask}"
        )

    def among(self, people: Collection[int]) -> list[int]:
        """The banned ones of these people."""
        return [person for person in people if person in self._banned]

    async def leave(self, guild: discord.Guild) -> bool:
        """Leave this server if it's banned; whether it is.

        If Discord can't be reached, the bot stays until the next start, or the next outage of the
        server.
        """
        if guild.id not in self._banned:
            return False
        try:
            await guild.leave()
        except UNREACHABLE as error:
            log.warning("banned server not left", server=guild.id, error=type(error).__name__)
        else:
            log.info("banned server left", server=guild.id)
        return True
