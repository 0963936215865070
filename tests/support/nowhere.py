"""Matches that are shown nowhere: what is looked at is what is written."""

from contextlib import asynccontextmanager

from bot.messaging.content import MessageContent


class Nowhere:
    """In place of `Live`; notes of which matches it is to remember nothing."""

    def __init__(self, matches=None):
        self.slots = self
        self._matches = matches
        self.forgotten = []

    def changed(self, match):
        del match

    now = outdate_hands = changed

    def forget(self, match):
        self.forgotten.append(match)

    async def abandon(self, match, place):
        del match, place

    @asynccontextmanager
    async def rewriting(self, match, place):
        snapshot = await self._matches.public(match)
        self.forget(match)
        yield MessageContent(head=f"{snapshot.match}: {snapshot.status}")
