"""Channels that keep people out, and what was shared in them."""

from sandbox.permissions import Overwrite, Permission


async def close_to(table, channel, *names, permission=Permission.VIEW_CHANNEL):
    """Hide a channel from people, and return once the bot knows of it."""
    world, heard = table.discord.world, table.bot.wait_for("guild_channel_update", timeout=30)
    found = world.channel(channel)
    denied = [Overwrite(table.person(name).id, 1, deny=int(permission)) for name in names]
    found.overwrites = [*found.overwrites, *denied]
    world.emit("channel_updated", found)
    await heard


def shared(table, channel="games"):
    """The results and solved puzzles that stand in a channel because somebody shared them."""
    seen = [m for m in table.person("Dan").see(channel) if m.ephemeral_to is None]
    return [m for m in seen if "Shared by" in m.text]
