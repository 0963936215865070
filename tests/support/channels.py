"""Channels that keep people out."""

from sandbox.permissions import Overwrite, Permission


async def close_to(table, channel, *names, permission=Permission.VIEW_CHANNEL):
    """Hide a channel from people, and return once the bot knows of it."""
    world, heard = table.discord.world, table.bot.wait_for("guild_channel_update", timeout=30)
    found = world.channel(channel)
    denied = [Overwrite(table.person(name).id, 1, deny=int(permission)) for name in names]
    found.overwrites = [*found.overwrites, *denied]
    world.emit("channel_updated", found)
    await heard
