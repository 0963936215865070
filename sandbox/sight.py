"""Which channels of a server the bot sees, as far as the gateway has told of them."""

from sandbox.events import Event
from sandbox.guilds import Channel, Guild
from sandbox.world import World

KINDS = frozenset(
    {"channel_created", "channel_updated", "role_updated", "role_deleted", "member_updated"}
)
"""The events after which the bot may see more channels, or fewer."""


class Sight:
    """Notices when the bot gains or loses access to a channel, whatever has brought it about."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: dict[int, set[int]] = {}

    def note(self, guild: Guild) -> None:
        """The bot has been told of this server as it is."""
        viewed = guild.viewed_channels(self._world.bot.id)
        self._seen[guild.id] = {channel.id for channel in viewed}

    def changed(self, event: Event) -> tuple[list[Channel], list[Channel]]:
        """The channels that the bot sees since this event and did not before, and the opposite."""
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
