"""Matches that are shown nowhere: what is looked at is what is written."""

from bot.messaging.content import MessageContent


class Nowhere:
    """In place of `Live`; notes of which matches it is to remember nothing."""

    def __init__(self):
        self.slots = self
        self.forgotten = []

    def changed(self, match):
        del match

    now = changed

    def forget(self, match):
        self.forgotten.append(match)

    async def abandon(self, match, place):
        del match, place

    async def table_content(self, snapshot):
        return MessageContent(head=f"{snapshot.match}: {snapshot.status}")
