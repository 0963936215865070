"""Matches that are played in threads of their own."""

from tests.support.tables import labels


async def want_threads(table):
    """The server wants threads; the bot's invitation asked for what they need."""
    await table.bot.services.guild_settings.change(table.discord.world.guild.id, "threads on")


def threads(table):
    return list(table.discord.world.guild.threads())


def tables(table, channel):
    return [m for m in table.person("Ann").see(channel) if "My hand" in labels(m)]


async def begun(table, **options):
    """The challenge, and the table in the thread of the match."""
    challenge = await table.challenge(**options)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: all(table.has_hand(name) for name in ("Ann", "Bo")))
    (thread,) = threads(table)
    (public,) = tables(table, thread)
    return challenge, public


def thread_messages(table, thread):
    return [m for m in table.discord.world.history[thread.id] if not m.deleted]


async def delete_ann(table):
    """Ann deletes all that is kept about her."""
    ann = table.person("Ann")
    asked = (await ann.slash("privacy delete", channel=ann.dm)).message
    for label in ("Delete…", "Delete it for good"):
        await ann.click(asked, label)
