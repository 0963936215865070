"""Whom the bot's owner has banned from it, people and servers: `BANNED` among the settings.

No match begins with a banned person. What they play already goes on without them until their time
runs out, as if they had gone away. Their data stays theirs: they can still have it as a file, or
have it deleted.
"""

from collections.abc import Collection
from typing import Final

import discord
import structlog

from bot.errors import NotAllowedHereError
from bot.messaging.patient_bot import UNREACHABLE

log = structlog.get_logger()

STILL_ANSWERED: Final = frozenset({"privacy", "erase"})
"""A command and the act of its buttons: what is kept about people is theirs in any case."""


class Bans:
    def __init__(self, banned: Collection[int], support_url: str | None = None) -> None:
        """`banned` are the ids of people and of servers, which Discord never gives twice."""
        self._banned = frozenset(banned)
        self._support_url = support_url

    def admit(self, person: int, what: str) -> None:
        """NotAllowedHereError if this person may not use this command or press this button."""
        if person not in self._banned or what in STILL_ANSWERED:
            return
        ask = "" if self._support_url is None else f" To ask about it: <{self._support_url}>."
        raise NotAllowedHereError(
            "This bot's owner has banned you from using it. You can still use `/privacy export` to "
            f"get your data and `/privacy delete` to delete it.{ask}"
        )

    def among(self, people: Collection[int]) -> list[int]:
        """Those of these people who are banned."""
        return [person for person in people if person in self._banned]

    async def leave(self, guild: discord.Guild) -> bool:
        """Whether this server is banned; the bot leaves it then.

        Where Discord can't be reached, it stays until the next start or outage of the server.
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
