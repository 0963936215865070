"""Channels that members can't view, and the posts that people shared in a channel."""

from sandbox.permissions import Overwrite, Permission


async def close_to(table, channel, *names, permission=Permission.VIEW_CHANNEL):
    """Deny people a permission in a channel, and return once the bot has received the update."""
    world, heard = table.discord.world, table.bot.wait_for("guild_channel_update", timeout=30)
    found = world.channel(channel)
    denied = [Overwrite(table.person(name).id, 1, deny=int(permission)) for name in names]
    found.overwrites = [*found.overwrites, *denied]
    world.emit("channel_updated", found)
    await heard


def shared(table, channel="games"):
    """The shared results and solved puzzles in a channel."""
    seen = [m for m in table.person("Dan").see(channel) if m.ephemeral_to is None]
    return [m for m in seen if "Shared by" in m.text]
