"""Which channels of a server the bot can view, as far as the gateway has told it."""

from sandbox.events import Event
from sandbox.guilds import Channel, Guild
from sandbox.world import World

KINDS = frozenset(
    {"channel_created", "channel_updated", "role_updated", "role_deleted", "member_updated"}
)
"""The events that may change which channels the bot can view."""


class Sight:
    """Notices when the bot gains or loses access to a channel, whatever the cause."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: dict[int, set[int]] = {}

    def note(self, guild: Guild) -> None:
        """Remember the channels that the bot can view, because it has been told of this server."""
        viewed = guild.viewed_channels(self._world.bot.id)
        self._seen[guild.id] = {channel.id for channel in viewed}

    def changed(self, event: Event) -> tuple[list[Channel], list[Channel]]:
        """The channels that became visible to the bot with this event, and those that were hidden.

        Both are empty for a server that the bot hasn't been told of.
        """
        guild = self._world.guilds.get(event.guild or 0)
        if event.kind not in KINDS or guild is None or guild.id not in self._seen:
            return [], []
        before = self._seen[guild.id]
        self.note(guild)
        now = self._seen[guild.id]
        return (
            [channel for channel in guild.text_channels() if channel.id in now - before],
            [channel for channel in guild.text_channels() if channel.id in before - now],
        )
