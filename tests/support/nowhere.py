"""A stand-in for `Live`, for tests that look only at what is stored."""

from contextlib import asynccontextmanager

from bot.messaging.content import MessageContent


class Nowhere:
    """Takes the part of `Live` and its slots, sends nothing, and records the matches to forget."""

    def __init__(self, matches=None):
        self.slots = self
        self._matches = matches
        self.forgotten = []

    def note_changed(self, match):
        del match

    now = outdate_all = outdate_hands = note_changed

    def forget(self, match):
        self.forgotten.append(match)

    async def abandon(self, match, place):
        del match, place

    @asynccontextmanager
    async def rewriting(self, match, place):
        snapshot = await self._matches.public(match)
        self.forget(match)
        yield MessageContent(head=f"{snapshot.match}: {snapshot.status}")
