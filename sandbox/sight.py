"""Which channels of a server the bot sees, as far as the gateway has told of them."""

from sandbox.events import Event
from sandbox.guilds import Channel, Guild
from sandbox.permissions import Permission
from sandbox.world import World

KINDS = frozenset(
    {"channel_created", "channel_updated", "role_updated", "role_deleted", "member_updated"}
)
"""The events after which the bot may see more channels, or fewer."""


class Sight:
    """Notices when the bot gains access to a channel, whatever has brought it about."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: dict[int, set[int]] = {}

    def note(self, guild: Guild) -> None:
        """The bot has been told of this server as it is."""
        self._seen[guild.id] = {channel.id for channel in self._visible(guild)}

    def gained(self, event: Event) -> list[Channel]:
        """The channels that the bot sees since this event, and did not see before."""
        guild = self._world.guilds.get(event.guild or 0)
        if event.kind not in KINDS or guild is None or guild.id not in self._seen:
            return []
        before = self._seen[guild.id]
        self.note(guild)
        if event.kind == "channel_created":
            return []  # which can have no threads yet
        return [channel for channel in self._visible(guild) if channel.id not in before]

    def _visible(self, guild: Guild) -> list[Channel]:
        bot = self._world.bot.id
        return [
            channel
            for channel in guild.text_channels()
            if guild.permissions(bot, channel) & Permission.VIEW_CHANNEL
        ]
